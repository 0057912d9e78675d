// Routes, queries, options and moves in addresses.

import assert from "node:assert/strict";
import { test } from "node:test";

import { parseMoves } from "../../src/quincunx/web/static/analysis_source.js";
import { asRequestError, queryString, RequestError, retryWhileBusy } from "../../src/quincunx/web/static/api.js";
import { formatOptions, parseOptions } from "../../src/quincunx/web/static/options.js";
import { findRoute, internalAddress } from "../../src/quincunx/web/static/router.js";
import { rootOf, sitePath } from "../../src/quincunx/web/static/site_root.js";

const ROOM = { path: /^\/room\/([\w-]+)$/, open: async () => null };
const LEARN = { path: /^\/learn(?:\/([\w-]+))?$/, open: async () => null };
const ROUTES = [ROOM, LEARN];
const HERE = new URL("http://localhost:8200/room/r1");

test("a route is found by its path, with the captured groups", () => {
  assert.deepEqual(findRoute(ROUTES, "/room/r1"), { route: ROOM, parameters: ["r1"] });
  assert.deepEqual(findRoute(ROUTES, "/learn"), { route: LEARN, parameters: [undefined] });
  assert.equal(findRoute(ROUTES, "/room/"), null);
});

test("links to pages are opened here; links to files, sites and places in the page are left to the browser", () => {
  const address = (link) => internalAddress(ROUTES, new URL(link, HERE), HERE);
  assert.equal(address("/learn/onoro?x=1#end"), "/learn/onoro?x=1#end");
  assert.equal(address("/api/rooms/r1/record.qx"), null);
  assert.equal(address("https://example.org/learn"), null);
  assert.equal(address("#main"), null);
  assert.equal(address("#seat=1&secret=abc"), "/room/r1#seat=1&secret=abc");
});

test("a query leaves out empty values, keeps zero and repeats arrays", () => {
  assert.equal(queryString({ game: "wzlz", seed: 0, start: "", moves: null, plies: undefined }), "?game=wzlz&seed=0");
  assert.equal(queryString({ option: ["rows=5", "cols=4"] }), "?option=rows%3D5&option=cols%3D4");
  assert.equal(queryString({ start: "" }), "");
});

test("options keep their types through an address", () => {
  const options = { rows: 5, show_next_balls: false, variant: "lines98" };
  assert.deepEqual(parseOptions(formatOptions(options)), options);
  assert.deepEqual([formatOptions({}), formatOptions(null), parseOptions(""), parseOptions(null)], ["", "", {}, {}]);
});

test("moves of an address may name their seat", () => {
  assert.deepEqual(parseMoves("a1e3  h8d6", "wb"), [
    { seat: null, move: "a1e3", sentMove: "a1e3" }, { seat: null, move: "h8d6", sentMove: "h8d6" },
  ]);
  assert.deepEqual(parseMoves("Y:0,1", "RYBG"), [{ seat: 1, move: "0,1", sentMove: "Y:0,1" }]);
  assert.deepEqual(parseMoves("", "wb"), []);
});

test("only request errors are shown to people", () => {
  const error = new RequestError("late", "The board has changed.", "number");
  assert.equal(asRequestError(error), error);
  assert.throws(() => asRequestError(new TypeError("x is undefined")), TypeError);
});

test("a busy server is asked again until it answers, and other errors are passed on", async () => {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (callback) => setTimeout(callback, 0);
  const reasons = [];
  let calls = 0;
  const answer = await retryWhileBusy(async () => {
    calls += 1;
    if (calls < 3) throw new RequestError("busy", "compiling");
    return "ready";
  }, (reason) => reasons.push(reason));
  globalThis.setTimeout = setTimeout;
  assert.deepEqual([answer, calls, reasons], ["ready", 3, ["compiling", "compiling"]]);
  await assert.rejects(retryWhileBusy(async () => { throw new RequestError("room", "unknown"); }, () => {}), { code: "room" });
});

test("the root path of a site follows from the address of its scripts", () => {
  assert.equal(rootOf("https://example.org/static/site_root.js"), "");
  assert.equal(rootOf("https://example.org/play/static/site_root.js"), "/play");
  assert.equal(rootOf("https://example.org/a/b/static/site_root.js"), "/a/b");
  assert.equal(rootOf("file:///src/static/site_root.js"), "");
});

test("paths are inside of a site or not", () => {
  assert.deepEqual(["/play", "/play/", "/play/room/x", "/player", "/"].map((path) => sitePath(path, "/play")),
    ["/", "/", "/room/x", null, null]);
  assert.deepEqual(["/", "/room/x"].map((path) => sitePath(path, "")), ["/", "/room/x"]);
});
