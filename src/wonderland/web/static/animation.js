// Motion that explains a move: a piece that has changed its place glides there from where it was (FLIP animation).

import { pieces, root } from "./dom.js";
import { pace } from "./settings.js";

const GLIDE = 380; // milliseconds of one movement
const STEP = 180; // delay of each later step

const NEAR = 40; // SVG units within which two places count as the same
const FLIP = 170; // milliseconds until a card that is turned over is edge-on

const slowness = () => Math.max(0.5, pace() / 800);
const isAnimationOff = () => pace() === 0 || document.hidden;

// Keyframes of a piece that moved along a path: its `data-path`, points relative to the end, first the start.
function pathKeyframes(element, dx, dy) {
  if (!element.dataset.path) return [];
  const points = element.dataset.path.split(" ").map((point) => point.split(",").map(Number));
  if (Math.hypot(points[0][0] - dx, points[0][1] - dy) > NEAR) return []; // it came from elsewhere
  return points.slice(1).map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
}

// Turns the old card of a place away, then the new one up.
function flipCard(place, before) {
  const [was, now] = [before.get(`${place.dataset.anchor}/`)?.cloneNode(true), place.querySelector("[data-piece]")];
  if (!was || !now || was.innerHTML === now.innerHTML) return;
  was.removeAttribute("data-piece");
  was.removeAttribute("data-play");
  was.inert = true;
  was.classList.add("turning-away");
  place.append(was);
  const [flat, edge] = [{ transform: "perspective(400px)" }, { transform: "perspective(400px) rotateY(90deg)" }];
  const duration = slowness() * FLIP;
  was.animate([flat, edge], { duration, easing: "ease-in", fill: "forwards" }).finished.finally(() => was.remove());
  now.animate([edge, flat], { duration, delay: duration, easing: "ease-out", fill: "backwards" });
}

// Measures the pieces and anchors before an update. Skipped if nothing will move, since measuring forces a layout.
export function measurePositions() {
  const places = new Map();
  if (isAnimationOff()) return places;
  for (const [name, element] of pieces()) places.set(name, element.getBoundingClientRect());
  for (const element of root.querySelectorAll("[data-anchor]"))
    places.set(`@${element.dataset.anchor}`, element.getBoundingClientRect());
  for (const element of root.querySelectorAll("[data-turns]"))
    places.set(`${element.dataset.anchor}/`, element.querySelector("[data-piece]"));
  return places;
}

// Animates the pieces from their measured positions. Returns whether one moved in a later step, as captured cards do.
export function animateMoves(before) {
  if (isAnimationOff()) return false;
  const slower = slowness();
  let movedLater = false;
  for (const [name, element] of pieces()) {
    const now = element.getBoundingClientRect();
    const was = before.get(name) || (element.dataset.from && before.get(`@${element.dataset.from}`));
    if (!was || !now.width || !was.width) continue;
    // Transforms inside an SVG are in its own units, not in screen pixels.
    const scale = element.ownerSVGElement ? element.parentNode.getScreenCTM().a : 1;
    const dx = (was.left + was.width / 2 - now.left - now.width / 2) / scale;
    const dy = (was.top + was.height / 2 - now.top - now.height / 2) / scale;
    if ((Math.abs(dx) + Math.abs(dy)) * scale < 2) continue;
    const wasVisible = before.has(name);
    const size = wasVisible ? was.width / now.width : Math.min(1, was.width / now.width);
    const path = pathKeyframes(element, dx, dy);
    const step = Number(element.dataset.step || 0);
    movedLater ||= wasVisible && step === 1 && element.closest("[data-piece]").classList.contains("new");
    element.animate(
      [
        { transform: `translate(${dx}px, ${dy}px) scale(${size})`, zIndex: 5, opacity: wasVisible ? 1 : 0 },
        ...(wasVisible ? path : [{ opacity: 1, offset: 0.2 }]),
        { transform: "none", zIndex: 5, opacity: 1 },
      ],
      { duration: slower * (GLIDE + Math.min(GLIDE, 40 * path.length)), delay: slower * STEP * step, easing: "cubic-bezier(.2,.8,.2,1)", fill: "backwards" },
    );
  }
  for (const place of root.querySelectorAll("[data-turns]")) flipCard(place, before);
  return movedLater;
}
