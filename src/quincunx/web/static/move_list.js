// The move list, with buttons and keys that step through the game and replay it.

import { appendChildren, h, icon, select, setChildren } from "./dom.js";
import { loadValue, saveValue } from "./storage.js";
import { moverDisc } from "./players.js";

/** @import { Game, PlayedMove, Shortcut } from "./types.js" */

/** @type {[number, string][]} */
const SPEEDS = [[0.5, "½×"], [1, "1×"], [2, "2×"], [5, "5×"]];
const REPLAY_INTERVAL_MS = 1100; // for each move, at speed 1

/** The moves of a game as a list to step through. */
export class MoveList {
  /**
   * @param {Game} game
   * @param {{onstep: (plies: number) => unknown}} callbacks called to show the position after that number of moves
   */
  constructor(game, { onstep }) {
    this.game = game;
    this.onstep = onstep;
    /** @type {PlayedMove[]} */
    this.moves = [];
    this.current = 0;
    this.timer = 0;
    this.speed = loadValue("speed", 1);
    this.list = h("ol", { class: "move-list", "aria-label": "Moves", tabindex: "0" });
    this.list.addEventListener("click", (event) => {
      const plies = event.target instanceof Element && event.target.closest("[data-plies]")?.getAttribute("data-plies");
      if (plies) this.goTo(Number(plies));
    });
    this.replayButton = stepButton("play", "Replay", () => this.toggleReplay());
    this.backButtons = [
      stepButton("first", "Go to start", () => this.goTo(0)),
      stepButton("previous", "Previous move", () => this.step(-1)),
    ];
    this.forwardButtons = [
      stepButton("next", "Next move", () => this.step(1)),
      stepButton("last", "Go to end", () => this.goTo(this.moves.length)),
    ];
    this.stepButtons = h("div", { class: "step-buttons", role: "group", "aria-label": "Step through the game" },
      this.backButtons, this.replayButton, this.forwardButtons,
      select(SPEEDS, this.speed, { "aria-label": "Replay speed", class: "speed", onchange: (event) => {
        this.speed = Number(event.currentTarget.value);
        saveValue("speed", this.speed);
      } }));
    this.element = h("div", { class: "history" }, this.list, this.stepButtons);
  }

  /**
   * The shortcuts that step through the moves.
   * @returns {Shortcut[]}
   */
  get shortcuts() {
    return [
      ["ArrowLeft", "previous move", () => this.step(-1)],
      ["ArrowRight", "next move", () => this.step(1)],
      ["Home", "go to start", () => this.goTo(0)],
      ["End", "go to end", () => this.goTo(this.moves.length)],
    ];
  }

  /** Stops a replay. */
  close() {
    this.#stopReplay();
  }

  /**
   * Shows the moves with the current one marked.
   * @param {PlayedMove[]} moves
   * @param {number} current the number of moves played in the position on the board
   */
  draw(moves, current) {
    const extended = moves.length >= this.moves.length && this.moves.every(([seat, move], i) =>
      moves[i][0] === seat && moves[i][1] === move);
    if (!extended) setChildren(this.list);
    const firstNew = extended ? this.moves.length : 0;
    this.moves = moves.slice();
    appendChildren(this.list, moves.slice(firstNew).map(([seat, move], i) => this.#item(seat, move, firstNew + i + 1)));
    this.markCurrent(current);
  }

  /**
   * Marks the last of that number of moves and scrolls to it.
   * @param {number} plies
   */
  markCurrent(plies) {
    this.current = plies;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = this.list.querySelectorAll("li")[plies - 1];
    item?.firstElementChild?.setAttribute("aria-current", "true");
    // scrollIntoView would scroll the page too.
    this.list.scrollTop = item ? item.offsetTop - this.list.clientHeight / 2 : 0;
    for (const back of this.backButtons) back.disabled = plies <= 0;
    for (const forward of this.forwardButtons) forward.disabled = plies >= this.moves.length;
  }

  /**
   * Goes forward by that number of moves, or back if it is negative.
   * @param {number} plies
   */
  step(plies) {
    return this.goTo(this.current + plies);
  }

  /**
   * Goes to the position after that number of moves; stops a replay unless it is the caller.
   * @param {number} plies
   * @param {boolean} [replaying]
   */
  goTo(plies, replaying = false) {
    if (!replaying) this.#stopReplay();
    const clamped = Math.max(0, Math.min(this.moves.length, plies));
    if (clamped !== this.current) this.onstep(clamped);
  }

  /** Stops the replay, or starts one from the current move, or from the start if that is the last move. */
  toggleReplay() {
    if (this.timer) this.#stopReplay();
    else if (this.moves.length) this.#startReplay();
  }

  #startReplay() {
    if (this.current >= this.moves.length) this.goTo(0);
    setChildren(this.replayButton, icon("pause"), h("span", { class: "visually-hidden" }, "Stop replay"));
    const tick = () => {
      this.goTo(this.current + 1, true);
      if (this.current >= this.moves.length) this.#stopReplay();
      else this.timer = setTimeout(tick, REPLAY_INTERVAL_MS / this.speed);
    };
    this.timer = setTimeout(tick, REPLAY_INTERVAL_MS / this.speed);
  }

  #stopReplay() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = 0;
    setChildren(this.replayButton, icon("play"), h("span", { class: "visually-hidden" }, "Replay"));
  }

  /**
   * @param {number} seat
   * @param {string} move
   * @param {number} plies
   */
  #item(seat, move, plies) {
    return h("li", {}, h("button", { type: "button", "data-plies": plies, tabindex: "-1", title: this.game.seat_names[seat] },
      h("span", { class: "number" }, plies), moverDisc(this.game, seat), move));
  }
}

/**
 * Creates a button with an icon only; the label is its tooltip and its name for screen readers.
 * @param {string} iconName
 * @param {string} label
 * @param {() => unknown} onclick
 */
export function stepButton(iconName, label, onclick) {
  return h("button", { type: "button", title: label, onclick }, icon(iconName), h("span", { class: "visually-hidden" }, label));
}
