// Local storage: settings, the last setup of each game, and the secrets of seats. Under a root path, keys begin with
// it, since other sites may have the rest of the host. What the browser does not store lasts as long as the page.
//
// Tabs of one browser share the storage and write at the same time, and no lock works on all sites that serve this
// page. So each secret has a key of its own, and nothing is read to be written back: no tab can undo what another has
// stored.

import { ROOT } from "./site_root.js";

/** @import { Seats, Stored, StoredSecret } from "./types.js" */

/** @typedef {StoredSecret & {room: string, seat: string, secret: string}} KnownSecret */

const MAX_ROOMS = 200; // rooms whose secrets are stored; the oldest are dropped first
const SECRET_KEY = "secret:"; // followed by room, seat and secret, with colons between them

/** The kinds of secrets for one seat, the best first. */
const KINDS = ["issued", "mine", "others"];

/** Values that the browser did not store, by their keys.
 * @type {Map<string, string>} */
const unstored = new Map();

/**
 * Returns a stored value, or the fallback if there is none.
 * @template {keyof Stored} K
 * @param {K} key
 * @param {Stored[K]} fallback
 * @returns {Stored[K]}
 */
export function loadValue(key, fallback) {
  try {
    return JSON.parse(unstored.get(ROOT + key) ?? localStorage.getItem(ROOT + key) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * Stores a value; returns false if the browser does not, as in some private windows, so that it lasts as long as the
 * page.
 * @template {keyof Stored} K
 * @param {K} key
 * @param {Stored[K]} value
 */
export function saveValue(key, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(ROOT + key, text);
    if (localStorage.getItem(ROOT + key) === text) {
      unstored.delete(ROOT + key);
      return true;
    }
  } catch {
    // Storage is disabled or full.
  }
  unstored.set(ROOT + key, text);
  return false;
}

/** @param {keyof Stored} key */
function removeValue(key) {
  unstored.delete(ROOT + key);
  try {
    localStorage.removeItem(ROOT + key);
  } catch {
    // Storage is disabled.
  }
}

/** Returns the keys of all values, with the root path. */
function allKeys() {
  const keys = new Set(unstored.keys());
  try {
    for (let i = 0; i < localStorage.length; i++) keys.add(localStorage.key(i) ?? "");
  } catch {
    // Storage is disabled.
  }
  return [...keys];
}

/**
 * Returns the known secrets of a room by seat: `mine` for seats played in this browser,
 * `others` for seats to invite other people to.
 * @param {string} room
 * @returns {Seats}
 */
export function loadSeats(room) {
  const mine = ownSecrets(room, new Set());
  const others = secretsOf(room).filter(({ kind, seat }) => kind === "others" && !(seat in mine));
  return { mine, others: Object.fromEntries(others.map(({ seat, secret }) => [seat, secret])) };
}

/**
 * Adds secrets to those stored for a room. A seat in `mine` is no longer in `others`.
 * @param {string} room
 * @param {Partial<Seats>} seats
 */
export function saveSeats(room, { mine = {}, others = {} }) {
  for (const [seat, secret] of Object.entries(others)) saveSecret(room, seat, secret, "others");
  for (const [seat, secret] of Object.entries(mine)) saveSecret(room, seat, secret, "mine");
  dropOldRooms();
}

/**
 * Returns the secrets with which to join the own seats of a room: the newest that has not been refused, and one that
 * was issued to this browser before an invitation.
 * @param {string} room
 * @param {Set<string>} refused
 * @returns {Record<string, string>}
 */
export function ownSecrets(room, refused) {
  const usable = secretsOf(room).filter(({ kind, secret }) => kind !== "others" && !refused.has(secret));
  return Object.fromEntries(usable.reverse().map(({ seat, secret }) => [seat, secret])); // the best is entered last
}

/**
 * Stores secrets that were issued for invitations, beside those; returns false, and keeps none of them, if the browser
 * does not store them.
 * @param {string} room
 * @param {Record<string, string>} secrets
 */
export function saveIssued(room, secrets) {
  const entries = Object.entries(secrets);
  if (entries.every(([seat, secret]) => saveSecret(room, seat, secret, "issued"))) return true;
  for (const [seat, secret] of entries) removeValue(secretKey(room, seat, secret));
  return false;
}

/**
 * Drops all other secrets of seats whose secret the server has accepted for good: no other one is valid from then on,
 * whichever tab has stored it.
 * @param {string} room
 * @param {Record<string, string>} accepted by seat
 */
export function dropInvalid(room, accepted) {
  for (const { seat, secret } of secretsOf(room)) {
    if (seat in accepted && accepted[seat] !== secret) removeValue(secretKey(room, seat, secret));
  }
}

/**
 * @param {string} room
 * @param {string} seat
 * @param {string} secret
 * @returns {`secret:${string}`}
 */
function secretKey(room, seat, secret) {
  return `${SECRET_KEY}${room}:${seat}:${secret}`;
}

/**
 * @param {string} room
 * @param {string} seat
 * @param {string} secret
 * @param {StoredSecret["kind"]} kind
 */
function saveSecret(room, seat, secret, kind) {
  return saveValue(secretKey(room, seat, secret), { kind, time: Date.now() });
}

/**
 * Returns the secrets of a room: the best kind first, and of one kind the newest.
 * @param {string} room
 */
function secretsOf(room) {
  const known = [...knownSecrets(`${room}:`), ...secretsOfOldPages(room)];
  return known.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.time - a.time);
}

/**
 * Returns all secrets with a key of their own.
 * @param {string} [start] of what follows in their keys
 * @returns {KnownSecret[]}
 */
function knownSecrets(start = "") {
  return allKeys().filter((key) => key.startsWith(ROOT + SECRET_KEY + start)).map((key) => {
    const [room, seat, ...rest] = key.slice((ROOT + SECRET_KEY).length).split(":");
    const secret = rest.join(":");
    return { room, seat, secret, ...loadValue(secretKey(room, seat, secret), { kind: "mine", time: 0 }) };
  });
}

/**
 * Returns the secrets of a room that earlier versions of this page have stored, under one key for all rooms.
 * @param {string} room
 * @returns {KnownSecret[]}
 */
function secretsOfOldPages(room) {
  const { mine, others } = loadValue("rooms", {})[room] ?? { mine: {}, others: {} };
  return [
    ...Object.entries(others).map(([seat, secret]) => ({ room, seat, secret, kind: /** @type {const} */ ("others"), time: 0 })),
    ...Object.entries(mine).map(([seat, secret]) => ({ room, seat, secret, kind: /** @type {const} */ ("mine"), time: 0 })),
  ];
}

/** Drops the secrets of the rooms whose newest secret is oldest. */
function dropOldRooms() {
  const known = knownSecrets().sort((a, b) => b.time - a.time);
  const newest = new Set([...new Set(known.map(({ room }) => room))].slice(0, MAX_ROOMS));
  for (const { room, seat, secret } of known) if (!newest.has(room)) removeValue(secretKey(room, seat, secret));
}

/**
 * Drops the values whose keys begin with a prefix but the newest ones.
 * @param {"analysis:"} prefix
 * @param {number} count the number of values to keep
 */
export function dropOldest(prefix, count) {
  const keys = allKeys().filter((key) => key.startsWith(ROOT + prefix))
    .map((key) => /** @type {`analysis:${string}`} */ (key.slice(ROOT.length)));
  if (keys.length <= count) return;
  const time = (/** @type {`analysis:${string}`} */ key) => loadValue(key, { time: 0, nodes: [] }).time;
  for (const key of keys.sort((a, b) => time(b) - time(a)).slice(count)) removeValue(key);
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
