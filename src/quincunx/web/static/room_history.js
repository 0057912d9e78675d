// The earlier positions of a room: loads them once, and knows which one is shown.

/** @import { Picture } from "./types.js" */

/** @typedef {{picture: Picture, text: string}} PastPosition */

/** Steps through the earlier positions of a room. */
export class RoomHistory {
  /** @param {(plies: number) => Promise<PastPosition | null>} load requests a position; null if that failed */
  constructor(load) {
    this.load = load;
    /** @type {Map<number, PastPosition>} by the number of moves played */
    this.cache = new Map();
    /** @type {(PastPosition & {plies: number}) | null} the position shown, null for the latest */
    this.current = null;
    this.wantedPlies = -1; // of the last request; an earlier one that arrives later is ignored
  }

  /** Returns to the latest position and forgets the loaded ones, which may have changed. */
  reset() {
    this.cache.clear();
    this.leave();
  }

  /** Returns to the latest position. */
  leave() {
    this.current = null;
    this.wantedPlies = -1;
  }

  /**
   * Makes the position after that number of moves current; resolves to it, or to null if it could not be loaded or
   * another one was requested meanwhile.
   * @param {number} plies
   */
  async goTo(plies) {
    this.wantedPlies = plies;
    const { cache } = this;
    const position = cache.get(plies) ?? (await this.load(plies));
    if (!position || this.wantedPlies !== plies) return null;
    cache.set(plies, position);
    this.current = { plies, ...position };
    return this.current;
  }
}
