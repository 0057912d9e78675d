// The selection on a board: turns clicks on cells and buttons into legal moves. It knows nothing of the page.

import * as clickTree from "./click_tree.js";

/** @import { ClickTree } from "./types.js" */

const DEFAULT_MAX_LEVEL = 12; // while no block is hovered, focused or selected

/**
 * The names clicked so far towards a move. It gets the legal moves as a tree of clicks and
 * calls `onmove` when the clicks complete one. On `nested` boards, whose blocks contain
 * smaller blocks, `level` is the depth of the block that a click selects.
 */
export class Selection {
  /**
   * @param {{nested?: boolean, onmove: (move: string) => unknown, onrefuse?: (clicks: string[]) => unknown,
   *   onchange?: () => void}} options `onrefuse` gets clicks with which no legal move starts; `onchange` is called after
   *   every change of the legal moves, the selection, the hint or the level
   */
  constructor({ nested = false, onmove, onrefuse = () => {}, onchange = () => {} }) {
    this.nested = nested;
    this.onmove = onmove;
    this.onrefuse = onrefuse;
    this.onchange = onchange;
    /** @type {ClickTree} */
    this.legalMoves = clickTree.EMPTY_TREE;
    /** @type {string[]} the names clicked so far */
    this.selected = [];
    /** @type {string[] | null} the clicks of the suggested move */
    this.hint = null;
    /** @type {readonly string[]} the cells through which the suggested move goes */
    this.hintPath = [];
    this.level = Infinity; // 0 is the whole board; Infinity the innermost block
  }

  /**
   * Sets the legal moves; clears the selection and the hint if no legal move starts with them.
   * @param {ClickTree} legalMoves
   */
  setLegalMoves(legalMoves) {
    this.legalMoves = legalMoves;
    if (this.hint && !this.#isPossible(this.hint)) this.hint = null;
    if (!this.#isPossible(this.selected)) this.selected = [];
    this.onchange();
  }

  /** True if there is any legal move. */
  get hasMoves() {
    return clickTree.isExtensible(this.legalMoves);
  }

  /** The names that continue the selection, or start a move if nothing is selected. */
  get nextNames() {
    const node = clickTree.nodeAt(this.legalMoves, this.selected);
    return new Set(node ? clickTree.nextClicks(node) : []);
  }

  /** @param {string[]} clicks */
  #isPossible(clicks) {
    return clickTree.nodeAt(this.legalMoves, clicks) !== null;
  }

  /**
   * Returns true if a click on that cell or button continues the selection or starts a move.
   * @param {string} name
   */
  isClickable(name) {
    return this.#isPossible([...this.selected, name]) || this.#isPossible([name]);
  }

  /**
   * Returns true if a move starts at that cell and goes on to a destination.
   * @param {string} name
   */
  isDraggable(name) {
    return !this.nested && clickTree.isOrigin(this.legalMoves, name);
  }

  /**
   * Returns the names that a click may refer to: on nested boards only the block at the current level.
   * @param {string[]} names of a cell, innermost first
   */
  namesAtLevel(names) {
    if (this.nested) return names.length ? [names[Math.max(0, names.length - 1 - this.level)]] : [];
    return names;
  }

  /**
   * Handles a click on a cell with these names, or on a button: continues the selection, clears it if its
   * only cell is clicked again, or else starts a new one. Returns true if a legal move starts with the clicks.
   * @param {string[]} names
   */
  click(names) {
    if (names.some((name) => this.#advance([...this.selected, name]))) return true;
    const clickedAgain = names.includes(this.selected[0]) && this.selected.length === 1;
    const before = this.selected;
    this.selected = [];
    if (!clickedAgain && names.some((name) => this.#advance([name]))) return true;
    this.onchange();
    if (!clickedAgain && names.length) this.onrefuse([...before, names[0]]);
    return false;
  }

  /**
   * Selects these clicks, or plays the move that they complete; returns false if no legal move starts with them.
   * @param {string[]} clicks
   */
  #advance(clicks) {
    const node = clickTree.nodeAt(this.legalMoves, clicks);
    if (!node) return false;
    const move = clickTree.moveAt(node);
    this.selected = move === null ? clicks : [];
    if (move !== null) this.onmove(move);
    this.onchange();
    return true;
  }

  /**
   * Starts a new selection with that name; returns false if no legal move starts with it.
   * @param {string} name
   */
  select(name) {
    this.selected = [];
    return this.#advance([name]);
  }

  /** Clears the selection; returns false if it was empty. */
  unselect() {
    if (!this.selected.length) return false;
    this.selected = [];
    this.onchange();
    return true;
  }

  /**
   * Suggests a move and, on nested boards, selects its block; returns false if the move is not legal.
   * @param {string[]} clicks
   * @param {readonly string[]} [path] the cells through which it goes
   */
  showHint(clicks, path = clicks) {
    if (!this.#isPossible(clicks)) return false;
    if (this.nested && clicks.length > 1) this.select(clicks[0]);
    else this.selected = [];
    this.hint = clicks;
    this.hintPath = path;
    this.onchange();
    return true;
  }

  /**
   * Changes the level to larger (-1) or smaller (+1) blocks, and the selected block with it.
   * @param {number} step
   * @param {string[] | null} names of the cell that the level is about, innermost first
   */
  changeLevel(step, names) {
    if (!this.nested) return;
    const maxLevel = names?.length ? names.length - 1 : DEFAULT_MAX_LEVEL;
    this.level = Math.max(0, Math.min(maxLevel, Math.min(this.level, maxLevel) + step));
    if (this.selected.length && names) this.select(this.namesAtLevel(names)[0]);
    this.onchange();
  }
}
