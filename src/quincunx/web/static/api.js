// Requests to the HTTP API: JSON in both directions, failures as RequestError.

const BUSY_RETRY_MS = 1000;

/**
 * A failed request: `code` is an error code of the protocol, or "network", "http" or "game" from this client;
 * `message` is a sentence for the user; `field` is the field of the request that was wrong, if any.
 */
export class RequestError extends Error {
  constructor(code, message, field = "") {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** Sends a GET request and returns the JSON response. */
export function get(path, query = {}) {
  return fetchJson(path + queryString(query), {});
}

/** Sends a POST request with a JSON body and returns the JSON response. */
export function post(path, body) {
  return fetchJson(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Returns "?name=value…" without empty values, or ""; an array repeats its name for each item. */
export function queryString(query) {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((item) => [name, item]));
  const present = pairs.filter(([, value]) => value != null && value !== "");
  return present.length ? `?${new URLSearchParams(present)}` : "";
}

/**
 * Calls `send` every second until the server is not busy; returns its result.
 * @param {() => Promise<any>} send
 * @param {(reason: string) => void} onbusy receives the server's reason before each wait
 */
export async function retryWhileBusy(send, onbusy) {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (error.code !== "busy") throw error;
      onbusy(error.message);
      await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_MS));
    }
  }
}

let games = null;

/** Returns a promise of all games, which are fetched once. */
export function loadGames() {
  games ??= get("/api/games").then((response) => response.games || response, (error) => {
    games = null;
    throw error;
  });
  return games;
}

/** Returns the game of that name, or throws a RequestError. */
export async function loadGame(name) {
  const game = (await loadGames()).find((candidate) => candidate.name === name);
  if (!game) throw new RequestError("game", `There is no game called “${name}” on this server.`);
  return game;
}

async function fetchJson(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new RequestError("network", "The server cannot be reached. Is it still running?");
  }
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  throw new RequestError(body.error || "http", body.text || `The server responded with status ${response.status}.`,
    body.where || "");
}
