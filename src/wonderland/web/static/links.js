// Links to the table, and to one seat for another device: to copy, to share, and as QR codes.

import { byId, id, root, tryCallApi } from "./dom.js";

// The secret of an invitation is in the fragment, which browsers don't send; kept for this session only.
export const fragment = location.hash.slice(1);
if (fragment) sessionStorage.setItem(`link.${id}`, fragment);
export const invitation = () => sessionStorage.getItem(`link.${id}`) || localStorage.getItem(`host.${id}`) || "";

// Seen from the server's own machine, links use its address on the local network, if it has one.
const isLocal = /^(localhost$|127\.|\[::1\]$)/.test(location.hostname);
export const origin = (isLocal && root.dataset.others) || location.origin;

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

// Fills in the invitation link and the player's name after the fields have been rendered.
export function fillFields() {
  const link = byId("link");
  if (link) {
    link.value = `${origin}/tables/${id}${invitation() ? "#" + invitation() : ""}`;
    const isUnreachable = isLocal && !root.dataset.others; // for other machines
    if (!isUnreachable) loadQrCode(link.value);
    root.querySelector(".local-only").hidden = !isUnreachable;
    root.querySelector(".qr-invitation").hidden = isUnreachable;
    root.querySelector("[data-share]").hidden = !navigator.share;
  }
  const name = byId("name");
  if (name) name.value = localStorage.getItem("name") || "";
}

root.addEventListener("input", (event) => {
  if (event.target.id === "name") localStorage.setItem("name", event.target.value);
});

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
export const shareSeat = (seat, secret) => showLink(`${origin}/tables/${id}#seat.${seat}.${secret}`);

// Shows a link in a dialog, to copy and as a QR code.
export async function showLink(link) {
  byId("seat-link").value = link;
  byId("seat-code").innerHTML = "";
  byId("sharing").showModal();
  const svg = await tryCallApi("/api/qr", { text: link });
  if (svg) byId("seat-code").innerHTML = svg;
}
byId("sharing").addEventListener("close", () => {
  byId("seat-link").value = "";
  byId("seat-code").innerHTML = "";
});
