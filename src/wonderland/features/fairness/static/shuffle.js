// Verifies the shuffle of a finished game, as specified in docs/fairness.md: with the draws that the server tells, and what this
// device has kept. It knows no game: which outcomes a draw had is told by the server.

import { concatenate, hmacSha256, sha256 } from "./sha256.js";

const STATEMENT =
  /^hmac-1 table=([\w-]{1,64}) commitment=([0-9a-f]{64}) secret=([0-9a-f]{64}) seats=((?:-|(?:[0-9a-f]{2}){16,32})(?:,(?:-|(?:[0-9a-f]{2}){16,32}))*)(?: begun=([1-9][0-9]{0,5}))?$/;
const encoder = new TextEncoder();
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const terminated = (words) => encoder.encode(words.map((word) => `${word}\0`).join(""));
const poolOf = (label) => label.split(".")[0];

// A shuffle that doesn't verify; `code` says why, `fields` where.
export class Mismatch extends Error {
  constructor(code, fields = {}) {
    super(code);
    Object.assign(this, { code, fields });
  }
}

export function readStatement(statement) {
  const found = STATEMENT.exec(statement);
  if (!found) throw new Mismatch("unreadable");
  const [, table, commitment, secret, seats, begun] = found;
  return { table, commitment, secret, seats: seats.split(",").map((text) => text.replace("-", "")), begun: Number(begun ?? 0) };
}

export const commitmentOf = (table, secret) =>
  hexOf(sha256(concatenate(terminated(["wonderland commitment", "hmac-1", table]), bytesOf(secret))));

// The key of all draws. `begun` are the moves taken over from another game, each after its actor.
export function keyOf({ table, secret, seats }, begun) {
  const added = seats.map((hex) => concatenate([hex.length / 2], bytesOf(hex)));
  const moves = begun.length ? terminated(["begun", ...begun]) : [];
  return hmacSha256(bytesOf(secret), concatenate(terminated(["wonderland luck", "hmac-1", table]), ...added, moves));
}

// The random numbers of a game: `below(limit, label)` is the next one of a stream.
export function createStreams(key) {
  const taken = new Map();
  const nextBlock = (label) => {
    const number = taken.get(label) ?? 0;
    taken.set(label, number + 1);
    const counter = new DataView(new ArrayBuffer(8));
    counter.setBigUint64(0, BigInt(number));
    const block = hmacSha256(key, concatenate(terminated([label]), new Uint8Array(counter.buffer)));
    return new DataView(block.buffer).getBigUint64(0);
  };
  return {
    taken,
    below(limit, label) {
      if (limit === 1) return 0;
      const size = BigInt(limit);
      const end = 2n ** 64n - (2n ** 64n % size); // numbers from here on would favour some outcomes
      let number = nextBlock(label);
      while (number >= end) number = nextBlock(label);
      return Number(number % size);
    },
  };
}

// What was drawn before moves were taken back, which comes again.
function createMemory() {
  const known = new Map(); // label -> outcomes
  const later = (label, line) => (known.get(label) ?? []).slice(line.filter((draw) => draw.label === label).length);
  return {
    remember(line) {
      for (const label of new Set(line.map((draw) => draw.label))) {
        const shown = line.filter((draw) => draw.label === label).map((draw) => draw.outcome);
        known.set(label, [...shown, ...(known.get(label) ?? []).slice(shown.length)]);
      }
    },
    next: (draw, line) => later(draw.label, line).slice(0, 1).find((outcome) => draw.outcomes.includes(outcome)),
    available(draw, line) {
      const others = [...known.keys()].filter((label) => label !== draw.label && poolOf(label) === poolOf(draw.label));
      const elsewhere = new Set(others.flatMap((label) => later(label, line)));
      const all = draw.outcomes.map((outcome, n) => ({ outcome, weight: draw.weights[n] ?? 1 }));
      const free = all.filter(({ outcome }) => !elsewhere.has(outcome));
      return free.length ? free : all;
    },
  };
}

function pick(choices, streams, label) {
  let number = streams.below(choices.reduce((sum, { weight }) => sum + weight, 0), label);
  for (const { outcome, weight } of choices) {
    if (number < weight) return outcome;
    number -= weight;
  }
  throw new Mismatch("unreadable");
}

// Recomputes all draws; returns how many there were, and those of the game as it was played in the end.
export function checkDraws(proof, streams) {
  const memory = createMemory();
  let line = [];
  let outcomes = 0;
  for (const [number, { kept, draws }] of proof.lines.entries()) {
    if (number && kept < proof.begun.length) throw new Mismatch("unreadable");
    if (number) memory.remember(line);
    line = line.filter((draw) => draw.move <= kept);
    for (const draw of draws) {
      if (draw.move > proof.begun.length) {
        const expected = memory.next(draw, line) ?? pick(memory.available(draw, line), streams, draw.label);
        if (draw.outcome !== expected) throw new Mismatch("outcome", { number: draw.move });
        outcomes++;
      }
      line.push(draw);
    }
  }
  return { outcomes, line };
}

// Verifies a game. `kept` is what this device has kept, `own` its seats. Throws a Mismatch if anything contradicts.
export function verifyShuffle(proof, kept, table, own) {
  const said = readStatement(proof.luck);
  if (said.table !== table || said.begun !== proof.begun.length) throw new Mismatch("unreadable");
  if (commitmentOf(said.table, said.secret) !== said.commitment) throw new Mismatch("secret");
  if (kept.commitment && kept.commitment !== said.commitment) throw new Mismatch("commitment");
  const contributed = kept.contributions.length ? own.filter((seat) => !kept.claimed.includes(seat)) : [];
  for (const seat of contributed) if (!kept.contributions.includes(said.seats[seat])) throw new Mismatch("contribution", { number: seat + 1 });
  const checked = checkDraws(proof, createStreams(keyOf(said, proof.begun)));
  return { ...said, ...checked, takenBack: proof.lines.length - 1, added: contributed.map((seat) => said.seats[seat]) };
}
