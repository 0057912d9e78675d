// Local storage: settings, the last setup of each game, and the secrets of seats. Under a root path, keys begin with
// it, since other sites may have the rest of the host.

import { ROOT } from "./site_root.js";

/** @import { Seats, Stored } from "./types.js" */

const MAX_ROOMS = 200; // rooms whose secrets are stored; the oldest are dropped first

/**
 * Returns a stored value, or the fallback if there is none.
 * @template {keyof Stored} K
 * @param {K} key
 * @param {Stored[K]} fallback
 * @returns {Stored[K]}
 */
export function loadValue(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(ROOT + key) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * Stores a value if the browser allows it.
 * @template {keyof Stored} K
 * @param {K} key
 * @param {Stored[K]} value
 */
export function saveValue(key, value) {
  try {
    localStorage.setItem(ROOT + key, JSON.stringify(value));
  } catch {
    // Storage may be disabled, as in some private windows; the page works without it.
  }
}

/**
 * Returns the known secrets of a room by seat: `mine` for seats played in this browser,
 * `others` for seats to invite other people to.
 * @param {string} room
 * @returns {Seats}
 */
export function loadSeats(room) {
  return loadValue("rooms", {})[room] ?? { mine: {}, others: {} };
}

/**
 * Adds secrets to those stored for a room. A seat in `mine` is removed from `others`.
 * @param {string} room
 * @param {Partial<Seats>} seats
 */
export function saveSeats(room, { mine = {}, others = {} }) {
  // Nothing is written in vain: another tab may be writing at the same time.
  if (!Object.keys(mine).length && !Object.keys(others).length) return;
  const stored = loadSeats(room);
  const mergedOthers = { ...stored.others, ...others };
  for (const seat of Object.keys(mine)) delete mergedOthers[seat];
  saveForRoom("rooms", room, { mine: { ...stored.mine, ...mine }, others: mergedOthers });
}

/**
 * Returns the secrets with which to join the own seats of a room: the newest that has not been refused.
 * @param {string} room
 * @param {Set<string>} refused
 * @returns {Record<string, string>}
 */
export function ownSecrets(room, refused) {
  const known = [...Object.entries(loadSeats(room).mine), ...Object.entries(loadValue("issued", {})[room] ?? {})];
  return Object.fromEntries(known.filter(([, secret]) => !refused.has(secret)));
}

/**
 * Stores new secrets, beside those for which they were issued; returns false if the browser stores nothing.
 * @param {string} room
 * @param {Record<string, string>} secrets
 */
export function saveIssued(room, secrets) {
  saveForRoom("issued", room, { ...loadValue("issued", {})[room], ...secrets });
  const stored = loadValue("issued", {})[room] ?? {};
  return Object.entries(secrets).every(([seat, secret]) => stored[seat] === secret);
}

/**
 * Makes new secrets those of the own seats, after the server has confirmed them.
 * @param {string} room
 * @param {Record<string, string>} secrets
 */
export function adoptIssued(room, secrets) {
  saveSeats(room, { mine: secrets });
  const issued = loadValue("issued", {});
  const remaining = Object.entries(issued[room] ?? {}).filter(([seat, secret]) => secrets[seat] !== secret);
  delete issued[room];
  saveValue("issued", remaining.length ? { ...issued, [room]: Object.fromEntries(remaining) } : issued);
}

/**
 * Stores the value of a room as the newest; those of the oldest rooms are dropped.
 * @template {"rooms" | "issued"} K
 * @param {K} key
 * @param {string} room
 * @param {Stored[K][string]} value
 */
function saveForRoom(key, room, value) {
  const rooms = /** @type {Record<string, Stored[K][string]>} */ (loadValue(key, /** @type {Stored[K]} */ ({})));
  delete rooms[room]; // so that the newest entry comes last
  rooms[room] = value;
  for (const oldest of Object.keys(rooms).slice(0, -MAX_ROOMS)) delete rooms[oldest];
  saveValue(key, /** @type {Stored[K]} */ (rooms));
}

/**
 * Returns {seat: secret} from the hash of an invitation link, `#seat=1&secret=…`, or {} for other hashes.
 * @param {string} hash
 * @returns {Record<string, string>}
 */
export function seatFromHash(hash) {
  const parameters = new URLSearchParams(hash.slice(1));
  const [seat, secret] = [parameters.get("seat"), parameters.get("secret")];
  return secret && seat && /^\d+$/.test(seat) ? { [seat]: secret } : {};
}
