// The options of a game: as text in addresses, `name=value,name=value`, and the number of seats that they give.

/** @import { Game, Options, OptionValue } from "./types.js" */

/**
 * Returns options as text; an empty text for none.
 * @param {Options | null} [options]
 */
export function formatOptions(options) {
  return Object.entries(options ?? {}).map(([name, value]) => `${name}=${value}`).join(",");
}

/**
 * Returns the options in a text, with values as booleans, numbers or strings.
 * @param {string | null} text
 * @returns {Options}
 */
export function parseOptions(text) {
  const pairs = (text ?? "").split(",").filter(Boolean).map((pair) => pair.split("="));
  return Object.fromEntries(pairs.map(([name, value = ""]) => [name, parseOptionValue(value)]));
}

/**
 * Returns the text to copy for a position: its own text, or with other options than the default ones, or other rules
 * than the newest, a record without moves, which says how the text is to be read.
 * @param {Pick<Game, "name" | "options" | "rules">} game
 * @param {Options} options
 * @param {number} rules the version of the game's rules
 * @param {string} text of the position
 */
export function copiedPosition(game, options, rules, text) {
  const changed = game.options.filter(({ name, default: usual }) => (options[name] ?? usual) !== usual);
  if (!changed.length && rules === game.rules) return text;
  const values = changed.map(({ name }) => `${name}=${options[name]}`).join(" ");
  const tags = Object.entries({ Game: game.name, Rules: String(rules), Options: values, Start: text });
  return tags.filter(([, value]) => value).map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`).join(" ");
}

/** @param {string} text */
function parseOptionValue(text) {
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
}

/**
 * Returns the number of seats with that number of players, or with the nearest possible number.
 * @param {{seats: {least: number, most: number}}} game
 * @param {OptionValue} [players]
 */
export function seatCount({ seats: { least, most } }, players) {
  return Math.min(most, Math.max(least, Math.round(Number(players)) || least));
}
