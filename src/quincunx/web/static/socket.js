// The WebSocket connection that all pages share. It reconnects by itself.

import { RequestError } from "./api.js";

const FIRST_RETRY_MS = 300;
const MAX_RETRY_MS = 8000;
const RETRY_FACTOR = 1.7;
const RESPONSE_TIMEOUT_MS = 20000;
const HEARTBEAT_INTERVAL_MS = 15000;
const HEARTBEAT_TIMEOUT_MS = 2.5 * HEARTBEAT_INTERVAL_MS;

/** @type {Map<string, Set<(message: object) => void>>} */
const listeners = new Map();
/** @type {Map<number, {resolve: Function, reject: Function, timer: number}>} */
const pendingRequests = new Map();
let socket = null;
let retryDelayMs = FIRST_RETRY_MS;
let lastRef = 0;
let unsent = []; // messages to send when the connection opens
let retryTimer = 0;
let lastMessageAt = 0;

/**
 * Calls `callback` for every message of a type; returns a function that unsubscribes it.
 * Besides the server's types, "open" and "closed" report changes of the connection itself.
 */
export function on(type, callback) {
  if (!listeners.has(type)) listeners.set(type, new Set());
  listeners.get(type).add(callback);
  return () => listeners.get(type).delete(callback);
}

/**
 * Sends a message; returns a promise that resolves to the first response or rejects with a RequestError.
 * The promise has the `ref` of the message, which is also the `ref` of all its responses.
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

function isConnected() {
  return socket?.readyState === WebSocket.OPEN;
}

function send(message) {
  if (isConnected()) socket.send(JSON.stringify(message));
  else {
    unsent.push(message);
    connect();
  }
}

function emit(type, message) {
  for (const callback of [...(listeners.get(type) || [])]) callback(message);
}

function connect() {
  if (socket || retryTimer) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/socket`);
  socket.onopen = () => {
    retryDelayMs = FIRST_RETRY_MS;
    lastMessageAt = Date.now();
    emit("open", {});
    for (const message of unsent.splice(0)) socket.send(JSON.stringify(message));
  };
  socket.onmessage = ({ data }) => receive(JSON.parse(data));
  socket.onclose = handleDisconnect;
}

function receive(message) {
  lastMessageAt = Date.now();
  const pending = pendingRequests.get(message.ref);
  if (pending) {
    pendingRequests.delete(message.ref);
    clearTimeout(pending.timer);
    if (message.type === "error") pending.reject(new RequestError(message.error, message.text));
    else pending.resolve(message);
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

// A dead connection may never fire a close event, so it is closed when heartbeats get no response.
setInterval(() => {
  if (!isConnected()) return;
  if (Date.now() - lastMessageAt > HEARTBEAT_TIMEOUT_MS) {
    socket.close();
    handleDisconnect();
  } else socket.send('{"type":"ping"}');
}, HEARTBEAT_INTERVAL_MS);

// When the tab becomes visible again, reconnect at once instead of waiting for the timer.
document.addEventListener("visibilitychange", () => {
  if (document.hidden || !retryTimer) return;
  clearTimeout(retryTimer);
  retryTimer = 0;
  retryDelayMs = FIRST_RETRY_MS;
  connect();
});
