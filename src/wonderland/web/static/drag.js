// Dragging a choice to where it goes plays it, with a mouse or a finger. `data-drop` on a choice names the anchors where it may be
// dropped; a place with `data-target` stands for a choice, so that is dropped there too. While it is dragged, it shows the same marks.

import { highlightChoice } from "./choices.js";
import { root } from "./dom.js";

const START = 8; // pixels, before a click becomes a drag
const MARGIN = 24; // pixels around a place that count as well

let drag = null; // { choice, pointer, x, y, places, isMoving }
let wasDragged = false; // whether the click that follows is the end of a drag

function placesFor(choice) {
  const anchors = (choice.dataset.drop ?? "").split(" ").filter(Boolean);
  const selectors = anchors.map((name) => `[data-anchor="${CSS.escape(name)}"]`);
  return [...root.querySelectorAll([...selectors, `[data-target="${CSS.escape(choice.dataset.play)}"]`].join())];
}

// Whether a point is on a place, or on a piece that lies on it.
function isOn(place, x, y) {
  return [place, ...place.children].some((element) => {
    const { left, right, top, bottom, width } = element.getBoundingClientRect();
    return width && x > left - MARGIN && x < right + MARGIN && y > top - MARGIN && y < bottom + MARGIN;
  });
}

const placeAt = (event) => drag.places.find((place) => isOn(place, event.clientX, event.clientY));

function showPlace(found) {
  for (const place of drag.places) place.classList.toggle("drop-here", place === found);
}

function finish() {
  showPlace(null);
  drag.choice.classList.remove("dragged");
  root.classList.remove("dragging");
  drag = null;
}

// Calls `play` with a choice that was dropped where it goes; `canPlay` says whether anything can be played now.
export function handleDragging(play, canPlay) {
  root.addEventListener("pointerdown", (event) => {
    wasDragged = false;
    const choice = event.target.closest?.("[data-play]");
    if (!choice || !event.isPrimary || event.button !== 0 || !canPlay()) return;
    const places = placesFor(choice);
    if (places.length) drag = { choice, places, pointer: event.pointerId, x: event.clientX, y: event.clientY, isMoving: false };
  });
  root.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    if (!root.contains(drag.choice)) return finish(); // an update has replaced it
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isMoving && Math.hypot(dx, dy) < START) return;
    if (!drag.isMoving) {
      drag.isMoving = true;
      drag.choice.setPointerCapture(event.pointerId);
      drag.choice.classList.add("dragged");
      root.classList.add("dragging");
      highlightChoice(drag.choice);
    }
    drag.choice.style.translate = `${dx}px ${dy}px`;
    showPlace(placeAt(event));
  });
  root.addEventListener("pointerup", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { choice, isMoving } = drag;
    const isPlayed = isMoving && root.contains(choice) && canPlay() && placeAt(event);
    wasDragged = isMoving;
    finish();
    if (isPlayed) play(choice);
    else choice.style.removeProperty("translate");
  });
  root.addEventListener("pointercancel", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    drag.choice.style.removeProperty("translate");
    finish();
  });
  root.addEventListener(
    "click",
    (event) => {
      if (wasDragged) event.stopPropagation();
      wasDragged = false;
    },
    true,
  );
}
