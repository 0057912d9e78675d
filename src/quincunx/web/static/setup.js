// How a game begins: who sits where, options, clock and seed. Remembered for the next time.

import { get, patiently, post } from "./api.js";
import { button, fill, h, put, select, sentence } from "./dom.js";
import { chip } from "./players.js";
import { go } from "./router.js";
import { ownName } from "./settings.js";
import { unspelled } from "./share.js";
import { keepSeats, recall, remember } from "./store.js";

const CLOCKS = [
  ["", "No clock"], ["3+2", "3 minutes + 2 s"], ["5+3", "5 minutes + 3 s"], ["10+5", "10 minutes + 5 s"],
  ["30+10", "30 minutes + 10 s"], ["other", "Other …"],
];
const OTHER = "other"; // a bot that is typed
const PACES = [["0.3", "very fast"], ["1", "fast"], ["2", "calm"], ["5", "slow"]];

/** The form that begins a game. */
export class Setup {
  /** `from` is a position to begin with and its options, as an address writes them. */
  constructor(game, close, from = null) {
    this.game = game;
    this.from = from;
    this.chosen = {
      players: [], options: {}, clock: "", minutes: 5, increment: 3, pace: "2", seed: "", listed: true,
      ...recall(`setup:${game.name}`, {}),
    };
    if (from) this.chosen.options = unspelled(from.options);
    this.error = sentence();
    this.seats = h("div", { class: "seats" });
    this.extras = h("div", { class: "extras" });
    this.timing = h("div", { class: "timing" });
    this.element = h("form", { class: "setup", "data-game": game.name, onsubmit: (event) => {
      event.preventDefault();
      this.#start();
    } },
      h("h2", { tabindex: "-1" }, `Play ${game.title}`),
      from && h("p", { class: "quiet" }, "From the position ", h("code", {}, from.start)),
      this.seats,
      h("details", { class: "options", open: Boolean(this.chosen.opened), ontoggle: (event) => { this.chosen.opened = event.target.open; } },
        h("summary", {}, "Options"), this.extras),
      this.error.element,
      h("div", { class: "row" },
        button("play", "Start", () => {}, { type: "submit", class: "primary" }),
        button("close", "Close", close, { class: "plain" })));
    this.#drawSeats();
    this.#drawExtras();
  }

  /** How many sit at the table, as the options say. */
  get #count() {
    const { least, most } = this.game.seats;
    if (least === most) return least;
    const option = this.game.options.find((one) => one.name === "players");
    return Number(this.chosen.options.players ?? option?.default ?? least);
  }

  /** True if anyone may move at any time, as the options say. */
  get #live() {
    const [name, value] = this.game.controls?.live || [];
    const option = this.game.options.find((one) => one.name === name);
    return Boolean(option) && (this.chosen.options[name] ?? option.default) === value;
  }

  #choices() {
    const levels = this.game.levels.map((level, i) =>
      typeof level === "string" ? [`level:${i + 1}`, `Level ${i + 1}: ${level}`] : [level.text, `Level ${i + 1}: ${level.title}`]);
    const bots = (this.game.bots || []).map((bot) => (typeof bot === "string" ? [bot, bot] : [bot.text, `${bot.text}: ${bot.title}`]));
    return [["me", "You"], ["friend", "A friend"], ...levels, ...bots, [OTHER, "Another bot …"]];
  }

  #drawSeats() {
    const count = this.#count;
    const { players } = this.chosen;
    const usual = this.game.levels.length > 1 ? "level:2" : "level:1";
    for (let seat = players.length; seat < count; seat++) players.push(seat ? usual : "me");
    const known = this.#choices().map(([value]) => value);
    fill(this.seats, players.slice(0, count).map((player, seat) => {
      const other = player === OTHER || !known.includes(player);
      const text = h("input", {
        type: "text", hidden: !other, value: other && player !== OTHER ? player : "", placeholder: "such as mcts:time=1",
        "aria-label": `Bot for ${this.game.seat_names[seat]}`,
        onchange: (event) => { players[seat] = event.target.value.trim() || usual; },
      });
      return h("div", { class: "seat" }, chip(this.game, seat),
        h("label", { class: "field" }, h("span", {}, count > 1 ? this.game.seat_names[seat] : "Who plays"),
          select(this.#choices(), other ? OTHER : player, { onchange: (event) => {
            players[seat] = event.target.value;
            text.hidden = players[seat] !== OTHER;
            if (!text.hidden) text.focus();
          } })), text);
    }), count === 2 && button("flip", "Swap seats", () => {
      players.splice(0, 2, players[1], players[0]);
      this.#drawSeats();
    }, { class: "plain swap" }));
  }

  #drawExtras() {
    const { chosen, game } = this;
    const seed = h("input", {
      type: "text", inputmode: "numeric", pattern: "-?[0-9]*", placeholder: "by chance", value: chosen.seed,
      onchange: (event) => { chosen.seed = event.target.value.trim(); },
    });
    fill(this.extras,
      game.options.map((option) => this.#option(option)),
      this.timing,
      h("label", { class: "field" }, h("span", {}, "Seed"), seed, h("small", {}, "the same seed gives the same chance"),
        button("", "Today's seed", async () => {
          try {
            const daily = await get("/api/daily");
            seed.value = chosen.seed = String(daily.seed);
          } catch (refused) {
            this.error.say(refused.message);
          }
        }, { class: "plain inline" })),
      h("label", { class: "check" }, h("input", {
        type: "checkbox", checked: chosen.listed, onchange: (event) => { chosen.listed = event.target.checked; },
      }), h("span", {}, "Show this game in the list of games")));
    this.#drawTiming();
  }

  /** A clock where one moves after the other, the pace of the bots where anyone may move. */
  #drawTiming() {
    const { chosen } = this;
    if (this.#live) {
      fill(this.timing, h("label", { class: "field" }, h("span", {}, "Pace of the bots"),
        select(PACES, chosen.pace, { onchange: (event) => { chosen.pace = event.target.value; } }),
        h("small", {}, "they place at any time, and so may you")));
    } else if (this.game.seats.most > 1) {
      const own = h("span", { class: "pair", hidden: chosen.clock !== "other" },
        number("minutes", chosen.minutes, 1, 180, (value) => { chosen.minutes = value; }),
        number("seconds more per move", chosen.increment, 0, 60, (value) => { chosen.increment = value; }));
      fill(this.timing, h("label", { class: "field" }, h("span", {}, "Clock"), select(CLOCKS, chosen.clock, { onchange: (event) => {
        chosen.clock = event.target.value;
        own.hidden = chosen.clock !== "other";
      } })), own);
    }
  }

  #option(option) {
    const { options } = this.chosen;
    const value = options[option.name] ?? option.default;
    const keep = (chosen) => {
      if (chosen === option.default) delete options[option.name];
      else options[option.name] = chosen;
      if (option.name === "players") this.#drawSeats();
      if (option.name === this.game.controls?.live?.[0]) this.#drawTiming();
    };
    const words = option.name.replaceAll("_", " ");
    const about = h("small", {}, option.about);
    if (typeof option.default === "boolean") {
      return h("label", { class: "check" },
        h("input", { type: "checkbox", checked: value, onchange: (event) => keep(event.target.checked) }),
        h("span", {}, capital(words), about));
    }
    const choices = option.choices?.length ? option.choices : null;
    const field = choices
      ? select(choices.map((choice) => [choice, choice]), value, { onchange: (event) => keep(event.target.value) })
      : h("input", {
          type: "number", value, min: Math.min(option.low, ...(option.also || [])), max: option.high,
          step: Number.isInteger(option.default) ? 1 : "any", onchange: (event) => keep(Number(event.target.value)),
        });
    return put(h("label", { class: "field" }), h("span", {}, capital(words)), field, about);
  }

  async #start() {
    const { chosen, game } = this;
    this.error.say("");
    const players = chosen.players.slice(0, this.#count);
    const me = ownName() ? `human:${ownName()}` : "human";
    const body = {
      game: game.name, options: chosen.options, listed: chosen.listed,
      players: players.map((player) => (player === "me" ? me : player === "friend" ? "human" : player)),
    };
    if (this.from) body.start = this.from.start;
    if (chosen.seed) body.seed = Number(chosen.seed);
    if (chosen.clock && game.seats.most > 1 && !this.#live) {
      const [minutes, increment] = chosen.clock === "other" ? [chosen.minutes, chosen.increment] : chosen.clock.split("+").map(Number);
      body.clock = { minutes, increment };
    }
    if (this.#live) body.pace = Number(chosen.pace);
    if (!this.from) remember(`setup:${game.name}`, chosen);
    try {
      const made = await patiently(() => post("/api/rooms", body), (why) => this.error.say(why));
      const friends = Object.entries(made.secrets || {}).filter(([seat]) => players[seat] === "friend");
      const mine = Object.entries(made.secrets || {}).filter(([seat]) => players[seat] !== "friend");
      keepSeats(made.id, { mine: Object.fromEntries(mine), others: Object.fromEntries(friends) });
      go(`/room/${made.id}`);
    } catch (refused) {
      this.error.say(refused.message);
    }
  }
}

function number(words, value, min, max, onchange) {
  return h("label", { class: "field" }, h("span", {}, capital(words)),
    h("input", { type: "number", value, min, max, onchange: (event) => onchange(Number(event.target.value)) }));
}

function capital(words) {
  return words[0].toUpperCase() + words.slice(1);
}
