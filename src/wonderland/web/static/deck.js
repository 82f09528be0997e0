// The deck: loads the drawings of the pieces, which the browser caches, and changes to another deck without a reload.

import { byId } from "./dom.js";

const YEAR = 365 * 24 * 3600;
const RETRY_MS = 2000;
const holder = byId("deck");
const choice = byId("deck-choice"); // only for a game with several decks

async function loadDrawings(address) {
  for (;;) {
    try {
      const response = await fetch(address);
      if (response.ok) return await response.text();
    } catch {
      // There is no connection: try again.
    }
    await new Promise((done) => setTimeout(done, RETRY_MS));
  }
}

// Adds a style sheet to the page, and returns it once it applies.
function loadStyle(address) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", id: "deck-style", href: address });
  return new Promise((done) => {
    link.onload = link.onerror = () => done(link);
    document.head.append(link);
  });
}

// Puts the drawings into the page, not displayed, which spares the styles of some thousand elements. Only clips must be.
function insertDrawings(drawings) {
  holder.innerHTML = drawings;
  const symbols = holder.firstElementChild;
  const clips = symbols.cloneNode();
  clips.append(...symbols.querySelectorAll("clipPath"));
  holder.append(clips);
  symbols.style.display = "none";
}

// Shows a deck. Both files are loaded before anything changes, so no card is drawn in a mixture of two decks.
let latest = 0;
async function showDeck(address, style) {
  const turn = ++latest;
  const before = byId("deck-style");
  const [drawings, link] = await Promise.all([loadDrawings(address), style ? loadStyle(style) : null]);
  if (turn !== latest) {
    link?.remove(); // another deck was chosen meanwhile
    return;
  }
  before?.remove();
  insertDrawings(drawings);
}

export function setUpDeck() {
  loadDrawings(holder.dataset.drawings).then((drawings) => {
    if (!latest) insertDrawings(drawings);
  });
  choice?.addEventListener("change", () => {
    document.cookie = `deck=${choice.value}; path=/; max-age=${YEAR}; samesite=lax`;
    const { drawings, style } = choice.selectedOptions[0].dataset;
    showDeck(drawings, style);
  });
}
