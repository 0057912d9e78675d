// The columns of a grid of cards, for any number of cards.

const MAX_COLUMNS = { "--wide-columns": 6, "--medium-columns": 4, "--narrow-columns": 3 };

/**
 * Returns a number of columns with which rows are about equal and, if possible, no card is alone in the last row.
 * @param {number} cards
 * @param {number} most the largest number of columns
 */
export function columnCount(cards, most) {
  const rows = Math.max(1, Math.ceil(cards / most));
  const even = Math.max(1, Math.ceil(cards / rows));
  for (let columns = even; columns > 1; columns--) if (cards % columns !== 1) return columns;
  return even;
}

/**
 * Returns the last card in the row of a card.
 * @param {number} card
 * @param {number} columns
 * @param {number} cards
 */
export function rowEnd(card, columns, cards) {
  return Math.min(cards, columns * (Math.floor(card / columns) + 1)) - 1;
}

/**
 * Returns the custom properties of a grid: the numbers of columns on wide, medium and narrow screens.
 * @param {number} cards
 * @returns {[string, string][]}
 */
export function columnProperties(cards) {
  return Object.entries(MAX_COLUMNS).map(([property, most]) => [property, String(columnCount(cards, most))]);
}
