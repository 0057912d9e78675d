// The actions of a room besides moving: a row of buttons.

import { button, h, setChildren } from "./dom.js";
import { ownSeats } from "./room_events.js";

/** The row of action buttons of a room. */
export class Actions {
  /** @param {Object<string, () => any>} handlers by action name */
  constructor(handlers) {
    this.handlers = handlers;
    this.offered = [];
    this.confirming = false; // while the row asks whether to resign
    this.element = h("div", { class: "actions", role: "group", "aria-label": "Actions" });
  }

  /** The shortcuts of the actions; those not offered do nothing. */
  get shortcuts() {
    const handler = (name) => () => (this.offered.includes(name) ? this.handlers[name]() : false);
    return [
      ["u", "take back", handler("undo")], ["h", "hint", handler("hint")], ["f", "flip the board", handler("flip")],
      ["a", "analyse", handler("analyse")],
    ];
  }

  /** Shows the actions that are possible in the room's current state. */
  draw(room, { humans }) {
    const playing = ownSeats(room).length > 0 && !room.over;
    const solo = room.players.length === 1;
    // Each: action name, icon, label, shortcut.
    const actions = [
      playing && ["undo", "undo", "Take back", "u"],
      playing && humans < 2 && !room.paused && ["hint", "hint", "Hint", "h"],
      playing && (room.paused ? ["resume", "play", "Resume"] : ["pause", "pause", "Pause"]),
      playing && ["resign", "resign", solo ? "End" : "Resign"],
      room.over && room.you.length && ["rematch", "rematch", solo ? "Play again" : "Rematch"],
      ["flip", "flip", "Flip", "f"],
      (room.over || humans < 2) && ["analyse", "analyse", "Analyse", "a"],
      ["share", "share", "Share"],
      playing && ["type", "keyboard", "Type move", "/"],
    ].filter(Boolean);
    this.offered = actions.map(([name]) => name);
    if (this.confirming && this.offered.includes("resign")) return;
    this.confirming = false;
    // Buttons are reused, so that a focused one keeps the focus.
    const oldButtons = new Map([...this.element.children].map((element) => [element.dataset.action, element]));
    const buttons = actions.map(([name, iconName, label, key]) => oldButtons.get(name) ||
      button(iconName, label, () => (name === "resign" ? this.#confirmResign(label) : this.handlers[name]()),
        { "data-action": name, title: key ? `${label} (${key})` : label }));
    const focused = document.activeElement;
    setChildren(this.element, buttons);
    const undo = this.element.querySelector("[data-action=undo]");
    if (undo) undo.disabled = !room.moves.length;
    if (this.element.contains(focused)) focused.focus();
  }

  /** Replaces the row by a question, since resigning cannot be undone. */
  #confirmResign(label) {
    this.confirming = true;
    const answer = (yes) => () => {
      this.confirming = false;
      if (yes) this.handlers.resign();
      else this.handlers.redraw();
    };
    setChildren(this.element, h("span", { class: "question" }, `${label} this game?`),
      button("tick", "Yes", answer(true), { class: "danger" }), button("close", "No", answer(false)));
    this.element.querySelector("button:last-child").focus();
  }
}
