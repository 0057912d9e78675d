// The connection of the page to one room: joining, messages about it, and joining again when something was missed.

import { showNotice } from "./announce.js";
import { asRequestError, retryWhileBusy } from "./api.js";
import { replaceAddress } from "./router.js";
import { on, request } from "./socket.js";
import { loadSeats, saveSeats, seatFromHash } from "./storage.js";
import { sitePath } from "./site_root.js";

/** @import { Request, Requests, Room, RoomEvent, ServerMessages } from "./types.js" */

/**
 * @typedef {object} RoomListeners
 * @property {(room: Room) => void} onroom the whole room, after joining again
 * @property {(event: RoomEvent) => void} onevent the next event
 * @property {(presence: ServerMessages["here"]) => void} onpresence
 * @property {(rematch: ServerMessages["rematched"]) => void} onrematch
 * @property {() => void} ondisconnect
 * @property {(text: string) => void} onerror shows an error, an empty text hides it
 */

/** The types of messages about a room; the others are about positions or the connection. */
/** @typedef {Exclude<keyof Requests, "join" | "leave" | "explore" | "analyse" | "stop">} RoomRequest */

const PROTOCOL = 2; // a server that speaks another one asks to reload the page
const LONG_NOTICE_SECONDS = 8;

/**
 * Joins a room with the stored seats.
 * @param {string} id
 * @param {boolean} flip
 * @param {Record<string, string>} [invitation] the secret of a seat that is not stored yet
 */
export function join(id, flip, invitation = {}) {
  return request({ type: "join", protocol: PROTOCOL, room: id, secrets: { ...loadSeats(id).mine, ...invitation }, view: "page", flip });
}

/**
 * Joins a room; an invitation in the address is stored if it is valid, and removed from the address.
 * @param {string} id
 */
export async function joinRoom(id) {
  const invitation = seatFromHash(location.hash);
  let room;
  try {
    room = await join(id, false, invitation);
    saveSeats(id, { mine: invitation });
  } catch (failure) {
    const { code } = asRequestError(failure);
    if (!["secret", "seat"].includes(code) || !Object.keys(invitation).length) throw failure;
    showNotice("This invitation link is invalid or incomplete.", LONG_NOTICE_SECONDS);
    room = await join(id, false);
  }
  if (location.hash) replaceAddress((sitePath(location.pathname) ?? "/") + location.search);
  return room;
}

/** A room that has been joined. */
export class RoomConnection {
  /**
   * @param {Room} room
   * @param {boolean} flip
   * @param {RoomListeners} listeners
   */
  constructor(room, flip, listeners) {
    this.id = room.room;
    this.number = room.number; // of the last event received
    this.flip = flip;
    this.listeners = listeners;
    this.disconnected = false;
    this.rejoining = false;
    this.closed = false;
    const { id } = this;
    this.unsubscribers = [
      on("event", (event) => event.room === id && this.#receive(event)),
      on("here", (presence) => presence.room === id && listeners.onpresence(presence)),
      on("rematched", (rematch) => rematch.room === id && listeners.onrematch(rematch)),
      on("closed", () => {
        this.disconnected = true;
        listeners.ondisconnect();
      }),
      on("open", () => this.rejoin()),
    ];
  }

  /** Leaves the room. */
  close() {
    this.closed = true;
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    request({ type: "leave", room: this.id }).catch(() => {});
  }

  /** @param {RoomEvent} event */
  #receive(event) {
    if (event.number <= this.number) return;
    if (event.number > this.number + 1) {
      this.rejoin(); // an event was missed
      return;
    }
    this.number = event.number;
    this.listeners.onevent(event);
  }

  /** Joins again and reports the room's current state, after a lost connection or a missed event. */
  async rejoin() {
    if (this.rejoining) return;
    this.rejoining = true;
    const { onerror, onroom } = this.listeners;
    try {
      const room = await retryWhileBusy(async () => (this.closed ? null : join(this.id, this.flip)), onerror);
      if (!room || this.closed) return; // the page was closed while the server was busy
      this.number = room.number;
      this.disconnected = false;
      onerror("");
      onroom(room);
    } catch (failure) {
      const { code, message } = asRequestError(failure);
      if (code !== "network") onerror(message);
    } finally {
      this.rejoining = false;
    }
  }

  /**
   * Sends a message about this room; reports an error and resolves to null if it fails.
   * @template {RoomRequest} T
   * @param {T} type
   * @param {Omit<Requests[T][0], "ref" | "room" | "type">} fields
   * @returns {Promise<Requests[T][1] | null>}
   */
  async send(type, fields) {
    this.listeners.onerror("");
    try {
      return await request(/** @type {Request<T>} */ ({ type, room: this.id, ...fields }));
    } catch (failure) {
      const { code, message } = asRequestError(failure);
      this.listeners.onerror(message);
      if (code === "late") this.rejoin();
      return null;
    }
  }
}
