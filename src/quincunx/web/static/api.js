// The HTTP side of the server: JSON in, JSON out, errors as sentences.

/** What the server refused: `word` is stable, the message is a sentence for people. */
export class Refused extends Error {
  constructor(word, text, where = "") {
    super(text);
    this.word = word;
    this.where = where;
  }
}

/** GET, as JSON. */
export function get(path, query = {}) {
  return sent(path + queried(query), {});
}

/** POST, as JSON. */
export function post(path, body) {
  return sent(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** A query string of what is not empty; a list stands for its name again and again. */
export function queried(query) {
  const given = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const told = given.filter(([, value]) => value != null && value !== "");
  return told.length ? `?${new URLSearchParams(told)}` : "";
}

/** Tries again each second while the server is busy, and says why one waits. */
export async function patiently(act, wait) {
  for (;;) {
    try {
      return await act();
    } catch (refused) {
      if (refused.word !== "busy") throw refused;
      wait(refused.message);
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}

let games = null;

/** All games, asked for once. */
export function allGames() {
  games ??= get("/api/games").then((list) => list.games || list, (error) => {
    games = null;
    throw error;
  });
  return games;
}

/** One game by its name. */
export async function gameNamed(name) {
  const game = (await allGames()).find((one) => one.name === name);
  if (!game) throw new Refused("game", `There is no game called ${name} here.`);
  return game;
}

async function sent(path, request) {
  let answer;
  try {
    answer = await fetch(path, request);
  } catch {
    throw new Refused("network", "The server cannot be reached. Is it still running?");
  }
  const body = await answer.json().catch(() => ({}));
  if (answer.ok) return body;
  throw new Refused(body.error || "http", body.text || `The server answered ${answer.status}.`,
    body.where || "");
}
