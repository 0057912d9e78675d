import assert from "node:assert/strict";
import { test } from "node:test";

import * as roomState from "../../src/quincunx/web/static/room_state.js";

const HUMAN = { name: null, kind: "human", text: "human", here: true };
const BOT = { name: "learner", kind: "bot", text: "level:2", here: true };
const ROOM = {
  room: "r1", number: 2, plies: 2, game: "quorum", options: {}, live: false, players: [HUMAN, BOT], you: [0],
  moves: [[0, "a1e3"], [1, "h8d6"]], turn: 0, over: false, scores: [0, 0], winners: [], paused: false, asked: null, pause_asked: null,
  status: "White to play", status_you: "Your turn", text: "w", clocks: null, rematch: null, wishes: [], fair: true,
  legal: { 0: { a2: { c2: { "": "a2c2" } } } }, picture: null,
};

/** Returns the room with other fields. */
function roomWith(fields) {
  return { ...ROOM, ...fields };
}

/** Returns an event with the status of the room unless other fields are given. */
function eventOf(fields) {
  const { number, plies, turn, over, scores, status, text, paused, asked, clocks } = ROOM;
  return { room: "r1", number: number + 1, plies, turn, over, scores, status, text, paused, asked, clocks, ...fields };
}

test("a move is appended and the status replaced; the old room is unchanged", () => {
  const frozen = Object.freeze(roomWith({ moves: Object.freeze([...ROOM.moves]) }));
  const after = roomState.applyEvent(frozen, eventOf({ kind: "play", seat: 0, move: "a2c2", plies: 3, turn: 1, status: "Black to play", legal: {} }));
  assert.deepEqual(after.moves, [...ROOM.moves, [0, "a2c2"]]);
  assert.deepEqual([after.number, after.turn, after.status, after.legal], [3, 1, "Black to play", {}]);
  assert.equal(frozen.number, 2);
});

test("an undo keeps the moves that it names", () => {
  assert.deepEqual(roomState.applyEvent(ROOM, eventOf({ kind: "undo", seat: 0, plies: 1 })).moves, [[0, "a1e3"]]);
});

test("an event without winners leaves those of the room, one with them replaces them", () => {
  assert.deepEqual(roomState.applyEvent(ROOM, eventOf({ kind: "pause", seat: 0 })).winners, []);
  assert.deepEqual(roomState.applyEvent(ROOM, eventOf({ kind: "resign", seat: 0, over: true, winners: [1] })).winners, [1]);
});

test("an event without a status for the seat to move clears that of the room", () => {
  assert.equal(roomState.applyEvent(ROOM, eventOf({ kind: "resign", seat: 0, over: true, winners: [1] })).status_you, undefined);
  assert.equal(roomState.applyEvent(ROOM, eventOf({ kind: "play", seat: 0, move: "a2c2", status_you: "Go" })).status_you, "Go");
});

test("a name, a presence and a bot that takes over change one player", () => {
  const players = [HUMAN, { ...HUMAN }, { ...HUMAN }];
  const room = roomWith({ players, you: [0, 1] });
  assert.equal(roomState.applyEvent(room, eventOf({ kind: "name", seat: 1, name: "ada" })).players[1].name, "ada");
  assert.equal(roomState.applyPresence(room, { seat: 2, here: false }).players[2].here, false);
  const resigned = roomState.applyEvent(room, eventOf({ kind: "resign", seat: 0 }));
  assert.deepEqual(resigned.players.map(({ kind }) => kind), ["bot", "human", "human"]);
  assert.deepEqual(roomState.ownSeats(resigned), [1]);
  assert.equal(roomState.countHumans(resigned), 2);
  assert.deepEqual(players[1], HUMAN);
});

test("an invitation is open until it is used", () => {
  const players = [HUMAN, { ...HUMAN, taken: false }, BOT];
  const room = roomWith({ players });
  const invitations = { 1: "x", 2: "y", 7: "z" };
  assert.deepEqual(roomState.openInvitations(room, invitations), [["1", "x"]]);
  const used = roomState.applyPresence(room, { seat: 1, here: true, taken: true });
  assert.deepEqual(roomState.openInvitations(used, invitations), []);
  const left = roomState.applyPresence(used, { seat: 1, here: false });
  assert.deepEqual(roomState.openInvitations(left, invitations), []);
});

test("a player who loses a finished game stays a person", () => {
  const after = roomState.applyEvent(ROOM, eventOf({ kind: "flag", seat: 0, over: true, winners: [1] }));
  assert.equal(after.players[0].kind, "human");
});

test("clicks play for the seat to move", () => {
  const both = roomWith({ players: [HUMAN, HUMAN], you: [0, 1], turn: 1, legal: { 1: {} } });
  assert.equal(roomState.activeSeat(both, 0), 1);
  assert.equal(roomState.activeSeat(roomWith({ turn: 1, legal: {} }), 0), 0);
  assert.equal(roomState.activeSeat(roomWith({ you: [], legal: {} }), undefined), undefined);
});

test("where anyone may move, the chosen seat is kept while it can move", () => {
  const live = roomWith({ live: true, turn: null, players: [HUMAN, HUMAN, BOT], you: [0, 1], legal: { 0: {}, 1: {} } });
  assert.equal(roomState.activeSeat(live, 1), 1);
  assert.equal(roomState.activeSeat(live, undefined), 0);
  assert.equal(roomState.activeSeat({ ...live, legal: { 0: {} } }, 1), 0);
});

test("actions are sent for the seat to move, an undo for the seat that moved last", () => {
  const both = roomWith({ players: [HUMAN, HUMAN], you: [0, 1] });
  assert.equal(roomState.actionSeat(both, 1), 0);
  assert.equal(roomState.lastMoverSeat(both, 1), 1);
  assert.equal(roomState.lastMoverSeat(ROOM, 0), 0);
  assert.equal(roomState.lastMoverSeat(roomWith({ moves: [] }), 0), 0);
});

test("a request is answered by another own seat, once, and not after the end", () => {
  const toAnswer = (fields) => roomState.requestToAnswer(roomWith(fields));
  assert.equal(toAnswer({}), null);
  assert.deepEqual(toAnswer({ asked: { by: 1, agreed: [] } }), { kind: "undo", by: 1, seat: 0 });
  assert.deepEqual(toAnswer({ pause_asked: { by: 1, agreed: [] } }), { kind: "pause", by: 1, seat: 0 });
  assert.equal(toAnswer({ pause_asked: { by: 0, agreed: [] } }), null);
  assert.equal(toAnswer({ pause_asked: { by: 1, agreed: [0] } }), null);
  assert.equal(toAnswer({ asked: { by: 1, agreed: [] }, over: true }), null);
  assert.equal(toAnswer({ asked: { by: 1, agreed: [] }, you: [] }), null);
});

test("the status is addressed to whoever may move in this browser", () => {
  assert.equal(roomState.statusText(ROOM), "Your turn");
  assert.equal(roomState.statusText(roomWith({ turn: 1 })), "White to play");
  assert.equal(roomState.statusText(roomWith({ you: [] })), "White to play");
  assert.equal(roomState.statusText(roomWith({ live: true, turn: null })), "Your turn");
  assert.equal(roomState.statusText(roomWith({ paused: true })), "The game is paused.");
  const over = roomWith({ over: true, paused: true, live: true, status: "White wins", status_you: undefined });
  assert.equal(roomState.statusText(over), "White wins");
});

test("with several own seats on one screen the status names the seat to move", () => {
  const shared = roomWith({ players: [HUMAN, HUMAN], you: [0, 1] });
  assert.equal(roomState.statusText(shared), "White to play");
  assert.equal(roomState.sharedScreenSeat(shared), 0);
  assert.equal(roomState.sharedScreenSeat(ROOM), null);
  assert.equal(roomState.sharedScreenSeat({ ...shared, over: true }), null);
  assert.ok(roomState.playsAlone(shared));
  assert.ok(!roomState.playsAlone({ ...shared, you: [0] }));
});

test("a rematch is requested until it is accepted or declined", () => {
  const over = roomWith({ players: [HUMAN, HUMAN], over: true });
  const asked = roomState.applyEvent(over, eventOf({ kind: "rematch", seat: 1, to: null, over: true }));
  assert.deepEqual(roomState.requestToAnswer(asked), { kind: "rematch", by: 1, seat: 0 });
  assert.equal(roomState.requestWaiting(asked), null);
  const asker = { ...asked, you: [1] };
  assert.equal(roomState.requestToAnswer(asker), null);
  assert.equal(roomState.requestWaiting(asker)?.kind, "rematch");
  assert.equal(roomState.requestWaiting({ ...asked, you: [] }), null);
  const declined = roomState.applyEvent(asked, eventOf({ kind: "rematch_answer", seat: 0, yes: false, over: true }));
  assert.equal(roomState.requestToAnswer(declined), null);
  const started = roomState.applyEvent(asked, eventOf({ kind: "rematch", seat: 0, to: "r2", over: true }));
  assert.deepEqual([started.rematch, roomState.requestWaiting({ ...started, you: [1] })], ["r2", null]);
});

test("who asked to take back waits for an answer", () => {
  const room = roomWith({ players: [HUMAN, HUMAN], asked: { by: 0, agreed: [] } });
  assert.equal(roomState.requestWaiting(room)?.kind, "undo");
  assert.equal(roomState.requestWaiting({ ...room, you: [1] }), null);
});

test("a hint, an analysis and a takeback make a game assisted", () => {
  for (const kind of ["assisted", "undo"]) {
    const after = roomState.applyEvent(ROOM, eventOf({ kind, seat: 0 }));
    assert.deepEqual([after.fair, after.players[0].assisted, after.players[1].assisted], [false, true, undefined]);
  }
  assert.equal(roomState.applyEvent(ROOM, eventOf({ kind: "pause", seat: 0 })).fair, true);
});

test("only a solo game gains points", () => {
  assert.equal(roomState.scoreGain(roomWith({ scores: [10] }), { scores: [22] }), 12);
  assert.equal(roomState.scoreGain(ROOM, { scores: [5, 0] }), 0);
});
