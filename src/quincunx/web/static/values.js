// What an engine thinks: a bar along the board, the best moves with their lines.

import { fill, h, style } from "./dom.js";
import { valueWords } from "./words.js";

const LISTED = 5;

/** The value bar: how good the position is for the first seat, or for the one to move. */
export class ValueBar {
  constructor(game) {
    this.game = game;
    this.fill = h("div", { class: "fill" });
    this.words = h("span", { class: "words" });
    this.element = h("div", {
      class: "value-bar", role: "meter", "aria-label": "Value", "aria-valuemin": "-1", "aria-valuemax": "1",
    }, this.fill, this.words);
    this.show(null);
  }

  /** Shows opinions; nothing for none. */
  show(opinions, seats = 2) {
    const best = opinions?.moves?.[0];
    this.element.classList.toggle("empty", !best);
    const value = opinions?.value ?? 0;
    const first = seats === 2 && opinions?.seat === 1 ? -value : value;
    const seat = seats === 2 ? 0 : opinions?.seat ?? 0;
    const [mine, other] = [this.game.colours?.[seat], seats === 2 ? this.game.colours?.[1] : null];
    style(this.element, "--value", String((first + 1) / 2));
    style(this.element, "--mine", mine ? `var(--${mine})` : "var(--accent)");
    style(this.element, "--other", other ? `var(--${other})` : "var(--board)");
    this.element.setAttribute("aria-valuenow", first.toFixed(2));
    const words = best ? valueWords(value, best.plies, opinions.exact) : "";
    this.element.setAttribute("aria-valuetext", words);
    this.words.textContent = words;
  }
}

/** The best moves as a list; a click plays one. */
export function opinionList(place, opinions, game, onplay) {
  if (!opinions?.moves?.length) return fill(place);
  return fill(place, h("ol", { class: "opinions" }, opinions.moves.slice(0, LISTED).map((one) =>
    h("li", {}, h("button", { type: "button", onclick: () => onplay(one.move) },
      h("span", { class: "value" }, valueWords(one.value, one.plies, opinions.exact)),
      h("span", { class: "move" }, one.move),
      h("span", { class: "line quiet" }, one.line.slice(1, 8).join(" ")))))),
    h("p", { class: "quiet by" }, `${opinions.by}${opinions.done ? "" : " …"}`));
}
