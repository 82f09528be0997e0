// What bots say: a bubble beside the portrait of the speaker, for a few seconds.

import { byId, parseHtml, root } from "./dom.js";
import { botRemarksEnabled } from "./settings.js";

const SHOWN = 4500; // milliseconds
const MARGIN = 6; // pixels between the bubble and the edge of the stage

const bubble = byId("bubble");
let timer = null;

// Shows the remark of a page, if there is one and remarks are switched on.
export function showRemark(html) {
  const said = botRemarksEnabled() && parseHtml(html ?? "").querySelector("q");
  const player = said && root.querySelector(`.player[data-at="${said.dataset.at}"]`);
  if (!player) return;
  bubble.replaceChildren(...said.childNodes);
  bubble.hidden = false;
  placeBeside(player);
  clearTimeout(timer);
  timer = setTimeout(hideRemark, SHOWN);
}

export function hideRemark() {
  bubble.hidden = true;
}

// Puts the bubble beside the portrait of the speaker: to the right, or to the left if there is no room. Where portraits are
// close together it is below the name instead. It never leaves the stage.
function placeBeside(player) {
  const [box, plate] = [".box", ".plate"].map((part) => player.querySelector(part).getBoundingClientRect());
  const stage = root.querySelector(".stage").getBoundingClientRect();
  const { width, height } = bubble.getBoundingClientRect();
  const isCrowded = stage.height > stage.width || root.querySelectorAll(".player").length > 4;
  const isOnRight = box.right + width > stage.right;
  let left = isOnRight ? box.left - width + MARGIN : box.right - MARGIN;
  let top = box.top + (box.height - height) / 3;
  if (isCrowded) {
    left = isOnRight ? box.right - width : box.left;
    top = player.matches(".own") ? box.top - height - MARGIN : plate.bottom + MARGIN;
  }
  bubble.classList.toggle("below", isCrowded);
  bubble.classList.toggle("on-right", isOnRight);
  bubble.style.left = `${clamp(left - stage.left, stage.width - width)}px`;
  bubble.style.top = `${clamp(top - stage.top, stage.height - height)}px`;
}

const clamp = (at, most) => Math.max(MARGIN, Math.min(at, most - MARGIN));
