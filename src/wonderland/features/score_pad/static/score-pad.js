// A score pad: players, rounds and totals, all kept in local storage. The game's module defines what a round is:
//   empty(seats)                 a round without entries
//   fits(round, seats)           whether data from local storage is a valid round
//   score(round)                 { points, winners, reason }
//   missing(round, names)        a sentence that says what has to be entered first, or ""
//   show(round, player, names)   shows the chosen player's entries for editing
//   sheet(round, names)          an element that explains the points, or null
//   fewest                       whether the fewest points win
//   together                     whether one form is for all players

import { byId, countMessage, fill, hiddenText, initials, make, nameElement, resultOf, words } from "./score-pad-common.js";

const KEY = `pad.${words.game}`;
const MAX_UNDO_STEPS = 20;
const setup = byId("setup");
let game = null;
let state = null; // { players, player, rounds, draft, changing: null or { index, round } }
let past = [];

/* State and storage */

function isValid(stored) {
  const seats = stored.players.length;
  const rounds = [...stored.rounds, stored.draft, ...(stored.changing ? [stored.changing.round] : [])];
  const hasPlayers = seats > 1 && seats <= setup.elements.player.length && stored.players.every((name) => typeof name === "string" && name);
  return hasPlayers && stored.player in stored.players && rounds.every((round) => game.fits(round, seats));
}

function readStorage(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return ""; // storage is blocked
  }
}

function load() {
  [state, past] = [null, []];
  try {
    const stored = JSON.parse(readStorage(KEY));
    if (isValid(stored.state)) [state, past] = [stored.state, stored.past.filter(isValid)];
  } catch {
    // Nothing stored, or not our data: start a new pad.
  }
}

function save() {
  try {
    localStorage.setItem(KEY, JSON.stringify({ state, past }));
  } catch {
    // Without storage, the pad still works until it is closed.
  }
}

// Makes a state the current one, which can be undone.
function setState(next, message = "") {
  if (state) past = [...past, state].slice(-MAX_UNDO_STEPS);
  state = next;
  save();
  render();
  announce(message);
}

const currentRound = () => (state.changing ? state.changing.round : state.draft);
export const announce = (sentence) => (byId("told").textContent = sentence);

function showError(sentence) {
  byId("problem").textContent = sentence;
  byId("problem").hidden = !sentence;
  if (sentence) byId("problem").scrollIntoView({ block: "nearest" });
}

// Called by the game's module with a changed round; `what` describes the chosen player's entry.
export function enterRound(next, what) {
  const name = state.players[state.player];
  const message = what && (game.together ? what : countMessage(name, what, game.score(next).points[state.player]));
  const changed = state.changing ? { changing: { ...state.changing, round: next } } : { draft: next };
  setState({ ...state, ...changed }, message);
}

/* Rendering */

function render() {
  showError("");
  const isReady = state !== null && setup.hidden;
  byId("pad").hidden = !isReady;
  if (!isReady) return;
  const { players, rounds, changing } = state;
  const number = changing ? changing.index + 1 : rounds.length + 1;
  const round = currentRound();
  const missing = game.missing(round, players);
  byId("which").textContent = fill(words.round, { number });
  renderChips(game.score(round).points);
  game.show(round, state.player, players);
  byId("score-sheet").replaceChildren(...[game.sheet(round, players)].filter(Boolean));
  byId("result").textContent = missing || game.together ? "" : resultOf(game.score(round), players);
  byId("add").textContent = changing ? fill(words.save, { number }) : words.add;
  byId("cancel").hidden = byId("remove").hidden = !changing;
  byId("undo").disabled = !past.length;
  byId("next").hidden = game.together;
  renderRounds();
  renderSheets(missing ? rounds : [...rounds, ...(changing ? [] : [round])]);
}

function renderChips(points) {
  const chips = byId("chips");
  const letters = initials(state.players);
  chips.hidden = game.together;
  const shown = [...chips.querySelectorAll(".who")].map((each) => each.textContent);
  if (shown.join("\n") !== state.players.join("\n")) {
    for (const old of chips.querySelectorAll("label")) old.remove();
    for (const [seat, name] of state.players.entries())
      chips.append(make("label", {}, make("input", { type: "radio", name: "chosen", value: seat }),
        make("span", {}, make("b", { "aria-hidden": "true" }, letters[seat]), nameElement(name), make("output"))));
  }
  for (const [seat, chip] of [...chips.querySelectorAll("label")].entries()) {
    chip.querySelector("input").checked = seat === state.player;
    chip.querySelector("output").textContent = points[seat];
  }
}

function pointsCell(score, isBest, label) {
  return make("td", isBest ? { class: "won" } : {}, ...(isBest ? [make("span", { class: "crown", "aria-hidden": "true" }, "♛"), hiddenText(`${label} `)] : []), String(score));
}

function renderRounds() {
  const { players, rounds, changing } = state;
  const scores = rounds.map(game.score);
  const totals = players.map((_, seat) => scores.reduce((sum, { points }) => sum + points[seat], 0));
  const best = game.fewest ? Math.min(...totals) : Math.max(...totals);
  const table = byId("rounds").querySelector("table");
  byId("rounds").hidden = !rounds.length;
  const [head, foot] = [table.tHead.rows[0], table.tFoot.rows[0]];
  head.replaceChildren(head.firstElementChild, ...players.map((name) => make("th", { scope: "col" }, nameElement(name))));
  foot.replaceChildren(foot.firstElementChild, ...totals.map((total) => pointsCell(total, total === best, words.leads)));
  table.tBodies[0].replaceChildren(...scores.map(({ points, winners }, index) => {
    const number = index + 1;
    const button = make("button", { type: "button", "data-round": index, "aria-label": fill(words.edit, { number }), title: fill(words.edit, { number }) }, `${number}`, make("span", { class: "pencil" }, " ✎"));
    const cells = points.map((score, seat) => pointsCell(score, winners.includes(seat), words.winner));
    return make("tr", changing?.index === index ? { class: "changing" } : {}, make("th", { scope: "row" }, button), ...cells);
  }));
}

// For printing: the score sheet of every round.
function renderSheets(rounds) {
  const sheets = rounds.map((each, index) => {
    const sheet = game.sheet(each, state.players);
    return sheet && make("section", {}, make("h3", {}, fill(words.round, { number: index + 1 })), sheet, make("p", {}, resultOf(game.score(each), state.players)));
  });
  byId("sheets").replaceChildren(...sheets.filter(Boolean));
  byId("sheets").classList.toggle("many", rounds.length > 3);
}

/* Players */

function askNames() {
  const names = setup.elements.player;
  const known = state?.players ?? [readStorage("name")];
  for (const [seat, input] of [...names].entries()) input.value = known[seat] ?? "";
  if (state) setup.elements.seats.value = String(known.length);
  setup.querySelector("fieldset").hidden = Boolean(state?.rounds.length || state?.changing);
  setup.querySelector("button").textContent = state ? words.done : words.begin;
  setup.hidden = false;
  showNameFields();
  render();
}

function showNameFields() {
  for (const [seat, input] of [...setup.elements.player].entries()) input.hidden = seat >= Number(setup.elements.seats.value);
}

function submitNames(event) {
  event.preventDefault();
  const seats = Number(setup.elements.seats.value);
  const inputs = [...setup.elements.player].slice(0, seats);
  const players = inputs.map((input, seat) => input.value.trim() || fill(words.player, { number: seat + 1 }));
  if (new Set(players).size < seats) {
    showError(words.same);
    return;
  }
  setup.hidden = true;
  if (state?.players.length === seats) setState({ ...state, players });
  else setState({ players, player: 0, rounds: [], draft: game.empty(seats), changing: null });
  byId("which").focus();
}

/* Rounds */

function addRound() {
  const { players, rounds, changing } = state;
  const problem = game.missing(currentRound(), players);
  if (problem) {
    showError(problem);
    return;
  }
  const number = changing ? changing.index + 1 : rounds.length + 1;
  const message = fill(words.added, { number });
  if (changing) setState({ ...state, rounds: rounds.with(changing.index, changing.round), changing: null }, message);
  else setState({ ...state, player: 0, rounds: [...rounds, state.draft], draft: game.empty(players.length) }, message);
  byId("which").focus();
}

function editRound(index) {
  setState({ ...state, player: 0, changing: { index, round: state.rounds[index] } });
  byId("which").focus();
}

function finishEditing(rounds) {
  setState({ ...state, rounds, changing: null });
  byId("which").focus();
}

function undo() {
  state = past.at(-1);
  past = past.slice(0, -1);
  save();
  render();
  announce(words.undone);
}

function choosePlayer(player) {
  state = { ...state, player };
  save();
  render();
}

function addListeners() {
  setup.addEventListener("submit", submitNames);
  setup.addEventListener("change", showNameFields);
  byId("chips").addEventListener("change", (event) => choosePlayer(Number(event.target.value)));
  byId("rounds").addEventListener("click", (event) => {
    const button = event.target.closest("[data-round]");
    if (button) editRound(Number(button.dataset.round));
  });
  const dialog = byId("asking");
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "new-game") return;
    setState({ ...state, player: 0, rounds: [], draft: game.empty(state.players.length), changing: null });
    askNames();
    dialog.returnValue = "";
  });
  const actions = {
    players: askNames, add: addRound, undo, print: () => print(), "new-game": () => dialog.showModal(),
    cancel: () => finishEditing(state.rounds),
    remove: () => finishEditing(state.rounds.toSpliced(state.changing.index, 1)),
    next: () => choosePlayer((state.player + 1) % state.players.length),
  };
  for (const [name, action] of Object.entries(actions)) byId(name).addEventListener("click", action);
  // Another tab has changed the same pad.
  addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    load();
    render();
  });
}

export function openPad(rules) {
  game = rules;
  load();
  addListeners();
  if (state) render();
  else askNames();
  // Offline use; browsers offer service workers on secure origins only.
  navigator.serviceWorker?.register("/score/worker.js", { scope: "/score/", updateViaCache: "none" }).catch(() => {});
}
