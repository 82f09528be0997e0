// Parade for boardgame.io: the same game as ours, in its moves and in the size of what is sent.

const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");

const COLOURS = ["R", "B", "P", "G", "Y", "O"];

const colour = (card) => card[0];
const value = (card) => Number(card.slice(1));

function setup({ ctx, random }) {
  const cards = COLOURS.flatMap((letter) => [...Array(11).keys()].map((number) => letter + number));
  const pile = random.Shuffle(cards);
  const players = {};
  const zones = {};
  for (let seat = 0; seat < ctx.numPlayers; seat++) {
    players[seat] = { hand: pile.splice(0, 5) };
    zones[seat] = [];
  }
  const parade = pile.splice(0, 6);
  const left = pile.length;
  return { secret: { pile }, players, hands: [5, 5], parade, zones, left, turnsLeft: null, last: null };
}

// Of the cards beyond as many as the value played, those of its colour or of no higher value leave.
function play({ G, ctx, playerID }, index) {
  const hand = G.players[playerID].hand;
  if (!Number.isInteger(index) || index < 0 || index >= hand.length) return INVALID_MOVE;
  const [card] = hand.splice(index, 1);
  const free = G.parade.slice(0, Math.max(0, G.parade.length - value(card)));
  const taken = free.filter((one) => colour(one) === colour(card) || value(one) <= value(card));
  G.parade = G.parade.filter((one) => !taken.includes(one));
  G.parade.push(card);
  G.zones[playerID].push(...taken);
  if (G.turnsLeft !== null) {
    G.turnsLeft -= 1;
  } else {
    hand.push(G.secret.pile.pop());
    G.left = G.secret.pile.length;
    const colours = new Set(G.zones[playerID].map(colour));
    if (colours.size === COLOURS.length || G.left === 0) G.turnsLeft = ctx.numPlayers;
  }
  G.hands[playerID] = hand.length;
  G.last = { seat: playerID, card, taken };
}

// The last choice, of two cards to lay down, is another turn for each.
function keep({ G, playerID }, first) {
  const hand = G.players[playerID].hand;
  if (!Number.isInteger(first) || first < 0 || first >= hand.length) return INVALID_MOVE;
  G.zones[playerID].push(...hand.splice(0, 2));
  G.turnsLeft -= 1;
  G.hands[playerID] = hand.length;
}

function move(context, index) {
  const { G } = context;
  return G.turnsLeft !== null && G.turnsLeft <= 0 ? keep(context, index) : play(context, index);
}

module.exports = {
  name: "parade",
  setup,
  moves: { play: move },
  turn: { minMoves: 1, maxMoves: 1 },
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true, // or it would send what can be undone with every move
  playerView: PlayerView.STRIP_SECRETS,
  endIf: ({ G, ctx }) => (G.turnsLeft === -ctx.numPlayers ? { over: true } : undefined),
};
