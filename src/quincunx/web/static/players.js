// Who sits where: colours, names, scores and clocks.

import { fill, h, icon, style } from "./dom.js";

/** The rows of the players of a room. */
export class Players {
  /** @param {{onact: (seat: number) => void}} calls for choosing the seat one acts for */
  constructor(game, { onact }) {
    this.game = game;
    this.onact = onact;
    this.element = h("ul", { class: "players", "aria-label": "Players" });
    this.heard = 0;
    this.clocks = null;
    this.faces = [];
    this.timer = setInterval(() => this.#tick(), 100);
  }

  /** Stops the clocks of the page. */
  close() {
    clearInterval(this.timer);
  }

  /** Shows how things stand; `acting` is the seat that one's clicks are for. */
  draw(room, acting) {
    if (this.clocks !== room.clocks) {
      this.clocks = room.clocks; // as they were when that was heard
      this.heard = performance.now();
    }
    this.faces = [];
    // Where a game is won or lost there is nothing to count before its end.
    const counted = room.scores.length !== 2 || room.scores.some((score) => Math.abs(score) > 1);
    const choice = room.live && room.you.length > 1 && !room.over;
    fill(this.element, room.players.map((player, seat) => {
      const moving = !room.over && room.turn === seat;
      const clock = room.clocks && h("time", { class: "clock" });
      this.faces.push(clock);
      const row = h("li", { class: `player${moving ? " moving" : ""}${room.winners?.includes(seat) ? " won" : ""}` },
        chip(this.game, seat),
        h("div", { class: "who" },
          h("span", { class: "name" }, player.name || this.game.seat_names[seat]),
          h("span", { class: "kind" }, this.#kind(room, player, seat))),
        counted && h("span", { class: "value" }, room.scores[seat]),
        clock,
        choice && room.you.includes(seat) && h("label", { class: "acting" }, h("input", {
          type: "radio", name: "acting", checked: seat === acting, onchange: () => this.onact(seat),
        }), h("span", {}, "place for")));
      return row;
    }));
    this.#tick();
  }

  #kind(room, player, seat) {
    const words = [];
    if (player.name) words.push(this.game.seat_names[seat]);
    if (room.you.includes(seat)) words.push("you");
    else if (player.kind === "human") words.push(player.here ? "here" : "not here");
    return [icon(player.kind === "bot" ? "bot" : "person"), words.join(", ")];
  }

  /** Writes the clocks as they are now: the one that runs has lost what passed since. */
  #tick() {
    if (!this.clocks) return;
    const passed = performance.now() - this.heard;
    this.faces.forEach((face, seat) => {
      if (!face) return;
      const running = this.clocks.running === seat;
      const left = Math.max(0, this.clocks.left[seat] - (running ? passed : 0));
      const text = clockText(left);
      if (face.textContent !== text) face.textContent = text;
      face.classList.toggle("running", running);
      face.classList.toggle("short", left < 20000);
    });
  }
}

/** A small disc in the colour of a seat, with its letter. */
export function chip(game, seat) {
  const name = game.colours?.[seat];
  const disc = h("span", { class: "chip", "aria-hidden": "true" }, name ? "" : game.letters?.[seat] || "");
  if (name) {
    style(disc, "--seat", `var(--${name})`);
    style(disc, "--seat-rim", `var(--${name}-rim)`);
  }
  return disc;
}

/** Milliseconds as 4:05, and 9.4 when there is little left. */
function clockText(milliseconds) {
  if (milliseconds < 10000) return (Math.floor(milliseconds / 100) / 10).toFixed(1);
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
