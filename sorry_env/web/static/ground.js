// The empty board as SVG: ground, squares, slides, safety zones, Starts and Homes. Colours are the
// style sheet's. Read `geometry.js` before and `board.js` after this file.

import { s } from "./dom.js";
import { turn } from "./geometry.js";
import { leafOutline } from "./leaf.js";
import { CIRCLE_OFFSET, COLOURS, GRID, LETTERS, SIDE } from "./squares.js";

const corners = (list) => list.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");
const round = (n) => Math.round(n * 1000) / 1000;

/** All of the ground, in the order of painting. startName: what the edition calls Start */
export function drawGround(layout, quarters, startName) {
  return s(
    "g",
    { "aria-hidden": "true" },
    s("rect", { class: "frame", x: -0.4, y: -0.4, width: GRID + 0.8, height: GRID + 0.8, rx: 0.5 }),
    layout.leaf ? leafFelt(quarters) : s("rect", { class: "felt", x: 0.5, y: 0.5, width: 15, height: 15 }),
    layout.tiles.map((tile, n) => drawTile(tile, n, layout)),
    layout.lanes.map((lane, c) => lane.map((tile, k) => drawSafety(tile, c, k + 1))),
    layout.slides.map((slide) => drawSlide(layout, slide)),
    layout.diamonds.map((n) => drawDiamond(layout, n)),
    layout.turbos.map((n) => drawTurbo(layout.tiles[n])),
    COLOURS.map((_, c) => drawNeck(layout, c)),
    layout.starts.map((nest, c) => drawNest(nest, c, startName)),
    layout.homes.map((nest, c) => drawNest(nest, c, "Home")),
  );
}

function leafFelt(quarters) {
  return s("polygon", { class: "felt", points: corners(leafOutline().map((p) => turn(p, quarters))) });
}

function drawTile(tile, n, layout) {
  const kind = layout.turbos.includes(n) ? "square turbo" : "square";
  return [
    s("polygon", { class: kind, points: corners(tile.corners) }),
    s("text", { class: layout.leaf ? "number outside" : "number", x: tile.number[0], y: tile.number[1] }, String(n)),
  ];
}

function drawSafety(tile, colour, k) {
  return [
    s("polygon", { class: `safety ${COLOURS[colour]}`, points: corners(tile.corners) }),
    s("text", { class: `place ${COLOURS[colour]}`, x: tile.at[0], y: tile.at[1] }, `${LETTERS[colour]}${k}`),
  ];
}

/** Triangle, bar and end circle; the triangle points the way the slide goes. */
function drawSlide(layout, slide) {
  const tiles = slide.squares.map((n) => layout.tiles[n]);
  const [first, last] = [tiles[0], tiles[tiles.length - 1]];
  const way = tiles.map((tile) => tile.at.map(round).join(" ")).join("L");
  const [dx, dy] = first.forward;
  const [x, y] = first.at;
  const tip = [[0.36, 0], [-0.25, 0.27], [-0.25, -0.27]].map(([a, b]) => [
    x + a * dx - b * dy, y + a * dy + b * dx,
  ]);
  return s(
    "g",
    { class: `slide ${COLOURS[slide.colour]}` },
    s("path", { class: "bar", d: `M${way}` }),
    s("circle", { cx: last.at[0], cy: last.at[1], r: 0.25 }),
    s("polygon", { points: corners(tip) }),
  );
}

function drawDiamond(layout, n) {
  const [x, y] = layout.tiles[n].at;
  const edge = [[0, -0.34], [0.34, 0], [0, 0.34], [-0.34, 0]].map(([a, b]) => [x + a, y + b]);
  return s("polygon", { class: `diamond ${COLOURS[Math.floor(n / SIDE)]}`, points: corners(edge) });
}

/** Two chevrons that point forward. */
function drawTurbo(tile) {
  const [[x, y], [dx, dy]] = [tile.at, tile.forward];
  return [-0.2, 0.12].map((along) => {
    const list = [[along - 0.1, -0.26], [along + 0.16, 0], [along - 0.1, 0.26]].map(([a, b]) => [
      x + a * dx - b * dy, y + a * dy + b * dx,
    ]);
    return s("polyline", { class: "chevron", points: corners(list) });
  });
}

/** The way from Start to the circle. */
function drawNeck(layout, colour) {
  const [x, y] = layout.tiles[SIDE * colour + CIRCLE_OFFSET].at;
  const [nx, ny] = layout.starts[colour].at;
  const length = Math.hypot(nx - x, ny - y);
  const edge = [x + (0.5 * (nx - x)) / length, y + (0.5 * (ny - y)) / length];
  return s("line", { class: `neck ${COLOURS[colour]}`, x1: edge[0], y1: edge[1], x2: nx, y2: ny });
}

function drawNest(nest, colour, name) {
  const kind = name === "Home" ? "nest home" : "nest start";
  return s(
    "g",
    { class: `${kind} ${COLOURS[colour]}` },
    s("circle", { class: "rim", cx: nest.at[0], cy: nest.at[1], r: nest.r }),
    s("circle", { class: "inside", cx: nest.at[0], cy: nest.at[1], r: nest.r - 0.16 }),
    nest.spots.map(([cx, cy]) => s("circle", { class: "spot", cx, cy, r: 0.2 })),
    s("text", { class: "nest-name", x: nest.label[0], y: nest.label[1] }, name),
  );
}
