// The rules of a game: text, pictures, and example boards that show moves and open in the analysis.

import { asRequestError, get, loadGames, queryString, retryWhileBusy } from "./api.js";
import { Board } from "./board.js";
import { button, errorMessage, h, icon, setChildren, setStyle } from "./dom.js";
import { openMissingPage } from "./missing_page.js";
import { formatOptions } from "./options.js";
import { isMotionReduced } from "./settings.js";
import { request } from "./socket.js";

/** @import { ExampleSpec, OpenPage, PictureSpec } from "./types.js" */

const MOVE_PAUSE_MS = 600;
const REDUCED_MOVE_PAUSE_MS = 350; // without animations

/**
 * Opens the rules of a game, or without a name the list of games.
 * @type {OpenPage}
 */
export async function openLearnPage(container, [name]) {
  container.className = "learn-page";
  const games = await loadGames();
  const tabs = h("nav", { class: "tabs", "aria-label": "Games" }, games.map((game) =>
    h("a", { class: "tab", href: `/learn/${game.name}`, "aria-current": game.name === name && "page" }, game.title)));
  if (!name) {
    document.title = "Learn – Quincunx";
    setChildren(container, h("h1", {}, "Learn"), tabs, h("ul", { class: "summaries" }, games.map((game) =>
      h("li", {}, h("a", { href: `/learn/${game.name}` }, h("strong", {}, game.title)), h("span", {}, game.sentence)))));
    return null;
  }
  if (!games.some((game) => game.name === name)) return openMissingPage(container);
  const page = await get(`/api/games/${name}/learn`);
  document.title = `${page.title} – Quincunx`;
  /** @type {(Example | LessonPicture)[]} */
  const figures = [];
  /**
   * @template {Example | LessonPicture} T
   * @param {T} figure
   */
  const added = (figure) => {
    figures.push(figure);
    return figure.element;
  };
  setChildren(container, tabs, h("h1", {}, page.title), page.sections.map((section) => h("section", {},
    section.heading && section.heading !== page.title && h("h2", {}, section.heading),
    prose(section.html),
    section.pictures.map((spec) => added(new LessonPicture(name, spec))),
    section.examples.length ? h("div", { class: "examples" }, section.examples.map((spec) => added(new Example(spec)))) : null)),
    h("p", { class: "row" }, h("a", { class: "button primary", href: `/?play=${name}` },
      icon("play"), h("span", {}, `Play ${page.title}`))));
  return () => figures.forEach((figure) => figure.close());
}

/**
 * Creates an element from the server's HTML, which contains no user input.
 * @param {string} html
 */
function prose(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const element = h("div", { class: "prose" });
  element.append(...[...parsed.body.childNodes].map((node) => document.importNode(node, true)));
  for (const table of element.querySelectorAll("table")) {
    const wrapper = h("div", { class: "table-scroll" });
    table.replaceWith(wrapper);
    wrapper.append(table);
  }
  return element;
}

/**
 * Calls `show` once, when the element is about to scroll into view.
 * @param {Element} element
 * @param {() => void} show
 */
function whenNear(element, show) {
  const observer = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    observer.disconnect();
    show();
  }, { rootMargin: "300px" });
  observer.observe(element);
  return observer;
}

/** A picture of the rules, drawn in the colours of the page. */
class LessonPicture {
  /**
   * @param {string} game
   * @param {PictureSpec} spec
   */
  constructor(game, spec) {
    this.board = new Board(spec.description);
    this.error = errorMessage();
    this.closed = false;
    setStyle(this.board.element, "aspect-ratio", `${spec.columns} / ${spec.rows}`); // until it is loaded
    const scroller = h("div", { class: "picture-scroll", tabindex: spec.columns > 1 ? "0" : undefined }, this.board.element);
    this.element = setStyle(h("figure", { class: "picture" }, scroller,
      h("figcaption", {}, spec.description), this.error.element), "--columns", String(spec.columns));
    this.observer = whenNear(this.element, () => this.#load(game, spec.name));
  }

  close() {
    this.closed = true;
    this.observer.disconnect();
  }

  /**
   * @param {string} game
   * @param {string} name
   */
  async #load(game, name) {
    try {
      const picture = await retryWhileBusy(() => get(`/api/games/${game}/pictures/${name}`), (reason) => this.error.show(reason));
      if (this.closed) return;
      this.error.show("");
      const [, , width, height] = picture.box;
      setStyle(this.board.element, "aspect-ratio", `${width} / ${height}`);
      this.board.show(picture);
    } catch (failure) {
      this.error.show(asRequestError(failure).message);
    }
  }
}

/** An example: a position and, on a button press, moves from it. */
class Example {
  /** @param {ExampleSpec} spec */
  constructor(spec) {
    this.spec = spec;
    this.moves = spec.moves;
    this.closed = false;
    this.board = new Board(spec.caption);
    this.error = errorMessage();
    const query = { game: spec.game, options: formatOptions(spec.options), start: spec.position };
    this.showButton = button("play", "Show", () => this.#play());
    this.element = h("figure", { class: "example" }, this.board.element,
      h("figcaption", {}, spec.caption), this.error.element,
      h("div", { class: "row" }, this.moves.length > 0 && this.showButton,
        h("a", { class: "button plain", href: `/analysis${queryString(query)}` }, "Try it")));
    this.observer = whenNear(this.element, () => this.#showPosition(0, false));
  }

  close() {
    this.closed = true;
    this.observer.disconnect();
  }

  /**
   * Shows the position after that number of moves, with the last one animated if `frames`.
   * @param {number} moveCount
   * @param {boolean} frames
   */
  async #showPosition(moveCount, frames) {
    const { game, options, position } = this.spec;
    try {
      const moves = this.moves.slice(0, moveCount);
      const message = await request({ type: "explore", game, options, start: position, moves, frames });
      this.error.show("");
      if (this.closed) return;
      await this.board.showPosition(message, { speed: 0.6 });
    } catch (failure) {
      this.error.show(asRequestError(failure).message);
    }
  }

  async #play() {
    this.showButton.disabled = true;
    await this.#showPosition(0, false);
    for (let moveCount = 1; moveCount <= this.moves.length && !this.closed; moveCount++) {
      await new Promise((resolve) => setTimeout(resolve, isMotionReduced() ? REDUCED_MOVE_PAUSE_MS : MOVE_PAUSE_MS));
      await this.#showPosition(moveCount, true);
    }
    this.showButton.disabled = false;
    setChildren(this.showButton, icon("again"), h("span", {}, "Show again"));
  }
}
