import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";

import {
  dropInvalid, loadSeats, loadValue, ownSecrets, saveIssued, saveSeats, saveValue, seatFromHash,
} from "../../src/quincunx/web/static/storage.js";

/** Replaces local storage by a map; `setItem` fails, or all of it, as in browsers that block it. */
function useStorage({ writable = true, readable = true } = {}) {
  const entries = new Map();
  const check = (allowed) => { if (!allowed) throw new Error("storage is disabled"); };
  globalThis.localStorage = {
    get length() { check(readable); return entries.size; },
    key: (index) => { check(readable); return [...entries.keys()][index] ?? null; },
    getItem: (key) => { check(readable); return entries.get(key) ?? null; },
    setItem: (key, value) => { check(writable && readable); entries.set(key, value); },
    removeItem: (key) => { check(readable); entries.delete(key); },
  };
  return entries;
}

const UNUSABLE = [{ writable: false }, { readable: false }];

afterEach(() => {
  delete globalThis.localStorage;
  mock.timers.reset();
});

test("a value is stored and loaded, or the fallback without one", () => {
  useStorage();
  assert.equal(loadValue("speed", 1), 1);
  saveValue("speed", 5);
  assert.equal(loadValue("speed", 1), 5);
  saveValue("engine", false);
  assert.equal(loadValue("engine", true), false);
});

test("a damaged value gives the fallback", () => {
  useStorage().set("speed", "{");
  assert.equal(loadValue("speed", 2), 2);
});

test("what the browser does not store lasts as long as the page", () => {
  for (const [index, disabled] of UNUSABLE.entries()) {
    useStorage(disabled);
    assert.equal(loadValue(`setup:${index}`, null), null);
    assert.equal(saveValue(`setup:${index}`, { level: 3 }), false);
    assert.deepEqual(loadValue(`setup:${index}`, null), { level: 3 });
  }
  useStorage(); // there is space again
  assert.equal(saveValue("setup:0", { level: 4 }), true);
  assert.deepEqual(loadValue("setup:0", null), { level: 4 });
});

test("secrets are added to those of a room, and an own seat is not open to others", () => {
  useStorage();
  saveSeats("r1", { mine: { 0: "x" }, others: { 1: "y", 2: "z" } });
  saveSeats("r1", { mine: { 1: "y" } });
  assert.deepEqual(loadSeats("r1"), { mine: { 0: "x", 1: "y" }, others: { 2: "z" } });
  assert.deepEqual(loadSeats("r2"), { mine: {}, others: {} });
});

test("an issued secret is used before its invitation, which is kept until the server has accepted one", () => {
  const entries = useStorage();
  mock.timers.enable({ apis: ["Date"] });
  saveSeats("r1", { mine: { 0: "invitation", 1: "own" }, others: { 2: "z" } });
  assert.equal(saveIssued("r1", { 0: "new" }), true);
  mock.timers.tick(1);
  saveSeats("r1", { mine: { 0: "invitation" } }); // by another tab, later
  assert.deepEqual(ownSecrets("r1", new Set()), { 0: "new", 1: "own" });
  assert.deepEqual(ownSecrets("r1", new Set(["new"])), { 0: "invitation", 1: "own" });
  dropInvalid("r1", { 0: "new" });
  assert.deepEqual(loadSeats("r1"), { mine: { 0: "new", 1: "own" }, others: { 2: "z" } });
  assert.equal(entries.size, 3);
});

test("no tab overwrites what another has stored: the newest secret that is not refused is used", () => {
  useStorage();
  mock.timers.enable({ apis: ["Date"] });
  saveIssued("r1", { 0: "first" });
  mock.timers.tick(1);
  saveIssued("r1", { 0: "second" }); // by the other tab
  assert.deepEqual(ownSecrets("r1", new Set()), { 0: "second" });
  assert.deepEqual(ownSecrets("r1", new Set(["second"])), { 0: "first" });
  assert.deepEqual(ownSecrets("r1", new Set(["first", "second"])), {});
});

test("two rooms are stored apart", () => {
  useStorage();
  saveSeats("r1", { mine: { 0: "x" } });
  saveSeats("r10", { mine: { 0: "y" } });
  dropInvalid("r1", { 0: "z" });
  assert.deepEqual(loadSeats("r1").mine, {});
  assert.deepEqual(loadSeats("r10").mine, { 0: "y" });
});

test("a browser that stores nothing keeps invitations for the page, and no secret issued for them", () => {
  for (const [index, disabled] of UNUSABLE.entries()) {
    useStorage(disabled);
    const room = `private${index}`;
    saveSeats(room, { mine: { 0: "invitation" }, others: { 1: "y" } });
    assert.equal(saveIssued(room, { 0: "new" }), false);
    assert.deepEqual(loadSeats(room), { mine: { 0: "invitation" }, others: { 1: "y" } });
    dropInvalid(room, { 0: "other", 1: "other" });
    assert.deepEqual(loadSeats(room), { mine: {}, others: {} });
  }
});

test("secrets that earlier versions stored for all rooms together are found", () => {
  const entries = useStorage();
  entries.set("rooms", JSON.stringify({ r1: { mine: { 0: "x" }, others: { 1: "y", 2: "z" } } }));
  assert.deepEqual(loadSeats("r1"), { mine: { 0: "x" }, others: { 1: "y", 2: "z" } });
  saveSeats("r1", { mine: { 1: "y" } });
  saveIssued("r1", { 0: "new" });
  dropInvalid("r1", { 0: "new" });
  assert.deepEqual(loadSeats("r1"), { mine: { 0: "new", 1: "y" }, others: { 2: "z" } });
});

test("the secrets of the oldest rooms are dropped, not those used last", () => {
  useStorage();
  mock.timers.enable({ apis: ["Date"] });
  const save = (room, mine) => { mock.timers.tick(1); saveSeats(room, { mine }); };
  for (let i = 0; i < 200; i++) save(`room${i}`, { 0: "x" });
  save("room0", { 1: "y" });
  save("new", { 0: "z" });
  assert.deepEqual(loadSeats("room0").mine, { 0: "x", 1: "y" });
  assert.deepEqual(loadSeats("room1").mine, {});
  assert.deepEqual(loadSeats("room2").mine, { 0: "x" });
});

test("an invitation is read from the hash of an address", () => {
  assert.deepEqual(seatFromHash("#seat=1&secret=abc"), { 1: "abc" });
  for (const hash of ["", "#main", "#seat=1", "#secret=abc", "#seat=one&secret=abc", "#seat=1&secret="]) {
    assert.deepEqual(seatFromHash(hash), {}, hash);
  }
});
