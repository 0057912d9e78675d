// What an event of the server changes in what the page knows of a room.

const TOLD = ["number", "turn", "over", "scores", "winners", "status", "text", "clocks", "legal", "paused", "asked"];

/** Brings a room up to date with an event. */
export function happened(room, message) {
  for (const name of TOLD) if (name in message) room[name] = message[name];
  const { kind, seat } = message;
  if (kind === "play") room.moves = [...room.moves, [seat, message.move]];
  if (kind === "undo") room.moves = room.moves.slice(0, message.plies);
  if (kind === "name") room.players[seat].name = message.name;
  // At a table of three or more a bot plays on for who has left.
  if (["resign", "flag"].includes(kind) && !message.over) room.players[seat].kind = "bot";
}

/** The seats that one plays; who gave a seat up only looks on there. */
export function own(room) {
  return room.you.filter((seat) => room.players[seat].kind === "human");
}

/** How many people sit at the table. */
export function people(room) {
  return room.players.filter((player) => player.kind === "human").length;
}
