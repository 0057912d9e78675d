// The prompts of a room between its players: invitations, requests for a takeback or a pause, and the rematch.

import { showNotice } from "./announce.js";
import { Invitations, RequestPrompt } from "./invitations.js";
import { playerLabel, requestToAnswer, requestWaiting } from "./room_state.js";
import { navigate } from "./router.js";
import { loadSeats, saveSeats } from "./storage.js";

/** @import { RoomPage } from "./room_page.js" */
/** @import { ServerMessages } from "./types.js" */

const REQUESTS = {
  undo: { asks: "asks to take back the last move.", waits: "You asked to take back your move.", yes: "Allow" },
  pause: { asks: "asks to pause the game.", waits: "You asked to pause the game.", yes: "Allow" },
  rematch: { asks: "would like a rematch.", waits: "You would like a rematch.", yes: "Accept" },
};

/** The prompts above the controls of a room. */
export class RoomPrompts {
  /** @param {RoomPage} page */
  constructor(page) {
    this.page = page;
    const { id } = page.connection;
    this.invitations = new Invitations(id, page.game, { onclaim: (openSeats) => {
      saveSeats(id, { mine: Object.fromEntries(openSeats) });
      page.connection.rejoin();
    } });
    this.request = new RequestPrompt();
    this.elements = [this.invitations.element, this.request.element];
  }

  /** Shows the invitations to open seats, and a request that one of the own seats has to answer or waits for. */
  draw() {
    const { game, room } = this.page;
    this.invitations.draw(room);
    const request = requestToAnswer(room);
    const waiting = requestWaiting(room);
    if (request) {
      const { asks, yes } = REQUESTS[request.kind];
      this.request.showRequest(`${playerLabel(room, game, request.by)} ${asks}`, yes, (agreed) => this.#answer(agreed));
    } else this.request.showWaiting(waiting ? `${REQUESTS[waiting.kind].waits} Waiting for an answer…` : "");
  }

  /** @param {boolean} yes */
  #answer(yes) {
    const { connection, room } = this.page;
    const request = requestToAnswer(room);
    if (request) connection.send("answer", { seat: request.seat, yes, number: room.number });
  }

  /**
   * Opens the rematch if this browser plays, or else offers a link to it.
   * @param {ServerMessages["rematched"]} rematch
   */
  joinRematch({ to, secrets }) {
    saveSeats(to, { mine: secrets });
    if (this.page.room.you.length) {
      showNotice("");
      navigate(`/room/${to}`);
    } else this.offerRematch(to);
  }

  /**
   * Shows a link to the rematch, in which every player keeps their secret and takes the next seat.
   * @param {string} to
   */
  offerRematch(to) {
    const seatCount = this.page.room.players.length;
    const { mine } = loadSeats(this.page.connection.id);
    const rotated = Object.entries(mine).map(([seat, secret]) => [(Number(seat) + 1) % seatCount, secret]);
    saveSeats(to, { mine: Object.fromEntries(rotated) });
    this.request.showRematchLink(`/room/${to}`);
  }
}
