// A boardgame.io server for one game:  node server.js PORT [FOLDER]
//
// Matches are kept in files in the folder, or, without one, in memory.

const { FlatFile, Server } = require("boardgame.io/server");
const { game } = require("./game");

const [port, dir] = process.argv.slice(2);

// Its memory storage has no public name: it is what a server gets that is given no other.
delete process.env.FLATFILE_DIR;

Server({
  games: [game],
  db: dir ? new FlatFile({ dir }) : undefined,
  origins: [`http://127.0.0.1:${port}`],
}).run(Number(port));
