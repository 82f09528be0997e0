// A table in the browser: swaps the parts that the server sends, lets what moved glide, keeps the focus,
// and sends what people do. It knows no game and no rules.

const root = document.getElementById("table");
const id = root.dataset.table;
const seat = root.dataset.seat;
const preview = document.getElementById("preview");
const toast = document.getElementById("toast");
const connection = document.getElementById("connection");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let version = Number(root.dataset.version);
let socket = null;
let wait = 250;
const pending = new Map(); // key -> command that has not been answered

const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");

// The link to the table carries its secret behind the #; it is kept for this visit only.
const fragment = location.hash.slice(1);
if (fragment) sessionStorage.setItem(`link.${id}`, fragment);
const invitation = () => sessionStorage.getItem(`link.${id}`) || localStorage.getItem(`host.${id}`) || "";

/* Motion: measure, swap, glide */

const pieces = () => new Map([...root.querySelectorAll("[data-piece]")].map((e) => [e.dataset.piece, e]));

function measured() {
  const places = new Map();
  for (const [name, element] of pieces()) places.set(name, element.getBoundingClientRect());
  for (const element of root.querySelectorAll("[data-anchor]"))
    places.set(`@${element.dataset.anchor}`, element.getBoundingClientRect());
  return places;
}

function glide(before) {
  if (calm.matches) return;
  for (const [name, element] of pieces()) {
    const now = element.getBoundingClientRect();
    const was = before.get(name) || (element.dataset.from && before.get(`@${element.dataset.from}`));
    if (!was || !now.width) continue;
    const dx = was.left + was.width / 2 - now.left - now.width / 2;
    const dy = was.top + was.height / 2 - now.top - now.height / 2;
    if (Math.abs(dx) + Math.abs(dy) < 2) continue;
    element.animate(
      [{ transform: `translate(${dx}px, ${dy}px)`, zIndex: 5 }, { transform: "none", zIndex: 5 }],
      { duration: 420, easing: "cubic-bezier(.2,.8,.2,1)" },
    );
  }
}

function swap(html) {
  const focused = document.activeElement?.closest?.("[id], [data-play]");
  const again = focused && (focused.id ? `#${CSS.escape(focused.id)}` : `[data-play="${CSS.escape(focused.dataset.play)}"]`);
  const before = measured();
  for (const [name, text] of Object.entries(html)) {
    const part = document.getElementById(name);
    if (part && part.innerHTML !== text) part.innerHTML = text;
  }
  glide(before);
  if (again && !document.contains(focused)) root.querySelector(again)?.focus();
  mark(null);
  fillLink();
}

/* Choices: the first touch shows what would happen, the second does it */

let marked = null;

function mark(choice) {
  marked = choice;
  for (const element of root.querySelectorAll(".marked, .would-stay, .would-go"))
    element.classList.remove("marked", "would-stay", "would-go");
  preview.textContent = choice ? choice.getAttribute("aria-label") : "";
  if (!choice) return;
  choice.classList.add("marked");
  const there = pieces();
  for (const word of (choice.dataset.marks || "").split(" ").filter(Boolean)) {
    const [name, kind] = word.split(":");
    there.get(name)?.classList.add(kind === "taken" ? "would-go" : "would-stay");
  }
}

function choose(choice, event) {
  const touched = event.pointerType === "touch" || event.detail > 0;
  if (marked === choice || choice.hasAttribute("data-at-once") || !touched) {
    play(choice.dataset.play);
    mark(null);
  } else mark(choice);
}

root.addEventListener("click", (event) => {
  const choice = event.target.closest("[data-play]");
  const command = event.target.closest("[data-do]");
  if (choice) choose(choice, event);
  else if (command) act(command);
  else if (event.target.id === "copy") copyLink();
  else mark(null);
});
root.addEventListener("focusin", (event) => {
  const choice = event.target.closest("[data-play]");
  if (choice && choice.matches(":focus-visible")) mark(choice);
});
root.addEventListener("keydown", (event) => {
  if (event.key === "Escape") mark(null);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const choices = [...root.querySelectorAll("[data-play]")];
  const at = choices.indexOf(document.activeElement);
  if (step && choices.length && !event.target.matches("input, select")) {
    choices[(at + step + choices.length) % choices.length].focus();
    event.preventDefault();
  }
});
document.getElementById("say")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const input = event.target.elements.text;
  if (input.value.trim()) send({ do: "say", seat: Number(seat), text: input.value });
  input.value = "";
});

/* Commands */

function play(action) {
  send({ do: "play", seat: Number(seat), action });
}

function act(button) {
  if (button.dataset.confirm && !confirm(button.dataset.confirm)) return;
  const fields = JSON.parse(button.dataset.fields || "{}");
  if (button.dataset.do === "sit") sit(fields);
  else send({ do: button.dataset.do, ...fields });
}

// To sit down sets the cookie, which a WebSocket can't: so it goes by HTTP, and the page is opened anew.
async function sit(fields) {
  const name = localStorage.getItem("name") || prompt("?", "") || "";
  if (!name) return;
  localStorage.setItem("name", name);
  const command = { do: "sit", at: version, key: randomHex(8), name, contribution: randomHex(32), ...fields };
  const secret = invitation();
  if (secret && !secret.startsWith("seat.")) command.invitation = secret;
  const answer = await post(command);
  if (answer.type === "done") location.reload();
  else complain(answer.says);
}

async function claim() {
  const [kind, number, secret] = fragment.split(".");
  if (kind !== "seat") return;
  const answer = await post({ do: "claim", at: version, key: randomHex(8), seat: Number(number), secret });
  history.replaceState(null, "", location.pathname);
  sessionStorage.removeItem(`link.${id}`);
  if (answer.type === "done") location.reload();
  else complain(answer.says);
}

async function post(command) {
  const answer = await fetch(`/api/tables/${id}/commands`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(command),
  });
  return answer.json();
}

function send(command) {
  const whole = { at: version, key: randomHex(8), ...command };
  pending.set(whole.key, whole);
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(whole));
}

function complain(sentence) {
  toast.textContent = sentence;
  toast.hidden = false;
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => (toast.hidden = true), 6000);
}

function fillLink() {
  const input = document.getElementById("link");
  if (input) input.value = `${location.origin}/tables/${id}${invitation() ? "#" + invitation() : ""}`;
}

async function copyLink() {
  const input = document.getElementById("link");
  try {
    await navigator.clipboard.writeText(input.value);
  } catch {
    input.select();
  }
}

/* The connection: comes back by itself, and sends again what was not answered */

function connect() {
  const where = new URL(`/api/tables/${id}/live?form=page&after=${version}${seat === "" ? "" : `&seat=${seat}`}`, location);
  where.protocol = where.protocol.replace("http", "ws");
  socket = new WebSocket(where);
  socket.onopen = () => {
    wait = 250;
    connection.textContent = root.dataset.back;
    connection.className = "";
    for (const command of pending.values()) socket.send(JSON.stringify(command));
  };
  socket.onmessage = (event) => hear(JSON.parse(event.data));
  socket.onclose = () => {
    connection.textContent = root.dataset.lost;
    connection.className = "lost";
    setTimeout(connect, wait);
    wait = Math.min(2 * wait, 10000);
  };
}

function hear(message) {
  if (message.type === "page" && message.version >= version) {
    version = message.version;
    root.dataset.version = version;
    document.title = message.title;
    document.getElementById("icon").href = message.mine ? icon.replace("icon.svg", "icon.svg#turn") : icon;
    swap(message.html);
  } else if (message.type === "done") pending.delete(message.key);
  else if (message.type === "refused") {
    pending.delete(message.key);
    complain(message.says);
  } else if (message.type === "present") {
    for (const item of root.querySelectorAll("[data-seat]"))
      item.classList.toggle("here", message.seats.includes(Number(item.dataset.seat)));
  }
}

const icon = document.getElementById("icon").href;
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && socket?.readyState === WebSocket.CLOSED) connect();
});
if (fragment.startsWith("seat.")) claim();
fillLink();
connect();
