import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import {
  adoptIssued, loadSeats, loadValue, ownSecrets, saveIssued, saveSeats, saveValue, seatFromHash,
} from "../../src/quincunx/web/static/storage.js";

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

test("a new secret is used once it is issued, and replaces the invitation once it is confirmed", () => {
  const entries = useStorage();
  saveSeats("r1", { mine: { 0: "invitation", 1: "own" }, others: { 2: "z" } });
  assert.equal(saveIssued("r1", { 0: "new" }), true);
  assert.equal(loadSeats("r1").mine[0], "invitation"); // until the server has confirmed
  assert.deepEqual(ownSecrets("r1", new Set()), { 0: "new", 1: "own" });
  adoptIssued("r1", { 0: "new" });
  assert.deepEqual(loadSeats("r1"), { mine: { 0: "new", 1: "own" }, others: { 2: "z" } });
  assert.deepEqual(JSON.parse(entries.get("issued")), {});
});

test("of two tabs that exchange an invitation, the one that is confirmed wins", () => {
  useStorage();
  saveIssued("r1", { 0: "first" });
  saveIssued("r1", { 0: "second" }); // by the other tab
  adoptIssued("r1", { 0: "first" });
  assert.equal(ownSecrets("r1", new Set())[0], "second");
  assert.deepEqual(ownSecrets("r1", new Set(["second"])), { 0: "first" }); // the server refuses the other one
});

test("a tab that has no seat to store writes nothing", () => {
  const entries = useStorage();
  saveSeats("r1", { mine: {} });
  assert.equal(entries.size, 0);
});

test("a browser that stores nothing says so, and its invitation stays valid", () => {
  useStorage(true);
  assert.equal(saveIssued("r1", { 0: "new" }), false);
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
