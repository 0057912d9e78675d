// The analysis page: a board for any position or game, a tree of variations, and an engine.

import { loadSource } from "./analysis_source.js";
import { announce } from "./announce.js";
import { asRequestError, loadGames, queryString, RequestError } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { EMPTY_TREE } from "./click_tree.js";
import { button, errorMessage, h, icon, setChildren } from "./dom.js";
import { EnginePanel } from "./engine_panel.js";
import { explainClicks, previewMove } from "./explanation.js";
import { pasteBox } from "./front_page.js";
import { MoveInput } from "./move_input.js";
import { stepButton } from "./move_list.js";
import { copiedPosition, formatOptions } from "./options.js";
import { replaceAddress } from "./router.js";
import { copyText, downloadLink } from "./share.js";
import { bindShortcuts } from "./shortcuts.js";
import { on, request } from "./socket.js";
import { VariationNode } from "./variation_node.js";
import { loadVariations, saveVariations } from "./variation_store.js";
import { VariationTree } from "./variation_tree.js";
import { fullAddress } from "./site_root.js";

/** @import { AnalysisSource } from "./analysis_source.js" */
/** @import { BoardFields, OpenPage, Position } from "./types.js" */

/**
 * Opens the analysis of a room, of a position or game in the address, or of a game's start position.
 * @type {OpenPage}
 */
export async function openAnalysisPage(container, _, query) {
  document.title = "Analysis – Quincunx";
  const error = errorMessage();
  container.className = "message-page";
  setChildren(container, error.element);
  try {
    const source = await loadSource(query);
    if (!source) {
      await drawGameChoice(container);
      return null;
    }
    const page = new AnalysisPage(container, source);
    return () => page.close();
  } catch (failure) {
    error.show(asRequestError(failure).message);
    container.append(h("p", {}, h("a", { href: "/analysis" }, "Go to the analysis board")));
    return null;
  }
}

/**
 * Shows the start page of the analysis: a paste box and a link for each game.
 * @param {HTMLElement} container
 */
async function drawGameChoice(container) {
  const games = await loadGames();
  container.className = "list-page";
  setChildren(container, h("h1", {}, "Analysis"), h("p", {}, "Paste a position, a game or a link, or choose a game to start with."),
    pasteBox(), h("nav", { class: "tabs", "aria-label": "Games" }, games.map((game) =>
      h("a", { class: "button", href: `/analysis?game=${game.name}` }, game.title))));
}

/** An open analysis: the variation tree, the board and the engine. */
class AnalysisPage {
  /**
   * @param {HTMLElement} container
   * @param {AnalysisSource} source
   */
  constructor(container, source) {
    this.source = source;
    this.game = source.game;
    this.root = new VariationNode(null, null, "");
    this.node = this.root; // the current node, shown on the board
    this.flip = false;
    this.board = new Board(`${this.game.title} board`);
    this.input = new BoardInput(this.board, this.game.controls, {
      onmove: (move) => this.#play(move), explain: (clicks) => this.#explain(clicks),
      preview: (move) => previewMove(this.#positionFields(this.node), undefined, move),
    });
    this.engine = new EnginePanel(this.game, this.input.overlay, (move) => this.#play(move));
    this.tree = new VariationTree(this.game, this.root, { onselect: (node) => this.#goTo(node) });
    this.status = h("p", { class: "status" });
    this.error = errorMessage();
    this.moveInput = new MoveInput((move) => this.#play(move), () => this.board.svg.focus());
    /** @type {{node: VariationNode, restore: () => void} | null} the last moves that were deleted */
    this.deleted = null;
    this.actions = h("div", { class: "actions", role: "group", "aria-label": "Actions" });
    this.#layOut(container);
    this.unsubscribers = [on("open", () => source.rejoin().catch(() => {}).then(() => this.#goTo(this.node))), this.#bindShortcuts()];
    this.#goTo(this.#addMoves());
  }

  /** Adds the moves of the source and the stored variations to the tree; returns the node to show first. */
  #addMoves() {
    const { root, source } = this;
    if (!source.room) loadVariations(source, root); // before the moves of the address, which are one of its lines
    let first = root;
    let last = root;
    for (const { seat, move, sentMove } of source.moves) {
      last = last.child(seat, move, sentMove);
      last.played = true;
      if (last.plies <= source.plies) first = last;
    }
    if (source.room) loadVariations(source, root);
    for (const { seat, move, sentMove } of source.variation) first = first.child(seat, move, sentMove);
    return first;
  }

  /** @param {HTMLElement} container */
  #layOut(container) {
    container.className = "game-page analysis";
    setChildren(container, h("h1", { class: "visually-hidden" }, `Analysis of ${this.game.title}`),
      h("section", { class: "board-area", "aria-label": "Board" }, this.engine.valueBar.element, this.board.element),
      h("aside", { class: "sidebar", "aria-label": "Analysis" },
        h("div", { class: "sidebar-main" }, this.status, this.error.element, this.input.buttons.element, this.moveInput.element, this.engine.element),
        h("div", { class: "history" }, this.tree.element, this.#stepButtons()), this.actions));
  }

  #bindShortcuts() {
    return bindShortcuts([["ArrowLeft", "previous move", () => this.#goTo(this.node.parent)],
      ["ArrowRight", "next move", () => this.#goTo(this.node.children[0])],
      ["Home", "go to start", () => this.#goTo(this.root)], ["End", "go to end", () => this.#goTo(this.node.lastNode)],
      ["f", "flip the board", () => this.#flipBoard()], ["e", "turn the engine on or off", () => this.#toggleEngine()],
      ["Delete", "delete this move and all that follow", () => this.#deleteMove()],
      ["u", "undo the deletion", () => this.#undoDelete()], ["/", "type a move", () => this.moveInput.toggle()],
      ["Escape", "", () => this.input.selection.unselect()], ...this.input.buttons.shortcuts]);
  }

  close() {
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    this.engine.close();
    this.source.leave();
  }

  /**
   * Returns the message fields that identify the position of a node.
   * @param {VariationNode} node
   * @returns {BoardFields}
   */
  #positionFields(node) {
    const { line } = node;
    const sentMoves = line.map(({ sentMove }) => sentMove);
    const fields = { ...this.source.startFields, flip: this.flip };
    if (!this.source.room) return { ...fields, moves: sentMoves };
    const firstUnplayed = line.findIndex(({ played }) => !played);
    const plies = firstUnplayed < 0 ? line.length : firstUnplayed;
    return { ...fields, plies, moves: sentMoves.slice(plies) };
  }

  /**
   * Makes a node current and shows its position; does nothing without a node. Resolves to true if it could be shown.
   * @param {VariationNode | null | undefined} node
   */
  async #goTo(node) {
    if (!node) return false;
    const oldNode = this.node;
    this.node = node;
    this.engine.ignoreResults();
    this.tree.draw(node);
    this.input.block();
    this.error.show("");
    try {
      const frames = node.parent === oldNode && !node.position;
      const position = await request({ type: "explore", ...this.#positionFields(node), frames });
      if (this.node !== node) return false;
      if (position.error) throw new RequestError(position.error.error, position.error.text);
      node.position = position;
      await this.board.showPosition(position);
      if (this.node === node) this.#updatePage(position);
      return true;
    } catch (failure) {
      const error = asRequestError(failure);
      if (this.node === node) this.#reject(node, oldNode, error);
      return false;
    }
  }

  /**
   * Shows why the position of a node cannot be shown; removes a move that cannot be played.
   * @param {VariationNode} node
   * @param {VariationNode} oldNode
   * @param {RequestError} error
   */
  #reject(node, oldNode, error) {
    this.error.show(error.message);
    if (!node.parent || node.position || node.played || !["illegal", "syntax"].includes(error.code)) return;
    node.remove();
    this.node = oldNode === node ? node.parent : oldNode;
    this.tree.draw(this.node);
    this.input.selection.setLegalMoves(this.node.position?.ways ?? EMPTY_TREE);
  }

  /**
   * Updates everything except the board to the current position, and starts the analysis.
   * @param {Position} position
   */
  #updatePage(position) {
    this.status.textContent = position.status;
    this.input.selection.setLegalMoves(position.ways);
    saveVariations(this.source, this.root);
    replaceAddress(this.#address());
    this.#drawActions();
    announce(position.status);
    this.#startAnalysis();
  }

  #startAnalysis() {
    const { position } = this.node;
    if (position) this.engine.start(position, this.#positionFields(this.node));
  }

  /**
   * Plays a move from the current position; resolves to true if it is legal.
   * @param {string} move
   */
  async #play(move) {
    const { plies, position } = this.node;
    if (!position) return false;
    const live = position.turn === null; // anyone may move; here the seats take turns
    const seat = position.turn ?? plies % position.scores.length;
    return this.#goTo(this.node.child(seat, move, live ? `${this.game.letters[seat]}:${move}` : move));
  }

  /**
   * Returns why clicks are not the beginning of a legal move in the current position.
   * @param {string[]} clicks
   */
  async #explain(clicks) {
    const { node } = this;
    if (!node.position || node.position.over || !this.input.selection.hasMoves) return "";
    const reason = await explainClicks(this.#positionFields(node), undefined, clicks);
    return this.node === node ? reason : "";
  }

  #toggleEngine() {
    this.engine.toggle();
    this.#drawActions();
    this.#startAnalysis();
  }

  #flipBoard() {
    this.flip = !this.flip;
    this.#goTo(this.node);
  }

  #deleteMove() {
    const { node } = this;
    if (!node.parent) return;
    this.deleted = { node, restore: node.remove() };
    this.#goTo(node.parent);
  }

  /** Puts back what was deleted last; returns false if there is nothing. */
  #undoDelete() {
    const { deleted } = this;
    if (!deleted) return false;
    this.deleted = null;
    deleted.restore();
    return this.#goTo(deleted.node);
  }

  /** Returns the address of the current position with the moves that lead to it, for reloading and sharing. */
  #address() {
    const { source, node } = this;
    const { moves = [], plies } = this.#positionFields(node);
    const line = moves.join(" ");
    if (source.room) return `/analysis${queryString({ room: source.room, plies, moves: line })}`;
    const { start, seed, rules } = source.startFields;
    return `/analysis${queryString({ game: this.game.name, options: formatOptions(source.options), start, seed, rules, moves: line })}`;
  }

  #drawActions() {
    const { engine, source, node } = this;
    const text = node.position?.text ?? "";
    const { name } = this.game;
    const options = formatOptions(source.options);
    const picture = `/api/picture.svg${queryString({ game: name, position: text, option: options.split(",") })}`;
    setChildren(this.actions,
      button("analyse", engine.enabled ? "Engine on" : "Engine off", () => this.#toggleEngine(), { "aria-pressed": String(engine.enabled) }),
      button("flip", "Flip", () => this.#flipBoard()),
      button("keyboard", "Type move", () => this.moveInput.toggle(), { title: "Type a move (/)" }),
      button("copy", "Copy position", () => copyText(copiedPosition(this.game, source.options, source.rules, text), "Position copied.")),
      button("link", "Copy link", () => copyText(fullAddress(this.#address()), "Link copied.")),
      h("a", { class: "button", href: `/${queryString({ play: name, options, start: text })}` },
        icon("play"), h("span", {}, "Play from here")),
      downloadLink(`${name}.svg`, picture, "SVG"),
      source.room && h("a", { class: "button", href: `/room/${source.room}` }, icon("previous"), h("span", {}, "Back to game")),
      node.parent && button("close", "Delete", () => this.#deleteMove(), { title: "Delete this move and all that follow (Delete)" }),
      this.deleted && button("undo", "Undo delete", () => this.#undoDelete(), { title: "Put back what was deleted (u)" }));
  }

  #stepButtons() {
    return h("div", { class: "step-buttons", role: "group", "aria-label": "Step through the moves" },
      stepButton("first", "Go to start", () => this.#goTo(this.root)),
      stepButton("previous", "Previous move", () => this.#goTo(this.node.parent)),
      stepButton("next", "Next move", () => this.#goTo(this.node.children[0])),
      stepButton("last", "Go to end", () => this.#goTo(this.node.lastNode)));
  }
}
