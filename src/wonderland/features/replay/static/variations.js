// The tree of variations of a recorded game, as the server knows it (variations.py), and places in it.
//
// A place is a moment of the game, { at, node: null }, or a move of the tree, { at, node }, where `at` is the moment at which
// its variation branches off.

import { id, root } from "./dom.js";

const last = Number(root.dataset.last);
const shared = root.dataset.analysis; // the JSON of a shared tree, if the link names one
const KEY = `analysis.${id}${shared ? `.${root.dataset.analysisId}` : ""}`; // changes to a shared tree are kept apart from the own one
const MAX_KEPT = 50; // games whose variations this browser keeps

const isTree = (tree) => Array.isArray(tree?.nodes) && typeof tree.comments === "object";
const parse = (text) => {
  try {
    const tree = JSON.parse(text);
    return isTree(tree) ? tree : null;
  } catch {
    return null;
  }
};
const readStored = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is blocked
  }
};

export const tree = parse(readStored()) ?? parse(shared) ?? { nodes: [], comments: {} };
export const isEmpty = () => !tree.nodes.length && !Object.keys(tree.comments).length;

export function saveTree() {
  try {
    localStorage.removeItem(KEY); // the newest come last
    if (!isEmpty()) localStorage.setItem(KEY, JSON.stringify(tree));
    const kept = Object.keys(localStorage).filter((key) => key.startsWith("analysis."));
    for (const key of kept.slice(0, Math.max(0, kept.length - MAX_KEPT))) if (key !== KEY) localStorage.removeItem(key);
  } catch {
    // Storage is full or blocked: the variations live as long as the page.
  }
}

export function replaceTree(other) {
  tree.nodes = other.nodes;
  tree.comments = other.comments;
}

// The server's name of a place: a moment, and the moves from there.
export function lineOf({ at, node }) {
  const moves = [];
  for (let each = node; each !== null && each !== undefined; each = tree.nodes[each].parent) moves.unshift(tree.nodes[each].move);
  return { at, moves };
}

const children = ({ at, node }) =>
  tree.nodes.flatMap((each, place) => ((each.parent ?? null) === node && (node !== null || each.at === at) ? [{ at: each.at, node: place }] : []));

// Every way on from a place, the game's own first.
const waysOn = (place) => [...(place.node === null && place.at < last ? [{ at: place.at + 1, node: null }] : []), ...children(place)];

export function placeBefore({ at, node }) {
  if (node === null) return at > 0 ? { at: at - 1, node } : null;
  return { at, node: tree.nodes[node].parent ?? null };
}
export const placeAfter = (place) => waysOn(place)[0] ?? null;

// The next or previous way on from the place before: another variation, or the game.
export function placeBeside(place, step) {
  const before = placeBefore(place);
  const ways = before ? waysOn(before) : [];
  return ways[ways.findIndex((each) => each.at === place.at && each.node === place.node) + step] ?? null;
}

// Adds a move after a place, unless it is there already; returns its place.
export function addMove(place, move) {
  const known = children(place).find(({ node }) => tree.nodes[node].move.seat === move.seat && tree.nodes[node].move.action === move.action);
  if (known) return known;
  tree.nodes.push({ move, at: place.at, parent: place.node, comment: "" });
  return { at: place.at, node: tree.nodes.length - 1 };
}

// Removes a move with everything after it.
export function removeMove(node) {
  const gone = new Set([node]);
  const places = new Map(); // old to new
  tree.nodes.forEach((each, place) => {
    if (gone.has(each.parent)) gone.add(place);
    if (!gone.has(place)) places.set(place, places.size);
  });
  tree.nodes = tree.nodes.filter((_, place) => !gone.has(place)).map((each) => ({ ...each, parent: places.get(each.parent) ?? null }));
}

export const commentOn = ({ at, node }) => (node === null ? tree.comments[at] : tree.nodes[node].comment) ?? "";
export function setComment({ at, node }, text) {
  if (node !== null) tree.nodes[node].comment = text;
  else if (text) tree.comments[at] = text;
  else delete tree.comments[at];
}
