// Choosing an action: pointing at, touching or focusing a choice previews it; clicking again plays it.

import { byId, root } from "./dom.js";
import { highlightIn } from "./highlights.js";

const preview = byId("preview");
let highlighted = null;
let usesKeyboard = false;

export const isUsingKeyboard = () => usesKeyboard;

// Highlights a choice and previews it in words, by default in its own label; null clears the preview.
export function highlightChoice(choice, text) {
  if (choice === highlighted && choice && !text) return;
  highlighted = choice;
  preview.textContent = text || (choice ? choice.getAttribute("aria-label") : "");
  highlightIn(root, choice);
}

// Clears the highlight if an update of the page has removed the choice.
export function dropStaleHighlight() {
  if (!root.contains(highlighted)) highlightChoice(null);
}

const choiceAt = (event) => event.target.closest?.("[data-play]");

// Calls `play` with the choice that is played. Other clicks go to `handleClick`, which returns whether it used them.
export function handleChoices(play, handleClick) {
  root.addEventListener("click", (event) => {
    const choice = choiceAt(event);
    const byPointer = event.detail > 0; // a finger or a mouse, not a key
    if (choice) {
      if (highlighted === choice || !byPointer || choice.hasAttribute("data-at-once")) play(choice);
      else highlightChoice(choice);
    } else if (!handleClick(event.target)) highlightChoice(null);
  });
}

root.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse") return;
  const choice = choiceAt(event);
  if (choice) highlightChoice(choice);
  else if (highlighted && highlighted !== document.activeElement) highlightChoice(null);
});
root.addEventListener("focusin", (event) => {
  const choice = choiceAt(event);
  if (choice && choice.matches(":focus-visible")) highlightChoice(choice);
});
document.addEventListener("pointerdown", () => (usesKeyboard = false), true);
document.addEventListener("keydown", (event) => {
  usesKeyboard = true;
  if (event.key === "Escape") highlightChoice(null);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const choices = [...root.querySelectorAll("[data-play]")];
  if (!step || !choices.length || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.matches("input, select, textarea, .log")) return;
  const current = choices.indexOf(document.activeElement);
  const next = current < 0 ? (step > 0 ? 0 : choices.length - 1) : (current + step + choices.length) % choices.length;
  choices[next].focus();
  event.preventDefault();
});
