// A game of about Quorum's size: 64 cells, two players in turn, a move takes a piece from one cell
// and puts it on another. Any move goes, so that the server spends nothing on rules.

const CELLS = 64;

// As long as a random game of Quorum is on average: the log that is kept grows with every move.
const LONGEST = 231;

const game = {
  name: "cells",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ cells: Array(CELLS).fill(null), moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    step: ({ G, playerID }, from, to) => {
      G.cells[from] = null;
      G.cells[to] = playerID;
      G.moves += 1;
    },
  },
  endIf: ({ G }) => (G.moves >= LONGEST ? { draw: true } : undefined),
};

module.exports = { CELLS, game };
