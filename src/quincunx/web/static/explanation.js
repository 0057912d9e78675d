// What a click would do: why it is not the beginning of a legal move, or the board after a move. The server knows,
// because it has the rules.

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

/**
 * Returns the board after a move that is not played, or null if chance decides or the server does not answer.
 * @param {BoardFields} position
 * @param {number | undefined} seat
 * @param {string} move
 */
export async function previewMove(position, seat, move) {
  try {
    return (await request({ type: "preview", ...position, seat, move })).picture ?? null;
  } catch {
    return null;
  }
}
