// Small sentences that several pages make.

/** The status of a game for the one whose turn it is: "Your turn: place a pawn …". */
export function yourTurn(status, name) {
  const head = `${name} to `;
  if (!status.startsWith(head)) return `Your turn. ${status}`;
  const rest = status.slice(head.length);
  const bare = rest.replace(/^(play|move)(?=\W)/, "");
  return bare === rest ? `Your turn: ${rest}` : `Your turn${bare}`;
}

/** An event of a game as a sentence; empty for what needs none. */
export function eventWords(kind, who, move, yes) {
  return {
    play: `${who} plays ${move}.`, undo: "A move is taken back.", resign: `${who} resigns.`,
    flag: `${who}'s time is up.`, pause: "The game is paused.", resume: "The game goes on.",
    asked: `${who} asks to take back.`, answer: yes ? "" : `${who} would rather not take back.`,
    rematch: `${who} would like a rematch.`,
  }[kind] || "";
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
