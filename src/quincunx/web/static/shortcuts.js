// Keyboard shortcuts: what the open page does on a key, and the list of shortcuts shown on "?".

import { button, h, setChildren } from "./dom.js";

/** @import { Shortcut } from "./types.js" */

const BOARD_KEYS = [
  ["arrows", "move the focus on the board"],
  ["Enter", "select or play"],
  ["Esc", "clear the selection"],
];

/** @type {Map<string, {description: string, action: () => unknown}>} */
let shortcuts = new Map();
/** @type {HTMLElement | null} */
let helpPanel = null;

/**
 * Adds shortcuts and returns a function that removes them.
 * @param {Shortcut[]} list key, description (empty for an unlisted shortcut) and action;
 *   an action that returns false leaves the key to the browser
 */
export function bindShortcuts(list) {
  const added = new Map(list.map(([key, description, action]) => [key, { description, action }]));
  shortcuts = new Map([...shortcuts, ...added]);
  return () => {
    shortcuts = new Map([...shortcuts].filter(([key, shortcut]) => added.get(key) !== shortcut));
  };
}

/** Starts to handle shortcuts on the whole document. */
export function listenForShortcuts() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest("input, textarea, select, [contenteditable]")) return;
    if (event.key === "?") toggleHelp();
    else if (event.key === "Escape" && helpPanel) toggleHelp();
    else {
      const shortcut = shortcuts.get(event.key);
      // Enter and Space press the focused button or link.
      if (!shortcut || (target.closest("button, a") && [" ", "Enter"].includes(event.key))) return;
      if (shortcut.action() === false) return;
    }
    event.preventDefault();
  });
}

function toggleHelp() {
  if (helpPanel) {
    helpPanel.remove();
    helpPanel = null;
    return;
  }
  const listed = [...shortcuts].filter(([, { description }]) => description)
    .map(([key, { description }]) => [keyLabel(key), description]);
  helpPanel = h("section", { class: "popover shortcuts", role: "dialog", "aria-label": "Keyboard shortcuts", tabindex: "-1" });
  setChildren(helpPanel, h("h2", {}, "Keyboard shortcuts"),
    h("dl", {}, [...BOARD_KEYS, ...listed, ["?", "show or hide this list"]].map(([key, description]) =>
      h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, description)))),
    button("close", "Close", toggleHelp, { class: "plain" }));
  document.body.append(helpPanel);
  helpPanel.focus();
}

/** @param {string} key */
function keyLabel(key) {
  /** @type {Record<string, string>} */
  const labels = { ArrowLeft: "←", ArrowRight: "→", " ": "Space" };
  return labels[key] ?? key;
}
