// The connection: comes back by itself, says how it is, and sends again what was not answered.

import { randomHex } from "./api.js";
import { byId, id, me, root } from "./dom.js";

const NOT_YOURS = 4403; // what the server says when it closes
const NOT_FOUND = 4404;
const ASLEEP = 30000; // milliseconds out of sight after which a connection may be dead without knowing it

const TURNED_AWAY = "turned-away";
const pending = new Map(); // key -> command that has not been answered
let hear = () => {};
let socket = null;
let wait = 250;
let timer = null;
let hiddenSince = null;

function say(state) {
  byId("connection").className = state;
  byId("connection").querySelector(".words").textContent = root.dataset[state];
  root.classList.toggle("lost", state === "lost");
}

function open() {
  clearTimeout(timer);
  const mine = me.seat === "" ? "" : `&seat=${me.seat}`;
  const asked = `form=page&lang=${document.documentElement.lang}&after=${root.dataset.version}${mine}`;
  const where = new URL(`/api/tables/${id}/live?${asked}`, location);
  where.protocol = where.protocol.replace("http", "ws");
  const opened = new WebSocket(where);
  socket = opened;
  opened.onopen = () => {
    wait = 250;
    say("connected");
    for (const command of pending.values()) opened.send(JSON.stringify(command));
  };
  opened.onmessage = (event) => opened === socket && hear(JSON.parse(event.data));
  opened.onclose = (event) => {
    if (opened !== socket) return; // another one has taken its place
    if (event.code === NOT_YOURS) sessionStorage.setItem(TURNED_AWAY, id); // to say it when the page is there again
    if (event.code === NOT_YOURS || event.code === NOT_FOUND) return location.assign(location.pathname);
    say("lost");
    timer = setTimeout(open, wait * (0.75 + Math.random() / 2));
    wait = Math.min(2 * wait, 10000);
  };
}

export function wasTurnedAway() {
  const table = sessionStorage.getItem(TURNED_AWAY);
  sessionStorage.removeItem(TURNED_AWAY);
  return table === id;
}

// For another seat, or because the old connection can't be trusted.
export function reconnect() {
  const old = socket;
  open();
  old?.close();
}

export function connect(listener) {
  hear = listener;
  open();
}

export function send(command) {
  const whole = { at: Number(root.dataset.version), key: randomHex(8), ...command };
  pending.set(whole.key, whole);
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(whole));
}

// The command that was answered, if it was one of ours.
export function answered(key) {
  const command = pending.get(key);
  pending.delete(key);
  return command;
}

export const isPlaying = () => [...pending.values()].some((command) => command.do === "play");

// After sleep or a change of network nobody should have to wait for the next try.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenSince = Date.now();
  else if (socket.readyState !== WebSocket.OPEN || Date.now() - hiddenSince > ASLEEP) reconnect();
});
for (const change of ["online", "offline"]) window.addEventListener(change, reconnect); // to find out, not to believe it
window.addEventListener("pageshow", (event) => event.persisted && reconnect());
