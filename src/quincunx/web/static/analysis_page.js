// The analysis page: a board for any position or game, a tree of variations, and an engine.

import { announce } from "./announce.js";
import { loadGame, loadGames, queryString, RequestError } from "./api.js";
import { Board } from "./board.js";
import { button, errorMessage, h, icon, setChildren } from "./dom.js";
import { pasteBox } from "./front_page.js";
import { GameButtons } from "./game_buttons.js";
import { stepButton } from "./move_list.js";
import { formatOptions, parseOptions } from "./options.js";
import { replaceAddress } from "./router.js";
import { Selection } from "./selection.js";
import { copyText } from "./share.js";
import { bindShortcuts } from "./shortcuts.js";
import { on, request } from "./socket.js";
import { loadSeats, loadValue, saveValue } from "./storage.js";
import { drawBestMoves, ValueBar } from "./value_bar.js";
import { VariationNode, VariationTree } from "./variation_tree.js";

const ANALYSIS_SECONDS = 8;
const MAX_ARROWS = 3; // one for each of the best moves

/** Opens the analysis of a room, of a position or game in the address, or of a game's start position. */
export async function openAnalysisPage(container, _, query) {
  document.title = "Analysis – Quincunx";
  const error = errorMessage();
  container.className = "message-page";
  setChildren(container, error.element);
  try {
    const source = await loadSource(query);
    if (!source) return drawGameChoice(container);
    const page = new AnalysisPage(container, source);
    return () => page.close();
  } catch (failure) {
    error.show(failure.message);
    container.append(h("p", {}, h("a", { href: "/analysis" }, "Go to the analysis board")));
    return null;
  }
}

/** Shows the start page of the analysis: a paste box and a link for each game. */
async function drawGameChoice(container) {
  const games = await loadGames();
  container.className = "list-page";
  setChildren(container, h("h1", {}, "Analysis"), h("p", {}, "Paste a position, a game or a link, or choose a game to start with."),
    pasteBox(), h("nav", { class: "tabs", "aria-label": "Games" }, games.map((game) =>
      h("a", { class: "button", href: `/analysis?game=${game.name}` }, game.title))));
  return null;
}

/**
 * Returns the game that the query of an address selects for analysis, or null. `startFields` are the fields of
 * `explore` and `analyse` messages that identify its start; `moves` are [seat, displayed move, sent move]; `plies`
 * is the number of moves played in the position to show first.
 */
async function loadSource(query) {
  const id = query.get("room");
  if (id) {
    const room = await request({ type: "join", room: id, secrets: loadSeats(id).mine, view: "moves" });
    request({ type: "leave", room: id }).catch(() => {});
    return {
      game: await loadGame(room.game), startFields: { room: id }, options: room.options, room: id,
      moves: room.moves, plies: Number(query.get("plies") ?? room.moves.length),
    };
  }
  if (!query.get("game")) return null;
  const game = await loadGame(query.get("game"));
  const options = parseOptions(query.get("options"));
  const startFields = { game: game.name, options };
  if (query.get("start")) startFields.start = query.get("start");
  if (query.get("seed")) startFields.seed = Number(query.get("seed"));
  const moves = (query.get("moves") || "").split(" ").filter(Boolean).map((text) => {
    const [, seatLetter, move] = text.match(/^(?:([^:]):)?(.*)$/);
    return [seatLetter ? game.letters.indexOf(seatLetter) : null, move, text];
  });
  const plies = query.has("plies") ? Number(query.get("plies")) : moves.length;
  return { game, startFields, options, room: null, moves, plies };
}

/** An open analysis: the variation tree, the board and the engine. */
class AnalysisPage {
  constructor(container, source) {
    this.source = source;
    this.game = source.game;
    this.root = new VariationNode(null, null, "");
    this.node = this.root; // the current node, shown on the board
    this.analysisRef = null; // `ref` of the analysis whose results are shown
    this.flip = false;
    this.engineOn = loadValue("engine", true);
    this.board = new Board(`${this.game.title} board`);
    this.valueBar = new ValueBar(this.game);
    this.selection = new Selection(this.board, {
      nested: this.game.controls?.nested,
      onmove: (move) => this.#play(move),
      onchange: (selected, nextNames) =>
        this.buttons?.draw((name) => this.selection.isClickable(name), nextNames, null, selected[0]),
    });
    this.buttons = new GameButtons(this.game.controls, {
      onpress: (word) => this.selection.click([word]),
      onlevel: (step) => this.selection.changeLevel(step),
      cellLabel: (name) => this.board.cellLabel(name),
    });
    this.tree = new VariationTree(this.game, this.root, { onselect: (node) => this.#goTo(node) });
    this.status = h("p", { class: "status" });
    this.error = errorMessage();
    this.enginePanel = h("div", { class: "engine-panel" });
    this.actions = h("div", { class: "actions", role: "group", "aria-label": "Actions" });
    let node = this.root;
    for (const [seat, move, sentMove] of source.moves) {
      node = node.child(seat == null ? null : Number(seat), move, sentMove ?? move);
      node.played = true;
    }
    container.className = "game-page analysis";
    setChildren(container, h("h1", { class: "visually-hidden" }, `Analysis of ${this.game.title}`),
      h("section", { class: "board-area", "aria-label": "Board" }, this.valueBar.element, this.board.element),
      h("aside", { class: "sidebar" }, this.status, this.error.element, this.buttons.element, this.enginePanel,
        h("div", { class: "history" }, this.tree.element, this.#stepButtons()), this.actions));
    this.unsubscribers = [
      on("opinions", (message) => message.ref === this.analysisRef && this.#showAnalysis(message)),
      on("open", () => this.#goTo(this.node)),
      bindShortcuts([["ArrowLeft", "previous move", () => this.#goTo(this.node.parent)],
        ["ArrowRight", "next move", () => this.#goTo(this.node.children[0])],
        ["Home", "go to start", () => this.#goTo(this.root)], ["End", "go to end", () => this.#goTo(this.node.lastNode)],
        ["f", "flip the board", () => this.#flipBoard()], ["e", "turn the engine on or off", () => this.#toggleEngine()],
        ["Delete", "delete this move and all that follow", () => this.#deleteMove()],
        ["Escape", "", () => this.selection.unselect()], ...this.buttons.shortcuts]),
    ];
    let initialNode = this.root;
    for (let i = 0; i < source.plies && initialNode.children.length; i++) [initialNode] = initialNode.children;
    this.#goTo(initialNode);
  }

  close() {
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    request({ type: "stop" }).catch(() => {});
  }

  /** Returns the message fields that identify the position of a node. */
  #positionFields(node) {
    const { line } = node;
    if (!this.source.room) return { ...this.source.startFields, moves: line.map(({ sentMove }) => sentMove) };
    const firstUnplayed = line.findIndex(({ played }) => !played);
    const plies = firstUnplayed < 0 ? line.length : firstUnplayed;
    return { ...this.source.startFields, plies, moves: line.slice(plies).map(({ sentMove }) => sentMove) };
  }

  /** Makes a node current and shows its position; does nothing without a node. */
  async #goTo(node) {
    if (!node) return;
    const oldNode = this.node;
    this.node = node;
    this.analysisRef = null; // further results for the old position are ignored
    this.tree.draw(node);
    this.selection.setLegalMoves([]);
    this.error.show("");
    const isNewMove = node.parent === oldNode && !node.position;
    try {
      const position = await request({ type: "explore", ...this.#positionFields(node), flip: this.flip, frames: isNewMove });
      if (this.node !== node) return;
      if (position.error) throw new RequestError(position.error.error, position.error.text);
      node.position = position;
      await this.board.showPosition(position);
    } catch (failure) {
      this.error.show(failure.message);
      // A variation that the server rejects is removed from the tree.
      if (node.parent && !node.position && !node.played && failure.code !== "network") {
        node.remove();
        this.node = oldNode === node ? node.parent : oldNode;
        this.tree.draw(this.node);
        this.selection.setLegalMoves(this.node.position?.ways || []);
      }
      return;
    }
    if (this.node === node) this.#updatePage();
  }

  /** Updates everything except the board to the current position, and starts the analysis. */
  #updatePage() {
    const { position } = this.node;
    this.status.textContent = position.status;
    this.selection.setLegalMoves(position.ways || []);
    this.#updateAddress();
    this.#drawActions();
    announce(position.status);
    this.#startAnalysis();
  }

  #play(move) {
    const { position } = this.node;
    const live = position.turn == null; // anyone may move; here the seats take turns
    const seat = live ? this.node.plies % position.scores.length : position.turn;
    this.#goTo(this.node.child(seat, move, live ? `${this.game.letters[seat]}:${move}` : move));
  }

  /** Starts the analysis of the current position, or stops the running one if the engine is off. */
  async #startAnalysis() {
    this.valueBar.show(null);
    this.analysisRef = null;
    setChildren(this.enginePanel);
    this.selection.overlay.clear("arrows");
    if (!this.engineOn) return request({ type: "stop" }).catch(() => {});
    if (this.node.position.over) return null;
    const response = request({ type: "analyse", ...this.#positionFields(this.node), flip: this.flip, seconds: ANALYSIS_SECONDS });
    this.analysisRef = response.ref;
    try {
      await response;
    } catch (failure) {
      if (this.analysisRef !== response.ref || failure.code === "network") return null;
      setChildren(this.enginePanel, h("p", { class: "muted" }, failure.message));
    }
    return null;
  }

  /** Shows an `opinions` message: the value bar, the best moves and their arrows. */
  #showAnalysis(analysis) {
    const { position } = this.node;
    this.valueBar.show(analysis, position.scores?.length);
    drawBestMoves(this.enginePanel, analysis, this.game, (move) => this.#play(move));
    const arrows = analysis.moves.slice(0, MAX_ARROWS).map((scored, i) =>
      this.selection.overlay.move(scored.clicks || [], i ? "alternative" : "best", 1 - i / MAX_ARROWS));
    this.selection.overlay.draw("arrows", arrows.reverse()); // the best one on top
  }

  #toggleEngine() {
    this.engineOn = !this.engineOn;
    saveValue("engine", this.engineOn);
    this.#drawActions();
    this.#startAnalysis();
  }

  #flipBoard() {
    this.flip = !this.flip;
    this.#goTo(this.node);
  }

  #deleteMove() {
    if (!this.node.parent) return;
    const { parent } = this.node;
    this.node.remove();
    this.#goTo(parent);
  }

  /**
   * Writes the current position to the address, so that reloading the page shows it again.
   * Variations of a room's game are not written.
   */
  #updateAddress() {
    const { source, node } = this;
    const inVariation = node.line.some(({ played }) => !played);
    if (source.room) {
      if (!inVariation) replaceAddress(`/analysis${queryString({ room: source.room, plies: node.plies })}`);
      return;
    }
    const moves = node.line.map(({ sentMove }) => sentMove).join(" ");
    const { start, seed } = source.startFields;
    replaceAddress(`/analysis${queryString({ game: this.game.name, options: formatOptions(source.options), start, seed, moves })}`);
  }

  #drawActions() {
    const { source, node } = this;
    const text = node.position?.text || "";
    const { name } = this.game;
    const options = formatOptions(source.options);
    const link = `${location.origin}/analysis${queryString({ game: name, options, start: text })}`;
    const picture = `/api/picture.svg${queryString({ game: name, position: text, option: options.split(",") })}`;
    setChildren(this.actions,
      button("analyse", this.engineOn ? "Engine on" : "Engine off", () => this.#toggleEngine(), { "aria-pressed": String(this.engineOn) }),
      button("flip", "Flip", () => this.#flipBoard()),
      button("copy", "Copy position", () => copyText(text, "Position copied.")),
      button("link", "Copy link", () => copyText(link, "Link copied.")),
      h("a", { class: "button", href: `/${queryString({ play: name, options, start: text })}` },
        icon("play"), h("span", {}, "Play from here")),
      h("a", { class: "button", download: `${name}.svg`, href: picture }, icon("download"), h("span", {}, "SVG")),
      source.room && h("a", { class: "button", href: `/room/${source.room}` }, icon("previous"), h("span", {}, "Back to game")),
      node.parent && button("close", "Delete", () => this.#deleteMove(), { title: "Delete this move and all that follow (Delete)" }));
  }

  #stepButtons() {
    return h("div", { class: "step-buttons", role: "group", "aria-label": "Step through the moves" },
      stepButton("first", "Go to start", () => this.#goTo(this.root)),
      stepButton("previous", "Previous move", () => this.#goTo(this.node.parent)),
      stepButton("next", "Next move", () => this.#goTo(this.node.children[0])),
      stepButton("last", "Go to end", () => this.#goTo(this.node.lastNode)));
  }
}
