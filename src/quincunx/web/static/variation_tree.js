// The move list of a tree of variations.

import { h, setChildren } from "./dom.js";
import { moverDisc } from "./players.js";

/** @import { Game } from "./types.js" */
/** @import { VariationNode } from "./variation_node.js" */

/** The moves of a tree as a list of buttons, with variations indented. */
export class VariationTree {
  /**
   * @param {Game} game
   * @param {VariationNode} root
   * @param {{onselect: (node: VariationNode) => unknown}} callbacks
   */
  constructor(game, root, { onselect }) {
    this.game = game;
    this.root = root;
    this.onselect = onselect;
    this.element = h("div", { class: "move-list variation-tree", role: "group", "aria-label": "Moves and variations", tabindex: "0" });
  }

  /**
   * Draws the tree, marks the current node and scrolls to it.
   * @param {VariationNode} current
   */
  draw(current) {
    const placeholder = h("p", { class: "muted" }, "Moves you try on the board appear here.");
    setChildren(this.element, this.root.children.length ? this.#lineElements(this.root, current) : placeholder);
    const marked = this.element.querySelector("[aria-current]");
    if (marked instanceof HTMLElement) this.element.scrollTop = marked.offsetTop - this.element.clientHeight / 2;
  }

  /**
   * Returns the elements for the moves after a node: each move of the main line, followed by its alternatives.
   * @param {VariationNode} start
   * @param {VariationNode} current
   * @returns {HTMLElement[]}
   */
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

  /**
   * @param {VariationNode} node
   * @param {VariationNode} current
   */
  #moveButton(node, current) {
    return h("button", {
      type: "button", tabindex: "-1", "aria-current": node === current && "true", onclick: () => this.onselect(node),
    }, h("span", { class: "number" }, node.plies), moverDisc(this.game, node.seat), node.move);
  }
}
