// Sharing a game: links, invitations, position texts and downloads.

import { queryString } from "./api.js";
import { button, h, icon, setChildren } from "./dom.js";
import { showNotice } from "./announce.js";
import { formatOptions } from "./options.js";
import { currentTheme } from "./settings.js";

/** Copies a text to the clipboard and shows a notice. */
export async function copyText(text, noticeText = "Copied.") {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without clipboard permission: select the text in a temporary field and copy from there.
    const field = h("textarea", { class: "visually-hidden" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  showNotice(noticeText);
}

/** Returns the link that gives a seat to whoever opens it. */
export function invitationLink(room, seat, secret) {
  return `${location.origin}/room/${room}#seat=${seat}&secret=${secret}`;
}

/** Creates a read-only field with a button that copies its text. */
export function copyField(label, text, noticeText) {
  const field = h("input", { type: "text", readonly: true, value: text, "aria-label": label, onfocus: (event) => event.target.select() });
  return h("div", { class: "copy-field" }, h("span", { class: "caption" }, label), field,
    button("copy", "Copy", () => copyText(text, noticeText), {}));
}

/** Fills the share panel of a room. */
export function drawSharePanel(container, { id, game, options, text, plies, flip, others }) {
  const base = `/api/rooms/${id}`;
  const view = queryString({ plies, flip: flip ? "true" : "", theme: currentTheme() });
  const download = (name, path, label) => h("a", { class: "button", href: path, download: name }, icon("download"), h("span", {}, label));
  const positionLink = `${location.origin}/analysis${queryString({ game: game.name, options: formatOptions(options), start: text })}`;
  setChildren(container,
    h("h2", {}, "Share"),
    copyField("Link for spectators", `${location.origin}/room/${id}`, "Link copied."),
    Object.entries(others).map(([seat, secret]) =>
      copyField(`Invitation to play ${game.seat_names[seat]}`, invitationLink(id, seat, secret), "Invitation copied.")),
    copyField("Position", text, "Position copied."),
    copyField("Link to this position", positionLink, "Link copied."),
    h("div", { class: "downloads" },
      download(`${game.name}.qx`, `${base}/record.qx`, "Game (.qx)"),
      download(`${game.name}.svg`, `${base}/picture.svg${view}`, "SVG"),
      download(`${game.name}.png`, `${base}/picture.png${view}`, "PNG"),
      download(`${game.name}.gif`, `${base}/animation.gif`, "GIF")));
}
