// What people at a table ask each other: to come, to take a move back, to play again.

import { button, fill, h } from "./dom.js";
import { copyLine, invitation } from "./share.js";
import { seats } from "./store.js";

const LOCAL = /^(localhost|127\..*|\[::1\])$/; // names that mean this computer and no other

/** Links for friends who have not come yet, in plain sight. */
export class Invitations {
  /** @param {{onkeep: (seats: [string, string][]) => void}} calls plays the open seats here */
  constructor(id, game, { onkeep }) {
    this.id = id;
    this.game = game;
    this.onkeep = onkeep;
    this.element = h("div", { class: "invite", hidden: true });
  }

  draw(room) {
    const open = Object.entries(seats(this.id).others).filter(([seat]) =>
      room.players[seat]?.kind === "human" && !room.players[seat].here);
    this.element.hidden = room.over || !open.length;
    const wanted = open.map(([seat]) => seat).join();
    if (this.element.dataset.seats === wanted) return; // a link that is being copied stays
    this.element.dataset.seats = wanted;
    fill(this.element, h("p", {}, "Send this link to the one you play with:"),
      open.map(([seat, secret]) =>
        copyLine(this.game.seat_names[seat], invitation(this.id, seat, secret), "The invitation is copied.")),
      LOCAL.test(location.hostname) && h("p", { class: "quiet" },
        "The link works on this computer. For others on your network, start the server with ",
        h("code", {}, "quincunx serve --host 0.0.0.0"), " and open the address that it prints."),
      h("p", {}, button("", "Play this seat here", () => this.onkeep(open), { class: "plain inline" })));
  }
}

/** A question of the others, with its answers beside it. */
export class Question {
  constructor() {
    this.element = h("div", { class: "invite", hidden: true });
    this.asking = false; // for a takeback
  }

  /** Asks whether the one called so may take back; without a name, asks no longer. */
  takeback(name, answer) {
    if (!name && !this.asking) return;
    this.asking = Boolean(name);
    this.element.hidden = !name;
    fill(this.element, h("p", {}, `${name} asks to take back the last move.`),
      h("div", { class: "row" },
        button("tick", "Let them", () => answer(true)), button("close", "No", () => answer(false))));
  }

  /** Shows the way to the rematch. */
  rematch(address) {
    this.asking = false;
    this.element.hidden = false;
    fill(this.element, h("p", {}, h("a", { href: address }, "To the rematch")));
  }
}
