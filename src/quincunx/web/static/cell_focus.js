// Keyboard input on a board: arrow keys move a visible focus from cell to cell, on any layout.

import { announce } from "./announce.js";

/** @import { BoardInput } from "./board_input.js" */

/** @type {Record<string, [dx: number, dy: number]>} */
const ARROW_DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MIN_STEP_UNITS = 4; // cells that are nearer than this along the arrow are not a step
const MAX_SLOPE = 1.8; // sideways distance of a step in relation to its forward distance
const SIDEWAYS_COST = 2.2;

/** The focused cell of a board, and the keys that move it and make moves with it. */
export class CellFocus {
  /** @param {BoardInput} input */
  constructor(input) {
    this.input = input;
    this.selection = input.selection;
    this.board = input.board;
    /** @type {string[] | null} the names of the focused cell, innermost first */
    this.names = null;
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
    const current = this.name && cells.has(this.name) ? this.board.cellBox(this.name) : null;
    let minCost = Infinity;
    /** @type {string[] | null} */
    let nearest = null;
    for (const [name, names] of cells) {
      const box = this.board.cellBox(name);
      if (!box) continue;
      if (!current) {
        // The first step goes to the clickable cell nearest to the centre of the board.
        const [x, y, width, height] = this.board.picture?.box ?? [0, 0, 0, 0];
        const cost = Math.hypot(box.x - x - width / 2, box.y - y - height / 2) + (this.selection.isClickable(name) ? 0 : 1e6);
        if (cost < minCost) [minCost, nearest] = [cost, names];
        continue;
      }
      const forward = (box.x - current.x) * dx + (box.y - current.y) * dy;
      const sideways = Math.abs((box.x - current.x) * dy + (box.y - current.y) * dx);
      if (forward < MIN_STEP_UNITS || sideways > MAX_SLOPE * forward) continue;
      const cost = forward + SIDEWAYS_COST * sideways;
      if (cost < minCost) [minCost, nearest] = [cost, names];
    }
    if (nearest) this.names = nearest;
  }

  #announce() {
    if (!this.name) return;
    const isSelected = this.selection.selected.includes(this.name);
    const state = isSelected ? ", selected" : this.selection.isClickable(this.name) ? ", playable" : "";
    announce(`${this.board.cellLabel(this.name)}${state}`);
  }
}
