// A small board that plays with itself, slowly, while somebody can see it.

import { Board } from "./board.js";
import { h } from "./dom.js";
import { motionless } from "./settings.js";
import { ask } from "./socket.js";

const PAUSE = 1900; // milliseconds between moves
const LONGEST = 60; // moves of a game that is only looked at

/** A board that plays random legal moves of a game; `close` ends it. */
export class Alive {
  constructor(game, delay = 0) {
    this.game = game;
    this.board = new Board(`${game.title}, a game that plays itself`);
    this.element = this.board.element;
    this.element.setAttribute("aria-hidden", "true");
    this.waiting = h("p", { class: "quiet waiting", hidden: true });
    this.element.append(this.waiting);
    this.moves = [];
    this.timer = 0;
    this.seen = false;
    this.watcher = new IntersectionObserver(([entry]) => {
      this.seen = entry.isIntersecting;
      if (this.seen) this.#later(PAUSE);
    });
    this.watcher.observe(this.element);
    this.#begin().then(() => this.#later(delay + PAUSE));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.watcher.disconnect();
  }

  async #begin() {
    this.seed = Math.floor(Math.random() * 1e9);
    this.moves = [];
    await this.#ask(false);
  }

  #later(wait) {
    clearTimeout(this.timer);
    if (!this.closed) this.timer = setTimeout(() => this.#step(), wait);
  }

  async #step() {
    const still = this.position && motionless();
    if (this.closed || !this.seen || document.hidden || still) return this.#later(PAUSE);
    if (!this.position || this.position.over || !this.position.ways.length || this.moves.length >= LONGEST) {
      await this.#begin();
      return this.#later(PAUSE);
    }
    this.moves.push(this.#any());
    await this.#ask(true);
    this.#later(PAUSE);
  }

  #any() {
    const { ways, turn } = this.position;
    const [move] = ways[Math.floor(Math.random() * ways.length)];
    if (turn != null) return move;
    return `${this.game.letters[this.moves.length % this.position.scores.length]}:${move}`;
  }

  /** Says in the place of the board why one has to wait for it. */
  #wait(words) {
    this.waiting.textContent = words;
    this.waiting.hidden = !words;
  }

  /** Goes to the position after the moves. */
  async #ask(frames) {
    const { name } = this.game;
    this.position = await ask({ type: "explore", game: name, seed: this.seed, moves: this.moves, frames }).catch((refused) => {
      this.#wait(refused.word === "busy" ? refused.message : "");
      return null;
    });
    if (this.position) this.#wait("");
    if (this.position && !this.closed) await this.board.arrive(this.position, { speed: 0.7 });
  }
}
