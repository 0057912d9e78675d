// Legal moves as a tree of clicks: {"a1": {"e3": {"": "a1e3"}}, "place": {"": "place"}}. Each node maps the names of
// cells and buttons to the node after their click; the text of a move is under "", where its clicks end.

/** @import { ClickTree } from "./types.js" */

/** @type {ClickTree} */
export const EMPTY_TREE = Object.freeze({});

/**
 * Returns the node after these clicks, or null if no legal move starts with them.
 * @param {ClickTree} tree
 * @param {string[]} clicks
 * @returns {ClickTree | null}
 */
export function nodeAt(tree, clicks) {
  /** @type {ClickTree | null} */
  let node = tree;
  for (const name of clicks) node = node && child(node, name);
  return node;
}

/**
 * Returns the names that can be clicked at a node, in the order of the tree.
 * @param {ClickTree} node
 */
export function nextClicks(node) {
  return Object.keys(node).filter((name) => name !== "");
}

/**
 * Returns the move that is complete at a node, or null.
 * @param {ClickTree} node
 */
export function moveAt(node) {
  return node[""] ?? null;
}

/**
 * Returns true if further clicks are possible at a node.
 * @param {ClickTree} node
 */
export function isExtensible(node) {
  return nextClicks(node).length > 0;
}

/**
 * Returns the names whose click alone is a complete move.
 * @param {ClickTree} tree
 */
export function oneClickMoves(tree) {
  return nextClicks(tree).filter((name) => isComplete(child(tree, name)));
}

/**
 * Returns the names from which a move goes on to another click.
 * @param {ClickTree} tree
 */
export function origins(tree) {
  return nextClicks(tree).filter((name) => isOrigin(tree, name));
}

/**
 * Returns true if a move starts at that name and goes on to another click.
 * @param {ClickTree} tree
 * @param {string} name
 */
export function isOrigin(tree, name) {
  const node = child(tree, name);
  return node !== null && isExtensible(node);
}

/**
 * Returns the texts of all moves of a tree.
 * @param {ClickTree} tree
 * @returns {string[]}
 */
export function allMoves(tree) {
  const move = moveAt(tree);
  const longer = nextClicks(tree).flatMap((name) => allMoves(child(tree, name) ?? EMPTY_TREE));
  return move === null ? longer : [move, ...longer];
}

/** @param {ClickTree | null} node */
function isComplete(node) {
  return node !== null && moveAt(node) !== null;
}

/**
 * @param {ClickTree} node
 * @param {string} name
 */
function child(node, name) {
  // Own properties only: a cell may not be called "constructor", but typed or pasted names may.
  const next = name !== "" && Object.hasOwn(node, name) ? node[name] : null;
  return typeof next === "object" ? next : null;
}
