// Keys of the page: what the open page does with them, and the sheet that lists them.

import { button, fill, h } from "./dom.js";

const ALWAYS = [
  ["arrows", "move over the board, while it shows the focus"],
  ["Enter", "pick up and put down"],
  ["Esc", "put down"],
];

/** @type {Map<string, {words: string, act: () => any}>} */
let known = new Map();
let sheet = null;

/**
 * Gives keys to the open page, as [key, words, action], and returns what takes them away again.
 * Words may be empty for what need not be listed.
 */
export function keys(list) {
  const mine = new Map(list.map(([key, words, act]) => [key, { words, act }]));
  known = new Map([...known, ...mine]);
  return () => {
    known = new Map([...known].filter(([key, entry]) => mine.get(key) !== entry));
  };
}

/** Listens to all keys, and shows them on `?`. */
export function keysHelp() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    if (event.key === "?") toggle();
    else if (event.key === "Escape" && sheet) toggle();
    else {
      const found = known.get(event.key);
      // Enter and blanks belong to the button that has the focus.
      if (!found || (event.target.closest?.("button, a") && [" ", "Enter"].includes(event.key))) return;
      if (found.act() === false) return;
    }
    event.preventDefault();
  });
}

/** Opens or closes the list of keys. */
export function toggle() {
  if (sheet) {
    sheet.remove();
    sheet = null;
    return;
  }
  const listed = [...known].filter(([, { words }]) => words).map(([key, { words }]) => [named(key), words]);
  sheet = h("section", { class: "sheet keys", role: "dialog", "aria-label": "Keys", tabindex: "-1" });
  fill(sheet, h("h2", {}, "Keys"),
    h("dl", {}, [...ALWAYS, ...listed, ["?", "show or hide these keys"]].map(([key, words]) =>
      h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)))),
    button("close", "Close", toggle, { class: "plain" }));
  document.body.append(sheet);
  sheet.focus();
}

function named(key) {
  return { ArrowLeft: "←", ArrowRight: "→", " ": "blank" }[key] || key;
}
