// The rematch, or another game with the same people: one click asks for it, takes the seats that this device had, and
// starts the game once everyone is there.

import { callApi, contribute, randomHex } from "./api.js";
import { sendCommand } from "./connection.js";
import { id, root, tryCallApi } from "./dom.js";
import { levelIn, nextLevel } from "./opponents.js";

const path = (table) => `/api/tables/${table}`;

// `button` says which seats; with `data-more`, there is a free seat for one more player; `data-game` is another game.
export async function playAgain(button) {
  const own = JSON.parse(button.dataset.rematch);
  const buttons = root.querySelectorAll("[data-rematch]");
  for (const each of buttons) each.disabled = true;
  const command = { do: "rematch", seat: own[0].seat, at: Number(root.dataset.version), key: randomHex(8) };
  if ("more" in button.dataset) command.more = true;
  const { game, level } = button.dataset;
  Object.assign(command, game ? { game, ...levelIn(game, level) } : nextLevel());
  const done = await tryCallApi(`${path(id)}/commands`, command);
  if (!done) {
    for (const each of buttons) each.disabled = false;
    return;
  }
  const { table, invitation } = done.told;
  localStorage.setItem(`host.${table}`, invitation); // for the link to a free seat
  await sitDown(table, own).catch(() => {}); // the page of the rematch offers whatever is left to do
  location.href = `/tables/${table}`;
}

async function sitDown(table, own) {
  let { version, table: { seats, commitment } } = await callApi(path(table));
  const send = async (command) => {
    ({ version } = await callApi(`${path(table)}/commands`, { at: version, key: randomHex(8), ...command }));
  };
  const isAlone = seats.every(({ kind }, seat) => kind === "bot" || own.some((each) => each.seat === seat));
  for (const { seat, name, portrait } of own)
    if (seats[seat].kind === "reserved") await send({ do: "sit", seat, name, portrait, contribution: contribute(table, commitment) });
  if (isAlone) await send({ do: "start" });
}

// Between people, the game starts when the last of them has sat down: all pages at the table see it, and one is first.
let hasStarted = false;
export function startFullTable() {
  if (hasStarted || !root.querySelector("[data-starts-itself]")) return;
  hasStarted = true;
  sendCommand({ do: "start" });
}
