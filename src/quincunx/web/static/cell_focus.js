// Keyboard input on a board: arrow keys move a visible focus from cell to cell, on any layout.

import { announce } from "./announce.js";
import { cellInDirection } from "./cell_steps.js";

/** @import { BoardInput } from "./board_input.js" */

/** @type {Record<string, [dx: number, dy: number]>} */
const ARROW_DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The focused cell of a board, and the keys that move it and make moves with it. */
export class CellFocus {
  /** @param {BoardInput} input */
  constructor(input) {
    this.input = input;
    this.selection = input.selection;
    this.board = input.board;
    /** @type {string[] | null} the names of the focused cell, innermost first */
    this.names = null;
    /** @type {{name: string, isVertical: boolean, place: {x: number, y: number}} | null} what the last steps follow */
    this.aim = null;
    this.visible = false;
    const { svg } = this.board;
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("role", "application");
    svg.addEventListener("keydown", (event) => this.#keydown(event));
    svg.addEventListener("focus", () => {
      this.visible = svg.matches(":focus-visible");
      this.redraw();
    });
    for (const type of ["blur", "pointerdown"]) svg.addEventListener(type, () => this.#hide());
  }

  /** The name of the focused cell or block, or null. */
  get name() {
    return this.names && this.selection.namesAtLevel(this.names)[0];
  }

  /** Draws the outline of the focused cell if the focus is visible. */
  redraw() {
    const { overlay } = this.input;
    overlay.draw("focus", [this.visible && this.name && overlay.outline(this.name, "focus")]);
  }

  /** @param {KeyboardEvent} event */
  #keydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    // After a mouse click, left and right step through the move list; up and down show the focus.
    if (!this.visible && ["ArrowLeft", "ArrowRight"].includes(key)) return;
    if (ARROW_DIRECTIONS[key]) this.#step(...ARROW_DIRECTIONS[key]);
    else if (key === "Enter" || key === " ") {
      if (this.name) this.selection.click([this.name]);
    } else if (key === "Escape") {
      if (!this.selection.unselect()) return this.#hide();
    } else if (this.selection.nested && "+-=".includes(key)) this.input.changeLevel(key === "-" ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.visible = true;
    this.redraw();
    this.#announce();
  }

  #hide() {
    this.visible = false;
    this.redraw();
  }

  /** Returns the cells that can have the focus: their names by the name at the current level. */
  #focusableCells() {
    /** @type {Map<string, string[]>} */
    const focusable = new Map();
    const cells = [...this.board.cells.keys()].map((name) => this.board.cellNames(name) ?? []);
    const enclosing = new Set(cells.flatMap((names) => names.slice(1)));
    for (const names of cells) {
      if (enclosing.has(names[0])) continue; // a block with smaller ones inside is reached by changing the level
      const [name] = this.selection.namesAtLevel(names);
      if (!focusable.has(name)) focusable.set(name, names);
    }
    return focusable;
  }

  /**
   * Moves the focus to the nearest cell in a direction.
   * @param {number} dx
   * @param {number} dy
   */
  #step(dx, dy) {
    const cells = this.#focusableCells();
    /** @type {Map<string, {x: number, y: number}>} */
    const places = new Map();
    for (const name of cells.keys()) {
      const box = this.board.cellBox(name);
      if (box) places.set(name, box);
    }
    const current = this.name === null ? undefined : places.get(this.name);
    if (!current) {
      this.names = cells.get(this.#firstCell(places) ?? "") ?? this.names;
      return;
    }
    const isVertical = dx === 0;
    const isSameLine = this.aim?.name === this.name && this.aim?.isVertical === isVertical;
    const place = (isSameLine && this.aim?.place) || current;
    const nearest = cellInDirection(places, current, [dx, dy], place);
    if (nearest === null) return;
    this.names = cells.get(nearest) ?? null;
    this.aim = { name: nearest, isVertical, place };
  }

  /**
   * Returns the clickable cell that is nearest to the centre of the board, or else any cell; null without cells.
   * @param {Map<string, {x: number, y: number}>} places
   */
  #firstCell(places) {
    const [left, top, width, height] = this.board.picture?.box ?? [0, 0, 0, 0];
    let minCost = Infinity;
    let nearest = null;
    for (const [name, { x, y }] of places) {
      const cost = Math.hypot(x - left - width / 2, y - top - height / 2) + (this.selection.isClickable(name) ? 0 : 1e6);
      if (cost < minCost) [minCost, nearest] = [cost, name];
    }
    return nearest;
  }

  #announce() {
    if (!this.name) return;
    const isSelected = this.selection.selected.includes(this.name);
    const state = isSelected ? ", selected" : this.selection.isClickable(this.name) ? ", playable" : "";
    announce(`${this.board.cellLabel(this.name)}${state}`);
  }
}
