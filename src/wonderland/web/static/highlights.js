// Highlights in a scene: a choice, and the pieces it would affect.

// Highlights a choice and the pieces named in its `data-marks`, and removes all other highlights; null removes them all.
export function highlightIn(scene, choice) {
  for (const element of scene.querySelectorAll("[class*=mark]"))
    for (const name of [...element.classList]) if (/^mark(ed$|-)/.test(name)) element.classList.remove(name);
  scene.classList.toggle("choosing", Boolean(choice));
  choice?.classList.add("marked");
  for (const mark of (choice?.dataset.marks || "").split(" ").filter(Boolean)) {
    const [piece, kind] = mark.split(":");
    scene.querySelector(`[data-piece="${CSS.escape(piece)}"]`)?.classList.add(`mark-${kind}`);
  }
}

// The button in a scene that plays an action, given in notation as in the lists beside the scene.
export const findChoice = (scene, action) => action && scene.querySelector(`[data-play="${CSS.escape(action)}"]`);
