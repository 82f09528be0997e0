// What the parts of a score pad share: its words, and how to put elements together.

export const root = document.getElementById("main");
export const words = root.dataset;
export const byId = (name) => document.getElementById(name);

export const fill = (text, fields) => text.replace(/\{(\w+)\}/g, (whole, name) => fields[name] ?? whole);

// An element with attributes and children; texts are only ever texts.
export function make(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) if (value !== null) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export const unseen = (text) => make("span", { class: "visually-hidden" }, text);
export const named = (name) => make("bdi", { class: "who", title: name }, name);

// A drawing that the page has as a symbol.
export function figure(id, kind = "") {
  const space = "http://www.w3.org/2000/svg";
  const drawn = document.createElementNS(space, "svg");
  drawn.setAttribute("class", kind);
  drawn.setAttribute("aria-hidden", "true");
  drawn.append(document.createElementNS(space, "use"));
  drawn.firstChild.setAttribute("href", `#${id}`);
  return drawn;
}

// Some languages have several words for several things: those of a number like this one are right.
const kinds = new Intl.PluralRules(document.documentElement.lang);
export function counted(name, what, number) {
  const alike = [1, 2, 5].find((sample) => kinds.select(sample) === kinds.select(number)) ?? 5;
  return fill(root.getAttribute(`data-counted-${alike}`), { name, what, number });
}

// One letter for each player, or their number where two begin alike.
export function initials(names) {
  const letters = names.map((name) => [...name][0].toLocaleUpperCase());
  return letters.map((letter, seat) => (letters.indexOf(letter) === letters.lastIndexOf(letter) ? letter : String(seat + 1)));
}

export function resultOf({ points, winners, reason }, names) {
  const scores = points.map((score, seat) => fill(words.score, { name: names[seat], score })).join(words.comma);
  const won = winners.map((seat) => names[seat]);
  const last = won.pop();
  const text = won.length ? words.share : words.wins;
  return fill(words.result, { result: fill(text, { name: last, last, others: won.join(words.comma), scores }), reason });
}
