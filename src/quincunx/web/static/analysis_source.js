// What the address of the analysis page selects: a room, a position or game, or the start of a game.

import { loadGame } from "./api.js";
import { parseOptions } from "./options.js";
import { join } from "./room_connection.js";
import { request } from "./socket.js";

/** @import { BoardFields, Game, Options } from "./types.js" */

/**
 * A game to analyse: `startFields` identify its start in messages, `moves` are its moves, and `plies` is the number
 * of moves played in the position to show first.
 * @typedef {object} AnalysisSource
 * @property {Game} game
 * @property {BoardFields} startFields
 * @property {Options} options
 * @property {number} rules the version of the game's rules
 * @property {string | null} room
 * @property {SourceMove[]} moves
 * @property {number} plies
 * @property {SourceMove[]} variation moves after that position, which are not of the game
 * @property {() => Promise<unknown>} rejoin joins the room again after a lost connection
 * @property {() => void} leave
 */

/** @typedef {{seat: number | null, move: string, sentMove: string}} SourceMove `sentMove` may begin with a seat's letter */

/**
 * Returns what the query of an address selects, or null if it selects nothing.
 * @param {URLSearchParams} query
 * @returns {Promise<AnalysisSource | null>}
 */
export async function loadSource(query) {
  const [room, name] = [query.get("room"), query.get("game")];
  if (room) return roomSource(room, query);
  return name ? gameSource(await loadGame(name), query) : null;
}

/**
 * @param {string} id
 * @param {URLSearchParams} query
 * @returns {Promise<AnalysisSource>}
 */
async function roomSource(id, query) {
  // The analysis of a running game is refused to others than its players: the page must have joined.
  const rejoin = () => join(id, { view: "moves" });
  const leave = () => { request({ type: "leave", room: id }).catch(() => {}); };
  const room = await rejoin();
  const game = await loadGame(room.game);
  return {
    game, startFields: { room: id }, options: room.options, rules: room.rules, room: id,
    moves: room.moves.map(([seat, move]) => ({ seat, move, sentMove: move })),
    plies: Number(query.get("plies") ?? room.moves.length),
    variation: parseMoves(query.get("moves") ?? "", game.letters), rejoin, leave,
  };
}

/**
 * @param {Game} game
 * @param {URLSearchParams} query
 * @returns {AnalysisSource}
 */
function gameSource(game, query) {
  const options = parseOptions(query.get("options"));
  const [start, seed, rules] = ["start", "seed", "rules"].map((name) => query.get(name));
  const moves = parseMoves(query.get("moves") ?? "", game.letters);
  return {
    game, startFields: { game: game.name, options, ...(start && { start }), ...(seed && { seed: Number(seed) }), ...(rules && { rules: Number(rules) }) },
    options, rules: Number(rules || game.rules), room: null, moves, plies: Number(query.get("plies") ?? moves.length),
    variation: [], rejoin: async () => {}, leave: () => {},
  };
}

/**
 * Returns the moves of a text, separated by spaces; where anyone may move, each begins with a letter and a colon.
 * @param {string} text
 * @param {string} letters of the seats
 * @returns {SourceMove[]}
 */
export function parseMoves(text, letters) {
  return text.split(" ").filter(Boolean).map((sentMove) => {
    if (sentMove[1] !== ":") return { seat: null, move: sentMove, sentMove };
    return { seat: letters.indexOf(sentMove[0]), move: sentMove.slice(2), sentMove };
  });
}
