// The analysis panel of a replay: moves to try, the coach's verdict, expected play, comments, and the list of variations.

import { announce, byId, id, root, textOf, tryCallApi } from "./dom.js";
import { findChoice, highlightIn } from "./highlights.js";
import { addMove, commentOn, isEmpty, lineOf, placeBefore, removeMove, saveTree, setComment, tree } from "./variations.js";

const url = (what) => `/api/replays/${id}/${what}`;
const comment = byId("comment");
const verdicts = new Map(); // the verdict of each position and viewer, as HTML
const lines = new Map(); // and what is expected there: the HTML and the moves
let shown = null; // { place, viewer } that the panel is about
let goTo = () => {};

const keyOf = ({ place, viewer }) => JSON.stringify([lineOf(place), viewer]);
const ask = ({ place, viewer }) => ({ line: lineOf(place), seat: viewer });
const isShown = (where) => shown !== null && keyOf(shown) === keyOf(where);

// Makes the panel follow the page; `go` shows a place.
export function startAnalysis(go) {
  goTo = go;
  showVariations();
}

// Shows what belongs to a position: its verdict if there is one, its comment, and where it is in the list.
export function followPosition(place, viewer) {
  shown = { place, viewer };
  const key = keyOf(shown);
  if (verdicts.has(key)) byId("choices").innerHTML = verdicts.get(key);
  byId("expected").innerHTML = lines.get(key)?.html ?? "";
  comment.value = commentOn(place);
  if (comment.value) byId("comments").open = true;
  byId("remove").hidden = place.node === null;
  markCurrent();
}

function markCurrent() {
  for (const button of byId("variations").querySelectorAll("button")) {
    const { node, moment } = button.dataset;
    const isHere = shown.place.node === null ? Number(moment) === shown.place.at : Number(node) === shown.place.node;
    if (isHere) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

// Renders the list of variations; the latest request counts.
let requests = 0;
export async function showVariations(viewer = byId("eyes").value) {
  const request = ++requests;
  const found = isEmpty() ? { html: "" } : await tryCallApi(url("variations"), { tree, seat: viewer });
  if (found === null || request !== requests) return;
  byId("variations").innerHTML = found.html;
  if (shown) markCurrent();
}

function treeChanged() {
  saveTree();
  showVariations();
}

// Tries a move from the position on the page: the game's own move leads on in the game, others into a variation.
export async function tryMove(action, seat) {
  const { place } = shown;
  const found = await tryCallApi(url("moves"), { line: lineOf(place), action, seat: Number(seat) });
  if (found === null || shown.place !== place) return;
  if (found.played) return goTo({ at: place.at + 1, node: null });
  const reached = addMove(place, found.move);
  treeChanged();
  goTo(reached);
}

async function askVerdict(button) {
  const where = shown;
  button.disabled = true;
  announce((byId("thinking").textContent = root.dataset.thinking));
  const found = await tryCallApi(url("verdict"), ask(where));
  byId("thinking").textContent = "";
  button.disabled = false;
  if (found === null) return;
  verdicts.set(keyOf(where), found.html);
  if (!isShown(where)) return;
  byId("choices").innerHTML = found.html;
  byId("verdict").focus({ preventScroll: true });
  announce(textOf(found.html.slice(0, found.html.indexOf("<ol"))));
}

async function askLine(button) {
  const where = shown;
  button.disabled = true;
  announce((byId("thinking").textContent = root.dataset.thinking));
  const found = await tryCallApi(url("expected"), ask(where));
  byId("thinking").textContent = "";
  button.disabled = false;
  if (found === null) return;
  lines.set(keyOf(where), found);
  if (!isShown(where)) return;
  byId("expected").innerHTML = found.html;
  byId("line-title").focus({ preventScroll: true });
  announce(textOf(found.html));
}

function addLine() {
  let { place } = shown;
  const first = lines.get(keyOf(shown)).moves.reduce((found, move) => {
    place = addMove(place, move);
    return found ?? place;
  }, null);
  treeChanged();
  goTo(first);
}

async function removeVariation() {
  const { place } = shown;
  await goTo(placeBefore(place)); // moves before it keep their numbers
  if (shown.place === place) return; // the server couldn't be reached
  removeMove(place.node);
  treeChanged();
}

root.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { dataset } = button;
  if (dataset.try) tryMove(dataset.try, dataset.seat);
  else if (dataset.play && button.closest("#scene")) tryMove(dataset.play, shown.viewer);
  else if (dataset.node) goTo({ at: tree.nodes[dataset.node].at, node: Number(dataset.node) });
  else if (dataset.moment) goTo({ at: Number(dataset.moment), node: null });
  else if (button.id === "ask-verdict") askVerdict(button);
  else if (button.id === "ask-line") askLine(button);
  else if (button.id === "add-line") addLine();
  else if (button.id === "remove") removeVariation();
});

// Shows in the scene what a choice would do, where the scene offers it.
for (const kind of ["pointerover", "focusin"])
  byId("choices").addEventListener(kind, (event) => {
    const option = event.target.closest("[data-try]");
    if (option) highlightIn(byId("scene"), findChoice(byId("scene"), option.dataset.try));
  });

comment.addEventListener("input", () => {
  setComment(shown.place, comment.value);
  saveTree();
});
comment.addEventListener("change", () => showVariations());

// The link to what is on the page: the tree is stored when it is shared.
export async function shareAnalysis() {
  if (isEmpty()) return "";
  const stored = await tryCallApi(url("analyses"), tree);
  return stored === null ? null : `&analysis=${stored.id}`;
}
