// The lists of this server: running and finished games, best scores, ratings of the bots.

import { asRequestError, get, loadGames, queryString } from "./api.js";
import { button, errorMessage, h, select, setChildren } from "./dom.js";
import { formatBot, formatTimeAgo, quantity } from "./format.js";
import { formatOptions } from "./options.js";
import { replaceAddress } from "./router.js";

/** @import { Child, Game, OpenPage, RoomEntry, Score } from "./types.js" */

/** @typedef {{games: Game[], view: string, game: string, seed: string, date: string, options: string}} Filter */

/** @type {Record<string, string>} */
const VIEWS = { running: "Running", finished: "Finished", scores: "Best scores", ratings: "Ratings" };
const PAGE_SIZE = 30;
const REFRESH_MS = 10000;

/**
 * Opens the lists; `?view=` and `?game=` choose what they show.
 * @type {OpenPage}
 */
export async function openGamesPage(container, _, query) {
  document.title = "Games – Quincunx";
  container.className = "list-page";
  const error = errorMessage();
  /** @param {() => Promise<void>} action */
  const showErrors = (action) => () => action().catch((failure) => error.show(asRequestError(failure).message));
  const games = await loadGames();
  const requested = query.get("view") ?? "";
  let view = VIEWS[requested] ? requested : "running";
  let game = query.get("game") || "";
  let seed = query.get("seed") || "";
  let date = query.get("date") || "";
  let options = query.get("options") || "";
  const tabs = h("nav", { class: "tabs", "aria-label": "Lists" });
  const results = h("div", { class: "results", "aria-live": "polite" });
  /** @type {[string, string][]} */
  const gameChoices = [["", "All games"], ...games.map((choice) => /** @type {[string, string]} */ ([choice.name, choice.title]))];
  const gameField = select(gameChoices, game, {
    "aria-label": "Game", onchange: (event) => { game = event.currentTarget.value; options = ""; draw(); },
  });
  const seedField = h("input", {
    type: "text", inputmode: "numeric", pattern: "-?[0-9]*", placeholder: "any seed", value: seed, "aria-label": "Seed",
    onchange: (event) => { seed = event.currentTarget.value.trim(); date = ""; draw(); },
  });
  const today = button("", "Today's", showErrors(async () => {
    date = date ? "" : (await get("/api/daily")).date;
    seed = seedField.value = "";
    draw();
  }), { "aria-pressed": "false" });
  const seedFilter = h("div", { class: "row seed-filter" }, seedField, today);
  setChildren(container, h("h1", {}, "Games"), h("div", { class: "row" }, tabs, seedFilter, gameField), error.element, results);

  async function draw() {
    seedFilter.hidden = view !== "scores";
    today.setAttribute("aria-pressed", String(Boolean(date)));
    replaceAddress(`/games${queryString({ view, game, ...(seedFilter.hidden ? {} : { seed, date, options }) })}`);
    setChildren(tabs, Object.entries(VIEWS).map(([name, label]) => button("", label, () => { view = name; draw(); },
      { class: "tab", "aria-pressed": String(name === view) })));
    error.show("");
    const requestedView = view;
    const filter = { games, view, game, seed, date, options };
    try {
      const content = view === "scores" ? await scoreTable(filter)
        : view === "ratings" ? await ratingTable(filter) : await roomList(filter, showErrors);
      if (requestedView === view) setChildren(results, content);
    } catch (failure) {
      setChildren(results);
      error.show(asRequestError(failure).message);
    }
  }
  await draw();
  const timer = setInterval(() => !document.hidden && view === "running" && draw(), REFRESH_MS);
  return () => clearInterval(timer);
}

/**
 * @param {Filter} filter
 * @param {(action: () => Promise<void>) => () => void} showErrors
 */
async function roomList({ games, view: state, game }, showErrors) {
  const rooms = await get("/api/rooms", { state, game, count: PAGE_SIZE });
  const emptyText = state === "running" ? "No games are running now." : "No games have been finished yet.";
  if (!rooms.length) return h("p", { class: "muted" }, emptyText);
  const list = h("ul", { class: "rooms" }, rooms.map((room) => roomItem(games, room)));
  let before = rooms[rooms.length - 1].created;
  const moreButton = button("", "Show more", showErrors(async () => {
    const nextRooms = await get("/api/rooms", { state, game, count: PAGE_SIZE, before });
    before = nextRooms.at(-1)?.created ?? before;
    list.append(...nextRooms.map((room) => roomItem(games, room)));
    if (nextRooms.length < PAGE_SIZE) moreButton.remove();
  }));
  return [list, rooms.length === PAGE_SIZE && moreButton];
}

/**
 * @param {Game[]} games
 * @param {RoomEntry} room
 */
function roomItem(games, room) {
  const game = games.find((candidate) => candidate.name === room.game);
  const players = room.players.map((player, seat) => player.name || game?.seat_names[seat]).join(" – ");
  return h("li", {},
    h("a", { href: `/room/${room.id}` },
      h("span", { class: "title" }, game?.title || room.game),
      h("span", { class: "player-names" }, players),
      h("span", { class: "muted" }, room.status),
      h("span", { class: "muted time" }, `${quantity(room.plies, "move")}, ${formatTimeAgo(room.changed)}`)));
}

/**
 * Creates a link to the best scores with the game, options and seed of a room, or of its day; it appears when the
 * room is loaded.
 * @param {string} id
 */
export function bestScoresLink(id) {
  const container = h("p", {});
  get(`/api/rooms/${id}`).then(({ game, seed, options, daily, fair, players }) => {
    const query = queryString({ view: "scores", game, ...(daily ? { date: daily } : { seed }), options: formatOptions(options) });
    setChildren(container,
      h("a", { href: `/games${query}` }, daily ? "Best scores of the day" : "Best scores with this seed"),
      !fair && h("span", { class: "muted" }, players.some(({ assisted }) => assisted)
        ? " This game was assisted and is not among them." : " This game is not among them."));
  }, () => {});
  return container;
}

/**
 * Returns the best scores of one game, or of all solo games, optionally of one seed or of the game of a day.
 * @param {Filter} filter
 */
async function scoreTable({ games, game, seed, date, options }) {
  const soloGames = games.filter((candidate) => candidate.solo && (!game || candidate.name === game));
  const scoresByGame = await Promise.all(soloGames.map(async (soloGame) => {
    const soloOption = soloGame.seats.most > 1 ? "players=1" : "";
    const option = game && options ? options.split(",") : soloOption;
    const scores = await get("/api/scores", { game: soloGame.name, seed, date, option });
    return scores.map((score) => ({ ...score, game: soloGame.name }));
  }));
  const scores = scoresByGame.flat();
  const emptyText = date ? `No game of the day ${date} has been finished yet.`
    : seed ? `No solo game with seed ${seed} has been finished yet.` : "No solo game has been finished yet.";
  if (!scores.length) return h("p", { class: "muted" }, emptyText);
  const seedLink = (/** @type {Score & {game: string}} */ score) => {
    // The seed of the day is secret until the day is over.
    const only = score.seed === null ? { date: score.date } : { seed: score.seed };
    const query = queryString({ view: "scores", game: score.game, ...only, options: formatOptions(score.options) });
    return h("a", { class: "breakable", href: `/games${query}` }, score.seed === null ? "today's" : String(score.seed));
  };
  return table(["Score", "Game", "Name", "Seed", "When"], scores.map((score) => [
    score.score, h("a", { href: `/room/${score.room}` }, gameTitle(games, score.game)),
    breakable(score.name || (score.player === "human" ? "anonymous" : formatBot(score.player))), seedLink(score), h("time", {}, score.date),
  ]));
}

/** @param {Filter} filter */
async function ratingTable({ games, game }) {
  const shownGames = games.filter((candidate) => !game || candidate.name === game);
  const ratingsByGame = await Promise.all(shownGames.map(async (shownGame) => {
    const ratings = await get("/api/ratings", { game: shownGame.name });
    return ratings.map((rating) => ({ ...rating, game: shownGame }));
  }));
  const ratings = ratingsByGame.flat();
  if (!ratings.length) return h("p", { class: "muted" }, "No game that counts has been finished on this server yet.");
  const note = h("p", { class: "muted" }, "Bots, and people who have given their name. Assisted games (hints, analysis, takebacks) do not count.");
  return [note, table(["Game", "Player", "Games", "Points", "Elo"], ratings.map((rating) => [
    rating.game.title, breakable(rating.kind === "human" ? rating.player : playerTitle(rating.game, rating.player)), rating.games, rating.points,
    rating.elo ? Math.round(rating.elo.value) : "–",
  ]))];
}

/**
 * @param {Game} game
 * @param {string} player
 */
function playerTitle(game, player) {
  const level = game.levels.find((candidate) => candidate.text === player);
  return level ? `Level ${level.text.split(":")[1]}: ${level.title}` : formatBot(player);
}

/**
 * @param {Game[]} games
 * @param {string} name
 */
function gameTitle(games, name) {
  return games.find((game) => game.name === name)?.title ?? name;
}

/**
 * Creates a text that may be broken anywhere, where a table would be too wide.
 * @param {string} text
 */
function breakable(text) {
  return h("span", { class: "breakable" }, text);
}

/**
 * @param {string[]} headings
 * @param {Child[][]} rows
 */
function table(headings, rows) {
  return h("div", { class: "table-scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, headings.map((heading) => h("th", { scope: "col" }, heading)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell)))))));
}
