import assert from "node:assert/strict";
import { test } from "node:test";

import { RoomHistory } from "../../src/quincunx/web/static/room_history.js";

test("a position is loaded once", async () => {
  const loaded = [];
  const history = new RoomHistory(async (plies) => { loaded.push(plies); return { picture: null, text: `p${plies}` }; });
  await history.goTo(3);
  await history.goTo(2);
  assert.deepEqual(await history.goTo(3), { plies: 3, picture: null, text: "p3" });
  assert.deepEqual(loaded, [3, 2]);
  history.reset();
  assert.equal(history.current, null);
  await history.goTo(3);
  assert.deepEqual(loaded, [3, 2, 3]);
});

test("a position that arrives after another was chosen is not shown", async () => {
  const answers = new Map();
  const history = new RoomHistory((plies) => new Promise((resolve) => answers.set(plies, resolve)));
  const [first, second] = [history.goTo(1), history.goTo(2)];
  answers.get(2)({ picture: null, text: "p2" });
  answers.get(1)({ picture: null, text: "p1" });
  assert.equal(await first, null);
  assert.equal((await second).plies, 2);
  assert.equal(history.current.plies, 2);
});

test("going back to the game cancels a position that is being loaded", async () => {
  let answer = null;
  const history = new RoomHistory(() => new Promise((resolve) => { answer = resolve; }));
  const pending = history.goTo(1);
  history.leave();
  answer({ picture: null, text: "p1" });
  assert.equal(await pending, null);
  assert.equal(history.current, null);
});

test("a position that cannot be loaded leaves the current one", async () => {
  const history = new RoomHistory(async (plies) => (plies === 1 ? { picture: null, text: "p1" } : null));
  await history.goTo(1);
  assert.equal(await history.goTo(2), null);
  assert.equal(history.current.plies, 1);
});
