// Words for those who listen, and short notices for those who look.

let hiding = 0;

/** Lets a screen reader say a sentence when it has time. */
export function say(text) {
  const place = document.getElementById("say");
  const line = document.createElement("span");
  line.textContent = `${text} `;
  place.append(line);
  while (place.childElementCount > 4) place.firstElementChild.remove();
}

/** Shows a notice at the foot of the page for a while; with 0 seconds until the next one. */
export function notice(text, seconds = 3) {
  const place = document.getElementById("notice");
  clearTimeout(hiding);
  place.textContent = text;
  place.hidden = !text;
  if (text && seconds) hiding = setTimeout(() => (place.hidden = true), seconds * 1000);
}
