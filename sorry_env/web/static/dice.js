// The table of the dice game: everybody's base, the start base, three dice.
//
// The same face to the outside as `board.js`: show, play, mark, and instead of choosing places a
// list of legal moves is offered: first a die, then what it takes.

import { h, put, s } from "./dom.js";
import { pawnIcon } from "./pictures.js";
import { COLOURS, LETTERS } from "./squares.js";
import { Clock } from "./tween.js";
import { capital, faceWords, seatWords } from "./words.js";

export class DiceTable {
  constructor(host, facts) {
    this.facts = facts;
    this.clock = new Clock();
    this.node = h("div", { class: "dice-table", role: "group", "aria-label": "Table" });
    put(host, this.node);
  }

  turnTo() {
    // The table has no sides to turn.
  }

  mark() {
    // What a die took is told in the log.
  }

  show(state) {
    this.clock.finish();
    this.state = state;
    this.#draw();
  }

  /** Show events: what moved lights up for a moment. step: as of the board */
  async play(events, step) {
    for (const event of events) {
      const keys = touchedBy(event);
      const nodes = keys.map((key) => this.node.querySelector(`[data-key="${key}"]`)).filter(Boolean);
      if (!nodes.length || !step) continue;
      nodes.forEach((node) => node.classList.add("lit"));
      await this.clock.run(step * 5, () => {});
      nodes.forEach((node) => node.classList.remove("lit"));
    }
  }

  /** Offer legal moves; onmove: called with a move's text. [] takes the offer back. */
  offer(legal, onmove) {
    this.legal = legal;
    this.several = null;
    this.onmove = onmove;
    const dice = [...new Set(legal.map((move) => move.die))];
    if (!dice.includes(this.die)) this.die = dice.length === 1 ? dice[0] : null;
    this.#draw();
  }

  #moves() {
    return (this.legal ?? []).filter((move) => move.die === this.die);
  }

  /** The moves of the chosen die at a place of the table. */
  #at(key) {
    return this.#moves().filter((move) => keyOf(move) === key);
  }

  #choose(key) {
    const moves = this.#at(key);
    if (moves.length === 1) this.onmove(moves[0].move);
    else {
      this.several = moves;
      this.#draw();
    }
  }

  #draw() {
    const { state } = this;
    const focused = document.activeElement?.getAttribute?.("data-key");
    const bases = state.seats.map((seat) => this.#base(seat));
    put(
      this.node,
      h("div", { class: `bases n${bases.length}` }, bases),
      h("div", { class: "dice-middle" }, this.#pool(), this.#dice(), this.#more()),
    );
    if (focused) this.node.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  #base(seat) {
    const { state } = this;
    const home = state.homes[seat];
    const held = state.held[seat];
    const active = !state.over && state.actor === seat;
    return h(
      "section",
      { class: `base ${home}${active ? " active" : ""}`, "aria-label": seatWords(seat) },
      h("header", {}, h("b", {}, seatWords(seat)), h("span", {}, `Home: ${home}`)),
      h(
        "div",
        { class: "base-parts" },
        this.#place(`home:${seat}`, `${seatWords(seat)}’s Home, ${held[home]} ${home}`, [
          h("span", { class: "part-name" }, "Home"),
          h("span", { class: "pawn-places" }, places(home, held[home])),
        ], "home-part"),
        h(
          "div",
          { class: "waiting-part" },
          h("span", { class: "part-name" }, "Waiting"),
          COLOURS.filter((colour) => colour !== home).map((colour) =>
            this.#place(`waiting:${seat}:${colour}`, `${held[colour]} ${colour} waiting`, [
              h("span", { class: "pawn-places" }, places(colour, held[colour])),
            ]),
          ),
        ),
      ),
    );
  }

  #pool() {
    return h(
      "div",
      { class: "pool" },
      h("span", { class: "part-name" }, "Start base"),
      COLOURS.map((colour) =>
        this.#place(`pool:${colour}`, `${this.state.pool[colour]} ${colour} on the start base`, [
          h("span", { class: "pawn-places" }, places(colour, this.state.pool[colour])),
        ]),
      ),
    );
  }

  /** A place of the table: a button where the chosen die can act on it. */
  #place(key, label, children, kind = "") {
    const moves = this.#at(key);
    if (!moves.length) return h("div", { class: `spot-box ${kind}`, "data-key": key }, children);
    const words = moves.length === 1 ? moves[0].words : "choose a colour";
    return h(
      "button",
      {
        class: `spot-box open ${kind}`, "data-key": key, "aria-label": `${label}: ${words}`,
        onclick: () => this.#choose(key),
      },
      children,
    );
  }

  #dice() {
    const { state } = this;
    const able = new Set((this.legal ?? []).map((move) => move.die));
    return h(
      "div",
      { class: "dice", role: "group", "aria-label": "Dice" },
      state.dice.map(({ die, face }) =>
        h(
          "button",
          {
            class: `die${face ? "" : " used"}${this.die === die ? " chosen" : ""}`,
            "data-key": `die:${die}`,
            "aria-label": face ? `Die ${die}: ${faceWords(face)}` : `Die ${die}: done`,
            "aria-pressed": this.die === die ? "true" : "false",
            disabled: !able.has(die),
            onclick: () => {
              this.die = die;
              this.several = null;
              this.#draw();
            },
          },
          dieFace(face),
        ),
      ),
    );
  }

  /** What is chosen in words: declining, nothing to do, a colour for a Home. */
  #more() {
    const words = this.#moves().filter((move) => keyOf(move) === null);
    const list = this.several?.length ? this.several : words;
    return h(
      "div",
      { class: "dice-words" },
      list.map((move) =>
        h("button", { class: "choice", "data-key": move.move, onclick: () => this.onmove(move.move) }, capital(move.words)),
      ),
    );
  }
}

/** Where on the table a move acts; null for one that is told in words. */
function keyOf(move) {
  if (move.kind === "pool") return `pool:${move.colour}`;
  if (move.kind === "waiting") return `waiting:${move.seat}:${move.colour}`;
  return move.kind === "sorry" || move.kind === "slide" ? `home:${move.seat}` : null;
}

function touchedBy(event) {
  if (event.type === "pawn") {
    const from = event.from === "pool" ? `pool:${event.colour}` : `waiting:${event.from}:${event.colour}`;
    return [`die:${event.die}`, from];
  }
  if (event.type === "home") return [`die:${event.die}`, `home:${event.seat}`];
  return event.die ? [`die:${event.die}`] : [];
}

function places(colour, count) {
  return Array.from({ length: 4 }, (_, n) =>
    n < count ? pawnIcon(colour) : h("i", { class: "pawn-place", "aria-hidden": "true" }),
  );
}

/** A die's face as a picture. */
function dieFace(face) {
  if (!face) return h("span", { class: "die-empty", "aria-hidden": "true" });
  const colour = COLOURS[LETTERS.indexOf(face)];
  if (colour) return pawnIcon(colour);
  const pictures = {
    S: s("text", { class: "die-word apology", y: 0.1 }, "Sorry!"),
    W: [
      COLOURS.map((name, n) =>
        s("path", { class: `wild ${name}`, d: "M0-0.55L0.55 0L0 0Z", transform: `translate(0 -0.18) rotate(${90 * n})` }),
      ),
      s("text", { class: "die-word", y: 0.72 }, "Wild"),
    ],
    L: [
      s("path", { class: "die-arrow", d: "M-0.55-0.2H0.3M0.05-0.5L0.5-0.2L0.05 0.1" }),
      s("text", { class: "die-word", y: 0.72 }, "Slide"),
    ],
  };
  return s("svg", { class: "die-picture", viewBox: "-1 -1 2 2", "aria-hidden": "true" }, pictures[face]);
}
