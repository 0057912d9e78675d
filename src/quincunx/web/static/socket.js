// One connection to the server for the whole page. It comes back by itself, and says so.

import { Refused } from "./api.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const PATIENCE = 20000; // for an answer
const HEARTBEAT = 15000;

/** @type {Map<string, Set<(message: object) => void>>} */
const listeners = new Map();
/** @type {Map<number, {resolve: Function, reject: Function, timer: number}>} */
const asked = new Map();
let socket = null;
let wait = FIRST_WAIT;
let ref = 0;
let queue = [];
let timer = 0;
let heard = 0;

/** Calls back for every message of a type; "open" and "closed" tell of the connection itself. */
export function on(type, callback) {
  if (!listeners.has(type)) listeners.set(type, new Set());
  listeners.get(type).add(callback);
  return () => listeners.get(type).delete(callback);
}

/**
 * Sends a message and gives its first answer; Refused if the server refuses.
 * The promise carries its `ref`, for answers that go on coming.
 */
export function ask(message) {
  const mine = ++ref;
  const answer = new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      asked.delete(mine);
      reject(new Refused("network", "The server did not answer. Please try again."));
    }, PATIENCE);
    asked.set(mine, { resolve, reject, timer: late });
    send({ ...message, ref: mine });
  });
  return Object.assign(answer, { ref: mine });
}

/** True while the connection stands. */
function connected() {
  return socket?.readyState === WebSocket.OPEN;
}

function send(message) {
  if (connected()) socket.send(JSON.stringify(message));
  else {
    queue.push(message);
    connect();
  }
}

function tell(type, message) {
  for (const callback of [...(listeners.get(type) || [])]) callback(message);
}

function connect() {
  if (socket || timer) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/socket`);
  socket.onopen = () => {
    wait = FIRST_WAIT;
    heard = Date.now();
    tell("open", {});
    for (const message of queue.splice(0)) socket.send(JSON.stringify(message));
  };
  socket.onmessage = ({ data }) => hear(JSON.parse(data));
  socket.onclose = lost;
}

function hear(message) {
  heard = Date.now();
  const question = asked.get(message.ref);
  if (question) {
    asked.delete(message.ref);
    clearTimeout(question.timer);
    if (message.type === "error") question.reject(new Refused(message.error, message.text));
    else question.resolve(message);
  }
  tell(message.type, message);
}

function lost() {
  if (!socket) return;
  socket.onclose = socket.onmessage = null;
  socket = null;
  queue = [];
  for (const { reject, timer: late } of asked.values()) {
    clearTimeout(late);
    reject(new Refused("network", "The connection was lost. Trying again …"));
  }
  asked.clear();
  tell("closed", {});
  timer = setTimeout(() => {
    timer = 0;
    connect();
  }, wait * (0.75 + Math.random() / 2));
  wait = Math.min(LONGEST_WAIT, wait * 1.7);
}

// A connection can die without a word: the heart beats, and silence counts as lost.
setInterval(() => {
  if (!connected()) return;
  if (Date.now() - heard > 2.5 * HEARTBEAT) {
    socket.close();
    lost();
  } else socket.send('{"type":"ping"}');
}, HEARTBEAT);

// Whoever comes back to the page does not wait for the next try.
document.addEventListener("visibilitychange", () => {
  if (document.hidden || !timer) return;
  clearTimeout(timer);
  timer = 0;
  wait = FIRST_WAIT;
  connect();
});
