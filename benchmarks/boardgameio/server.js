// Starts boardgame.io's server on a free port: `node server.js` in memory, `node server.js FOLDER` with files.

const { Server, FlatFile, Origins } = require("boardgame.io/server");
const game = require("./game");

const [folder] = process.argv.slice(2);
const db = folder ? new FlatFile({ dir: folder }) : undefined;
const server = Server({ games: [game], origins: [Origins.LOCALHOST], db });

server.run({ port: 0 }).then(({ appServer }) => {
  console.log(`http://127.0.0.1:${appServer.address().port}`);
});
