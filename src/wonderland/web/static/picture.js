// A picture of the final table to share: title, date, and each player with portrait, place, score and what lies in front of them.

import { byId, root } from "./dom.js";

const WIDTH = 1200;
const [HEAD, ROW, FOOT] = [150, 132, 40];
const SVG = "http://www.w3.org/2000/svg";
const PAPER = "#fdf4de";
const GOLD = "#d9a944";
const font = (weight, size) => `${weight} ${size}px Fraunces, Georgia, serif`;

// Draws the picture, then shares it, or downloads it where the browser can't share files.
export async function shareTable() {
  const canvas = await drawTable();
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const file = new File([blob], `${root.dataset.table}.png`, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file], title: document.title });
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function drawTable() {
  const rows = [...byId("ending").querySelectorAll(".places li")];
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEAD + ROW * rows.length + FOOT;
  const context = canvas.getContext("2d");
  const [pieces, portraits] = await Promise.all([drawPieces(rows, canvas.height), loadPortraits()]);
  drawSheet(context, canvas.height);
  drawHeading(context);
  rows.forEach((row, nth) => drawRow(context, row, HEAD + nth * ROW, portraits));
  context.drawImage(pieces, 0, 0);
  return canvas;
}

function drawSheet(context, height) {
  const light = context.createRadialGradient(WIDTH / 2, height * 0.3, 60, WIDTH / 2, height * 0.3, WIDTH * 0.7);
  light.addColorStop(0, "#2a7a63");
  light.addColorStop(0.6, "#1b5848");
  light.addColorStop(1, "#134437");
  context.fillStyle = light;
  context.fillRect(0, 0, WIDTH, height);
  context.fillStyle = "#1d3263";
  context.strokeStyle = GOLD;
  context.lineWidth = 4;
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(0, 26);
  for (let x = 0; x < WIDTH; x += 100) context.quadraticCurveTo(x + 50, 66, x + 100, 26);
  context.lineTo(WIDTH, 0);
  context.fill();
  context.stroke();
  context.strokeRect(10, 10, WIDTH - 20, height - 20);
}

function write(context, text, x, y, style, { colour = PAPER, align = "left", width } = {}) {
  context.font = style;
  context.fillStyle = colour;
  context.textAlign = align;
  context.textBaseline = "middle";
  context.fillText(text, x, y, width);
}

function drawHeading(context) {
  const { lang } = document.documentElement;
  const language = navigator.language.startsWith(lang) ? navigator.language : lang; // British or American dates
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(new Date());
  write(context, root.querySelector(".bar h1").textContent, 50, 100, font(900, 56));
  write(context, date, WIDTH - 50, 104, font(600, 26), { align: "right" });
}

const belongingsOf = (row) => byId("scene").querySelector(`.player[data-at="${row.dataset.seat}"] .belongings`);

// The player's own name: the playbill says "You" to the viewer, which would be wrong on a picture for others.
const nameIn = (row) =>
  (byId("scene").querySelector(`.player[data-at="${row.dataset.seat}"] .who`) ?? row.querySelector(".who")).textContent;

function drawRow(context, row, top, portraits) {
  const middle = top + ROW / 2 - 6;
  context.fillStyle = "rgb(6 20 18 / .3)";
  context.beginPath();
  context.roundRect(30, top, WIDTH - 60, ROW - 12, 12);
  context.fill();
  const style = getComputedStyle(row.querySelector(".portrait"));
  const [column, line] = ["--mood", "--row"].map((name) => Number(style.getPropertyValue(name)));
  context.drawImage(portraits, column * 124, line * 128, 124, 128, 106, middle - 54, 104, 108);
  write(context, row.dataset.place, 72, middle, font(900, 44), { colour: GOLD, align: "center" });
  write(context, nameIn(row), 228, middle, font(800, 32), { width: 270 });
  context.fillStyle = GOLD;
  context.beginPath();
  context.arc(WIDTH - 90, middle, 40, 0, 2 * Math.PI);
  context.fill();
  write(context, row.querySelector(".score").textContent, WIDTH - 90, middle + 2, font(900, 38), { colour: "#3a2504", align: "center", width: 70 });
}

// All portraits as one image. A size of its own makes it the same in every browser.
async function loadPortraits() {
  const [, url] = getComputedStyle(root.querySelector(".portrait")).backgroundImage.match(/url\("(.+)"\)/);
  const text = await (await fetch(url)).text();
  return loadSvg(text.replace(/<svg (?=[^>]*viewBox="0 0 (\d+) (\d+)")/, '<svg width="$1" height="$2" '));
}

/* Pieces are symbols of the page. They become one SVG image, which has to bring its symbols, styles and font along. */

async function drawPieces(rows, height) {
  const image = document.createElementNS(SVG, "svg");
  image.setAttribute("xmlns", SVG);
  image.setAttribute("width", WIDTH);
  image.setAttribute("height", height);
  const style = image.appendChild(document.createElementNS(SVG, "style"));
  const used = new Set();
  const placed = rows.flatMap((row, nth) => placePieces(row, HEAD + nth * ROW));
  for (const piece of placed) collectSymbols(piece, used);
  const symbols = image.appendChild(document.createElementNS(SVG, "defs"));
  for (const name of used) symbols.append(copySymbol(document.getElementById(name)));
  image.append(...placed);
  style.textContent = `${await fontFace()}${styleRules(image)}`;
  return loadSvg(new XMLSerializer().serializeToString(image));
}

// Copies what lies in front of a player, arranged as on the table, into the free part of the row.
function placePieces(row, top) {
  const area = belongingsOf(row);
  const drawings = [...(area?.querySelectorAll("[data-piece] > svg, svg[data-piece]") ?? [])];
  const boxes = drawings.map((each) => each.getBoundingClientRect());
  const seen = boxes.filter(({ width }) => width);
  if (!seen.length) return [];
  const [left, upper] = [Math.min(...seen.map((box) => box.left)), Math.min(...seen.map((box) => box.top))];
  const [right, lower] = [Math.max(...seen.map((box) => box.right)), Math.max(...seen.map((box) => box.bottom))];
  const scale = Math.min(540 / (right - left), (ROW - 34) / (lower - upper), 2);
  const y = top + (ROW - 12 - (lower - upper) * scale) / 2;
  return drawings.flatMap((drawing, nth) => {
    const box = boxes[nth];
    if (!box.width) return [];
    const copy = drawing.cloneNode(true);
    copy.setAttribute("class", [...drawing.classList].filter((name) => name.startsWith("paper-")).join(" "));
    const place = { x: 516 + (box.left - left) * scale, y: y + (box.top - upper) * scale, width: box.width * scale, height: box.height * scale };
    for (const [name, value] of Object.entries(place)) copy.setAttribute(name, value);
    return [copy];
  });
}

function collectSymbols(element, used) {
  for (const each of [element, ...element.querySelectorAll("*")]) {
    const texts = [...each.attributes].map(({ value }) => value).join(" ");
    const names = [...texts.matchAll(/url\(#([\w-]+)\)/g)].map(([, name]) => name);
    if (each.tagName === "use") names.push(each.getAttribute("href").slice(1));
    if (each.classList.contains("c-sheet")) names.push("sheet");
    for (const name of names) {
      const symbol = document.getElementById(name);
      if (!symbol || used.has(name)) continue;
      used.add(name);
      collectSymbols(symbol, used);
    }
  }
}

// Copies a symbol; its texts keep their type, because a `font` with a variable is lost when a rule is written as text.
function copySymbol(symbol) {
  const copy = symbol.cloneNode(true);
  const textsIn = (element) => (element.matches("text") ? [element] : [...element.querySelectorAll("text")]);
  const copies = textsIn(copy);
  textsIn(symbol).forEach((text, nth) => {
    const style = getComputedStyle(text);
    for (const name of ["font-family", "font-size", "font-weight"]) copies[nth].setAttribute(name, style.getPropertyValue(name));
  });
  return copy;
}

// The rules for a drawing: those of the root, and of the single classes in it.
function styleRules(image) {
  const classes = new Set([...image.querySelectorAll("[class]")].flatMap((each) => [...each.classList]));
  const isUsed = (selector) => selector === ":root" || (/^(\.[\w-]+)+$/.test(selector) && selector.slice(1).split(".").every((name) => classes.has(name)));
  const isWanted = (rule) => rule instanceof CSSStyleRule && rule.selectorText.split(", ").some(isUsed);
  return [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].filter(isWanted).map((rule) => rule.cssText)).join("");
}

async function fontFace() {
  const url = document.querySelector('link[as="font"]').href;
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `@font-face{font-family:Fraunces;font-weight:400 900;src:url(data:font/woff2;base64,${text})}`;
}

async function loadSvg(text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}
