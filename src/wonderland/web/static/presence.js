// Who is at the table: dots beside the players, and signs that count down until a bot may play for someone who is away,
// or until they lose a rated game, where everyone sees the clock of the player to move.

import { byId, me, root } from "./dom.js";

const box = byId("absences");
let present = []; // seats
let absent = []; // { seat, readyAt, automatic, forfeits, here }
let timer = null;

export function updatePresence(message) {
  const now = performance.now();
  present = message.seats;
  byId("announcement").textContent = message.announcement ?? "";
  byId("announcement").hidden = !message.announcement;
  absent = message.absent
    .filter(({ seat, wait, here }) => wait !== null && (here || !root.querySelector(`.seats .me[data-seat="${seat}"]`)))
    .map(({ wait, ...player }) => ({ ...player, readyAt: now + wait }));
  showPresence();
}

export function showPresence() {
  for (const item of root.querySelectorAll(".seats [data-seat]"))
    item.classList.toggle("here", present.includes(Number(item.dataset.seat)));
  showAbsences();
}

const nameOf = (seat) => root.querySelector(`.seats [data-seat="${seat}"] .who`)?.textContent ?? "";
const make = (tag, fields) => Object.assign(document.createElement(tag), fields);

function line(seat) {
  const element = make("p");
  element.dataset.seat = seat;
  element.append(make("span", { className: "away" }), " ", make("span", { className: "countdown", ariaHidden: "true" })); // not read every second
  return element;
}

function offer(seat, textContent) {
  const title = box.dataset.offer.replace("{name}", nameOf(seat));
  const button = make("button", { textContent: textContent ?? title, title, ariaLabel: title });
  button.dataset.do = "propose";
  button.dataset.fields = JSON.stringify({ seat: Number(me.seat), what: "bot", about: seat });
  return button;
}

// The sign in the box of an absent player, over their portrait: nothing else is covered, and nothing moves.
function signOf(seat, place) {
  const found = place.querySelector(".away-sign");
  if (found) return found;
  const sign = make("span", { className: "away-sign" });
  sign.append(make("span", { className: "left", ariaHidden: "true" }));
  sign.dataset.seat = seat;
  place.append(sign);
  return sign;
}

// Shows a sign, or a line where the game draws no boxes, for each absent player. What is there already
// stays, with the focus on its button.
function showAbsences() {
  const isAbsent = ({ dataset, className }) => absent.some(({ seat, here }) => String(seat) === dataset.seat && !(here && className === "away-sign"));
  for (const element of [...box.children, ...root.querySelectorAll(".away-sign")]) if (!isAbsent(element)) element.remove();
  for (const player of absent) {
    const { seat, automatic, forfeits, here, readyAt } = player;
    const element = box.querySelector(`[data-seat="${seat}"]`) ?? box.appendChild(line(seat));
    const left = Math.max(0, Math.ceil((readyAt - performance.now()) / 1000));
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    const away = here ? "" : box.dataset.away.replace("{name}", nameOf(seat));
    const text = element.querySelector(".away");
    if (text.textContent !== away) text.textContent = away; // a change is read aloud
    const wording = here ? `${nameOf(seat)}: {time}` : forfeits ? box.dataset.forfeit : automatic ? box.dataset.clock : box.dataset.wait;
    element.querySelector(".countdown").textContent = left ? wording.replace("{time}", time) : "";
    const place = here ? null : root.querySelector(`#scene .player[data-at="${seat}"] > .box`);
    element.classList.toggle("visually-hidden", place !== null);
    const sign = place && signOf(seat, place);
    if (sign) {
      sign.title = element.textContent;
      sign.querySelector(".left").textContent = !left ? "" : forfeits ? time : box.dataset.sign.replace("{time}", time);
    }
    const holder = sign ?? element;
    const isOffered = !left && !automatic && me.seat !== "";
    const button = holder.querySelector("button");
    if (isOffered && !button) holder.append(offer(seat, sign ? box.dataset.short : undefined));
    else if (!isOffered) button?.remove();
  }
  clearTimeout(timer);
  if (absent.length) timer = setTimeout(showAbsences, 1000);
}

// On a tall stage with many players, a touch shows what lies in front of one of them.
root.addEventListener("click", (event) => {
  const seat = event.target.closest(".seat");
  if (!seat) return;
  for (const other of root.querySelectorAll(".seat.shown")) other.classList.remove("shown");
  seat.classList.add("shown");
});
