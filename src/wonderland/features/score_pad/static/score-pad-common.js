// Shared by the modules of a score pad: its texts, and functions that create elements.

export const root = document.getElementById("main");
export const words = root.dataset;
export const byId = (name) => document.getElementById(name);

export const fill = (text, fields) => text.replace(/\{(\w+)\}/g, (whole, name) => fields[name] ?? whole);

// Creates an element with attributes and children; strings become text nodes, never HTML.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const hiddenText = (text) => make("span", { class: "visually-hidden" }, text);
export const nameElement = (name) => make("bdi", { class: "who", title: name }, name);

// An SVG that uses a symbol of the page.
export function figure(id, kind = "") {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", kind);
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(namespace, "use"));
  svg.firstChild.setAttribute("href", `#${id}`);
  return svg;
}

// "Name: what, n points" with the plural form of `number`: the page has the texts for 1, 2 and 5, one per plural category.
const pluralRules = new Intl.PluralRules(document.documentElement.lang);
export function countMessage(name, what, number) {
  const sample = [1, 2, 5].find((each) => pluralRules.select(each) === pluralRules.select(number)) ?? 5;
  return fill(root.getAttribute(`data-counted-${sample}`), { name, what, number });
}

// One letter per player, or their number if the letter is not unique.
export function initials(names) {
  const letters = names.map((name) => [...name][0].toLocaleUpperCase());
  return letters.map((letter, seat) => (letters.indexOf(letter) === letters.lastIndexOf(letter) ? letter : String(seat + 1)));
}

// The result of a round in one sentence: winners, scores and the reason.
export function resultOf({ points, winners, reason }, names) {
  const scores = points.map((score, seat) => fill(words.score, { name: names[seat], score })).join(words.comma);
  const won = winners.map((seat) => names[seat]);
  const last = won.pop();
  const text = won.length ? words.share : words.wins;
  return fill(words.result, { result: fill(text, { name: last, last, others: won.join(words.comma), scores }), reason });
}
