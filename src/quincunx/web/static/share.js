// Sharing a game: links, invitations, position texts and downloads.

import { queryString } from "./api.js";
import { button, h, icon, setChildren } from "./dom.js";
import { showNotice } from "./announce.js";
import { copiedPosition, formatOptions } from "./options.js";
import { currentTheme } from "./settings.js";
import { fullAddress } from "./site_root.js";

/** @import { Game, Options } from "./types.js" */

/**
 * Copies a text to the clipboard and shows a notice.
 * @param {string} text
 * @param {string} noticeText
 */
export async function copyText(text, noticeText) {
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

/**
 * Returns the link that gives a seat to whoever opens it.
 * @param {string} room
 * @param {string} seat
 * @param {string} secret
 */
export function invitationLink(room, seat, secret) {
  return fullAddress(`/room/${room}#seat=${seat}&secret=${secret}`);
}

/**
 * Creates a read-only field with a button that copies its text.
 * @param {string} label
 * @param {string} text
 * @param {string} noticeText
 */
export function copyField(label, text, noticeText) {
  const field = h("input", { type: "text", readonly: true, value: text, "aria-label": label, onfocus: (event) => event.currentTarget.select() });
  return h("div", { class: "copy-field" }, h("span", { class: "caption" }, label), field,
    button("copy", "Copy", () => copyText(text, noticeText), {}));
}

/**
 * Fills the share panel of a room.
 * @param {HTMLElement} container
 * @param {{id: string, game: Game, options: Options, rules: number, text: string, plies: number, flip: boolean,
 *   others: [string, string][], mine: [string, string][]}} position with the secrets of open and of own seats
 */
export function drawSharePanel(container, { id, game, options, rules, text, plies, flip, others, mine }) {
  const base = `/api/rooms/${id}`;
  const view = queryString({ plies, flip: flip ? "true" : "", theme: currentTheme() });
  const positionLink = fullAddress(`/analysis${queryString({ game: game.name, options: formatOptions(options), start: text, rules: rules === game.rules ? "" : rules })}`);
  setChildren(container,
    h("h2", {}, "Share"),
    copyField("Link for spectators", fullAddress(`/room/${id}`), "Link copied."),
    others.map(([seat, secret]) =>
      copyField(`Invitation to play ${game.seat_names[Number(seat)]}`, invitationLink(id, seat, secret), "Invitation copied.")),
    mine.map(([seat, secret]) =>
      copyField(`Your own link${mine.length > 1 ? ` to ${game.seat_names[Number(seat)]}` : ""}, for another device`,
        invitationLink(id, seat, secret), "Link copied. Keep it to yourself: it plays your seat.")),
    copyField("Position", copiedPosition(game, options, rules, text), "Position copied."),
    copyField("Link to this position", positionLink, "Link copied."),
    h("div", { class: "downloads" },
      downloadLink(`${game.name}.qx`, `${base}/record.qx`, "Game (.qx)"),
      downloadLink(`${game.name}.svg`, `${base}/picture.svg${view}`, "SVG"),
      downloadLink(`${game.name}.png`, `${base}/picture.png${view}`, "PNG"),
      downloadLink(`${game.name}.gif`, `${base}/animation.gif`, "GIF")));
}

/**
 * Creates a link that stores a file.
 * @param {string} name of the file
 * @param {string} address
 * @param {string} label
 */
export function downloadLink(name, address, label) {
  return h("a", { class: "button", href: address, download: name }, icon("download"), h("span", {}, label));
}
