// What one can do with a game besides moving: a row of icons with words.

import { button, fill, h } from "./dom.js";
import { own } from "./happened.js";

/**
 * The actions of a room. `calls` are what they do, by name.
 * @typedef {{name: string, icon: string, words: string, key?: string}} Action
 */
export class Actions {
  constructor(calls) {
    this.calls = calls;
    this.shown = [];
    this.element = h("div", { class: "actions", role: "group", "aria-label": "Actions" });
  }

  /** The keys of what is offered now. */
  get keys() {
    const key = (name) => () => (this.shown.includes(name) ? this.calls[name]() : false);
    return [
      ["u", "take back", key("undo")], ["h", "hint", key("hint")], ["f", "flip the board", key("flip")],
      ["a", "analyse", key("analyse")],
    ];
  }

  /** Offers what goes in this state of a room. */
  draw(room, { people }) {
    const playing = own(room).length > 0 && !room.over;
    const solo = room.players.length === 1;
    const offers = [
      playing && ["undo", "undo", "Take back", "u"],
      playing && people < 2 && !room.paused && ["hint", "hint", "Hint", "h"],
      playing && (room.paused ? ["resume", "play", "Go on"] : ["pause", "pause", "Pause"]),
      playing && ["resign", "resign", solo ? "End" : "Resign"],
      room.over && room.you.length && ["rematch", "rematch", solo ? "Again" : "Rematch"],
      ["flip", "flip", "Flip", "f"],
      (room.over || people < 2) && ["analyse", "analyse", "Analyse", "a"],
      ["share", "share", "Share"],
      playing && ["type", "keys", "Type", "/"],
    ].filter(Boolean);
    this.shown = offers.map(([name]) => name);
    if (this.asking && this.shown.includes("resign")) return;
    this.asking = false;
    // The same buttons stay, so that a focus on one of them is not lost.
    const old = new Map([...this.element.children].map((one) => [one.dataset.action, one]));
    const made = offers.map(([name, picture, words, key]) => old.get(name) ||
      button(picture, words, () => (name === "resign" ? this.#sure(words) : this.calls[name]()),
        { "data-action": name, title: key ? `${words} (${key})` : words }));
    const focused = document.activeElement;
    fill(this.element, made);
    const undo = this.element.querySelector("[data-action=undo]");
    if (undo) undo.disabled = !room.moves.length;
    if (this.element.contains(focused)) focused.focus();
  }

  /** Asks in place before something that cannot be taken back. */
  #sure(words) {
    this.asking = true;
    const done = (yes) => () => {
      this.asking = false;
      if (yes) this.calls.resign();
      else this.calls.redraw();
    };
    fill(this.element, h("span", { class: "question" }, `${words} this game?`),
      button("tick", "Yes", done(true), { class: "bad" }), button("close", "No", done(false)));
    this.element.querySelector("button:last-child").focus();
  }
}
