// The pointer on a board: a press that stays is a click, one that goes on is a drag.

import { style } from "./dom.js";

const FAR = 6; // pixels that make a drag of a press
const NEAR = 24; // a finger that misses means the nearest legal cell, if it is this near

/** Listens to the pointer for a hand. */
export class Drag {
  constructor(hand) {
    this.hand = hand;
    this.board = hand.board;
    this.press = null;
    const svg = this.board.svg;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.#drop(false));
    svg.addEventListener("lostpointercapture", () => this.#drop(false));
  }

  #down(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const names = this.#names(event);
    const start = this.hand.nested ? null : names.find((name) => this.hand.starts(name));
    this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, names, start, piece: null };
  }

  #move(event) {
    const press = this.press;
    if (!press) {
      if (event.pointerType === "mouse") this.hand.point(this.board.namesAt(event.clientX, event.clientY));
      return;
    }
    if (press.id !== event.pointerId) return;
    if (!press.piece) {
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR;
      if (!far || !press.start || event.pointerType === "mouse" && !event.buttons) return;
      press.piece = this.board.piece(press.start);
      if (!press.piece) return;
      this.hand.pick(press.start);
      this.board.svg.setPointerCapture(event.pointerId);
      press.piece.classList.add("carried");
    }
    const { x, y } = this.board.point(event.clientX, event.clientY);
    style(press.piece, "transform", `translate(${x}px, ${y}px)`);
  }

  #up(event) {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    const names = this.#names(event);
    if (!press.piece) {
      this.press = null;
      // A press that ends on another cell was neither a click nor a drag.
      if (names.join() === press.names.join()) this.hand.click(this.hand.meant(names));
      return;
    }
    const there = names.filter((name) => name !== press.start);
    this.board.carried = press.piece;
    const played = there.some((name) => this.hand.can(name)) && this.hand.click(there) && !this.hand.picked.length;
    if (!played) this.board.carried = null;
    this.#drop(played);
  }

  /** Ends a drag; a piece that was not played goes back, one that was stays where it is put. */
  #drop(played) {
    const piece = this.press?.piece;
    this.press = null;
    if (!piece) return;
    piece.classList.remove("carried");
    if (!played) {
      piece.style.removeProperty("transform");
      this.hand.putDown();
    } else setTimeout(() => piece.style.removeProperty("transform"), 1500);
  }

  /** The names under the pointer; for a finger the nearest that is legal. */
  #names(event) {
    const names = this.board.namesAt(event.clientX, event.clientY);
    if (event.pointerType === "mouse" || this.hand.nested) return names;
    if (names.some((name) => this.hand.can(name))) return names;
    const { x, y } = this.board.point(event.clientX, event.clientY);
    let best = NEAR / this.board.scale;
    let found = names;
    for (const name of this.board.cells.keys()) {
      if (!this.hand.can(name)) continue;
      const at = this.board.place(name);
      const away = Math.hypot(at.x - x, at.y - y) - Math.min(at.width, at.height) / 2;
      if (away < best) [best, found] = [away, [name]];
    }
    return found;
  }
}
