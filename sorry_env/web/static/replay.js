// Replaying: a game of this server or a record file, step by step, with a bot's opinion beside it.

import { get, post } from "./api.js";
import { Analysis } from "./analysis.js";
import { boardHost, quartersFor } from "./board.js";
import { Chart, scoreOf, swingsOf } from "./chart.js";
import { announce, choice, h, put, sleep, toast } from "./dom.js";
import { touchedBy } from "./game.js";
import { Log } from "./lists.js";
import { showGauge, showPlayers } from "./players.js";
import { like, setLike, SPEEDS, STEP_MS } from "./prefs.js";
import { hintSpots, makeBoard, tool } from "./screen.js";
import { Tabs } from "./tabs.js";
import { wantsCalm } from "./tween.js";
import { boardWords, capital, seatWords } from "./words.js";

const PAGE = 100; // frames asked for at a time
const BATCH = 32; // positions the server values in one request

export class Replay {
  /** id: of a game of this server; null asks for a file */
  constructor(host, id) {
    Object.assign(this, { host, id, at: 0, playing: false });
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
    if (id) this.#open((from) => get(`api/games/${id}/replay?from=${from}&count=${PAGE}`));
    else this.#askForFile();
  }

  close() {
    this.closed = true;
    this.playing = false;
    this.board?.clock.finish();
    document.removeEventListener("keydown", this.keys);
  }

  // -- loading ------------------------------------------------------------------------------

  #askForFile() {
    const text = h("textarea", { rows: 5, spellcheck: "false", "aria-label": "Record as text", placeholder: "or paste the lines of a record here" });
    const file = h("input", { type: "file", id: "record-file", accept: ".jsonl,.ndjson,.json,.txt", onchange: async () => this.#read(await file.files[0].text()) });
    const drop = h(
      "div",
      {
        class: "drop",
        ondragover: (event) => event.preventDefault(),
        ondrop: async (event) => {
          event.preventDefault();
          if (event.dataTransfer.files.length) this.#read(await event.dataTransfer.files[0].text());
        },
      },
      h("label", { for: "record-file" }, "Choose a record file, or drop it here"),
      file,
    );
    put(
      this.host,
      h(
        "section",
        { class: "page", "aria-label": "Replay" },
        h("h1", {}, "Replay a record"),
        h("p", { class: "muted" }, "Records are the files that games are saved to. Games played here are in the list of games."),
        drop,
        text,
        h("div", { class: "buttons" }, h("button", { class: "primary", onclick: () => this.#read(text.value) }, "Open"), h("a", { class: "button", href: "#/games" }, "Games")),
      ),
    );
  }

  #read(text) {
    this.text = text;
    this.#openGame(0);
  }

  #openGame(index) {
    const type = "application/x-ndjson";
    return this.#open((from) => post(`api/replay?game=${index}&from=${from}&count=${PAGE}`, this.text, type));
  }

  async #open(page) {
    try {
      const first = await page(0);
      const frames = [...first.frames];
      let last = first;
      while (frames.length < first.plies) {
        last = await page(frames.length);
        if (!last.frames.length) break;
        frames.push(...last.frames);
        if (this.closed) return;
      }
      if (this.closed) return;
      Object.assign(this, { record: first, frames, final: last.final ?? null, at: 0 });
      this.#draw();
    } catch (error) {
      toast(error.message, true);
      if (this.id) put(this.host, h("section", { class: "page" }, h("h1", {}, "No replay"), h("p", {}, error.message), h("a", { class: "button", href: "#/games" }, "Games")));
    }
  }

  // -- drawing ------------------------------------------------------------------------------

  get facts() {
    return this.record.facts;
  }

  /** The state at a ply; the last is the end. */
  #state(ply) {
    const state = ply < this.frames.length ? this.frames[ply].state : this.final;
    return { ...state, facts: this.facts, players: this.#players(state) };
  }

  #players(state) {
    const named = this.record.header.players ?? {};
    return Object.fromEntries(state.seats.map((seat) => [seat, { kind: "bot", bot: named[seat] ?? "", here: true }]));
  }

  get end() {
    return this.final ? this.frames.length : this.frames.length - 1;
  }

  #draw() {
    const { facts } = this;
    this.boardHost = boardHost();
    this.quarters = quartersFor(this.record.frames[0]?.state.seats[0]);
    this.board = makeBoard(this.boardHost, facts, this.quarters);
    this.gauge = h("div", { class: "gauge", role: "img", hidden: true });
    this.players = h("ul", { class: "players", "aria-label": "Players" });
    this.status = h("div", { class: "status" });
    this.where = h("ul", { class: "sr", "aria-label": "Where the pawns are" });
    this.log = new Log((ply) => this.jump(ply + 1)); // what the move has led to
    this.log.set(this.frames.map((frame) => frame.entry));
    this.analysis = new Analysis({
      always: true,
      onchances: (chances) => showGauge(this.gauge, this.#state(this.at), chances),
      onlook: (one) => this.#look(one),
    });
    this.chart = new Chart((ply) => this.jump(ply));
    this.curve = h("div", { class: "curve-tab" }, h("button", { class: "primary", onclick: () => this.#value() }, "Value the whole game"), this.chart.node);
    this.analysis.onbot = () => put(this.curve, h("button", { class: "primary", onclick: () => this.#value() }, "Value the whole game"), this.chart.node);
    this.slider = h("input", { type: "range", min: 0, max: this.end, value: 0, "aria-label": "Move", class: "slider", oninput: () => this.jump(Number(this.slider.value)) });
    this.tabs = new Tabs(
      [["analysis", "Analysis", this.analysis.node], ["curve", "Curve", this.curve], ["log", "Log", h("div", {}, this.log.node)]],
      "log",
      () => this.log.select(this.at - 1),
    );
    put(
      this.host,
      h(
        "section",
        { class: `table replay ${facts.family === "express" ? "with-dice" : "with-board"}`, "aria-label": "Replay" },
        h("div", { class: "stage" }, this.gauge, this.boardHost),
        h("div", { class: "side" }, this.#games(), this.players, this.status, this.slider, this.#bar(), this.tabs.node, this.where),
      ),
    );
    this.analysis.setUp(facts);
    this.jump(0);
  }

  #games() {
    const { games, game } = this.record;
    if (games < 2) return null;
    const list = Array.from({ length: games }, (_, n) => [String(n), `Game ${n + 1} of ${games}`]);
    return choice("Record", list, String(game), (text) => this.#openGame(Number(text)));
  }

  #bar() {
    this.playTool = tool("play", "Play", "Space", () => this.play());
    return h(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Replay" },
      tool("first", "To the beginning", "Home", () => this.jump(0)),
      tool("back", "A move back", "←", () => this.jump(this.at - 1)),
      this.playTool,
      tool("next", "A move on", "→", () => this.step()),
      tool("last", "To the end", "End", () => this.jump(this.end)),
      this.facts.family === "board" ? tool("turn", "Turn the board", "t", () => this.#turn()) : null,
      choice("Speed", SPEEDS, like("speed"), (name) => setLike("speed", name)),
    );
  }

  #turn() {
    this.quarters = (this.quarters + 1) & 3;
    this.board.turnTo(this.quarters);
  }

  // -- stepping -----------------------------------------------------------------------------

  /** Show the state at a ply. */
  jump(ply, quiet = false) {
    const { at } = this;
    this.epoch = (this.epoch ?? 0) + 1;
    this.board.clock.finish();
    this.at = Math.max(0, Math.min(ply, this.end));
    if (!quiet && this.playing && at !== this.at - 1) this.#pause();
    const state = this.#state(this.at);
    const before = this.frames[this.at - 1];
    this.board.played = before?.entry.card;
    this.board.show(state);
    this.board.mark(before ? touchedBy(before.events) : []);
    showPlayers(this.players, state, [], null);
    put(this.where, boardWords(state).map((line) => h("li", {}, line)));
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", `after ${this.at} of ${this.frames.length} moves`);
    this.log.select(this.at - 1);
    this.chart.select(this.at);
    this.#tell(state, before);
    this.analysis.show(state.over ? null : state.position, this.frames[this.at]?.entry.move ?? null);
  }

  #tell(state, before) {
    const lead = this.facts.family === "express" ? state.homes[state.actor] : (state.winners[0] ?? state.actor);
    const card = state.card && state.card !== "?" && this.facts.family === "board";
    put(
      this.status,
      h("p", { class: `headline ${lead}` }, state.headline),
      card ? h("p", { class: "card-line" }, h("b", {}, state.card_face), ` ${(state.card_words ?? []).join(" · ")}`) : null,
      before
        ? h("p", { class: "telling" }, h("span", { class: "muted" }, `${this.at}. ${seatWords(before.entry.seat)}: `), capital(before.entry.words), " ", h("code", {}, before.entry.move))
        : h("p", { class: "telling muted" }, "The beginning."),
      this.#hands(state),
    );
  }

  #hands(state) {
    if (!state.hands) return null;
    return h("p", { class: "hands-line" }, state.seats.map((seat) => h("span", {}, h("b", {}, `${seatWords(seat)} `), (state.hands[seat] ?? []).join(" "))));
  }

  /** Play one move, with its pawns walking. */
  async step() {
    if (this.at >= this.end) return false;
    const epoch = this.epoch;
    const frame = this.frames[this.at];
    const step = wantsCalm() ? 0 : STEP_MS[like("speed")];
    announce(`${seatWords(frame.entry.seat)}: ${frame.entry.words}.`);
    await this.board.play(frame.events, step);
    if (this.epoch !== epoch || this.closed) return false;
    this.jump(this.at + 1, true);
    return true;
  }

  async play() {
    if (this.playing) {
      this.#pause();
      return;
    }
    if (this.at >= this.end) this.jump(0);
    this.playing = true;
    this.#showPlay();
    while (this.playing && (await this.step())) await sleep(Math.max(30, 3 * STEP_MS[like("speed")]));
    this.#pause();
  }

  #pause() {
    this.playing = false;
    this.#showPlay();
  }

  #showPlay() {
    const made = tool(this.playing ? "pause" : "play", this.playing ? "Pause" : "Play", "Space", () => this.play());
    this.playTool.replaceWith(made);
    this.playTool = made;
  }

  #look(one) {
    if (this.facts.family === "express") return;
    const move = one && this.#state(this.at).legal.find((m) => m.move === one.move);
    this.board.look(move ? hintSpots(move) : []);
  }

  #key(event) {
    if (!this.board || event.target.closest?.("input:not([type=range]), select, textarea, [role=tab], dialog")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => this.jump(this.at - 1), ArrowRight: () => this.step(), Home: () => this.jump(0),
      End: () => this.jump(this.end), t: () => this.#turn(),
      " ": () => (event.target.closest("button") ? null : this.play()),
    }[event.key];
    if (!act || (event.key === " " && event.target.closest("button"))) return;
    act();
    event.preventDefault();
  }

  // -- the value curve ----------------------------------------------------------------------

  /** Ask the bot about every position, before and after the draws; then draw the curve. */
  async #value() {
    const { bot } = this.analysis;
    if (!bot) return;
    const { frames } = this;
    const meter = h("progress", { max: 1, value: 0 });
    put(this.curve, h("p", {}, `${bot} values every position …`), meter);
    const wanted = frames.flatMap((frame) => [frame.state.position, frame.state.before_draw]).filter(Boolean);
    const unique = [...new Set(wanted)];
    const known = new Map();
    try {
      for (let n = 0; n < unique.length && !this.closed; n += BATCH) {
        const positions = unique.slice(n, n + BATCH);
        const { answers } = await post("api/analysis", { bot, positions });
        positions.forEach((position, k) => known.set(position, answers[k]));
        meter.value = (n + positions.length) / unique.length;
      }
    } catch (error) {
      put(this.curve, h("p", { class: "muted" }, error.message));
      return;
    }
    if (!this.closed) this.#showCurve(known, bot);
  }

  #showCurve(known, bot) {
    const { frames } = this;
    const { seats } = frames[0].state;
    const at = frames.map((frame) => known.get(frame.state.position));
    const before = frames.map((frame) => known.get(frame.state.before_draw) ?? null);
    const scale = at.find((answer) => answer?.scale)?.scale ?? "win";
    const sides = seats.length === 2 ? seats.slice(0, 1) : seats;
    const curves = {};
    for (const seat of sides) {
      curves[seat] = at.map((answer) => scoreOf(answer, seat, seats));
      if (scale === "win" && this.final?.over) curves[seat].push(this.final.winners.includes(seat) ? 1 : 0);
    }
    if (!Object.values(curves).flat().some((v) => v !== null)) {
      put(this.curve, h("p", { class: "muted" }, `${bot} gives no chances for this game.`));
      return;
    }
    const ends = scale === "win" && this.final?.over ? Object.fromEntries(seats.map((s) => [s, this.final.winners.includes(s) ? 1 : 0])) : null;
    const colours = (seat) => (this.facts.family === "express" ? `seat-${seat}` : seat);
    this.chart.draw(curves, colours, scale);
    this.chart.list(swingsOf(frames, at, before, seats, ends), frames, scale);
    this.chart.select(this.at);
    const whose = sides.map(seatWords).join(", ");
    const what = scale === "win" ? "chance to win" : "steps ahead";
    put(
      this.curve,
      h("p", { class: "muted small" }, `${whose}: ${what}, in the eyes of ${bot}. Below it what swung most.`),
      this.chart.node,
    );
  }
}
