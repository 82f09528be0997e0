// The switch beside a link that opens a server on this computer to the home network.

import { callApi } from "./api.js";
import { byId, root, showError } from "./dom.js";
import { fillFields, isLocal } from "./links.js";

let state = null; // what the server said last
let isSwitching = false;

function show() {
  const panel = root.querySelector(".home-network");
  if (!panel || !state) return;
  const isOpen = Boolean(state.address);
  root.dataset.others = state.address;
  fillFields();
  panel.hidden = !state.can_switch;
  const button = panel.querySelector("[data-network=switch]");
  button.setAttribute("aria-checked", isOpen);
  button.disabled = isSwitching;
  panel.querySelector(".while-closed").hidden = isOpen;
  panel.querySelector(".while-open").hidden = !isOpen;
  panel.querySelector(".which").hidden = !isOpen || state.hosts.length < 2;
  const host = isOpen ? new URL(state.address).hostname : "";
  const options = state.hosts.map((each) => new Option(each, each, false, each === host));
  panel.querySelector("[data-network=host]").replaceChildren(...options);
  if (isOpen) root.querySelector(".unreachable")?.remove();
}

// A server that was restarted is closed again, while the guests are still waiting: only the host can open it.
async function checkAgain() {
  if (byId("connection").className !== "connected" || !state?.address) return;
  await call();
  const notice = root.querySelector(".home-network template");
  if (!state.address && notice && !root.querySelector(".unreachable")) root.querySelector(".notices")?.append(notice.content.cloneNode(true));
}

async function call(data) {
  isSwitching = true;
  show();
  try {
    state = await callApi("/api/network", data);
  } catch (error) {
    showError(error.message);
  }
  isSwitching = false;
  show();
}

if (isLocal) {
  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-network=switch]");
    if (button) call({ open: button.getAttribute("aria-checked") !== "true" });
    if (event.target.closest("[data-network=again]")) call({ open: true });
  });
  root.addEventListener("change", (event) => {
    if (event.target.matches("[data-network=host]")) call({ open: true, host: event.target.value });
  });
  // The panel is drawn again whenever somebody sits down.
  if (byId("lobby")) new MutationObserver(show).observe(byId("lobby"), { childList: true });
  if (byId("connection")) new MutationObserver(checkAgain).observe(byId("connection"), { attributeFilter: ["class"] });
  if (root.querySelector(".home-network")) call();
}
