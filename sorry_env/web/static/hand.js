// A hand of cards, seen by its owner alone: where several people share a screen it is covered until
// the one whose turn it is says so.

import { cardIcon } from "./centre.js";
import { h, put } from "./dom.js";
import { seatWords } from "./words.js";

export class Hand {
  /** onchoose: called with the name of the card that was clicked */
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.node = h("div", { class: "hand-box" });
    this.shown = null; // the seat whose cards were uncovered last, where several share the screen
  }

  /**
   * Show the cards of the seat that decides, or of the only one held here.
   *
   * you:    the seats held here
   * picker: of the moves that may be made, or null
   */
  show(state, you, picker) {
    const held = you.filter((seat) => state.hands?.[seat]);
    this.node.hidden = !held.length;
    if (!held.length) return;
    const seat = held.length === 1 ? held[0] : held.find((one) => one === state.actor);
    if (!seat) {
      this.shown = null;
      put(this.node, h("p", { class: "muted" }, "The cards are face down."));
      return;
    }
    if (held.length > 1 && this.shown !== seat && !state.over) this.#cover(state, seat, you, picker);
    else this.#cards(state, seat, picker);
  }

  /** Whether the deciding seat's cards are still face down. */
  covered(state, you) {
    const held = you.filter((seat) => state.hands?.[seat]);
    return held.length > 1 && held.includes(state.actor) && this.shown !== state.actor && !state.over;
  }

  #cover(state, seat, you, picker) {
    put(
      this.node,
      h(
        "div",
        { class: `cover ${seat}` },
        h("p", {}, h("b", {}, `Pass the device to ${seatWords(seat)}.`)),
        h("p", { class: "muted" }, "The cards stay face down until then."),
        h(
          "button",
          { class: "primary", onclick: () => this.uncover(seat) },
          `I am ${seatWords(seat)}: show my cards`,
        ),
      ),
    );
  }

  uncover(seat) {
    this.shown = seat;
    this.onuncover?.();
  }

  #cards(state, seat, picker) {
    const facts = Object.fromEntries(state.facts.cards.map((card) => [card.name, card]));
    const playable = new Set((picker?.legal ?? []).map((move) => move.card));
    put(
      this.node,
      h(
        "div",
        { class: "hand", role: "group", "aria-label": `${seatWords(seat)}’s cards` },
        state.hands[seat].map((name) => {
          const card = facts[name];
          return h(
            "button",
            {
              class: "hand-card",
              "data-card": name,
              "aria-pressed": picker && picker.card === name ? "true" : "false",
              "aria-label": `${card.face}: ${card.words.join(", ")}`,
              disabled: !playable.has(name),
              onclick: () => this.onchoose(name),
            },
            cardIcon(card),
          );
        }),
      ),
    );
  }
}
