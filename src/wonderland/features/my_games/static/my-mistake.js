// One's own mistake as a puzzle: choosing leads to the verdict, which is highlighted in the scene.

import { byId, root } from "./dom.js";
import { handleChoices, highlightChoice } from "./choices.js";
import { findChoice } from "./highlights.js";

const { path, best } = root.dataset;
const joint = path.includes("?") ? "&" : "?";

handleChoices(
  (choice) => (location.href = `${path}${joint}choice=${encodeURIComponent(choice.dataset.play)}`),
  (target) => Boolean(target.closest("a, button, summary")),
);

if (best !== undefined) {
  highlightChoice(findChoice(byId("scene"), best));
  for (const kind of ["pointerover", "focusin"])
    root.querySelector(".verdict").addEventListener(kind, (event) => {
      const option = event.target.closest("[data-option]");
      if (option) highlightChoice(findChoice(byId("scene"), option.dataset.option));
    });
  byId("verdict").focus();
}
