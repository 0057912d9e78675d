// The actions of a room besides moving: a row of buttons.

import { button, h, setChildren } from "./dom.js";
import { ownSeats, playsAlone } from "./room_state.js";

/** @import { Room, Shortcut } from "./types.js" */

/**
 * @typedef {"undo" | "hint" | "resume" | "pause" | "resign" | "rematch" | "flip" | "analyse" | "share" | "type"} ActionName
 * @typedef {Record<ActionName | "redraw", () => unknown>} ActionHandlers
 * @typedef {[name: ActionName, icon: string, label: string, key?: string]} Action
 */

/** The row of action buttons of a room. */
export class Actions {
  /** @param {ActionHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    /** @type {ActionName[]} */
    this.offered = [];
    this.confirming = false; // while the row asks whether to resign
    this.element = h("div", { class: "actions", role: "group", "aria-label": "Actions" });
  }

  /**
   * The shortcuts of the actions; those not offered do nothing.
   * @returns {Shortcut[]}
   */
  get shortcuts() {
    const handler = (/** @type {ActionName} */ name) => () => (this.offered.includes(name) ? this.handlers[name]() : false);
    return [
      ["u", "take back", handler("undo")], ["h", "hint", handler("hint")], ["f", "flip the board", handler("flip")],
      ["a", "analyse", handler("analyse")],
    ];
  }

  /**
   * Shows the actions that are possible in the room's current state.
   * @param {Room} room
   */
  draw(room) {
    const actions = possibleActions(room);
    this.offered = actions.map(([name]) => name);
    if (this.confirming && this.offered.includes("resign")) return;
    this.confirming = false;
    // Buttons are reused, so that a focused one keeps the focus.
    const oldButtons = new Map([...this.element.querySelectorAll("button")].map((element) => [element.dataset.action, element]));
    const buttons = actions.map(([name, iconName, label, key]) => {
      const element = oldButtons.get(name) || button(iconName, label,
        () => (name === "resign" ? this.#confirmResign(label) : this.handlers[name]()), { "data-action": name });
      element.title = (key ? `${label} (${key})` : label) + consequence(room, name);
      return element;
    });
    const focused = document.activeElement;
    setChildren(this.element, buttons);
    for (const element of buttons) if (element.dataset.action === "undo") element.disabled = !room.moves.length;
    if (focused instanceof HTMLElement && this.element.contains(focused)) focused.focus();
  }

  /**
   * Replaces the row by a question, since resigning cannot be undone.
   * @param {string} label
   */
  #confirmResign(label) {
    this.confirming = true;
    const answer = (/** @type {boolean} */ yes) => () => {
      this.confirming = false;
      if (yes) this.handlers.resign();
      else this.handlers.redraw();
    };
    const no = button("close", "No", answer(false));
    setChildren(this.element, h("span", { class: "question" }, `${label} this game?`),
      button("tick", "Yes", answer(true), { class: "danger" }), no);
    no.focus();
  }
}

/**
 * Returns what an action changes besides what its label says: after it, a game that counts as a result no longer does.
 * @param {Room} room
 * @param {ActionName} name
 */
function consequence(room, name) {
  const assists = room.fair && !room.over && ownSeats(room).length > 0 && ["undo", "hint", "analyse"].includes(name);
  return assists ? ". The game will then not count as a result." : "";
}

/**
 * Returns the actions that a room offers this browser now.
 * @param {Room} room
 */
export function possibleActions(room) {
  const playing = ownSeats(room).length > 0 && !room.over;
  const solo = room.players.length === 1;
  const alone = playsAlone(room);
  const waiting = room.you.some((seat) => room.wishes?.includes(seat)); // for others to agree to a rematch
  /** @type {(Action | false)[]} */
  const actions = [
    playing && !room.live && ["undo", "undo", "Take back", "u"],
    playing && alone && !room.paused && ["hint", "hint", "Hint", "h"],
    playing && (room.paused ? ["resume", "play", "Resume"] : ["pause", "pause", "Pause"]),
    playing && ["resign", "resign", solo ? "End" : "Resign"],
    room.over && room.you.length > 0 && !waiting && ["rematch", "rematch", solo ? "Play again" : "Rematch"],
    ["flip", "flip", "Flip", "f"],
    (room.over || alone) && ["analyse", "analyse", "Analyse", "a"],
    ["share", "share", "Share"],
    playing && ["type", "keyboard", "Type move", "/"],
  ];
  return actions.filter((action) => action !== false);
}
