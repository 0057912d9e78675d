// The page of a room: a game on the server that is played or watched.

import { Actions } from "./actions.js";
import { announce, showNotice } from "./announce.js";
import { loadGame, loadGames, retryWhileBusy } from "./api.js";
import { Board } from "./board.js";
import { button, errorMessage, h, setChildren } from "./dom.js";
import { formatEvent, yourTurnStatus } from "./format.js";
import { GameButtons } from "./game_buttons.js";
import { bestScoresLink } from "./games_page.js";
import { Invitations, RequestPrompt } from "./invitations.js";
import { mistakesSection } from "./mistakes.js";
import { MoveInput } from "./move_input.js";
import { MoveList } from "./move_list.js";
import { applyDelta } from "./picture.js";
import { PlayerList } from "./players.js";
import { applyEvent, countHumans, ownSeats } from "./room_events.js";
import { navigate, replaceAddress } from "./router.js";
import { Selection } from "./selection.js";
import { playerName } from "./settings.js";
import { drawSharePanel } from "./share.js";
import { bindShortcuts } from "./shortcuts.js";
import { on, request } from "./socket.js";
import { loadSeats, saveSeats, seatFromAddress } from "./storage.js";

const FAST_QUEUE_LENGTH = 2; // with this many events waiting, animations are faster
const SKIP_QUEUE_LENGTH = 4; // with this many, they are skipped
const FAST_SPEED = 3; // times the normal speed
const LONG_NOTICE_SECONDS = 8;

/** Opens the page of a room. */
export async function openRoomPage(container, [id]) {
  const error = errorMessage();
  container.className = "message-page";
  setChildren(container, error.element);
  try {
    await loadGames(); // before joining, because events that arrive before the page listens would be lost
    const room = await retryWhileBusy(() => joinRoom(id), (reason) => error.show(reason));
    const game = await loadGame(room.game);
    // A player of only the second seat sees the board from that side.
    const flip = Boolean(game.controls?.facing) && room.you.join() === "1";
    const page = new RoomPage(container, id, game, flip ? await request(joinMessage(id, flip)) : room, flip);
    return () => page.close();
  } catch (failure) {
    error.show(failure.message);
    container.append(h("p", {}, h("a", { href: "/" }, "Go to the front page")));
  }
}

function joinMessage(id, flip = false, invitation = {}) {
  return { type: "join", room: id, secrets: { ...loadSeats(id).mine, ...invitation }, view: "page", flip };
}

/** Joins a room; an invitation in the address is stored if it is valid, and removed from the address. */
async function joinRoom(id) {
  const invitation = seatFromAddress();
  let room;
  try {
    room = await request(joinMessage(id, false, invitation));
    saveSeats(id, { mine: invitation });
  } catch (failure) {
    if (!["secret", "seat"].includes(failure.code) || !Object.keys(invitation).length) throw failure;
    showNotice("This invitation link is invalid or incomplete.", LONG_NOTICE_SECONDS);
    room = await request(joinMessage(id));
  }
  if (location.hash) replaceAddress(location.pathname + location.search);
  return room;
}

/** An open room: its state, the board and the panels beside it. */
class RoomPage {
  constructor(container, id, game, room, flip) {
    this.container = container;
    this.id = id;
    this.game = game;
    this.flip = flip;
    this.activeSeat = undefined; // the seat that clicks on the board play for
    this.eventQueue = []; // events applied to the room, but not shown yet
    this.showingEvents = false;
    this.pastPosition = null; // {plies, picture, text} while an earlier position is shown
    this.positionCache = new Map(); // earlier positions already loaded, by plies
    this.rejoining = false;
    this.sending = false; // while the server has not responded to a move
    this.endShown = false; // whether the panels of a finished game are shown
    this.hintText = "";
    this.board = new Board(`${game.title} board`);
    this.selection = new Selection(this.board, {
      nested: game.controls?.nested,
      onmove: (move) => this.#play(move),
      onchange: (selected, nextNames) =>
        this.buttons?.draw((name) => this.selection.isClickable(name), nextNames, this.selection.hint, selected[0]),
    });
    this.buttons = new GameButtons(game.controls, {
      onpress: (word) => this.selection.click([word]),
      onlevel: (step) => this.selection.changeLevel(step),
      cellLabel: (name) => this.board.cellLabel(name),
    });
    this.players = new PlayerList(game, { onchoose: (seat) => { this.activeSeat = seat; this.#updateLegalMoves(); } });
    this.moveList = new MoveList(game, { onstep: (plies) => this.#showPly(plies) });
    this.actions = new Actions(this.#actionHandlers());
    this.error = errorMessage();
    this.status = h("p", { class: "status" });
    this.extraPanels = h("div", { class: "extra-panels" });
    this.invitations = new Invitations(id, game, { onclaim: (openSeats) => {
      saveSeats(id, { mine: Object.fromEntries(openSeats) });
      this.#rejoin();
    } });
    this.requestPrompt = new RequestPrompt();
    this.moveInput = new MoveInput(
      (move) => this.#send({ type: "play", seat: this.activeSeat, move, number: this.room.number }),
      () => this.board.svg.focus());
    container.className = "game-page";
    setChildren(container,
      h("h1", { class: "visually-hidden" }, game.title),
      h("section", { class: "board-area", "aria-label": "Board" }, this.board.element),
      h("aside", { class: "sidebar" },
        this.players.element, this.status, this.error.element, this.invitations.element, this.requestPrompt.element,
        this.buttons.element, this.moveInput.element, this.moveList.element, this.actions.element, this.extraPanels));
    this.unsubscribers = [
      on("event", (message) => message.room === id && this.#receiveEvent(message)),
      on("here", (message) => message.room === id && this.#updatePresence(message)),
      on("rematched", (message) => message.room === id && this.#joinRematch(message)),
      on("closed", () => { this.disconnected = true; this.#updateLegalMoves(); }),
      on("open", () => this.#rejoin()),
      bindShortcuts([...this.moveList.shortcuts, ...this.actions.shortcuts, ...this.buttons.shortcuts,
        ["/", "type a move", () => this.#toggleMoveInput()], ["Escape", "", () => this.selection.unselect()]]),
    ];
    this.#setRoom(room);
    if (playerName()) this.#sendName();
  }

  close() {
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    this.players.close();
    this.moveList.close();
    request({ type: "leave", room: this.id }).catch(() => {});
    document.title = "Quincunx";
  }

  /** Shows a room from its complete state, after joining or rejoining. */
  #setRoom(room) {
    this.room = room;
    this.disconnected = false;
    this.latestPicture = room.picture; // of the latest position, even while an earlier one is shown
    this.eventQueue = [];
    this.positionCache.clear();
    this.pastPosition = null;
    if (!ownSeats(room).includes(this.activeSeat)) [this.activeSeat] = ownSeats(room);
    this.board.show(this.latestPicture);
    this.#updateLegalMoves();
    this.#draw();
    if (room.rematch) this.#offerRematch(room.rematch);
  }

  /** Joins again and shows the room's current state, after a lost connection or a missed event. */
  async #rejoin() {
    if (this.rejoining) return;
    this.rejoining = true;
    try {
      const join = () => request(joinMessage(this.id, this.flip));
      this.#setRoom(await retryWhileBusy(join, (reason) => this.error.show(reason)));
      this.error.show("");
    } catch (failure) {
      if (failure.code !== "network") this.error.show(failure.message);
    } finally {
      this.rejoining = false;
    }
  }

  /** Applies an event to the room at once, and queues it to be shown. */
  #receiveEvent(message) {
    const { room } = this;
    if (message.number <= room.number) return;
    if (message.number > room.number + 1) {
      this.#rejoin(); // an event was missed
      return;
    }
    applyEvent(room, message);
    if (message.kind === "undo") {
      this.positionCache.clear();
      this.pastPosition = null; // its move may have been taken back
    }
    if (room.turn === null) this.#updateLegalMoves(); // anyone may move, even during an animation
    this.eventQueue.push(message);
    this.#showEvents();
  }

  /** Shows the queued events one after the other, faster or without animation if many are waiting. */
  async #showEvents() {
    if (this.showingEvents) return;
    this.showingEvents = true;
    while (this.eventQueue.length) {
      const message = this.eventQueue.shift();
      const waiting = this.eventQueue.length;
      this.#announceEvent(message);
      this.#draw();
      if (message.picture) this.latestPicture = message.picture;
      const startPicture = this.latestPicture;
      for (const frame of message.frames || []) this.latestPicture = applyDelta(this.latestPicture, frame.picture);
      if (this.pastPosition) continue;
      if (message.frames?.length && waiting < SKIP_QUEUE_LENGTH && this.board.picture === startPicture) {
        this.#updateLegalMoves();
        const speed = waiting >= FAST_QUEUE_LENGTH ? FAST_SPEED : 1;
        const finished = await this.board.playFrames(message.frames, { speed });
        // The board has built an equal picture. The next event compares by identity, so it needs that object.
        if (finished) this.latestPicture = this.board.picture;
      } else if (message.picture || message.frames) this.board.show(this.latestPicture);
    }
    this.showingEvents = false;
    this.#updateLegalMoves();
    this.#draw();
  }

  #announceEvent({ kind, seat, move, yes }) {
    const text = formatEvent(kind, this.#playerLabel(seat), move, yes);
    if (text) announce(`${text} ${this.#statusText()}`);
    const mine = this.room.you.includes(seat);
    if (text && !mine && ["rematch", "answer"].includes(kind)) showNotice(text, LONG_NOTICE_SECONDS);
    if (mine && kind === "asked") showNotice("Takeback requested.");
  }

  #playerLabel(seat) {
    return seat == null ? "" : this.room.players[seat]?.name || this.game.seat_names[seat];
  }

  #statusText() {
    const { room } = this;
    if (this.pastPosition) return `Move ${this.pastPosition.plies} of ${room.moves.length}.`;
    if (room.paused && !room.over) return "The game is paused.";
    if (this.selection.hint) return this.hintText;
    if (room.live && ownSeats(room).length && !room.over) return `${room.status}, including you.`;
    const yourTurn = !room.over && ownSeats(room).includes(room.turn) && room.players.length > 1;
    return yourTurn ? yourTurnStatus(room.status, this.game.seat_names[room.turn]) : room.status;
  }

  #draw() {
    const { room } = this;
    this.players.draw(room, this.activeSeat);
    this.moveList.draw(room.moves, this.pastPosition ? this.pastPosition.plies : room.moves.length);
    this.actions.draw(room, { humans: countHumans(room) });
    const backButton = () => button("", "Back to the game", () => this.#showPly(room.moves.length), { class: "plain inline" });
    setChildren(this.status, this.#statusText(),
      this.pastPosition && [" ", backButton()],
      !room.you.length && !this.pastPosition && h("span", { class: "muted" }, " You are watching."));
    const yourTurn = ownSeats(room).includes(room.turn) && !room.over;
    this.status.classList.toggle("your-turn", yourTurn);
    document.title = `${yourTurn && countHumans(room) > 1 ? "● " : ""}${this.game.title} – Quincunx`;
    this.buttons.setVisible(ownSeats(room).length > 0 && !room.over);
    this.invitations.draw(room);
    this.#drawTakebackRequest();
    if (room.over && !this.endShown) {
      this.endShown = true;
      setChildren(this.extraPanels, mistakesSection(this.id, this.game, (plies) => this.#showPly(plies)),
        room.players.length === 1 && bestScoresLink(this.id));
    } else if (!room.over) this.endShown = false;
  }

  #drawTakebackRequest() {
    const { asked, you, over, number } = this.room;
    const answeringSeat = !over && asked ? you.find((seat) => seat !== asked.by) : null;
    this.requestPrompt.showTakebackRequest(answeringSeat == null ? "" : this.#playerLabel(asked.by),
      (yes) => this.#send({ type: "answer", seat: answeringSeat, yes, number }));
  }

  /** Updates the active seat and gives its legal moves to the selection, or none while it cannot move. */
  #updateLegalMoves() {
    const { legal, paused, over, turn } = this.room;
    const seatsWithMoves = Object.keys(legal || {}).map(Number);
    if (turn != null) this.activeSeat = seatsWithMoves.includes(turn) ? turn : this.activeSeat;
    else if (!seatsWithMoves.includes(this.activeSeat) && seatsWithMoves.length) this.activeSeat = seatsWithMoves[0];
    const animating = this.showingEvents && turn != null;
    const playable = !this.pastPosition && !paused && !over && !animating && !this.sending && !this.disconnected;
    this.selection.setLegalMoves((playable && legal?.[this.activeSeat]) || []);
    // For tests: the number of the last event shown, empty while the board is not up to date.
    this.container.dataset.number = this.showingEvents || this.disconnected ? "" : this.room.number;
  }

  async #play(move) {
    this.error.show("");
    this.sending = true;
    this.selection.setLegalMoves([]);
    const { number } = this.room;
    await this.#send({ type: "play", seat: this.activeSeat, move, number });
    this.sending = false;
    if (!this.showingEvents) this.#updateLegalMoves();
  }

  /** Sends a message about this room; shows an error and resolves to null if it fails. */
  async #send(message) {
    this.error.show("");
    try {
      return await request({ room: this.id, ...message });
    } catch (failure) {
      this.board.droppedPiece?.style.removeProperty("transform");
      this.error.show(failure.message);
      if (failure.code === "late") this.#rejoin();
      return null;
    }
  }

  /** The seat that actions are sent for: the seat to move if this browser plays it, or else the active seat. */
  get #actionSeat() {
    const { room } = this;
    return ownSeats(room).includes(room.turn) ? room.turn : this.activeSeat ?? room.you[0];
  }

  /** The seat of this browser that moved last; undo takes back its move. */
  get #lastMoverSeat() {
    const last = this.room.moves.findLast(([seat]) => ownSeats(this.room).includes(seat));
    return last ? last[0] : this.#actionSeat;
  }

  #actionHandlers() {
    const sender = (type) => () => this.#send({ type, seat: this.#actionSeat, number: this.room.number });
    return {
      undo: () => this.#send({ type: "undo", seat: this.#lastMoverSeat, number: this.room.number }),
      resign: sender("resign"), pause: sender("pause"), resume: sender("resume"),
      redraw: () => this.#draw(),
      rematch: async () => {
        const hasOthers = countHumans(this.room) > this.room.you.length;
        if ((await this.#send({ type: "rematch", seat: this.#actionSeat })) && hasOthers) showNotice("Rematch requested.");
      },
      hint: async () => {
        const hint = await this.#send({ type: "hint", seat: this.#actionSeat });
        if (!hint || !this.selection.showHint(hint.clicks)) return;
        this.hintText = `Hint: ${this.buttons.describeMove(hint.clicks) || hint.move}`;
        this.#draw();
        announce(this.hintText);
      },
      flip: async () => {
        const response = await this.#send({ type: "look", flip: !this.flip });
        if (!response) return;
        this.flip = !this.flip;
        this.latestPicture = response.picture;
        this.eventQueue = []; // the new picture includes the waiting events
        this.positionCache.clear();
        const pastPlies = this.pastPosition?.plies;
        this.pastPosition = null;
        this.board.show(this.latestPicture, { glide: false });
        if (pastPlies != null) this.#showPly(pastPlies);
      },
      analyse: () => navigate(`/analysis?room=${this.id}&plies=${this.moveList.current}`),
      share: () => this.#toggleSharePanel(),
      type: () => this.#toggleMoveInput(),
    };
  }

  #toggleSharePanel() {
    const openPanel = this.extraPanels.querySelector(".share-panel");
    if (openPanel) return openPanel.remove();
    const panel = h("section", { class: "share-panel" });
    this.extraPanels.prepend(panel);
    drawSharePanel(panel, {
      id: this.id, game: this.game, options: this.room.options, plies: this.moveList.current, flip: this.flip,
      text: this.pastPosition?.text || this.room.text, others: loadSeats(this.id).others,
    });
    panel.scrollIntoView({ block: "nearest" });
  }

  /** Shows the position after that number of moves: an earlier one, or the latest. */
  async #showPly(plies) {
    if (plies >= this.room.moves.length) {
      this.pastPosition = null;
      this.board.show(this.latestPicture);
    } else {
      this.moveList.markCurrent(plies);
      const position = this.positionCache.get(plies) || (await this.#send({ type: "at", plies, flip: this.flip }));
      if (!position) return;
      this.positionCache.set(plies, position);
      if (this.moveList.current !== plies) return; // another position was chosen meanwhile
      this.pastPosition = { plies, picture: position.picture, text: position.text };
      this.board.show(position.picture);
    }
    this.#draw();
    this.#updateLegalMoves();
    announce(this.pastPosition ? `${this.#statusText()} ${this.room.moves[plies - 1]?.[1] || "Start of the game."}` : this.#statusText());
  }

  #toggleMoveInput() {
    if (!ownSeats(this.room).length) return false;
    return this.moveInput.toggle();
  }

  #updatePresence({ seat, here }) {
    if (this.room.players[seat]) this.room.players[seat].here = here;
    this.#draw();
  }

  #sendName() {
    for (const seat of this.room.you) {
      if (this.room.players[seat].name !== playerName()) this.#send({ type: "name", seat, name: playerName() });
    }
  }

  /** Opens the rematch if this browser plays, or else offers a link to it. */
  #joinRematch({ to, secrets }) {
    saveSeats(to, { mine: secrets || {} });
    if (this.room.you.length) navigate(`/room/${to}`);
    else this.#offerRematch(to);
  }

  /** Shows a link to the rematch, in which every player keeps their secret and takes the next seat. */
  #offerRematch(to) {
    const seatCount = this.room.players.length;
    const rotatedSecrets = Object.entries(loadSeats(this.id).mine).map(([seat, secret]) => [(Number(seat) + 1) % seatCount, secret]);
    saveSeats(to, { mine: Object.fromEntries(rotatedSecrets) });
    this.requestPrompt.showRematchLink(`/room/${to}`);
  }
}
