// After a game: the moves that cost most, and what would have been better.

import { button, fill, h, sentence } from "./dom.js";
import { ask, on } from "./socket.js";
import { valueWords } from "./words.js";

/** A section that looks for the mistakes of a finished game when asked. */
export function mistakes(room, game, onstep) {
  const error = sentence();
  const body = h("div", { class: "found", "aria-live": "polite" });
  const start = button("analyse", "Find mistakes", async () => {
    start.disabled = true;
    error.say("");
    const progress = h("progress", { max: 1, value: 0, "aria-label": "Looking" });
    fill(body, progress);
    const off = on("mistakes", (message) => {
      if (message.room && message.room !== room) return;
      if (!body.isConnected) return off();
      if (!message.done) progress.value = message.progress ?? 0;
      else {
        off();
        start.remove();
        fill(body, told(message.moves, game, onstep));
      }
    });
    try {
      await ask({ type: "mistakes", room });
    } catch (refused) {
      off();
      fill(body);
      start.disabled = false;
      error.say(refused.message);
    }
  });
  return h("section", { class: "mistakes" }, start, error.element, body);
}

function told(moves, game, onstep) {
  if (!moves.length) return h("p", {}, "No mistakes were found.");
  return [h("h2", {}, "Mistakes"), h("ol", { class: "mistake-list" }, moves.map((one) => h("li", {},
    h("button", { type: "button", onclick: () => onstep(Math.max(0, one.plies)) },
      h("span", { class: "number" }, one.plies + 1),
      h("span", {}, `${game.seat_names[one.seat]}: ${one.move} (${valueWords(one.value, one.left)})`),
      h("span", { class: "quiet" }, `better: ${one.best} (${valueWords(one.best_value)})`)))))];
}
