import assert from "node:assert/strict";
import { test } from "node:test";

import { columnCount, columnProperties, rowEnd } from "../../src/quincunx/web/static/card_grid.js";

const counts = (/** @type {number} */ most) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map((cards) => columnCount(cards, most));

test("rows are about equal", () => {
  assert.deepEqual(counts(6), [1, 2, 3, 4, 5, 6, 4, 4, 5, 5, 6, 6, 5]);
  assert.deepEqual(counts(4), [1, 2, 3, 4, 3, 3, 4, 4, 3, 4, 4, 4, 4]);
  assert.deepEqual(counts(3), [1, 2, 3, 2, 3, 3, 3, 3, 3, 2, 3, 3, 3]);
});

test("no card is alone in the last row if another number of columns avoids it", () => {
  for (let cards = 2; cards <= 60; cards++) {
    const columns = columnCount(cards, 6);
    assert.ok(columns <= 6);
    const avoidable = [2, 3, 4, 5, 6].some((other) => other <= columns && cards % other !== 1);
    assert.ok(columns === 1 || cards % columns !== 1 || !avoidable, `${cards} cards in ${columns} columns`);
  }
});

test("there is a number of columns for each width of the screen", () => {
  assert.deepEqual(columnProperties(9), [["--wide-columns", "5"], ["--medium-columns", "3"], ["--narrow-columns", "3"]]);
});

test("the row of a card ends at its last column, or with the last card", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map((card) => rowEnd(card, 3, 5)), [2, 2, 2, 4, 4]);
  assert.deepEqual([0, 4].map((card) => rowEnd(card, 1, 5)), [0, 4]);
});
