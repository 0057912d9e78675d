// Announcements for screen readers, and short notices at the bottom of the page.

import { elementById } from "./dom.js";

const MAX_ANNOUNCEMENTS = 4; // older ones are removed from the live region

let hideTimer = 0;

/**
 * Adds a text to the live region, which screen readers read out.
 * @param {string} text
 */
export function announce(text) {
  const log = elementById("announcements");
  const line = document.createElement("span");
  line.textContent = `${text} `;
  log.append(line);
  while (log.childElementCount > MAX_ANNOUNCEMENTS) log.firstElementChild?.remove();
}

/**
 * Shows a notice for some seconds, with 0 until the next one; an empty text hides it.
 * @param {string} text
 * @param {number} [seconds]
 */
export function showNotice(text, seconds = 3) {
  const notice = elementById("notice");
  clearTimeout(hideTimer);
  notice.textContent = text;
  notice.hidden = !text;
  if (text && seconds) hideTimer = setTimeout(() => (notice.hidden = true), seconds * 1000);
}
