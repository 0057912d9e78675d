import assert from "node:assert/strict";
import { test } from "node:test";

import { EMPTY_TREE } from "../../src/quincunx/web/static/click_tree.js";
import { Selection } from "../../src/quincunx/web/static/selection.js";

const LEAPS = { a1: { a3: { "": "a1a3" }, c1: { "": "a1c1" } }, b1: { d1: { "": "b1d1" } }, place: { "": "place" } };
const BLOCKS = { top: { cw: { "": "top cw" } }, 0: { cw: { "": "0 cw" } }, "00": { paint: { "": "00 paint" } }, pass: { "": "pass" } };

/** Returns a selection with these legal moves, the list of its moves, and a function that counts its changes. */
function selectionOf(tree, nested = false) {
  const moves = [];
  let changes = 0;
  const selection = new Selection({ nested, onmove: (move) => moves.push(move), onchange: () => { changes += 1; } });
  selection.setLegalMoves(tree);
  return { selection, moves, changes: () => changes };
}

test("two clicks make a move and clear the selection", () => {
  const { selection, moves } = selectionOf(LEAPS);
  assert.equal(selection.click(["a1"]), true);
  assert.deepEqual(selection.selected, ["a1"]);
  assert.deepEqual([...selection.nextNames], ["a3", "c1"]);
  assert.equal(selection.click(["c1"]), true);
  assert.deepEqual([moves, selection.selected], [["a1c1"], []]);
});

test("a button that is a complete move plays it, whatever is selected", () => {
  const { selection, moves } = selectionOf(LEAPS);
  selection.click(["a1"]);
  selection.click(["place"]);
  assert.deepEqual([moves, selection.selected], [["place"], []]);
});

test("a click on another origin selects that one", () => {
  const { selection, moves } = selectionOf(LEAPS);
  selection.click(["a1"]);
  selection.click(["b1"]);
  assert.deepEqual([moves, selection.selected], [[], ["b1"]]);
});

test("a second click on the selected cell, and a click elsewhere, clear the selection", () => {
  const { selection } = selectionOf(LEAPS);
  selection.click(["a1"]);
  assert.equal(selection.click(["a1"]), false);
  assert.deepEqual(selection.selected, []);
  selection.click(["a1"]);
  assert.equal(selection.click(["h8"]), false);
  assert.deepEqual(selection.selected, []);
});

test("a click on nested names takes the first that continues a move", () => {
  const { selection, moves } = selectionOf(LEAPS);
  selection.click(["inner", "a1"]);
  selection.click(["inner", "a3"]);
  assert.deepEqual(moves, ["a1a3"]);
});

test("new legal moves keep a selection that is still possible and drop any other", () => {
  const { selection } = selectionOf(LEAPS);
  selection.click(["a1"]);
  selection.setLegalMoves({ a1: { a3: { "": "a1a3" } } });
  assert.deepEqual(selection.selected, ["a1"]);
  selection.setLegalMoves({ b1: { d1: { "": "b1d1" } } });
  assert.deepEqual(selection.selected, []);
});

test("a hint must be legal and disappears when it no longer is", () => {
  const { selection } = selectionOf(LEAPS);
  assert.equal(selection.showHint(["a1", "h8"]), false);
  assert.equal(selection.showHint(["a1", "a3"]), true);
  assert.deepEqual(selection.hint, ["a1", "a3"]);
  selection.setLegalMoves(EMPTY_TREE);
  assert.equal(selection.hint, null);
});

test("clickable are the cells that continue the selection or start a move, draggable those with destinations", () => {
  const { selection } = selectionOf(LEAPS);
  assert.equal(selection.isClickable("a3"), false);
  selection.click(["a1"]);
  assert.deepEqual(["a3", "b1", "place", "d1"].map((name) => selection.isClickable(name)), [true, true, true, false]);
  assert.deepEqual(["a1", "a3", "place"].map((name) => selection.isDraggable(name)), [true, false, false]);
});

test("on a nested board the level decides which of the names is clicked", () => {
  const { selection } = selectionOf(BLOCKS, true);
  const names = ["00", "0", "top"];
  assert.deepEqual(selection.namesAtLevel(names), ["00"]);
  selection.click(selection.namesAtLevel(names));
  assert.deepEqual(selection.selected, ["00"]);
  selection.changeLevel(-1, names);
  assert.deepEqual([selection.selected, selection.namesAtLevel(names)], [["0"], ["0"]]);
  selection.changeLevel(-1, names);
  selection.changeLevel(-1, names);
  assert.deepEqual([selection.selected, selection.level], [["top"], 0]);
  selection.changeLevel(1, names);
  assert.deepEqual(selection.selected, ["0"]);
});

test("a hint on a nested board selects its block", () => {
  const { selection } = selectionOf(BLOCKS, true);
  selection.showHint(["0", "cw"]);
  assert.deepEqual([selection.selected, selection.hint], [["0"], ["0", "cw"]]);
  selection.showHint(["pass"]);
  assert.deepEqual([selection.selected, selection.hint], [[], ["pass"]]);
});

test("every change is reported", () => {
  const { selection, changes } = selectionOf(LEAPS);
  const before = changes();
  selection.click(["a1"]);
  assert.equal(changes(), before + 1);
  assert.equal(selection.unselect(), true);
  assert.equal(changes(), before + 2);
  assert.equal(selection.unselect(), false);
  assert.equal(changes(), before + 2);
});

test("a move of a complete but extensible click is played at once", () => {
  const { selection, moves } = selectionOf({ b2: { "": "b2", d2: { "": "b2d2" } } });
  selection.click(["b2"]);
  assert.deepEqual(moves, ["b2"]);
});

test("clicks with which no move starts are refused, one that clears the selection is not", () => {
  const refused = [];
  const selection = new Selection({ onmove: () => {}, onrefuse: (clicks) => refused.push(clicks) });
  selection.setLegalMoves(LEAPS);
  selection.click(["h8"]);
  selection.click(["a1"]);
  selection.click(["d4"]);
  assert.deepEqual(refused, [["h8"], ["a1", "d4"]]);
  selection.click(["a1"]);
  selection.click(["a1"]);
  selection.click(["a1"]);
  selection.click(["b1"]);
  selection.click([]);
  assert.equal(refused.length, 2);
});
