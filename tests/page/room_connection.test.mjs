// Tabs of one browser that open one invitation at the same time, against a model of the server: messages and changes
// of the storage arrive in random orders, each tab seeing its own copy of the storage.

import assert from "node:assert/strict";
import { register } from "node:module";
import { mock, test } from "node:test";

const MODULE = new URL("../../src/quincunx/web/static/room_connection.js", import.meta.url);
const ROOM = "r1";
const INVITATION = "invitation";
const MAX_ISSUED = 4; // as in `rooms/seat_secrets.py`
const MAX_STEPS = 500;

// Gives each tab modules of its own: what a module with `?tab=…` imports gets the same query.
register(`data:text/javascript,${encodeURIComponent(`
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    const tab = context.parentURL?.includes("?tab=") && resolved.url.startsWith("file:");
    return tab ? { ...resolved, url: resolved.url + new URL(context.parentURL).search } : resolved;
  }
`)}`);

mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
globalThis.document = { addEventListener() {}, getElementById: () => ({}) };
globalThis.history = { state: null, replaceState() {} };

/** Lets a tab do all that it can without another message. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Returns a generator of random numbers from 0 to 1. */
function randomNumbers(seed) {
  let state = seed + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

function setEntry(entries, key, value) {
  if (value === null) entries.delete(key);
  else entries.set(key, value);
}

/** The secrets of seat 1 of a room, and the tabs that play it. */
class Server {
  issued = [];
  taken = "";
  joined = new Map(); // the secret of each tab that has the seat
  count = 0;
  number = 0; // of the last event

  /** Answers a message of a tab. */
  receive(tab, { type, ref, secrets }) {
    if (type === "ping" || type === "leave") return;
    const secret = secrets[1];
    const error = (text, where) => tab.inbox.push({ type: "error", ref, error: "secret", text, where });
    if (secret !== undefined && !this.#isKnown(secret, type)) {
      error(this.taken ? "this invitation has been used" : "wrong secret for seat 1", "secrets.1");
    } else if (type === "confirm" && !this.joined.has(tab)) {
      error("this seat is not yours: join with its secret", "seat");
    } else {
      if (secret === undefined) this.joined.delete(tab);
      else this.joined.set(tab, secret);
      if (this.issued.includes(secret)) this.#take(secret);
      tab.inbox.push(type === "confirm" ? { type: "ok", ref } : this.#room(ref, secret));
    }
  }

  #isKnown(secret, type) {
    if (this.taken) return secret === this.taken;
    return this.issued.includes(secret) || (type === "join" && secret === INVITATION);
  }

  #take(secret) {
    this.taken = secret;
    this.issued = [];
    for (const [tab, other] of this.joined) {
      if (other === secret) continue;
      this.joined.delete(tab);
      tab.inbox.push({ type: "unseated", room: ROOM, seat: 1 });
    }
  }

  /** Plays a move of a bot. */
  play() {
    this.number++;
    for (const tab of this.joined.keys()) tab.inbox.push({ type: "event", room: ROOM, number: this.number });
  }

  #room(ref, secret) {
    const room = { type: "room", ref, room: ROOM, number: this.number, you: secret === undefined ? [] : [1] };
    if (secret !== INVITATION) return room;
    this.issued = [...this.issued, `issued${++this.count}`].slice(-MAX_ISSUED);
    return { ...room, secrets: { 1: this.issued.at(-1) } };
  }
}

/** A tab: its copy of the storage, messages that are on their way, and the page's modules. */
class Tab {
  static count = 0;
  entries = new Map();
  changes = []; // the keys of what other tabs have stored or removed
  inbox = [];
  outbox = [];
  listeners = new Set();
  seats = [];

  constructor(browser, hash) {
    this.browser = browser;
    this.hash = hash;
    this.entries = new Map(browser.entries);
    const write = (key, value) => {
      for (const entries of [this.entries, browser.entries]) setEntry(entries, key, value);
      for (const other of browser.tabs) if (other !== this) other.changes.push(key);
    };
    const { entries } = this;
    this.storage = {
      get length() { return entries.size; },
      key: (index) => [...entries.keys()][index] ?? null,
      getItem: (key) => entries.get(key) ?? null,
      setItem: (key, value) => write(key, value),
      removeItem: (key) => write(key, null),
    };
  }

  /** Does something in this tab, with its globals. */
  async run(action) {
    const tab = this;
    globalThis.localStorage = this.storage;
    globalThis.location = { hash: this.hash, pathname: `/room/${ROOM}`, search: "", protocol: "http:", host: "test" };
    globalThis.addEventListener = (type, listener) => this.listeners.add(listener);
    globalThis.WebSocket = class {
      static OPEN = 1;
      readyState = 1;
      constructor() {
        tab.socket = this;
        queueMicrotask(() => this.onopen());
      }

      send(text) { tab.outbox.push(JSON.parse(text)); }
    };
    action();
    await settle();
  }

  async open() {
    const { joinRoom, RoomConnection } = await import(`${MODULE}?tab=${++Tab.count}`);
    const listeners = Object.fromEntries(["onroom", "onerror", "ondisconnect", "onevent"].map((name) => [name, () => {}]));
    await this.run(() => joinRoom(ROOM).then((room) => { this.connection = new RoomConnection(room, false, listeners); }));
  }

  /** Returns what may happen next. */
  steps(server) {
    const { inbox, outbox, changes } = this;
    return [
      inbox.length && (() => this.run(() => this.socket.onmessage({ data: JSON.stringify(inbox.shift()) }))),
      outbox.length && (async () => server.receive(this, outbox.shift())),
      changes.length && (() => this.receiveChange()),
    ].filter(Boolean);
  }

  /** Shows this tab the next change of the storage. */
  async receiveChange() {
    const key = this.changes.shift();
    setEntry(this.entries, key, this.browser.entries.get(key) ?? null);
    await this.run(() => { for (const listener of this.listeners) listener(); });
  }
}

/** Lets everything happen in a random order, until nothing more can. */
async function runAll(tabs, server, random) {
  for (let count = 0; count < MAX_STEPS; count++) {
    const steps = tabs.flatMap((tab) => tab.steps(server));
    if (!steps.length) return;
    await steps[Math.floor(random() * steps.length)]();
  }
  assert.fail(`no end after ${MAX_STEPS} steps`);
}

const HASH = `#seat=1&secret=${INVITATION}`;

async function openTabs(browser, hashes) {
  browser.tabs = [];
  for (const hash of hashes) browser.tabs.push(new Tab(browser, hash));
  for (const tab of browser.tabs) await tab.open();
  return browser.tabs;
}

for (const [tabCount, runs] of [[1, 1], [2, 60], [3, 30], [6, 20]]) {
  test(`an invitation that is opened in one browser gives its seat to all tabs (${tabCount})`, async () => {
    for (let seed = 0; seed < runs; seed++) {
      const [browser, server, random] = [{ entries: new Map() }, new Server(), randomNumbers(seed)];
      const tabs = await openTabs(browser, Array(tabCount).fill(HASH));
      await runAll(tabs, server, random);
      assert.deepEqual(tabs.map((tab) => tab.connection?.seats), Array(tabCount).fill([1]), `seed ${seed}`);
      assert.deepEqual(tabs.map((tab) => server.joined.get(tab)), Array(tabCount).fill(server.taken), `seed ${seed}`);
      // The one secret that is valid is stored, alone.
      assert.deepEqual([...browser.entries.keys()], [`secret:${ROOM}:1:${server.taken}`], `seed ${seed}`);
    }
  });
}

test("of two browsers that open an invitation one plays, the other watches", async () => {
  for (let seed = 0; seed < 40; seed++) {
    const [server, random] = [new Server(), randomNumbers(seed)];
    const tabs = [];
    for (let i = 0; i < 2; i++) tabs.push(...(await openTabs({ entries: new Map() }, [HASH])));
    await runAll(tabs, server, random);
    assert.deepEqual(tabs.map((tab) => tab.connection?.seats.length).sort(), [0, 1], `seed ${seed}`);
    assert.equal(server.joined.size, 1, `seed ${seed}`);
  }
});

test("a move that is made while an invitation is exchanged is not missed", async () => {
  const [server, random] = [new Server(), randomNumbers(0)];
  const [tab] = await openTabs({ entries: new Map() }, [HASH]);
  const [join] = tab.steps(server);
  await join();
  server.play(); // after the answer to "join", and before the page can confirm
  await runAll([tab], server, random);
  assert.equal(tab.connection.number, server.number);
});

test("a seat that another tab stores while this one is joining again is joined, too", async () => {
  const [browser, server, random] = [{ entries: new Map() }, new Server(), randomNumbers(0)];
  const tabs = await openTabs(browser, ["", ""]);
  await runAll(tabs, server, random);
  const [watching, other] = tabs;
  await watching.run(() => watching.connection.rejoin());
  server.taken = "secret";
  other.storage.setItem(`secret:${ROOM}:1:secret`, JSON.stringify({ kind: "issued", time: 0 }));
  await watching.receiveChange();
  await runAll([watching], server, random);
  assert.deepEqual(watching.connection.seats, [1]);
});
