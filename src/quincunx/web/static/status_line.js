// The status of a room: a line beside the board, and the title of the document.

import { button, h, setChildren } from "./dom.js";
import { capitalize } from "./format.js";
import { hasOwnColour, seatDisc } from "./players.js";
import { countHumans, isOwnTurn, ownSeats, sharedScreenSeat, statusText } from "./room_state.js";

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
    const { connection, history, input, room } = this.page;
    if (connection.disconnected) return "The server cannot be reached. Trying again…";
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
    const { activeSeat, connection, game, history, room } = this.page;
    const isPast = history.current !== null;
    const back = () => this.page.showPly(room.moves.length);
    const named = isPast || connection.disconnected ? null : sharedScreenSeat(room);
    const isNamed = !room.over && activeSeat !== undefined && (room.live || room.you.length === 1) && hasOwnColour(game, activeSeat);
    setChildren(this.element,
      isNamed && h("span", { class: "own-colour" }, seatDisc(game, activeSeat), `You are ${game.seat_names[activeSeat]}.`),
      !isPast && this.effects && h("span", { class: "effects" }, this.effects),
      named === null ? h("span", {}, this.text) : [seatDisc(game, named), h("span", { class: "named" }, this.text)],
      isPast && [" ", button("", "Back to the game", back, { class: "plain inline" })],
      !isPast && room.progress && h("span", { class: "progress muted" }, capitalize(room.progress)),
      !room.you.length && !isPast && h("span", { class: "muted" }, " You are watching."));
    const ownTurn = isOwnTurn(room) && !connection.disconnected;
    this.element.classList.toggle("your-turn", ownTurn);
    document.title = `${ownTurn && countHumans(room) > ownSeats(room).length ? "● " : ""}${game.title} – Quincunx`;
  }
}
