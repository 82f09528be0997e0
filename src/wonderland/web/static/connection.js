// The WebSocket of a table: reconnects with exponential backoff, shows its state, and resends unanswered commands.

import { randomHex } from "./api.js";
import { byId, id, me, root } from "./dom.js";

const NOT_YOURS = 4403; // close codes of the server
const NOT_FOUND = 4404;
const STALE_AFTER = 30000; // milliseconds in the background after which the socket may be dead without an event
const FIRST_RETRY = 250; // milliseconds
const LONGEST_RETRY = 10000;

const SEAT_LOST = "turned-away"; // session storage key
const pending = new Map(); // key -> command without an answer yet
let onMessage = () => {};
let socket = null;
let retryDelay = FIRST_RETRY;
let retryTimer = null;
let hiddenSince = null;

function showState(state) {
  byId("connection").className = state;
  byId("connection").querySelector(".words").textContent = root.dataset[state];
  root.classList.toggle("lost", state === "lost");
}

function open() {
  clearTimeout(retryTimer);
  const seat = me.seat === "" ? "" : `&seat=${me.seat}`;
  const query = `form=page&lang=${document.documentElement.lang}&after=${root.dataset.version}${seat}`;
  const url = new URL(`/api/tables/${id}/live?${query}`, location);
  url.protocol = url.protocol.replace("http", "ws");
  const opened = new WebSocket(url);
  socket = opened;
  opened.onopen = () => {
    retryDelay = FIRST_RETRY;
    showState("connected");
    for (const command of pending.values()) opened.send(JSON.stringify(command));
  };
  opened.onmessage = (event) => opened === socket && onMessage(JSON.parse(event.data));
  opened.onclose = (event) => {
    if (opened !== socket) return; // replaced by another one
    if (event.code === NOT_YOURS) sessionStorage.setItem(SEAT_LOST, id); // to explain it after the reload
    if (event.code === NOT_YOURS || event.code === NOT_FOUND) return location.assign(location.pathname);
    showState("lost");
    retryTimer = setTimeout(open, retryDelay * (0.75 + Math.random() / 2));
    retryDelay = Math.min(2 * retryDelay, LONGEST_RETRY);
  };
}

// Whether the page was reloaded because the seat belongs to somebody else now; true only once.
export function wasSeatLost() {
  const table = sessionStorage.getItem(SEAT_LOST);
  sessionStorage.removeItem(SEAT_LOST);
  return table === id;
}

// For another seat, or because the old connection may be dead.
export function reconnect() {
  const old = socket;
  open();
  old?.close();
}

export function connect(listener) {
  onMessage = listener;
  open();
}

// Sends a command, or keeps it until there is a connection; returns its key.
export function sendCommand(command) {
  const whole = { at: Number(root.dataset.version), key: randomHex(8), ...command };
  pending.set(whole.key, whole);
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(whole));
  return whole.key;
}

// Removes and returns the pending command that was answered, if it was one of ours.
export function takePending(key) {
  const command = pending.get(key);
  pending.delete(key);
  return command;
}

// After sleep or a change of network, don't wait for the next retry.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenSince = Date.now();
  else if (socket.readyState !== WebSocket.OPEN || Date.now() - hiddenSince > STALE_AFTER) reconnect();
});
for (const change of ["online", "offline"]) window.addEventListener(change, reconnect); // the events are unreliable: test it
window.addEventListener("pageshow", (event) => event.persisted && reconnect());
