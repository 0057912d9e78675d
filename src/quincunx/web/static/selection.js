// The selection on a board: turns clicks, drags, keys and the wheel into legal moves.

import { CellFocus } from "./cell_focus.js";
import { Overlay } from "./overlay.js";
import { PointerInput } from "./pointer_input.js";

const MIN_WHEEL_INTERVAL_MS = 90; // some wheels send several events for each notch
const DEFAULT_MAX_LEVEL = 12; // while no block is hovered, focused or selected

/** @typedef {string[]} LegalMove the text of a move, followed by the names of the cells and buttons to click for it */

/**
 * The names clicked so far towards a move. It gets the legal moves with their clicks and
 * calls `onmove` when the clicks complete one. On `nested` boards, whose blocks contain
 * smaller blocks, `level` is the depth of the block that a click selects.
 */
export class Selection {
  /**
   * @param {import("./board.js").Board} board
   * @param {{nested?: boolean, onmove: (move: string, clicks: string[]) => void,
   *   onchange?: (selected: string[], nextNames: Set<string>) => void}} options
   */
  constructor(board, { nested = false, onmove, onchange = () => {} }) {
    this.board = board;
    this.nested = nested;
    this.onmove = onmove;
    this.onchange = onchange;
    /** @type {LegalMove[]} */
    this.legalMoves = [];
    /** @type {string[]} the names clicked so far */
    this.selected = [];
    /** @type {string[]} the names under the pointer, innermost first */
    this.hovered = [];
    this.level = Infinity; // 0 is the whole board; Infinity the innermost block
    this.overlay = new Overlay(board);
    this.focus = new CellFocus(this);
    this.pointer = new PointerInput(this);
    /** @type {string[] | null} the clicks of the suggested move */
    this.hint = null;
    const { svg } = board;
    svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    svg.addEventListener("contextmenu", (event) => {
      if (this.selected.length) event.preventDefault();
      this.unselect();
    });
    svg.addEventListener("pointerleave", () => this.hover([]));
    board.onchange = () => this.#redraw();
  }

  /** Sets the legal moves; clears the selection and the hint if no legal move starts with them. */
  setLegalMoves(legalMoves) {
    this.legalMoves = legalMoves;
    if (this.hint && !this.#movesStartingWith(this.hint).length) this.hint = null;
    if (this.selected.length && !this.#movesStartingWith(this.selected).length) this.selected = [];
    this.#redraw();
  }

  #movesStartingWith(clicks) {
    return this.legalMoves.filter((legalMove) =>
      clicks.every((name, i) => legalMove[i + 1] === name) && legalMove.length > clicks.length);
  }

  /** Returns true if a click on that cell or button continues the selection or starts a move. */
  isClickable(name) {
    return this.#movesStartingWith([...this.selected, name]).length > 0 || this.#movesStartingWith([name]).length > 0;
  }

  /** Returns true if a move starts at that cell and goes on to a destination. */
  isDraggable(name) {
    return this.legalMoves.some((legalMove) => legalMove[1] === name && legalMove.length > 2);
  }

  /** Returns the names that a click may refer to: on nested boards only the block at the current level. */
  namesAtLevel(names) {
    if (this.nested) return names.length ? [names[Math.max(0, names.length - 1 - this.level)]] : [];
    return names;
  }

  /**
   * Handles a click on a cell with these names, or on a button: continues the selection, clears it if its
   * only cell is clicked again, or else starts a new one. Returns true if a legal move starts with the clicks.
   */
  click(names) {
    for (const name of names) {
      if (this.#advance([...this.selected, name])) return true;
    }
    const clickedAgain = names.includes(this.selected[0]) && this.selected.length === 1;
    this.selected = [];
    if (!clickedAgain) {
      for (const name of names) if (this.#advance([name])) return true;
    }
    this.#redraw();
    return false;
  }

  /** Selects these clicks, or plays the move that they complete; returns false if no legal move starts with them. */
  #advance(clicks) {
    const candidates = this.#movesStartingWith(clicks);
    if (!candidates.length) return false;
    const completed = candidates.find((legalMove) => legalMove.length === clicks.length + 1);
    if (completed) {
      this.selected = [];
      this.onmove(completed[0], completed.slice(1));
    } else this.selected = clicks;
    this.#redraw();
    return true;
  }

  /** Starts a new selection with that name; returns false if no legal move starts with it. */
  select(name) {
    this.selected = [];
    return this.#advance([name]);
  }

  /** Clears the selection; returns false if it was empty. */
  unselect() {
    if (!this.selected.length) return false;
    this.selected = [];
    this.#redraw();
    return true;
  }

  /** Shows a suggested move and, on nested boards, selects its block; returns false if the move is not legal. */
  showHint(clicks) {
    if (!this.#movesStartingWith(clicks).length) return false;
    if (this.nested && clicks.length > 1) this.select(clicks[0]);
    else this.selected = [];
    this.hint = clicks;
    this.#redraw();
    return true;
  }

  /** Sets the names under the pointer. */
  hover(names) {
    this.board.svg.classList.toggle("clickable", this.namesAtLevel(names).some((name) => this.isClickable(name)));
    if (names.join() === this.hovered.join()) return;
    this.hovered = names;
    if (this.nested) this.#drawOutlines();
  }

  /** Changes the level to larger (-1) or smaller (+1) blocks, and the selected block with it. */
  changeLevel(step) {
    if (!this.nested) return;
    const names = this.#namesAroundSelection() || (this.hovered.length ? this.hovered : this.focus.names);
    const maxLevel = names?.length ? names.length - 1 : DEFAULT_MAX_LEVEL;
    this.level = Math.max(0, Math.min(maxLevel, Math.min(this.level, maxLevel) + step));
    if (this.selected.length && names) this.select(this.namesAtLevel(names)[0]);
    this.focus.redraw();
    this.#redraw();
  }

  /** Returns the nested names, innermost first, of the cell at which the selected block was clicked. */
  #namesAroundSelection() {
    const [block] = this.selected;
    if (!block) return null;
    for (const names of [this.hovered, this.focus.names]) if (names?.includes(block)) return names;
    return this.board.cellElement(block)?.dataset.cell.split(" ") || null;
  }

  #wheel(event) {
    if (!this.nested || !this.legalMoves.length || event.ctrlKey) return;
    event.preventDefault();
    const now = performance.now();
    if (now - (this.lastWheelTime || 0) < MIN_WHEEL_INTERVAL_MS) return;
    this.lastWheelTime = now;
    this.changeLevel(event.deltaY < 0 ? -1 : 1);
  }

  #drawOutlines() {
    const [block] = this.selected;
    const [name] = this.namesAtLevel(this.hovered);
    this.overlay.draw("outline", [
      block && this.nested && this.overlay.outline(block, "selected"),
      name && name !== block && this.nested && this.isClickable(name) && this.overlay.outline(name, "hovered"),
    ]);
  }

  /** Draws the selection, its destinations and the hint. */
  #redraw() {
    const nextNames = new Set(this.#movesStartingWith(this.selected).map((legalMove) => legalMove[this.selected.length + 1]));
    const oneClickMoves = this.legalMoves.filter((legalMove) => legalMove.length === 2).map(([, name]) => name);
    const shapes = this.selected.length
      ? [
          !this.nested && this.overlay.ring(this.selected.at(-1), "selected"),
          ...[...nextNames].map((name) => this.overlay.destination(name)),
        ]
      : oneClickMoves.map((name) => this.overlay.oneClickMove(name));
    this.overlay.draw("destinations", shapes);
    this.overlay.draw("hints", this.hint ? [this.overlay.move(this.hint, "hint")] : []);
    this.#drawOutlines();
    for (const element of this.board.shapes.querySelectorAll(".draggable")) element.classList.remove("draggable");
    if (!this.nested) {
      for (const name of new Set(this.legalMoves.filter((legalMove) => legalMove.length > 2).map(([, first]) => first))) {
        this.board.pieceElement(name)?.classList.add("draggable");
      }
    }
    this.focus.redraw();
    this.onchange(this.selected, nextNames);
  }
}
