// Adapts messages of a server that does not yet send trees of clicks and traits.

/** @param {any} message */
export function adaptMessage(message) {
  if (Array.isArray(message.ways)) message.ways = toTree(message.ways);
  for (const [seat, moves] of Object.entries(message.legal ?? {})) if (Array.isArray(moves)) message.legal[seat] = toTree(moves);
  return message;
}

/** @param {any} games */
export function adaptGames(games) {
  for (const game of games) {
    /** @type {any} */
    const outcomes = { sphero: "shared_win", onoro: "win_or_draw", quorum: "win_or_draw" };
    game.traits ??= { outcome: outcomes[game.name] ?? "score" };
  }
  return games;
}

/** @param {any} moves */
function toTree(moves) {
  /** @type {any} */
  const root = {};
  for (const [move, ...clicks] of moves) {
    let node = root;
    for (const name of clicks) node = node[name] ??= {};
    node[""] = move;
  }
  return root;
}
