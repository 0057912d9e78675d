// Taking a game elsewhere: links, invitations, texts and files.

import { queried } from "./api.js";
import { button, fill, h, icon } from "./dom.js";
import { notice } from "./say.js";
import { theme } from "./settings.js";

/** Copies a text, and says so. */
export async function copy(text, words = "Copied.") {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without leave to the clipboard: the old way, through a field.
    const field = h("textarea", { class: "unseen" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  notice(words);
}

/** The link that gives a seat to whoever opens it. */
export function invitation(room, seat, secret) {
  return `${location.origin}/room/${room}#seat=${seat}&secret=${secret}`;
}

/** A line with a text to be copied. */
export function copyLine(words, text, said) {
  const field = h("input", { type: "text", readonly: true, value: text, "aria-label": words, onfocus: (event) => event.target.select() });
  return h("div", { class: "copy-line" }, h("span", { class: "words" }, words), field,
    button("copy", "Copy", () => copy(text, said), {}));
}

/** What is written when one shares a room. */
export function sharing(place, { id, game, options, text, plies, flip, others }) {
  const base = `/api/rooms/${id}`;
  const shown = queried({ plies, flip: flip ? "true" : "", theme: theme() });
  const file = (name, path, words) => h("a", { class: "button", href: path, download: name }, icon("download"), h("span", {}, words));
  const position = `${location.origin}/analysis${queried({ game: game.name, options: spelled(options), start: text })}`;
  fill(place,
    h("h2", {}, "Share"),
    copyLine("Link to watch", `${location.origin}/room/${id}`, "The link is copied."),
    Object.entries(others).map(([seat, secret]) =>
      copyLine(`Invite as ${game.seat_names[seat]}`, invitation(id, seat, secret), "The invitation is copied.")),
    copyLine("Position", text, "The position is copied."),
    copyLine("Link to the position", position, "The link is copied."),
    h("div", { class: "files" },
      file(`${game.name}.qx`, `${base}/record.qx`, "Game (.qx)"),
      file(`${game.name}.svg`, `${base}/picture.svg${shown}`, "SVG"),
      file(`${game.name}.png`, `${base}/picture.png${shown}`, "PNG"),
      file(`${game.name}.gif`, `${base}/animation.gif`, "GIF")));
}

/** Options as `name=value,name=value`. */
export function spelled(options) {
  return Object.entries(options || {}).map(([name, value]) => `${name}=${value}`).join(",");
}

/** Options from such a text. */
export function unspelled(text) {
  const pairs = (text || "").split(",").filter(Boolean).map((pair) => pair.split("="));
  return Object.fromEntries(pairs.map(([name, value]) => [name, typed(value)]));
}

function typed(value) {
  if (value === "true" || value === "false") return value === "true";
  return value !== "" && !Number.isNaN(Number(value)) ? Number(value) : value;
}
