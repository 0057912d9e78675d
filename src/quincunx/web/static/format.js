// Texts that several pages show: events, values, times.

/**
 * Returns an event of a room as a sentence, or "" for events that are not reported.
 * @param {{kind: string, move?: string, yes?: boolean}} event
 * @param {string} name of the player
 */
export function formatEvent({ kind, move, yes }, name) {
  /** @type {Record<string, string>} */
  const sentences = {
    play: `${name} plays ${move}.`, undo: "A move was taken back.", resign: `${name} resigned.`,
    flag: `${name} ran out of time.`, pause: "The game is paused.", resume: "The game has resumed.",
    asked: `${name} asks to take back a move.`, answer: yes ? "" : `${name} declined the takeback.`,
    rematch: `${name} would like a rematch.`, rematch_answer: `${name} declined the rematch.`,
    assisted: `${name} used help: this game is assisted.`,
    pause_asked: `${name} asks to pause the game.`, pause_answer: yes ? "" : `${name} declined the pause.`,
  };
  return sentences[kind] ?? "";
}

/**
 * Returns what the frames of a move say about it as sentences, each once.
 * @param {{text?: string}[]} frames
 */
export function formatEffects(frames) {
  const texts = new Set(frames.flatMap(({ text }) => (text ? text.split("; ") : [])));
  return [...texts].map((text) => `${text[0].toUpperCase()}${text.slice(1)}.`).join(" ");
}

/**
 * Returns a value from -1 to 1 as "wins in 3", "loses in 3" or "draw" if that is proven, or else as "+0.42".
 * @param {number | null} [value]
 * @param {number | null} [plies] the number of moves to a proven end
 * @param {boolean} [exact] true if the position is solved
 */
export function formatValue(value, plies, exact = false) {
  if (value == null) return "";
  if (exact && value === 0) return "draw";
  if (plies != null) return value > 0 ? `wins in ${plies}` : value < 0 ? `loses in ${plies}` : "draw";
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/**
 * A value for a seat as the server sends it; `points` in a game that counts them.
 * @typedef {{value: number, points?: number | null, plies?: number | null}} SeatValue
 */

/**
 * Returns the value of a position or a move, always from one side: of two seats the first one, whoever is to move. Of
 * more seats it is that of the seat, with its name.
 * @param {SeatValue} evaluation for the seat
 * @param {number} seat
 * @param {string[]} seatNames of the seats that play
 * @param {boolean} [exact] true if the position is solved
 */
export function formatEvaluation({ value, points, plies }, seat, seatNames, exact = false) {
  const decided = plies != null || (exact && value === 0);
  if (seatNames.length === 1) return points == null ? formatValue(value, plies, exact) : formatPoints(points);
  if (decided && value === 0) return "draw";
  const other = seatNames.length === 2 ? seatNames[1 - seat] : null;
  if (decided && other !== null) return `${value > 0 ? seatNames[seat] : other} wins in ${plies}`;
  if (decided) return `${seatNames[seat]} ${formatValue(value, plies)}`;
  const sign = other !== null && seat === 1 ? -1 : 1;
  const text = points == null ? formatValue(sign * value || 0) : formatPoints(sign * points, true);
  return other !== null ? text : `${seatNames[seat]} ${text}`;
}

/**
 * Returns points as "612 points", "612.4 points" or, with a sign, "+1 point".
 * @param {number} points
 * @param {boolean} [signed]
 */
function formatPoints(points, signed = false) {
  const digits = String(Math.round(Math.abs(points) * 10) / 10);
  const sign = points < 0 ? "−" : signed && points > 0 ? "+" : "";
  return `${sign}${digits} point${digits === "1" ? "" : "s"}`;
}

/** What the players that analyse do, by their kinds. */
const ENGINES = new Map([
  ["perfect", "Solved: every value is exact"], ["alphabeta", "Alpha-beta search"], ["mcts", "Tree search"],
  ["expectimax", "Search with chance"], ["greedy", "Looks one move ahead"],
]);

/**
 * Returns who has analysed and for how long, for people.
 * @param {string} by the text of a player, such as "mcts:time=1"
 * @param {number} seconds
 */
export function formatEngine(by, seconds) {
  const [kind] = by.split(":");
  const name = ENGINES.get(kind) ?? kind;
  return kind === "perfect" ? name : `${name}, ${seconds} s`;
}

/**
 * Returns the text of a bot for people: "mcts, time 1" for "mcts:time=1".
 * @param {string} text
 */
export function formatBot(text) {
  return text.replace(/[:,]/g, ", ").replaceAll("=", " ");
}

/**
 * Returns a text with a capital letter.
 * @param {string} text
 */
export function capitalize(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Returns a number with its noun: "1 move", "2 moves".
 * @param {number} count
 * @param {string} noun
 */
export function quantity(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * Returns the age of a timestamp, such as "3 minutes ago".
 * @param {number} timestamp in milliseconds since 1970
 * @param {number} [now]
 */
export function formatTimeAgo(timestamp, now = Date.now()) {
  const seconds = Math.max(0, (now - timestamp) / 1000);
  for (const [unitSeconds, unit] of /** @type {[number, string][]} */ ([[86400, "day"], [3600, "hour"], [60, "minute"]])) {
    const count = Math.floor(seconds / unitSeconds);
    if (count) return `${quantity(count, unit)} ago`;
  }
  return "just now";
}

const TENTHS_BELOW_MS = 10000; // clocks below show tenths of a second

/**
 * Returns the time left on a clock as 1:04:05, 4:05 or, in the last seconds, 9.4.
 * @param {number} milliseconds
 */
export function formatClock(milliseconds) {
  if (milliseconds < TENTHS_BELOW_MS) return (Math.floor(milliseconds / 100) / 10).toFixed(1);
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const twoDigits = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}` : `${minutes}:${twoDigits(seconds % 60)}`;
}
