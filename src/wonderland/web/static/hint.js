// A hint: what the strongest bot would do in the player's place, and why.

import { announce, byId, id, me, root, tryCallApi } from "./dom.js";
import { highlightChoice } from "./choices.js";
import { findChoice } from "./highlights.js";

export async function showHint() {
  const hint = await tryCallApi(`/api/tables/${id}/hint`, { seat: Number(me.seat) });
  const choice = hint && findChoice(root, hint.action);
  if (!choice) return;
  const text = byId("hint").dataset.says.replace("{choice}", () => hint.says);
  choice.focus({ preventScroll: true });
  highlightChoice(choice, text);
  byId("preview").append(Object.assign(document.createElement("span"), { className: "why", textContent: hint.why }));
  announce(`${text}. ${hint.why}`);
}
