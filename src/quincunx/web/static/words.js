// Small sentences that several pages make.

/** The status of a game for the one whose turn it is: "Your turn: place a pawn …". */
export function yourTurn(status, name) {
  const head = `${name} to `;
  if (!status.startsWith(head)) return `Your turn. ${status}`;
  const rest = status.slice(head.length);
  const bare = rest.replace(/^(play|move)(?=\W)/, "");
  return bare === rest ? `Your turn: ${rest}` : `Your turn${bare}`;
}

/** A value from -1 to 1 in words: how and when it ends where that is known, else a signed number. */
export function valueWords(value, plies, exact = false) {
  if (value == null) return "";
  if (exact && value === 0) return "draw";
  if (plies != null) return value > 0 ? `wins in ${plies}` : value < 0 ? `loses in ${plies}` : "draw";
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/** How long ago a time was, given in milliseconds. */
export function ago(time) {
  const seconds = Math.max(0, (Date.now() - time) / 1000);
  for (const [size, word] of [[86400, "day"], [3600, "hour"], [60, "minute"]]) {
    const count = Math.floor(seconds / size);
    if (count) return `${count} ${word}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}
