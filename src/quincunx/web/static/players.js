// The players of a room: colours, names, scores and clocks.

import { h, icon, setChildren, setStyle } from "./dom.js";
import { formatClock } from "./format.js";

/** @import { Clocks, Game, Player, Room } from "./types.js" */

const CLOCK_REFRESH_MS = 100;
const LOW_TIME_MS = 20000; // clocks below are highlighted

/** A row for each player of a room. */
export class PlayerList {
  /**
   * @param {Game} game
   * @param {{onchoose: (seat: number) => void}} callbacks called when the user chooses which of several own seats to play
   */
  constructor(game, { onchoose }) {
    this.game = game;
    this.onchoose = onchoose;
    this.element = h("ul", { class: "players", "aria-label": "Players" });
    /** @type {Clocks | null} */
    this.clocks = null;
    this.clocksReceivedAt = 0;
    /** @type {(HTMLElement | null)[]} */
    this.clockElements = [];
    this.timer = setInterval(() => this.#updateClocks(), CLOCK_REFRESH_MS);
  }

  /** Stops updating the clocks. */
  close() {
    clearInterval(this.timer);
  }

  /**
   * Shows the players of a room.
   * @param {Room} room
   * @param {number | undefined} activeSeat the seat that clicks on the board play for
   * @param {number | null} turn the seat to mark: until an animation ends, the one that moved
   */
  draw(room, activeSeat, turn) {
    if (this.clocks !== room.clocks) {
      this.clocks = room.clocks;
      this.clocksReceivedAt = performance.now();
    }
    this.clockElements = [];
    this.element.classList.toggle("many", room.players.length > 2);
    const hasScores = this.game.traits.outcome !== "win_or_draw" && !this.game.controls.scoreboard;
    const choosable = room.live && room.you.length > 1 && !room.over;
    setChildren(this.element, room.players.map((player, seat) => {
      const toMove = !room.over && turn === seat;
      const won = room.winners?.includes(seat);
      const clock = room.clocks && h("time", { class: "clock" });
      this.clockElements.push(clock);
      const own = room.you.includes(seat) && hasOwnColour(this.game, seat) ? " own" : "";
      return setSeatColours(h("li", { class: `player${own}${toMove ? " to-move" : ""}${won ? " won" : ""}` },
        seatDisc(this.game, seat),
        h("div", { class: "player-info" },
          h("span", { class: "name-line" }, h("span", { class: "name" }, player.name || this.game.seat_names[seat]),
            won && h("span", { class: "result" }, "won")),
          h("span", { class: "kind" }, this.#kind(room, player, seat))),
        hasScores && h("span", { class: "value" }, room.scores[seat]),
        clock,
        choosable && room.you.includes(seat) && h("label", { class: "seat-choice" }, h("input", {
          type: "radio", name: "active-seat", checked: seat === activeSeat, onchange: () => this.onchoose(seat),
        }), h("span", {}, "play as"))), this.game, seat);
    }));
    this.#updateClocks();
  }

  /**
   * Returns an icon for the kind of player, and whether it is you or present.
   * @param {Room} room
   * @param {Player} player
   * @param {number} seat
   */
  #kind(room, player, seat) {
    const notes = [];
    if (player.name) notes.push(this.game.seat_names[seat]);
    if (room.you.includes(seat)) notes.push("you");
    else if (player.kind === "human") notes.push(player.here ? "online" : "offline");
    const note = room.notes?.[seat] && h("span", { class: "note" }, room.notes[seat]);
    const assisted = player.assisted && h("span", { class: "assisted", title: "Assisted games do not count as results." }, "assisted");
    if (assisted && notes.length) notes.push(""); // a comma before it
    return [icon(player.kind === "bot" ? "bot" : "person"), notes.join(", ").trim(), note, assisted];
  }

  /** Writes the remaining times; the running clock loses the time since the clocks were received. */
  #updateClocks() {
    const { clocks } = this;
    if (!clocks) return;
    const elapsed = performance.now() - this.clocksReceivedAt;
    this.clockElements.forEach((element, seat) => {
      if (!element) return;
      const running = clocks.running === seat;
      const left = Math.max(0, clocks.left[seat] - (running ? elapsed : 0));
      const text = formatClock(left);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("running", running);
      element.classList.toggle("low", left < LOW_TIME_MS);
    });
  }
}

/**
 * Creates the mark of a move's seat for move lists, or null where one player makes all moves.
 * @param {Game} game
 * @param {number | null} seat null for an unknown one
 */
export function moverDisc(game, seat) {
  return game.seats.most > 1 ? seatDisc(game, seat) : null;
}

/**
 * Creates a small disc in the colour of a seat, or with its letter if seats have no colours.
 * @param {Game} game
 * @param {number | null} seat null for an unknown one
 */
export function seatDisc(game, seat) {
  const colour = seat !== null && game.colours[seat];
  const disc = h("span", { class: `seat-disc${colour ? "" : " lettered"}`, "aria-hidden": "true" }, !colour && seat !== null && game.letters[seat]);
  return setSeatColours(disc, game, seat);
}

/**
 * Gives an element the colours of a seat, if it has one; returns the element.
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {Game} game
 * @param {number | null | undefined} seat
 */
export function setSeatColours(element, game, seat) {
  const colour = typeof seat === "number" ? game.colours[seat] : "";
  if (!colour) return element;
  setStyle(element, "--seat-colour", `var(--${colour})`);
  return setStyle(element, "--seat-rim", `var(--${colour}-rim)`);
}

/**
 * Returns true if a seat is known by a colour that no other mark on a board has: not black or white.
 * @param {Game} game
 * @param {number | undefined} seat
 */
export function hasOwnColour(game, seat) {
  return seat !== undefined && !["", "black", "white", undefined].includes(game.colours[seat]);
}
