// The browser's copy of a room: applies the server's events to it, and returns which seats people play.

const STATUS_FIELDS = ["number", "turn", "over", "scores", "winners", "status", "text", "clocks", "legal", "paused", "asked"];

/** Updates a room with an event message. */
export function applyEvent(room, message) {
  for (const field of STATUS_FIELDS) if (field in message) room[field] = message[field];
  const { kind, seat } = message;
  if (kind === "play") room.moves = [...room.moves, [seat, message.move]];
  if (kind === "undo") room.moves = room.moves.slice(0, message.plies);
  if (kind === "name") room.players[seat].name = message.name;
  // With three or more players the game goes on, and a bot takes over the seat.
  if (["resign", "flag"].includes(kind) && !message.over) room.players[seat].kind = "bot";
}

/** Returns the seats that this browser plays, without those that a bot has taken over. */
export function ownSeats(room) {
  return room.you.filter((seat) => room.players[seat].kind === "human");
}

/** Returns the number of seats that people play. */
export function countHumans(room) {
  return room.players.filter((player) => player.kind === "human").length;
}
