import assert from "node:assert/strict";
import { test } from "node:test";

import { cellInDirection } from "../../src/quincunx/web/static/cell_steps.js";

const UP = [0, -1];
const DOWN = [0, 1];
const RIGHT = [1, 0];

/** Returns the places of five rows of cells, each shifted by half a cell against the one before, by "column,row". */
function shiftedRows() {
  const cells = new Map();
  for (let row = 0; row < 5; row++) for (let column = 0; column < 5; column++) cells.set(`${column},${row}`, { x: 40 * column + 20 * row, y: 34.6 * row });
  return cells;
}

/** Returns the cells that steps in one direction lead to. */
function walk(cells, start, direction, count) {
  const names = [start];
  const aim = cells.get(start);
  for (let i = 0; i < count; i++) names.push(cellInDirection(cells, cells.get(names.at(-1)), direction, aim));
  return names.slice(1);
}

test("up and down visit every row of shifted rows, and stay near the column where they began", () => {
  const cells = shiftedRows();
  const rows = (names) => names.map((name) => Number(name.split(",")[1]));
  const down = walk(cells, "4,0", DOWN, 4);
  assert.deepEqual(rows(down), [1, 2, 3, 4]);
  for (const name of down) assert.ok(Math.abs(cells.get(name).x - 160) <= 20, name);
  assert.deepEqual(rows(walk(cells, "1,4", UP, 4)), [3, 2, 1, 0]);
});

test("left and right stay in their row, and there is no step beyond the last cell", () => {
  const cells = shiftedRows();
  assert.deepEqual(walk(cells, "1,2", RIGHT, 3), ["2,2", "3,2", "4,2"]);
  assert.equal(cellInDirection(cells, cells.get("2,0"), UP), null);
});

test("on a square board, each arrow leads to the neighbour, and over a gap to the next cell", () => {
  const cells = new Map([["a", { x: 0, y: 0 }], ["b", { x: 40, y: 0 }], ["c", { x: 40, y: 40 }], ["d", { x: 0, y: 80 }]]);
  assert.equal(cellInDirection(cells, cells.get("a"), RIGHT), "b");
  assert.equal(cellInDirection(cells, cells.get("a"), DOWN), "d");
});
