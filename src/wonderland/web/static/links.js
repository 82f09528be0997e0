// Links to the table, and to one seat for another device: to copy, to share, and as QR codes.

import { byId, id, root, tryCallApi } from "./dom.js";

// The secret of an invitation is in the fragment, which browsers don't send; kept for this session only.
export const fragment = location.hash.slice(1);
export const invitation = () => sessionStorage.getItem(`link.${id}`) || localStorage.getItem(`host.${id}`) || "";
if (fragment) sessionStorage.setItem(`link.${id}`, fragment);
else keepEarlierInvitation();

// Who was invited to a game is invited to its rematch, too.
function keepEarlierInvitation() {
  const earlier = sessionStorage.getItem(`link.${root.dataset.earlier}`);
  if (earlier && !earlier.startsWith("seat.") && !invitation()) sessionStorage.setItem(`link.${id}`, earlier);
}

// Seen from the server's own machine, links use its address on the local network, if it has one.
export const isLocal = /^(localhost$|127\.|\[::1\]$)/.test(location.hostname);
const isUnreachable = () => isLocal && !root.dataset.others; // for other devices
export const origin = () => (isLocal && root.dataset.others) || location.origin;

let qrCode = { text: "", svg: "" }; // of the last link
async function loadQrCode(text) {
  if (qrCode.text === text) return showQrCode();
  qrCode = { text, svg: "" };
  const svg = await tryCallApi("/api/qr", { text });
  if (!svg || qrCode.text !== text) return;
  qrCode.svg = svg;
  showQrCode();
}
function showQrCode() {
  const box = byId("code");
  if (box) box.innerHTML = qrCode.svg;
}

// Many hosts copy the link from the address bar: while there are free seats, it holds the invitation, too.
function showInvitation(isOffered) {
  const wanted = isOffered && invitation() ? "#" + invitation() : "";
  if (wanted ? location.hash !== wanted : location.hash === "#" + localStorage.getItem(`host.${id}`))
    history.replaceState(history.state, "", location.pathname + location.search + wanted);
}

// Fills in the invitation link and the player's name after the fields have been rendered.
export function fillFields() {
  const link = byId("link");
  if (link) {
    link.value = `${origin()}/tables/${id}${invitation() ? "#" + invitation() : ""}`;
    const isHereOnly = isUnreachable();
    if (!isHereOnly) loadQrCode(link.value);
    for (const note of root.querySelectorAll(".here-only, .local-only")) note.hidden = !isHereOnly;
    root.querySelector(".reachable").hidden = isHereOnly;
    root.querySelector(".qr-invitation").hidden = isHereOnly;
    root.querySelector("[data-share]").hidden = !navigator.share;
  }
  showInvitation(Boolean(link));
  const name = byId("name");
  if (name) name.value = localStorage.getItem("name") || "";
  showPortrait();
  showWayBack();
  if (byId("sharing").open) showSharedLink();
}

// The portrait of this device: a new visitor is given one that nobody at the table has, and may choose another.
function showPortrait() {
  const all = [...root.querySelectorAll("[name=portrait]")];
  if (!all.length) return;
  const free = all.filter(({ value }) => !root.querySelector(`.seats .portrait.${CSS.escape(value)}`));
  const own = all.find((each) => each.value === localStorage.getItem("portrait")) ?? free[Math.floor(Math.random() * free.length)];
  own.checked = true;
  localStorage.setItem("portrait", own.value);
  const faces = own.closest(".faces");
  faces.scrollLeft = own.parentNode.offsetLeft - faces.offsetWidth / 2;
}

root.addEventListener("input", (event) => {
  if (event.target.id === "name") localStorage.setItem("name", event.target.value);
  if (event.target.name === "portrait") localStorage.setItem("portrait", event.target.value);
});

// A guest who learns the game first finds the way back from the tutorial.
const INVITED = "invited"; // session storage key
root.addEventListener("click", (event) => {
  if (event.target.closest(".learn-first a")) sessionStorage.setItem(INVITED, location.pathname);
});
function showWayBack() {
  const table = sessionStorage.getItem(INVITED);
  if (table)
    for (const link of root.querySelectorAll("[data-invited]")) {
      link.href = table;
      link.hidden = false;
    }
}

export async function copyField(button) {
  const field = byId(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = root.dataset.copied;
  } catch {
    field.select();
  }
}

root.addEventListener("click", (event) => {
  const button = event.target.closest("[data-share]");
  if (button) navigator.share({ title: document.title, url: byId(button.dataset.share).value }).catch(() => {});
});

// A link to a seat works once, so it is only shown, and stored nowhere.
export const shareSeat = (seat, secret) => showLink(`/tables/${id}#seat.${seat}.${secret}`);

// Shows a link in a dialog, to copy and as a QR code; or, while no other device can reach this one, a note that says so.
let sharedPath = "";
export function showLink(path) {
  sharedPath = path;
  byId("sharing").showModal();
  showSharedLink();
}

async function showSharedLink() {
  const link = origin() + sharedPath;
  if (byId("seat-link").value === link) return;
  byId("seat-link").value = link;
  byId("seat-code").innerHTML = "";
  byId("seat-here-only").hidden = !isUnreachable();
  const svg = !isUnreachable() && (await tryCallApi("/api/qr", { text: link }));
  if (svg && byId("seat-link").value === link) byId("seat-code").innerHTML = svg;
}
byId("sharing").addEventListener("close", () => {
  byId("seat-link").value = "";
  byId("seat-code").innerHTML = "";
});
