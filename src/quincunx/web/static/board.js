// The board element: shows pictures from the server, reuses shapes by their keys and animates changes.

import * as animation from "./animation.js";
import { h, setStyle, svg } from "./dom.js";
import { applyDelta } from "./picture.js";
import { showScorePopup } from "./score_popup.js";
import { isMotionReduced } from "./settings.js";
import { boxOf, parseSvg } from "./svg_elements.js";

/** @import { Box, Frame, Picture, Point, Position } from "./types.js" */

/** @typedef {{glide?: boolean, paths?: Record<string, Point[]> | null, timeScale?: number}} DrawOptions */

const ROW_UNITS = 12; // height of a row of the text version, in board units

/** An SVG board that shows pictures; it contains no rules of any game. */
export class Board {
  constructor(label = "Board") {
    this.defs = svg("g", {}); // the <defs> of the picture
    this.shapes = svg("g", { class: "shapes" });
    this.overlay = svg("g", { class: "overlay", "aria-hidden": "true" });
    this.svg = svg("svg", { class: "board", viewBox: "0 0 1 1", "aria-label": label, role: "img" },
      this.defs, this.shapes, this.overlay);
    this.rows = h("ul", { class: "visually-hidden", "aria-label": "Board, row by row" });
    this.element = h("div", { class: "board-frame" }, this.svg, this.rows);
    /** @type {Map<string, {element: SVGGraphicsElement, markup: string}>} */
    this.drawnShapes = new Map();
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {Map<string, SVGGraphicsElement[]>} elements by cell name: the cell, then the pieces on it */
    this.cells = new Map();
    /** @type {SVGGraphicsElement | null} just dragged to its destination, so its move needs no animation */
    this.droppedPiece = null;
    /** @type {{stopped: boolean, stop: () => void, skip?: () => void} | null} */
    this.currentAnimation = null;
    this.onchange = () => {}; // called after each new picture
  }

  /**
   * Shows a picture and stops a running animation; shapes that moved glide to their new position if `glide`.
   * @param {Picture} picture
   * @param {{glide?: boolean}} [options]
   */
  show(picture, { glide = true } = {}) {
    this.currentAnimation?.stop();
    this.currentAnimation = null;
    this.svg.classList.remove("animating");
    this.#draw(picture, { glide: glide && this.picture !== null && !isMotionReduced() });
    this.#updateCells();
  }

  /**
   * Plays the frames of a move; resolves to false if another picture replaced them meanwhile.
   * @param {Frame[]} frames
   * @param {{speed?: number, gain?: number}} [options] `gain` is shown where the first pieces are removed
   */
  async playFrames(frames, { speed = 1, gain = 0 } = {}) {
    this.currentAnimation?.stop();
    /** @type {NonNullable<Board["currentAnimation"]>} */
    const running = { stopped: false, stop: () => { running.stopped = true; running.skip?.(); } };
    this.currentAnimation = running;
    this.svg.classList.add("animating");
    const timeScale = animation.frameTimeScale(frames.length) / speed;
    let gainToShow = gain;
    for (const frame of frames) {
      if (!this.picture) break;
      const picture = applyDelta(this.picture, frame.picture);
      const instant = running.stopped || isMotionReduced() || document.hidden;
      const { duration, removed } = this.#draw(picture, { paths: instant ? null : frame.ways, timeScale });
      if (gainToShow > 0 && removed.length) {
        showScorePopup(this.overlay, removed, gainToShow);
        gainToShow = 0;
      }
      if (duration) await Promise.race([animation.delay(duration), new Promise((skip) => (running.skip = () => skip(null)))]);
      if (this.currentAnimation !== running) return false;
    }
    this.currentAnimation = null;
    this.svg.classList.remove("animating");
    this.#updateCells();
    return true;
  }

  /**
   * Shows a `position` message; its last move is animated if the message has frames.
   * @param {Position} position
   * @param {{speed?: number}} [options]
   */
  async showPosition({ picture, before, frames }, { speed = 1 } = {}) {
    if (before && frames?.length) {
      this.show(before, { glide: false });
      await this.playFrames(frames, { speed });
    } else this.show(picture);
  }

  /** Puts a piece back that was dragged to a destination, because its move was not played. */
  returnDroppedPiece() {
    this.droppedPiece?.style.removeProperty("transform");
    this.droppedPiece = null;
  }

  /**
   * Returns the element of a cell, or undefined.
   * @param {string} name
   */
  cellElement(name) {
    return this.cells.get(name)?.[0];
  }

  /**
   * Returns the names of a cell and of the blocks around it, innermost first, or null.
   * @param {string} name
   */
  cellNames(name) {
    return this.cellElement(name)?.dataset.cell?.split(" ") ?? null;
  }

  /**
   * Returns the element of the piece on a cell, or undefined. Pieces, and blocks with a mark, are drawn as <g>.
   * @param {string} name
   */
  pieceElement(name) {
    return this.cells.get(name)?.findLast((element) => element.tagName === "g");
  }

  /**
   * Returns the label of a cell, which includes the piece on it.
   * @param {string} name
   */
  cellLabel(name) {
    const labelled = this.cells.get(name)?.findLast((element) => element.hasAttribute("aria-label"));
    return labelled?.getAttribute("aria-label") || name;
  }

  /**
   * Returns the centre and size of a cell in board units, or undefined.
   * @param {string} name
   */
  cellBox(name) {
    const element = this.cellElement(name);
    return element && boxOf(element);
  }

  /**
   * Returns the names of the cell at client coordinates, innermost first, or [].
   * @param {number} x
   * @param {number} y
   */
  namesAt(x, y) {
    for (const element of document.elementsFromPoint(x, y)) {
      if (!this.svg.contains(element)) continue;
      const names = element.closest("[data-cell]")?.getAttribute("data-cell");
      if (names) return names.split(" ");
    }
    return [];
  }

  /**
   * Converts client coordinates to board units.
   * @param {number} x
   * @param {number} y
   */
  toBoardUnits(x, y) {
    const matrix = this.svg.getScreenCTM();
    return matrix ? new DOMPoint(x, y).matrixTransform(matrix.inverse()) : new DOMPoint(0, 0);
  }

  /** The number of CSS pixels in one board unit. */
  get pixelsPerUnit() {
    return this.svg.getScreenCTM()?.a || 1;
  }

  /**
   * Replaces the shapes by those of a picture; returns the milliseconds that its animations take, glides not
   * included, and the boxes of removed pieces. `glide` moves changed shapes in a straight line. `paths` are the
   * paths of a frame by shape key; unless they are null, new, changed and removed shapes are animated too.
   * @param {Picture} picture
   * @param {DrawOptions} options
   */
  #draw(picture, { glide = false, paths = null, timeScale = 1 }) {
    const oldPicture = this.picture;
    const oldShapes = this.drawnShapes;
    this.picture = picture;
    if (picture.defs !== oldPicture?.defs) this.defs.replaceChildren(...parseSvg([picture.defs]));
    const changed = this.#placeShapes(picture);
    let duration = 0;
    for (const [key, element] of changed) {
      const old = oldShapes.get(key)?.element;
      if (old && old === this.droppedPiece) {
        this.droppedPiece = null;
        continue;
      }
      if (paths?.[key]) duration = Math.max(duration, animation.moveAlongPath(element, paths[key], timeScale));
      else if (glide && old) animation.glideFrom(element, old);
      else if (paths && old) duration = Math.max(duration, animation.growFrom(element, old, timeScale));
      else if (paths && oldPicture) duration = Math.max(duration, animation.fadeIn(element, timeScale));
    }
    const removed = [];
    for (const [key, { element }] of oldShapes) {
      const now = this.drawnShapes.get(key);
      if (now?.element === element) continue;
      const fades = paths && !now;
      if (fades && element.tagName === "g") removed.push(boxOf(element));
      if (fades) duration = Math.max(duration, animation.fadeOut(element, timeScale));
      else element.remove();
    }
    if (!oldPicture) this.#setAspectRatio(picture.box);
    animation.changeViewBox(this.svg, oldPicture?.box, picture.box, glide || paths !== null);
    return { duration, removed };
  }

  /**
   * Puts the shapes of a picture in order, creates those that are new or changed, and returns these by key.
   * Shapes that are not part of the picture are left to the caller.
   * @param {Picture} picture
   */
  #placeShapes(picture) {
    const changedShapes = picture.shapes.filter(([key, markup]) => this.drawnShapes.get(key)?.markup !== markup);
    const parsed = parseSvg(changedShapes.map(([, markup]) => markup));
    const changed = new Map(changedShapes.map(([key], i) => [key, parsed[i]]));
    /** @type {Board["drawnShapes"]} */
    const drawn = new Map();
    /** @type {ChildNode | null} */
    let cursor = this.shapes.firstChild;
    for (const [key, markup] of picture.shapes) {
      const element = changed.get(key) ?? this.drawnShapes.get(key)?.element;
      if (!element) continue;
      drawn.set(key, { element, markup });
      if (element !== cursor) this.shapes.insertBefore(element, cursor);
      else cursor = cursor.nextSibling;
    }
    this.drawnShapes = drawn;
    return changed;
  }

  /**
   * Sets the proportions of the board's area; called for the first picture only, so that the page layout never jumps.
   * @param {Box} box
   */
  #setAspectRatio([, , width, height]) {
    setStyle(this.element, "--height-ratio", String(Math.min(1.2, Math.max(1, height / width))));
    setStyle(this.element, "--width-ratio", String(Math.min(1.3, Math.max(0.8, width / height))));
  }

  /** Rebuilds `cells` and the text version from the shapes, then calls `onchange`. */
  #updateCells() {
    this.cells = new Map();
    /** @type {NodeListOf<SVGGraphicsElement>} */
    const elements = this.shapes.querySelectorAll("[data-cell]");
    for (const element of elements) {
      const [name] = element.dataset.cell?.split(" ") ?? [""];
      this.cells.set(name, [...(this.cells.get(name) ?? []), element]);
    }
    this.#writeRows();
    this.onchange();
  }

  /** Writes the board row by row as text, for screen readers. */
  #writeRows() {
    /** @type {Map<number, [x: number, label: string][]>} */
    const rows = new Map();
    for (const elements of this.cells.values()) {
      // The last label of each place; several cells can have the same name, such as those of a column.
      /** @type {Map<string, [element: SVGGraphicsElement, box: ReturnType<typeof boxOf>]>} */
      const labelled = new Map();
      for (const element of elements.filter((candidate) => candidate.hasAttribute("aria-label"))) {
        const box = boxOf(element);
        labelled.set(`${Math.round(box.x)} ${Math.round(box.y)}`, [element, box]);
      }
      for (const [element, { x, y }] of labelled.values()) {
        // A divided block is left out: the cells inside it have their own labels.
        if (element.classList.contains("block")) continue;
        const row = Math.round(y / ROW_UNITS);
        rows.set(row, [...(rows.get(row) ?? []), [x, element.getAttribute("aria-label") ?? ""]]);
      }
    }
    this.rows.replaceChildren(...[...rows].sort(([a], [b]) => a - b).map(([, cells]) =>
      h("li", {}, cells.sort(([a], [b]) => a - b).map(([, label]) => label).join("; "))));
  }
}
