// The rules as a page: words, and small boards that show each example and can be tried.

import { allGames, get, queried } from "./api.js";
import { Board } from "./board.js";
import { button, fill, h, icon, sentence } from "./dom.js";
import { motionless } from "./settings.js";
import { spelled } from "./share.js";
import { ask } from "./socket.js";

/** Opens the rules of a game, or the choice of games. */
export async function learn(place, [name]) {
  place.className = "learn";
  const games = await allGames();
  const links = h("nav", { class: "tabs", "aria-label": "Games" }, games.map((game) =>
    h("a", { class: "tab", href: `/learn/${game.name}`, "aria-current": game.name === name && "page" }, game.title)));
  if (!name) {
    document.title = "Learn – Quincunx";
    fill(place, h("h1", {}, "Learn"), links, h("ul", { class: "sentences" }, games.map((game) =>
      h("li", {}, h("a", { href: `/learn/${game.name}` }, h("strong", {}, game.title)), h("span", {}, game.sentence)))));
    return null;
  }
  const page = await get(`/api/games/${name}/learn`);
  document.title = `${page.title} – Quincunx`;
  const examples = [];
  fill(place, links, h("h1", {}, page.title), page.sections.map((section) => h("section", {},
    section.heading && section.heading !== page.title && h("h2", {}, section.heading),
    markup(section.html),
    section.examples?.length ? h("div", { class: "examples" }, section.examples.map((given) => {
      const example = new Example(given);
      examples.push(example);
      return example.element;
    })) : null)),
    h("p", { class: "row" }, h("a", { class: "button primary", href: `/?play=${name}` },
      icon("play"), h("span", {}, `Play ${page.title}`))));
  return () => examples.forEach((example) => example.close());
}

/** The server's own markup of the rules, made of plain text there. */
function markup(html) {
  const parsed = new DOMParser().parseFromString(html || "", "text/html");
  const box = h("div", { class: "prose" });
  box.append(...[...parsed.body.childNodes].map((node) => document.importNode(node, true)));
  for (const table of box.querySelectorAll("table")) {
    const scroll = h("div", { class: "scroll" });
    table.replaceWith(scroll);
    scroll.append(table);
  }
  return box;
}

/** A position and moves from there, shown one after the other when asked. */
class Example {
  constructor(given) {
    this.given = given;
    this.moves = given.moves || [];
    this.shown = 0;
    this.board = new Board(given.caption);
    this.error = sentence();
    const tried = { game: given.game, options: spelled(given.options), start: given.position };
    this.show = button("play", "Show", () => this.#run());
    this.element = h("figure", { class: "example" }, this.board.element,
      h("figcaption", {}, given.caption), this.error.element,
      h("div", { class: "row" }, this.moves.length > 0 && this.show,
        h("a", { class: "button plain", href: `/analysis${queried(tried)}` }, "Try it")));
    // Only what comes into view is asked for.
    this.watcher = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) return;
      this.watcher.disconnect();
      this.#ask(0, false);
    }, { rootMargin: "300px" });
    this.watcher.observe(this.element);
  }

  close() {
    this.closed = true;
    this.watcher.disconnect();
  }

  async #ask(count, frames) {
    const { game, options, position } = this.given;
    try {
      const found = await ask({ type: "explore", game, options, start: position, moves: this.moves.slice(0, count), frames });
      this.error.say("");
      if (this.closed) return;
      await this.board.arrive(found, { speed: 0.6 });
    } catch (refused) {
      this.error.say(refused.message);
    }
  }

  async #run() {
    this.show.disabled = true;
    await this.#ask(0, false);
    for (let count = 1; count <= this.moves.length && !this.closed; count++) {
      await new Promise((done) => setTimeout(done, motionless() ? 350 : 600));
      await this.#ask(count, true);
    }
    this.show.disabled = false;
    fill(this.show, icon("again"), h("span", {}, "Again"));
  }
}
