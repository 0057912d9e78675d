// The form that starts a game: players, options, clock and seed. The choices are stored for the next game.

import { showNotice } from "./announce.js";
import { asRequestError, post, retryWhileBusy } from "./api.js";
import { button, errorMessage, h, select, setChildren } from "./dom.js";
import { checkFields, numberRequirement, showFieldError } from "./field_errors.js";
import { capitalize } from "./format.js";
import { optionField } from "./option_fields.js";
import { parseOptions, seatCount } from "./options.js";
import { CUSTOM_PRESET, initialPreset, presetOptionNames, presetOptions } from "./presets.js";
import { seatDisc } from "./players.js";
import { navigate } from "./router.js";
import { playerName } from "./settings.js";
import { loadValue, saveSeats, saveValue } from "./storage.js";

/** @import { Game, NewRoom, Option, OptionValue, SetupChoices } from "./types.js" */

const CUSTOM_CLOCK = "other"; // minutes and increment come from number fields
/** @type {[string, string][]} */
const CLOCKS = [ // minutes + increment in seconds
  ["", "No clock"], ["3+2", "3 minutes + 2 s"], ["5+3", "5 minutes + 3 s"], ["10+5", "10 minutes + 5 s"],
  ["30+10", "30 minutes + 10 s"], [CUSTOM_CLOCK, "Other…"],
];
const CUSTOM_BOT = "other"; // the player text comes from a text field
/** @type {[string, string][]} */
const PACES = [["0.3", "very fast"], ["1", "fast"], ["2", "normal"], ["5", "slow"]]; // seconds that a bot waits

const SEED_NOTE = "the same seed repeats all random events; a game with a chosen seed is not in the best scores";
const MAX_SEED_DIGITS = 15; // more are not exact
const DAILY_NOTE = "the same random events for everyone today; your first game of the day counts";
const NOT_FIRST_NOTICE = "This is not your first game of the day, so it is not in the best scores.";
const LONG_NOTICE_SECONDS = 8;

/** The form that starts a game. */
export class SetupForm {
  /**
   * @param {Game} game
   * @param {() => void} close
   * @param {{start: string, options: string} | null} [from] a start position and its options
   */
  constructor(game, close, from = null) {
    this.game = game;
    this.from = from;
    /** @type {SetupChoices} */
    this.choices = {
      players: [], options: {}, clock: "", minutes: 5, increment: 3, pace: "2", seed: "", listed: true,
      ...loadValue(`setup:${game.name}`, {}),
    };
    if (from) Object.assign(this.choices, { options: parseOptions(from.options), preset: "" });
    if (game.presets) this.choices.preset = initialPreset(game, this.choices);
    this.daily = false; // whether the seed is that of the day; chosen again for each game
    this.error = errorMessage();
    this.seats = h("div", { class: "seats" });
    this.presetFields = h("div", { class: "preset-fields" });
    this.optionFields = h("div", { class: "option-fields" });
    this.timing = h("div", { class: "timing" });
    this.heading = h("h2", { tabindex: "-1" }, `Play ${game.title}`);
    // Without validation by the browser, which says nothing about a field in a closed section.
    this.element = h("form", { class: "setup", "data-game": game.name, novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      if (checkFields(this.element)) this.#start();
    } },
      this.heading,
      from && h("p", { class: "muted" }, "From the position ", h("code", {}, from.start)),
      this.seats,
      game.presets && this.presetFields,
      h("details", { class: "options", open: Boolean(this.choices.opened), ontoggle: (event) => { this.choices.opened = event.currentTarget.open; } },
        h("summary", {}, "Options"), this.optionFields),
      this.error.element,
      h("div", { class: "row" },
        button("play", "Start", () => {}, { type: "submit", class: "primary" }),
        button("close", "Close", close, { class: "plain" })));
    this.#drawSeats();
    this.#drawPresets();
    this.#drawOptions();
  }

  /** The number of seats with the chosen options; the nearest possible one while the chosen number is invalid. */
  get #seatCount() {
    const option = this.game.options.find(({ name }) => name === "players");
    return seatCount(this.game, this.choices.options.players ?? option?.default);
  }

  /** True if the game has random events, which a seed repeats. */
  get #usesSeed() {
    return this.game.traits.chance || this.game.traits.random_start;
  }

  /** True if the chosen options allow anyone to move at any time. */
  get #isLive() {
    if (!this.game.controls.live) return false;
    const [liveName, liveValue] = this.game.controls.live;
    const option = this.game.options.find(({ name }) => name === liveName);
    return option !== undefined && (this.choices.options[liveName] ?? option.default) === liveValue;
  }

  /**
   * Returns [value, label] of each player that can take a seat.
   * @returns {[string, string][]}
   */
  #playerChoices() {
    /** @type {[string, string][]} */
    const levels = this.game.levels.map(({ text, title }, i) => [text, `Level ${i + 1}: ${title}`]);
    /** @type {[string, string][]} */
    const bots = this.game.bots.map(({ text, title }) => [text, title]);
    return [["me", "You"], ["friend", "A friend"], ...levels, ...bots, [CUSTOM_BOT, "Other bot…"]];
  }

  #drawSeats() {
    const count = this.#seatCount;
    const { players } = this.choices;
    const defaultBot = this.game.levels.length > 1 ? "level:2" : "level:1";
    for (let seat = players.length; seat < count; seat++) players.push(seat ? defaultBot : "me");
    const playerValues = this.#playerChoices().map(([value]) => value);
    setChildren(this.seats, players.slice(0, count).map((player, seat) => {
      const isCustom = player === CUSTOM_BOT || !playerValues.includes(player);
      const customField = h("input", {
        type: "text", hidden: !isCustom, value: isCustom && player !== CUSTOM_BOT ? player : "", placeholder: "such as mcts:time=1",
        "aria-label": `Bot for ${this.game.seat_names[seat]}`,
        onchange: (event) => { players[seat] = event.currentTarget.value.trim() || defaultBot; },
      });
      return h("div", { class: "seat" }, seatDisc(this.game, seat),
        h("label", { class: "field" }, h("span", {}, count > 1 ? this.game.seat_names[seat] : "Player"),
          select(this.#playerChoices(), isCustom ? CUSTOM_BOT : player, { onchange: (event) => {
            players[seat] = event.currentTarget.value;
            customField.hidden = players[seat] !== CUSTOM_BOT;
            if (!customField.hidden) customField.focus();
          } })), customField);
    }), count === 2 && button("flip", "Swap seats", () => {
      players.splice(0, 2, players[1], players[0]);
      this.#drawSeats();
    }, { class: "plain swap" }));
  }

  /** Shows the choice that the game offers instead of some options; these are shown for "Other". */
  #drawPresets() {
    const { choices, game } = this;
    if (!game.presets) return;
    const names = presetOptionNames(game.presets);
    const optionFields = h("div", { class: "option-fields", hidden: choices.preset !== CUSTOM_PRESET },
      game.options.filter(({ name }) => names.has(name)).map((option) => this.#optionField(option)));
    /** @type {[string, string][]} */
    const presets = game.presets.presets.map(({ name, about }) => [name, `${capitalize(name)}: ${about}`]);
    setChildren(this.presetFields,
      h("label", { class: "field" }, h("span", {}, capitalize(game.presets.name)),
        select([...presets, [CUSTOM_PRESET, "Other…"]], choices.preset ?? "", { onchange: (event) => {
          choices.preset = event.currentTarget.value;
          optionFields.hidden = choices.preset !== CUSTOM_PRESET;
        } })),
      optionFields);
  }

  #drawOptions() {
    const { choices, game } = this;
    const inPresets = presetOptionNames(game.presets);
    setChildren(this.optionFields,
      game.options.filter(({ name }) => !inPresets.has(name)).map((option) => this.#optionField(option)),
      this.timing,
      this.#usesSeed && this.#seedField(),
      h("label", { class: "check" }, h("input", {
        type: "checkbox", checked: choices.listed, onchange: (event) => { choices.listed = event.currentTarget.checked; },
      }), h("span", {}, "Show this game in the public list")));
    this.#drawTiming();
  }

  #seedField() {
    const { choices } = this;
    const field = h("input", {
      type: "text", name: "seed", inputmode: "numeric", pattern: `-?[0-9]{0,${MAX_SEED_DIGITS}}`, placeholder: "random",
      value: choices.seed, "data-requirement": `a whole number of at most ${MAX_SEED_DIGITS} digits`,
      onchange: (event) => { choices.seed = event.currentTarget.value.trim(); },
    });
    const setDaily = (/** @type {boolean} */ daily) => { this.daily = field.disabled = daily; };
    return [
      h("label", { class: "field" }, h("span", {}, "Seed"), field, h("small", {}, SEED_NOTE)),
      !this.from && h("label", { class: "check" },
        h("input", { type: "checkbox", onchange: (event) => setDaily(event.currentTarget.checked) }),
        h("span", {}, "Game of the day", h("small", {}, DAILY_NOTE))),
    ];
  }

  /** Shows the pace of the bots if anyone may move at any time, or else the clock unless the game is solo. */
  #drawTiming() {
    const { choices } = this;
    if (this.#isLive) {
      setChildren(this.timing, h("label", { class: "field" }, h("span", {}, "Pace of the bots"),
        select(PACES, choices.pace, { onchange: (event) => { choices.pace = event.currentTarget.value; } }),
        h("small", {}, "bots and people move at any time")));
    } else if (this.game.seats.most > 1) {
      const customFields = h("span", { class: "pair", hidden: choices.clock !== CUSTOM_CLOCK },
        numberField("Minutes", choices.minutes, 1, 180, (value) => { choices.minutes = value; }),
        numberField("Increment in seconds", choices.increment, 0, 60, (value) => { choices.increment = value; }));
      setChildren(this.timing, h("label", { class: "field" }, h("span", {}, "Clock"), select(CLOCKS, choices.clock, { onchange: (event) => {
        choices.clock = event.currentTarget.value;
        customFields.hidden = choices.clock !== CUSTOM_CLOCK;
      } })), customFields);
    }
  }

  /** @param {Option} option */
  #optionField(option) {
    const { options } = this.choices;
    const value = options[option.name] ?? option.default;
    const setOption = (/** @type {OptionValue} */ newValue) => {
      if (newValue === option.default) delete options[option.name];
      else options[option.name] = newValue;
      if (option.name === "players") this.#drawSeats();
      if (option.name === this.game.controls.live?.[0]) this.#drawTiming();
    };
    return optionField(option, value, setOption);
  }

  /** Creates the room, stores the secrets of its seats and opens it. */
  async #start() {
    const { choices, game } = this;
    this.error.show("");
    const players = choices.players.slice(0, this.#seatCount);
    const me = playerName() ? `human:${playerName()}` : "human";
    /** @type {NewRoom} */
    const body = {
      game: game.name, listed: choices.listed,
      options: { ...choices.options, ...presetOptions(game.presets, choices.preset, players.length) },
      players: players.map((player) => (player === "me" ? me : player === "friend" ? "human" : player)),
    };
    if (this.from) body.start = this.from.start;
    if (this.daily) body.daily = true;
    else if (choices.seed && this.#usesSeed) body.seed = Number(choices.seed);
    if (choices.clock && game.seats.most > 1 && !this.#isLive) {
      const [minutes, increment] =
        choices.clock === CUSTOM_CLOCK ? [choices.minutes, choices.increment] : choices.clock.split("+").map(Number);
      body.clock = { minutes, increment };
    }
    if (this.#isLive) body.pace = Number(choices.pace);
    if (!this.from) saveValue(`setup:${game.name}`, choices);
    try {
      const room = await retryWhileBusy(() => post("/api/rooms", body), (reason) => this.error.show(reason));
      const friends = Object.entries(room.secrets).filter(([seat]) => players[Number(seat)] === "friend");
      const mine = Object.entries(room.secrets).filter(([seat]) => players[Number(seat)] !== "friend");
      saveSeats(room.id, { mine: Object.fromEntries(mine), others: Object.fromEntries(friends) });
      if (this.daily && !room.fair) showNotice(NOT_FIRST_NOTICE, LONG_NOTICE_SECONDS);
      navigate(`/room/${room.id}`);
    } catch (failure) {
      const { field, message } = asRequestError(failure);
      if (showFieldError(this.element, field, message)) this.error.show("");
      else this.error.show(message);
    }
  }
}

/**
 * @param {string} label
 * @param {number} value
 * @param {number} min
 * @param {number} max
 * @param {(value: number) => void} onchange
 */
function numberField(label, value, min, max, onchange) {
  return h("label", { class: "field" }, h("span", {}, label), h("input", {
    type: "number", value, min, max, required: true, "data-requirement": numberRequirement({ low: min, high: max }),
    onchange: (event) => onchange(Number(event.currentTarget.value)),
  }));
}
