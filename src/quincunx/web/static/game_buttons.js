// The buttons that a game declares for clicks that are not cells of its board.

import { h, setChildren, setStyle } from "./dom.js";

/** @import { Selection } from "./selection.js" */
/** @import { ButtonSpec, Controls, Shortcut } from "./types.js" */

/** The buttons of a game, next to its board. */
export class GameButtons {
  /**
   * @param {Controls} controls what the game declares
   * @param {{onpress: (word: string) => unknown, onlevel: (step: number) => unknown,
   *   onpoint: (word: string | null) => unknown, cellLabel: (name: string) => string}} callbacks `onpoint` gets the
   *   button under the mouse or with the focus, and null when there is none
   */
  constructor(controls, { onpress, onlevel, onpoint, cellLabel }) {
    this.cellLabel = cellLabel;
    this.onpoint = onpoint;
    this.specs = controls.buttons;
    this.onpress = onpress;
    this.buttons = new Map(this.specs.map((spec) => [spec.word, this.#button(spec)]));
    this.selectedLabel = h("span", { class: "selected-block" });
    this.element = h("div", { class: "controls", role: "group", "aria-label": "Game actions", hidden: !this.specs.length });
    setChildren(this.element,
      controls.nested && h("div", { class: "levels" },
        h("button", { type: "button", title: "Select the enclosing block (-)", onclick: () => onlevel(-1) }, "larger"),
        this.selectedLabel,
        h("button", { type: "button", title: "Select a smaller block (+)", onclick: () => onlevel(1) }, "smaller")),
      [...this.buttons.values()]);
  }

  /**
   * The shortcuts of the buttons.
   * @returns {Shortcut[]}
   */
  get shortcuts() {
    return this.specs.filter((spec) => spec.key).map((spec) =>
      [spec.key, spec.label, () => (this.buttons.get(spec.word)?.disabled ? false : this.onpress(spec.word))]);
  }

  /**
   * Shows or hides the buttons.
   * @param {boolean} visible
   */
  setVisible(visible) {
    this.element.hidden = !visible || !this.specs.length;
  }

  /**
   * Returns a move that uses one of the buttons as text, or undefined for other moves.
   * @param {string[]} clicks
   */
  describeMove(clicks) {
    const spec = this.specs.find(({ word }) => clicks.includes(word));
    const cells = clicks.filter((name) => name !== spec?.word).map((name) => this.cellLabel(name));
    return spec && [spec.label, ...cells].join(", ");
  }

  /**
   * Enables the buttons that can be pressed and highlights those that continue the selection or a hint. On nested
   * boards, only what the selected block allows is shown; while nobody can press them, the buttons stay as they are.
   * @param {Selection} selection
   */
  draw(selection) {
    const { hasMoves, hint, nested, nextNames, selected: [selected] } = selection;
    for (const [word, element] of this.buttons) {
      element.disabled = !selection.isClickable(word);
      if (nested && hasMoves) element.hidden = element.disabled;
      element.classList.toggle("next", nextNames.has(word));
      element.classList.toggle("hinted", Boolean(hint?.includes(word)));
    }
    this.element.dataset.selected = selected || "";
    this.selectedLabel.textContent = selected ? this.cellLabel(selected) : "select a block";
  }

  /** @param {ButtonSpec} spec */
  #button(spec) {
    const swatch = spec.colour && setStyle(h("span", { class: "swatch" }), "--swatch-colour", `var(--${spec.colour})`);
    const point = () => this.onpoint(spec.word);
    const leave = () => this.onpoint(null);
    return h("button", {
      onpointerenter: (/** @type {PointerEvent} */ { pointerType }) => (pointerType === "mouse" ? point() : null),
      onpointerleave: leave, onfocus: point, onblur: leave,
      type: "button", class: "control", title: spec.about, disabled: true, "data-word": spec.word,
      "aria-label": spec.about || spec.label, onclick: () => this.onpress(spec.word),
    }, swatch, h("span", { class: "label" }, spec.label || spec.word),
      h("span", { class: "control-info" }, spec.key && h("kbd", {}, spec.key), spec.cost > 0 && h("span", { class: "cost" }, `−${spec.cost}`)));
  }
}
