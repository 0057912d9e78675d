// Many matches at once on a boardgame.io server, two clients each, moves as fast as answered:
//
//     node client.js PORT MATCHES SECONDS
//
// The clients speak boardgame.io's messages (`sync`, `update`) over bare websockets, without the
// copy of the rules that its own client runs, so that the server gets as much of the machine as
// can be. A move's time runs from the moment it is sent until its player has the new state.
// The clock starts when the first matches stand and everybody is connected. Prints one line of
// JSON: moves, matches, seconds, every move's time in ms, and how many states did not follow the
// one before.

const { io } = require("socket.io-client");
const { CELLS, game } = require("./game");

const [port, matches, seconds] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;
const times = [];
let until = Infinity;
let begun = 0;
let wrong = 0;

async function post(path, body) {
  const answer = await fetch(`${server}/games/${game.name}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const cell = () => Math.floor(Math.random() * CELLS);

// A player's socket. `here` is fulfilled as soon as the server counts it among those to be told of
// moves, `done` when the match is over or the time is up.
function player(matchID, playerID, credentials) {
  const socket = io(`${server}/${game.name}`, { transports: ["websocket"], forceNew: true });
  let sent = 0;
  let last = 0;

  const play = (state) => {
    const payload = { type: "step", args: [cell(), cell()], playerID, credentials };
    sent = performance.now();
    socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, matchID, playerID);
  };

  let first;
  const here = new Promise((resolve, reject) => {
    socket.on("connect", () => socket.emit("sync", matchID, playerID, credentials, 2));
    socket.on("connect_error", reject);
    socket.on("sync", (_, { state }) => (first = state));
    socket.on("matchData", () => first && resolve());
  });
  const done = new Promise((resolve) => {
    socket.on("update", (_, state) => {
      last += 1;
      if (state.G.moves !== last) wrong += 1;
      if (sent) {
        times.push(performance.now() - sent);
        sent = 0;
      }
      if (state.ctx.gameover || performance.now() > until) resolve();
      else if (state.ctx.currentPlayer === playerID) play(state);
    });
  });
  return { socket, here, done, begin: () => play(first) };
}

// A new match with both of its players connected.
async function seated() {
  const { matchID } = await post("create", { numPlayers: 2 });
  const players = [];
  for (const playerID of ["0", "1"]) {
    const joined = await post(`${matchID}/join`, { playerID, playerName: playerID });
    players.push(player(matchID, playerID, joined.playerCredentials));
  }
  await Promise.all(players.map((one) => one.here));
  return players;
}

async function played(players) {
  begun += 1;
  players[0].begin();
  const done = players.map((one) => one.done);
  await Promise.race(done);
  // Time may be up for one that the other waits for.
  const late = new Promise((resolve) => setTimeout(resolve, 1000).unref());
  await Promise.race([late, Promise.all(done)]);
  for (const one of players) one.socket.close();
}

async function oneAfterAnother(players) {
  await played(players);
  while (performance.now() < until) await played(await seated());
}

async function main() {
  const first = await Promise.all(Array.from({ length: matches }, seated));
  const start = performance.now();
  until = start + seconds * 1000;
  await Promise.all(first.map(oneAfterAnother));
  const took = (performance.now() - start) / 1000;
  const found = { moves: times.length, matches: begun, seconds: took, wrong, times };
  process.stdout.write(JSON.stringify(found) + "\n");
}

main().catch((error) => {
  console.error(String(error));
  process.exitCode = 1;
});
