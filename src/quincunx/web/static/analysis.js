// The analysis board: any position or game, every line tried, and an engine beside it.

import { allGames, gameNamed, queried, Refused } from "./api.js";
import { Board } from "./board.js";
import { Buttons } from "./buttons.js";
import { button, fill, h, icon, sentence } from "./dom.js";
import { pasteBox } from "./front.js";
import { Hand } from "./hand.js";
import { keys } from "./keys.js";
import { rename } from "./router.js";
import { say } from "./say.js";
import { copy, spelled, unspelled } from "./share.js";
import { ask, on } from "./socket.js";
import { recall, remember, seats } from "./store.js";
import { Node, Tree } from "./tree.js";
import { opinionList, ValueBar } from "./values.js";

const SECONDS = 8;
const ARROWS = 3;

/** Opens an analysis: of a room, of a position or game in the address, or of a game's start. */
export async function analysis(place, _, query) {
  document.title = "Analysis – Quincunx";
  const error = sentence();
  place.className = "lonely";
  fill(place, error.element);
  try {
    const base = await opened(query);
    if (!base) return choose(place);
    const page = new Analysis(place, base);
    return () => page.close();
  } catch (refused) {
    error.say(refused.message);
    place.append(h("p", {}, h("a", { href: "/analysis" }, "To the analysis board")));
    return null;
  }
}

/** Without anything to analyse: five games to begin with, and a box for anything else. */
async function choose(place) {
  const games = await allGames();
  place.className = "list";
  fill(place, h("h1", {}, "Analysis"), h("p", {}, "Paste a position, a game or a link, or begin with an empty board."),
    pasteBox(), h("nav", { class: "tabs", "aria-label": "Games" }, games.map((game) =>
      h("a", { class: "button", href: `/analysis?game=${game.name}` }, game.title))));
  return null;
}

/** What an address asks for: the game, where it starts, the moves known, and the ply to look at. */
async function opened(query) {
  const id = query.get("room");
  if (id) {
    const room = await ask({ type: "join", room: id, secrets: seats(id).mine, view: "moves" });
    ask({ type: "leave", room: id }).catch(() => {});
    return {
      game: await gameNamed(room.game), source: { room: id }, options: room.options, room: id, start: room.start,
      moves: room.moves, plies: Number(query.get("plies") ?? room.moves.length),
    };
  }
  if (!query.get("game")) return null;
  const game = await gameNamed(query.get("game"));
  const options = unspelled(query.get("options"));
  const source = { game: game.name, options };
  if (query.get("start")) source.start = query.get("start");
  if (query.get("seed")) source.seed = Number(query.get("seed"));
  const moves = (query.get("moves") || "").split(" ").filter(Boolean).map((text) => {
    const [, letter, move] = text.match(/^(?:([^:]):)?(.*)$/);
    return [letter ? game.letters.indexOf(letter) : null, move, text];
  });
  const plies = query.has("plies") ? Number(query.get("plies")) : moves.length;
  return { game, source, options, room: null, start: source.start, moves, plies };
}

class Analysis {
  constructor(place, base) {
    this.base = base;
    this.game = base.game;
    this.root = new Node(null, null, "");
    this.node = this.root;
    this.flip = false;
    this.engine = recall("engine", true);
    this.board = new Board(`${this.game.title} board`);
    this.bar = new ValueBar(this.game);
    this.hand = new Hand(this.board, {
      nested: this.game.controls?.nested,
      onmove: (move) => this.#play(move),
      onpick: (picked, next) => this.buttons?.draw((word) => this.hand.can(word), next, null, picked[0]),
    });
    this.buttons = new Buttons(this.game.controls, {
      press: (word) => this.hand.click([word]),
      turn: (step) => this.hand.turn(step),
      called: (name) => this.board.called(name),
    });
    this.tree = new Tree(this.game, this.root, { onselect: (node) => this.#go(node) });
    this.status = h("p", { class: "status" });
    this.error = sentence();
    this.opinions = h("div", { class: "thoughts" });
    this.actions = h("div", { class: "actions", role: "group", "aria-label": "Actions" });
    let node = this.root;
    for (const [seat, move, text] of base.moves) {
      node = node.after(seat == null ? null : Number(seat), move, text ?? move);
      node.played = true;
    }
    place.className = "table analysis";
    fill(place, h("h1", { class: "unseen" }, `Analysis of ${this.game.title}`),
      h("section", { class: "stage", "aria-label": "Board" }, this.bar.element, this.board.element),
      h("aside", { class: "side" }, this.status, this.error.element, this.buttons.element, this.opinions,
        h("div", { class: "history" }, this.tree.element, this.#steps()), this.actions));
    this.off = [
      on("opinions", (message) => message.ref === this.thinking && this.#think(message)),
      on("open", () => this.#go(this.node)),
      keys([["ArrowLeft", "one move back", () => this.#go(this.node.parent)],
        ["ArrowRight", "one move forward", () => this.#go(this.node.children[0])],
        ["Home", "to the start", () => this.#go(this.root)], ["End", "to the end", () => this.#go(this.node.end)],
        ["f", "flip the board", () => this.#turn()], ["e", "engine on or off", () => this.#toggle()],
        ["Delete", "remove this move and what follows", () => this.#cut()],
        ["Escape", "", () => this.hand.putDown()], ...this.buttons.keys]),
    ];
    let at = this.root;
    for (let i = 0; i < base.plies && at.children.length; i++) [at] = at.children;
    this.#go(at);
  }

  close() {
    for (const off of this.off) off();
    ask({ type: "stop" }).catch(() => {});
  }

  /** How the server gets to a place: from the room's own moves as far as they go, or from the start. */
  #way(node) {
    const { line } = node;
    if (!this.base.room) return { ...this.base.source, moves: line.map((one) => one.text) };
    const played = line.findIndex((one) => !one.played);
    const plies = played < 0 ? line.length : played;
    return { ...this.base.source, plies, moves: line.slice(plies).map((one) => one.text) };
  }

  async #go(node) {
    if (!node) return;
    const before = this.node;
    this.node = node;
    this.thinking = null; // what is still said of the place before
    this.tree.draw(node);
    this.hand.allow([]);
    this.error.say("");
    const frames = node.parent === before && !node.position;
    try {
      const found = await ask({ type: "explore", ...this.#way(node), flip: this.flip, frames });
      if (this.node !== node) return;
      if (found.error) throw new Refused(found.error.error, found.error.text);
      node.position = found;
      await this.board.arrive(found);
    } catch (refused) {
      this.error.say(refused.message);
      // A move that cannot be played is no place to be.
      if (node.parent && !node.position && !node.played && refused.word !== "network") {
        node.cut();
        this.node = before === node ? node.parent : before;
        this.tree.draw(this.node);
        this.hand.allow(this.node.position?.ways || []);
      }
      return;
    }
    if (this.node === node) this.#arrived();
  }

  #arrived() {
    const { position } = this.node;
    this.status.textContent = position.status;
    this.hand.allow(position.ways || []);
    this.#address();
    this.#drawActions();
    say(position.status);
    this.#analyse();
  }

  #play(move) {
    const { position } = this.node;
    const live = position.turn == null;
    const seat = live ? this.node.plies % position.scores.length : position.turn;
    this.#go(this.node.after(seat, move, live ? `${this.game.letters[seat]}:${move}` : move));
  }

  async #analyse() {
    this.bar.show(null);
    this.thinking = null;
    fill(this.opinions);
    this.hand.overlay.clear("arrows");
    if (!this.engine) return ask({ type: "stop" }).catch(() => {});
    if (this.node.position.over) return null;
    const question = ask({ type: "analyse", ...this.#way(this.node), flip: this.flip, seconds: SECONDS });
    this.thinking = question.ref;
    try {
      await question;
    } catch (refused) {
      if (this.thinking !== question.ref || refused.word === "network") return null;
      fill(this.opinions, h("p", { class: "quiet" }, refused.message));
    }
    return null;
  }

  #think(opinions) {
    const { position } = this.node;
    this.bar.show(opinions, position.scores?.length);
    opinionList(this.opinions, opinions, this.game, (move) => this.#play(move));
    const best = opinions.moves.slice(0, ARROWS);
    const drawn = best.map((one, i) =>
      this.hand.overlay.move(one.clicks || [], i ? "idea" : "best", 1 - i / ARROWS));
    this.hand.overlay.draw("arrows", drawn.reverse()); // the best lies on top
  }

  #toggle() {
    this.engine = !this.engine;
    remember("engine", this.engine);
    this.#drawActions();
    this.#analyse();
  }

  #turn() {
    this.flip = !this.flip;
    this.#go(this.node);
  }

  #cut() {
    if (!this.node.parent) return;
    const { parent } = this.node;
    this.node.cut();
    this.#go(parent);
  }

  #address() {
    const { base, node } = this;
    const branched = node.line.some((one) => !one.played);
    if (base.room) {
      if (!branched) rename(`/analysis${queried({ room: base.room, plies: node.plies })}`);
      return;
    }
    const moves = node.line.map((one) => one.text).join(" ");
    const { start, seed } = base.source;
    rename(`/analysis${queried({ game: this.game.name, options: spelled(base.options), start, seed, moves })}`);
  }

  #drawActions() {
    const { base, node } = this;
    const text = node.position?.text || "";
    const { name } = this.game;
    const options = spelled(base.options);
    const link = `${location.origin}/analysis${queried({ game: name, options, start: text })}`;
    const picture = `/api/picture.svg${queried({ game: name, position: text, option: options.split(",") })}`;
    fill(this.actions,
      button("analyse", this.engine ? "Engine on" : "Engine off", () => this.#toggle(), { "aria-pressed": String(this.engine) }),
      button("flip", "Flip", () => this.#turn()),
      button("copy", "Copy position", () => copy(text, "The position is copied.")),
      button("link", "Copy link", () => copy(link, "The link is copied.")),
      h("a", { class: "button", href: `/${queried({ play: name, options, start: text })}` },
        icon("play"), h("span", {}, "Play from here")),
      h("a", { class: "button", download: `${name}.svg`, href: picture }, icon("download"), h("span", {}, "SVG")),
      base.room && h("a", { class: "button", href: `/room/${base.room}` }, icon("previous"), h("span", {}, "To the game")),
      node.parent && button("close", "Remove", () => this.#cut(), { title: "remove this move and what follows (Delete)" }));
  }

  #steps() {
    const one = (name, words, to) => h("button", { type: "button", title: words, onclick: () => this.#go(to()) },
      icon(name), h("span", { class: "unseen" }, words));
    return h("div", { class: "steps", role: "group", "aria-label": "Step through the moves" },
      one("first", "To the start", () => this.root), one("previous", "Back", () => this.node.parent),
      one("next", "Forward", () => this.node.children[0]), one("last", "To the end", () => this.node.end));
  }
}
