// A score pad: who plays, rounds and their totals, all kept in this browser. What a round is, a game's module says:
//   empty(seats)         a round in which nothing has been entered
//   fits(round, seats)   whether something read from the browser is a round
//   score(round)         { points, winners, reason }
//   missing(round, names)        what has to be entered first, in a sentence, or ""
//   show(round, player, names)   let the chosen player's things be seen and changed
//   sheet(round, names)          how the points come about, as an element, or null
//   fewest               whether the fewest points win
//   together             whether one enters for all players at once

import { byId, counted, fill, initials, make, named, resultOf, root, unseen, words } from "./score-pad-common.js";

const KEY = `pad.${words.game}`;
const MOST_UNDONE = 20;
const setup = byId("setup");
let game = null;
let state = null; // { players, player, rounds, draft, changing: null or { index, round } }
let past = [];

/* What is kept */

function fits(found) {
  const seats = found.players.length;
  const rounds = [...found.rounds, found.draft, ...(found.changing ? [found.changing.round] : [])];
  const known = seats > 1 && seats <= setup.elements.player.length && found.players.every((name) => typeof name === "string" && name);
  return known && found.player in found.players && rounds.every((round) => game.fits(round, seats));
}

function recalled(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return ""; // a browser that keeps nothing
  }
}

function read() {
  [state, past] = [null, []];
  try {
    const kept = JSON.parse(recalled(KEY));
    if (fits(kept.state)) [state, past] = [kept.state, kept.past.filter(fits)];
  } catch {
    // Nothing has been kept, or not by us: then one begins.
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify({ state, past }));
  } catch {
    // A browser that keeps nothing still counts.
  }
}

function become(next, said = "") {
  if (state) past = [...past, state].slice(-MOST_UNDONE);
  state = next;
  keep();
  draw();
  tell(said);
}

const round = () => (state.changing ? state.changing.round : state.draft);
const tell = (sentence) => (byId("told").textContent = sentence);

function complain(sentence) {
  byId("problem").textContent = sentence;
  byId("problem").hidden = !sentence;
  if (sentence) byId("problem").scrollIntoView({ block: "nearest" });
}

// The game's module has entered something for the chosen player.
export function enter(next, what) {
  const name = state.players[state.player];
  const said = what && (game.together ? what : counted(name, what, game.score(next).points[state.player]));
  const changed = state.changing ? { changing: { ...state.changing, round: next } } : { draft: next };
  become({ ...state, ...changed }, said);
}

export const say = tell;

/* What is seen */

function draw() {
  complain("");
  const ready = state !== null && setup.hidden;
  byId("pad").hidden = !ready;
  if (!ready) return;
  const { players, rounds, changing } = state;
  const number = changing ? changing.index + 1 : rounds.length + 1;
  const now = round();
  const missing = game.missing(now, players);
  byId("which").textContent = fill(words.round, { number });
  drawChips(game.score(now).points);
  game.show(now, state.player, players);
  byId("sheet").replaceChildren(...[game.sheet(now, players)].filter(Boolean));
  byId("result").textContent = missing || game.together ? "" : resultOf(game.score(now), players);
  byId("add").textContent = changing ? fill(words.save, { number }) : words.add;
  byId("cancel").hidden = byId("remove").hidden = !changing;
  byId("undo").disabled = !past.length;
  byId("next").hidden = game.together;
  drawRounds();
  drawSheets(missing ? rounds : [...rounds, ...(changing ? [] : [now])]);
}

function drawChips(points) {
  const chips = byId("chips");
  const letters = initials(state.players);
  chips.hidden = game.together;
  const shown = [...chips.querySelectorAll(".who")].map((each) => each.textContent);
  if (shown.join("\n") !== state.players.join("\n")) {
    for (const old of chips.querySelectorAll("label")) old.remove();
    for (const [seat, name] of state.players.entries())
      chips.append(make("label", {}, make("input", { type: "radio", name: "chosen", value: seat }),
        make("span", {}, make("b", { "aria-hidden": "true" }, letters[seat]), named(name), make("output"))));
  }
  for (const [seat, chip] of [...chips.querySelectorAll("label")].entries()) {
    chip.querySelector("input").checked = seat === state.player;
    chip.querySelector("output").textContent = points[seat];
  }
}

function pointsCell(score, wins, label) {
  return make("td", wins ? { class: "won" } : {}, ...(wins ? [make("span", { class: "crown", "aria-hidden": "true" }, "♛"), unseen(`${label} `)] : []), String(score));
}

function drawRounds() {
  const { players, rounds, changing } = state;
  const scores = rounds.map(game.score);
  const totals = players.map((_, seat) => scores.reduce((sum, { points }) => sum + points[seat], 0));
  const best = game.fewest ? Math.min(...totals) : Math.max(...totals);
  const table = byId("rounds").querySelector("table");
  byId("rounds").hidden = !rounds.length;
  const [head, foot] = [table.tHead.rows[0], table.tFoot.rows[0]];
  head.replaceChildren(head.firstElementChild, ...players.map((name) => make("th", { scope: "col" }, named(name))));
  foot.replaceChildren(foot.firstElementChild, ...totals.map((total) => pointsCell(total, total === best, words.leads)));
  table.tBodies[0].replaceChildren(...scores.map(({ points, winners }, index) => {
    const number = index + 1;
    const button = make("button", { type: "button", "data-round": index, "aria-label": fill(words.edit, { number }), title: fill(words.edit, { number }) }, `${number}`, make("span", { class: "pencil" }, " ✎"));
    const cells = points.map((score, seat) => pointsCell(score, winners.includes(seat), words.winner));
    return make("tr", changing?.index === index ? { class: "changing" } : {}, make("th", { scope: "row" }, button), ...cells);
  }));
}

// On paper: how the points of every round came about.
function drawSheets(rounds) {
  const sheets = rounds.map((each, index) => {
    const sheet = game.sheet(each, state.players);
    return sheet && make("section", {}, make("h3", {}, fill(words.round, { number: index + 1 })), sheet, make("p", {}, resultOf(game.score(each), state.players)));
  });
  byId("sheets").replaceChildren(...sheets.filter(Boolean));
  byId("sheets").classList.toggle("many", rounds.length > 3);
}

/* Who plays */

function askNames() {
  const names = setup.elements.player;
  const known = state?.players ?? [recalled("name")];
  for (const [seat, input] of [...names].entries()) input.value = known[seat] ?? "";
  if (state) setup.elements.seats.value = String(known.length);
  setup.querySelector("fieldset").hidden = Boolean(state?.rounds.length || state?.changing);
  setup.querySelector("button").textContent = state ? words.done : words.begin;
  setup.hidden = false;
  fewerNames();
  draw();
}

function fewerNames() {
  for (const [seat, input] of [...setup.elements.player].entries()) input.hidden = seat >= Number(setup.elements.seats.value);
}

function begin(event) {
  event.preventDefault();
  const seats = Number(setup.elements.seats.value);
  const inputs = [...setup.elements.player].slice(0, seats);
  const players = inputs.map((input, seat) => input.value.trim() || fill(words.player, { number: seat + 1 }));
  if (new Set(players).size < seats) {
    complain(words.same);
    return;
  }
  setup.hidden = true;
  if (state?.players.length === seats) become({ ...state, players });
  else become({ players, player: 0, rounds: [], draft: game.empty(seats), changing: null });
  byId("which").focus();
}

/* Rounds */

function addRound() {
  const { players, rounds, changing } = state;
  const problem = game.missing(round(), players);
  if (problem) {
    complain(problem);
    return;
  }
  const number = changing ? changing.index + 1 : rounds.length + 1;
  const said = fill(words.added, { number });
  if (changing) become({ ...state, rounds: rounds.with(changing.index, changing.round), changing: null }, said);
  else become({ ...state, player: 0, rounds: [...rounds, state.draft], draft: game.empty(players.length) }, said);
  byId("which").focus();
}

function change(index) {
  become({ ...state, player: 0, changing: { index, round: state.rounds[index] } });
  byId("which").focus();
}

function leave(rounds) {
  become({ ...state, rounds, changing: null });
  byId("which").focus();
}

function undo() {
  state = past.at(-1);
  past = past.slice(0, -1);
  keep();
  draw();
  tell(words.undone);
}

function choose(player) {
  state = { ...state, player };
  keep();
  draw();
}

function listen() {
  setup.addEventListener("submit", begin);
  setup.addEventListener("change", fewerNames);
  byId("chips").addEventListener("change", (event) => choose(Number(event.target.value)));
  byId("rounds").addEventListener("click", (event) => {
    const button = event.target.closest("[data-round]");
    if (button) change(Number(button.dataset.round));
  });
  const asking = byId("asking");
  asking.addEventListener("close", () => {
    if (asking.returnValue !== "anew") return;
    become({ ...state, player: 0, rounds: [], draft: game.empty(state.players.length), changing: null });
    askNames();
    asking.returnValue = "";
  });
  const pressed = {
    players: askNames, add: addRound, undo, print: () => print(), anew: () => asking.showModal(),
    cancel: () => leave(state.rounds),
    remove: () => leave(state.rounds.toSpliced(state.changing.index, 1)),
    next: () => choose((state.player + 1) % state.players.length),
  };
  for (const [name, act] of Object.entries(pressed)) byId(name).addEventListener("click", act);
  // The same pad in another tab.
  addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    read();
    draw();
  });
}

export function open(rules) {
  game = rules;
  read();
  listen();
  if (state) draw();
  else askNames();
  // Without the network, what has been loaded once goes on working; browsers offer that to safe addresses alone.
  navigator.serviceWorker?.register("/score/worker.js", { scope: "/score/", updateViaCache: "none" }).catch(() => {});
}
