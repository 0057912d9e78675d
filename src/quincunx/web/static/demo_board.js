// A small board that plays random moves while it is visible.

import { asRequestError } from "./api.js";
import { Board } from "./board.js";
import { allMoves } from "./click_tree.js";
import { h } from "./dom.js";
import { isMotionReduced } from "./settings.js";
import { request } from "./socket.js";

/** @import { Game, Position } from "./types.js" */

const MOVE_INTERVAL_MS = 1900;
const MAX_MOVES = 60; // then a new game starts

/** A board that plays random legal moves of a game until it is closed. */
export class DemoBoard {
  /**
   * @param {Game} game
   * @param {number} initialDelay in milliseconds
   */
  constructor(game, initialDelay) {
    this.game = game;
    this.board = new Board(`${game.title} demo game`);
    this.element = this.board.element;
    this.element.setAttribute("aria-hidden", "true");
    this.busyText = h("p", { class: "muted busy", hidden: true });
    this.element.append(this.busyText);
    /** @type {string[]} */
    this.moves = [];
    /** @type {Position | null} */
    this.position = null;
    this.seed = 0;
    this.closed = false;
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

  /** @param {number} milliseconds */
  #scheduleStep(milliseconds) {
    clearTimeout(this.timer);
    if (!this.closed) this.timer = setTimeout(() => this.#step(), milliseconds);
  }

  async #step() {
    const frozen = this.position !== null && isMotionReduced();
    if (!this.closed && this.visible && !document.hidden && !frozen) await this.#play();
    this.#scheduleStep(MOVE_INTERVAL_MS);
  }

  /** Plays a random move, or starts a new game after the last one. */
  async #play() {
    const moves = this.position && !this.position.over ? allMoves(this.position.ways) : [];
    if (!this.position || !moves.length || this.moves.length >= MAX_MOVES) return this.#startGame();
    const move = moves[Math.floor(Math.random() * moves.length)];
    const letter = this.game.letters[this.moves.length % this.position.scores.length];
    this.moves.push(this.position.turn === null ? `${letter}:${move}` : move);
    return this.#loadPosition(true);
  }

  /**
   * Shows on the board why it is not ready; an empty text hides the message.
   * @param {string} text
   */
  #showBusy(text) {
    this.busyText.textContent = text;
    this.busyText.hidden = !text;
  }

  /**
   * Requests and shows the position after the moves, with the last one animated if `frames`.
   * @param {boolean} frames
   */
  async #loadPosition(frames) {
    const { name } = this.game;
    try {
      this.position = await request({ type: "explore", game: name, seed: this.seed, moves: this.moves, frames });
      this.#showBusy("");
    } catch (failure) {
      const { code, message } = asRequestError(failure);
      this.position = null;
      this.#showBusy(code === "busy" ? message : "");
    }
    if (this.position && !this.closed) await this.board.showPosition(this.position, { speed: 0.7 });
  }
}
