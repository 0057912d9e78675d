import assert from "node:assert/strict";
import { test } from "node:test";

import { VariationNode } from "../../src/quincunx/web/static/variation_node.js";
import { restoreNodes, storedNodes } from "../../src/quincunx/web/static/variation_store.js";

/** Returns a tree with these moves of the game itself. */
function gameTree(moves) {
  const root = new VariationNode(null, null, "");
  let node = root;
  for (const move of moves) {
    node = node.child(0, move);
    node.played = true;
  }
  return root;
}

/** Returns the moves of a tree, those of alternatives in brackets. */
function describe(node) {
  return node.children.map((child) => [child.move, ...describe(child)]);
}

test("the variations of a room's game are stored without its moves, and restored", () => {
  const tree = gameTree(["a", "b", "c"]);
  const [a] = tree.children;
  a.child(1, "x").child(0, "y");
  a.child(1, "x").child(0, "z", "R:z");
  a.children[0].children[0].child(1, "end");
  const stored = storedNodes(tree, true);
  assert.deepEqual(stored.map(({ move }) => move).sort(), ["end", "x", "y", "z"]);
  const restored = gameTree(["a", "b", "c"]);
  restoreNodes(restored, JSON.parse(JSON.stringify(stored)));
  assert.deepEqual(describe(restored), describe(tree));
  assert.equal(restored.children[0].children[1].children[1].sentMove, "R:z");
});

test("without a room all moves are stored", () => {
  const tree = gameTree(["a", "b"]);
  const restored = gameTree([]);
  restoreNodes(restored, storedNodes(tree, false));
  assert.deepEqual(describe(restored), [["a", ["b"]]]);
});

test("a variation of moves that were taken back is dropped", () => {
  const tree = gameTree(["a", "b"]);
  tree.children[0].children[0].child(0, "x").child(1, "y");
  const shorter = gameTree(["a"]);
  restoreNodes(shorter, storedNodes(tree, true));
  assert.deepEqual(describe(shorter), [["a"]]);
});

test("a very long game does not exhaust the stack", () => {
  const moves = Array.from({ length: 20000 }, (_, i) => `m${i}`);
  const tree = gameTree(moves);
  tree.child(0, "x");
  assert.equal(storedNodes(tree, true).length, 1);
});
