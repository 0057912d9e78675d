// The reason for which a click on the board is refused: on the board itself, at the cell, and for screen readers.

import { announce } from "./announce.js";
import { h, toSentence } from "./dom.js";
import { isMotionReduced } from "./settings.js";

/** @import { Board } from "./board.js" */
/** @import { Overlay } from "./overlay.js" */

const MS_PER_CHARACTER = 60; // that the reason stays, long enough to read it
const MIN_SHOWN_MS = 4000;

/** A text over the board that says why the last click was refused, and a mark on its cell. */
export class Refusal {
  /**
   * @param {Board} board
   * @param {Overlay} overlay
   */
  constructor(board, overlay) {
    this.board = board;
    this.overlay = overlay;
    this.element = h("p", { class: "refusal", hidden: true });
    this.timer = 0;
    this.number = 0; // of the clicks that were refused, or that followed one
    board.element.append(this.element);
  }

  /** Removes the last reason; returns a function that is true until something else has been clicked. */
  expect() {
    this.clear();
    const { number } = this;
    return () => this.number === number;
  }

  /** Removes the reason and the mark. */
  clear() {
    this.number += 1;
    clearTimeout(this.timer);
    this.element.hidden = true;
    this.overlay.clear("refused");
  }

  /**
   * Shows a reason where it does not cover the cell that it is about.
   * @param {string} name of the cell
   * @param {string} reason
   */
  show(name, reason) {
    const text = toSentence(reason);
    const [, top, , height] = this.board.picture?.box ?? [0, 0, 0, 0];
    const cell = this.board.cellBox(name);
    this.element.textContent = text;
    this.element.classList.toggle("above", cell !== undefined && cell.y > top + height / 2);
    this.element.hidden = false;
    this.overlay.draw("refused", [this.overlay.ring(name, isMotionReduced() ? "refused" : "refused flashing")]);
    announce(text);
    this.timer = setTimeout(() => this.clear(), Math.max(MIN_SHOWN_MS, MS_PER_CHARACTER * text.length));
  }
}
