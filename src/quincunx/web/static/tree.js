// A tree of variations: every line that was tried, the first of each place being the main one.

import { fill, h } from "./dom.js";
import { chip } from "./players.js";

/** One place in the tree: the move that leads there, and what was tried from it. */
export class Node {
  constructor(parent, seat, move, text = move) {
    this.parent = parent;
    this.plies = parent ? parent.plies + 1 : 0;
    this.seat = seat;
    this.move = move; // as people read it
    this.text = text; // as the server reads it
    this.played = false; // true for moves of the game itself
    /** @type {Node[]} */
    this.children = [];
    this.position = null; // what the server said of it
  }

  /** The nodes from the root to here, without the root. */
  get line() {
    const line = [];
    for (let node = this; node.parent; node = node.parent) line.push(node);
    return line.reverse();
  }

  /** The end of the main line from here. */
  get end() {
    let node = this;
    while (node.children.length) [node] = node.children;
    return node;
  }

  /** The node after a move: the one that is there, or a new one. */
  after(seat, move, text) {
    const known = this.children.find((child) => child.move === move && (child.seat ?? seat) === seat);
    if (known) {
      known.seat ??= seat; // moves of an address do not say who made them
      return known;
    }
    const node = new Node(this, seat, move, text);
    this.children.push(node);
    return node;
  }

  /** Takes this node and all that follows out of the tree. */
  cut() {
    this.parent.children = this.parent.children.filter((child) => child !== this);
  }
}

/** The tree on the page. */
export class Tree {
  constructor(game, root, { onselect }) {
    this.game = game;
    this.root = root;
    this.onselect = onselect;
    this.element = h("div", { class: "moves tree", role: "group", "aria-label": "Moves and variations", tabindex: "0" });
  }

  /** Draws the tree with the current place marked. */
  draw(current) {
    const empty = h("p", { class: "quiet" }, "Moves you try on the board stand here.");
    fill(this.element, this.root.children.length ? this.#line(this.root, current) : empty);
    const here = this.element.querySelector("[aria-current]");
    if (here) this.element.scrollTop = here.offsetTop - this.element.clientHeight / 2;
  }

  /** What follows a node: its main move, the variations beside that, and so on. */
  #line(from, current) {
    const out = [];
    let node = from;
    while (node.children.length) {
      const [main, ...others] = node.children;
      out.push(this.#button(main, current));
      for (const other of others) {
        out.push(h("div", { class: "variation" }, this.#button(other, current), this.#line(other, current)));
      }
      node = main;
    }
    return out;
  }

  #button(node, current) {
    return h("button", {
      type: "button", tabindex: "-1", "aria-current": node === current && "true", onclick: () => this.onselect(node),
    }, h("span", { class: "number" }, node.plies), chip(this.game, node.seat), node.move);
  }
}
