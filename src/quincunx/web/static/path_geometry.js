// The geometry of paths along which shapes move, in board units.

/** @import { Point } from "./types.js" */

/**
 * Returns the fraction of the path's length, 0 to 1, at each of its points.
 * @param {Point[]} points
 */
export function pathOffsets(points) {
  const lengths = points.map(([x, y], i) => i && Math.hypot(x - points[i - 1][0], y - points[i - 1][1]));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let travelled = 0;
  return lengths.map((length, i) => {
    travelled += length;
    return total ? Math.min(1, travelled / total) : i / (points.length - 1 || 1);
  });
}

/**
 * Returns the signed angle in degrees of the circular arc through the points, or 0 if they are not on one.
 * @param {Point[]} points
 */
export function arcDegrees(points) {
  if (points.length < 4) return 0;
  // The centre (x, y) of the circle through the first, the middle and the last point.
  const [[ax, ay], [bx, by], [cx, cy]] = [points[0], points[Math.floor(points.length / 2)], points[points.length - 1]];
  const d = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by));
  if (Math.abs(d) < 1e-6) return 0;
  const [a, b, c] = [ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy];
  const x = (a * (by - cy) + b * (cy - ay) + c * (ay - by)) / d;
  const y = (a * (cx - bx) + b * (ax - cx) + c * (bx - ax)) / d;
  const radius = Math.hypot(ax - x, ay - y);
  if (points.some(([px, py]) => Math.abs(Math.hypot(px - x, py - y) - radius) > 0.03 * radius)) return 0;
  const directions = points.map(([px, py]) => Math.atan2(py - y, px - x));
  const rotations = directions.slice(1).map((direction, i) =>
    Math.atan2(Math.sin(direction - directions[i]), Math.cos(direction - directions[i])));
  return (rotations.reduce((sum, rotation) => sum + rotation, 0) * 180) / Math.PI;
}
