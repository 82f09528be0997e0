// Motion that explains: what has a name and is elsewhere now glides there from where it was.

import { pieces, root } from "./dom.js";
import { pace } from "./settings.js";

const GLIDE = 380; // milliseconds of one movement
const STEP = 180; // and how much later those of the next step begin

const NEAR = 40; // units of a picture: so far away is another place
const TURN = 170; // milliseconds until a card that is turned over stands on its edge

// What went along a path glides along it: points as seen from its end, the first of them where it began.
function wayOf(element, dx, dy) {
  if (!element.dataset.path) return [];
  const points = element.dataset.path.split(" ").map((point) => point.split(",").map(Number));
  if (Math.hypot(points[0][0] - dx, points[0][1] - dy) > NEAR) return []; // it came from elsewhere
  return points.slice(1).map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
}

// What lay there before turns away, then what lies there now turns up.
function turnOver(place, before) {
  const [was, now] = [before.get(`${place.dataset.anchor}/`)?.cloneNode(true), place.querySelector("[data-piece]")];
  if (!was || !now || was.innerHTML === now.innerHTML) return;
  was.removeAttribute("data-piece");
  was.removeAttribute("data-play");
  was.inert = true;
  was.classList.add("turning-away");
  place.append(was);
  const [flat, edge] = [{ transform: "perspective(400px)" }, { transform: "perspective(400px) rotateY(90deg)" }];
  const slower = Math.max(0.5, pace() / 800);
  was.animate([flat, edge], { duration: slower * TURN, easing: "ease-in", fill: "forwards" }).finished.finally(() => was.remove());
  now.animate([edge, flat], { duration: slower * TURN, delay: slower * TURN, easing: "ease-out", fill: "backwards" });
}

const isStill = () => pace() === 0 || document.hidden;

// Where all is that has a name; for nobody who won't see it move, since to measure is to lay out the page.
export function measured() {
  const places = new Map();
  if (isStill()) return places;
  for (const [name, element] of pieces()) places.set(name, element.getBoundingClientRect());
  for (const element of root.querySelectorAll("[data-anchor]"))
    places.set(`@${element.dataset.anchor}`, element.getBoundingClientRect());
  for (const element of root.querySelectorAll("[data-turns]"))
    places.set(`${element.dataset.anchor}/`, element.querySelector("[data-piece]"));
  return places;
}

// Lets all glide from where it was; says whether something moved at a later step, as what is taken does.
export function glide(before) {
  if (isStill()) return false;
  const slower = Math.max(0.5, pace() / 800);
  let later = false;
  for (const [name, element] of pieces()) {
    const now = element.getBoundingClientRect();
    const was = before.get(name) || (element.dataset.from && before.get(`@${element.dataset.from}`));
    if (!was || !now.width || !was.width) continue;
    // Inside a picture a pixel is a unit of that picture.
    const scale = element.ownerSVGElement ? element.parentNode.getScreenCTM().a : 1;
    const dx = (was.left + was.width / 2 - now.left - now.width / 2) / scale;
    const dy = (was.top + was.height / 2 - now.top - now.height / 2) / scale;
    if ((Math.abs(dx) + Math.abs(dy)) * scale < 2) continue;
    const known = before.has(name);
    const size = known ? was.width / now.width : Math.min(1, was.width / now.width);
    const way = wayOf(element, dx, dy);
    const step = Number(element.dataset.step || 0);
    later ||= known && step === 1 && element.closest("[data-piece]").classList.contains("new");
    element.animate(
      [
        { transform: `translate(${dx}px, ${dy}px) scale(${size})`, zIndex: 5, opacity: known ? 1 : 0 },
        ...(known ? way : [{ opacity: 1, offset: 0.2 }]),
        { transform: "none", zIndex: 5, opacity: 1 },
      ],
      { duration: slower * (GLIDE + Math.min(GLIDE, 40 * way.length)), delay: slower * STEP * step, easing: "cubic-bezier(.2,.8,.2,1)", fill: "backwards" },
    );
  }
  for (const place of root.querySelectorAll("[data-turns]")) turnOver(place, before);
  return later;
}
