// Small pictures of pieces in captions and news, instead of their names, which stay there for screen readers.

const SVG = "http://www.w3.org/2000/svg";
// The name of each piece that has a picture, with its symbol and its paper.
const drawn = new Map(Object.entries(JSON.parse(document.getElementById("deck")?.dataset.pictures || "{}")));
const escape = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const longestFirst = [...drawn.keys()].sort((a, b) => b.length - a.length); // "Red 10" before "Red 1"
const names = drawn.size ? new RegExp(`(${longestFirst.map(escape).join("|")})`) : null;

function hidden(text) {
  const span = document.createElement("span");
  span.className = "visually-hidden";
  span.textContent = text;
  return span;
}

function draw(name) {
  const [symbol, paper] = drawn.get(name);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", `pictured paper-${paper}`);
  svg.setAttribute("aria-hidden", "true");
  svg.appendChild(document.createElementNS(SVG, "use")).setAttribute("href", `#${symbol}`);
  return [svg, hidden(name)];
}

// Draws the pieces that are named in an element. Between two pictures, no comma is shown.
export function drawPieces(element) {
  if (!names) return;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) if (names.test(texts.currentNode.data)) found.push(texts.currentNode);
  for (const text of found) {
    if (text.parentElement.matches(".visually-hidden")) continue;
    const parts = text.data.split(names); // every other part is a name
    const isComma = (part, nth) => nth > 0 && nth < parts.length - 1 && /^[,、]\s?$/.test(part);
    text.replaceWith(...parts.flatMap((part, nth) => (nth % 2 ? draw(part) : isComma(part, nth) ? [hidden(part)] : [part])));
  }
}
