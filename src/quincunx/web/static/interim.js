// Adapts messages of a server that does not yet send traits.

/** @param {any} games */
export function adaptGames(games) {
  for (const game of games) {
    /** @type {any} */
    const outcomes = { sphero: "shared_win", onoro: "win_or_draw", quorum: "win_or_draw" };
    game.traits ??= { outcome: outcomes[game.name] ?? "score" };
  }
  return games;
}
