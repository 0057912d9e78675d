// The front page: five games alive, what runs now, and a box to paste anything into.

import { allGames, get, post, queried } from "./api.js";
import { Alive } from "./alive.js";
import { button, fill, h, icon, sentence } from "./dom.js";
import { go, rename } from "./router.js";
import { Setup } from "./setup.js";
import { spelled } from "./share.js";

/** Opens the front page; `?play=GAME` opens how to begin that game. */
export async function front(place, _, query) {
  document.title = "Quincunx";
  place.className = "front";
  const games = await allGames();
  const setupPlace = h("section", { class: "setup-place" });
  const running = h("p", { class: "running" }, " ");
  const boards = games.map((game, i) => new Alive(game, 350 * i));
  let open = null;

  function play(game, from = null) {
    if (!game || open === game.name) {
      open = null;
      fill(setupPlace);
      rename("/");
    } else {
      open = game.name;
      rename(`/${queried({ play: game.name, ...from })}`);
      fill(setupPlace, new Setup(game, () => play(null), from).element);
      setupPlace.scrollIntoView({ block: "nearest", behavior: "smooth" });
      setupPlace.querySelector("h2").focus({ preventScroll: true });
    }
    for (const card of cards.children) card.classList.toggle("chosen", card.dataset.game === open);
  }

  const cards = h("ul", { class: "cards" }, games.map((game, i) =>
    h("li", { class: "card", "data-game": game.name },
      h("div", { class: "window", onclick: () => play(game) }, boards[i].element),
      h("div", { class: "about" }, h("h2", {}, game.title), h("p", {}, game.sentence)),
      h("div", { class: "row" },
        button("play", "Play", () => play(game), { class: "primary", "aria-label": `Play ${game.title}` }),
        h("a", { class: "button", href: `/learn/${game.name}`, "aria-label": `Learn ${game.title}` },
          icon("learn"), h("span", {}, "Learn"))))));

  fill(place,
    h("h1", { class: "unseen" }, "Quincunx: five abstract games"),
    h("div", { class: "top" }, running, pasteBox()),
    cards, setupPlace);
  const asked = games.find((game) => game.name === query.get("play"));
  if (asked) play(asked, query.get("start") && { options: query.get("options"), start: query.get("start") });
  tellRunning(running);
  const timer = setInterval(() => !document.hidden && tellRunning(running), 15000);
  return () => {
    clearInterval(timer);
    boards.forEach((board) => board.close());
  };
}

async function tellRunning(place) {
  try {
    const found = await get("/api/rooms", { state: "running", count: 50 });
    const rooms = found.rooms || found;
    const count = rooms.length;
    const words = count >= 50 ? "Many games" : `${count} game${count === 1 ? "" : "s"}`;
    fill(place, count
      ? [h("a", { href: "/games" }, words), count === 1 ? " is running now." : " are running now."]
      : ["No game is running now. ", h("a", { href: "/games" }, "Finished games")]);
  } catch {
    // What runs elsewhere is nice to know, and no more.
  }
}

/** The box that takes a position, a game or a link, and goes there. */
export function pasteBox() {
  const error = sentence();
  const field = h("textarea", {
    rows: 1, placeholder: "Paste a position, a game or a link", "aria-label": "Position, game or link", spellcheck: "false",
    onpaste: () => setTimeout(() => form.requestSubmit()),
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      form.requestSubmit();
    },
  });
  const form = h("form", { class: "paste", onsubmit: async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return;
    error.say("");
    try {
      const address = ownLink(text) || analysed(await post("/api/read", { text }));
      go(address);
    } catch (refused) {
      error.say(refused.message);
    }
  } }, field, button("", "Open", () => {}, { type: "submit" }), error.element);
  return form;
}

/** A link to this server, by whatever name it is reached; what stands after its # is not sent. */
function ownLink(text) {
  try {
    const url = new URL(text);
    const own = url.origin === location.origin || /^\/room\/[\w-]{1,32}$/.test(url.pathname);
    return own ? url.pathname + url.search + url.hash : null;
  } catch {
    return null;
  }
}

/** The address of the analysis of what was read. */
function analysed(found) {
  if (found.kind === "link") return found.path || `/room/${found.room}`;
  return `/analysis${queried({
    game: found.game, options: spelled(found.options), start: found.start,
    seed: found.seed, moves: (found.moves || []).join(" "),
  })}`;
}
