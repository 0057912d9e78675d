// Pictures as the server sends them: keyed shapes, and the changes from one picture to the next.

/** @import { Picture, PictureDelta } from "./types.js" */

/**
 * Returns the picture after a change.
 * @param {Picture} old
 * @param {PictureDelta} delta
 * @returns {Picture}
 */
export function applyDelta(old, delta) {
  const { shapes, ...changes } = delta;
  return { ...old, ...changes, shapes: shapes ? shapes.flatMap((item) => copiedShapes(old, item)) : old.shapes };
}

/**
 * @param {Picture} old
 * @param {[string, string] | [number, number]} item
 * @returns {[string, string][]}
 */
function copiedShapes(old, item) {
  const [first, second] = item;
  if (typeof first === "number" && typeof second === "number") return old.shapes.slice(first, first + second);
  return [[String(first), String(second)]];
}
