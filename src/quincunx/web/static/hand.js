// Moves made by hand: click-click, drag, touch, keys and the wheel, from the clicks of legal moves.

import { Drag } from "./drag.js";
import { Focus } from "./focus.js";
import { Overlay } from "./overlay.js";

/** @typedef {string[]} Way a move text, and the names that are clicked to make it */

/**
 * The hand over a board. It is given ways and calls back with a move and its clicks.
 * `nested` boards have blocks in blocks: the level says how deep one points.
 */
export class Hand {
  /** @param {import("./board.js").Board} board */
  constructor(board, { nested = false, onmove, onpick = () => {} }) {
    this.board = board;
    this.nested = nested;
    this.onmove = onmove;
    this.onpick = onpick;
    /** @type {Way[]} */
    this.ways = [];
    /** @type {string[]} */
    this.picked = [];
    this.pointed = []; // names under the pointer, innermost first
    this.level = Infinity; // how many steps inward from the whole
    this.overlay = new Overlay(board);
    this.focus = new Focus(this);
    this.drag = new Drag(this);
    this.hint = null;
    const svg = board.svg;
    svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    svg.addEventListener("contextmenu", (event) => {
      if (this.picked.length) event.preventDefault();
      this.putDown();
    });
    svg.addEventListener("pointerleave", () => this.point([]));
    board.changed = () => this.#settle();
  }

  /** What may be played now; nothing is picked or hinted at any more, unless it still can be. */
  allow(ways) {
    this.ways = ways;
    if (this.hint && !this.#open(this.hint).length) this.hint = null;
    if (this.picked.length && !this.#open(this.picked).length) this.picked = [];
    this.#settle();
  }

  /** The ways that go on from these clicks. */
  #open(clicks) {
    return this.ways.filter((way) => clicks.every((name, i) => way[i + 1] === name) && way.length > clicks.length);
  }

  /** True if a word or cell can be clicked next, or begins a way anew. */
  can(name) {
    return this.#open([...this.picked, name]).length > 0 || this.#open([name]).length > 0;
  }

  /** True if a piece or block can be picked up first. */
  starts(name) {
    return this.ways.some((way) => way[1] === name && way.length > 2);
  }

  /** Of the names of a place, the one that is meant. */
  meant(names) {
    if (this.nested) return names.length ? [names[Math.max(0, names.length - 1 - this.level)]] : [];
    return names;
  }

  /** A click on a place, or on a button by its word. */
  click(names) {
    for (const name of names) {
      if (this.#take([...this.picked, name])) return true;
    }
    const again = names.includes(this.picked[0]) && this.picked.length === 1;
    this.picked = [];
    if (!again) {
      for (const name of names) if (this.#take([name])) return true;
    }
    this.#settle();
    return false;
  }

  /** Goes on to these clicks, and plays when they are a move. */
  #take(clicks) {
    const open = this.#open(clicks);
    if (!open.length) return false;
    const whole = open.find((way) => way.length === clicks.length + 1);
    if (whole) {
      this.picked = [];
      this.onmove(whole[0], whole.slice(1));
    } else this.picked = clicks;
    this.#settle();
    return true;
  }

  /** Picks exactly this, whatever was picked before. */
  pick(name) {
    this.picked = [];
    return this.#take([name]);
  }

  /** Puts down what is picked. */
  putDown() {
    if (!this.picked.length) return false;
    this.picked = [];
    this.#settle();
    return true;
  }

  /** Shows a move without making it, if it can be made; a block is picked, so that its button can be lit. */
  suggest(clicks) {
    if (!this.#open(clicks).length) return false;
    if (this.nested && clicks.length > 1) this.pick(clicks[0]);
    else this.picked = [];
    this.hint = clicks;
    this.#settle();
    return true;
  }

  /** The pointer is over these names. */
  point(names) {
    const meant = this.meant(names);
    this.board.svg.classList.toggle("can", meant.some((name) => this.can(name)));
    if (names.join() === this.pointed.join()) return;
    this.pointed = names;
    if (this.nested) this.#outline();
  }

  /** Points one level outward (-1) or inward (+1), and takes along what is picked. */
  turn(step) {
    if (!this.nested) return;
    const names = this.#names(this.picked[0]) || (this.pointed.length ? this.pointed : this.focus.names);
    const deepest = names?.length ? names.length - 1 : 12;
    this.level = Math.max(0, Math.min(deepest, Math.min(this.level, deepest) + step));
    if (this.picked.length && names) this.pick(this.meant(names)[0]);
    this.focus.refresh();
    this.#settle();
  }

  /** All names of the place that a picked block was picked at. */
  #names(picked) {
    if (!picked) return null;
    for (const names of [this.pointed, this.focus.names]) if (names?.includes(picked)) return names;
    return this.board.cell(picked)?.dataset.cell.split(" ") || null;
  }

  #wheel(event) {
    if (!this.nested || !this.ways.length || event.ctrlKey) return;
    event.preventDefault();
    const now = performance.now();
    if (now - (this.turned || 0) < 90) return; // one notch is many events on some wheels
    this.turned = now;
    this.turn(event.deltaY < 0 ? -1 : 1);
  }

  #outline() {
    const picked = this.picked[0];
    const [name] = this.meant(this.pointed);
    this.overlay.draw("outline", [
      picked && this.nested && this.overlay.outline(picked, "picked"),
      name && name !== picked && this.nested && this.can(name) && this.overlay.outline(name, "pointed"),
    ]);
  }

  /** Draws what can be done now. */
  #settle() {
    const next = new Set(this.#open(this.picked).map((way) => way[this.picked.length + 1]));
    const single = this.ways.filter((way) => way.length === 2).map((way) => way[1]);
    const shapes = this.picked.length
      ? [
          !this.nested && this.overlay.ring(this.picked.at(-1), "picked"),
          ...[...next].map((name) => this.overlay.target(name)),
        ]
      : single.map((name) => this.overlay.single(name));
    this.overlay.draw("choices", shapes);
    this.overlay.draw("hints", this.hint ? [this.overlay.move(this.hint, "hint")] : []);
    this.#outline();
    for (const element of this.board.shapes.querySelectorAll(".grab")) element.classList.remove("grab");
    if (!this.nested) {
      for (const name of new Set(this.ways.filter((way) => way.length > 2).map((way) => way[1]))) {
        this.board.piece(name)?.classList.add("grab");
      }
    }
    this.focus.refresh();
    this.onpick(this.picked, next);
  }
}
