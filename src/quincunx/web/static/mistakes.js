// The mistakes of a finished game: the moves that lost most, with better ones.

import { asRequestError } from "./api.js";
import { button, errorMessage, h, setChildren } from "./dom.js";
import { formatValue } from "./format.js";
import { on, request } from "./socket.js";

/** @import { Game, Mistake } from "./types.js" */

/**
 * Creates a section with a button that finds the mistakes of a room's game.
 * @param {string} room
 * @param {Game} game
 * @param {(plies: number) => unknown} onstep shows the position after that number of moves
 */
export function mistakesSection(room, game, onstep) {
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
        setChildren(results, mistakeList(message.moves ?? [], game, onstep));
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
 * @param {Game} game
 * @param {(plies: number) => unknown} onstep
 */
function mistakeList(mistakes, game, onstep) {
  if (!mistakes.length) return h("p", {}, "No mistakes found.");
  return [h("h2", {}, "Mistakes"), h("ol", { class: "mistake-list" }, mistakes.map((mistake) => h("li", {},
    h("button", { type: "button", onclick: () => onstep(mistake.plies) },
      h("span", { class: "number" }, mistake.plies + 1),
      h("span", {}, `${game.seat_names[mistake.seat]}: ${mistake.move} (${formatValue(mistake.value)})`),
      h("span", { class: "muted" }, `better: ${mistake.best} (${formatValue(mistake.best_value)})`)))))];
}
