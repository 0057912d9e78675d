// The options of a game as text, as in addresses: `name=value,name=value`.

/** Returns options as text; an empty text for none. */
export function formatOptions(options) {
  return Object.entries(options || {}).map(([name, value]) => `${name}=${value}`).join(",");
}

/** Returns the options in a text, with values as booleans, numbers or strings. */
export function parseOptions(text) {
  const pairs = (text || "").split(",").filter(Boolean).map((pair) => pair.split("="));
  return Object.fromEntries(pairs.map(([name, value]) => [name, parseOptionValue(value)]));
}

function parseOptionValue(text) {
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
}
