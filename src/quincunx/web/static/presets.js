// The choice that a game offers in its setup instead of some options, such as its length.

import { seatCount } from "./options.js";

/** @import { Game, Options, Presets, SetupChoices } from "./types.js" */

export const CUSTOM_PRESET = "other"; // the options themselves are shown

/**
 * Returns the names of the options that the presets of a game replace.
 * @param {Presets | null} presets
 */
export function presetOptionNames(presets) {
  return new Set((presets?.presets ?? []).flatMap((preset) => Object.keys({ ...preset.options, ...preset.per_seat })));
}

/**
 * Returns the options of a preset in a game with that number of seats; none for a preset that does not exist.
 * @param {Presets | null} presets
 * @param {string | undefined} name
 * @param {number} seats
 * @returns {Options}
 */
export function presetOptions(presets, name, seats) {
  const preset = presets?.presets.find((candidate) => candidate.name === name);
  const perSeat = Object.entries(preset?.per_seat ?? {}).map(([option, value]) => [option, seats * value]);
  return { ...preset?.options, ...Object.fromEntries(perSeat) };
}

/**
 * Returns the preset of a setup: the one chosen before, or the one that has the given options, or else the one that the
 * game selects.
 * @param {Pick<Game, "options" | "presets" | "seats">} game
 * @param {Pick<SetupChoices, "options" | "preset">} choices
 */
export function initialPreset({ options, presets, seats }, choices) {
  if (!presets) return "";
  const names = presets.presets.map(({ name }) => name);
  if (choices.preset && [...names, CUSTOM_PRESET].includes(choices.preset)) return choices.preset;
  const given = [...presetOptionNames(presets)].filter((name) => name in choices.options);
  if (!given.length) return names[presets.selected];
  const players = choices.options.players ?? options.find(({ name }) => name === "players")?.default;
  const hasGiven = (/** @type {string} */ name) => {
    const values = presetOptions(presets, name, seatCount({ seats }, players));
    return given.every((option) => values[option] === choices.options[option]);
  };
  return names.find(hasGiven) ?? CUSTOM_PRESET;
}
