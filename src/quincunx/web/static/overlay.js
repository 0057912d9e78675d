// What the page draws over a picture: targets, outlines, focus, arrows. All from the names of cells.

import { s } from "./dom.js";

const LAYERS = ["choices", "arrows", "hints", "outline", "focus"];

/** Layers over a board, each replaced as a whole. */
export class Overlay {
  constructor(board) {
    this.board = board;
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: name })]));
    board.overlay.append(...Object.values(this.layers));
  }

  /** Fills a layer with shapes, leaving out what has no place. */
  draw(layer, shapes) {
    this.layers[layer].replaceChildren(...shapes.flat().filter(Boolean));
  }

  /** Empties all layers, or one. */
  clear(...layers) {
    for (const layer of layers.length ? layers : LAYERS) this.draw(layer, []);
  }

  /** A target: a dot on an empty cell, a ring around what stands there. */
  target(name) {
    return this.board.piece(name) ? this.ring(name, "target") : this.dot(name, "target");
  }

  /** A cell that is a whole move: a thin ring, or a dot where the picture marks it already. */
  single(name) {
    const plain = this.board.cell(name)?.classList.contains("cell");
    return plain ? this.ring(name, "single") : this.dot(name, "single");
  }

  /** A dot in the middle of a cell. */
  dot(name, role) {
    const at = this.board.place(name);
    return at && s("circle", { class: `dot ${role}`, cx: at.x, cy: at.y, r: 0.13 * Math.min(at.width, at.height) });
  }

  /** A thin ring within a cell. */
  ring(name, role) {
    const at = this.board.place(name);
    return at && s("circle", { class: `ring ${role}`, cx: at.x, cy: at.y, r: 0.42 * Math.min(at.width, at.height) });
  }

  /** The outline of a cell or block, as it is. */
  outline(name, role) {
    const at = this.board.place(name);
    const wide = at && 0.02 * Math.min(at.width, at.height) + 1.5;
    return at && s("rect", {
      class: `outline ${role}`, rx: 5,
      x: at.x - at.width / 2 - wide, y: at.y - at.height / 2 - wide,
      width: at.width + 2 * wide, height: at.height + 2 * wide,
    });
  }

  /**
   * A move by its clicks: an arrow between two cells, a ring or outline where only one has a place.
   * `weight` from 0 to 1 makes it faint or strong.
   */
  move(clicks, role, weight = 1) {
    const places = clicks.map((name) => this.board.place(name)).filter(Boolean);
    if (!places.length) return null;
    const group = s("g", { class: `move ${role}`, opacity: 0.35 + 0.6 * weight });
    if (places.length === 1) {
      const [at] = places;
      const round = Math.min(at.width, at.height);
      group.append(round > 60
        ? s("rect", { x: at.x - at.width / 2, y: at.y - at.height / 2, width: at.width, height: at.height, rx: 6 })
        : s("circle", { cx: at.x, cy: at.y, r: 0.4 * round }));
      return group;
    }
    for (let i = 1; i < places.length; i++) group.append(...arrow(places[i - 1], places[i], 4 + 4 * weight));
    return group;
  }
}

function arrow(from, to, width) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const head = Math.min(3.2 * width, 0.5 * length);
  const tip = [to.x - dx * 2, to.y - dy * 2];
  const neck = [tip[0] - dx * head, tip[1] - dy * head];
  const wing = 0.58 * head;
  return [
    s("path", {
      class: "shaft", "stroke-width": width,
      d: `M${from.x + dx * 8} ${from.y + dy * 8}L${neck[0] + dx} ${neck[1] + dy}`,
    }),
    s("path", {
      class: "head",
      d: `M${tip}L${neck[0] - dy * wing} ${neck[1] + dx * wing}L${neck[0] + dy * wing} ${neck[1] - dx * wing}Z`,
    }),
  ];
}
