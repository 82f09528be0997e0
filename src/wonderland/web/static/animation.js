// Motion that explains a move: a piece that has changed its place glides there from where it was (FLIP animation).

import { pieces, root } from "./dom.js";
import { pace } from "./settings.js";

const GLIDE = 380; // milliseconds of one movement
const STEP = 180; // delay of each later step

const HOP = 180; // milliseconds of a step along a path
const HOP_HEIGHT = 0.35; // of a piece's own height
const FLIP = 160; // milliseconds until a card that is turned over is edge-on
const NEXT_FLIP = 120; // delay of each next card, where several are turned over one after another

export const slowness = () => Math.max(0.5, pace() / 800);
export const isAnimationOff = () => pace() === 0 || document.hidden;

// Keyframes of a piece that hopped along a path, between the first and the last one: `data-path` names the pieces on which it
// stood, from the start to where it is now.
function hopKeyframes(element, start, places, scale) {
  const names = element.dataset.path?.split(" ") ?? [];
  const rects = names.map((name) => places.get(name)?.getBoundingClientRect());
  if (!rects.length || rects.some((rect) => !rect?.width)) return [];
  const high = (HOP_HEIGHT * element.getBoundingClientRect().height) / scale;
  const centres = rects.map(({ left, top, width, height }) => [(left + width / 2) / scale, (top + height / 2) / scale]);
  const [endX, endY] = centres.at(-1);
  const points = [start, ...centres.slice(1).map(([x, y]) => [x - endX, y - endY])];
  const frames = points.slice(1).flatMap(([x, y], before) => {
    const [fromX, fromY] = points[before];
    const over = `${(fromX + x) / 2}px ${(fromY + y) / 2 - high}px`;
    return [{ translate: over, easing: "ease-in" }, { translate: `${x}px ${y}px`, easing: "ease-out" }];
  });
  return frames.slice(0, -1);
}

const [FLAT, EDGE] = [{ transform: "perspective(400px)" }, { transform: "perspective(400px) rotateY(90deg)" }];

// Turns a copy of the card that was at a place away from the player, and removes it.
function turnAway(place, card, delay) {
  const was = card.cloneNode(true);
  was.removeAttribute("data-piece");
  was.removeAttribute("data-play");
  was.inert = true;
  was.classList.add("turning-away");
  place.append(was);
  const timing = { duration: slowness() * FLIP, delay, easing: "ease-in", fill: "both" };
  was.animate([FLAT, EDGE], timing).finished.finally(() => was.remove());
}

// Turns a card up after another one has been turned away.
const turnUp = (card, delay) =>
  card.animate([EDGE, FLAT], { duration: slowness() * FLIP, delay: delay + slowness() * FLIP, easing: "ease-out", fill: "backwards" });

// Turns the card of a place over if there is another one now; returns whether it did. Cards with an order, `data-turns="2"`,
// wait for those before.
function flipCard(place, before) {
  const [was, now] = [before.get(`${place.dataset.anchor}/`), place.querySelector("[data-piece]")];
  if (!was || !now || was.innerHTML === now.innerHTML) return false;
  const order = Number(place.dataset.turns);
  const delay = order && slowness() * (2 * FLIP + NEXT_FLIP * (order - 1));
  turnAway(place, was, delay);
  turnUp(now, delay);
  return true;
}

// The back of a card that was face down where it came from. It is turned up there before anything moves.
const hiddenCard = (name, piece, before) => !before.has(name) && before.get(`${piece.dataset.from}/`);

// Measures the pieces and anchors before an update, and notes what sounds. Nothing is measured if nothing will move,
// since that forces a layout.
export function measurePositions() {
  const before = { places: new Map(), sounding: soundingElements() };
  if (isAnimationOff()) return before;
  for (const [name, element] of pieces()) before.places.set(name, element.getBoundingClientRect());
  for (const element of root.querySelectorAll("[data-anchor]"))
    before.places.set(`@${element.dataset.anchor}`, element.getBoundingClientRect());
  for (const element of root.querySelectorAll("[data-turns]"))
    before.places.set(`${element.dataset.anchor}/`, element.querySelector("[data-piece]"));
  return before;
}

// The sounds of elements other than pieces, such as a spinner that was spun, by the tag that announces them.
const soundingElements = () =>
  new Map(
    [...root.querySelectorAll("[data-sound]:not([data-piece])")].map((e) => [e.cloneNode(false).outerHTML, e.dataset.sound]),
  );

// Animates the pieces from their measured positions; `isLaid` if the first step has been shown already. Returns the sounds of
// the move, with their delays in seconds.
export function animateMoves({ places, sounding }, isLaid = false) {
  const sounds = isAnimationOff() ? new Map() : glidePieces(places, isLaid);
  for (const [tag, sound] of soundingElements()) if (!sounding.has(tag)) sounds.set(sound, 0);
  return sounds.size || isLaid ? sounds : new Map([["card", 0]]);
}

// A piece makes its own sound (`data-sound`), "sweep" if it leaves in a later step, "flip" if it is turned, or "card".
function glidePieces(before, isLaid) {
  const sounds = new Map();
  const slower = slowness();
  const places = pieces();
  const turning = [...places].some(([name, piece]) => hiddenCard(name, piece, before)) ? 2 * FLIP : 0;
  const rects = new Map([...places].map(([name, element]) => [name, element.getBoundingClientRect()])); // before anything starts to move
  for (const [name, element] of places) {
    const now = rects.get(name);
    const was = before.get(name) || (element.dataset.from && before.get(`@${element.dataset.from}`));
    if (!was || !now.width || !was.width) continue;
    // Animates `translate` and `scale`, which leave the rotation of the piece alone. Inside an SVG they
    // are in its own units, not in screen pixels.
    const scale = element.ownerSVGElement ? element.parentNode.getScreenCTM().a : 1;
    const dx = (was.left + was.width / 2 - now.left - now.width / 2) / scale;
    const dy = (was.top + was.height / 2 - now.top - now.height / 2) / scale;
    if ((Math.abs(dx) + Math.abs(dy)) * scale < 2) continue;
    const wasVisible = before.has(name);
    const hidden = hiddenCard(name, element, before);
    if (hidden) {
      turnAway(root.querySelector(`[data-anchor="${element.dataset.from}"]`), hidden, 0);
      turnUp(element, 0);
    }
    const appears = !wasVisible && !hidden;
    const size = appears ? Math.min(1, was.width / now.width) : was.width / now.width;
    const path = wasVisible ? hopKeyframes(element, [dx, dy], places, scale) : [];
    const step = Number(element.dataset.step || 0);
    const leaves = wasVisible && step === 1 && element.classList.contains("new");
    const sound = element.dataset.sound ?? (leaves ? "sweep" : isLaid ? "" : "card");
    const delay = slower * STEP * Math.max(0, step - (isLaid ? 1 : 0));
    if (sound) sounds.set(sound, Math.min(sounds.get(sound) ?? Infinity, delay / 1000));
    element.dataset.gliding = ""; // on top; in a keyframe, it would keep the animation off the compositor
    const glide = element.animate(
      [
        { translate: `${dx}px ${dy}px`, scale: size, opacity: appears ? 0 : 1 },
        ...(appears ? [{ opacity: 1, offset: 0.2 }] : path),
        { translate: "none", scale: 1, opacity: 1 },
      ],
      {
        duration: path.length ? slower * HOP * Math.ceil(path.length / 2) : slower * GLIDE,
        delay: delay + slower * turning,
        easing: path.length ? "linear" : "cubic-bezier(.2,.8,.2,1)",
        fill: "backwards",
      },
    );
    glide.onfinish = glide.oncancel = () => {
      delete element.dataset.gliding;
    };
  }
  for (const place of root.querySelectorAll("[data-turns]")) if (flipCard(place, before)) sounds.set("flip", 0);
  return sounds;
}
