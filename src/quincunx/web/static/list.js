// The games on this server, the best scores, and how the bots fare.

import { allGames, get, queried } from "./api.js";
import { button, fill, h, select, sentence } from "./dom.js";
import { rename } from "./router.js";
import { spelled } from "./share.js";
import { ago } from "./words.js";

const VIEWS = { running: "Running", finished: "Finished", scores: "Best scores", ratings: "Ratings" };
const PAGE = 30;

/** Opens the list; `?view=` and `?game=` say what of it. */
export async function list(place, _, query) {
  document.title = "Games – Quincunx";
  place.className = "list";
  const error = sentence();
  const guarded = (act) => () => act().catch((refused) => error.say(refused.message));
  const games = await allGames();
  let view = VIEWS[query.get("view")] ? query.get("view") : "running";
  let game = query.get("game") || "";
  let seed = query.get("seed") || "";
  let options = query.get("options") || "";
  const tabs = h("nav", { class: "tabs", "aria-label": "Lists" });
  const body = h("div", { class: "rows", "aria-live": "polite" });
  const chooser = select([["", "All games"], ...games.map((one) => [one.name, one.title])], game, {
    "aria-label": "Game", onchange: (event) => { game = event.target.value; options = ""; draw(); },
  });
  const seedField = h("input", {
    type: "text", inputmode: "numeric", pattern: "-?[0-9]*", placeholder: "any seed", value: seed, "aria-label": "Seed",
    onchange: (event) => { seed = event.target.value.trim(); draw(); },
  });
  const today = button("", "Today's", guarded(async () => {
    seed = seedField.value = String((await get("/api/daily")).seed);
    draw();
  }));
  const seeds = h("div", { class: "row seeds" }, seedField, today);
  fill(place, h("h1", {}, "Games"), h("div", { class: "row" }, tabs, seeds, chooser), error.element, body);

  async function draw() {
    seeds.hidden = view !== "scores";
    rename(`/games${queried({ view, game, ...(seeds.hidden ? {} : { seed, options }) })}`);
    fill(tabs, Object.entries(VIEWS).map(([name, words]) => button("", words, () => { view = name; draw(); },
      { class: "tab", "aria-pressed": String(name === view) })));
    error.say("");
    const drawn = view;
    try {
      const content = await { running: rooms, finished: rooms, scores, ratings }[view]({ games, view, game, seed, options, guarded });
      if (drawn === view) fill(body, content);
    } catch (refused) {
      fill(body);
      error.say(refused.message);
    }
  }
  await draw();
  const timer = setInterval(() => !document.hidden && view === "running" && draw(), 10000);
  return () => clearInterval(timer);
}

async function rooms({ games, view: state, game, guarded }) {
  const found = await get("/api/rooms", { state, game, count: PAGE });
  const list = found.rooms || found;
  if (!list.length) return h("p", { class: "quiet" }, state === "running" ? "No game is running now." : "No game has ended yet.");
  const table = h("ul", { class: "games" }, list.map((room) => row(games, room)));
  const more = list.length === PAGE && button("", "More", guarded(async () => {
    const last = table.lastElementChild.dataset;
    const next = await get("/api/rooms", { state, game, count: PAGE, before: last.before });
    const added = next.rooms || next;
    table.append(...added.map((room) => row(games, room)));
    if (added.length < PAGE) more.remove();
  }));
  return [table, more];
}

function row(games, room) {
  const game = games.find((one) => one.name === room.game);
  const players = room.players.map((player, seat) => (player.name ?? player) || game?.seat_names[seat]).join(" – ");
  return h("li", { "data-before": room.created ?? room.id },
    h("a", { href: `/room/${room.id}` },
      h("span", { class: "title" }, game?.title || room.game),
      h("span", { class: "players-line" }, players),
      h("span", { class: "quiet" }, room.status || ""),
      h("span", { class: "quiet when" }, `${room.plies} moves, ${ago(room.changed ?? room.created)}`)));
}

/** The way to the best scores of games like that of a room, whose seed is told at its end. */
export function bestScores(id) {
  const place = h("p", {});
  get(`/api/rooms/${id}`).then(({ game, seed, options }) => {
    const query = queried({ view: "scores", game, seed, options: spelled(options) });
    fill(place, h("a", { href: `/games${query}` }, "Best scores with this seed"));
  }, () => {});
  return place;
}

/** The best scores of one game, or of all that can be played alone, by seed if one is given. */
async function scores({ games, game, seed, options }) {
  const solo = games.filter((one) => one.solo && (!game || one.name === game));
  const found = await Promise.all(solo.map(async (one) => {
    const alone = one.seats.most > 1 ? "players=1" : "";
    const option = game && options ? options.split(",") : alone;
    const list = await get("/api/scores", { game: one.name, seed, option });
    return list.map((score) => ({ ...score, game: one.name }));
  }));
  const list = found.flat();
  const nobody = seed ? `Nobody has finished a game alone with the seed ${seed} yet.` : "No game alone has been finished yet.";
  if (!list.length) return h("p", { class: "quiet" }, nobody);
  return table(["Score", "Game", "Name", "Seed", "When"], list.map((one) => [
    one.score, h("a", { href: `/room/${one.room}` }, title(games, one.game)),
    one.name || (one.player === "human" ? "somebody" : one.player),
    h("a", { href: `/games${queried({ view: "scores", game: one.game, seed: one.seed, options: spelled(one.options) })}` }, String(one.seed)), one.date,
  ]));
}

async function ratings({ games, game }) {
  const chosen = games.filter((one) => !game || one.name === game);
  const found = await Promise.all(chosen.map(async (one) => {
    const list = await get("/api/ratings", { game: one.name });
    return list.map((rating) => ({ ...rating, game: one }));
  }));
  const list = found.flat();
  if (!list.length) return h("p", { class: "quiet" }, "No bot has played a whole game here yet.");
  return table(["Game", "Player", "Games", "Points", "Elo"], list.map((one) => [
    one.game.title, named(one.game, one.player), one.games, one.points, one.elo ? Math.round(one.elo.value ?? one.elo) : "–",
  ]));
}

function named(game, player) {
  const level = game.levels.find((one) => one.text === player);
  return level ? `Level ${level.text.split(":")[1]}: ${level.title}` : player;
}

function title(games, name) {
  return games.find((one) => one.name === name)?.title || name || "";
}

function table(heads, lines) {
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, lines.map((line) => h("tr", {}, line.map((cell) => h("td", {}, cell)))))));
}
