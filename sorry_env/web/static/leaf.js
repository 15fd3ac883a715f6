// The board as a clover leaf, for rulesets with turbo squares: the ring of 60 squares bent into four
// rounded lobes with a turbo square at the tip of each. A quarter of the ring, tip to tip, is half a
// lobe, a rounded notch and half of the next lobe: arcs of circles that touch, along which squares
// stand at equal distances. Only red's quarter is spelled out. Read `geometry.js` before this file.

import { marks, nest, turn, turnTile } from "./geometry.js";
import { ENTRY_OFFSET, GRID, SIDE } from "./squares.js";

const MIDDLE = GRID / 2;
const LOBE = 3.8; // radius of a lobe
const LOBE_AT = 3.7; // from the board's middle to a lobe's, along both axes
const NOTCH = 1.1; // radius of a notch
const NOTCH_AT = LOBE_AT + Math.sqrt((LOBE + NOTCH) ** 2 - LOBE_AT ** 2);
const TIP = -Math.PI / 4; // angles run clockwise from upward
const JOINT = Math.atan2(LOBE_AT, NOTCH_AT - LOBE_AT); // where the lobe gives way to the notch
const LOBE_LENGTH = LOBE * (JOINT - TIP);
const QUARTER = 2 * LOBE_LENGTH + 2 * JOINT * NOTCH;

const HALF = 0.46; // half the width of a square, across the way
const NUMBER_AT = 0.61;
const NUMBER_ASIDE = 0.12; // how much farther out beside a square of a notch: it is wider than high
const LANE_STEP = 0.86;
const LANE_TURNS = [0, 0, 12, 0, 30]; // degrees to the right in each safety square
const START_AT = [5.8, 2.78];
const RADIUS = 1.06;
const SPOT = 0.41;
const HOME_LABEL = [0.12, 1.72]; // from the middle of red's Home

const walk = ([x, y], [dx, dy], far) => [x + dx * far, y + dy * far];
const way = (angle) => [Math.sin(angle), -Math.cos(angle)];

/** The point so far along red's quarter from its tip, and the way forward there. */
function along(length) {
  if (length > QUARTER / 2) {
    // The second half is the first one's mirror image.
    const { at, forward } = along(QUARTER - length);
    return { at: [GRID - at[0], at[1]], forward: [forward[0], -forward[1]] };
  }
  let angle, centre, radius, sense;
  if (length <= LOBE_LENGTH) {
    angle = TIP + length / LOBE;
    [centre, radius, sense] = [[MIDDLE - LOBE_AT, MIDDLE - LOBE_AT], LOBE, 1];
  } else {
    angle = JOINT - Math.PI - (length - LOBE_LENGTH) / NOTCH;
    [centre, radius, sense] = [[MIDDLE, MIDDLE - NOTCH_AT], NOTCH, -1];
  }
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return {
    at: [centre[0] + radius * sin, centre[1] - radius * cos], forward: [sense * cos, sense * sin],
  };
}

function tile(offset) {
  const step = QUARTER / SIDE;
  const { at, forward } = along(step * offset);
  const corners = [[-0.5, HALF], [-0.5, -HALF], [0.5, -HALF], [0.5, HALF]].map(([ahead, far]) => {
    const edge = along(step * (offset + ahead));
    return walk(edge.at, [edge.forward[1], -edge.forward[0]], far);
  });
  return { at, corners, forward, number: walk(at, [forward[1], -forward[0]], NUMBER_AT) };
}

/** Red's safety squares: inward from the entry, then bending towards Home. */
function lane(entry) {
  const [dx, dy] = entry.forward;
  let angle = Math.atan2(dx, -dy) + Math.PI / 2;
  let point = walk(entry.at, way(angle), HALF - LANE_STEP / 2);
  return LANE_TURNS.map((degrees) => {
    point = walk(point, way(angle), LANE_STEP / 2);
    angle += (degrees * Math.PI) / 180;
    const forward = way(angle);
    point = walk(point, forward, LANE_STEP / 2);
    const across = [-forward[1], forward[0]];
    const corners = [[-1, -1], [-1, 1], [1, 1], [1, -1]].map(([ahead, side]) =>
      walk(walk(point, forward, (ahead * LANE_STEP) / 2), across, side * HALF),
    );
    return { at: point, corners, forward, number: point };
  });
}

/** A square of the turned board; in a notch its number keeps clear of the squares' edges. */
function upright(tile, offset) {
  const far = Math.abs((QUARTER / SIDE) * offset - QUARTER / 2);
  if (far > JOINT * NOTCH) return tile;
  const [x, y] = tile.number;
  const out = (x - tile.at[0]) / NUMBER_AT; // from -1, left of its square, to 1, right of it
  return { ...tile, number: [x + NUMBER_ASIDE * out * Math.abs(out), y] };
}

/** The leaf; arguments as of `gridLayout`. */
export function leafLayout(facts, quarters) {
  const colours = [0, 1, 2, 3];
  const side = Array.from({ length: SIDE }, (_, offset) => tile(offset));
  const redLane = lane(side[ENTRY_OFFSET]);
  const last = redLane[redLane.length - 1];
  const home = walk(last.at, last.forward, LANE_STEP / 2 + RADIUS - 0.04);
  const label = [home[0] + HOME_LABEL[0], home[1] + HOME_LABEL[1]];
  const startLabel = [START_AT[0], START_AT[1] + RADIUS + 0.31];
  return {
    leaf: true,
    tiles: colours.flatMap((c) => side.map((t, offset) => upright(turnTile(t, c + quarters), offset))),
    lanes: colours.map((c) => redLane.map((t) => turnTile(t, c + quarters))),
    starts: colours.map((c) => {
      const at = turn(START_AT, c + quarters);
      const down = at[1] < MIDDLE ? 1 : -1;
      const upright = [at[0], at[1] + down * (startLabel[1] - START_AT[1])];
      return nest(at, RADIUS, SPOT, upright);
    }),
    homes: colours.map((c) => {
      const [at, name] = [turn(home, c + quarters), turn(label, c + quarters)];
      const aside = Math.abs(name[0] - at[0]) > Math.abs(name[1] - at[1]);
      // Beside its circle a name is wider than it is high above or below it.
      return nest(at, RADIUS, SPOT, aside ? [name[0] + Math.sign(name[0] - at[0]) * 0.18, name[1]] : name);
    }),
    ...marks(facts),
  };
}

/** The ring's middle line, unturned, as points: the ground that the leaf lies on. */
export function leafOutline(points = 24) {
  const quarter = Array.from({ length: points }, (_, n) => along((QUARTER * n) / points).at);
  return [0, 1, 2, 3].flatMap((c) => quarter.map((point) => turn(point, c)));
}
