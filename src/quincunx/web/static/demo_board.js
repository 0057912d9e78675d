// A small board that plays random moves while it is visible.

import { Board } from "./board.js";
import { h } from "./dom.js";
import { isMotionReduced } from "./settings.js";
import { request } from "./socket.js";

const MOVE_INTERVAL_MS = 1900;
const MAX_MOVES = 60; // then a new game starts

/** A board that plays random legal moves of a game until it is closed. */
export class DemoBoard {
  constructor(game, initialDelay = 0) {
    this.game = game;
    this.board = new Board(`${game.title} demo game`);
    this.element = this.board.element;
    this.element.setAttribute("aria-hidden", "true");
    this.busyText = h("p", { class: "muted busy", hidden: true });
    this.element.append(this.busyText);
    this.moves = [];
    this.timer = 0;
    this.visible = false;
    this.observer = new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      if (this.visible) this.#scheduleStep(MOVE_INTERVAL_MS);
    });
    this.observer.observe(this.element);
    this.#startGame().then(() => this.#scheduleStep(initialDelay + MOVE_INTERVAL_MS));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.observer.disconnect();
  }

  async #startGame() {
    this.seed = Math.floor(Math.random() * 1e9);
    this.moves = [];
    await this.#loadPosition(false);
  }

  #scheduleStep(milliseconds) {
    clearTimeout(this.timer);
    if (!this.closed) this.timer = setTimeout(() => this.#step(), milliseconds);
  }

  async #step() {
    const frozen = this.position && isMotionReduced();
    if (this.closed || !this.visible || document.hidden || frozen) return this.#scheduleStep(MOVE_INTERVAL_MS);
    if (!this.position || this.position.over || !this.position.ways.length || this.moves.length >= MAX_MOVES) {
      await this.#startGame();
      return this.#scheduleStep(MOVE_INTERVAL_MS);
    }
    this.moves.push(this.#randomMove());
    await this.#loadPosition(true);
    this.#scheduleStep(MOVE_INTERVAL_MS);
  }

  #randomMove() {
    const { ways, turn } = this.position;
    const [move] = ways[Math.floor(Math.random() * ways.length)];
    if (turn != null) return move;
    return `${this.game.letters[this.moves.length % this.position.scores.length]}:${move}`;
  }

  /** Shows on the board why it is not ready; an empty text hides the message. */
  #showBusy(text) {
    this.busyText.textContent = text;
    this.busyText.hidden = !text;
  }

  /** Requests and shows the position after the moves, with the last one animated if `frames`. */
  async #loadPosition(frames) {
    const { name } = this.game;
    this.position = await request({ type: "explore", game: name, seed: this.seed, moves: this.moves, frames }).catch((error) => {
      this.#showBusy(error.code === "busy" ? error.message : "");
      return null;
    });
    if (this.position) this.#showBusy("");
    if (this.position && !this.closed) await this.board.showPosition(this.position, { speed: 0.7 });
  }
}
