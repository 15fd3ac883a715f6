// The middle of the board: whose turn it is, the pile, and the card, drawn large.
//
// Where players hold cards, the card is the one played last. Read `board.js` before this file.

import { put, s } from "./dom.js";
import { TOKENS } from "./pictures.js";
import { seatWords } from "./words.js";

const CARD = { w: 3.4, h: 4.8, y: 5.75 };
const PILE_X = 4.35;
const CARD_X = 8.25;

export class Centre {
  constructor(facts) {
    this.facts = facts;
    this.cards = Object.fromEntries(facts.cards.map((card) => [card.name, card]));
    this.card = s("g", { class: "card-place", transform: `translate(${CARD_X} ${CARD.y})` });
    this.pile = s("g", { transform: `translate(${PILE_X} ${CARD.y})` });
    this.banner = s("g", { class: "banner" });
    this.aside = s("g", {});
    this.node = s("g", { class: "centre" }, this.banner, this.pile, this.card, this.aside);
  }

  /** Show a state; played: the card on the discards in games with hands */
  show(state, played = null) {
    const lead = state.over ? state.winners[0] : state.actor;
    put(
      this.banner,
      s("rect", { class: `banner-back ${lead ?? ""}`, x: 4.35, y: 4.55, width: 7.3, height: 0.86, rx: 0.43 }),
      s("text", { class: `banner-text ${lead ?? ""}`, x: 8, y: 5 }, state.headline ?? seatWords(lead)),
    );
    this.#drawPile(state.left);
    this.#drawCard(state.hands ? played : state.card);
    this.#drawTokens(state);
  }

  /** Turn the card over: it grows out of the pile's side; run: the board's clock */
  async flip(state, clock, ms) {
    if (state.hands || !state.card || state.card === "?") return;
    this.#drawCard(state.card);
    await clock.run(ms, (t) => {
      const x = PILE_X + (CARD_X - PILE_X) * t;
      const wide = Math.max(0.02, Math.abs(2 * t - 1));
      const middle = x + CARD.w / 2 - (CARD.w * wide) / 2;
      this.card.setAttribute("transform", `translate(${middle} ${CARD.y}) scale(${wide} 1)`);
      this.card.classList.toggle("back", t < 0.5);
    });
    this.card.setAttribute("transform", `translate(${CARD_X} ${CARD.y})`);
    this.card.classList.remove("back");
  }

  #drawPile(left) {
    const size = left === null || left === undefined ? "∞" : String(left);
    const layers = left === 0 ? 0 : Math.min(3, Math.ceil((left ?? 45) / 15));
    const sheets = Array.from({ length: layers }, (_, n) => {
      const shift = -0.09 * (layers - 1 - n);
      return s("rect", { class: "card-back", x: -shift, y: -shift, width: CARD.w, height: CARD.h, rx: 0.3 });
    });
    put(
      this.pile,
      layers ? sheets.reverse() : s("rect", { class: "card-none", width: CARD.w, height: CARD.h, rx: 0.3 }),
      layers
        ? s("rect", { class: "card-back-line", x: 0.28, y: 0.28, width: CARD.w - 0.56, height: CARD.h - 0.56, rx: 0.2 })
        : null,
      layers ? s("path", { class: "card-back-mark", d: "M1.7 1.35L2.55 2.4L1.7 3.45L0.85 2.4Z" }) : null,
      s("text", { class: "pile-size", x: CARD.w / 2, y: CARD.h + 0.5 }, `${size} left`),
    );
  }

  #drawCard(name) {
    const card = this.cards[name];
    if (!card) {
      put(this.card, s("rect", { class: "card-none", width: CARD.w, height: CARD.h, rx: 0.3 }));
      return;
    }
    put(this.card, drawCard(card));
  }

  /** Fire and Ice that are on no pawn lie beside the pile. */
  #drawTokens(state) {
    const off = this.facts.tokens ? ["fire", "ice"].filter((name) => !state[name]?.square) : [];
    put(
      this.aside,
      off.map((name, n) => s("g", { transform: `translate(${9.4 + 1.1 * n} 11.02)` }, TOKENS[name](0.36))),
    );
  }
}

/** A card's face, 3.4 x 4.8 units: its name large, what it does below unless it is to be `bare`. */
export function drawCard(card, bare = false) {
  const long = card.face.length > 3;
  const lines = bare ? [] : wrapped(card.words, 19).slice(0, 5);
  const first = 4.42 - 0.4 * (lines.length - 1);
  const kind = card.name === "S" || card.name === "WAY" ? "card-face apology" : "card-face";
  const size = long ? Math.min(1.1, 5.6 / card.face.length) : 2.1;
  const middle = bare ? CARD.h / 2 : (0.2 + first - 0.3) / 2;
  return s(
    "g",
    { class: kind },
    s("rect", { class: "card-shadow", x: 0.07, y: 0.1, width: CARD.w, height: CARD.h, rx: 0.3 }),
    s("rect", { class: "card-paper", width: CARD.w, height: CARD.h, rx: 0.3 }),
    s("rect", { class: "card-line", x: 0.17, y: 0.17, width: CARD.w - 0.34, height: CARD.h - 0.34, rx: 0.19 }),
    s("text", { class: "card-name", x: CARD.w / 2, y: middle, "font-size": size }, card.face),
    lines.map((line, n) => s("text", { class: "card-words", x: CARD.w / 2, y: first + 0.4 * n }, line)),
  );
}

/** A card of a hand as a picture of its own; what it does is told beside it. */
export function cardIcon(card) {
  return s(
    "svg",
    { class: "card-icon", viewBox: "-0.05 -0.05 3.55 5", "aria-hidden": "true" },
    drawCard(card, true),
  );
}

/** Lines of at most so many letters. */
function wrapped(words, width) {
  return words.flatMap((text) => {
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
      if (longer.length <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  });
}

