import assert from "node:assert/strict";
import { test } from "node:test";

import { applyDelta } from "../../src/quincunx/web/static/picture.js";

const PICTURE = {
  box: [0, 0, 100, 100], defs: "<defs/>", title: "Onoro", status: "Black to play",
  shapes: [["a", "<circle/>"], ["b", "<rect/>"], ["c", "<g/>"], ["d", "<path/>"]],
};

test("a delta copies runs of shapes and adds new ones in between", () => {
  const after = applyDelta(PICTURE, { status: "White to play", shapes: [[0, 2], ["e", "<line/>"], [3, 1]] });
  assert.deepEqual(after.shapes, [["a", "<circle/>"], ["b", "<rect/>"], ["e", "<line/>"], ["d", "<path/>"]]);
  assert.deepEqual([after.status, after.box, after.defs], ["White to play", [0, 0, 100, 100], "<defs/>"]);
});

test("a delta without shapes keeps them, one with a box replaces it", () => {
  const after = applyDelta(PICTURE, { status: "x", box: [1, 2, 3, 4] });
  assert.equal(after.shapes, PICTURE.shapes);
  assert.deepEqual(after.box, [1, 2, 3, 4]);
  assert.deepEqual(PICTURE.box, [0, 0, 100, 100]);
});

test("a shape whose key looks like a number is not an index", () => {
  assert.deepEqual(applyDelta(PICTURE, { shapes: [["1", "<text/>"]] }).shapes, [["1", "<text/>"]]);
});
