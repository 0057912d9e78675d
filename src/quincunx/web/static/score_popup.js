// A "+12" that rises from removed pieces, in games with a single score.

import { svg } from "./dom.js";

const DURATION_MS = 1100;

/**
 * Shows the points gained between two pictures at the centre of the removed pieces.
 * @param {SVGGElement} layer
 * @param {{x: number, y: number}[]} removed centres of the removed pieces
 * @param {import("./picture.js").Picture} before
 * @param {import("./picture.js").Picture} after
 */
export function showScorePopup(layer, removed, before, after) {
  const gain = readScore(after) - readScore(before);
  if (!removed.length || !(gain > 0)) return;
  const mean = (axis) => removed.reduce((sum, centre) => sum + centre[axis], 0) / removed.length;
  const popup = svg("text", { class: "score-popup", x: mean("x"), y: mean("y") }, `+${gain}`);
  layer.append(popup);
  popup.animate([
    { transform: "translateY(0)", opacity: 0 }, { opacity: 1, offset: 0.2 }, { transform: "translateY(-40px)", opacity: 0 },
  ], { duration: DURATION_MS, easing: "ease-out" });
  setTimeout(() => popup.remove(), DURATION_MS);
}

/** Returns the score that a picture shows, or NaN if it shows none or several. */
function readScore(picture) {
  const scores = picture.shapes.map(([, markup]) => markup).filter((markup) => markup.includes('class="score"'));
  return scores.length === 1 ? Number(scores[0].match(/>(-?\d+)</)?.[1] ?? NaN) : NaN;
}
