// Choices: to touch, point at or focus one shows what would happen; then it can be done.

import { byId, root } from "./dom.js";
import { markIn } from "./highlights.js";

const preview = byId("preview");
let marked = null;
let keyboard = false;

export const byKeyboard = () => keyboard;

export function mark(choice, says) {
  if (choice === marked && choice && !says) return;
  marked = choice;
  preview.textContent = says || (choice ? choice.getAttribute("aria-label") : "");
  markIn(root, choice);
}

// The mark goes when the choice does; one that stayed on the page keeps it.
export function markWhatIsLeft() {
  if (!root.contains(marked)) mark(null);
}

const choiceAt = (event) => event.target.closest?.("[data-play]");

// `play` is done with a choice; what else was clicked goes to `other`, which says whether it was for it.
export function letChoose(play, other) {
  root.addEventListener("click", (event) => {
    const choice = choiceAt(event);
    const pointed = event.detail > 0; // by a finger or a mouse, not by a key
    if (choice) {
      if (marked === choice || !pointed || choice.hasAttribute("data-at-once")) play(choice);
      else mark(choice);
    } else if (!other(event.target)) mark(null);
  });
}

root.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse") return;
  const choice = choiceAt(event);
  if (choice) mark(choice);
  else if (marked && marked !== document.activeElement) mark(null);
});
root.addEventListener("focusin", (event) => {
  const choice = choiceAt(event);
  if (choice && choice.matches(":focus-visible")) mark(choice);
});
document.addEventListener("pointerdown", () => (keyboard = false), true);
document.addEventListener("keydown", (event) => {
  keyboard = true;
  if (event.key === "Escape") mark(null);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const choices = [...root.querySelectorAll("[data-play]")];
  if (!step || !choices.length || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.matches("input, select, textarea, .log")) return;
  const at = choices.indexOf(document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : choices.length - 1) : (at + step + choices.length) % choices.length;
  choices[next].focus();
  event.preventDefault();
});
