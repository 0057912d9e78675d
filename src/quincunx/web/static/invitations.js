// Panels between players: invitation links, requests for a takeback or a pause, and the link to a rematch.

import { button, h, setChildren } from "./dom.js";
import { copyField, invitationLink } from "./share.js";
import { openInvitations } from "./room_state.js";
import { loadSeats } from "./storage.js";

/** @import { Game, Room } from "./types.js" */

const LOCAL_HOST = /^(localhost|127\..*|\[::1\])$/; // host names that work only on this computer

/** The invitation links of seats that no one has taken yet. */
export class Invitations {
  /**
   * @param {string} id
   * @param {Game} game
   * @param {{onclaim: (seats: [string, string][]) => void}} callbacks called to play the open seats in this browser
   */
  constructor(id, game, { onclaim }) {
    this.id = id;
    this.game = game;
    this.onclaim = onclaim;
    this.element = h("div", { class: "prompt", hidden: true });
  }

  /**
   * Shows the links of the seats whose players are not present.
   * @param {Room} room
   */
  draw(room) {
    const openSeats = openInvitations(room, loadSeats(this.id).others).filter(([seat]) => !room.players[Number(seat)].here);
    this.element.hidden = room.over || !openSeats.length;
    const seatNumbers = openSeats.map(([seat]) => seat).join();
    if (this.element.dataset.seats === seatNumbers) return; // keeps a text selected while it is being copied
    this.element.dataset.seats = seatNumbers;
    setChildren(this.element, h("p", {}, "Send this link to the other player:"),
      openSeats.map(([seat, secret]) =>
        copyField(this.game.seat_names[Number(seat)], invitationLink(this.id, seat, secret), "Invitation copied.")),
      LOCAL_HOST.test(location.hostname) && h("p", { class: "muted" },
        "This link works only on this computer. To play over your network, start the server with ",
        h("code", {}, "quincunx serve --host 0.0.0.0"), " and open the address it prints."),
      h("p", {}, button("", "Play this seat here", () => this.onclaim(openSeats), { class: "plain inline" })));
  }
}

/** A prompt with a request for a takeback or a pause, or with the link to a rematch. */
export class RequestPrompt {
  constructor() {
    this.element = h("div", { class: "prompt", hidden: true });
    this.request = ""; // the text of the request that is shown
  }

  /**
   * Shows what another player asks for.
   * @param {string} text
   * @param {string} yesLabel
   * @param {(yes: boolean) => unknown} onanswer
   */
  showRequest(text, yesLabel, onanswer) {
    this.#show(text, () => h("div", { class: "row" },
      button("tick", yesLabel, () => onanswer(true)), button("close", "Decline", () => onanswer(false))));
  }

  /**
   * Shows that the others have not answered yet; an empty text hides it.
   * @param {string} text
   */
  showWaiting(text) {
    this.#show(text, () => null);
  }

  /**
   * @param {string} text
   * @param {() => HTMLElement | null} createButtons
   */
  #show(text, createButtons) {
    if (text === this.request) return; // keeps the focus on its buttons
    this.request = text;
    this.element.hidden = !text;
    setChildren(this.element, h("p", {}, text), createButtons());
  }

  /**
   * Shows a link to the room of the rematch.
   * @param {string} address
   */
  showRematchLink(address) {
    this.request = "";
    this.element.hidden = false;
    setChildren(this.element, h("p", {}, h("a", { href: address }, "Go to the rematch")));
  }
}
