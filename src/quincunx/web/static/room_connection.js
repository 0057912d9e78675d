// The connection of the page to one room: joining, messages about it, and joining again when something was missed.

import { showNotice } from "./announce.js";
import { asRequestError, retryWhileBusy } from "./api.js";
import { replaceAddress } from "./router.js";
import { on, request } from "./socket.js";
import { dropInvalid, ownSecrets, saveIssued, saveSeats, seatFromHash } from "./storage.js";
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
/** @typedef {Exclude<keyof Requests, "join" | "confirm" | "leave" | "explore" | "explain" | "preview" | "analyse" | "stop">} RoomRequest */

const PROTOCOL = 2; // a server that speaks another one asks to reload the page
const LONG_NOTICE_SECONDS = 8;
const NOT_SENT = "Not sent: the server cannot be reached. Please try again when the connection is back.";
const INVITATION_USED = "this invitation has been used"; // the server's text

/** Secrets that the server has refused, and that this page does not send again.
 * @type {Set<string>} */
const refused = new Set();

/**
 * Joins a room with the stored seats, without those whose secret is no longer valid. An invitation is exchanged for a
 * new secret.
 * @param {string} id
 * @param {{view: "page", flip: boolean} | {view: "moves"}} fields
 * @param {Record<string, string>} [invitation] the secret of a seat that is not stored yet; it must be valid
 * @returns {Promise<Room>}
 */
export async function join(id, fields, invitation = {}) {
  const secrets = { ...ownSecrets(id, refused), ...invitation };
  let room;
  try {
    room = await request({ type: "join", protocol: PROTOCOL, room: id, secrets, ...fields });
  } catch (failure) {
    const seat = refusedSeat(asRequestError(failure));
    if (seat === null || !secrets[seat] || invitation[seat]) throw failure;
    refused.add(secrets[seat]);
    return join(id, fields, invitation);
  }
  const issued = room.secrets ?? {};
  saveSeats(id, { mine: invitation });
  dropInvalid(id, Object.fromEntries(Object.entries(secrets).filter(([seat]) => !issued[seat])));
  if (!Object.keys(issued).length) return room;
  const watch = watchRoom(room);
  const isConfirmed = await exchangeSecrets(id, issued).finally(watch.end);
  return isConfirmed && !watch.hasChanged() ? room : join(id, fields);
}

/**
 * Notices whether anything happens in a room while its page does not listen yet.
 * @param {Room} room
 */
function watchRoom({ room: id, you }) {
  let changed = false;
  const unsubscribers = [
    on("event", (event) => { changed ||= event.room === id; }),
    on("here", ({ room, seat }) => { changed ||= room === id && !you.includes(seat); }),
    on("rematched", ({ room }) => { changed ||= room === id; }),
  ];
  return {
    hasChanged: () => changed,
    end: () => { for (const unsubscribe of unsubscribers) unsubscribe(); },
  };
}

/**
 * Stores the secrets that the server has issued for invitations, then confirms them, which makes the invitations and
 * all other secrets issued for them invalid. What cannot be stored is not confirmed: this page plays on with the
 * invitation, which stays valid, so that opening its link again gives the seat back.
 *
 * Returns false if the page must join again, because another one has confirmed before. If that is a tab of this
 * browser, it has stored its secret before, and so this page finds it: now, or by the event of the storage.
 * @param {string} id
 * @param {Record<string, string>} secrets
 */
async function exchangeSecrets(id, secrets) {
  if (!saveIssued(id, secrets)) return true;
  try {
    await request({ type: "confirm", room: id, secrets });
  } catch (failure) {
    const error = asRequestError(failure);
    const seat = refusedSeat(error);
    if (seat !== null) refused.add(secrets[seat]);
    // A tab may also have joined with these very secrets: they are valid, but this page has lost the seat. After
    // another kind of error it plays on, and joining again later confirms them.
    return error.code !== "secret";
  }
  dropInvalid(id, secrets);
  return true;
}

/**
 * Returns the seat whose secret was refused, or null for other errors.
 * @param {{code: string, field: string}} error
 */
function refusedSeat({ code, field }) {
  const [, seat] = (code === "secret" && field.match(/^secrets\.(\d+)$/)) || [];
  return seat ?? null;
}

/**
 * Joins a room; an invitation in the address is stored if it is valid, and removed from the address.
 * @param {string} id
 */
export async function joinRoom(id) {
  const fields = /** @type {const} */ ({ view: "page", flip: false });
  const invitation = seatFromHash(location.hash);
  const [seat] = Object.keys(invitation);
  let isInvalid = false;
  let room;
  try {
    room = await join(id, fields, invitation);
  } catch (failure) {
    const { code, message } = asRequestError(failure);
    if (!["secret", "seat"].includes(code) || seat === undefined) throw failure;
    isInvalid = message !== INVITATION_USED;
    room = await join(id, fields);
  }
  if (isInvalid) showNotice("This invitation link is invalid or incomplete.", LONG_NOTICE_SECONDS);
  else if (seat !== undefined && !room.you.includes(Number(seat))) showNotice("This invitation has been used. You are watching.", LONG_NOTICE_SECONDS);
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
    this.seats = room.you;
    const { id } = this;
    const onstorage = () => this.#joinStoredSeats();
    addEventListener("storage", onstorage);
    this.unsubscribers = [
      on("event", (event) => event.room === id && this.#receive(event)),
      on("here", (presence) => presence.room === id && listeners.onpresence(presence)),
      on("unseated", (unseated) => unseated.room === id && this.#recoverSeat(unseated.seat)),
      on("rematched", (rematch) => rematch.room === id && listeners.onrematch(rematch)),
      on("closed", () => {
        this.disconnected = true;
        listeners.ondisconnect();
      }),
      on("open", () => this.rejoin()),
      () => removeEventListener("storage", onstorage),
    ];
    onstorage();
  }

  /** Leaves the room. */
  close() {
    this.closed = true;
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    request({ type: "leave", room: this.id }).catch(() => {});
  }

  /**
   * Joins again after a seat was lost: another tab of this browser may have stored its new secret.
   * @param {number} seat
   */
  async #recoverSeat(seat) {
    const room = await this.rejoin();
    if (room && !room.you.includes(seat)) {
      showNotice("Your invitation has been used in another browser, which plays this seat now.", LONG_NOTICE_SECONDS);
    }
  }

  /** Joins again if another tab of this browser has stored the secret of a further seat. */
  async #joinStoredSeats() {
    if (Object.keys(ownSecrets(this.id, refused)).every((seat) => this.seats.includes(Number(seat)))) return;
    if (await this.rejoin()) showNotice("");
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

  /**
   * Joins again and reports the room's current state, after a lost connection or a missed event; returns the room,
   * or null if that was not possible.
   * @returns {Promise<Room | null>}
   */
  async rejoin() {
    if (this.rejoining) return null;
    this.rejoining = true;
    const room = await this.#join().finally(() => { this.rejoining = false; });
    if (room) this.#joinStoredSeats(); // of which other tabs may have stored one meanwhile
    return room;
  }

  /** @returns {Promise<Room | null>} */
  async #join() {
    const { onerror, onroom } = this.listeners;
    try {
      const send = async () => (this.closed ? null : join(this.id, { view: "page", flip: this.flip }));
      const room = await retryWhileBusy(send, onerror);
      if (!room || this.closed) return null; // the page was closed while the server was busy
      this.number = room.number;
      this.seats = room.you;
      this.disconnected = false;
      onerror("");
      onroom(room);
      return room;
    } catch (failure) {
      const { code, message } = asRequestError(failure);
      if (code !== "network") onerror(message);
      return null;
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
    if (this.disconnected) {
      this.listeners.onerror(NOT_SENT); // a move that is sent much later may be meant for another position
      return null;
    }
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
