// A board on the page: shapes reconciled by their keys, moved along their ways.

import { h, s, style } from "./dom.js";
import { patched } from "./picture.js";
import { motionless } from "./settings.js";
import * as motion from "./motion.js";
import { rise } from "./rise.js";

const parser = new DOMParser();

/** One SVG element that shows pictures; it knows nothing of games. */
export class Board {
  constructor(label = "Board") {
    this.defs = s("g", {});
    this.shapes = s("g", { class: "shapes" });
    this.overlay = s("g", { class: "overlay", "aria-hidden": "true" });
    this.svg = s("svg", { class: "board", viewBox: "0 0 1 1", "aria-label": label, role: "img" },
      this.defs, this.shapes, this.overlay);
    this.rows = h("ul", { class: "unseen", "aria-label": "The board by rows" });
    this.element = h("div", { class: "board-frame" }, this.svg, this.rows);
    /** @type {Map<string, {element: SVGElement, text: string}>} */
    this.known = new Map();
    this.picture = null;
    this.cells = new Map();
    this.carried = null; // the piece that a hand has just put down
    this.running = null; // the film that is being shown
    this.changed = () => {}; // called whenever another picture stands
  }

  /** Shows a picture at once; pieces that only stand elsewhere glide there if `glide`. */
  show(picture, { glide = true } = {}) {
    this.running?.stop();
    this.running = null;
    this.#stand(picture, { glide: glide && this.picture && !motionless() });
    this.#ready();
  }

  /** Shows the frames of a play one after the other; true when the last one stands. */
  async film(frames, { speed = 1 } = {}) {
    this.running?.stop();
    const film = { stopped: false, stop: () => { film.stopped = true; film.skip?.(); } };
    this.running = film;
    const pace = motion.pace(frames.length) / speed;
    for (const frame of frames) {
      const picture = patched(this.picture, frame.picture);
      const still = film.stopped || motionless() || document.hidden;
      const length = this.#stand(picture, { ways: still ? null : frame.ways || {}, pace });
      if (length) await Promise.race([motion.after(length), new Promise((skip) => (film.skip = skip))]);
      if (this.running !== film) return false; // another picture was shown meanwhile
    }
    this.running = null;
    this.#ready();
    return true;
  }

  /** Shows a position that was asked for: its last move as a film, where that came with it. */
  async arrive({ picture, before, frames }, { speed = 1 } = {}) {
    if (before && frames?.length) {
      this.show(before, { glide: false });
      await this.film(frames, { speed });
    } else this.show(picture);
  }

  /** The first element that a cell name stands for innermost; pieces come after their cells. */
  cell(name) {
    return this.cells.get(name)?.[0];
  }

  /** The piece on a cell, if there is one. */
  piece(name) {
    return this.cells.get(name)?.findLast((element) => element.tagName === "g");
  }

  /** What a cell is called, with what stands on it. */
  called(name) {
    const said = this.cells.get(name)?.findLast((element) => element.hasAttribute("aria-label"));
    return said?.getAttribute("aria-label") || name;
  }

  /** Where a cell is in the picture: its middle and its size. */
  place(name) {
    const element = this.cell(name);
    return element && placeOf(element);
  }

  /** The names under an element or a point of the screen, innermost first. */
  namesAt(x, y) {
    for (const element of document.elementsFromPoint(x, y)) {
      if (!this.svg.contains(element)) continue;
      const named = element.closest("[data-cell]");
      if (named) return named.dataset.cell.split(" ");
    }
    return [];
  }

  /** A point of the screen in the picture's own units. */
  point(x, y) {
    const matrix = this.svg.getScreenCTM();
    return matrix ? new DOMPoint(x, y).matrixTransform(matrix.inverse()) : new DOMPoint(0, 0);
  }

  /** How many pixels of the screen one unit of the picture is. */
  get scale() {
    return this.svg.getScreenCTM()?.a || 1;
  }

  /** Makes the shapes those of a picture; returns how long what moves will take. */
  #stand(picture, { glide = false, ways = null, pace = 1 }) {
    const before = this.picture;
    this.picture = picture;
    if (picture.defs !== before?.defs) this.defs.replaceChildren(...parsed([picture.defs || ""]));
    const fresh = picture.shapes.filter(([key, text]) => this.known.get(key)?.text !== text);
    const made = parsed(fresh.map(([, text]) => text));
    const anew = new Map(fresh.map(([key], i) => [key, made[i]]));
    const kept = new Map();
    let length = 0;
    let place = this.shapes.firstChild;
    for (const [key, text] of picture.shapes) {
      const old = this.known.get(key);
      const element = anew.get(key) || old.element;
      kept.set(key, { element, text });
      if (element !== place) this.shapes.insertBefore(element, place);
      else place = place.nextSibling;
      if (!anew.has(key)) continue;
      if (old && old.element === this.carried) {
        this.carried = null; // the hand has brought it here already
        continue;
      }
      if (ways?.[key]) length = Math.max(length, motion.along(element, ways[key], pace));
      else if (glide && old) motion.glide(element, old.element);
      else if (ways && old) length = Math.max(length, motion.change(element, old.element, pace));
      else if (ways && before) length = Math.max(length, motion.appear(element, pace));
    }
    const gone = [];
    for (const [key, { element }] of this.known) {
      if (kept.get(key)?.element === element) continue;
      if (ways && !kept.has(key) && element.tagName === "g") gone.push(placeOf(element));
      if (ways && !kept.has(key)) length = Math.max(length, motion.vanish(element, pace));
      else element.remove();
    }
    if (before) rise(this.overlay, gone, before, picture);
    this.known = kept;
    if (!before) this.#proportions(picture.box);
    motion.look(this.svg, before?.box, picture.box, glide || ways);
    return length;
  }

  /** The room that the board gets on the page; the first picture decides, so that nothing jumps. */
  #proportions([, , width, height]) {
    style(this.element, "--tall", String(Math.min(1.2, Math.max(1, height / width))));
    style(this.element, "--wide", String(Math.min(1.3, Math.max(0.8, width / height))));
  }

  #ready() {
    this.cells = new Map();
    for (const element of this.shapes.querySelectorAll("[data-cell]")) {
      const name = element.dataset.cell.split(" ")[0];
      if (!this.cells.has(name)) this.cells.set(name, []);
      this.cells.get(name).push(element);
    }
    this.#tell();
    this.changed();
  }

  /** Writes the board row by row for those who listen. */
  #tell() {
    const rows = new Map();
    for (const [, elements] of this.cells) {
      const said = elements.findLast((element) => element.hasAttribute("aria-label"));
      if (!said || said.classList.contains("block")) continue;
      const { x, y } = placeOf(said);
      const row = Math.round(y / 12);
      rows.set(row, [...(rows.get(row) || []), [x, said.getAttribute("aria-label")]]);
    }
    this.rows.replaceChildren(...[...rows].sort(([a], [b]) => a - b).map(([, cells]) =>
      h("li", {}, cells.sort(([a], [b]) => a - b).map(([, text]) => text).join("; "))));
  }
}

/** Middle and size of an element in its parent's units, whatever moves just now. */
function placeOf(element) {
  const box = element.getBBox();
  const matrix = element.transform.baseVal.consolidate()?.matrix;
  return {
    x: box.x + box.width / 2 + (matrix?.e || 0),
    y: box.y + box.height / 2 + (matrix?.f || 0),
    width: box.width,
    height: box.height,
  };
}

/** SVG texts, one root each, as elements of this page. */
function parsed(texts) {
  if (!texts.length) return [];
  const whole = `<svg xmlns="http://www.w3.org/2000/svg">${texts.join("")}</svg>`;
  const root = parser.parseFromString(whole, "image/svg+xml").documentElement;
  return [...root.children].map((child) => document.importNode(child, true));
}
