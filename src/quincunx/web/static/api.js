// Requests to the HTTP API: JSON in both directions, failures as RequestError.

import { rooted } from "./site_root.js";

/** @import { Game, GetResponses, Posts, Query } from "./types.js" */

const BUSY_RETRY_MS = 1000;

/**
 * A failed request: `code` is an error code of the protocol, or "network", "http" or "game" from this client;
 * `message` is a sentence for the user; `field` is the field of the request that was wrong, if any.
 */
export class RequestError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {string} [field]
   */
  constructor(code, message, field = "") {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/**
 * Returns a caught RequestError; throws any other error again, since that is a defect of the page.
 * @param {unknown} failure
 */
export function asRequestError(failure) {
  if (failure instanceof RequestError) return failure;
  throw failure;
}

/**
 * Sends a GET request and returns the JSON response.
 * @template {keyof GetResponses} P
 * @param {P} path
 * @param {Query} [query]
 * @returns {Promise<GetResponses[P]>}
 */
export function get(path, query = {}) {
  return fetchJson(path + queryString(query), {});
}

/**
 * Sends a POST request with a JSON body and returns the JSON response.
 * @template {keyof Posts} P
 * @param {P} path
 * @param {Posts[P][0]} body
 * @returns {Promise<Posts[P][1]>}
 */
export function post(path, body) {
  return fetchJson(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/**
 * Returns "?name=value…" without empty values, or ""; an array repeats its name for each item.
 * @param {Query} query
 */
export function queryString(query) {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((item) => [name, String(item ?? "")]));
  const present = pairs.filter(([, value]) => value !== "");
  return present.length ? `?${new URLSearchParams(present)}` : "";
}

/**
 * Calls `send` every second until the server is not busy; returns its result.
 * @template T
 * @param {() => Promise<T>} send
 * @param {(reason: string) => void} onbusy receives the server's reason before each wait
 */
export async function retryWhileBusy(send, onbusy) {
  for (;;) {
    try {
      return await send();
    } catch (failure) {
      const error = asRequestError(failure);
      if (error.code !== "busy") throw error;
      onbusy(error.message);
      await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_MS));
    }
  }
}

/** @type {Promise<Game[]> | null} */
let games = null;

/** Returns a promise of all games, which are fetched once. */
export function loadGames() {
  games ??= get("/api/games").catch((error) => {
    games = null;
    throw error;
  });
  return games;
}

/**
 * Returns the game of that name, or throws a RequestError.
 * @param {string} name
 */
export async function loadGame(name) {
  const game = (await loadGames()).find((candidate) => candidate.name === name);
  if (!game) throw new RequestError("game", `There is no game called “${name}” on this server.`);
  return game;
}

/**
 * @param {string} path
 * @param {RequestInit} options
 */
async function fetchJson(path, options) {
  let response;
  try {
    response = await fetch(rooted(path), options);
  } catch {
    throw new RequestError("network", "The server cannot be reached. Is it still running?");
  }
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  throw new RequestError(body.error || "http", body.text || `The server responded with status ${response.status}.`,
    body.where || "");
}
