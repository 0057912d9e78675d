// The rules of a game: text, and example boards that show moves and open in the analysis.

import { asRequestError, get, loadGames, queryString } from "./api.js";
import { Board } from "./board.js";
import { button, errorMessage, h, icon, setChildren } from "./dom.js";
import { formatOptions } from "./options.js";
import { isMotionReduced } from "./settings.js";
import { request } from "./socket.js";

/** @import { ExampleSpec, OpenPage } from "./types.js" */

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
  const page = await get(`/api/games/${name}/learn`);
  document.title = `${page.title} – Quincunx`;
  /** @type {Example[]} */
  const examples = [];
  setChildren(container, tabs, h("h1", {}, page.title), page.sections.map((section) => h("section", {},
    section.heading && section.heading !== page.title && h("h2", {}, section.heading),
    prose(section.html),
    section.examples.length ? h("div", { class: "examples" }, section.examples.map((spec) => {
      const example = new Example(spec);
      examples.push(example);
      return example.element;
    })) : null)),
    h("p", { class: "row" }, h("a", { class: "button primary", href: `/?play=${name}` },
      icon("play"), h("span", {}, `Play ${page.title}`))));
  return () => examples.forEach((example) => example.close());
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
    // The position is loaded when the example scrolls into view.
    this.observer = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) return;
      this.observer.disconnect();
      this.#showPosition(0, false);
    }, { rootMargin: "300px" });
    this.observer.observe(this.element);
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
