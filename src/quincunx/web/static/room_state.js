// The browser's copy of a room as plain values: what an event changes, whose turn it is, what the status says.

/** @import { Game, Player, Room, RoomEvent } from "./types.js" */

/** The fields of an event that replace those of the room; an event without winners or legal moves leaves them. */
const STATUS_FIELDS = /** @type {const} */ ([
  "number", "plies", "turn", "over", "scores", "winners", "status", "text", "notes", "clocks", "legal", "paused", "asked",
  "pause_asked",
]);

/**
 * Returns the room after an event.
 * @param {Room} room
 * @param {RoomEvent} event
 * @returns {Room}
 */
export function applyEvent(room, event) {
  const status = Object.fromEntries(STATUS_FIELDS.filter((field) => field in event).map((field) => [field, event[field]]));
  const { status_you, status_code, status_fields, progress } = event; // absent when there is nothing to say
  return {
    ...room, ...status, status_you, status_code, status_fields, progress,
    moves: movesAfter(room, event), players: playersAfter(room, event), ...rematchAfter(room, event), fair: room.fair && !isAssistance(event),
  };
}

/**
 * Returns who has requested a rematch after an event, and its room.
 * @param {Room} room
 * @param {RoomEvent} event
 */
function rematchAfter({ wishes, rematch }, { kind, seat, to }) {
  if (kind === "rematch_answer") return { wishes: [], rematch };
  return kind === "rematch" && seat !== null ? { wishes: [...new Set([...wishes, seat])], rematch: to ?? rematch } : { wishes, rematch };
}

/**
 * Returns true for an event after which the game does not count as a result.
 * @param {{kind: string}} event
 */
export function isAssistance({ kind }) {
  return kind === "undo" || kind === "assisted";
}

/**
 * @param {Room} room
 * @param {RoomEvent} event
 */
function movesAfter(room, { kind, seat, move, plies }) {
  if (kind === "play" && seat !== null && move !== undefined) return [...room.moves, /** @type {[number, string]} */ ([seat, move])];
  return kind === "undo" ? room.moves.slice(0, plies) : room.moves;
}

/**
 * @param {Room} room
 * @param {RoomEvent} event
 */
function playersAfter(room, event) {
  const { kind, seat, name, over } = event;
  if (seat === null) return room.players;
  if (isAssistance(event)) return changePlayer(room, seat, { assisted: true });
  if (kind === "name") return changePlayer(room, seat, { name });
  // With three or more players the game goes on, and a bot takes over the seat.
  if (["resign", "flag"].includes(kind) && !over) return changePlayer(room, seat, { kind: "bot" });
  return room.players;
}

/**
 * Returns the room after a player has connected or disconnected, or used an invitation.
 * @param {Room} room
 * @param {{seat: number, here: boolean, taken?: boolean}} presence
 * @returns {Room}
 */
export function applyPresence(room, { seat, here, taken }) {
  return { ...room, players: changePlayer(room, seat, taken ? { here, taken } : { here }) };
}

/**
 * @param {Room} room
 * @param {number} seat
 * @param {Partial<Player>} change
 */
function changePlayer(room, seat, change) {
  return room.players.map((player, i) => (i === seat ? { ...player, ...change } : player));
}

/**
 * Returns the name of the player of a seat, or the seat's own name.
 * @param {Room} room
 * @param {Game} game
 * @param {number} seat
 */
export function playerLabel(room, game, seat) {
  return room.players[seat].name || game.seat_names[seat];
}

/**
 * Returns the seats that this browser plays, without those that a bot has taken over.
 * @param {Room} room
 */
export function ownSeats(room) {
  return room.you.filter((seat) => room.players[seat].kind === "human");
}

/**
 * Returns the number of seats that people play.
 * @param {Room} room
 */
export function countHumans(room) {
  return room.players.filter((player) => player.kind === "human").length;
}

/**
 * Returns true if every seat that a person plays is played in this browser.
 * @param {Room} room
 */
export function playsAlone(room) {
  return ownSeats(room).length === countHumans(room);
}

/**
 * Returns the seat to move if this browser plays several seats, of which the page must name it; else null.
 * @param {Room} room
 */
export function sharedScreenSeat(room) {
  return ownSeats(room).length > 1 && isOwnTurn(room) ? room.turn : null;
}

/**
 * Returns true if it is the turn of one of the seats that this browser plays.
 * @param {Room} room
 */
export function isOwnTurn(room) {
  return !room.over && room.turn !== null && ownSeats(room).includes(room.turn);
}

/**
 * Returns the seat that clicks on the board play for: the seat to move if this browser plays it, or else the chosen
 * one while that may move; undefined for spectators.
 * @param {Room} room
 * @param {number | undefined} chosen
 */
export function activeSeat(room, chosen) {
  const own = ownSeats(room);
  const kept = chosen !== undefined && own.includes(chosen) ? chosen : own[0];
  const withMoves = Object.keys(room.legal ?? {}).map(Number);
  if (room.turn !== null) return withMoves.includes(room.turn) ? room.turn : kept;
  return kept !== undefined && withMoves.includes(kept) ? kept : withMoves[0] ?? kept;
}

/**
 * Returns the seat that actions are sent for: the seat to move if this browser plays it, or else the active one.
 * @param {Room} room
 * @param {number | undefined} active
 */
export function actionSeat(room, active) {
  return room.turn !== null && ownSeats(room).includes(room.turn) ? room.turn : active ?? room.you[0];
}

/**
 * Returns the seat of this browser that moved last, whose move an undo takes back.
 * @param {Room} room
 * @param {number | undefined} active
 */
export function lastMoverSeat(room, active) {
  const own = ownSeats(room);
  return room.moves.findLast(([seat]) => own.includes(seat))?.[0] ?? actionSeat(room, active);
}

/** @typedef {{kind: "undo" | "pause" | "rematch", by: number, agreed: readonly number[]}} OpenRequest */

/**
 * Returns the takeback, the pause or the rematch that is requested and that not everyone has answered, or null.
 * @param {Room} room
 * @returns {OpenRequest | null}
 */
function openRequest({ asked, over, pause_asked, rematch, wishes }) {
  if (over) return wishes.length && !rematch ? { kind: "rematch", by: wishes[0], agreed: wishes } : null;
  if (asked) return { kind: "undo", ...asked };
  return pause_asked && { kind: "pause", ...pause_asked };
}

/**
 * Returns the request that one of the own seats has to answer, and this seat; null if there is none.
 * @param {Room} room
 * @returns {{kind: OpenRequest["kind"], by: number, seat: number} | null}
 */
export function requestToAnswer(room) {
  const request = openRequest(room);
  if (!request) return null;
  const own = room.over ? room.you : ownSeats(room); // also a seat that has given up may play again
  const seat = own.includes(request.by) ? undefined : own.find((other) => !request.agreed.includes(other));
  return seat === undefined ? null : { kind: request.kind, by: request.by, seat };
}

/**
 * Returns the request of one of the own seats, or that they have agreed to, which waits for others; null if there is
 * none.
 * @param {Room} room
 */
export function requestWaiting(room) {
  const request = openRequest(room);
  const involved = request && room.you.some((own) => own === request.by || request.agreed.includes(own));
  return involved && !requestToAnswer(room) ? request : null;
}

/**
 * Returns the invitations that no one has used yet.
 * @param {Room} room
 * @param {Record<string, string>} invitations by seat
 */
export function openInvitations(room, invitations) {
  return Object.entries(invitations).filter(([seat]) => {
    const player = room.players[Number(seat)];
    return player?.kind === "human" && !player.taken;
  });
}

/**
 * Returns the status of a game in progress or at its end, addressed to the player who may move.
 * @param {Room} room
 */
export function statusText(room) {
  if (room.paused && !room.over) return "The game is paused.";
  // With several own seats on one screen, the seat to move is named instead.
  const addressed = room.players.length > 1 && ownSeats(room).length === 1 && (isOwnTurn(room) || room.live);
  return (addressed && room.status_you) || room.status; // nobody is addressed when the game is over
}

/**
 * Returns the points that an event adds in a solo game, 0 in other games.
 * @param {Room} before
 * @param {{scores: number[]}} after
 */
export function scoreGain(before, after) {
  return after.scores.length === 1 ? after.scores[0] - before.scores[0] : 0;
}
