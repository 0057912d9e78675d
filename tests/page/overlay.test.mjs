import assert from "node:assert/strict";
import { test } from "node:test";

import { areSmall } from "../../src/quincunx/web/static/overlay.js";

test("marks are small where most of many empty cells are moves", () => {
  assert.equal(areSmall(121, 121), true); // an empty board of Hex
  assert.equal(areSmall(20, 39), true);
  assert.equal(areSmall(20, 40), false);
  assert.equal(areSmall(16, 16), false);
  assert.equal(areSmall(7, 42), false); // the columns of a board
});
