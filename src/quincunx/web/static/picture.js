// Pictures as the server sends them: keyed shapes, and the changes from one picture to the next.

/**
 * @typedef {{box: number[], defs: string, shapes: [string, string][], title: string,
 *   status: string}} Picture
 */

/**
 * Returns the picture after a change. Each item of `delta.shapes` is a new shape [key, svg],
 * or [i, n] for n unchanged shapes from index i of the old picture.
 * @param {Picture} old
 * @returns {Picture}
 */
export function applyDelta(old, delta) {
  const shapes = delta.shapes
    ? delta.shapes.flatMap(([keyOrIndex, svgOrCount]) =>
        typeof keyOrIndex === "number"
          ? old.shapes.slice(keyOrIndex, keyOrIndex + svgOrCount)
          : [[keyOrIndex, svgOrCount]])
    : old.shapes;
  return { ...old, ...delta, shapes };
}
