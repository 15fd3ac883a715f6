// The board game for position.mjs, in every edition: what its lines, the fields of its observations
// and the names of its actions say. Formats: docs/formats.md; meanings: docs/engine.md. Read
// position.mjs before and dice.mjs, the other kind of game, after this file.

const LETTERS = "rbyg"; // seats 0 to 3, clockwise
const COLOURS = ["red", "blue", "yellow", "green"];
const PHASES = ["move", "over", "fire", "ice", "token", "home", "ask", "answer", "reply"];
// Codes of pawns, the same from every side: 0 Start, 1 to 60 the track from the square before the
// own circle to the entry, 61 to 65 the safety squares, 66 Home.
const START = 0;
const CIRCLE = 2;
const ENTRY = 60;
const HOME = 66;
const SLOTS = 4; // pawns that an observation has room for, of each colour

const mod = (value, by) => ((value % by) + by) % by;

/** A pawn's square as text: `rS`, `12`, `r3`, `rH`. */
function squareText(seat, code) {
  if (code === START) return `${LETTERS[seat]}S`;
  if (code === HOME) return `${LETTERS[seat]}H`;
  if (code > ENTRY) return `${LETTERS[seat]}${code - ENTRY}`;
  return String(outer(seat, code));
}

/** Number of the outer square on which a pawn of this seat and code stands. */
const outer = (seat, code) => (15 * seat + code + 2) % 60;

const onTrack = (code) => code > START && code <= ENTRY;

/** Code that a seat counts for an outer square. */
const codeAt = (seat, square) => mod(square - 15 * seat - 3, 60) + 1;

/** Code of a pawn's square out of its text. */
function readSquare(seat, text) {
  const last = text.slice(1);
  if (text[0] !== LETTERS[seat]) return codeAt(seat, Number(text));
  return last === "S" ? START : last === "H" ? HOME : ENTRY + Number(last);
}

/**
 * A position's line, read. Seats are numbers, pawns codes, most advanced first; a colour that is
 * not seated has none.
 */
export function readPosition(line) {
  const [ruleset, pawns, turn, phase, card, deck, hands, extra] = line.split(" ");
  const pairs = extra === "-" ? [] : extra.split(";").map((pair) => pair.split("="));
  const position = {
    ruleset,
    pawns: pawns.split("/").map((squares, seat) =>
      squares === "-" ? [] : squares.split(",").map((square) => readSquare(seat, square)),
    ),
    turn: LETTERS.indexOf(turn[0]),
    actor: LETTERS.indexOf(turn.at(-1)), // the seat that decides: y in r>y
    phase,
    card,
    deck: deck === "*" ? null : deck.split(".").map(Number),
    hands: hands === "-" ? null : hands.split("/"),
    extra: Object.fromEntries(pairs),
  };
  // Tokens and marks are named by the square of their pawn.
  const pawnOn = (square) => {
    for (const [seat, codes] of position.pawns.entries())
      for (const code of codes) if (squareText(seat, code) === square) return { seat, code };
    throw new Error(`no pawn stands on ${square}: ${line}`);
  };
  for (const token of ["fire", "ice"])
    position[token] = position.extra[token] ? pawnOn(position.extra[token]) : null;
  for (const mark of ["happy", "punished"])
    position[mark] = (position.extra[mark]?.split(",") ?? []).map(pawnOn);
  return position;
}

/** Card names in the ruleset's order, out of the action names of a policy's metadata. */
export function cardsOf(actions) {
  const names = actions.filter((name) => name.includes(":")).map((name) => name.split(":")[0]);
  return [...new Set(names)].filter((name) => !PHASES.includes(name));
}

// What each field of an observation holds. `s.from(seat)` counts seats clockwise from the viewer.
const count = (hand, card) => hand.split(".").filter((held) => held === card).length;
const tokenSeat = (s, token) => (token ? [1 + s.from(token.seat)] : [0]);
const marked = (s, marks) =>
  s.sides.flatMap((seat) =>
    Array.from({ length: SLOTS }, (_, slot) =>
      marks.some((mark) => mark.seat === seat && mark.code === s.pawns[seat][slot]) ? 1 : 0,
    ),
  );
const FIELDS = {
  pawns: (s) =>
    s.sides.flatMap((seat) => Array.from({ length: SLOTS }, (_, i) => s.pawns[seat][i] ?? -1)),
  turn: (s) => [s.from(s.turn)],
  phase: (s) => [PHASES.indexOf(s.phase)],
  card: (s) => [1 + s.cards.indexOf(s.card)], // none, and one not drawn yet, are no card: 0
  // A seat cannot tell the other hands from the pile. Hands written `?` are in it already.
  unseen: (s) =>
    s.cards.map((card, index) => {
      const others = (s.hands ?? []).filter((_, seat) => seat !== s.viewer);
      return others.reduce((sum, hand) => sum + count(hand, card), s.deck[index]);
    }),
  hand: (s) => s.cards.map((card) => count(s.hands[s.viewer], card)),
  again: (s) => [s.extra.again ? 1 : 0],
  fire_seat: (s) => tokenSeat(s, s.fire),
  fire_code: (s) => [s.fire?.code ?? 0],
  ice_seat: (s) => tokenSeat(s, s.ice),
  ice_code: (s) => [s.ice?.code ?? 0],
  happy: (s) => marked(s, s.happy),
  punished: (s) => marked(s, s.punished),
  actor: (s) => [s.from(s.actor)],
  asked: (s) => {
    if (s.extra.asked) return [1 + s.from(LETTERS.indexOf(s.extra.asked))];
    return [s.phase === "answer" ? 1 + s.from(s.actor) : 0];
  },
  steps: (s) => [Number(s.extra.steps ?? 0)],
};

/** What the fields' entries are, by the field's name: see position.mjs, which calls this. */
export function look(position, viewer, cards) {
  const s = {
    ...position,
    viewer,
    cards,
    sides: [0, 1, 2, 3].map((side) => (viewer + side) % 4),
    from: (seat) => mod(seat - viewer, 4),
  };
  return (name) => FIELDS[name]?.(s);
}

// -- actions ---------------------------------------------------------------------------------------

/** Code that a pawn reaches by count; null where it cannot go. */
function counted(code, steps) {
  const target = code + steps;
  if (code === START || code === HOME || target > HOME) return null;
  return target > START ? target : target + ENTRY;
}

/** Code of the nearest other pawn in a direction, as the seat that looks counts it; or null. */
function nearest(position, seat, code, step, own) {
  for (let distance = 1; distance < ENTRY; distance++) {
    const there = mod(code - 1 + step * distance, ENTRY) + 1;
    const square = outer(seat, there);
    for (const [other, codes] of position.pawns.entries()) {
      if (other === seat && !own) continue;
      if (codes.some((c) => onTrack(c) && outer(other, c) === square)) return there;
    }
  }
  return null;
}

const STEP = /^(p?)(\d)([+-]\d+)$/;
const SPLIT = /^(p?)(\d)\+(\d+),(p?)(\d)\+(\d+)$/;
const SWITCH = /^(p?)(\d)x(\d)\.(\d)$/;
const TAKE = /^(p?)x(\d)\.(\d)$/;
const TARGET = /^(\d)\.(\d)$/;

/** The text of the move that an action is in a position, null where it cannot be one. */
export function moveText(name, position) {
  const { pawns, actor } = position;
  const [card, what] = name.split(":");
  const seatAt = (side) => (actor + Number(side)) % 4;
  const own = (partner) => (partner ? seatAt(2) : actor);
  const square = (seat, slot) => {
    const code = pawns[seat][slot];
    return code === undefined ? null : squareText(seat, code);
  };
  const move = (partner, slot, steps) => {
    const seat = own(partner);
    const end = counted(pawns[seat][slot] ?? START, Number(steps));
    return end === null ? null : `${square(seat, slot)}-${squareText(seat, end)}`;
  };
  const text = (...parts) => (parts.includes(null) ? null : `${card}:${parts.join("")}`);

  if (what === undefined || /^(discard|no|off|yes)$/.test(what)) return name;
  let m;
  if (/^p?out$/.test(what)) {
    const seat = own(what[0] === "p");
    return `${card}:${squareText(seat, START)}-${squareText(seat, CIRCLE)}`;
  }
  if (what === "advance") {
    if (!position.fire) return null;
    const { seat, code } = position.fire; // to the next corner
    return text(squareText(seat, code), "-", squareText(seat, code + 15 - ((code + 2) % 15)));
  }
  if (card === "ask") return `ask:${COLOURS[seatAt(what)]}`;
  if (card === "BULLY" || card === "BUDDY") {
    const [, slot, step, beside] = /^(\d)([+-]1)([+-]1)?$/.exec(what);
    const code = pawns[actor][slot] ?? START;
    const there = onTrack(code) ? nearest(position, actor, code, Number(step), !!beside) : null;
    if (there === null) return null;
    const end = squareText(actor, mod(there - 1 + Number(beside ?? 0), ENTRY) + 1);
    return text(squareText(actor, code), beside ? "-" : "x", end);
  }
  if ((m = STEP.exec(what))) return text(move(m[1], m[2], m[3]));
  if ((m = SPLIT.exec(what))) return text(move(m[1], m[2], m[3]), ",", move(m[4], m[5], m[6]));
  if ((m = SWITCH.exec(what))) {
    return text(square(own(m[1]), m[2]), "x", square(seatAt(m[3]), m[4]));
  }
  if ((m = TAKE.exec(what))) {
    return text(squareText(own(m[1]), START), "x", square(seatAt(m[2]), m[3]));
  }
  if ((m = TARGET.exec(what))) return text(square(seatAt(m[1]), m[2]));
  return text(square(actor, what)); // a slot: token:0, home:0, HAPPY:0
}
