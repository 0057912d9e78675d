import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { loadSeats, loadValue, saveSeats, saveValue, seatFromHash } from "../../src/quincunx/web/static/storage.js";

/** Replaces local storage by a map, or by one that always fails. */
function useStorage(fails = false) {
  const entries = new Map();
  const check = () => { if (fails) throw new Error("storage is disabled"); };
  globalThis.localStorage = {
    getItem: (key) => { check(); return entries.get(key) ?? null; },
    setItem: (key, value) => { check(); entries.set(key, value); },
  };
  return entries;
}

afterEach(() => { delete globalThis.localStorage; });

test("a value is stored and loaded, or the fallback without one", () => {
  useStorage();
  assert.equal(loadValue("speed", 1), 1);
  saveValue("speed", 5);
  assert.equal(loadValue("speed", 1), 5);
  saveValue("engine", false);
  assert.equal(loadValue("engine", true), false);
});

test("damaged and disabled storage give the fallback", () => {
  useStorage().set("speed", "{");
  assert.equal(loadValue("speed", 2), 2);
  useStorage(true);
  saveValue("speed", 5);
  assert.equal(loadValue("speed", 2), 2);
});

test("secrets are added to those of a room, and an own seat is not open to others", () => {
  useStorage();
  saveSeats("r1", { mine: { 0: "x" }, others: { 1: "y", 2: "z" } });
  saveSeats("r1", { mine: { 1: "y" } });
  assert.deepEqual(loadSeats("r1"), { mine: { 0: "x", 1: "y" }, others: { 2: "z" } });
  assert.deepEqual(loadSeats("r2"), { mine: {}, others: {} });
});

test("the secrets of the oldest rooms are dropped, not those used last", () => {
  useStorage();
  for (let i = 0; i < 200; i++) saveSeats(`room${i}`, { mine: { 0: "x" } });
  saveSeats("room0", { mine: { 1: "y" } });
  saveSeats("new", { mine: { 0: "z" } });
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
