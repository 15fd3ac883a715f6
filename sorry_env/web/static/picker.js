// Choosing a legal move piece by piece: card, pawn, square, and for a split 7 pawn and square again.
//
// It only narrows the list of legal moves that the server sent; it knows no rules. Used by `game.js`,
// drawn by `board.js`.

import { placeWords, seatWords } from "./words.js";

const PICKS = new Set(["ice", "token", "home", "happy", "punish"]); // one square says it all
const WORDS = new Set(["pass", "discard", "decline", "ask", "yes", "no"]);

/** The one square that is named by a move of one square. */
const pickOf = (move) => (move.kind === "home" ? move.parts[0].from : move.target.square);

/** Whether a move is no matter of squares: a pass, an answer, a discard. */
export function isWord(move) {
  if (PICKS.has(move.kind)) return !move.target && move.kind !== "home";
  return WORDS.has(move.kind) || !move.parts.length;
}

/** Where a move's pawn is to be dropped: its counted square, or the pawn it takes. */
const goalOf = (move) => (move.target ? move.target.square : move.parts[0].to);

export class Picker {
  /** legal: MOVE[] of the server; hand: whether a card must be chosen first */
  constructor(legal, hand) {
    this.legal = legal;
    this.hand = hand;
    this.reset();
  }

  /** Begin again, with the only playable card if there is but one. */
  reset() {
    const cards = [...new Set(this.legal.map((move) => move.card))];
    this.card = this.hand && cards.length > 1 ? null : (cards[0] ?? null);
    this.from = null;
    this.first = null;
    this.several = [];
  }

  /** Whether anything was chosen yet that could be taken back. */
  get begun() {
    return Boolean(this.from || this.first || this.several.length);
  }

  chooseCard(card) {
    this.reset();
    this.card = card;
  }

  /** The legal moves of the chosen card. */
  get moves() {
    return this.hand ? this.legal.filter((move) => move.card === this.card) : this.legal;
  }

  /** The moves to list in words: all of them until a card is chosen. */
  get listed() {
    return this.hand && this.card === null ? this.legal : this.moves;
  }

  /** The moves that are chosen as words. */
  get words() {
    return this.moves.filter(isWord);
  }

  /** Steps that a split leaves for its second pawn; null before its first was chosen. */
  get left() {
    return this.first ? this.#seconds()[0].part.steps : null;
  }

  /** The part of a split that was chosen, or null. */
  get firstPart() {
    return this.first;
  }

  // -- the pieces of a split ----------------------------------------------------------------

  #splits() {
    return this.moves.filter((move) => move.kind === "split");
  }

  /** For the chosen first part, each way to go on: { move, part }. */
  #seconds() {
    const same = (part) => part.from === this.first.from && part.to === this.first.to;
    const inOrder = this.#splits().filter((move) => same(move.parts[0]));
    const found = inOrder.map((move) => ({ move, part: move.parts[1] }));
    const known = new Set(found.map(({ part }) => `${part.from}-${part.to}`));
    // Two orders that end alike are one move, written one way: it is found from its other end too.
    for (const move of this.#splits().filter((m) => same(m.parts[1]))) {
      const part = move.parts[0];
      if (!known.has(`${part.from}-${part.to}`)) found.push({ move, part });
    }
    return found;
  }

  // -- what can be clicked ------------------------------------------------------------------

  /** Ways from a pawn: [{ from, to, steps, seat, move?, part? }], a split's parts included. */
  #ways() {
    if (this.first) {
      return this.#seconds().map(({ move, part }) => ({ ...part, move }));
    }
    const ways = [];
    for (const move of this.moves) {
      if (isWord(move) || PICKS.has(move.kind)) continue;
      if (move.kind === "split") {
        for (const part of move.parts) ways.push({ ...part, part });
      } else {
        const { seat, from, steps } = move.parts[0];
        ways.push({ seat, from, to: goalOf(move), steps: move.target ? null : steps, move });
      }
    }
    return ways;
  }

  /** Places to offer on the board: { place, kind, label, badge }. */
  spots() {
    if (this.several.length) return [];
    const picks = this.moves.filter((move) => PICKS.has(move.kind) && !isWord(move));
    if (picks.length) {
      return picks.map((move) => ({ place: pickOf(move), kind: "target", label: move.words }));
    }
    const ways = this.#ways();
    const starts = [...new Set(ways.map((way) => way.from))];
    // After the first half of a split there may be but one pawn to go on with.
    const from = this.from ?? (this.first && starts.length === 1 ? starts[0] : null);
    const targets = new Map();
    for (const way of ways.filter((w) => w.from === from)) targets.set(way.to, way);
    const spots = starts
      .filter((place) => !targets.has(place))
      .map((place) => {
        const seat = ways.find((way) => way.from === place).seat;
        const words = `${seatWords(seat)} pawn on ${placeWords(place)}`;
        const chosen = place === from;
        return { place, kind: chosen ? "chosen" : "pawn", label: chosen ? `${words}, chosen` : words };
      });
    for (const [place, way] of targets) spots.push(this.#target(place, way));
    return spots;
  }

  #target(place, way) {
    const partial = way.part && !this.first;
    const count = way.steps ? `, ${way.steps > 0 ? way.steps : `${-way.steps} back`}` : "";
    const badge = this.#splits().length && way.steps ? String(way.steps) : null;
    return {
      place,
      kind: "target",
      label: `to ${placeWords(place)}${count}${partial ? ", then another pawn" : ""}`,
      badge,
    };
  }

  /** A place was clicked. The text of the move if that says it all, else null. */
  click(place) {
    const pick = this.moves.find((m) => PICKS.has(m.kind) && !isWord(m) && pickOf(m) === place);
    if (pick) return pick.move;
    const ways = this.#ways();
    const starts = [...new Set(ways.map((way) => way.from))];
    const from = this.from ?? (this.first && starts.length === 1 ? starts[0] : null);
    const here = ways.filter((way) => way.from === from && way.to === place);
    if (here.length) return this.#arrive(here);
    if (place === this.from) this.from = null;
    else if (starts.includes(place)) this.from = place;
    return null;
  }

  #arrive(here) {
    const whole = [...new Map(here.filter((w) => w.move).map((w) => [w.move.move, w.move])).values()];
    const parts = here.filter((way) => way.part);
    if (whole.length === 1 && !parts.length) return whole[0].move;
    if (whole.length) {
      this.several = whole; // for example an 11 that lands where it could also switch
      return null;
    }
    this.first = parts[0].part;
    this.from = null;
    return null;
  }

  /** Take back the last choice. */
  back() {
    if (this.several.length) this.several = [];
    else if (this.from) this.from = null;
    else if (this.first) this.first = null;
    else if (this.hand) this.reset();
  }
}
