// Points that rise from what was cleared, in games that count them in one number.

import { s } from "./dom.js";

const LENGTH = 1100;

/**
 * Lets the points that were just won rise from where shapes went.
 * @param {SVGGElement} layer
 * @param {{x: number, y: number}[]} places of what has gone
 */
export function rise(layer, places, before, after) {
  const won = score(after) - score(before);
  if (!places.length || !(won > 0)) return;
  const middle = (name) => places.reduce((sum, place) => sum + place[name], 0) / places.length;
  const text = s("text", { class: "rise", x: middle("x"), y: middle("y") }, `+${won}`);
  layer.append(text);
  text.animate([
    { transform: "translateY(0)", opacity: 0 }, { opacity: 1, offset: 0.2 }, { transform: "translateY(-40px)", opacity: 0 },
  ], { duration: LENGTH, easing: "ease-out" });
  setTimeout(() => text.remove(), LENGTH);
}

/** The one number that a picture counts; NaN where there is none, or where there are several. */
function score(picture) {
  const found = picture.shapes.map(([, svg]) => svg).filter((svg) => svg.includes('class="score"'));
  return found.length === 1 ? Number(found[0].match(/>(-?\d+)</)?.[1] ?? NaN) : NaN;
}
