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
 * Returns the known secrets of a room by seat: `mine` for seats played in this browser, `others` for seats to
 * invite other people to, `issued` for own seats whose new secret the server has not confirmed yet.
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
  changeSeats(room, (stored) => {
    const mergedOthers = { ...stored.others, ...others };
    for (const seat of Object.keys(mine)) delete mergedOthers[seat];
    return { ...stored, mine: { ...stored.mine, ...mine }, others: mergedOthers };
  });
}

/**
 * Returns the secrets with which to join the own seats of a room, the newest ones.
 * @param {string} room
 * @returns {Record<string, string>}
 */
export function ownSecrets(room) {
  const { mine, issued } = loadSeats(room);
  return { ...mine, ...issued };
}

/**
 * Stores new secrets, beside those for which they were issued; returns false if the browser stores nothing.
 * @param {string} room
 * @param {Record<string, string>} secrets
 */
export function saveIssued(room, secrets) {
  changeSeats(room, (stored) => ({ ...stored, issued: { ...stored.issued, ...secrets } }));
  const { issued } = loadSeats(room);
  return Object.entries(secrets).every(([seat, secret]) => issued?.[seat] === secret);
}

/**
 * Makes new secrets those of the own seats, after the server has confirmed them.
 * @param {string} room
 * @param {Record<string, string>} secrets
 */
export function adoptIssued(room, secrets) {
  saveSeats(room, { mine: secrets });
  for (const [seat, secret] of Object.entries(secrets)) changeSeats(room, (stored) => withoutSecret(stored, "issued", seat, secret));
}

/**
 * Forgets a secret that is no longer valid; another one of the same seat stays.
 * @param {string} room
 * @param {string} seat
 * @param {string} secret
 */
export function dropSecret(room, seat, secret) {
  for (const kind of /** @type {const} */ (["mine", "others", "issued"])) {
    changeSeats(room, (stored) => withoutSecret(stored, kind, seat, secret));
  }
}

/**
 * @param {Seats} seats
 * @param {keyof Seats} kind
 * @param {string} seat
 * @param {string} secret
 * @returns {Seats}
 */
function withoutSecret(seats, kind, seat, secret) {
  if (seats[kind]?.[seat] !== secret) return seats;
  const remaining = { ...seats[kind] };
  delete remaining[seat];
  return { ...seats, [kind]: remaining };
}

/**
 * @param {string} room
 * @param {(stored: Seats) => Seats} change
 */
function changeSeats(room, change) {
  const rooms = loadValue("rooms", {});
  const changed = change(rooms[room] ?? { mine: {}, others: {} });
  delete rooms[room]; // so that the newest entry comes last
  rooms[room] = changed;
  for (const oldest of Object.keys(rooms).slice(0, -MAX_ROOMS)) delete rooms[oldest];
  saveValue("rooms", rooms);
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
