// The first screen: which game, who plays, and off it goes.

import { bots, post, rulesets } from "./api.js";
import { Board, boardHost, quartersFor } from "./board.js";
import { choice, h, put, tick, toast } from "./dom.js";
import { listed, seatWords } from "./words.js";
import { like, setLike, STEP_MS } from "./prefs.js";
import { PACE } from "./game.js";
import { gameLink, keepInvites } from "./share.js";
import { startOf } from "./squares.js";

const ME = "me";
const OTHER = "person";
const NOBODY = "";
const MOST_POINTS = 10000; // as the server takes

export class Setup {
  constructor(host) {
    this.host = host;
    this.node = h("section", { class: "setup", "aria-label": "New game" });
    put(host, this.node);
    this.#load();
  }

  close() {
    this.closed = true;
  }

  async #load() {
    [this.rulesets, this.bots] = await Promise.all([rulesets(), bots()]);
    if (this.closed) return;
    const last = like("setup") ?? {};
    const known = this.rulesets.some((one) => one.name === last.ruleset);
    this.options = { forced: true, undo: true, hints: true, first: "", seed: "", position: "" };
    this.fields = {};
    this.players = {};
    this.#chooseRuleset(known ? last.ruleset : "classic");
  }

  get facts() {
    return this.rulesets.find((one) => one.name === this.ruleset);
  }

  #chooseRuleset(name) {
    this.ruleset = name;
    this.fields = {};
    this.target = "";
    const counts = this.facts.seat_counts;
    this.#seat(counts.includes(2) ? 2 : counts[0]);
  }

  /** Seat so many as is usual: me first, a bot on each other seat. */
  #seat(count) {
    const { facts } = this;
    const seats = facts.usual_seats[count];
    const agents = facts.teams === "two" ? ["red", "blue"] : seats;
    const fitting = this.#fitting(count);
    const bot = fitting.some((b) => b.name === "greedy") ? "greedy" : fitting[0]?.name;
    this.players = {};
    agents.forEach((seat, n) => (this.players[seat] = n ? bot : ME));
    this.#draw();
  }

  /** The bots that play this ruleset, as the house rules make it, with so many seats. */
  #fitting(count) {
    const { facts } = this;
    return this.bots.filter(
      (bot) =>
        bot.families.includes(facts.family) &&
        (!bot.rulesets || bot.rulesets.includes(this.#name())) &&
        (!bot.seats || bot.seats.includes(count)),
    );
  }

  // -- drawing ------------------------------------------------------------------------------

  #draw() {
    const { facts } = this;
    const focused = document.activeElement?.id;
    put(
      this.node,
      h(
        "form",
        { class: "setup-form", onsubmit: (event) => this.#start(event) },
        h("h1", {}, "New game"),
        choice("Game", this.rulesets.map((one) => [one.name, one.name]), this.ruleset, (name) => this.#chooseRuleset(name), { id: "ruleset" }),
        h("p", { class: "muted about" }, facts.words),
        this.#counts(),
        this.#match(),
        h("fieldset", { class: "seats" }, h("legend", {}, "Who plays"), this.#rows()),
        h("button", { class: "primary large", type: "submit", id: "start" }, "Start the game"),
        this.#more(),
      ),
      this.#preview(),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  #counts() {
    const { facts } = this;
    if (facts.seat_counts.length < 2) return null;
    const now = Object.values(this.players).filter((who) => who !== NOBODY).length;
    return h(
      "div",
      { class: "segments", role: "group", "aria-label": "Number of players" },
      facts.seat_counts.map((count) =>
        h("button", { type: "button", id: `count-${count}`, "aria-pressed": String(count === now), onclick: () => this.#seat(count) }, `${count} players`),
      ),
    );
  }

  /** Points to play for, where a game brings points. */
  #match() {
    if (!this.facts.pawn_points) return null;
    return h(
      "label",
      { class: "field" },
      h("span", {}, "Rounds until somebody has so many points"),
      h("input", { id: "target", type: "number", min: 1, max: MOST_POINTS, value: this.target, placeholder: "one round", oninput: (e) => (this.target = e.target.value.trim()) }),
    );
  }

  #rows() {
    const { facts } = this;
    const pairs = facts.teams === "two";
    const free = facts.family === "board" && facts.teams === "none" && facts.seat_counts.length > 1;
    const names = pairs ? ["red", "blue"] : free ? facts.seat_names : Object.keys(this.players);
    const fitting = this.#fitting(this.#seats().length);
    return names.map((seat) => {
      const options = [[ME, "You, on this screen"], [OTHER, "Someone else, by a link"]];
      options.push(...fitting.map((bot) => [bot.name, `Bot: ${bot.name}`]));
      if (free) options.push([NOBODY, "Nobody"]);
      const value = this.players[seat] ?? NOBODY;
      // Chosen before the rules or the number of players changed.
      if (!options.some(([name]) => name === value)) options.push([value, `Bot: ${value} (not for this game)`]);
      const title = pairs ? { red: "Red and Yellow", blue: "Blue and Green" }[seat] : seatWords(seat);
      const row = choice(title, options, value, (who) => {
        this.players[seat] = who;
        this.#draw();
      }, { id: `seat-${seat}` });
      row.classList.add("seat-row", /^\d/.test(seat) ? "numbered" : seat);
      if (value === NOBODY) row.classList.add("empty");
      return row;
    });
  }

  #more() {
    const { facts, options } = this;
    const set = (name) => (value) => (options[name] = value);
    const seats = this.#seats();
    return h(
      "details",
      { class: "more", open: this.open, ontoggle: (event) => (this.open = event.target.open) },
      h("summary", {}, "Options and house rules"),
      tick("Forced moves play themselves", options.forced, set("forced")),
      tick("Moves may be taken back", options.undo, set("undo")),
      tick("Hints and analysis during the game", options.hints, set("hints")),
      choice("Begins", [["", "as usual"], ["random", "drawn by lot"], ...seats.map((s) => [s, seatWords(s)])], options.first, set("first")),
      facts.options.map((option) => this.#field(option)),
      h("label", { class: "field" }, h("span", {}, "Seed"), h("input", { inputmode: "numeric", value: options.seed, placeholder: "by chance", oninput: (e) => set("seed")(e.target.value.trim()) })),
      h("label", { class: "field" }, h("span", {}, "From a position"), h("input", { value: options.position, spellcheck: "false", placeholder: "a line of the position format", oninput: (e) => set("position")(e.target.value.trim()) })),
    );
  }

  /** A rule of the house. */
  #field(option) {
    const now = this.fields[option.field] ?? option.value;
    const set = (value) => {
      if (value === option.value) delete this.fields[option.field];
      else this.fields[option.field] = value;
    };
    if (option.kind === "bool") return tick(option.words, now, set);
    if (option.kind === "choice") {
      return choice(option.words, option.choices.map((c) => [String(c), String(c)]), String(now), (text) =>
        set(option.choices.find((c) => String(c) === text)),
      );
    }
    const number = option.kind === "int";
    return h(
      "label",
      { class: "field" },
      h("span", {}, option.words),
      h("input", {
        type: number ? "number" : "text", min: option.min, max: option.max, value: now,
        onchange: (event) => set(number ? Number(event.target.value) : event.target.value),
      }),
    );
  }

  #preview() {
    const { facts } = this;
    if (facts.family === "express") return h("div", { class: "preview dice-preview", "aria-hidden": "true" });
    const host = boardHost();
    const seats = this.#seats();
    const board = new Board(host, facts, quartersFor(seats.find((seat) => this.players[seat] === ME) ?? seats[0]));
    const pawns = Object.fromEntries(seats.map((seat) => [seat, Array(facts.pawns).fill(startOf(seat))]));
    const left = facts.deck === "infinite" ? null : facts.cards.reduce((sum, card) => sum + card.count, 0);
    board.show({ seats, pawns, left, card: null, hands: null, headline: facts.name, actor: "", winners: [], fire: null, ice: null });
    return h("div", { class: "preview", "aria-hidden": "true" }, host);
  }

  // -- starting -----------------------------------------------------------------------------

  /** The seats that somebody plays, in their order. */
  #seats() {
    const { facts } = this;
    if (facts.teams === "two") return facts.seat_names;
    const order = facts.family === "express" ? Object.keys(this.players) : facts.seat_names;
    return order.filter((seat) => (this.players[seat] ?? NOBODY) !== NOBODY);
  }

  #name() {
    const fields = Object.entries(this.fields).sort(([a], [b]) => (a < b ? -1 : 1));
    return this.ruleset + (fields.length ? `?${fields.map(([f, v]) => `${f}=${v}`).join("&")}` : "");
  }

  async #start(event) {
    event.preventDefault();
    const { facts, options } = this;
    const seats = this.#seats();
    if (!facts.seat_counts.includes(seats.length)) {
      const wanted = facts.seat_counts.join(" or ");
      toast(`${facts.name} is played by ${wanted}, not by ${seats.length}.`, true);
      return;
    }
    const agents = facts.teams === "two" ? ["red", "blue"] : seats;
    const who = Object.fromEntries(agents.map((seat) => [seat, this.players[seat]]));
    const players = Object.fromEntries(agents.map((seat) => [seat, who[seat] === ME ? "person" : who[seat]]));
    const people = agents.some((seat) => players[seat] === "person");
    const body = {
      ruleset: this.#name(), seats, players, forced: options.forced, undo: options.undo, hints: options.hints,
      pace_ms: people ? 0 : STEP_MS[like("speed")] * PACE,
    };
    if (options.first && !options.position) body.first = options.first;
    if (facts.pawn_points && this.target !== "") body.target_score = Number(this.target);
    if (options.seed !== "") body.seed = Number(options.seed);
    if (options.position) {
      // It says itself which game it is, who is seated and who is in turn.
      body.position = options.position;
      delete body.seats;
    }
    try {
      const made = await post("api/games", body);
      setLike("setup", { ruleset: this.ruleset });
      const mine = agents.filter((seat) => who[seat] === ME).map((seat) => made.secrets[seat]);
      const others = agents.filter((seat) => who[seat] === OTHER);
      keepInvites(made.game, Object.fromEntries(others.map((seat) => [seat, made.secrets[seat]])));
      location.hash = gameLink(made.game, mine.length ? mine : [made.owner]);
    } catch (error) {
      toast(error.message, true);
    }
  }
}

/** Players in a line, for lists of games. */
export const playersLine = (players) =>
  listed(Object.entries(players).map(([seat, who]) => `${seatWords(seat)} ${who}`));
