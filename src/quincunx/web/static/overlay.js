// Shapes that the page draws over the board: destinations, outlines, focus, arrows. Cells are given by name.

import { svg } from "./dom.js";

/** @import { Board } from "./board.js" */

/** @typedef {{x: number, y: number, width: number, height: number}} CellBox centre and size, in board units */
/** @typedef {typeof LAYERS[number]} Layer */

const LAYERS = /** @type {const} */ (["preview", "destinations", "arrows", "hints", "outline", "focus", "refused"]); // bottom to top
const MANY_MOVES = 16; // more of them have small marks, if most of the empty cells are moves
const MAX_CIRCLE_UNITS = 60; // larger cells, such as blocks, are marked with a rectangle

/**
 * Returns true if moves of one click have small marks: most of many empty cells are moves.
 * @param {number} moves
 * @param {number} emptyCells
 */
export function areSmall(moves, emptyCells) {
  return moves > Math.max(MANY_MOVES, emptyCells / 2);
}

/** The layers of shapes over a board. */
export class Overlay {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.layers = new Map(LAYERS.map((name) => [name, svg("g", { class: name })]));
    board.overlay.append(...this.layers.values());
  }

  /**
   * Replaces the shapes of a layer, skipping empty ones.
   * @param {Layer} layer
   * @param {(SVGElement | null | undefined | false | "")[]} shapes
   */
  draw(layer, shapes) {
    this.layers.get(layer)?.replaceChildren(...shapes.filter((shape) => shape instanceof SVGElement));
  }

  /**
   * Clears a layer.
   * @param {Layer} layer
   */
  clear(layer) {
    this.draw(layer, []);
  }

  /**
   * Returns the mark of a destination: a dot on an empty cell, a ring around a piece.
   * @param {string} name
   */
  destination(name) {
    return this.board.pieceElement(name) ? this.ring(name, "destination") : this.dot(name, "destination");
  }

  /**
   * Returns the marks of cells whose click is a complete move: rings, or dots on cells that are drawn as small discs.
   * Where most of many empty cells are moves, small dots do not hide the board.
   * @param {string[]} names
   */
  oneClickMoves(names) {
    const count = (/** @type {string} */ role) => this.board.shapes.querySelectorAll(`.${role}[data-cell]`).length;
    const small = areSmall(names.length, count("cell") - count("piece"));
    return names.map((name) => {
      const isPlainCell = this.board.cellElement(name)?.classList.contains("cell");
      if (!isPlainCell) return this.dot(name, "one-click");
      return small ? this.dot(name, "one-click small", 0.06) : this.ring(name, "one-click");
    });
  }

  /**
   * Returns a dot at the centre of a cell; `role` is one or more CSS classes, `size` its radius as a part of the cell.
   * @param {string} name
   * @param {string} role
   */
  dot(name, role, size = 0.13) {
    const box = this.board.cellBox(name);
    return box && svg("circle", { class: `dot ${role}`, cx: box.x, cy: box.y, r: size * Math.min(box.width, box.height) });
  }

  /**
   * Returns a ring inside a cell; `role` is one or more CSS classes, `size` its radius as a part of the cell.
   * @param {string} name
   * @param {string} role
   */
  ring(name, role, size = 0.42) {
    const box = this.board.cellBox(name);
    return box && svg("circle", { class: `ring ${role}`, cx: box.x, cy: box.y, r: size * Math.min(box.width, box.height) });
  }

  /**
   * Returns a rectangle around a cell or block; `role` is a CSS class.
   * @param {string} name
   * @param {string} role
   */
  outline(name, role) {
    const box = this.board.cellBox(name);
    if (!box) return null;
    const margin = 0.02 * Math.min(box.width, box.height) + 1.5;
    return svg("rect", {
      class: `outline ${role}`, rx: 5,
      x: box.x - box.width / 2 - margin, y: box.y - box.height / 2 - margin,
      width: box.width + 2 * margin, height: box.height + 2 * margin,
    });
  }

  /**
   * Returns a move drawn as an arrow through its cells, or a ring or rectangle for a single cell.
   * @param {readonly string[]} names of the cells, and of buttons, which are not drawn
   * @param {string} role a CSS class
   * @param {number} [weight] 0 (faint and thin) to 1
   */
  move(names, role, weight = 1) {
    const boxes = names.map((name) => this.board.cellBox(name)).filter((box) => box !== undefined);
    if (!boxes.length) return null;
    const group = svg("g", { class: `move ${role}`, opacity: 0.35 + 0.6 * weight });
    if (boxes.length === 1) {
      const [box] = boxes;
      const size = Math.min(box.width, box.height);
      group.append(size > MAX_CIRCLE_UNITS
        ? svg("rect", { x: box.x - box.width / 2, y: box.y - box.height / 2, width: box.width, height: box.height, rx: 6 })
        : svg("circle", { cx: box.x, cy: box.y, r: 0.4 * size }));
      return group;
    }
    group.append(...arrow(boxes, 4 + 4 * weight));
    return group;
  }
}

/**
 * Returns the shaft and the head of an arrow through the centres of boxes.
 * @param {CellBox[]} boxes at least two
 * @param {number} width
 */
function arrow(boxes, width) {
  const [from, to] = boxes.slice(-2);
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const headLength = Math.min(3.2 * width, 0.5 * length);
  const tip = [to.x - dx * 2, to.y - dy * 2];
  const neck = [tip[0] - dx * headLength, tip[1] - dy * headLength];
  const halfWidth = 0.58 * headLength;
  return [
    svg("path", {
      class: "shaft", "stroke-width": width,
      d: `${shaftStart(boxes)}L${neck[0] + dx} ${neck[1] + dy}`,
    }),
    svg("path", {
      class: "head",
      d: `M${tip}L${neck[0] - dy * halfWidth} ${neck[1] + dx * halfWidth}L${neck[0] + dy * halfWidth} ${neck[1] - dx * halfWidth}Z`,
    }),
  ];
}

/**
 * Returns the path of a shaft up to the last box but one; it begins beside the centre of the first one.
 * @param {CellBox[]} boxes
 */
function shaftStart([first, second, ...rest]) {
  const length = Math.hypot(second.x - first.x, second.y - first.y) || 1;
  const start = `M${first.x + 8 * (second.x - first.x) / length} ${first.y + 8 * (second.y - first.y) / length}`;
  return start + [second, ...rest].slice(0, -1).map(({ x, y }) => `L${x} ${y}`).join("");
}
