import assert from "node:assert/strict";
import { test } from "node:test";

import * as animation from "../../src/quincunx/web/static/animation.js";
import { arcDegrees, pathOffsets } from "../../src/quincunx/web/static/path_geometry.js";

/** An SVG element that records its animations. */
class StubElement {
  constructor(attributes = {}, tagName = "g") {
    this.attributes = new Map(Object.entries(attributes));
    this.tagName = tagName;
    this.animations = [];
    this.removed = false;
    this.transform = { baseVal: { consolidate: () => null } };
  }

  hasAttribute(name) {
    return this.attributes.has(name);
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  querySelector() {
    return null;
  }

  remove() {
    this.removed = true;
  }

  animate(keyframes, options) {
    const running = { keyframes, options };
    this.animations.push(running);
    return running;
  }
}

test("a removed piece fades and shrinks, cannot be clicked, and disappears at the end", () => {
  const piece = new StubElement({ "data-cell": "a1" });
  const duration = animation.fadeOut(piece, 1);
  assert.ok(duration > 0);
  assert.equal(piece.removed, false);
  assert.equal(piece.hasAttribute("data-cell"), false);
  const [shrink, fade] = piece.animations;
  assert.equal(shrink.keyframes[1].transform, "scale(.3)");
  assert.equal(fade.keyframes[0].opacity, 0);
  fade.onfinish();
  assert.equal(piece.removed, true);
});

test("a removed piece disappears even if its animation never ends", () => {
  const timers = [];
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (callback, milliseconds) => timers.push({ callback, milliseconds });
  const piece = new StubElement({ "data-cell": "a1" });
  const duration = animation.fadeOut(piece, 1);
  globalThis.setTimeout = setTimeout;
  const [{ callback, milliseconds }] = timers;
  assert.ok(milliseconds > duration);
  assert.equal(piece.removed, false);
  callback();
  assert.equal(piece.removed, true);
});

test("a removed mark disappears at once", () => {
  const mark = new StubElement();
  assert.equal(animation.fadeOut(mark, 1), 0);
  assert.equal(mark.removed, true);
  assert.deepEqual(mark.animations, []);
});

test("a new piece grows and is waited for, a new mark only fades in", () => {
  const [piece, mark] = [new StubElement({ "data-cell": "a1" }), new StubElement()];
  assert.ok(animation.fadeIn(piece, 1) > 0);
  assert.equal(piece.animations.length, 2);
  assert.equal(animation.fadeIn(mark, 1), 0);
  assert.equal(mark.animations.length, 1);
});

test("a piece glides from the place of the element that it replaces, and not without a distance", () => {
  const [old, moved, same] = [[10, 20], [40, 20], [10, 20]].map(([cx, cy]) => new StubElement({ cx: String(cx), cy: String(cy) }, "circle"));
  animation.glideFrom(moved, old);
  assert.equal(moved.animations[0].keyframes[0].transform, "translate(-30px, 0px)");
  animation.glideFrom(same, old);
  assert.deepEqual(same.animations, []);
});

test("a path ends at the piece's own place and takes longer with more points", () => {
  const piece = new StubElement({ "data-cell": "a1" });
  const short = animation.moveAlongPath(piece, [[0, 0], [10, 0]], 1);
  assert.equal(piece.animations[0].keyframes[0].transform, "translate(-10px, 0px) rotate(0deg)");
  assert.equal(piece.animations[0].keyframes[1].transform, "translate(0px, 0px) rotate(0deg)");
  const points = Array.from({ length: 8 }, (_, i) => [10 * i, 0]);
  const long = animation.moveAlongPath(piece, points, 1);
  assert.ok(long > short);
  assert.equal(animation.moveAlongPath(piece, points, 0.5), long / 2);
});

test("long sequences of frames are faster, down to a limit", () => {
  assert.equal(animation.frameTimeScale(3), 1);
  assert.equal(animation.frameTimeScale(12), 0.5);
  assert.equal(animation.frameTimeScale(1000), animation.frameTimeScale(2000));
});

test("the offsets of a path are proportional to its length", () => {
  assert.deepEqual(pathOffsets([[0, 0], [1, 0], [4, 0]]), [0, 0.25, 1]);
  assert.deepEqual(pathOffsets([[5, 5], [5, 5], [5, 5]]), [0, 0.5, 1]);
  assert.deepEqual(pathOffsets([[5, 5]]), [0]);
});

test("a quarter of a circle turns by 90 degrees, in either direction", () => {
  const quarter = [0, 30, 60, 90].map((degrees) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]);
  assert.ok(Math.abs(arcDegrees(quarter) - 90) < 1e-9);
  assert.ok(Math.abs(arcDegrees([...quarter].reverse()) + 90) < 1e-9);
});

test("a straight or short path and points off the circle do not turn", () => {
  assert.equal(arcDegrees([[0, 0], [1, 0], [2, 0], [3, 0]]), 0);
  assert.equal(arcDegrees([[0, 0], [1, 1], [2, 0]]), 0);
  assert.equal(arcDegrees([[1, 0], [0, 1], [-1, 0], [0, -3]]), 0);
});
