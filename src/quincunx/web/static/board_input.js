// Input on a board: connects a selection with the pointer, keys, wheel and buttons, and draws it over the board.

import { CellFocus } from "./cell_focus.js";
import * as clickTree from "./click_tree.js";
import { GameButtons } from "./game_buttons.js";
import { Overlay } from "./overlay.js";
import { PointerInput } from "./pointer_input.js";
import { Refusal } from "./refusal.js";
import { Selection } from "./selection.js";
import { blockShapes } from "./svg_elements.js";

/** @import { Board } from "./board.js" */
/** @import { Controls, Picture } from "./types.js" */

const MIN_WHEEL_INTERVAL_MS = 90; // some wheels send several events for each notch

/** The selection of a board, with the overlay that shows it and the devices that change it. */
export class BoardInput {
  /**
   * @param {Board} board
   * @param {Controls} controls of the game
   * @param {{onmove: (move: string) => unknown, explain: (clicks: string[]) => Promise<string>,
   *   preview: (move: string) => Promise<Picture | null>}} callbacks
   *   `explain` resolves to the reason why no legal move starts with some clicks, or to "" without one; `preview` to
   *   the board after a move, or to null if chance decides
   */
  constructor(board, controls, { onmove, explain, preview }) {
    this.board = board;
    this.preview = preview;
    /** @type {string | null} the move that is previewed */
    this.previewed = null;
    this.marksMovable = controls.movable;
    this.explain = explain;
    this.selection = new Selection({
      nested: controls.nested, onmove,
      onrefuse: (clicks) => this.#refuse(clicks),
      onchange: () => {
        this.refusal?.clear();
        this.#endPreview();
        this.#draw();
      },
    });
    this.buttons = new GameButtons(controls, {
      onpress: (word) => this.selection.click([word]),
      onlevel: (step) => this.changeLevel(step),
      onpoint: (word) => this.#showPreview(word),
      cellLabel: (name) => board.cellLabel(name),
    });
    /** @type {string[]} the names under the pointer, innermost first */
    this.hovered = [];
    this.lastWheelTime = 0;
    this.overlay = new Overlay(board);
    this.refusal = new Refusal(board, this.overlay);
    this.focus = new CellFocus(this);
    this.pointer = new PointerInput(this);
    const { svg } = board;
    svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    svg.addEventListener("contextmenu", (event) => {
      if (this.selection.unselect()) event.preventDefault();
    });
    svg.addEventListener("pointerleave", () => this.hover([]));
    board.onchange = () => this.#draw();
    this.#draw();
  }

  #endPreview() {
    this.previewed = null;
    this.overlay?.clear("preview");
  }

  /** Makes all moves impossible until the next legal moves arrive. */
  block() {
    this.selection.setLegalMoves(clickTree.EMPTY_TREE);
  }

  /**
   * Shows why no legal move starts with some clicks, unless another click comes first.
   * @param {string[]} clicks
   */
  async #refuse(clicks) {
    const isLatest = this.refusal.expect();
    const reason = await this.explain(clicks);
    if (reason && isLatest()) this.refusal.show(clicks[clicks.length - 1], reason);
  }

  /**
   * Shows what a button would do to the selected block of a nested board; null ends the preview.
   * @param {string | null} word
   */
  async #showPreview(word) {
    const { overlay, selection } = this;
    const [block] = selection.selected;
    const node = word && clickTree.nodeAt(selection.legalMoves, [...selection.selected, word]);
    const move = node && clickTree.moveAt(node);
    this.previewed = selection.nested && block && move ? move : null;
    overlay.clear("preview");
    if (!this.previewed) return;
    const picture = await this.preview(this.previewed);
    if (picture && this.previewed === move) overlay.draw("preview", blockShapes(picture, block));
  }

  /**
   * Sets the names under the pointer.
   * @param {string[]} names
   */
  hover(names) {
    const { selection } = this;
    this.board.svg.classList.toggle("clickable", selection.namesAtLevel(names).some((name) => selection.isClickable(name)));
    if (names.join() === this.hovered.join()) return;
    this.hovered = names;
    if (selection.nested) this.#drawOutlines();
  }

  /**
   * Changes the level to larger (-1) or smaller (+1) blocks.
   * @param {number} step
   */
  changeLevel(step) {
    const names = this.#namesAroundSelection() || (this.hovered.length ? this.hovered : this.focus.names);
    this.selection.changeLevel(step, names);
  }

  /** Returns the nested names, innermost first, of the cell at which the selected block was clicked. */
  #namesAroundSelection() {
    const [block] = this.selection.selected;
    if (!block) return null;
    for (const names of [this.hovered, this.focus.names]) if (names?.includes(block)) return names;
    return this.board.cellNames(block);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!this.selection.nested || !this.selection.hasMoves || event.ctrlKey) return;
    event.preventDefault();
    if (event.timeStamp - this.lastWheelTime < MIN_WHEEL_INTERVAL_MS) return;
    this.lastWheelTime = event.timeStamp;
    this.changeLevel(event.deltaY < 0 ? -1 : 1);
  }

  #drawOutlines() {
    const { overlay, selection } = this;
    const [block] = selection.selected;
    const [name] = selection.namesAtLevel(this.hovered);
    overlay.draw("outline", [
      block && selection.nested && overlay.outline(block, "selected"),
      name && name !== block && selection.nested && selection.isClickable(name) && overlay.outline(name, "hovered"),
    ]);
  }

  /** Draws the selection, its destinations and the hint. */
  #draw() {
    const { overlay, selection } = this;
    const { hint, legalMoves, nested, nextNames, selected } = selection;
    const last = selected.at(-1);
    overlay.draw("destinations", last
      ? [!nested && overlay.ring(last, "selected"), ...[...nextNames].map((name) => overlay.destination(name))]
      : [
        ...overlay.oneClickMoves(clickTree.oneClickMoves(legalMoves)),
        ...(this.marksMovable ? clickTree.origins(legalMoves).map((name) => overlay.ring(name, "movable", 0.49)) : []),
      ]);
    overlay.draw("hints", hint ? [overlay.move(selection.hintPath, "hint")] : []);
    this.#drawOutlines();
    for (const element of this.board.shapes.querySelectorAll(".draggable")) element.classList.remove("draggable");
    if (!nested) for (const name of clickTree.origins(legalMoves)) this.board.pieceElement(name)?.classList.add("draggable");
    this.focus.redraw();
    this.buttons.draw(selection);
  }
}
