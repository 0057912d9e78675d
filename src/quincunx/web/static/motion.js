// How things move: along ways, in and out. A reason for every motion, and an end soon after.

const STEP = 190; // milliseconds for a step, at pace 1
const HOP = 65; // for each point of a long way
const LONGEST = 650;
const LOOK = 220;
const SHOWN = 6; // frames that may take their time; more of them hurry
const EASE = "cubic-bezier(.3, 0, .2, 1)";

/** How much of its usual time each of so many frames gets. */
export function pace(frames) {
  return Math.max(0.16, Math.min(1, SHOWN / frames));
}

/** A promise of the time after so many milliseconds. */
export function after(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** Moves an element along points to where it stands; returns how long that takes. */
export function along(element, points, slow) {
  const length = Math.min(LONGEST, Math.max(STEP, HOP * points.length)) * slow;
  const [ex, ey] = points.at(-1);
  const offset = distances(points);
  // A ball may roll around a corner as it is; a square that goes around turns with its way.
  const turn = element.tagName === "rect" || element.querySelector(":scope > rect") ? sweep(points) : 0;
  run(element, points.map(([x, y], i) => ({
    transform: `translate(${x - ex}px, ${y - ey}px) rotate(${turn * (offset[i] - 1)}deg)`, offset: offset[i],
  })), length);
  return length;
}

/** Moves an element from where its predecessor stood. */
export function glide(element, old) {
  const [from, to] = [shift(old), shift(element)];
  const [dx, dy] = [from[0] - to[0], from[1] - to[1]];
  if (dx || dy) run(element, [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], STEP);
}

/** Lets an element come. */
export function appear(element, slow) {
  const length = STEP * slow;
  element.animate([{ opacity: 0, offset: 0 }], { duration: length, easing: EASE });
  if (!grows(element)) return 0;
  run(element, [{ transform: "scale(.4)" }, { transform: "none" }], length);
  return length;
}

/** Lets an element take its predecessor's place: it comes in from where that one stood. */
export function change(element, old, slow) {
  if (!grows(element)) return 0;
  const [from, to] = [shift(old), shift(element)];
  const moved = `translate(${from[0] - to[0]}px, ${from[1] - to[1]}px)`;
  run(element, [{ transform: `${moved} scale(.75)` }, { transform: "none" }], STEP * slow);
  return STEP * slow;
}

/** Lets an element go, and removes it. */
export function vanish(element, slow) {
  element.removeAttribute("data-cell");
  if (!grows(element)) {
    element.remove();
    return 0;
  }
  const length = STEP * slow;
  run(element, [{ transform: "none" }, { transform: "scale(.3)" }], length, "forwards");
  const going = element.animate([{ opacity: 0, offset: 1 }], { duration: length, fill: "forwards" });
  going.onfinish = going.oncancel = () => element.remove();
  setTimeout(() => element.remove(), length + 200); // where animations never finish: hidden tabs
  return length;
}

const looking = new WeakMap();

/** Turns the view from one box to another. */
export function look(svg, from, to, smooth) {
  cancelAnimationFrame(looking.get(svg));
  const same = from && from.every((value, i) => value === to[i]);
  if (!from || same || !smooth) {
    svg.setAttribute("viewBox", to.join(" "));
    return;
  }
  const began = performance.now();
  const step = (now) => {
    const t = Math.min(1, Math.max(0, (now - began) / LOOK));
    const part = t * t * (3 - 2 * t);
    svg.setAttribute("viewBox", from.map((value, i) => value + (to[i] - value) * part).join(" "));
    if (t < 1) looking.set(svg, requestAnimationFrame(step));
  };
  looking.set(svg, requestAnimationFrame(step));
  if (document.hidden) svg.setAttribute("viewBox", to.join(" "));
}

function run(element, frames, duration, fill = "backwards") {
  return element.animate(frames, { duration, easing: frames.length > 2 ? "linear" : EASE, composite: "add", fill });
}

/** Pieces and blocks come and go with size; lines, marks and labels just come and go. */
function grows(element) {
  return element.hasAttribute("data-cell");
}

function shift(element) {
  const matrix = element.transform?.baseVal.consolidate()?.matrix;
  if (matrix) return [matrix.e, matrix.f];
  const number = (name) => parseFloat(element.getAttribute(name)) || 0;
  return [number("x") || number("cx"), number("y") || number("cy")];
}

/** How far along its way each point is, 0 to 1. */
function distances(points) {
  const steps = points.map(([x, y], i) => i && Math.hypot(x - points[i - 1][0], y - points[i - 1][1]));
  const whole = steps.reduce((sum, step) => sum + step, 0);
  let sum = 0;
  return steps.map((step, i) => (sum += step, whole ? Math.min(1, sum / whole) : i / (points.length - 1 || 1)));
}

/** How many degrees a way turns if it is an arc of a circle, else 0. */
function sweep(points) {
  if (points.length < 4) return 0;
  const [[ax, ay], [bx, by], [cx, cy]] = [points[0], points[Math.floor(points.length / 2)], points.at(-1)];
  const d = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by));
  if (Math.abs(d) < 1e-6) return 0;
  const [a, b, c] = [ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy];
  const x = (a * (by - cy) + b * (cy - ay) + c * (ay - by)) / d;
  const y = (a * (cx - bx) + b * (ax - cx) + c * (bx - ax)) / d;
  const radius = Math.hypot(ax - x, ay - y);
  if (points.some(([px, py]) => Math.abs(Math.hypot(px - x, py - y) - radius) > 0.03 * radius)) return 0;
  const angles = points.map(([px, py]) => Math.atan2(py - y, px - x));
  const steps = angles.slice(1).map((angle, i) => Math.atan2(Math.sin(angle - angles[i]), Math.cos(angle - angles[i])));
  return (steps.reduce((sum, step) => sum + step, 0) * 180) / Math.PI;
}
