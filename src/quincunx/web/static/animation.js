// Animations of single shapes and of the view box. Functions that a caller may have to wait for
// return their duration in milliseconds. `timeScale` stretches (> 1) or shortens (< 1) a duration.

const STEP_MS = 190; // a glide, a fade, a change of size, or the shortest path
const PATH_POINT_MS = 65; // for each point of a path
const MAX_PATH_MS = 650;
const VIEW_BOX_MS = 220;
const FULL_SPEED_FRAMES = 6; // longer sequences are shown faster
const MIN_TIME_SCALE = 0.16;
const EASING = "cubic-bezier(.3, 0, .2, 1)";

/** Returns the time scale for a sequence of that number of frames. */
export function frameTimeScale(frameCount) {
  return Math.max(MIN_TIME_SCALE, Math.min(1, FULL_SPEED_FRAMES / frameCount));
}

/** Returns a promise that resolves after that number of milliseconds. */
export function delay(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Moves an element along a path that ends at its own position.
 * @param {[number, number][]} points in board units
 */
export function moveAlongPath(element, points, timeScale) {
  const duration = Math.min(MAX_PATH_MS, Math.max(STEP_MS, PATH_POINT_MS * points.length)) * timeScale;
  const [endX, endY] = points.at(-1);
  const offsets = pathOffsets(points);
  // A square that moves on an arc rotates too; a round piece would look the same.
  const degrees = element.tagName === "rect" || element.querySelector(":scope > rect") ? arcDegrees(points) : 0;
  animateTransform(element, points.map(([x, y], i) => ({
    transform: `translate(${x - endX}px, ${y - endY}px) rotate(${degrees * (offsets[i] - 1)}deg)`, offset: offsets[i],
  })), duration);
  return duration;
}

/** Moves an element in a straight line from the position of the element that it replaces. */
export function glideFrom(element, oldElement) {
  const [from, to] = [positionOf(oldElement), positionOf(element)];
  const [dx, dy] = [from[0] - to[0], from[1] - to[1]];
  if (dx || dy) animateTransform(element, [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], STEP_MS);
}

/** Fades a new element in; shapes of a cell grow too, and only those have to be waited for. */
export function fadeIn(element, timeScale) {
  const duration = STEP_MS * timeScale;
  element.animate([{ opacity: 0, offset: 0 }], { duration, easing: EASING });
  if (!hasCell(element)) return 0;
  animateTransform(element, [{ transform: "scale(.4)" }, { transform: "none" }], duration);
  return duration;
}

/** Grows a shape of a cell while it moves from the position of the element that it replaces. */
export function growFrom(element, oldElement, timeScale) {
  if (!hasCell(element)) return 0;
  const [from, to] = [positionOf(oldElement), positionOf(element)];
  const translation = `translate(${from[0] - to[0]}px, ${from[1] - to[1]}px)`;
  animateTransform(element, [{ transform: `${translation} scale(.75)` }, { transform: "none" }], STEP_MS * timeScale);
  return STEP_MS * timeScale;
}

/** Fades an element out, then removes it. */
export function fadeOut(element, timeScale) {
  element.removeAttribute("data-cell");
  if (!hasCell(element)) {
    element.remove();
    return 0;
  }
  const duration = STEP_MS * timeScale;
  animateTransform(element, [{ transform: "none" }, { transform: "scale(.3)" }], duration, "forwards");
  const fade = element.animate([{ opacity: 0, offset: 1 }], { duration, fill: "forwards" });
  fade.onfinish = fade.oncancel = () => element.remove();
  setTimeout(() => element.remove(), duration + 200); // in hidden tabs animations never finish
  return duration;
}

const viewBoxRequests = new WeakMap(); // the pending animation frame request of each SVG element

/** Changes the view box of an SVG element, gradually if `smooth`. */
export function changeViewBox(svg, from, to, smooth) {
  cancelAnimationFrame(viewBoxRequests.get(svg));
  const unchanged = from && from.every((value, i) => value === to[i]);
  if (!from || unchanged || !smooth) {
    svg.setAttribute("viewBox", to.join(" "));
    return;
  }
  const startTime = performance.now();
  const step = (now) => {
    const t = Math.min(1, Math.max(0, (now - startTime) / VIEW_BOX_MS));
    const eased = t * t * (3 - 2 * t);
    svg.setAttribute("viewBox", from.map((value, i) => value + (to[i] - value) * eased).join(" "));
    if (t < 1) viewBoxRequests.set(svg, requestAnimationFrame(step));
  };
  viewBoxRequests.set(svg, requestAnimationFrame(step));
  if (document.hidden) svg.setAttribute("viewBox", to.join(" ")); // hidden tabs get no animation frames
}

/** Animates a transform that is added to the element's own one. */
function animateTransform(element, keyframes, duration, fill = "backwards") {
  return element.animate(keyframes, { duration, easing: keyframes.length > 2 ? "linear" : EASING, composite: "add", fill });
}

/** Returns true for the shapes of a cell, such as pieces and blocks; lines, marks and labels are never scaled. */
function hasCell(element) {
  return element.hasAttribute("data-cell");
}

/** Returns [x, y]: the translation of an element, or else its x and y or cx and cy attributes. */
function positionOf(element) {
  const matrix = element.transform?.baseVal.consolidate()?.matrix;
  if (matrix) return [matrix.e, matrix.f];
  const number = (name) => parseFloat(element.getAttribute(name)) || 0;
  return [number("x") || number("cx"), number("y") || number("cy")];
}

/** Returns the fraction of the path's length, 0 to 1, at each of its points. */
function pathOffsets(points) {
  const lengths = points.map(([x, y], i) => i && Math.hypot(x - points[i - 1][0], y - points[i - 1][1]));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let sum = 0;
  return lengths.map((length, i) => (sum += length, total ? Math.min(1, sum / total) : i / (points.length - 1 || 1)));
}

/** Returns the signed angle in degrees of the circular arc through the points, or 0 if they are not on one. */
function arcDegrees(points) {
  if (points.length < 4) return 0;
  // The centre (x, y) of the circle through the first, the middle and the last point.
  const [[ax, ay], [bx, by], [cx, cy]] = [points[0], points[Math.floor(points.length / 2)], points.at(-1)];
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
