// Mouse and touch input on a board: a press without movement is a click, one with movement is a drag.

import { setStyle } from "./dom.js";

/** @import { BoardInput } from "./board_input.js" */

const DRAG_DISTANCE_PX = 6; // movement that turns a press into a drag
const TOUCH_TOLERANCE_PX = 24; // a tap this close to a legal cell counts as a tap on it
const MAX_DROPPED_MS = 1500; // how long a dropped piece stays in place if no picture arrives from the server

/** Turns pointer events into clicks and drags of a selection. */
export class PointerInput {
  /** @param {BoardInput} input */
  constructor(input) {
    this.input = input;
    this.selection = input.selection;
    this.board = input.board;
    /**
     * From pointerdown to pointerup; `piece` is the dragged element.
     * @type {{id: number, x: number, y: number, names: string[], origin: string | undefined,
     *   piece: SVGGraphicsElement | undefined} | null}
     */
    this.press = null;
    const { svg } = this.board;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.#endDrag(false));
    svg.addEventListener("lostpointercapture", () => this.#endDrag(false));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const names = this.#namesAt(event);
    const origin = names.find((name) => this.selection.isDraggable(name));
    this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, names, origin, piece: undefined };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { press } = this;
    if (!press) {
      if (event.pointerType === "mouse") this.input.hover(this.board.namesAt(event.clientX, event.clientY));
      return;
    }
    if (press.id !== event.pointerId) return;
    if (!press.piece) {
      const moved = Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_DISTANCE_PX;
      if (!moved || !press.origin || event.pointerType === "mouse" && !event.buttons) return;
      press.piece = this.board.pieceElement(press.origin);
      if (!press.piece) return;
      this.selection.select(press.origin);
      this.board.svg.setPointerCapture(event.pointerId);
      press.piece.classList.add("dragging");
    }
    const { x, y } = this.board.toBoardUnits(event.clientX, event.clientY);
    setStyle(press.piece, "transform", `translate(${x}px, ${y}px)`);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { press } = this;
    if (!press || press.id !== event.pointerId) return;
    const names = this.#namesAt(event);
    if (!press.piece) {
      this.press = null;
      // A press that ends on another cell is neither a click nor a drag, unless it began on a piece that cannot move.
      if (names.join() === press.names.join()) this.selection.click(this.selection.namesAtLevel(names));
      else if (names.length && this.#isPiece(press.names[0])) this.selection.onrefuse([press.names[0], names[0]]);
      return;
    }
    const { origin } = press;
    const destinations = names.filter((name) => name !== origin);
    this.board.droppedPiece = press.piece;
    const isDestination = destinations.some((name) => this.selection.nextNames.has(name));
    const played = isDestination && this.selection.click(destinations) && !this.selection.selected.length;
    if (!played) this.board.droppedPiece = null;
    this.#endDrag(played);
    if (origin && destinations.length && !isDestination) this.selection.onrefuse([origin, destinations[0]]);
  }

  /** @param {string | undefined} name */
  #isPiece(name) {
    return name !== undefined && !this.selection.nested && this.board.pieceElement(name) !== undefined;
  }

  /**
   * Ends a drag: a piece that was not played returns to its cell.
   * @param {boolean} played
   */
  #endDrag(played) {
    const piece = this.press?.piece;
    this.press = null;
    if (!piece) return;
    piece.classList.remove("dragging");
    if (!played) {
      piece.style.removeProperty("transform");
      this.selection.unselect();
    } else setTimeout(() => piece.style.removeProperty("transform"), MAX_DROPPED_MS);
  }

  /**
   * Returns the names at the pointer, or for touch the nearest clickable name within the tolerance.
   * @param {PointerEvent} event
   */
  #namesAt(event) {
    const names = this.board.namesAt(event.clientX, event.clientY);
    if (event.pointerType === "mouse" || this.selection.nested) return names;
    if (names.some((name) => this.selection.isClickable(name))) return names;
    const { x, y } = this.board.toBoardUnits(event.clientX, event.clientY);
    let minDistance = TOUCH_TOLERANCE_PX / this.board.pixelsPerUnit;
    let nearest = names;
    for (const name of this.board.cells.keys()) {
      if (!this.selection.isClickable(name)) continue;
      const box = this.board.cellBox(name);
      if (!box) continue;
      const distance = Math.hypot(box.x - x, box.y - y) - Math.min(box.width, box.height) / 2;
      if (distance < minDistance) [minDistance, nearest] = [distance, [name]];
    }
    return nearest;
  }
}
