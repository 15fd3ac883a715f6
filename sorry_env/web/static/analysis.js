// A bot's opinion of a position: the values of all legal moves, and everybody's chances.

import { bots, post } from "./api.js";
import { choice, h, put, tick } from "./dom.js";
import { showCandidates } from "./lists.js";
import { like, setLike } from "./prefs.js";

/** The bots that can give an opinion on a ruleset's positions. */
export async function analysts(facts) {
  const all = await bots();
  return all.filter(
    (bot) =>
      bot.analysis &&
      bot.families.includes(facts.family) &&
      (!bot.rulesets || bot.rulesets.includes(facts.name)),
  );
}

export class Analysis {
  /**
   * onchances: called with { seat: probability } or null whenever that changes
   * onlook:    called with the candidate that is pointed at, or null
   */
  constructor({ onchances, onlook, always = false }) {
    Object.assign(this, { onchances, onlook, always });
    this.result = h("div", { class: "candidates-box", "aria-live": "off" });
    this.head = h("div", { class: "analysis-head" });
    this.node = h("div", { class: "analysis" }, this.head, this.result);
    this.turn = 0;
  }

  /** Which bots there are, for this ruleset. */
  async setUp(facts) {
    this.bots = await analysts(facts);
    if (!this.bots.length) {
      this.bot = null;
      put(this.head, h("p", { class: "muted" }, "No bot here can value positions of this game."));
      return;
    }
    const names = this.bots.map((bot) => bot.name);
    this.bot = names.includes(like("bot")) ? like("bot") : names.at(-1);
    this.on = this.always || like("analysis");
    put(
      this.head,
      this.always ? null : tick("Analyse", this.on, (on) => this.#turnOn(on)),
      choice("Bot", names.map((n) => [n, n]), this.bot, (name) => {
        this.bot = name;
        setLike("bot", name);
        this.onbot?.();
        this.again();
      }),
    );
    this.again();
  }

  #turnOn(on) {
    this.on = on;
    setLike("analysis", on);
    this.again();
  }

  /** Ask about a position; null says there is nothing to ask about now. played: a move to mark */
  show(position, played = null) {
    this.position = position;
    this.played = played;
    this.again();
  }

  async again() {
    const turn = ++this.turn;
    if (!this.on || !this.bot || !this.position) {
      put(this.result, this.on && this.bot ? null : h("p", { class: "muted empty" }, this.bot ? "Switched off." : ""));
      this.onchances(null);
      return;
    }
    if (!this.result.querySelector("table")) put(this.result, h("p", { class: "muted empty" }, "Thinking …"));
    let found;
    try {
      const body = { bot: this.bot, positions: [this.position] };
      [found] = (await post("api/analysis", body)).answers;
    } catch (error) {
      found = { type: "error", message: error.message };
    }
    if (turn !== this.turn) return; // the game has moved on
    if (found.type === "error") {
      put(this.result, h("p", { class: "muted empty" }, found.message));
      this.onchances(null);
      return;
    }
    this.found = found;
    this.onchances(found.chances);
    showCandidates(this.result, found, this.played, this.onlook);
  }
}
