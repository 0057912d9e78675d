// Many matches at once on a boardgame.io server, two clients each, moving as fast as they can:
//
//     node client.js PORT MATCHES SECONDS
//
// The clients send boardgame.io's messages (`sync`, `update`) over plain WebSockets, without the
// copy of the rules that its own client runs, to leave more of the machine to the server. The
// latency of a move is the time from sending it until its player receives the new state. The
// measurement starts when all clients of the first matches are connected. Prints one line of JSON:
// moves, matches, seconds, the latency of every move in ms (`times`), and the number of states
// that did not follow the one before (`wrong`).

const { io } = require("socket.io-client");
const { CELLS, game } = require("./game");

const [port, matches, seconds] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;
const latencies = [];
let deadline = Infinity;
let matchesStarted = 0;
let wrongStates = 0;

async function post(path, body) {
  const response = await fetch(`${server}/games/${game.name}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const randomCell = () => Math.floor(Math.random() * CELLS);

// Connects a player. `connected` resolves when the server sends this player the moves, `done` when
// the match is over or the deadline has passed.
function connectPlayer(matchID, playerID, credentials) {
  const socket = io(`${server}/${game.name}`, { transports: ["websocket"], forceNew: true });
  let sentAt = 0;
  let movesSeen = 0;

  const play = (state) => {
    const payload = { type: "step", args: [randomCell(), randomCell()], playerID, credentials };
    sentAt = performance.now();
    socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, matchID, playerID);
  };

  let firstState;
  const connected = new Promise((resolve, reject) => {
    socket.on("connect", () => socket.emit("sync", matchID, playerID, credentials, 2));
    socket.on("connect_error", reject);
    socket.on("sync", (_, { state }) => (firstState = state));
    socket.on("matchData", () => firstState && resolve());
  });
  const done = new Promise((resolve) => {
    socket.on("update", (_, state) => {
      movesSeen += 1;
      if (state.G.moves !== movesSeen) wrongStates += 1;
      if (sentAt) {
        latencies.push(performance.now() - sentAt);
        sentAt = 0;
      }
      if (state.ctx.gameover || performance.now() > deadline) resolve();
      else if (state.ctx.currentPlayer === playerID) play(state);
    });
  });
  return { socket, connected, done, playFirstMove: () => play(firstState) };
}

// Creates a match and connects both of its players.
async function createMatch() {
  const { matchID } = await post("create", { numPlayers: 2 });
  const players = [];
  for (const playerID of ["0", "1"]) {
    const joined = await post(`${matchID}/join`, { playerID, playerName: playerID });
    players.push(connectPlayer(matchID, playerID, joined.playerCredentials));
  }
  await Promise.all(players.map((player) => player.connected));
  return players;
}

async function playMatch(players) {
  matchesStarted += 1;
  players[0].playFirstMove();
  const done = players.map((player) => player.done);
  await Promise.race(done);
  // One player may be waiting for the other, who has reached the deadline.
  const timeout = new Promise((resolve) => setTimeout(resolve, 1000).unref());
  await Promise.race([timeout, Promise.all(done)]);
  for (const player of players) player.socket.close();
}

async function playMatches(players) {
  await playMatch(players);
  while (performance.now() < deadline) await playMatch(await createMatch());
}

async function main() {
  const firstMatches = await Promise.all(Array.from({ length: matches }, createMatch));
  const start = performance.now();
  deadline = start + seconds * 1000;
  await Promise.all(firstMatches.map(playMatches));
  const elapsed = (performance.now() - start) / 1000;
  const result = {
    moves: latencies.length,
    matches: matchesStarted,
    seconds: elapsed,
    wrong: wrongStates,
    times: latencies,
  };
  process.stdout.write(JSON.stringify(result) + "\n");
}

main().catch((error) => {
  console.error(String(error));
  process.exitCode = 1;
});
