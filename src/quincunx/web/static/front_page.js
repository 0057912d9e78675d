// The front page: a demo board of each game, the number of running games, and a box to paste into.

import { asRequestError, get, loadGames, post, queryString } from "./api.js";
import { columnProperties, rowEnd } from "./card_grid.js";
import { DemoBoard } from "./demo_board.js";
import { button, errorMessage, h, icon, setChildren, setStyle } from "./dom.js";
import { quantity } from "./format.js";
import { openMissingPage } from "./missing_page.js";
import { formatOptions } from "./options.js";
import { navigate, replaceAddress } from "./router.js";
import { isMotionReduced } from "./settings.js";
import { SetupForm } from "./setup_form.js";
import { sitePath } from "./site_root.js";

/** @import { Game, OpenPage, PastedText } from "./types.js" */

const DEMO_STAGGER_MS = 350; // so that the demo boards do not all move at once
const RUNNING_REFRESH_MS = 15000;
const MAX_RUNNING_COUNT = 50; // more are shown as "many"

/**
 * Opens the front page; `?play=GAME` and `/new/GAME` show the setup form of that game.
 * @type {OpenPage}
 */
export async function openFrontPage(container, [newGame], query) {
  document.title = "Quincunx";
  container.className = "front-page";
  const games = await loadGames();
  if (newGame && !games.some((game) => game.name === newGame)) return openMissingPage(container);
  const setupItem = h("li", { class: "setup-item" });
  const running = h("p", { class: "running-games" }, " ");
  const demos = games.map((game, i) => new DemoBoard(game, DEMO_STAGGER_MS * i));
  let openGame = ""; // the game whose setup form is shown

  /**
   * Shows the setup form of a game; closes it for null or for the game already shown.
   * @param {Game | null} game
   * @param {{start: string, options: string} | null} [from] a start position and its options
   */
  function toggleSetup(game, from = null) {
    if (!game || openGame === game.name) {
      openGame = "";
      setupItem.remove();
      replaceAddress("/");
    } else {
      openGame = game.name;
      replaceAddress(`/${queryString({ play: game.name, ...from })}`);
      const form = new SetupForm(game, () => toggleSetup(null), from);
      setChildren(setupItem, form.element);
      placeSetup();
      setupItem.scrollIntoView({ block: "nearest", behavior: isMotionReduced() ? "auto" : "smooth" });
      form.heading.focus({ preventScroll: true });
    }
    for (const card of cardItems) card.classList.toggle("chosen", card.getAttribute("data-game") === openGame);
  }

  /** Puts the setup form under the row of the chosen card, which depends on the number of columns. */
  function placeSetup() {
    const chosen = cardItems.findIndex((card) => card.getAttribute("data-game") === openGame);
    if (chosen < 0) return;
    if (!setupItem.isConnected) setStyle(cards, "--card-height", `${cardItems[chosen].offsetHeight}px`);
    const columns = getComputedStyle(cards).gridTemplateColumns.split(" ").length;
    const last = cardItems[rowEnd(chosen, columns, cardItems.length)];
    // Moving the form takes the focus from its field.
    if (last.nextElementSibling !== setupItem) last.after(setupItem);
  }

  const cardItems = games.map((game, i) =>
    h("li", { class: "card", "data-game": game.name },
      h("div", { class: "demo", onclick: () => toggleSetup(game) }, demos[i].element),
      h("div", { class: "summary" }, h("h2", {}, game.title), h("p", {}, game.sentence)),
      h("div", { class: "row" },
        button("play", "Play", () => toggleSetup(game), { class: "primary", "aria-label": `Play ${game.title}` }),
        h("a", { class: "button", href: `/learn/${game.name}`, "aria-label": `Learn ${game.title}` },
          icon("learn"), h("span", {}, "Learn")))));
  const cards = h("ul", { class: "cards" }, cardItems);

  for (const [property, value] of columnProperties(games.length)) setStyle(cards, property, value);
  setChildren(container,
    h("h1", { class: "visually-hidden" }, "Quincunx: abstract games"),
    h("div", { class: "front-header" }, running, pasteBox()),
    cards);
  const initialGame = games.find((game) => game.name === (newGame ?? query.get("play")));
  const start = query.get("start");
  if (initialGame) toggleSetup(initialGame, start ? { start, options: query.get("options") ?? "" } : null);
  drawRunningCount(running);
  addEventListener("resize", placeSetup);
  const timer = setInterval(() => !document.hidden && drawRunningCount(running), RUNNING_REFRESH_MS);
  return () => {
    clearInterval(timer);
    removeEventListener("resize", placeSetup);
    demos.forEach((demo) => demo.close());
  };
}

/** @param {HTMLElement} container */
async function drawRunningCount(container) {
  try {
    const count = (await get("/api/rooms", { state: "running", count: MAX_RUNNING_COUNT })).length;
    const text = count >= MAX_RUNNING_COUNT ? "Many games" : quantity(count, "game");
    setChildren(container, count
      ? [h("a", { href: "/games" }, text), count === 1 ? " is running now." : " are running now."]
      : ["No games are running now. ", h("a", { href: "/games" }, "Finished games")]);
  } catch {
    // The count is optional information; the page works without it.
  }
}

/** Creates a form that opens a pasted position, game or link. */
export function pasteBox() {
  const error = errorMessage();
  const field = h("textarea", {
    rows: 1, placeholder: "Paste a position, a game or a link", "aria-label": "Position, game or link", spellcheck: "false",
    onpaste: () => setTimeout(() => form.requestSubmit()),
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      form.requestSubmit();
    },
  });
  const form = h("form", { class: "paste-box", onsubmit: async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return;
    error.show("");
    try {
      navigate(localAddress(text) || addressOf(await post("/api/read", { text })));
    } catch (failure) {
      error.show(asRequestError(failure).message);
    }
  } }, field, button("", "Open", () => {}, { type: "submit" }), error.element);
  return form;
}

/**
 * Returns the address of a link to this server, or null for other texts. A room link counts whatever its
 * host, since a server may be reached by several names; the secret after its # is not sent to the server.
 * @param {string} text
 */
function localAddress(text) {
  try {
    const url = new URL(text);
    const path = sitePath(url.pathname);
    if (path && url.origin === location.origin) return path + url.search + url.hash;
    const room = url.pathname.match(/\/room\/[\w-]{1,32}$/);
    return room ? room[0] + url.search + url.hash : null;
  } catch {
    return null;
  }
}

/**
 * Returns the address that shows what the server recognised in a pasted text.
 * @param {PastedText} pasted
 */
function addressOf(pasted) {
  if (pasted.kind === "link") return `/room/${pasted.room}`;
  return `/analysis${queryString({
    game: pasted.game, options: formatOptions(pasted.options), start: pasted.start,
    seed: pasted.seed, rules: pasted.rules, moves: pasted.moves.join(" "),
  })}`;
}
