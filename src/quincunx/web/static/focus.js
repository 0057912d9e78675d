// A visible focus that arrow keys move over the cells of a board, wherever they lie.

import { say } from "./say.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The keys of a board, for a hand. */
export class Focus {
  constructor(hand) {
    this.hand = hand;
    this.board = hand.board;
    this.names = null; // of the place that has the focus, innermost first
    this.seen = false;
    const svg = this.board.svg;
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("role", "application");
    svg.addEventListener("keydown", (event) => this.#key(event));
    svg.addEventListener("focus", () => {
      this.seen = svg.matches(":focus-visible");
      this.refresh();
    });
    for (const kind of ["blur", "pointerdown"]) svg.addEventListener(kind, () => this.#hide());
  }

  /** The name that has the focus. */
  get name() {
    return this.names && this.hand.meant(this.names)[0];
  }

  /** Draws the focus where it is. */
  refresh() {
    const shown = this.seen && this.name && this.board.cell(this.name);
    this.hand.overlay.draw("focus", shown ? [this.hand.overlay.outline(this.name, "focus")] : []);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    // Who has just clicked means the moves of the game with left and right; up and down begin a walk.
    if (!this.seen && ["ArrowLeft", "ArrowRight"].includes(key)) return;
    if (ARROWS[key]) this.#go(...ARROWS[key]);
    else if (key === "Enter" || key === " ") {
      if (this.name) this.hand.click([this.name]);
    } else if (key === "Escape") {
      if (!this.hand.putDown()) return this.#hide();
    } else if (this.hand.nested && "+-=".includes(key)) this.hand.turn(key === "-" ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.seen = true;
    this.refresh();
    this.#tell();
  }

  /** Ends the walk over the board. */
  #hide() {
    this.seen = false;
    this.refresh();
  }

  /** All places to go to: one entry for each name that could be meant. */
  #places() {
    const places = new Map();
    const all = [...this.board.cells.values()].map(([element]) => element.dataset.cell.split(" "));
    const outer = new Set(all.flatMap((names) => names.slice(1)));
    for (const names of all) {
      if (outer.has(names[0])) continue; // one gets there by pointing less far inward
      const [name] = this.hand.meant(names);
      if (!places.has(name)) places.set(name, names);
    }
    return places;
  }

  #go(dx, dy) {
    const places = this.#places();
    const here = this.name && places.has(this.name) ? this.board.place(this.name) : null;
    let best = Infinity;
    let found = null;
    for (const [name, names] of places) {
      const at = this.board.place(name);
      if (!at) continue;
      if (!here) {
        // The first step goes to what can be played, and nearest to the middle.
        const [x, y, w, h] = this.board.picture.box;
        const away = Math.hypot(at.x - x - w / 2, at.y - y - h / 2) + (this.hand.can(name) ? 0 : 1e6);
        if (away < best) [best, found] = [away, names];
        continue;
      }
      const ahead = (at.x - here.x) * dx + (at.y - here.y) * dy;
      const aside = Math.abs((at.x - here.x) * dy + (at.y - here.y) * dx);
      if (ahead < 4 || aside > 1.8 * ahead) continue;
      if (ahead + 2.2 * aside < best) [best, found] = [ahead + 2.2 * aside, names];
    }
    if (found) this.names = found;
  }

  #tell() {
    if (!this.name) return;
    const { picked } = this.hand;
    const word = picked.includes(this.name) ? ", picked" : this.hand.can(this.name) ? ", can be played" : "";
    say(`${this.board.called(this.name)}${word}`);
  }
}
