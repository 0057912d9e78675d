// Which preset a setup shows, and the options that it stands for.

import assert from "node:assert/strict";
import { test } from "node:test";

import { initialPreset, presetOptionNames, presetOptions } from "../../src/quincunx/web/static/presets.js";

const PRESETS = {
  name: "length", selected: 1, presets: [
    { name: "quick", about: "60 each", options: {}, per_seat: { limit: 60 } },
    { name: "normal", about: "200 each", options: {}, per_seat: { limit: 200 } },
    { name: "full", about: "no limit", options: { limit: 0 }, per_seat: {} },
  ],
};
const GAME = { options: [{ name: "players", kind: "int", default: 4, about: "" }], presets: PRESETS, seats: { least: 2, most: 6 } };

test("values per seat are multiplied by the number of seats", () => {
  assert.deepEqual(presetOptions(PRESETS, "quick", 4), { limit: 240 });
  assert.deepEqual(presetOptions(PRESETS, "full", 4), { limit: 0 });
  assert.deepEqual(presetOptions(PRESETS, "other", 4), {});
  assert.deepEqual(presetOptions(null, "quick", 4), {});
});

test("a game without presets replaces no options", () => {
  assert.deepEqual([...presetOptionNames(null)], []);
  assert.deepEqual([...presetOptionNames(PRESETS)], ["limit"]);
});

test("a setup starts with the preset of the game, the one chosen before, or the one of the given options", () => {
  assert.equal(initialPreset(GAME, { options: {} }), "normal");
  assert.equal(initialPreset(GAME, { options: {}, preset: "quick" }), "quick");
  assert.equal(initialPreset(GAME, { options: {}, preset: "gone" }), "normal");
  assert.equal(initialPreset(GAME, { options: { limit: 0 } }), "full");
  assert.equal(initialPreset(GAME, { options: { limit: 120, players: 2 } }), "quick");
  assert.equal(initialPreset(GAME, { options: { limit: 50 } }), "other");
});
