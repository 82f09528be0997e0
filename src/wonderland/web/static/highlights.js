// What a choice would do, marked in the scene before anybody makes it.

// The choice, if there is one, and the pieces that its `data-marks` names; all other marks in this place go.
export function markIn(place, choice) {
  for (const element of place.querySelectorAll("[class*=mark]"))
    for (const name of [...element.classList]) if (/^mark(ed$|-)/.test(name)) element.classList.remove(name);
  place.classList.toggle("choosing", Boolean(choice));
  choice?.classList.add("marked");
  for (const word of (choice?.dataset.marks || "").split(" ").filter(Boolean)) {
    const [piece, kind] = word.split(":");
    place.querySelector(`[data-piece="${CSS.escape(piece)}"]`)?.classList.add(`mark-${kind}`);
  }
}

// The button of the scene that does what an option in a list beside it stands for.
export const inScene = (scene, option) => option && scene.querySelector(`[data-play="${CSS.escape(option)}"]`);
