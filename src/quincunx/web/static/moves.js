// The list of moves, and the buttons and keys that step through it at any speed.

import { fill, h, icon, put, select } from "./dom.js";
import { recall, remember } from "./store.js";
import { chip } from "./players.js";

const SPEEDS = [[0.5, "½×"], [1, "1×"], [2, "2×"], [5, "5×"]];
const STEP = 1100; // milliseconds for a move, at normal speed

/** Moves as a list that can be walked through. */
export class Moves {
  /** @param {{onstep: (plies: number) => any}} calls shows the position after so many moves */
  constructor(game, { onstep }) {
    this.game = game;
    this.onstep = onstep;
    this.moves = [];
    this.current = 0;
    this.timer = 0;
    this.speed = recall("speed", 1);
    this.list = h("ol", { class: "moves", "aria-label": "Moves", tabindex: "0" });
    this.list.addEventListener("click", (event) => {
      const plies = event.target.closest?.("[data-plies]")?.dataset.plies;
      if (plies) this.go(Number(plies));
    });
    this.toggle = this.#button("play", "Replay", () => this.replay());
    this.bar = h("div", { class: "steps", role: "group", "aria-label": "Step through the game" },
      this.#button("first", "To the start", () => this.go(0)),
      this.#button("previous", "Back", () => this.step(-1)),
      this.toggle,
      this.#button("next", "Forward", () => this.step(1)),
      this.#button("last", "To the end", () => this.go(this.moves.length)),
      select(SPEEDS, this.speed, { "aria-label": "Speed", class: "speed", onchange: (event) => {
        this.speed = Number(event.target.value);
        remember("speed", this.speed);
      } }));
    this.element = h("div", { class: "history" }, this.list, this.bar);
  }

  /** The keys that walk through the moves. */
  get keys() {
    return [
      ["ArrowLeft", "one move back", () => this.step(-1)],
      ["ArrowRight", "one move forward", () => this.step(1)],
      ["Home", "to the start", () => this.go(0)],
      ["End", "to the end", () => this.go(this.moves.length)],
    ];
  }

  /** Stops what runs by itself. */
  close() {
    this.#stop();
  }

  /** Shows these moves, each a seat and a text, with the one after `current` plies marked. */
  draw(moves, current) {
    const same = moves.length >= this.moves.length && this.moves.every(([seat, move], i) =>
      moves[i][0] === seat && moves[i][1] === move);
    if (!same) fill(this.list);
    const from = same ? this.moves.length : 0;
    this.moves = moves.slice();
    put(this.list, moves.slice(from).map(([seat, move], i) => this.#item(seat, move, from + i + 1)));
    this.mark(current);
  }

  /** Marks the move after which the board stands. */
  mark(plies) {
    this.current = plies;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = this.list.children[plies - 1]?.firstElementChild;
    item?.setAttribute("aria-current", "true");
    const shown = item?.parentElement;
    // Only the list scrolls, never the page.
    if (shown) this.list.scrollTop = shown.offsetTop - this.list.clientHeight / 2;
    else this.list.scrollTop = 0;
    const [first, back, , next, last] = this.bar.children;
    first.disabled = back.disabled = plies <= 0;
    next.disabled = last.disabled = plies >= this.moves.length;
  }

  /** Goes so many moves on. */
  step(by) {
    return this.go(this.current + by);
  }

  /** Goes to the position after so many moves. */
  go(plies, running = false) {
    if (!running) this.#stop();
    const to = Math.max(0, Math.min(this.moves.length, plies));
    if (to !== this.current) this.onstep(to);
  }

  /** Begins or ends a replay: from here, or from the start if here is the end. */
  replay() {
    if (this.timer) return this.#stop();
    if (!this.moves.length) return;
    if (this.current >= this.moves.length) this.go(0);
    fill(this.toggle, icon("pause"), h("span", { class: "unseen" }, "Stop the replay"));
    const tick = () => {
      this.go(this.current + 1, true);
      if (this.current >= this.moves.length) this.#stop();
      else this.timer = setTimeout(tick, STEP / this.speed);
    };
    this.timer = setTimeout(tick, STEP / this.speed);
  }

  #stop() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = 0;
    fill(this.toggle, icon("play"), h("span", { class: "unseen" }, "Replay"));
  }

  #item(seat, move, plies) {
    return h("li", {}, h("button", { type: "button", "data-plies": plies, tabindex: "-1" },
      h("span", { class: "number" }, plies), chip(this.game, Number(seat)), move));
  }

  #button(name, words, onclick) {
    return h("button", { type: "button", title: words, onclick }, icon(name), h("span", { class: "unseen" }, words));
  }
}
