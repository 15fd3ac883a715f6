// The dice game for position.mjs: what its lines, the fields of its observations and the names of
// its actions say. Formats and meanings: docs/express.md. Read board.mjs, the other kind of game,
// before and model.mjs after this file.

const COLOURS = "rbyg";
const FACES = "rbygSWL"; // a colour, Sorry!, wild, slide
const PHASES = ["move", "over"];
const SEATS = 4; // players that an observation has room for
const DICE = 3;
const NOBODY = -1; // the Home colour where nobody sits
const RESOLVED = -1; // a die that is resolved, or not rolled yet

const counts = (text) => text.split(".").map(Number);

/** A position's line, read: colours and faces are numbers, players their seats. */
export function readPosition(line) {
  const [ruleset, bases, pool, turn, dice] = line.split(" ");
  const players = bases.split("/").map((base) => base.split(":"));
  const faces = Array(DICE).fill(RESOLVED);
  if (dice !== "?" && dice !== "-")
    for (const one of dice.split(",")) {
      const [die, face] = one.split("=");
      faces[Number(die) - 1] = FACES.indexOf(face);
    }
  return {
    ruleset,
    homes: players.map(([home]) => COLOURS.indexOf(home)),
    held: players.map(([, held]) => counts(held)),
    pool: counts(pool),
    turn: Number(turn),
    actor: Number(turn), // nobody else ever decides
    dice: faces,
    phase: dice === "-" ? "over" : "move",
  };
}

// What each field of an observation holds. `s.around(values, free)` lists the players' values
// clockwise from the viewer, then `free` for each place where nobody sits.
const FIELDS = {
  home: (s) => s.around(s.homes, NOBODY),
  held: (s) => s.around(s.held, Array(COLOURS.length).fill(0)).flat(),
  pool: (s) => s.pool,
  dice: (s) => s.dice,
  turn: (s) => [s.from(s.turn)],
  phase: (s) => [PHASES.indexOf(s.phase)],
};

/** What the fields' entries are, by the field's name: see position.mjs, which calls this. */
export function look(position, viewer) {
  const players = position.homes.length;
  const s = {
    ...position,
    around: (values, free) =>
      Array.from({ length: SEATS }, (_, side) =>
        side < players ? values[(viewer + side) % players] : free,
      ),
    from: (seat) => (seat - viewer + players) % players,
  };
  return (name) => FIELDS[name]?.(s);
}

/**
 * The text of the move that an action is in a position, null where it cannot be one. Actions count
 * players clockwise from the one in turn (`1:b<+2`), moves name their seats, which are 0, 1 ...
 */
export function moveText(name, { homes, turn }) {
  const [, before, side, after] = /^([^+]*)(?:\+(\d))?(.*)$/.exec(name);
  if (side === undefined) return name; // no player is meant: 1:b<pool, 2:W:g<pool, 1:b<no, 3:none
  if (Number(side) >= homes.length) return null; // nobody sits there
  return before + ((turn + Number(side)) % homes.length) + after;
}
