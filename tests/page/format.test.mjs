import assert from "node:assert/strict";
import { test } from "node:test";

import {
  formatBot, formatClock, formatEffects, formatEngine, formatEvaluation, formatEvent, formatTimeAgo, formatValue,
  quantity,
} from "../../src/quincunx/web/static/format.js";

test("events are sentences with the player's name", () => {
  assert.equal(formatEvent({ kind: "play", move: "a1e3" }, "ada"), "ada plays a1e3.");
  assert.equal(formatEvent({ kind: "flag" }, "ada"), "ada ran out of time.");
  assert.equal(formatEvent({ kind: "answer", yes: false }, "ada"), "ada declined the takeback.");
});

test("a granted takeback, a name and an unknown event are not reported", () => {
  for (const event of [{ kind: "answer", yes: true }, { kind: "name" }, { kind: "later" }]) assert.equal(formatEvent(event, "ada"), "");
});

test("values have a sign, proven ones the number of moves", () => {
  assert.equal(formatValue(0.424), "+0.42");
  assert.equal(formatValue(-0.5), "−0.50");
  assert.equal(formatValue(1, 3), "wins in 3");
  assert.equal(formatValue(-1, 2, true), "loses in 2");
  assert.equal(formatValue(0, null, true), "draw");
  assert.equal(formatValue(0, 4), "draw");
  assert.equal(formatValue(0), "+0.00");
  assert.equal(formatValue(null), "");
});

test("the age of a game is given in its largest unit", () => {
  const now = 1_800_000_000_000;
  const age = (seconds) => formatTimeAgo(now - 1000 * seconds, now);
  assert.deepEqual([0, 59, 60, 7200, 86_400, 200_000].map(age),
    ["just now", "just now", "1 minute ago", "2 hours ago", "1 day ago", "2 days ago"]);
  assert.equal(age(-100), "just now");
});

test("a clock shows hours, minutes and, in the last seconds, tenths", () => {
  assert.deepEqual([3_845_000, 245_000, 60_000, 59_999, 10_000, 9_999, 940, 0].map(formatClock),
    ["1:04:05", "4:05", "1:00", "0:59", "0:10", "9.9", "0.9", "0.0"]);
});

test("of two seats a value is that of the first one, whoever is to move", () => {
  const seats = ["White", "Black"];
  assert.equal(formatEvaluation({ value: 0.42 }, 0, seats), "+0.42");
  assert.equal(formatEvaluation({ value: 0.42 }, 1, seats), "−0.42");
  assert.equal(formatEvaluation({ value: 1, plies: 3 }, 1, seats), "Black wins in 3");
  assert.equal(formatEvaluation({ value: -1, plies: 3 }, 1, seats), "White wins in 3");
  assert.equal(formatEvaluation({ value: 0, plies: null }, 1, seats, true), "draw");
  assert.equal(formatEvaluation({ value: 0.1, points: 3 }, 1, seats), "−3 points");
  assert.equal(formatEvaluation({ value: -0, points: null }, 1, seats), "+0.00");
});

test("numbers have a noun in singular or plural", () => {
  assert.deepEqual([0, 1, 2].map((count) => quantity(count, "move")), ["0 moves", "1 move", "2 moves"]);
  assert.equal(formatEvaluation({ value: 0.1, points: 1.04 }, 0, ["Player"]), "1 point");
  assert.equal(formatEvaluation({ value: 0.1, points: -1 }, 0, ["White", "Black"]), "−1 point");
});

test("a solo game shows points, and one of more players the name of the seat", () => {
  assert.equal(formatEvaluation({ value: 0.3, points: 612.44 }, 0, ["Player"]), "612.4 points");
  assert.equal(formatEvaluation({ value: 0.3 }, 2, ["Red", "Blue", "Green"]), "Green +0.30");
  assert.equal(formatEvaluation({ value: 0.3, points: -2 }, 2, ["Red", "Blue", "Green"]), "Green −2 points");
});

test("players are named without their parameters' notation", () => {
  assert.equal(formatEngine("alphabeta:time=1.6", 3.2), "Alpha-beta search, 3.2 s");
  assert.equal(formatEngine("perfect", 0.2), "Solved: every value is exact");
  assert.equal(formatBot("smart:difficulty=50"), "smart, difficulty 50");
  assert.equal(formatBot("mcts:sims=8,explore=0.1"), "mcts, sims 8, explore 0.1");
});

test("what a move has caused is written once, as sentences", () => {
  const frames = [{}, { text: "five in a chain" }, { text: "unbalanced: the board turns" }, { text: "five in a chain; settled" }];
  assert.equal(formatEffects(frames), "Five in a chain. Unbalanced: the board turns. Settled.");
  assert.equal(formatEffects([{}]), "");
});
