// A move in beats, on the table as it was before: lay the card, count those that are safe, lift those that leave.
// Then the new scene is shown, and what was lifted is swept away (animation.js). The scene says what to show: `data-lay`,
// the piece that was laid; `data-lay-from` and `data-lay-to`, the anchors it came from and lies on; `data-marks`, what it did.
// Without a piece to lay there are only the marks. They are those that the player saw before choosing.

import { isAnimationOff, slowness } from "./animation.js";
import { parseHtml, pieces, root } from "./dom.js";
import { playSound } from "./sound.js";

const LAY = 320; // milliseconds
const COUNT = 90; // for each piece that is counted
const MAX_COUNT = 540; // for all of them
const LIFT = 240;
const AT_ONCE = ["stays", "taken"]; // marks that aren't counted

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, slowness() * milliseconds));
const anchor = (name) => root.querySelector(`[data-anchor="${CSS.escape(name)}"]`);

// Puts a copy of the new piece on its place, and lets it glide there from the hand.
function layPiece(picture, { lay, layFrom, layTo }) {
  const place = anchor(layTo);
  const held = pieces().get(lay);
  const from = (held ?? anchor(layFrom)).getBoundingClientRect();
  const laid = document.createElement("span");
  laid.className = "laid";
  laid.dataset.piece = lay;
  laid.append(picture.cloneNode(true));
  place.append(laid);
  if (held) {
    held.removeAttribute("data-piece");
    held.classList.add("gone");
  }
  const to = laid.getBoundingClientRect();
  const [dx, dy] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
  laid.animate(
    [{ translate: `${dx}px ${dy}px`, scale: held ? from.width / to.width : 0.4, opacity: held ? 1 : 0 }, { opacity: 1, offset: 0.3 }, { translate: "none", scale: 1 }],
    { duration: slowness() * LAY, easing: "cubic-bezier(.2,.9,.3,1.2)", fill: "backwards" },
  );
}

// Plays the beats of the move that led to a scene, if it has any. Returns whether it did; the new scene is to be shown then.
export async function playBeats(html) {
  if (isAnimationOff() || !/<section[^>]* data-(lay|marks)=/.test(html)) return false;
  const scene = parseHtml(html);
  const beats = scene.querySelector("section[data-lay], section[data-marks]").dataset;
  const marks = (beats.marks ?? "").split(" ").filter(Boolean).map((mark) => mark.split(":"));
  const shown = pieces();
  const name = CSS.escape(beats.lay ?? "");
  const picture = scene.querySelector(`[data-piece="${name}"] > :first-child, [data-laid="${name}"] > :first-child`);
  const isPlaceReady = !beats.lay || (picture && anchor(beats.layTo));
  if (!isPlaceReady || !marks.every(([piece]) => shown.has(piece))) return false; // not the position before
  root.classList.add("moving");
  if (beats.lay) {
    layPiece(picture, beats);
    playSound("card", (slowness() * LAY * 0.6) / 1000); // when it touches the table
    await wait(LAY);
  }
  const counted = marks.filter(([, kind]) => !AT_ONCE.includes(kind));
  for (const [piece, kind] of marks) {
    shown.get(piece).classList.add(`mark-${kind}`);
    if (!AT_ONCE.includes(kind)) await wait(Math.min(COUNT, MAX_COUNT / counted.length));
  }
  await wait(LIFT);
  root.classList.remove("moving");
  return Boolean(beats.lay);
}
