import assert from "node:assert/strict";
import { test } from "node:test";

import { EventPlayer } from "../../src/quincunx/web/static/event_player.js";
import { applyDelta } from "../../src/quincunx/web/static/picture.js";

const PICTURE = { box: [0, 0, 1, 1], defs: "", title: "", status: "", shapes: [["a", "<a/>"]] };

/** A board that records what it shows; its animations end when `finish` is called. */
class StubBoard {
  constructor() {
    this.picture = PICTURE;
    this.calls = [];
    this.waiting = [];
  }

  show(picture) {
    this.calls.push("show");
    this.picture = picture;
  }

  async playFrames(frames, options) {
    this.calls.push(["frames", frames.length, options]);
    for (const frame of frames) this.picture = applyDelta(this.picture, frame.picture);
    await new Promise((resolve) => this.waiting.push(resolve));
    return true;
  }

  /** Ends the running animation and lets everything run that waits for it. */
  async finish() {
    this.waiting.shift()();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns a player, its board, and a log of its callbacks. */
function playerOf({ isBoardFree = () => true } = {}) {
  const board = new StubBoard();
  const log = [];
  const player = new EventPlayer(board, PICTURE, {
    isBoardFree, onevent: (event) => log.push(event.number), onanimate: () => log.push("animate"), onidle: () => log.push("idle"),
  });
  return { board, log, player };
}

/** Returns a move with one frame that adds a shape. */
function moveEvent(number) {
  return { number, kind: "play", frames: [{ event: "", cells: [], ways: {}, picture: { shapes: [[0, number], [`k${number}`, "<b/>"]] } }] };
}

test("a move is animated, with its points, and the end is reported", async () => {
  const { board, log, player } = playerOf();
  const played = player.push(moveEvent(1), 12);
  assert.equal(player.playing, true);
  await board.finish();
  await played;
  assert.deepEqual(board.calls, [["frames", 1, { speed: 1, gain: 12 }]]);
  assert.deepEqual(log, [1, "animate", "idle"]);
  assert.equal(player.latestPicture, board.picture);
});

test("events wait for the animation before them, and many of them are faster, then skipped", async () => {
  const { board, log, player } = playerOf();
  for (let number = 1; number <= 6; number++) player.push(moveEvent(number), 0);
  for (let i = 0; i < 4; i++) await board.finish();
  await board.finish();
  const speeds = board.calls.map((call) => (call === "show" ? call : call[2].speed));
  assert.deepEqual(speeds, [1, "show", 3, 3, 1, 1]);
  assert.deepEqual(log, [1, "animate", 2, 3, "animate", 4, "animate", 5, "animate", 6, "animate", "idle"]);
  assert.equal(player.latestPicture.shapes.length, 7);
  assert.equal(board.picture, player.latestPicture);
});

test("while an earlier position is shown the board is left alone, but the latest picture is kept", async () => {
  const { board, log, player } = playerOf({ isBoardFree: () => false });
  await player.push(moveEvent(1), 0);
  assert.deepEqual([board.calls, log], [[], [1, "idle"]]);
  assert.deepEqual(player.latestPicture.shapes.map(([key]) => key), ["a", "k1"]);
});

test("a picture is shown without animation, and an event without one changes nothing", async () => {
  const { board, player } = playerOf();
  const other = { ...PICTURE, shapes: [] };
  await player.push({ number: 1, kind: "undo", picture: other }, 0);
  await player.push({ number: 2, kind: "name" }, 0);
  assert.deepEqual([board.calls, board.picture], [["show"], other]);
});

test("a move is not animated on a board that shows another picture", async () => {
  const { board, player } = playerOf();
  board.picture = { ...PICTURE };
  await player.push(moveEvent(1), 0);
  assert.deepEqual(board.calls, ["show"]);
});

test("a new picture drops the waiting events", async () => {
  const { board, log, player } = playerOf();
  const played = player.push(moveEvent(1), 0);
  player.push(moveEvent(2), 0);
  player.reset(PICTURE);
  await board.finish();
  await played;
  assert.deepEqual(log, [1, "animate", "idle"]);
});
