// The mistakes of a finished game: the moves that lost most, with better ones.

import { asRequestError } from "./api.js";
import { button, errorMessage, h, setChildren } from "./dom.js";
import { formatEvaluation } from "./format.js";
import { on, request } from "./socket.js";

/** @import { Game, Mistake } from "./types.js" */

/**
 * Creates a section with a button that finds the mistakes of a room's game.
 * @param {string} room
 * @param {Game} game
 * @param {number} seatCount
 * @param {(mistake: Mistake) => unknown} onshow shows the position before a mistake, with the move and a better one
 */
export function mistakesSection(room, game, seatCount, onshow) {
  const error = errorMessage();
  const results = h("div", { class: "mistake-results", "aria-live": "polite" });
  const start = button("analyse", "Find mistakes", async () => {
    start.disabled = true;
    error.show("");
    const progress = h("progress", { max: 1, value: 0, "aria-label": "Analysing the game" });
    setChildren(results, progress);
    const unsubscribe = on("mistakes", (message) => {
      if (message.room !== room) return;
      if (!results.isConnected) unsubscribe();
      else if (!message.done) progress.value = message.progress ?? 0;
      else {
        unsubscribe();
        start.remove();
        setChildren(results, mistakeList(message.moves ?? [], game.seat_names.slice(0, seatCount), onshow));
      }
    });
    try {
      await request({ type: "mistakes", room });
    } catch (failure) {
      unsubscribe();
      setChildren(results);
      start.disabled = false;
      error.show(asRequestError(failure).message);
    }
  });
  return h("section", { class: "mistakes" }, start, error.element, results);
}

/**
 * @param {Mistake[]} mistakes
 * @param {string[]} seatNames of the seats that play
 * @param {(mistake: Mistake) => unknown} onshow
 */
function mistakeList(mistakes, seatNames, onshow) {
  if (!mistakes.length) return h("p", {}, "No mistakes found.");
  return [h("h2", {}, "Mistakes"), h("ol", { class: "mistake-list" }, mistakes.map((mistake) => {
    const { best, best_points, best_value, move, plies, seat } = mistake;
    const value = formatEvaluation({ value: mistake.value, points: mistake.points }, seat, seatNames);
    const bestValue = formatEvaluation({ value: best_value, points: best_points }, seat, seatNames);
    return h("li", {}, h("button", { type: "button", onclick: () => onshow(mistake) },
      h("span", { class: "number" }, plies + 1),
      h("span", {}, `${seatNames[seat]}: ${move} (${value})`),
      h("span", { class: "muted" }, `better: ${best} (${bestValue})`)));
  }))];
}
