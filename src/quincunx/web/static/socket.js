// The WebSocket connection that all pages share. It reconnects by itself.

import { RequestError } from "./api.js";
import { rooted } from "./site_root.js";

/** @import { Request, Requests, ServerMessages } from "./types.js" */

const FIRST_RETRY_MS = 300;
const MAX_RETRY_MS = 8000;
const RETRY_FACTOR = 1.7;
const RESPONSE_TIMEOUT_MS = 20000;
const HEARTBEAT_INTERVAL_MS = 15000;
const HEARTBEAT_TIMEOUT_MS = 2.5 * HEARTBEAT_INTERVAL_MS;

/** @typedef {(message: never) => void} Listener of one type of message */

/** @type {Map<string, Set<Listener>>} */
const listeners = new Map();
/** @type {Map<number, {resolve: Listener, reject: (error: RequestError) => void, timer: number}>} */
const pendingRequests = new Map();
/** @type {WebSocket | null} */
let socket = null;
let retryDelayMs = FIRST_RETRY_MS;
let lastRef = 0;
/** @type {object[]} */
let unsent = []; // messages to send when the connection opens
let retryTimer = 0;
let lastMessageAt = 0;

/**
 * Calls `callback` for every message of a type; returns a function that unsubscribes it.
 * Besides the server's types, "open" and "closed" report changes of the connection itself.
 * @template {keyof ServerMessages} T
 * @param {T} type
 * @param {(message: ServerMessages[T]) => void} callback
 * @returns {() => void}
 */
export function on(type, callback) {
  const callbacks = listeners.get(type) ?? new Set();
  listeners.set(type, callbacks.add(callback));
  return () => callbacks.delete(callback);
}

/**
 * Sends a message; returns a promise that resolves to the first response or rejects with a RequestError.
 * The promise has the `ref` of the message, which is also the `ref` of all its responses.
 * @template {keyof Requests} T
 * @param {Request<T>} message
 * @returns {Promise<Requests[T][1]> & {ref: number}}
 */
export function request(message) {
  const ref = ++lastRef;
  const response = new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      pendingRequests.delete(ref);
      reject(new RequestError("network", "The server did not respond. Please try again."));
    }, RESPONSE_TIMEOUT_MS);
    pendingRequests.set(ref, { resolve, reject, timer });
    send({ ...message, ref });
  });
  return Object.assign(response, { ref });
}

/** Returns the socket if it is open. */
function openSocket() {
  return socket?.readyState === WebSocket.OPEN ? socket : null;
}

/** @param {object} message */
function send(message) {
  const connected = openSocket();
  if (connected) connected.send(JSON.stringify(message));
  else {
    unsent.push(message);
    connect();
  }
}

/**
 * @param {string} type
 * @param {object} message
 */
function emit(type, message) {
  for (const callback of [...(listeners.get(type) ?? [])]) callback(/** @type {never} */ (message));
}

function connect() {
  if (socket || retryTimer) return;
  watchConnection();
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const opening = new WebSocket(`${scheme}://${location.host}${rooted("/socket")}`);
  socket = opening;
  opening.onopen = () => {
    retryDelayMs = FIRST_RETRY_MS;
    lastMessageAt = Date.now();
    emit("open", {});
    for (const message of unsent.splice(0)) opening.send(JSON.stringify(message));
  };
  opening.onmessage = ({ data }) => receive(JSON.parse(data));
  opening.onclose = handleDisconnect;
}

/** @param {{type: string, ref: number, error: string, text: string, where: string}} message any message; errors have all fields */
function receive(message) {
  lastMessageAt = Date.now();
  const pending = pendingRequests.get(message.ref);
  if (pending) {
    pendingRequests.delete(message.ref);
    clearTimeout(pending.timer);
    if (message.type === "error") pending.reject(new RequestError(message.error, message.text, message.where));
    else pending.resolve(/** @type {never} */ (message));
  }
  emit(message.type, message);
}

function handleDisconnect() {
  if (!socket) return;
  socket.onclose = socket.onmessage = null;
  socket = null;
  unsent = [];
  for (const { reject, timer } of pendingRequests.values()) {
    clearTimeout(timer);
    reject(new RequestError("network", "Connection lost. Reconnecting…"));
  }
  pendingRequests.clear();
  emit("closed", {});
  retryTimer = setTimeout(() => {
    retryTimer = 0;
    connect();
  }, retryDelayMs * (0.75 + Math.random() / 2)); // random, so that clients do not all reconnect at once
  retryDelayMs = Math.min(MAX_RETRY_MS, retryDelayMs * RETRY_FACTOR);
}

let watching = false;

/** Starts to watch the connection, once. */
function watchConnection() {
  if (watching) return;
  watching = true;
  setInterval(checkHeartbeat, HEARTBEAT_INTERVAL_MS);
  // When the tab becomes visible again, reconnect at once instead of waiting for the timer.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || !retryTimer) return;
    clearTimeout(retryTimer);
    retryTimer = 0;
    retryDelayMs = FIRST_RETRY_MS;
    connect();
  });
}

/** Sends a heartbeat, or closes a connection whose heartbeats get no response: it may never fire a close event. */
function checkHeartbeat() {
  const connected = openSocket();
  if (!connected) return;
  if (Date.now() - lastMessageAt > HEARTBEAT_TIMEOUT_MS) {
    connected.close();
    handleDisconnect();
  } else connected.send('{"type":"ping"}');
}
