// The status of a room: a line beside the board, and the title of the document.

import { button, h, setChildren } from "./dom.js";
import { capitalize } from "./format.js";
import { seatDisc } from "./players.js";
import { countHumans, isOwnTurn, ownSeats, sharedScreenSeat, statusText } from "./room_state.js";

/** @import { RoomPage } from "./room_page.js" */

/** The line that says who is to move, which earlier position is shown, or how the game ended. */
export class StatusLine {
  /** @param {RoomPage} page */
  constructor(page) {
    this.page = page;
    this.hintText = ""; // shown while the selection has a hint
    this.element = h("p", { class: "status" });
  }

  get text() {
    const { connection, history, input, room } = this.page;
    if (connection.disconnected) return "The server cannot be reached. Trying again…";
    if (history.current) return `Move ${history.current.plies} of ${room.moves.length}.`;
    return input.selection.hint ? this.hintText : statusText(room);
  }

  draw() {
    const { connection, game, history, room } = this.page;
    const isPast = history.current !== null;
    const back = () => this.page.showPly(room.moves.length);
    const named = isPast || connection.disconnected ? null : sharedScreenSeat(room);
    setChildren(this.element,
      h("span", { class: "status-text" }, named !== null && seatDisc(game, named), h("span", {}, this.text)),
      isPast && [" ", button("", "Back to the game", back, { class: "plain inline" })],
      !isPast && room.progress && h("span", { class: "progress muted" }, capitalize(room.progress)),
      !room.you.length && !isPast && h("span", { class: "muted" }, " You are watching."));
    const ownTurn = isOwnTurn(room) && !connection.disconnected;
    this.element.classList.toggle("your-turn", ownTurn);
    document.title = `${ownTurn && countHumans(room) > ownSeats(room).length ? "● " : ""}${game.title} – Quincunx`;
  }
}
