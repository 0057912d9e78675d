// The variations of an analysis in local storage, so that they survive a reload: one tree for each game that is analysed.

import { formatOptions } from "./options.js";
import { dropOldest, loadValue, saveValue } from "./storage.js";

/** @import { AnalysisSource } from "./analysis_source.js" */
/** @import { StoredNode } from "./types.js" */
/** @import { VariationNode } from "./variation_node.js" */

const PREFIX = "analysis:";
const MAX_TREES = 30; // the oldest are dropped first
const MAX_NODES = 2000; // of one tree

/**
 * Returns the nodes of a tree without those of the game itself, each after the node that it follows.
 * @param {VariationNode} root
 * @param {boolean} ofRoom true if the moves of the game are in a room, which has them
 * @returns {StoredNode[]}
 */
export function storedNodes(root, ofRoom) {
  /** @type {StoredNode[]} */
  const stored = [];
  /** @type {[VariationNode, number | null][]} nodes whose children are to be stored, and their index if they are stored */
  const queue = [[root, null]];
  for (const [node, index] of queue) { // grows meanwhile
    for (const child of node.children) {
      if (stored.length >= MAX_NODES) return stored;
      if (ofRoom && child.played) queue.push([child, null]);
      else {
        const { seat, move, sentMove } = child;
        queue.push([child, stored.length]);
        stored.push({ after: index, plies: node.plies, seat, move, sentMove });
      }
    }
  }
  return stored;
}

/**
 * Adds stored nodes to a tree that has the moves of the game.
 * @param {VariationNode} root
 * @param {StoredNode[]} stored
 */
export function restoreNodes(root, stored) {
  /** @type {VariationNode[]} */
  const mainLine = [root];
  for (let node = root.children[0]; node?.played; node = node.children[0]) mainLine.push(node);
  /** @type {(VariationNode | undefined)[]} */
  const restored = [];
  for (const { after, plies, seat, move, sentMove } of stored) {
    const parent = after === null ? mainLine[plies] : restored[after];
    restored.push(parent?.child(seat, move, sentMove)); // a game may have been taken back to before a variation
  }
}

/**
 * @param {AnalysisSource} source
 * @returns {`analysis:${string}`}
 */
function key({ game, options, room, startFields: { rules, seed, start } }) {
  return `${PREFIX}${room ?? [game.name, formatOptions(options), start ?? "", seed ?? "", rules ?? ""].join("|")}`;
}

/**
 * Stores the variations of an analysis, if it has any or had some before.
 * @param {AnalysisSource} source
 * @param {VariationNode} root
 */
export function saveVariations(source, root) {
  const nodes = storedNodes(root, source.room !== null);
  if (!nodes.length && !loadValue(key(source), { time: 0, nodes }).time) return;
  saveValue(key(source), { time: Date.now(), nodes });
  dropOldest(PREFIX, MAX_TREES);
}

/**
 * Adds the stored variations of an analysis to its tree.
 * @param {AnalysisSource} source
 * @param {VariationNode} root
 */
export function loadVariations(source, root) {
  restoreNodes(root, loadValue(key(source), { time: 0, nodes: [] }).nodes);
}
