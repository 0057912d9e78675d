// The status of a room: a line beside the board, and the title of the document.

import { button, h, setChildren } from "./dom.js";
import { hasOwnColour, seatDisc } from "./players.js";
import { countHumans, isOwnTurn, statusText } from "./room_state.js";

/** @import { RoomPage } from "./room_page.js" */

const EFFECTS_SHOWN_MS = 6000;

/** The line that says who is to move, which earlier position is shown, or how the game ended. */
export class StatusLine {
  /** @param {RoomPage} page */
  constructor(page) {
    this.page = page;
    this.hintText = ""; // shown while the selection has a hint
    this.effects = ""; // what a move has caused, for some seconds
    this.timer = 0;
    this.element = h("p", { class: "status" });
  }

  get text() {
    const { history, input, room } = this.page;
    if (history.current) return `Move ${history.current.plies} of ${room.moves.length}.`;
    return input.selection.hint ? this.hintText : statusText(room);
  }

  /**
   * Shows what a move has caused; nothing new leaves what is shown, since the next move may follow at once.
   * @param {string} effects
   */
  showEffects(effects) {
    if (!effects) return;
    this.effects = effects;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.effects = "";
      this.draw();
    }, EFFECTS_SHOWN_MS);
  }

  /** Stops changing the status. */
  close() {
    clearTimeout(this.timer);
  }

  draw() {
    const { activeSeat, game, history, room } = this.page;
    const isPast = history.current !== null;
    const back = () => this.page.showPly(room.moves.length);
    const isNamed = !room.over && activeSeat !== undefined && (room.live || room.you.length === 1) && hasOwnColour(game, activeSeat);
    setChildren(this.element,
      isNamed && h("span", { class: "own-colour" }, seatDisc(game, activeSeat), `You are ${game.seat_names[activeSeat]}.`),
      !isPast && this.effects && h("span", { class: "effects" }, this.effects), h("span", {}, this.text),
      isPast && [" ", button("", "Back to the game", back, { class: "plain inline" })],
      !room.you.length && !isPast && h("span", { class: "muted" }, " You are watching."));
    const ownTurn = isOwnTurn(room);
    this.element.classList.toggle("your-turn", ownTurn);
    document.title = `${ownTurn && countHumans(room) > 1 ? "● " : ""}${game.title} – Quincunx`;
  }
}
