// Why clicks on a board are not the beginning of a legal move: the server knows, because it has the rules.

import { request } from "./socket.js";

/** @import { BoardFields } from "./types.js" */

/**
 * Returns the reason, or "" if there is none or the server does not answer.
 * @param {BoardFields} position
 * @param {number | undefined} seat
 * @param {string[]} clicks
 */
export async function explainClicks(position, seat, clicks) {
  try {
    return (await request({ type: "explain", ...position, seat, clicks })).reason;
  } catch {
    return ""; // a click that was not possible needs no further error
  }
}
