// Where everything lies on the board: points in units of one square, as data, without colours.
//
// The grid is 16 x 16 cells; its 60 border cells are the outer squares, clockwise from square 0.
// Unturned, red's side runs along the top; a view is turned by quarters so that the own side is at
// the bottom. Only red's side is spelled out, the rest is turned. `leaf.js` bends the same ring
// into a clover leaf. Both give a layout:
//
//   tiles   60 of { at, corners, forward, number }    lanes  per colour, 5 of the same
//   starts  per colour { at, r, spots, label }        homes  likewise
//   slides  of { colour, squares }                    diamonds, turbos  outer squares
//   leaf    whether it is the leaf

import { ENTRY_OFFSET, GRID, LETTERS, SIDE, TRACK } from "./squares.js";

const MIDDLE = GRID / 2;
const RED = { start: [4.5, 2.45], home: [2.5, 7.2], radius: 1.25, spot: 0.48 };

/** A point turned clockwise around the board's middle. */
export function turn([x, y], quarters) {
  let point = [x, y];
  for (let n = quarters & 3; n > 0; n--) point = [GRID - point[1], point[0]];
  return point;
}

function turnWay([dx, dy], quarters) {
  let way = [dx, dy];
  for (let n = quarters & 3; n > 0; n--) way = [-way[1], way[0]];
  return way;
}

/** A tile turned with the board. */
export function turnTile(tile, quarters) {
  return {
    at: turn(tile.at, quarters),
    corners: tile.corners.map((corner) => turn(corner, quarters)),
    forward: turnWay(tile.forward, quarters),
    number: turn(tile.number, quarters),
  };
}

/** A Start or Home: its circle, the places of four pawns in it, and where its name stands. */
export function nest(at, r, spot, label) {
  const spots = [-spot, spot].flatMap((dy) => [-spot, spot].map((dx) => [at[0] + dx, at[1] + dy]));
  return { at, r, spots, label };
}

function cell(column, row, forward) {
  const corners = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]];
  const at = [column + 0.5, row + 0.5];
  return { at, corners, forward, number: [column + 0.16, row + 0.15] };
}

function gridNest(red, colour, quarters) {
  const at = turn(red, colour + quarters);
  const down = at[1] < MIDDLE ? 1 : -1;
  return nest(at, RED.radius, RED.spot, [at[0], at[1] + down * (RED.radius + 0.33)]);
}

/** What both boards share: their slides, diamonds and turbo squares, from the ruleset's facts. */
export function marks(facts) {
  return {
    slides: [0, 1, 2, 3].flatMap((colour) =>
      facts.slides.map(([first, last]) => ({
        colour,
        squares: Array.from({ length: last - first + 1 }, (_, n) => SIDE * colour + first + n),
      })),
    ),
    diamonds: facts.diamond ? [0, 1, 2, 3].map((c) => SIDE * c + 3) : [],
    turbos: facts.turbo ? [0, 1, 2, 3].map((c) => SIDE * c) : [],
  };
}

/** The square board. facts: { slides, diamond, turbo } of the ruleset; quarters: how it is turned */
export function gridLayout(facts, quarters) {
  const colours = [0, 1, 2, 3];
  const upright = (tile) => {
    // Numbers stand in the upper left corner of a square however the board is turned.
    const [x, y] = tile.at;
    return { ...tile, number: [x - 0.34, y - 0.34] };
  };
  const square = (n) => turnTile(cell(n % SIDE, 0, [1, 0]), Math.floor(n / SIDE) + quarters);
  return {
    leaf: false,
    tiles: Array.from({ length: TRACK }, (_, n) => upright(square(n))),
    lanes: colours.map((c) =>
      [1, 2, 3, 4, 5].map((k) => upright(turnTile(cell(ENTRY_OFFSET, k, [0, 1]), c + quarters))),
    ),
    starts: colours.map((c) => gridNest(RED.start, c, quarters)),
    homes: colours.map((c) => gridNest(RED.home, c, quarters)),
    ...marks(facts),
  };
}

/** Where a pawn on a place such as `12`, `r3`, `rS` stands; slot: which of four in a nest. */
export function pointOf(layout, place, slot = 0) {
  const colour = LETTERS.indexOf(place[0]);
  if (colour < 0) return layout.tiles[Number(place)].at;
  if (place[1] === "S") return layout.starts[colour].spots[slot];
  if (place[1] === "H") return layout.homes[colour].spots[slot];
  return layout.lanes[colour][Number(place[1]) - 1].at;
}

/** The tile of a place, or the nest of a Start or Home. */
export function areaOf(layout, place) {
  const colour = LETTERS.indexOf(place[0]);
  if (colour < 0) return layout.tiles[Number(place)];
  if (place[1] === "S") return layout.starts[colour];
  if (place[1] === "H") return layout.homes[colour];
  return layout.lanes[colour][Number(place[1]) - 1];
}
