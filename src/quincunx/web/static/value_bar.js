// What the engine thinks of a position: a bar next to the board and a list of the best moves.

import { h, setChildren, setStyle } from "./dom.js";
import { formatEngine, formatEvaluation } from "./format.js";

/** @import { Analysis, Game, Position } from "./types.js" */

const MAX_LISTED_MOVES = 5;
const MAX_LINE_MOVES = 7; // shown after each listed move

/** A bar that shows the value of the position: for the first of two seats, or else for the seat to move. */
export class ValueBar {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.fill = h("div", { class: "fill" });
    this.label = h("span", { class: "caption" });
    this.element = h("div", {
      class: "value-bar", role: "meter", "aria-valuemin": "-1", "aria-valuemax": "1",
    }, this.fill, this.label);
    this.clear();
  }

  /** Empties the bar. */
  clear() {
    this.#draw(0, 0, 2, "");
  }

  /**
   * Shows an analysis.
   * @param {Analysis} analysis
   * @param {string[]} seatNames of the seats that play
   */
  show(analysis, seatNames) {
    const { exact, moves: [best], seat, value } = analysis;
    this.#draw(value, seat, seatNames.length, best ? formatEvaluation(best, seat, seatNames, exact) : "");
  }

  /**
   * Shows the result of a position in which the game is over.
   * @param {Position} position
   * @param {string[]} seatNames of the seats that play
   */
  showResult({ scores, winners }, seatNames) {
    const [winner] = winners;
    if (seatNames.length === 1) this.#draw(1, 0, 1, `${scores[0]} points`);
    else if (winners.length === 1) this.#draw(1, winner, seatNames.length, `${seatNames[winner]} has won`);
    else this.#draw(0, 0, seatNames.length, winners.length ? "shared win" : "draw");
  }

  /**
   * @param {number} value for the seat
   * @param {number} seat
   * @param {number} seatCount
   * @param {string} text empty for an empty bar
   */
  #draw(value, seat, seatCount, text) {
    this.element.classList.toggle("empty", !text);
    const [shownValue, shownSeat] = seatCount === 2 ? [seat ? -value : value, 0] : [value, seat];
    const colour = this.game.colours[shownSeat];
    const otherColour = seatCount === 2 ? this.game.colours[1] : null;
    setStyle(this.element, "--filled", String((shownValue + 1) / 2));
    setStyle(this.element, "--fill-colour", colour ? `var(--${colour})` : "var(--accent)");
    setStyle(this.element, "--other-colour", otherColour ? `var(--${otherColour})` : "var(--board)");
    this.element.title = `Value for ${this.game.seat_names[shownSeat]}`;
    this.element.setAttribute("aria-label", this.element.title);
    this.element.setAttribute("aria-valuenow", shownValue.toFixed(2));
    this.element.setAttribute("aria-valuetext", text);
    this.label.textContent = text;
  }
}

/**
 * Fills a container with the best moves of an `opinions` message; a click on one calls `onplay`.
 * @param {HTMLElement} container
 * @param {Analysis} analysis
 * @param {string[]} seatNames of the seats that play
 * @param {(move: string) => unknown} onplay
 */
export function drawBestMoves(container, analysis, seatNames, onplay) {
  const { by, done, exact, moves, seat, seconds } = analysis;
  if (!moves.length) return setChildren(container);
  return setChildren(container, h("ol", { class: "best-moves" }, moves.slice(0, MAX_LISTED_MOVES).map((scored) =>
    h("li", {}, h("button", { type: "button", onclick: () => onplay(scored.move) },
      h("span", { class: "value" }, formatEvaluation(scored, seat, seatNames, exact)),
      h("span", { class: "move" }, scored.move),
      h("span", { class: "line muted" }, scored.line.slice(1, 1 + MAX_LINE_MOVES).join(" ")))))),
    h("p", { class: "muted engine-name" }, `${formatEngine(by, seconds)}${done ? "" : " …"}`));
}
