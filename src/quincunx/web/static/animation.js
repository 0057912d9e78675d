// Animations of single shapes and of the view box. Functions that a caller may have to wait for
// return their duration in milliseconds. `timeScale` stretches (> 1) or shortens (< 1) a duration.

import { arcDegrees, pathOffsets } from "./path_geometry.js";

/** @import { Box, Point } from "./types.js" */

const STEP_MS = 190; // a glide, a fade, a change of size, or the shortest path
const PATH_POINT_MS = 65; // for each point of a path
const MAX_PATH_MS = 650;
const VIEW_BOX_MS = 220;
const HIDDEN_TAB_MS = 200; // after the end of a fade: in hidden tabs animations never finish
const FULL_SPEED_FRAMES = 6; // longer sequences are shown faster
const MIN_TIME_SCALE = 0.16;
const EASING = "cubic-bezier(.3, 0, .2, 1)";

/**
 * Returns the time scale for a sequence of that number of frames.
 * @param {number} frameCount
 */
export function frameTimeScale(frameCount) {
  return Math.max(MIN_TIME_SCALE, Math.min(1, FULL_SPEED_FRAMES / frameCount));
}

/**
 * Returns a promise that resolves after that number of milliseconds.
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function delay(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Moves an element along a path that ends at its own position.
 * @param {SVGGraphicsElement} element
 * @param {Point[]} points in board units
 * @param {number} timeScale
 */
export function moveAlongPath(element, points, timeScale) {
  const duration = Math.min(MAX_PATH_MS, Math.max(STEP_MS, PATH_POINT_MS * points.length)) * timeScale;
  const [endX, endY] = points[points.length - 1];
  const offsets = pathOffsets(points);
  // A square that moves on an arc rotates too; a round piece would look the same.
  const degrees = element.tagName === "rect" || element.querySelector(":scope > rect") ? arcDegrees(points) : 0;
  animateTransform(element, points.map(([x, y], i) => ({
    transform: `translate(${x - endX}px, ${y - endY}px) rotate(${degrees * (offsets[i] - 1)}deg)`, offset: offsets[i],
  })), duration);
  return duration;
}

/**
 * Moves an element in a straight line from the position of the element that it replaces.
 * @param {SVGGraphicsElement} element
 * @param {SVGGraphicsElement} oldElement
 */
export function glideFrom(element, oldElement) {
  const [from, to] = [positionOf(oldElement), positionOf(element)];
  const [dx, dy] = [from[0] - to[0], from[1] - to[1]];
  if (dx || dy) animateTransform(element, [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], STEP_MS);
}

/**
 * Fades a new element in; shapes of a cell grow too, and only those have to be waited for.
 * @param {SVGGraphicsElement} element
 * @param {number} timeScale
 */
export function fadeIn(element, timeScale) {
  const duration = STEP_MS * timeScale;
  element.animate([{ opacity: 0, offset: 0 }], { duration, easing: EASING });
  if (!hasCell(element)) return 0;
  animateTransform(element, [{ transform: "scale(.4)" }, { transform: "none" }], duration);
  return duration;
}

/**
 * Grows a shape of a cell while it moves from the position of the element that it replaces.
 * @param {SVGGraphicsElement} element
 * @param {SVGGraphicsElement} oldElement
 * @param {number} timeScale
 */
export function growFrom(element, oldElement, timeScale) {
  if (!hasCell(element)) return 0;
  const [from, to] = [positionOf(oldElement), positionOf(element)];
  const translation = `translate(${from[0] - to[0]}px, ${from[1] - to[1]}px)`;
  animateTransform(element, [{ transform: `${translation} scale(.75)` }, { transform: "none" }], STEP_MS * timeScale);
  return STEP_MS * timeScale;
}

/**
 * Removes an element; the shape of a cell fades out and shrinks before, and cannot be clicked meanwhile.
 * @param {SVGGraphicsElement} element
 * @param {number} timeScale
 */
export function fadeOut(element, timeScale) {
  if (!hasCell(element)) {
    element.remove();
    return 0;
  }
  element.removeAttribute("data-cell");
  const duration = STEP_MS * timeScale;
  animateTransform(element, [{ transform: "none" }, { transform: "scale(.3)" }], duration, "forwards");
  const fade = element.animate([{ opacity: 0, offset: 1 }], { duration, fill: "forwards" });
  fade.onfinish = fade.oncancel = () => element.remove();
  setTimeout(() => element.remove(), duration + HIDDEN_TAB_MS);
  return duration;
}

/** @type {WeakMap<SVGSVGElement, number>} the pending animation frame request of each SVG element */
const viewBoxRequests = new WeakMap();

/**
 * Changes the view box of an SVG element, gradually if `smooth`.
 * @param {SVGSVGElement} svg
 * @param {Box | undefined} from
 * @param {Box} to
 * @param {boolean} smooth
 */
export function changeViewBox(svg, from, to, smooth) {
  cancelAnimationFrame(viewBoxRequests.get(svg) ?? 0);
  if (!from || !smooth || from.every((value, i) => value === to[i])) {
    svg.setAttribute("viewBox", to.join(" "));
    return;
  }
  const startTime = performance.now();
  const step = (/** @type {number} */ now) => {
    const t = Math.min(1, Math.max(0, (now - startTime) / VIEW_BOX_MS));
    const eased = t * t * (3 - 2 * t);
    svg.setAttribute("viewBox", from.map((value, i) => value + (to[i] - value) * eased).join(" "));
    if (t < 1) viewBoxRequests.set(svg, requestAnimationFrame(step));
  };
  viewBoxRequests.set(svg, requestAnimationFrame(step));
  if (document.hidden) svg.setAttribute("viewBox", to.join(" ")); // hidden tabs get no animation frames
}

/**
 * Animates a transform that is added to the element's own one.
 * @param {SVGGraphicsElement} element
 * @param {Keyframe[]} keyframes
 * @param {number} duration
 * @param {FillMode} [fill]
 */
function animateTransform(element, keyframes, duration, fill = "backwards") {
  return element.animate(keyframes, { duration, easing: keyframes.length > 2 ? "linear" : EASING, composite: "add", fill });
}

/**
 * Returns true for the shapes of a cell, such as pieces and blocks; lines, marks and labels are never scaled.
 * @param {Element} element
 */
function hasCell(element) {
  return element.hasAttribute("data-cell");
}

/**
 * Returns the translation of an element, or else its x and y or cx and cy attributes.
 * @param {SVGGraphicsElement} element
 * @returns {Point}
 */
function positionOf(element) {
  const matrix = element.transform.baseVal.consolidate()?.matrix;
  if (matrix) return [matrix.e, matrix.f];
  const number = (/** @type {string} */ name) => parseFloat(element.getAttribute(name) ?? "") || 0;
  return [number("x") || number("cx"), number("y") || number("cy")];
}
