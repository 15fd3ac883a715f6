// The small pictures of the page, drawn here: pawns, tokens, icons. One unit is a board square.

import { s } from "./dom.js";

const polar = (degrees, far) => [
  far * Math.sin((degrees * Math.PI) / 180), -far * Math.cos((degrees * Math.PI) / 180),
];
const points = (list) => list.map(([x, y]) => `${x.toFixed(3)},${y.toFixed(3)}`).join(" ");

/** A pawn seen from above, around (0, 0): a foot, a head with the colour's letter. */
export function pawn(seat) {
  return s(
    "g",
    { class: `pawn-body ${seat}` },
    s("circle", { class: "pawn-shade", cx: 0.03, cy: 0.06, r: 0.385 }),
    s("circle", { class: "pawn-foot", r: 0.37 }),
    s("circle", { class: "pawn-head", r: 0.27 }),
    s("text", { class: "pawn-letter", y: 0.015 }, seat[0].toUpperCase()),
  );
}

/** A pawn as a picture of its own, for lists. */
export function pawnIcon(seat, label) {
  return s(
    "svg",
    { class: "icon pawn-icon", viewBox: "-0.45 -0.45 0.9 0.9", ...spoken(label) },
    pawn(seat),
  );
}

const spoken = (label) => (label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" });

/** The Fire around (0, 0), one unit high from tip to foot and twice that. */
export function fire(size) {
  return s(
    "g",
    { class: "token fire", transform: `scale(${size})` },
    s("path", {
      class: "flame",
      d: "M0.08-1.1C0.2-0.6 0.78-0.4 0.78 0.3C0.78 0.75 0.4 1 0 1C-0.45 1-0.78 0.68-0.78 0.25C-0.78-0.12-0.5-0.25-0.42-0.62C-0.28-0.5-0.22-0.4-0.2-0.25C0.05-0.45 0.1-0.8 0.08-1.1Z",
    }),
    s("path", {
      class: "flame-heart",
      d: "M0.04-0.2C0.1 0.1 0.38 0.2 0.36 0.5C0.34 0.75 0.16 0.84-0.02 0.84C-0.22 0.84-0.38 0.7-0.38 0.46C-0.38 0.2-0.06 0.12 0.04-0.2Z",
    }),
  );
}

/** The Ice: a hexagon with a crystal of six arms. */
export function ice(size) {
  const arms = [0, 60, 120].map((angle) => {
    const [[x1, y1], [x2, y2]] = [polar(angle, 0.66), polar(angle, -0.66)];
    return s("line", { x1, y1, x2, y2 });
  });
  const edge = [0, 60, 120, 180, 240, 300].map((angle) => polar(angle, 1));
  return s(
    "g",
    { class: "token ice", transform: `scale(${size})` },
    s("polygon", { points: points(edge) }),
    arms,
  );
}

function happy(size) {
  return s(
    "g",
    { class: "token happy", transform: `scale(${size})` },
    s("circle", { r: 0.95 }),
    s("circle", { class: "ink", cx: -0.32, cy: -0.25, r: 0.14 }),
    s("circle", { class: "ink", cx: 0.32, cy: -0.25, r: 0.14 }),
    s("path", { class: "line", d: "M-0.5 0.2Q0 0.8 0.5 0.2" }),
  );
}

function punished(size) {
  return s(
    "g",
    { class: "token punished", transform: `scale(${size})` },
    s("circle", { r: 0.85 }),
    s("line", { x1: -0.55, y1: 0.55, x2: 0.55, y2: -0.55 }),
  );
}

/** What a pawn can carry, by name; each made with half its height. */
export const TOKENS = { fire, ice, happy, punished };

/** A token as a picture of its own. */
export function tokenIcon(name, label) {
  return s("svg", { class: "icon", viewBox: "-1.2 -1.2 2.4 2.4", ...spoken(label) }, TOKENS[name](1));
}

const PATHS = {
  undo: "M9 14L4 9l5-5M4 9h9a6 6 0 0 1 0 12h-3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.5 1 2.5h6c0-1 .2-1.7 1-2.5A6 6 0 0 0 12 3z",
  turn: "M20 12a8 8 0 1 1-2.4-5.7M20 3v4h-4",
  pause: "M8 5v14M16 5v14",
  play: "M7 4l13 8-13 8z",
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6L12.5 17",
  flag: "M5 21V4h12l-2 4 2 4H5",
  graph: "M4 19V5M4 19h16M7 15l4-5 3 3 5-7",
  skip: "M4 5l7 7-7 7zM13 5l7 7-7 7z",
};

/** A line drawing for a button. */
export function icon(name) {
  return s(
    "svg",
    { class: "icon line", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: PATHS[name] }),
  );
}
