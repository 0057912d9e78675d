// The state of a room in the browser: updates it from the server's events, and lists who plays.

const STATUS_FIELDS = ["number", "turn", "over", "scores", "winners", "status", "text", "clocks", "legal", "paused", "asked"];

/** Updates a room with an event message. */
export function applyEvent(room, message) {
  for (const field of STATUS_FIELDS) if (field in message) room[field] = message[field];
  const { kind, seat } = message;
  if (kind === "play") room.moves = [...room.moves, [seat, message.move]];
  if (kind === "undo") room.moves = room.moves.slice(0, message.plies);
  if (kind === "name") room.players[seat].name = message.name;
  // In a game of three or more, a bot takes over the seat of a player who left.
  if (["resign", "flag"].includes(kind) && !message.over) room.players[seat].kind = "bot";
}

/** Returns the seats that this browser plays, without those that a bot took over. */
export function ownSeats(room) {
  return room.you.filter((seat) => room.players[seat].kind === "human");
}

/** Returns the number of seats that people play. */
export function countHumans(room) {
  return room.players.filter((player) => player.kind === "human").length;
}
