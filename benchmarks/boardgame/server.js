// A boardgame.io server for one game:  node server.js PORT [DIRECTORY]
//
// Matches are stored in files in the directory, or without one in memory.

const { FlatFile, Server } = require("boardgame.io/server");
const { game } = require("./game");

const [port, dir] = process.argv.slice(2);

// The memory storage has no public name: it is the default without this variable and `db`.
delete process.env.FLATFILE_DIR;

Server({
  games: [game],
  db: dir ? new FlatFile({ dir }) : undefined,
  origins: [`http://127.0.0.1:${port}`],
}).run(Number(port));
