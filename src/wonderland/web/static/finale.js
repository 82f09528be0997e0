// The finale of a game: the beats that its scene describes, places from last to first, the winner's bow, the curtain.
// One clock: every animation has a fixed start on it. At its end, or when it is skipped, all of them are cancelled, and
// what is left is the page as it is on a reload.

import { announce, byId, root, showError } from "./dom.js";
import { pace } from "./settings.js";
import { playSound } from "./sound.js";

const LIMIT = 11500; // milliseconds for everything; a longer finale is played faster
const START = 600; // the last move is still being shown
const LENGTH = { reveal: 560, flip: 230, count: 400, place: 520, bow: 1550, curtain: 1120 };
const PAUSE = { reveal: 620, flip: 350, count: 250, place: 100 }; // after the last beat of a kind
const SPRINGY = "cubic-bezier(.2,.9,.3,1.2)";
const SMOOTH = "cubic-bezier(.6,0,.2,1)";
const SVG = "http://www.w3.org/2000/svg";

const scene = byId("scene");
const ending = byId("ending");
const find = (selector) => root.querySelector(selector);
const playerAt = (seat) => scene.querySelector(`.player[data-at="${seat}"]`);

let show = null; // the finale that is being played

// Plays the finale and calls `onBow` when the winner bows, or goes to its end if nothing shall move. Screen readers get the result at once.
export function playFinale(onBow) {
  announce([...ending.querySelectorAll("h2, .reason, .places li")].map((part) => part.textContent.trim()).join(" "));
  if (pace() === 0 || document.hidden) {
    playSound("win", 0.3);
    focusResult();
    return;
  }
  show = prepare();
  find(".beat").textContent = "";
  show.onBow = onBow;
  root.classList.remove("lifted");
  root.classList.add("in-finale");
  show.build();
  requestAnimationFrame(tick);
}

// Goes to the end of the finale, if one is being played.
export function endFinale() {
  if (!show) return;
  const { animations, added, coins, moods } = show;
  show = null;
  for (const animation of animations) animation.cancel();
  for (const element of added) element.remove();
  for (const [coin, value] of coins.values()) coin.textContent = value;
  for (const [portrait, className] of moods.values()) portrait.className = className;
  root.classList.remove("in-finale", "bowing");
  delete root.dataset.beat;
  focusResult();
}

function focusResult() {
  if (!document.activeElement?.matches("input, textarea, select")) byId("result")?.focus({ preventScroll: true });
}

/* The score: beats with their start, in milliseconds */

function writeScore() {
  const beats = JSON.parse(scene.firstElementChild?.dataset.beats ?? "[]");
  const places = [...ending.querySelectorAll(".places li")].map(({ dataset: { seat, place, says } }) => ({ seat, place: Number(place), says }));
  const others = places.filter(({ place }) => place > 1).reverse();
  const winners = places.filter(({ place }) => place === 1);
  const all = [
    ...beats,
    ...others.map((each) => ({ kind: "place", ...each })),
    { kind: "bow", says: byId("result").dataset.winner, winners },
    { kind: "curtain", says: "" },
  ];
  let time = START;
  all.forEach((beat, index) => {
    beat.start = time;
    time += LENGTH[beat.kind] + (all[index + 1]?.kind === beat.kind ? 0 : PAUSE[beat.kind] ?? 0);
  });
  const speed = Math.min(1, LIMIT / time);
  for (const beat of all) beat.start *= speed;
  return { score: all, total: time * speed, speed };
}

function prepare() {
  const { score, total, speed } = writeScore();
  const animations = [];
  const added = [];
  const coins = new Map(); // the coin of each seat, and its text at the end
  const moods = new Map(); // the portrait of each seat, and its class at the end
  const counts = score.filter(({ kind }) => kind === "count");
  for (const player of scene.querySelectorAll(".player[data-at]")) {
    const coin = player.querySelector(".coin")?.firstChild;
    const portrait = player.querySelector(".portrait");
    if (coin && counts.length) coins.set(player.dataset.at, [coin, coin.textContent]);
    if (portrait) moods.set(player.dataset.at, [portrait, portrait.className]);
  }
  // `fill` is "both" for an element that is hidden until its first animation.
  const at = (start, element, frames, duration, easing = SPRINGY, fill = "both") => {
    if (element) animations.push(element.animate(frames, { delay: start, duration: duration * speed, easing, fill }));
  };
  const add = (parent, element) => {
    parent.append(element);
    added.push(element);
    return element;
  };
  const drawn = { entered: 0, score, total, speed, animations, added, coins, moods, at, add };
  drawn.build = () => build(drawn);
  return drawn;
}

const BUILDERS = { reveal: buildReveal, flip: buildFlip, count: buildCount, place: buildPlace, bow: buildBow, curtain: buildCurtain };

function build(drawn) {
  const { score, total, animations } = drawn;
  if (score[0].kind === "reveal") for (const animation of scene.getAnimations({ subtree: true })) animation.cancel();
  const shown = new Set(score.filter(({ kind }) => kind === "flip").flatMap(({ figure, seats }) => seats.map((seat) => `${seat}-${figure}`)));
  drawn.isShown = (stack) => shown.has(stack);
  const figures = [...scene.querySelectorAll("[data-figure]")];
  const first = score.find(({ figure }) => figure);
  figures.forEach((figure, nth) =>
    drawn.at(first.start - 260 + nth * 40, figure, [{ opacity: 0, translate: "0 60%", rotate: `${(nth - 2.5) * 5}deg` }, { opacity: 1, translate: "none", rotate: "none" }], 420));
  for (const beat of score) BUILDERS[beat.kind](drawn, beat);
  const clock = root.animate([], { duration: total });
  clock.onfinish = () => {
    enterBeats(total);
    endFinale();
  };
  animations.push(clock);
  drawn.clock = clock;
}

/* Beats */

// A card is turned on its edge: one side goes, the other comes.
function turn({ at }, start, away, up, duration = 240) {
  at(start, away, [{ scale: "1 1", opacity: 1 }, { scale: "0 1", opacity: 1, offset: 0.99 }, { scale: "0 1", opacity: 0 }], duration / 2, "ease-in");
  at(start + duration / 2, up, [{ scale: "0 1", opacity: 0 }, { scale: "0 1", opacity: 1, offset: 0.01 }, { scale: "1 1", opacity: 1 }], duration / 2, "ease-out");
}

function buildReveal(drawn, { start, pieces }) {
  pieces.forEach((name, nth) => {
    const card = scene.querySelector(`[data-reveal="${CSS.escape(name)}"]`);
    const piece = scene.querySelector(`[data-piece="${CSS.escape(name)}"]`);
    const [from, to] = [card, piece].map((element) => element.getBoundingClientRect());
    turn(drawn, start + nth * 130, card.firstElementChild, card.lastElementChild);
    const size = to.width ? to.width / from.width : 0.3;
    const end = to.width ? to : card.closest(".player").querySelector(".plate").getBoundingClientRect();
    const dx = end.left + end.width / 2 - from.left - from.width / 2;
    const dy = end.top + end.height / 2 - from.top - from.height / 2;
    const there = { translate: `${dx}px ${dy}px`, scale: size };
    drawn.at(start + 560 + nth * 110, card, [{ opacity: 1 }, { translate: `${dx / 2}px ${dy * 0.4 - 18}px`, scale: (1 + size) / 2, offset: 0.5 }, { ...there, opacity: 1, offset: 0.95 }, { ...there, opacity: 0 }], 420, "cubic-bezier(.5,0,.2,1)");
    drawn.at(start + 940 + nth * 110, piece, [{ opacity: 0 }, { opacity: 1 }], 60, "linear");
  });
}

const stackOf = (seat, figure) => scene.querySelector(`[data-stack="${seat}-${CSS.escape(figure)}"]`);

function buildFlip(drawn, { start, figure, seats }) {
  for (const seat of seats) {
    const stack = stackOf(seat, figure);
    const pieces = [...stack.querySelectorAll("[data-piece]")];
    pieces.forEach((piece, nth) => {
      const face = piece.querySelector("svg");
      const back = drawn.add(piece, drawUse("small-back", "0 0 31 44"));
      back.classList.add("finale-back");
      turn(drawn, start + nth * 25, face, back, 200);
    });
    drawn.at(start + 180, stack.querySelector("[data-sum]"), [{ opacity: 0, scale: 0.2, rotate: "-90deg" }, { opacity: 1, scale: 1, rotate: "none" }], 320);
  }
}

function buildCount(drawn, { start, figure, points }) {
  const leader = scene.querySelector(`[data-figure="${CSS.escape(figure)}"]`);
  drawn.at(start - 40, leader, [{}, { translate: "0 -14%", scale: 1.12, offset: 0.3 }, { translate: "0 -14%", scale: 1.12, offset: 0.8 }, { translate: "none", scale: 1 }], LENGTH.count + 180, "ease-in-out", "none");
  for (const [seat, number] of points) {
    const stack = stackOf(seat, figure);
    if (!drawn.isShown(stack.dataset.stack)) drawn.at(start, stack.querySelector("[data-sum]"), [{ opacity: 0, scale: 0.3 }, { opacity: 1, scale: 1 }], 220);
    drawn.at(start, stack, [{}, { translate: "0 -7%", offset: 0.4 }, {}], 360, "ease-in-out", "none");
    const plate = playerAt(seat).querySelector(".plate");
    const tag = drawn.add(plate, document.createElement("span"));
    tag.className = "plus";
    tag.ariaHidden = "true";
    tag.textContent = `+${number}`;
    drawn.at(start + 40, tag, [{ opacity: 0, translate: "0 60%", scale: 0.7 }, { opacity: 1, translate: "none", scale: 1, offset: 0.35 }, { opacity: 1, offset: 0.8 }, { opacity: 0, translate: "0 -40%" }], 560, "ease-out");
    drawn.at(start + 60, plate.querySelector(".coin"), [{}, { scale: 1.22, offset: 0.4 }, {}], 300, "ease-in-out", "none");
  }
}

function pinMedal(drawn, start, { seat, place }) {
  const box = playerAt(seat)?.querySelector(".box");
  if (!box) return null;
  const medal = drawn.add(box, drawUse("medal", "-30 -30 60 66"));
  medal.classList.add("medal", `place-${Math.min(place, 3)}`);
  const number = medal.appendChild(document.createElementNS(SVG, "text"));
  number.setAttribute("y", "8");
  number.textContent = place;
  drawn.at(start, medal, [{ opacity: 0, translate: "0 -70%", rotate: "-30deg" }, { opacity: 1, translate: "none", rotate: "-6deg" }], 420);
  return box;
}

function buildPlace(drawn, beat) {
  const box = pinMedal(drawn, beat.start, beat);
  drawn.at(beat.start, box, [{}, { translate: "0 4%", rotate: "-2deg", offset: 0.4 }, {}], 420, "ease-in-out", "none");
}

function buildBow(drawn, { start, winners }) {
  const { at } = drawn;
  at(start, find(".dusk"), [{ opacity: 0 }, { opacity: 0.66 }], 420, "linear");
  for (const winner of winners) {
    const box = pinMedal(drawn, start, winner);
    const portrait = box?.querySelector(".portrait");
    const bow = { transform: "rotate(11deg) scale(1.04,.82)" };
    at(start, box, [{ scale: 1 }, { scale: 1.12 }], 520);
    at(start + 100, box?.querySelector(".crown"), [{ opacity: 0, translate: "-50% -80%" }, { opacity: 1, translate: "-50%" }], 420);
    at(start + 550, portrait, [{ transform: "none" }, { ...bow, offset: 0.35 }, { ...bow, offset: 0.6 }, { transform: "none" }], 1000, "ease-in-out");
  }
  const boxes = winners.map(({ seat }) => playerAt(seat)?.querySelector(".box")).filter(Boolean);
  if (!boxes.length) return;
  const beam = aimBeam(boxes[0].getBoundingClientRect());
  if (boxes.length === 1) at(start + 100, beam, [{ opacity: 0 }, { opacity: 1 }], 420, "linear");
  throwConfetti(drawn, start + 200);
}

// Points the beam of light at a box.
function aimBeam(box) {
  const beam = find(".beam");
  const stage = beam.parentElement.getBoundingClientRect();
  const height = box.bottom - stage.top + box.height * 0.9;
  const width = Math.max(box.width * 2.8, height * 0.4);
  Object.assign(beam.style, { left: `${box.left + box.width / 2 - stage.left - width / 2}px`, width: `${width}px`, height: `${height}px` });
  return beam;
}

function throwConfetti(drawn, start) {
  const sky = find(".confetti");
  const height = sky.getBoundingClientRect().height;
  for (let nth = 0; nth < 20; nth++) {
    const star = drawn.add(sky, drawUse("gold-star", "-16 -16 32 32"));
    const size = 0.6 + ((nth * 7) % 10) / 14;
    star.classList.add(`paper-${["yellow", "red", "blue", "green", "orange"][nth % 5]}`);
    star.style.left = `${3 + nth * 4.7}%`;
    const end = `${(size - 0.9) * 160}px ${height * 0.85}px`;
    drawn.at(start + ((nth * 137) % 700), star, [{ opacity: 1, translate: "0 0", rotate: "0deg", scale: size }, { opacity: 1, offset: 0.8 }, { opacity: 0, translate: end, rotate: `${(size - 0.9) * 900}deg`, scale: size }], 1700 / size, "linear", "forwards");
  }
}

function buildCurtain({ at }, { start }) {
  at(start, find(".drop .left"), [{ translate: "-104%" }, { translate: "none" }], 700, SMOOTH);
  at(start, find(".drop .right"), [{ translate: "104%" }, { translate: "none" }], 700, SMOOTH);
  at(start, find(".drop .valance"), [{ translate: "0 -104%" }, { translate: "none" }], 300, SMOOTH);
  at(start + 640, ending, [{ opacity: 0, transform: "translateY(-60px)" }, { opacity: 1, transform: "none" }], 460);
}

function drawUse(name, viewBox) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", viewBox);
  drawing.ariaHidden = "true";
  drawing.append(document.createElementNS(SVG, "use"));
  drawing.firstChild.setAttribute("href", `#${name}`);
  return drawing;
}

/* What is not an animation follows the same clock: the caption, coins that count up, faces */

// Enters every beat up to a time, one by one: a slow device may be late for several.
function enterBeats(now) {
  const caption = find(".beat");
  for (; show.entered < show.score.length && show.score[show.entered].start <= now; show.entered++) {
    const beat = show.score[show.entered];
    if (caption.textContent !== (beat.says ?? "")) caption.textContent = beat.says ?? "";
    if (root.dataset.beat === beat.kind) continue;
    root.dataset.beat = beat.kind;
    if (beat.kind === "flip") playSound("flip");
    if (beat.kind === "bow") {
      playSound("win");
      show.onBow();
    }
    root.classList.toggle("bowing", ["bow", "curtain"].includes(beat.kind));
  }
}

function tick() {
  if (!show) return;
  const { score, speed, coins, moods } = show;
  const now = show.clock.currentTime ?? 0;
  enterBeats(now);
  for (const [seat, [coin]] of coins) {
    let value = 0;
    for (const { kind, start, points } of score) {
      const own = kind === "count" && points.find(([other]) => String(other) === seat);
      if (own) value += Math.round(own[1] * Math.max(0, Math.min(1, (now - start) / speed / 260)));
    }
    if (coin.textContent !== String(value)) coin.textContent = value;
  }
  for (const [seat, [portrait, className]] of moods) {
    const isOut = score.some((each) => each.start <= now && (each.seat === seat || each.winners?.some((winner) => winner.seat === seat)));
    const wanted = isOut ? className : className.replace(/ (pleased|dismayed)/, "");
    if (portrait.className !== wanted) portrait.className = wanted;
  }
  requestAnimationFrame(tick);
}

/* Input: skip by the button, Escape or a tap on the stage; the buttons of the playbill */

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") endFinale();
});
find(".stage").addEventListener("click", (event) => {
  const wish = event.target.closest("[data-finale]")?.dataset.finale;
  if (show) {
    // Before the first beat there is nothing to skip: that is the second click of a double click on the last choice.
    // On a phone it meets the skip button, which is where the choice was confirmed.
    if (show.entered > 0 && !event.target.closest(".bar")) endFinale();
  } else if (wish === "table" || wish === "result") {
    root.classList.toggle("lifted", wish === "table");
    if (wish === "table") find(".encore button").focus({ preventScroll: true });
    else focusResult();
  } else if (wish === "picture") sharePicture();
});

async function sharePicture() {
  try {
    const { shareTable } = await import("./picture.js");
    await shareTable();
  } catch (error) {
    if (error.name !== "AbortError") showError(root.dataset.unpictured);
  }
}
