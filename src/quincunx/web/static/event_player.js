// Shows the events of a room on its board, one after the other.

import { applyDelta } from "./picture.js";

/** @import { Board } from "./board.js" */
/** @import { Picture, RoomEvent } from "./types.js" */

const FAST_QUEUE_LENGTH = 2; // with this many events waiting, animations are faster
const SKIP_QUEUE_LENGTH = 4; // with this many, they are skipped
const FAST_SPEED = 3; // times the normal speed

/** A queue of events that the room already contains but the board does not show yet. */
export class EventPlayer {
  /**
   * @param {Pick<Board, "picture" | "playFrames" | "show">} board
   * @param {Picture} picture of the latest position
   * @param {{isBoardFree: () => boolean, onevent: (event: RoomEvent) => void, onanimate: () => void,
   *   onidle: () => void}} callbacks `isBoardFree` is false while the board shows an earlier position;
   *   the others are called when an event is shown, before its animation, and after the last event
   */
  constructor(board, picture, callbacks) {
    this.board = board;
    this.callbacks = callbacks;
    this.latestPicture = picture; // even while an earlier position is shown
    /** @type {{event: RoomEvent, gain: number}[]} */
    this.queue = [];
    this.playing = false;
  }

  /**
   * Drops the waiting events, which a new picture includes.
   * @param {Picture} picture
   */
  reset(picture) {
    this.queue = [];
    this.latestPicture = picture;
  }

  /**
   * Queues an event.
   * @param {RoomEvent} event
   * @param {number} gain the points that it adds in a solo game
   */
  async push(event, gain) {
    this.queue.push({ event, gain });
    if (this.playing) return;
    this.playing = true;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) await this.#play(next);
    this.playing = false;
    this.callbacks.onidle();
  }

  /** @param {{event: RoomEvent, gain: number}} item */
  async #play({ event, gain }) {
    const waiting = this.queue.length;
    this.callbacks.onevent(event);
    const startPicture = event.picture ?? this.latestPicture;
    const frames = event.frames ?? [];
    this.latestPicture = frames.reduce((picture, frame) => applyDelta(picture, frame.picture), startPicture);
    if (!this.callbacks.isBoardFree() || (!event.picture && !frames.length)) return;
    if (frames.length && waiting < SKIP_QUEUE_LENGTH && this.board.picture === startPicture) {
      this.callbacks.onanimate();
      const finished = await this.board.playFrames(frames, { speed: waiting >= FAST_QUEUE_LENGTH ? FAST_SPEED : 1, gain });
      // The board has built an equal picture. The next event compares by identity, so it needs that object.
      if (finished && this.board.picture) this.latestPicture = this.board.picture;
    } else this.board.show(this.latestPicture);
  }
}
