// The page of a room: a game on the server that is played or watched.

import { Actions } from "./actions.js";
import { announce, showNotice } from "./announce.js";
import { asRequestError, loadGame, loadGames, retryWhileBusy } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./board_input.js";
import { EMPTY_TREE } from "./click_tree.js";
import { errorMessage, h, setChildren } from "./dom.js";
import { EventPlayer } from "./event_player.js";
import { explainClicks, previewMove } from "./explanation.js";
import { formatEvent, formatEffects } from "./format.js";
import { MoveInput } from "./move_input.js";
import { MoveList } from "./move_list.js";
import { hasOwnColour, PlayerList, setSeatColours } from "./players.js";
import { actionHandlers, sendName } from "./room_actions.js";
import { join, joinRoom, RoomConnection } from "./room_connection.js";
import { RoomHistory } from "./room_history.js";
import { RoomPanels } from "./room_panels.js";
import { RoomPrompts } from "./room_prompts.js";
import * as roomState from "./room_state.js";
import { bindShortcuts } from "./shortcuts.js";
import { StatusLine } from "./status_line.js";

/** @import { Game, Mistake, OpenPage, Picture, Room, RoomEvent, ServerMessages } from "./types.js" */

const LONG_NOTICE_SECONDS = 8;

/**
 * Opens the page of a room.
 * @type {OpenPage}
 */
export async function openRoomPage(container, [id]) {
  const error = errorMessage();
  container.className = "message-page";
  setChildren(container, error.element);
  try {
    await loadGames(); // before joining, because events that arrive before the page listens would be lost
    const room = await retryWhileBusy(() => joinRoom(id), error.show);
    const game = await loadGame(room.game);
    // A player of only the second seat sees the board from that side.
    const flip = game.controls.facing && room.you.join() === "1";
    const page = new RoomPage(container, game, flip ? await join(id, { view: "page", flip }) : room, flip);
    return () => page.close();
  } catch (failure) {
    error.show(asRequestError(failure).message);
    container.append(h("p", {}, h("a", { href: "/" }, "Go to the front page")));
    return null;
  }
}

/** An open room: its state, the board and the panels beside it. */
export class RoomPage {
  /**
   * @param {HTMLElement} container
   * @param {Game} game
   * @param {Room} room
   * @param {boolean} flip
   */
  constructor(container, game, room, flip) {
    this.container = container;
    this.game = game;
    this.room = room;
    /** @type {number | undefined} the seat that clicks on the board play for */
    this.activeSeat = undefined;
    this.shownTurn = room.turn; // the seat that is marked as the one to move
    this.sending = false; // while the server has not responded to a move
    this.error = errorMessage();
    this.connection = new RoomConnection(room, flip, {
      onroom: (restored) => this.#setRoom(restored),
      onevent: (event) => this.#receiveEvent(event),
      onpresence: (presence) => this.#setPresence(presence),
      onrematch: (rematch) => this.prompts.joinRematch(rematch),
      ondisconnect: () => { // draws nothing that loads icons, which cannot be loaded now
        this.updateLegalMoves();
        this.status.draw();
      },
      onerror: (text) => this.#showError(text),
    });
    this.board = new Board(`${game.title} board`);
    this.input = new BoardInput(this.board, room.controls ?? game.controls, {
      onmove: (move) => this.#play(move), explain: (clicks) => this.#explain(clicks),
      preview: (move) => previewMove({ room: this.connection.id, flip: this.connection.flip }, this.activeSeat, move),
    });
    this.history = new RoomHistory((plies) => this.connection.send("at", { plies, flip: this.connection.flip }));
    this.eventPlayer = new EventPlayer(this.board, room.picture, {
      isBoardFree: () => this.history.current === null,
      onevent: (event) => this.#announceEvent(event),
      onanimate: () => this.updateLegalMoves(),
      onidle: () => this.#update(),
    });
    this.players = new PlayerList(game, { onchoose: (seat) => { this.activeSeat = seat; this.updateLegalMoves(); } });
    this.moveList = new MoveList(game, { onstep: (plies) => this.showPly(plies) });
    this.actions = new Actions(actionHandlers(this));
    this.panels = new RoomPanels(this);
    this.prompts = new RoomPrompts(this);
    this.status = new StatusLine(this);
    this.moveInput = new MoveInput((move) => this.#sendMove(move), () => this.board.svg.focus());
    this.#layOut();
    this.removeShortcuts = bindShortcuts([
      ...this.moveList.shortcuts, ...this.actions.shortcuts, ...this.input.buttons.shortcuts,
      ["/", "type a move", () => this.toggleMoveInput()], ["Escape", "", () => this.input.selection.unselect()],
    ]);
    this.#setRoom(room);
    sendName(this);
  }

  #layOut() {
    this.container.className = "game-page";
    setChildren(this.container,
      h("h1", { class: "visually-hidden" }, this.game.title),
      h("section", { class: "board-area", "aria-label": "Board" }, this.board.element),
      h("aside", { class: "sidebar", "aria-label": "Game" },
        h("div", { class: "sidebar-main" },
          this.players.element, this.status.element, this.error.element, this.prompts.elements,
          this.input.buttons.element, this.moveInput.element, this.panels.element),
        this.moveList.element, this.actions.element));
  }

  close() {
    this.removeShortcuts();
    this.connection.close();
    this.players.close();
    this.moveList.close();
    this.status.close();
    document.title = "Quincunx";
  }

  /**
   * Shows a room from its complete state, after joining or rejoining.
   * @param {Room} room
   */
  #setRoom(room) {
    this.room = room;
    this.eventPlayer.reset(room.picture);
    this.history.reset();
    this.board.show(room.picture);
    this.#update();
    if (room.rematch) this.prompts.offerRematch(room.rematch);
  }

  /**
   * Applies an event to the room at once, and queues it to be shown.
   * @param {RoomEvent} event
   */
  #receiveEvent(event) {
    const gain = roomState.scoreGain(this.room, event);
    if (this.room.fair && roomState.isAssistance(event)) showNotice("This game is assisted now: it will not count as a result.", LONG_NOTICE_SECONDS);
    this.room = roomState.applyEvent(this.room, event);
    if (event.kind === "undo") this.history.reset(); // the position shown may have been taken back
    if (this.room.turn === null) this.updateLegalMoves(); // anyone may move, even during an animation
    this.eventPlayer.push(event, gain);
  }

  /** @param {RoomEvent} event */
  #announceEvent(event) {
    const { kind, seat } = event;
    const text = formatEvent(event, seat === null ? "" : roomState.playerLabel(this.room, this.game, seat));
    const effects = formatEffects(event.frames ?? []);
    this.status.showEffects(effects);
    if (text) announce([text, effects, this.status.text].filter(Boolean).join(" "));
    const mine = seat !== null && this.room.you.includes(seat);
    if (text && !mine && ["rematch_answer", "answer", "pause_answer"].includes(kind)) showNotice(text, LONG_NOTICE_SECONDS);
    this.draw();
  }

  #update() {
    this.updateLegalMoves();
    this.draw();
  }

  /** Draws everything but the board. */
  draw() {
    const { room } = this;
    if (!this.eventPlayer.playing) this.shownTurn = room.turn; // the next player is marked when the move has been shown
    this.players.draw(room, this.activeSeat, this.shownTurn);
    this.moveList.draw(room.moves, this.history.current?.plies ?? room.moves.length);
    this.actions.draw(room);
    this.status.draw();
    this.input.buttons.setVisible(roomState.ownSeats(room).length > 0 && !room.over);
    this.prompts.draw();
    this.panels.draw();
  }

  /** Updates the active seat and gives its legal moves to the selection, or none while it cannot move. */
  updateLegalMoves() {
    const { room } = this;
    this.activeSeat = roomState.activeSeat(room, this.activeSeat);
    this.board.svg.classList.toggle("own-colour", hasOwnColour(this.game, this.activeSeat));
    setSeatColours(this.board.svg, this.game, this.activeSeat);
    const { playing } = this.eventPlayer;
    const { disconnected } = this.connection;
    const blocked = this.history.current || room.paused || room.over || this.sending || disconnected || (playing && room.turn !== null);
    this.input.selection.setLegalMoves((!blocked && room.legal?.[this.activeSeat ?? ""]) || EMPTY_TREE);
    // For tests: the number of the last event shown, empty while the board is not up to date.
    this.container.dataset.number = playing || disconnected ? "" : String(room.number);
  }

  /** @param {string} move */
  async #play(move) {
    this.sending = true;
    this.input.block();
    const answer = await this.#sendMove(move);
    this.sending = false;
    // The event comes when its picture is drawn; until then the room still has the old legal moves.
    const isDrawn = (answer?.number ?? 0) <= this.room.number;
    if (isDrawn && !this.eventPlayer.playing) this.updateLegalMoves();
  }

  /** @param {string} move */
  #sendMove(move) {
    const seat = roomState.actionSeat(this.room, this.activeSeat);
    return this.connection.send("play", { seat, move, number: this.room.number });
  }

  /**
   * Returns why clicks are not the beginning of a legal move, or "" for spectators and while the board changes.
   * @param {string[]} clicks
   */
  async #explain(clicks) {
    const { room } = this;
    if (this.connection.disconnected || this.sending || room.over || room.paused || !roomState.ownSeats(room).length) return "";
    if (this.history.current) return "this is an earlier position: go back to the game to play";
    if (!room.live && !roomState.isOwnTurn(room)) return "it is not your turn";
    if (!this.input.selection.hasMoves) return "";
    const reason = await explainClicks({ room: this.connection.id }, this.activeSeat, clicks);
    return this.room.number === room.number ? reason : "";
  }

  /** @param {string} text */
  #showError(text) {
    if (text) this.board.returnDroppedPiece();
    this.error.show(text);
  }

  /**
   * Shows the position after that number of moves: an earlier one, or the latest.
   * @param {number} plies
   */
  async showPly(plies) {
    this.input.overlay.clear("arrows");
    const isPast = plies < this.room.moves.length;
    if (isPast) this.moveList.markCurrent(plies);
    else this.history.leave();
    const past = isPast && (await this.history.goTo(plies));
    if (isPast && !past) return;
    this.board.show(past ? past.picture : this.eventPlayer.latestPicture);
    this.#update();
    announce(past ? `${this.status.text} ${this.room.moves[plies - 1]?.[1] ?? "Start of the game."}` : this.status.text);
  }

  /**
   * Shows the position before a mistake, with arrows for the move that was played and for the better one.
   * @param {Mistake} mistake
   */
  async showMistake({ best_path, path, plies }) {
    await this.showPly(plies);
    const { overlay } = this.input;
    if (this.moveList.current === plies) overlay.draw("arrows", [overlay.move(path, "mistake"), overlay.move(best_path, "best")]);
  }

  /**
   * Shows the board from the other side.
   * @param {Picture} picture of the latest position
   */
  flipTo(picture) {
    const past = this.history.current;
    this.eventPlayer.reset(picture);
    this.history.reset();
    this.board.show(picture, { glide: false });
    if (past) this.showPly(past.plies);
  }

  /** Shows or hides the text field for moves; returns false for spectators. */
  toggleMoveInput() {
    if (!roomState.ownSeats(this.room).length) return false;
    return this.moveInput.toggle();
  }

  /** @param {ServerMessages["here"]} presence */
  #setPresence(presence) {
    this.room = roomState.applyPresence(this.room, presence);
    this.draw();
  }
}
