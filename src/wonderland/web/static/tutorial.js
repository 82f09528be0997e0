// Tutorial: points at the pieces its advice is about, lets players switch the advice off, and shows newcomers how to
// choose until they have played once.

const table = document.getElementById("table");
const guide = document.getElementById("guide");
const game = [...table.classList].find((name) => name.startsWith("game-"));
const QUIET = "quiet"; // session storage key: advice is off
const isQuiet = () => sessionStorage.getItem(QUIET) !== null;

function pointAtPieces() {
  for (const piece of table.querySelectorAll(".pointed-at")) piece.classList.remove("pointed-at");
  table.classList.toggle("advice-off", isQuiet());
  const names = guide.querySelector("[data-points]")?.dataset.points.split(" ") ?? [];
  if (!isQuiet())
    for (const name of names) table.querySelector(`[data-piece="${CSS.escape(name)}"]`)?.classList.add("pointed-at");
}

if (guide) {
  const changes = new MutationObserver(pointAtPieces);
  for (const part of [guide, document.getElementById("scene")]) changes.observe(part, { childList: true });
  table.addEventListener("click", (event) => {
    const choice = event.target.closest("[data-guide]")?.dataset.guide;
    if (!choice) return;
    if (choice === "off") sessionStorage.setItem(QUIET, "yes");
    else sessionStorage.removeItem(QUIET);
    pointAtPieces();
    table.querySelector(`[data-guide="${choice === "off" ? "on" : "off"}"]`).focus();
  });
  pointAtPieces();
}

// Anyone who has played a move of this game knows how to.
const playedKey = `played.${game}`;
table.classList.toggle("newcomer", localStorage.getItem(playedKey) === null);
const sentChoices = new MutationObserver(() => {
  if (!table.querySelector(".sent")) return;
  localStorage.setItem(playedKey, "yes");
  sentChoices.disconnect();
});
sentChoices.observe(document.getElementById("scene"), { subtree: true, attributeFilter: ["class"] });
