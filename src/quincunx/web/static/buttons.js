// The buttons that a game declares: words of moves that are no cells of the board.

import { fill, h, style } from "./dom.js";

/** A row of a game's own buttons, for a hand. */
export class Buttons {
  /** `called` says what a picked cell is called. */
  constructor(controls, { press, turn, called }) {
    this.called = called;
    this.list = controls?.buttons || [];
    this.press = press;
    this.made = new Map(this.list.map((one) => [one.word, this.#button(one)]));
    this.level = h("span", { class: "level" });
    this.element = h("div", { class: "controls", role: "group", "aria-label": "Actions of the game", hidden: !this.list.length });
    fill(this.element,
      controls?.nested && h("div", { class: "levels" },
        h("button", { type: "button", title: "outward (-)", onclick: () => turn(-1) }, "larger"),
        this.level,
        h("button", { type: "button", title: "inward (+)", onclick: () => turn(1) }, "smaller")),
      [...this.made.values()]);
  }

  /** The keys of the buttons. */
  get keys() {
    return this.list.filter((one) => one.key).map((one) =>
      [one.key, one.label, () => (this.made.get(one.word).disabled ? false : this.press(one.word))]);
  }

  /** Shows the buttons to who may ever press them. */
  offer(open) {
    this.element.hidden = !open || !this.list.length;
  }

  /** A move in words, if one of the buttons is pressed for it. */
  words(clicks) {
    const one = this.list.find(({ word }) => clicks.includes(word));
    const where = clicks.filter((name) => name !== one?.word).map((name) => this.called(name));
    return one && [one.label, ...where].join(", ");
  }

  /** Enables what can be pressed, and lights what is wanted next or hinted. */
  draw(can, next, hinted, picked) {
    for (const [word, made] of this.made) {
      made.disabled = !can(word);
      made.classList.toggle("next", next.has(word));
      made.classList.toggle("hinted", Boolean(hinted?.includes(word)));
    }
    this.element.dataset.picked = picked || "";
    this.level.textContent = picked ? this.called(picked) : "point at a block";
  }

  #button(one) {
    const swatch = one.colour && style(h("span", { class: "swatch" }), "--seat", `var(--${one.colour})`);
    return h("button", {
      type: "button", class: "control", title: one.about, disabled: true, "data-word": one.word,
      "aria-label": one.about || one.label, onclick: () => this.press(one.word),
    }, swatch, h("span", { class: "label" }, one.label || one.word),
      h("span", { class: "tail" }, one.key && h("kbd", {}, one.key), one.cost > 0 && h("span", { class: "cost" }, `−${one.cost}`)));
  }
}
