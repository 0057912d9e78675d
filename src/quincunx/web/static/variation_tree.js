// A tree of variations: its nodes, and its move list. The first child of each node continues the main line.

import { h, setChildren } from "./dom.js";
import { seatDisc } from "./players.js";

/** A position in the tree, with the move that leads to it and the nodes after it. */
export class VariationNode {
  constructor(parent, seat, move, sentMove = move) {
    this.parent = parent;
    this.plies = parent ? parent.plies + 1 : 0;
    this.seat = seat;
    this.move = move; // as displayed
    this.sentMove = sentMove; // as sent to the server: with the seat's letter where anyone may move
    this.played = false; // true for moves of the game itself
    /** @type {VariationNode[]} */
    this.children = [];
    this.position = null; // the server's `position` message, once loaded
  }

  /** The nodes from the root to this one, without the root. */
  get line() {
    const line = [];
    for (let node = this; node.parent; node = node.parent) line.push(node);
    return line.reverse();
  }

  /** The last node of the main line that starts here. */
  get lastNode() {
    let node = this;
    while (node.children.length) [node] = node.children;
    return node;
  }

  /** Returns the child that a move leads to; adds it if it does not exist. */
  child(seat, move, sentMove) {
    const existing = this.children.find((child) => child.move === move && (child.seat ?? seat) === seat);
    if (existing) {
      existing.seat ??= seat; // moves from an address may have no seat
      return existing;
    }
    const node = new VariationNode(this, seat, move, sentMove);
    this.children.push(node);
    return node;
  }

  /** Removes this node and all nodes after it from the tree. */
  remove() {
    this.parent.children = this.parent.children.filter((child) => child !== this);
  }
}

/** The moves of a tree as a list of buttons, with variations indented. */
export class VariationTree {
  /** @param {{onselect: (node: VariationNode) => void}} callbacks */
  constructor(game, root, { onselect }) {
    this.game = game;
    this.root = root;
    this.onselect = onselect;
    this.element = h("div", { class: "move-list variation-tree", role: "group", "aria-label": "Moves and variations", tabindex: "0" });
  }

  /** Draws the tree, marks the current node and scrolls to it. */
  draw(current) {
    const placeholder = h("p", { class: "muted" }, "Moves you try on the board appear here.");
    setChildren(this.element, this.root.children.length ? this.#lineElements(this.root, current) : placeholder);
    const marked = this.element.querySelector("[aria-current]");
    if (marked) this.element.scrollTop = marked.offsetTop - this.element.clientHeight / 2;
  }

  /** Returns the elements for the moves after a node: each move of the main line, followed by its alternatives. */
  #lineElements(start, current) {
    const elements = [];
    let node = start;
    while (node.children.length) {
      const [main, ...alternatives] = node.children;
      elements.push(this.#moveButton(main, current));
      for (const alternative of alternatives) {
        elements.push(h("div", { class: "variation" }, this.#moveButton(alternative, current), this.#lineElements(alternative, current)));
      }
      node = main;
    }
    return elements;
  }

  #moveButton(node, current) {
    return h("button", {
      type: "button", tabindex: "-1", "aria-current": node === current && "true", onclick: () => this.onselect(node),
    }, h("span", { class: "number" }, node.plies), seatDisc(this.game, node.seat), node.move);
  }
}
