// Pictures as they come from the server: lists of shapes with keys, and what changed in them.

/**
 * @typedef {{box: number[], defs: string, shapes: [string, string][], title: string,
 *   status: string}} Picture
 */

/**
 * The picture after a change. A shape is given anew as [key, svg], or as [i, n]: the n shapes
 * from place i of the old picture.
 * @param {Picture} old
 * @returns {Picture}
 */
export function patched(old, delta) {
  const shapes = delta.shapes
    ? delta.shapes.flatMap(([one, other]) =>
        typeof one === "number" ? old.shapes.slice(one, one + other) : [[one, other]])
    : old.shapes;
  return { ...old, ...delta, shapes };
}
