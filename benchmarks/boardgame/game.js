// A game of about Quorum's size: 64 cells, two players in turn; a move takes a piece from one cell
// and puts it on another. Every move is legal, so that the server spends no time on rules.

const CELLS = 64;

// The average length of a random game of Quorum: the stored log grows with every move.
const MAX_MOVES = 231;

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
  endIf: ({ G }) => (G.moves >= MAX_MOVES ? { draw: true } : undefined),
};

module.exports = { CELLS, game };
