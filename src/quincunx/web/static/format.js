// Texts that several pages show: statuses, events, values, times.

/** Returns the status of a game for the player to move: "Black to play: place a pawn" becomes "Your turn: place a pawn". */
export function yourTurnStatus(status, seatName) {
  const prefix = `${seatName} to `;
  if (!status.startsWith(prefix)) return `Your turn. ${status}`;
  const rest = status.slice(prefix.length);
  const withoutVerb = rest.replace(/^(play|move)(?=\W)/, "");
  return withoutVerb === rest ? `Your turn: ${rest}` : `Your turn${withoutVerb}`;
}

/** Returns an event of a room as a sentence, or "" for events that are not reported. */
export function formatEvent(kind, name, move, yes) {
  return {
    play: `${name} plays ${move}.`, undo: "A move was taken back.", resign: `${name} resigned.`,
    flag: `${name} ran out of time.`, pause: "The game is paused.", resume: "The game has resumed.",
    asked: `${name} asks to take back a move.`, answer: yes ? "" : `${name} declined the takeback.`,
    rematch: `${name} would like a rematch.`,
  }[kind] || "";
}

/**
 * Returns a value from -1 to 1 as "wins in 3", "loses in 3" or "draw" if that is proven, or else as "+0.42".
 * `plies` is the number of moves to a proven end, `exact` is true if the position is solved.
 */
export function formatValue(value, plies, exact = false) {
  if (value == null) return "";
  if (exact && value === 0) return "draw";
  if (plies != null) return value > 0 ? `wins in ${plies}` : value < 0 ? `loses in ${plies}` : "draw";
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/** Returns the age of a timestamp, given in milliseconds since 1970, such as "3 minutes ago". */
export function formatTimeAgo(timestamp) {
  const seconds = Math.max(0, (Date.now() - timestamp) / 1000);
  for (const [unitSeconds, unit] of [[86400, "day"], [3600, "hour"], [60, "minute"]]) {
    const count = Math.floor(seconds / unitSeconds);
    if (count) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}
