// The WebSocket connection that all pages share. It reconnects by itself.

import { RequestError } from "./api.js";

const FIRST_RETRY_MS = 300;
const MAX_RETRY_MS = 8000;
const RETRY_FACTOR = 1.7;
const RESPONSE_TIMEOUT_MS = 20000;
const HEARTBEAT_MS = 15000;

/** @type {Map<string, Set<(message: object) => void>>} */
const listeners = new Map();
/** @type {Map<number, {resolve: Function, reject: Function, timer: number}>} */
const pendingRequests = new Map();
let socket = null;
let retryDelay = FIRST_RETRY_MS;
let lastRef = 0;
let unsent = [];
let retryTimer = 0;
let lastMessageAt = 0;

/**
 * Calls back for every message of a type and returns a function that unsubscribes.
 * The types "open" and "closed" report the state of the connection itself.
 */
export function on(type, callback) {
  if (!listeners.has(type)) listeners.set(type, new Set());
  listeners.get(type).add(callback);
  return () => listeners.get(type).delete(callback);
}

/**
 * Sends a message and returns a promise of its first response, rejected with a RequestError.
 * The promise has the message's `ref`, which all further responses carry too.
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
    retryDelay = FIRST_RETRY_MS;
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
  }, retryDelay * (0.75 + Math.random() / 2));
  retryDelay = Math.min(MAX_RETRY_MS, retryDelay * RETRY_FACTOR);
}

// A dead connection may never report a close, so a missing heartbeat response counts as one.
setInterval(() => {
  if (!isConnected()) return;
  if (Date.now() - lastMessageAt > 2.5 * HEARTBEAT_MS) {
    socket.close();
    handleDisconnect();
  } else socket.send('{"type":"ping"}');
}, HEARTBEAT_MS);

// When the tab becomes visible again, reconnect at once instead of waiting for the timer.
document.addEventListener("visibilitychange", () => {
  if (document.hidden || !retryTimer) return;
  clearTimeout(retryTimer);
  retryTimer = 0;
  retryDelay = FIRST_RETRY_MS;
  connect();
});
