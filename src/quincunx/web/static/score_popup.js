// A "+12" that rises from removed pieces, in games with a single score.

import { svg } from "./dom.js";

const DURATION_MS = 1100;

/**
 * Shows gained points at the centre of the removed pieces.
 * @param {SVGGElement} layer
 * @param {{x: number, y: number}[]} removed centres of the removed pieces
 * @param {number} gain
 */
export function showScorePopup(layer, removed, gain) {
  const mean = (/** @type {"x" | "y"} */ axis) => removed.reduce((sum, centre) => sum + centre[axis], 0) / removed.length;
  const popup = svg("text", { class: "score-popup", x: mean("x"), y: mean("y") }, `+${gain}`);
  layer.append(popup);
  popup.animate([
    { transform: "translateY(0)", opacity: 0 }, { opacity: 1, offset: 0.2 }, { transform: "translateY(-40px)", opacity: 0 },
  ], { duration: DURATION_MS, easing: "ease-out" });
  setTimeout(() => popup.remove(), DURATION_MS);
}
