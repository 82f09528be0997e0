// Choosing an action: pointing at, touching or focusing a choice previews it; clicking again plays it.

import { byId, root } from "./dom.js";
import { findChoice, highlightIn } from "./highlights.js";
import { drawPieces } from "./pictures.js";

const preview = byId("preview");
const confirmButton = byId("confirm"); // plays what is highlighted; tables only
let highlighted = null;
let usesKeyboard = false;
let playChoice = () => {};

export const isUsingKeyboard = () => usesKeyboard;

// Highlights a choice and previews it in words, by default in its own label; null clears the preview.
export function highlightChoice(choice, text) {
  if (choice === highlighted && choice && !text) return;
  highlighted = choice;
  preview.textContent = text || (choice ? choice.getAttribute("aria-label") : "");
  drawPieces(preview);
  highlightIn(root, choice);
  if (!confirmButton) return;
  confirmButton.hidden = !choice?.dataset.offer;
  confirmButton.textContent = choice?.dataset.offer ?? "";
}

// Clears the highlight if an update of the page has removed the choice.
export function dropStaleHighlight() {
  if (!root.contains(highlighted)) highlightChoice(null);
}

// The choice at an event: a button, or the button that a place on the table stands for (`data-target`).
function choiceAt(event) {
  const at = event.target.closest?.("[data-play], [data-target]");
  return at?.dataset.target ? findChoice(root, at.dataset.target) : at;
}

// Calls `play` with the choice that is played. Other clicks go to `handleClick`, which returns whether it used them.
export function handleChoices(play, handleClick) {
  playChoice = play;
  root.addEventListener("click", (event) => {
    const choice = choiceAt(event);
    const byPointer = event.detail > 0; // a finger or a mouse, not a key
    event.target.closest("svg [tabindex]")?.focus(); // a touch doesn't always do so
    if (highlighted && event.target === confirmButton) return play(highlighted);
    if (choice) {
      if (highlighted === choice || !byPointer || choice.hasAttribute("data-at-once")) play(choice);
      else highlightChoice(choice);
    } else if (!handleClick(event.target, event)) highlightChoice(null);
  });
}

root.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse") return;
  const choice = choiceAt(event);
  if (choice) highlightChoice(choice);
});
root.addEventListener("focusin", (event) => {
  const choice = choiceAt(event);
  if (choice && choice.matches(":focus-visible")) highlightChoice(choice);
});
document.addEventListener("pointerdown", () => (usesKeyboard = false), true);
document.addEventListener("keydown", (event) => {
  usesKeyboard = true;
  if (event.key === "Escape") highlightChoice(null);
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea, .log")) return;
  const choices = [...root.querySelectorAll("[data-play]")];
  if (/^[0-9]$/.test(event.key)) chooseByNumber(choices, event);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || !choices.length) return;
  const current = choices.indexOf(document.activeElement);
  if (current < 0 && step < 0 && root.querySelector("#past [data-look]")) return; // a step back in the history
  const next = current < 0 ? (step > 0 ? 0 : choices.length - 1) : (current + step + choices.length) % choices.length;
  choices[next].focus();
  event.preventDefault();
});

// The first press of a number considers a choice, the second plays it. 0 is the tenth.
function chooseByNumber(choices, event) {
  const choice = choices[(Number(event.key) + 9) % 10];
  if (!choice || event.repeat || localStorage.getItem("keys") === "off") return;
  if (highlighted === choice && document.activeElement === choice) return playChoice(choice);
  choice.focus();
  highlightChoice(choice);
}
