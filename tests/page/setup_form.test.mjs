// Which values the setup form accepts, and what it says about the others.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describeError, isInRange, numberRequirement } from "../../src/quincunx/web/static/field_errors.js";
import { seatCount } from "../../src/quincunx/web/static/options.js";

const REPETITION = { low: 2, high: 33, also: [0] };

test("a requirement names the range and the values allowed in addition", () => {
  assert.equal(numberRequirement({ low: 2, high: 6 }), "a whole number from 2 to 6");
  assert.equal(numberRequirement(REPETITION), "0 or a whole number from 2 to 33");
  assert.equal(numberRequirement({ low: 0, high: 1, whole: false }), "a number from 0 to 1");
});

test("a value between an additional value and the range is not allowed", () => {
  assert.deepEqual([0, 1, 2, 33, 34].filter((value) => isInRange(value, REPETITION)), [0, 2, 33]);
});

test("there are never more or fewer seats than a game has", () => {
  const game = { seats: { least: 2, most: 6 } };
  assert.deepEqual([undefined, 0, 2, 5, 9].map((players) => seatCount(game, players)), [2, 2, 2, 5, 6]);
  assert.equal(seatCount({ seats: { least: 1, most: 1 } }, undefined), 1);
});

test("an error of the server is a sentence about the field's label", () => {
  const text = "initial_balls='5': must be an integer from 1 to 3, to leave a cell empty";
  assert.equal(describeError("Initial balls", "initial_balls", text), "Initial balls must be an integer from 1 to 3, to leave a cell empty.");
  assert.equal(describeError("Rows", "rows", "rows='1': a board of one cell has no legal moves"), "A board of one cell has no legal moves.");
});
