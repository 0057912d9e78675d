import assert from "node:assert/strict";
import { test } from "node:test";

import { copiedPosition, formatOptions, parseOptions } from "../../src/quincunx/web/static/options.js";

const GAME = { name: "stones", rules: 2, options: [{ name: "players", default: 2 }, { name: "order", default: "any" }] };

test("options are written to an address and read from it", () => {
  const options = { players: 3, order: "turns", open: true };
  assert.deepEqual(parseOptions(formatOptions(options)), options);
});

test("a position with the usual options is copied as its text", () => {
  assert.equal(copiedPosition(GAME, {}, 2, "x/o w"), "x/o w");
  assert.equal(copiedPosition(GAME, { players: 2, order: "any" }, 2, "x/o w"), "x/o w");
});

test("a position with other options is copied as a record that names them", () => {
  assert.equal(copiedPosition(GAME, { players: 3, order: "turns" }, 2, "x/o w"),
    '[Game "stones"] [Rules "2"] [Options "players=3 order=turns"] [Start "x/o w"]');
  assert.equal(copiedPosition(GAME, { players: 3 }, 2, 'a"b\\c'), '[Game "stones"] [Rules "2"] [Options "players=3"] [Start "a\\"b\\\\c"]');
});

test("a position of former rules names them", () => {
  assert.equal(copiedPosition(GAME, {}, 1, "x/o w"), '[Game "stones"] [Rules "1"] [Start "x/o w"]');
});
