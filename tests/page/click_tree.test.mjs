import assert from "node:assert/strict";
import { test } from "node:test";

import * as clickTree from "../../src/quincunx/web/static/click_tree.js";

const TREE = {
  a1: { e3: { "": "a1e3" }, c5: { "": "a1c5" } },
  place: { "": "place" },
  b2: { "": "b2", d2: { "": "b2d2" } },
};

test("the next clicks of a node are its names, without the move at the node", () => {
  assert.deepEqual(clickTree.nextClicks(TREE), ["a1", "place", "b2"]);
  assert.deepEqual(clickTree.nextClicks(TREE.b2), ["d2"]);
  assert.deepEqual(clickTree.nextClicks(TREE.place), []);
});

test("the node after clicks is null if no move starts with them", () => {
  assert.equal(clickTree.nodeAt(TREE, []), TREE);
  assert.equal(clickTree.nodeAt(TREE, ["a1", "e3"]), TREE.a1.e3);
  assert.equal(clickTree.nodeAt(TREE, ["a1", "h8"]), null);
  assert.equal(clickTree.nodeAt(TREE, ["h8", "a1"]), null);
  assert.equal(clickTree.nodeAt(TREE, ["place", ""]), null);
});

test("names of inherited properties are not clicks", () => {
  for (const name of ["constructor", "__proto__", "toString"]) assert.equal(clickTree.nodeAt(TREE, [name]), null);
});

test("a move is complete at the node where its clicks end", () => {
  assert.equal(clickTree.moveAt(TREE), null);
  assert.equal(clickTree.moveAt(TREE.a1), null);
  assert.equal(clickTree.moveAt(TREE.a1.e3), "a1e3");
});

test("a complete move may be extensible", () => {
  assert.equal(clickTree.moveAt(TREE.b2), "b2");
  assert.equal(clickTree.isExtensible(TREE.b2), true);
  assert.equal(clickTree.isExtensible(TREE.place), false);
});

test("moves of one click and origins of longer moves differ, and a name can be both", () => {
  assert.deepEqual(clickTree.oneClickMoves(TREE), ["place", "b2"]);
  assert.deepEqual(clickTree.origins(TREE), ["a1", "b2"]);
  assert.equal(clickTree.isOrigin(TREE, "place"), false);
  assert.equal(clickTree.isOrigin(TREE, "h8"), false);
});

test("all moves of a tree are listed once", () => {
  assert.deepEqual(clickTree.allMoves(TREE), ["a1e3", "a1c5", "place", "b2", "b2d2"]);
  assert.deepEqual(clickTree.allMoves(clickTree.EMPTY_TREE), []);
});
