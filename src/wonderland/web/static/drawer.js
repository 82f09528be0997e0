// The drawer with players, log and chat: opened by its handle, remembered where it fits beside the stage.

import { byId, root } from "./dom.js";

const handle = byId("drawer-handle");
const drawer = byId("drawer");
const fitsBeside = matchMedia("(min-width: 60.01rem)");
const OPEN = "drawer-open";
let unread = 0;

export const isChatVisible = () => Boolean(byId("remarks")?.checkVisibility());

// Counts a message that arrived while the chat was hidden.
export function noteUnread() {
  unread++;
  byId("unread").textContent = unread;
}

// `onOpen` is called when the drawer has been opened.
export function setUpDrawer(onOpen) {
  const show = (isOpen) => {
    root.classList.toggle(OPEN, isOpen);
    handle.setAttribute("aria-expanded", isOpen);
    if (!isOpen) return;
    unread = 0;
    byId("unread").textContent = "";
    onOpen();
  };
  const toggle = (isOpen) => {
    show(isOpen);
    if (fitsBeside.matches) localStorage.setItem("drawer", isOpen ? "open" : "closed");
    (isOpen ? drawer.querySelector("[data-drawer]") : handle).focus();
  };
  handle.addEventListener("click", () => toggle(!root.classList.contains(OPEN)));
  drawer.querySelector("[data-drawer]").addEventListener("click", () => toggle(false));
  drawer.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !fitsBeside.matches && root.classList.contains(OPEN)) toggle(false);
  });
  show(fitsBeside.matches && localStorage.getItem("drawer") === "open");
}
