// The options of a game as text, as in addresses: `name=value,name=value`.

/** @import { Options } from "./types.js" */

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

/** @param {string} text */
function parseOptionValue(text) {
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
}
