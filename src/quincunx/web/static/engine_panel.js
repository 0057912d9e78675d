// The engine of the analysis page: asks the server for an analysis and shows it beside and over the board.

import { asRequestError } from "./api.js";
import { h, setChildren } from "./dom.js";
import { on, request } from "./socket.js";
import { loadValue, saveValue } from "./storage.js";
import { drawBestMoves, ValueBar } from "./value_bar.js";

/** @import { Overlay } from "./overlay.js" */
/** @import { Analysis, BoardFields, Game, Position } from "./types.js" */

const ANALYSIS_SECONDS = 8;
const MAX_ARROWS = 3; // one for each of the best moves

/** The analysis of the current position. */
export class EnginePanel {
  /**
   * @param {Game} game
   * @param {Overlay} overlay of the board, for arrows
   * @param {(move: string) => unknown} onplay called for a click on one of the best moves
   */
  constructor(game, overlay, onplay) {
    this.overlay = overlay;
    this.onplay = onplay;
    this.valueBar = new ValueBar(game);
    this.element = h("div", { class: "engine-panel" });
    this.enabled = loadValue("engine", true);
    /** @type {number | null} `ref` of the analysis whose results are shown */
    this.ref = null;
    this.game = game;
    /** @type {string[]} of the seats that play */
    this.seatNames = [];
    this.unsubscribe = on("opinions", (analysis) => analysis.ref === this.ref && this.#show(analysis));
  }

  close() {
    this.unsubscribe();
    this.#stop();
  }

  /** Turns the engine on or off. */
  toggle() {
    this.enabled = !this.enabled;
    saveValue("engine", this.enabled);
  }

  /** Ignores further results, which are for a position that is no longer shown. */
  ignoreResults() {
    this.ref = null;
  }

  /**
   * Starts the analysis of a position, or stops the running one if the engine is off.
   * @param {Position} position
   * @param {BoardFields} fields that identify the position
   */
  async start(position, fields) {
    this.ignoreResults();
    this.seatNames = this.game.seat_names.slice(0, position.scores.length);
    if (position.over) this.valueBar.showResult(position, this.seatNames);
    else this.valueBar.clear();
    setChildren(this.element);
    this.overlay.clear("arrows");
    if (!this.enabled) this.#stop();
    if (!this.enabled || position.over) return;
    const response = request({ type: "analyse", ...fields, seconds: ANALYSIS_SECONDS });
    this.ref = response.ref;
    try {
      await response;
    } catch (failure) {
      const { code, message } = asRequestError(failure);
      if (this.ref === response.ref && code !== "network") setChildren(this.element, h("p", { class: "muted" }, message));
    }
  }

  #stop() {
    request({ type: "stop" }).catch(() => {});
  }

  /**
   * Shows the value, the best moves and their arrows.
   * @param {Analysis} analysis
   */
  #show(analysis) {
    this.valueBar.show(analysis, this.seatNames);
    drawBestMoves(this.element, analysis, this.seatNames, this.onplay);
    const arrows = analysis.moves.slice(0, MAX_ARROWS).map(({ path }, i) =>
      this.overlay.move(path, i ? "alternative" : "best", 1 - i / MAX_ARROWS));
    this.overlay.draw("arrows", arrows.reverse()); // the best one on top
  }
}
