// Links: to the table, and to one seat for another device; to copy, and for a camera.

import { asked, byId, id, root } from "./dom.js";

// The link to the table carries its secret behind the #; it is kept for this visit only.
export const fragment = location.hash.slice(1);
if (fragment) sessionStorage.setItem(`link.${id}`, fragment);
export const invitation = () => sessionStorage.getItem(`link.${id}`) || localStorage.getItem(`host.${id}`) || "";

// A page at this very machine is told how others in the house come here, if they can.
const near = /^(localhost$|127\.|\[::1\]$)/.test(location.hostname);
export const origin = (near && root.dataset.others) || location.origin;

let drawn = { text: "", code: "" }; // the last link that was drawn
async function drawLink(text) {
  if (drawn.text === text) return showCode();
  drawn = { text, code: "" };
  const code = await asked("/api/qr", { text });
  if (!code || drawn.text !== text) return;
  drawn.code = code;
  showCode();
}
function showCode() {
  const box = byId("code");
  if (box) box.innerHTML = drawn.code;
}

export function fillFields() {
  const link = byId("link");
  if (link) {
    link.value = `${origin}/tables/${id}${invitation() ? "#" + invitation() : ""}`;
    const lonely = near && !root.dataset.others; // nobody else can come by this link
    if (!lonely) drawLink(link.value);
    root.querySelector(".near").hidden = !lonely;
    root.querySelector(".for-cameras").hidden = lonely;
    root.querySelector("[data-share]").hidden = !navigator.share;
  }
  const name = byId("name");
  if (name) name.value = localStorage.getItem("name") || "";
}

root.addEventListener("input", (event) => {
  if (event.target.id === "name") localStorage.setItem("name", event.target.value);
});

export async function copy(button) {
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

// A link to a seat works once, so it is shown to the one who asked for it and kept nowhere.
export const shareSeat = (seat, secret) => showLink(`${origin}/tables/${id}#seat.${seat}.${secret}`);

// Shows a link in a window of its own: to copy, and for a camera.
export async function showLink(link) {
  byId("seat-link").value = link;
  byId("seat-code").innerHTML = "";
  byId("sharing").showModal();
  const code = await asked("/api/qr", { text: link });
  if (code) byId("seat-code").innerHTML = code;
}
byId("sharing").addEventListener("close", () => {
  byId("seat-link").value = "";
  byId("seat-code").innerHTML = "";
});
