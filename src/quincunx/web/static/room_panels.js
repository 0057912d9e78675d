// The panels below the move list of a room: sharing, and after the end mistakes and best scores.

import { h, setChildren } from "./dom.js";
import { bestScoresLink } from "./games_page.js";
import { mistakesSection } from "./mistakes.js";
import { openInvitations } from "./room_state.js";
import { drawSharePanel } from "./share.js";
import { loadSeats } from "./storage.js";

/** @import { RoomPage } from "./room_page.js" */

/** The panels of a room that are not always shown. */
export class RoomPanels {
  /** @param {RoomPage} page */
  constructor(page) {
    this.page = page;
    this.endShown = false; // whether the panels of a finished game are shown
    /** @type {HTMLElement | null} */
    this.sharePanel = null;
    this.element = h("div", { class: "extra-panels" });
  }

  /** Shows the panels of a finished game once it is over. */
  draw() {
    const { page } = this;
    const { over, players } = page.room;
    if (over && !this.endShown) {
      const { id } = page.connection;
      this.sharePanel = null;
      setChildren(this.element, mistakesSection(id, page.game, players.length, (mistake) => page.showMistake(mistake)),
        players.length === 1 && bestScoresLink(id));
    }
    this.endShown = over;
  }

  /** Shows or hides the links, texts and files to share. */
  toggleShare() {
    if (this.sharePanel) {
      this.sharePanel.remove();
      this.sharePanel = null;
      return;
    }
    const { connection, game, history, moveList, room } = this.page;
    this.sharePanel = h("section", { class: "share-panel", "aria-label": "Share" });
    this.element.prepend(this.sharePanel);
    drawSharePanel(this.sharePanel, {
      id: connection.id, game, options: room.options, rules: room.rules, plies: moveList.current, flip: connection.flip,
      text: history.current?.text ?? room.text, others: openInvitations(room, loadSeats(connection.id).others),
      mine: Object.entries(loadSeats(connection.id).mine).filter(([seat]) => room.you.includes(Number(seat)) && !room.over),
    });
    this.sharePanel.scrollIntoView({ block: "nearest" });
  }
}
