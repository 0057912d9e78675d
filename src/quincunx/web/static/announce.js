// Announcements for screen readers, and short notices at the bottom of the page.

const MAX_ANNOUNCEMENTS = 4; // older ones are removed from the live region

let hideTimer = 0;

/** Adds a text to the live region, which screen readers read out. */
export function announce(text) {
  const log = document.getElementById("announcements");
  const line = document.createElement("span");
  line.textContent = `${text} `;
  log.append(line);
  while (log.childElementCount > MAX_ANNOUNCEMENTS) log.firstElementChild.remove();
}

/** Shows a notice for some seconds, with 0 until the next one; an empty text hides it. */
export function showNotice(text, seconds = 3) {
  const element = document.getElementById("notice");
  clearTimeout(hideTimer);
  element.textContent = text;
  element.hidden = !text;
  if (text && seconds) hideTimer = setTimeout(() => (element.hidden = true), seconds * 1000);
}
