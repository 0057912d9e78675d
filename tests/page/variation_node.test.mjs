import assert from "node:assert/strict";
import { test } from "node:test";

import { VariationNode } from "../../src/quincunx/web/static/variation_node.js";

/** Returns a root with the main line a b c and the variation x after a. */
function smallTree() {
  const root = new VariationNode(null, null, "");
  const a = root.child(0, "a");
  const b = a.child(1, "b");
  const c = b.child(0, "c");
  const x = a.child(1, "x");
  return { root, a, b, c, x };
}

test("a line leads from the root to a node", () => {
  const { root, a, b, c, x } = smallTree();
  assert.deepEqual(root.line, []);
  assert.deepEqual(c.line, [a, b, c]);
  assert.deepEqual(x.line, [a, x]);
  assert.deepEqual([root, a, c, x].map(({ plies }) => plies), [0, 1, 3, 2]);
});

test("the last node is the end of the main line", () => {
  const { root, c, x } = smallTree();
  assert.equal(root.lastNode, c);
  assert.equal(x.lastNode, x);
});

test("the same move leads to the same node, of another seat to another", () => {
  const { root, a } = smallTree();
  assert.equal(root.child(0, "a"), a);
  assert.notEqual(root.child(1, "a"), a);
  assert.equal(root.children.length, 2);
});

test("a move without a seat gets the seat of the same move played later", () => {
  const root = new VariationNode(null, null, "");
  const unknown = root.child(null, "a");
  assert.equal(root.child(1, "a"), unknown);
  assert.equal(unknown.seat, 1);
});

test("a move is sent as displayed unless it names its seat", () => {
  const root = new VariationNode(null, null, "");
  assert.equal(root.child(0, "0,1").sentMove, "0,1");
  assert.equal(root.child(1, "0,2", "Y:0,2").sentMove, "Y:0,2");
});

test("removing a node removes what follows, and the next variation becomes the main line", () => {
  const { a, b, x } = smallTree();
  b.remove();
  assert.deepEqual(a.children, [x]);
  assert.equal(a.lastNode, x);
});

test("a very long game has a last node", () => {
  const root = new VariationNode(null, null, "");
  let node = root;
  for (let i = 0; i < 50_000; i++) node = node.child(i % 2, "a");
  assert.equal(root.lastNode, node);
  assert.equal(node.line.length, 50_000);
});

test("a move whose seat an address does not name is found", () => {
  const root = new VariationNode(null, null, "");
  const known = root.child(0, "a");
  assert.equal(root.child(null, "a"), known);
  assert.notEqual(root.child(1, "a"), known);
});

test("a removed node is put back at its place", () => {
  const root = new VariationNode(null, null, "");
  const nodes = ["a", "b", "c"].map((move) => root.child(0, move));
  const restore = nodes[1].remove();
  assert.deepEqual(root.children.map(({ move }) => move), ["a", "c"]);
  root.child(0, "b"); // played again
  restore();
  assert.deepEqual(root.children, nodes);
});
