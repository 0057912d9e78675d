// A room: one game on the server, as it is played or watched.

import { Actions } from "./actions.js";
import { allGames, gameNamed, patiently } from "./api.js";
import { Invitations, Question } from "./asks.js";
import { Board } from "./board.js";
import { Buttons } from "./buttons.js";
import { button, fill, h, sentence } from "./dom.js";
import { Hand } from "./hand.js";
import { happened, own, people } from "./happened.js";
import { keys } from "./keys.js";
import { bestScores } from "./list.js";
import { mistakes } from "./mistakes.js";
import { MoveBox } from "./movebox.js";
import { Moves } from "./moves.js";
import { patched } from "./picture.js";
import { Players } from "./players.js";
import { go, rename } from "./router.js";
import { notice, say } from "./say.js";
import { ownName } from "./settings.js";
import { sharing } from "./share.js";
import { ask, on } from "./socket.js";
import { invited, keepSeats, seats } from "./store.js";
import { eventWords, yourTurn } from "./words.js";

const HURRY = 2; // plays that wait: from here on they are shown faster
const RUSH = 4; // and from here on not one by one

/** Opens the page of a room. */
export async function room(place, [id]) {
  const error = sentence();
  place.className = "lonely";
  fill(place, error.element);
  try {
    await allGames(); // before joining: nothing must come between the room and its listener
    const first = await patiently(() => joined(id), (why) => error.say(why));
    const game = await gameNamed(first.game);
    // Who alone holds the far side of a board sees it from there.
    const flip = Boolean(game.controls?.facing) && first.you.join() === "1";
    const page = new Room(place, id, game, flip ? await ask(joining(id, flip)) : first, flip);
    return () => page.close();
  } catch (refused) {
    error.say(refused.message);
    place.append(h("p", {}, h("a", { href: "/" }, "To the front page")));
  }
}

function joining(id, flip = false, given = {}) {
  return { type: "join", room: id, secrets: { ...seats(id).mine, ...given }, view: "page", flip };
}

/** Joins with the invitation in the address, which is kept if it proves right, and taken out of there. */
async function joined(id) {
  const given = invited();
  let first;
  try {
    first = await ask(joining(id, false, given));
    keepSeats(id, { mine: given });
  } catch (refused) {
    if (!["secret", "seat"].includes(refused.word) || !Object.keys(given).length) throw refused;
    notice("This invitation is not valid, or not whole.", 8);
    first = await ask(joining(id));
  }
  if (location.hash) rename(location.pathname + location.search);
  return first;
}

class Room {
  constructor(place, id, game, first, flip) {
    this.place = place;
    this.id = id;
    this.game = game;
    this.flip = flip;
    this.queue = [];
    this.busy = false;
    this.older = null; // {plies, picture} while one looks at an earlier position
    this.pictures = new Map();
    this.board = new Board(`${game.title} board`);
    this.hand = new Hand(this.board, {
      nested: game.controls?.nested,
      onmove: (move) => this.#play(move),
      onpick: (picked, next) => this.buttons?.draw((word) => this.hand.can(word), next, this.hand.hint, picked[0]),
    });
    this.buttons = new Buttons(game.controls, {
      press: (word) => this.hand.click([word]),
      turn: (step) => this.hand.turn(step),
      called: (name) => this.board.called(name),
    });
    this.players = new Players(game, { onact: (seat) => { this.acting = seat; this.#allow(); } });
    this.moves = new Moves(game, { onstep: (plies) => this.#look(plies) });
    this.actions = new Actions(this.#calls());
    this.error = sentence();
    this.status = h("p", { class: "status" });
    this.aside = h("div", { class: "extra" });
    this.invitations = new Invitations(id, game, { onkeep: (open) => {
      keepSeats(id, { mine: Object.fromEntries(open) });
      this.#rejoin();
    } });
    this.question = new Question();
    this.typing = new MoveBox(
      (move) => this.#send({ type: "play", seat: this.acting, move, number: this.room.number }),
      () => this.board.svg.focus());
    place.className = "table";
    fill(place,
      h("h1", { class: "unseen" }, game.title),
      h("section", { class: "stage", "aria-label": "Board" }, this.board.element),
      h("aside", { class: "side" },
        this.players.element, this.status, this.error.element, this.invitations.element, this.question.element,
        this.buttons.element, this.typing.element, this.moves.element, this.actions.element, this.aside));
    this.off = [
      on("event", (message) => message.room === id && this.#event(message)),
      on("here", (message) => message.room === id && this.#here(message)),
      on("rematched", (message) => message.room === id && this.#rematched(message)),
      on("closed", () => { this.lost = true; this.#allow(); }),
      on("open", () => this.#rejoin()),
      keys([...this.moves.keys, ...this.actions.keys, ...this.buttons.keys,
        ["/", "type a move", () => this.#type()], ["Escape", "", () => this.hand.putDown()]]),
    ];
    this.#settle(first);
    if (ownName()) this.#name();
  }

  close() {
    for (const off of this.off) off();
    this.players.close();
    this.moves.close();
    ask({ type: "leave", room: this.id }).catch(() => {});
    document.title = "Quincunx";
  }

  /** Takes over a whole room as the server tells it. */
  #settle(message) {
    this.room = message;
    this.lost = false;
    this.live = message.picture;
    this.queue = [];
    this.pictures.clear();
    this.older = null;
    if (!own(message).includes(this.acting)) [this.acting] = own(message);
    this.board.show(this.live);
    this.#allow();
    this.#draw();
    if (message.rematch) this.#offer(message.rematch);
  }

  async #rejoin() {
    if (this.joining) return;
    this.joining = true;
    try {
      const again = () => ask(joining(this.id, this.flip));
      this.#settle(await patiently(again, (why) => this.error.say(why)));
      this.error.say("");
    } catch (refused) {
      if (refused.word !== "network") this.error.say(refused.message);
    } finally {
      this.joining = false;
    }
  }

  #event(message) {
    const { room } = this;
    if (message.number <= room.number) return;
    if (message.number > room.number + 1) {
      this.#rejoin(); // something was missed
      return;
    }
    happened(room, message);
    if (message.kind === "undo") {
      this.pictures.clear();
      this.older = null; // what was looked at may be no more
    }
    if (room.turn === null) this.#allow();
    this.queue.push(message);
    this.#show();
  }

  /** Shows waiting events one after the other; when many wait, faster, and then at once. */
  async #show() {
    if (this.busy) return;
    this.busy = true;
    while (this.queue.length) {
      const message = this.queue.shift();
      const waiting = this.queue.length;
      this.#told(message);
      this.#draw();
      if (message.picture) this.live = message.picture;
      const start = this.live;
      for (const frame of message.frames || []) this.live = patched(this.live, frame.picture);
      if (this.older) continue;
      if (message.frames?.length && waiting < RUSH && this.board.picture === start) {
        this.#allow();
        const stands = await this.board.film(message.frames, { speed: waiting >= HURRY ? 3 : 1 });
        if (stands) this.live = this.board.picture; // the same picture, patched there as here
      } else if (message.picture || message.frames) this.board.show(this.live);
    }
    this.busy = false;
    this.#allow();
    this.#draw();
  }

  #told({ kind, seat, move, yes }) {
    const words = eventWords(kind, this.#called(seat), move, yes);
    if (words) say(`${words} ${this.#words()}`);
    const mine = this.room.you.includes(seat);
    if (words && !mine && ["rematch", "answer"].includes(kind)) notice(words, 8);
    if (mine && kind === "asked") notice("The others are asked.");
  }

  #called(seat) {
    return seat == null ? "" : this.room.players[seat]?.name || this.game.seat_names[seat];
  }

  #words() {
    const { room } = this;
    if (this.older) return `Move ${this.older.plies} of ${room.moves.length}.`;
    if (room.paused && !room.over) return "The game is paused.";
    if (this.hand.hint) return this.hinted;
    if (room.live && own(room).length && !room.over) return `${room.status}, you too.`;
    const yours = !room.over && own(room).includes(room.turn) && room.players.length > 1;
    return yours ? yourTurn(room.status, this.game.seat_names[room.turn]) : room.status;
  }

  #draw() {
    const { room } = this;
    this.players.draw(room, this.acting);
    this.moves.draw(room.moves, this.older ? this.older.plies : room.moves.length);
    this.actions.draw(room, { people: people(room) });
    fill(this.status, this.#words(),
      this.older && [" ", button("", "Back to the game", () => this.#look(room.moves.length), { class: "plain inline" })],
      !room.you.length && !this.older && h("span", { class: "quiet" }, " You are watching."));
    const yours = own(room).includes(room.turn) && !room.over;
    this.status.classList.toggle("yours", yours);
    document.title = `${yours && people(room) > 1 ? "● " : ""}${this.game.title} – Quincunx`;
    this.buttons.offer(own(room).length > 0 && !room.over);
    this.invitations.draw(room);
    this.#takeback();
    if (room.over && !this.ended) {
      this.ended = true;
      fill(this.aside, mistakes(this.id, this.game, (plies) => this.#look(plies)),
        room.players.length === 1 && bestScores(this.id));
    } else if (!room.over) this.ended = false;
  }

  #takeback() {
    const { asked, you, over, number } = this.room;
    const mine = !over && asked ? you.find((seat) => seat !== asked.by) : null;
    this.question.takeback(mine == null ? "" : this.#called(asked.by),
      (yes) => this.#send({ type: "answer", seat: mine, yes, number }));
  }

  /** Lets the hand do what is legal, unless one looks back or the game stands still. */
  #allow() {
    const { legal, paused, over, turn } = this.room;
    const held = Object.keys(legal || {}).map(Number);
    if (turn != null) this.acting = held.includes(turn) ? turn : this.acting;
    else if (!held.includes(this.acting) && held.length) this.acting = held[0];
    const moving = this.busy && turn != null;
    const free = !this.older && !paused && !over && !moving && !this.sending && !this.lost;
    this.hand.allow((free && legal?.[this.acting]) || []);
    this.place.dataset.number = this.busy || this.lost ? "" : this.room.number; // what is shown, once it stands still
  }

  async #play(move) {
    this.error.say("");
    this.sending = true;
    this.hand.allow([]);
    const { number } = this.room;
    await this.#send({ type: "play", seat: this.acting, move, number });
    this.sending = false;
    if (!this.busy) this.#allow();
  }

  async #send(message) {
    this.error.say("");
    try {
      return await ask({ room: this.id, ...message });
    } catch (refused) {
      this.board.carried?.style.removeProperty("transform");
      this.error.say(refused.message);
      if (refused.word === "late") this.#rejoin();
      return null;
    }
  }

  get #seat() {
    const { room } = this;
    return own(room).includes(room.turn) ? room.turn : this.acting ?? room.you[0];
  }

  /** Of one's seats the one that moved last, which is the one to take back. */
  get #mover() {
    const last = this.room.moves.findLast(([seat]) => own(this.room).includes(seat));
    return last ? last[0] : this.#seat;
  }

  #calls() {
    const send = (type) => () => this.#send({ type, seat: this.#seat, number: this.room.number });
    return {
      undo: () => this.#send({ type: "undo", seat: this.#mover, number: this.room.number }),
      resign: send("resign"), pause: send("pause"), resume: send("resume"),
      redraw: () => this.#draw(),
      rematch: async () => {
        const more = people(this.room) > this.room.you.length;
        if ((await this.#send({ type: "rematch", seat: this.#seat })) && more) notice("The others are asked for a rematch.");
      },
      hint: async () => {
        const hint = await this.#send({ type: "hint", seat: this.#seat });
        if (!hint || !this.hand.suggest(hint.clicks)) return;
        this.hinted = `Hint: ${this.buttons.words(hint.clicks) || hint.move}`;
        this.#draw();
        say(this.hinted);
      },
      flip: async () => {
        const answer = await this.#send({ type: "look", flip: !this.flip });
        if (!answer) return;
        this.flip = !this.flip;
        this.live = answer.picture;
        this.queue = []; // what waits to be shown is in the picture already
        this.pictures.clear();
        const back = this.older?.plies;
        this.older = null;
        this.board.show(this.live, { glide: false });
        if (back != null) this.#look(back);
      },
      analyse: () => go(`/analysis?room=${this.id}&plies=${this.moves.current}`),
      share: () => this.#share(),
      type: () => this.#type(),
    };
  }

  #share() {
    const open = this.aside.querySelector(".sharing");
    if (open) return open.remove();
    const panel = h("section", { class: "sharing" });
    this.aside.prepend(panel);
    sharing(panel, {
      id: this.id, game: this.game, options: this.room.options, plies: this.moves.current, flip: this.flip,
      text: this.older?.text || this.room.text, others: seats(this.id).others,
    });
    panel.scrollIntoView({ block: "nearest" });
  }

  /** Shows the position after so many moves; the last one is the game itself. */
  async #look(plies) {
    if (plies >= this.room.moves.length) {
      this.older = null;
      this.board.show(this.live);
    } else {
      this.moves.mark(plies);
      const looked = this.pictures.get(plies) || (await this.#send({ type: "at", plies, flip: this.flip }));
      if (!looked) return;
      this.pictures.set(plies, looked);
      if (this.moves.current !== plies) return; // one has gone on meanwhile
      this.older = { plies, picture: looked.picture, text: looked.text };
      this.board.show(looked.picture);
    }
    this.#draw();
    this.#allow();
    say(this.older ? `${this.#words()} ${this.room.moves[plies - 1]?.[1] || "The start."}` : this.#words());
  }

  #type() {
    if (!own(this.room).length) return false;
    return this.typing.toggle();
  }

  #here({ seat, here }) {
    if (this.room.players[seat]) this.room.players[seat].here = here;
    this.#draw();
  }

  #name() {
    for (const seat of this.room.you) {
      if (this.room.players[seat].name !== ownName()) this.#send({ type: "name", seat, name: ownName() });
    }
  }

  #rematched({ to, secrets }) {
    keepSeats(to, { mine: secrets || {} });
    if (this.room.you.length) go(`/room/${to}`);
    else this.#offer(to);
  }

  /** The way to the rematch, where each has moved on by one seat with the same secret. */
  #offer(to) {
    const count = this.room.players.length;
    const turned = Object.entries(seats(this.id).mine).map(([seat, secret]) => [(Number(seat) + 1) % count, secret]);
    keepSeats(to, { mine: Object.fromEntries(turned) });
    this.question.rematch(`/room/${to}`);
  }
}
