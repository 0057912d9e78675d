// Where an arrow key leads from a cell, on any layout.

/** @typedef {{x: number, y: number}} Place the centre of a cell, in board units */

const MIN_STEP_UNITS = 4; // cells that are nearer than this along the arrow are not a step
const MAX_SLOPE = 1.8; // sideways distance of a step in relation to its forward distance
// Where rows are shifted by half a cell, the next row must cost less than the one after it, which lies straight ahead.
const SIDEWAYS_COST = 1.6;

/**
 * Returns the name of the cell that a step leads to, or null. `aim` is a place on the line that the steps in this
 * direction follow: on rows that are shifted, they alternate around it.
 * @param {Map<string, Place>} cells
 * @param {Place} from
 * @param {[dx: number, dy: number]} direction
 * @param {Place} [aim]
 */
export function cellInDirection(cells, from, [dx, dy], aim = from) {
  let minCost = Infinity;
  let nearest = null;
  for (const [name, { x, y }] of cells) {
    const forward = (x - from.x) * dx + (y - from.y) * dy;
    const sideways = (/** @type {Place} */ place) => Math.abs((x - place.x) * dy + (y - place.y) * dx);
    if (forward < MIN_STEP_UNITS || sideways(from) > MAX_SLOPE * forward) continue;
    const cost = forward + SIDEWAYS_COST * sideways(aim);
    if (cost < minCost) [minCost, nearest] = [cost, name];
  }
  return nearest;
}
