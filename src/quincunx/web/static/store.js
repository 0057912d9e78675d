// What this browser remembers: settings, how games were set up, and the secrets of its seats.

const ROOMS = 200; // of so many rooms secrets are kept

/** A remembered value; the other if there is none. */
export function recall(key, other) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? other;
  } catch {
    return other;
  }
}

/** Remembers a value, where the browser lets us. */
export function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A private window forgets; the page works all the same.
  }
}

/**
 * What is known of a room's seats: `mine` are secrets that this browser plays with,
 * `others` those that it hands out as invitations.
 * @returns {{mine: Object<string, string>, others: Object<string, string>}}
 */
export function seats(room) {
  return recall("rooms", {})[room] || { mine: {}, others: {} };
}

/** Adds what is known of a room's seats. */
export function keepSeats(room, { mine = {}, others = {} }) {
  const rooms = recall("rooms", {});
  const known = rooms[room] || { mine: {}, others: {} };
  const handed = { ...known.others, ...others };
  for (const seat of Object.keys(mine)) delete handed[seat];
  delete rooms[room]; // the newest stands last
  rooms[room] = { mine: { ...known.mine, ...mine }, others: handed };
  for (const old of Object.keys(rooms).slice(0, -ROOMS)) delete rooms[old];
  remember("rooms", rooms);
}

/** The seat of an invitation in the address, `#seat=1&secret=…`: its secret by its number. */
export function invited() {
  const given = new URLSearchParams(location.hash.slice(1));
  const [seat, secret] = [given.get("seat"), given.get("secret")];
  return secret && /^\d+$/.test(seat || "") ? { [seat]: secret } : {};
}
