// For newcomers: points at what the guide of a lesson speaks of, lets them switch it off, and keeps the
// line that says how to choose only until they have chosen.

const table = document.getElementById("table");
const guide = document.getElementById("guide");
const game = [...table.classList].find((name) => name.startsWith("game-"));
const QUIET = "quiet"; // the guide, for this visit
const quiet = () => sessionStorage.getItem(QUIET) !== null;

function point() {
  for (const piece of table.querySelectorAll(".taught")) piece.classList.remove("taught");
  table.classList.toggle("unguided", quiet());
  const names = guide.querySelector("[data-points]")?.dataset.points.split(" ") ?? [];
  if (!quiet())
    for (const name of names) table.querySelector(`[data-piece="${CSS.escape(name)}"]`)?.classList.add("taught");
}

if (guide) {
  const changes = new MutationObserver(point);
  for (const part of [guide, document.getElementById("scene")]) changes.observe(part, { childList: true });
  table.addEventListener("click", (event) => {
    const wish = event.target.closest("[data-guide]")?.dataset.guide;
    if (!wish) return;
    if (wish === "off") sessionStorage.setItem(QUIET, "yes");
    else sessionStorage.removeItem(QUIET);
    point();
    table.querySelector(`[data-guide="${wish === "off" ? "on" : "off"}"]`).focus();
  });
  point();
}

// Who has played a card of a game knows how to.
const known = `played.${game}`;
table.classList.toggle("newcomer", localStorage.getItem(known) === null);
const choices = new MutationObserver(() => {
  if (!table.querySelector(".sent")) return;
  localStorage.setItem(known, "yes");
  choices.disconnect();
});
choices.observe(document.getElementById("scene"), { subtree: true, attributeFilter: ["class"] });
