// A puzzle on a page (see puzzle_board.py): a choice on the table leads to the page with the verdict on it.

import { byId, root } from "./dom.js";
import { handleChoices, highlightChoice } from "./choices.js";
import { findChoice } from "./highlights.js";

export function startBoard() {
  const { answer, best } = root.dataset;
  handleChoices(
    (choice) => (location.href = answer + encodeURIComponent(choice.dataset.play)),
    (target) => Boolean(target.closest("a, button, summary, select")),
  );
  // The solution is highlighted on the table, as is any choice pointed at in the list.
  if (best === undefined) return;
  highlightChoice(findChoice(byId("scene"), best));
  for (const kind of ["pointerover", "focusin"])
    root.querySelector(".answer").addEventListener(kind, (event) => {
      const option = event.target.closest("[data-option]");
      if (option) highlightChoice(findChoice(byId("scene"), option.dataset.option));
    });
  byId("answer").focus();
}
