import assert from "node:assert/strict";
import { test } from "node:test";

import { possibleActions } from "../../src/quincunx/web/static/actions.js";

const HUMAN = { name: null, kind: "human", text: "human", here: true };
const BOT = { name: "learner", kind: "bot", text: "level:2", here: true };

/** Returns the names of the actions of a room. */
function actionNames(players, you, fields = {}) {
  return possibleActions({ players, you, over: false, paused: false, ...fields }).map(([name]) => name);
}

test("against bots a hint and the analysis are allowed", () => {
  assert.deepEqual(actionNames([HUMAN, BOT], [0]), ["undo", "hint", "pause", "resign", "flip", "analyse", "share", "type"]);
});

test("between people they are not, until the game is over", () => {
  assert.deepEqual(actionNames([HUMAN, HUMAN], [0]), ["undo", "pause", "resign", "flip", "share", "type"]);
  assert.deepEqual(actionNames([HUMAN, HUMAN], [0], { over: true }), ["rematch", "flip", "analyse", "share"]);
});

test("one person on all seats of one screen has both", () => {
  assert.deepEqual(actionNames([HUMAN, HUMAN], [0, 1]), ["undo", "hint", "pause", "resign", "flip", "analyse", "share", "type"]);
});

test("where anyone may move nothing is taken back", () => {
  assert.ok(!actionNames([HUMAN, BOT], [0], { live: true }).includes("undo"));
});

test("who has requested a rematch waits", () => {
  assert.ok(actionNames([HUMAN, HUMAN], [0], { over: true, wishes: [1] }).includes("rematch"));
  assert.ok(!actionNames([HUMAN, HUMAN], [0], { over: true, wishes: [0] }).includes("rematch"));
});

test("spectators analyse a running game of bots only", () => {
  assert.ok(actionNames([BOT, BOT], []).includes("analyse"));
  assert.ok(!actionNames([HUMAN, BOT], []).includes("analyse"));
});

test("a spectator can only look", () => {
  assert.deepEqual(actionNames([HUMAN, HUMAN], []), ["flip", "share"]);
});

test("a paused game can be resumed, without hints", () => {
  assert.deepEqual(actionNames([HUMAN, BOT], [0], { paused: true }), ["undo", "resume", "resign", "flip", "analyse", "share", "type"]);
});

test("a solo game is ended and played again", () => {
  const labels = (over) => possibleActions({ players: [HUMAN], you: [0], over, paused: false }).map(([, , label]) => label);
  assert.ok(labels(false).includes("End"));
  assert.ok(labels(true).includes("Play again"));
});
