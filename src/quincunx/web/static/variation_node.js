// The nodes of a tree of variations. The first child of each node continues the main line.

/** @import { Position } from "./types.js" */

/** A position in the tree, with the move that leads to it and the nodes after it. */
export class VariationNode {
  /**
   * @param {VariationNode | null} parent null for the root
   * @param {number | null} seat null where an address does not name it
   * @param {string} move as displayed
   * @param {string} [sentMove] as sent to the server: with the seat's letter where anyone may move
   */
  constructor(parent, seat, move, sentMove = move) {
    this.parent = parent;
    /** @type {number} */
    this.plies = parent ? parent.plies + 1 : 0;
    this.seat = seat;
    this.move = move;
    this.sentMove = sentMove;
    this.played = false; // true for moves of the game itself
    /** @type {VariationNode[]} */
    this.children = [];
    /** @type {Position | null} the server's `position` message, once loaded */
    this.position = null;
  }

  /** The nodes from the root to this one, without the root. */
  get line() {
    const line = [];
    /** @type {VariationNode} */
    let node = this;
    for (; node.parent; node = node.parent) line.push(node);
    return line.reverse();
  }

  /** The last node of the main line that starts here. */
  get lastNode() {
    /** @type {VariationNode} */
    let node = this;
    while (node.children.length) [node] = node.children;
    return node;
  }

  /**
   * Returns the child that a move leads to; adds it if it does not exist.
   * @param {number | null} seat
   * @param {string} move
   * @param {string} [sentMove]
   */
  child(seat, move, sentMove) {
    const existing = this.children.find((child) => child.move === move && (child.seat ?? seat) === (seat ?? child.seat));
    if (existing) {
      existing.seat ??= seat; // moves from an address may have no seat
      return existing;
    }
    const node = new VariationNode(this, seat, move, sentMove);
    this.children.push(node);
    return node;
  }

  /**
   * Removes this node and all nodes after it from the tree; returns a function that puts them back.
   * @returns {() => void}
   */
  remove() {
    const { parent } = this;
    if (!parent) return () => {};
    const index = parent.children.indexOf(this);
    parent.children = parent.children.filter((child) => child !== this);
    return () => {
      const others = parent.children.filter((child) => child.move !== this.move || child.seat !== this.seat); // it may have been played again
      parent.children = [...others.slice(0, index), this, ...others.slice(index)];
    };
  }
}
