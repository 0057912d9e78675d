// What the engine thinks of a position: a bar next to the board and a list of the best moves.

import { h, setChildren, setStyle } from "./dom.js";
import { formatValue } from "./format.js";

/** @import { Analysis, Game } from "./types.js" */

const MAX_LISTED_MOVES = 5;
const MAX_LINE_MOVES = 7; // shown after each listed move

/** A bar that shows the value of the position for the first seat, or for the seat to move if there are not two. */
export class ValueBar {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.fill = h("div", { class: "fill" });
    this.label = h("span", { class: "caption" });
    this.element = h("div", {
      class: "value-bar", role: "meter", "aria-label": "Value", "aria-valuemin": "-1", "aria-valuemax": "1",
    }, this.fill, this.label);
    this.show(null);
  }

  /**
   * Shows an `opinions` message; null empties the bar.
   * @param {Analysis | null} analysis
   * @param {number} [seatCount]
   */
  show(analysis, seatCount = 2) {
    const best = analysis?.moves[0];
    this.element.classList.toggle("empty", !best);
    const value = analysis?.value ?? 0;
    const shownValue = seatCount === 2 && analysis?.seat === 1 ? -value : value;
    const shownSeat = seatCount === 2 ? 0 : analysis?.seat ?? 0;
    const colour = this.game.colours[shownSeat];
    const otherColour = seatCount === 2 ? this.game.colours[1] : null;
    setStyle(this.element, "--filled", String((shownValue + 1) / 2));
    setStyle(this.element, "--fill-colour", colour ? `var(--${colour})` : "var(--accent)");
    setStyle(this.element, "--other-colour", otherColour ? `var(--${otherColour})` : "var(--board)");
    this.element.setAttribute("aria-valuenow", shownValue.toFixed(2));
    const text = best ? formatValue(value, best.plies, analysis?.exact) : "";
    this.element.setAttribute("aria-valuetext", text);
    this.label.textContent = text;
  }
}

/**
 * Fills a container with the best moves of an `opinions` message; a click on one calls `onplay`.
 * @param {HTMLElement} container
 * @param {Analysis} analysis
 * @param {(move: string) => unknown} onplay
 */
export function drawBestMoves(container, analysis, onplay) {
  if (!analysis.moves.length) return setChildren(container);
  return setChildren(container, h("ol", { class: "best-moves" }, analysis.moves.slice(0, MAX_LISTED_MOVES).map((scored) =>
    h("li", {}, h("button", { type: "button", onclick: () => onplay(scored.move) },
      h("span", { class: "value" }, formatValue(scored.value, scored.plies, analysis.exact)),
      h("span", { class: "move" }, scored.move),
      h("span", { class: "line muted" }, scored.line.slice(1, 1 + MAX_LINE_MOVES).join(" ")))))),
    h("p", { class: "muted engine-name" }, `${analysis.by}${analysis.done ? "" : " …"}`));
}
