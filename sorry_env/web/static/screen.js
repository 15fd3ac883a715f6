// The screen of a game: board in the middle, beside it players, what is to do, lists and controls.
//
// It draws and passes clicks on; what they mean is said in `game.js`.

import { Analysis } from "./analysis.js";
import { Board, boardHost, quartersFor } from "./board.js";
import { DiceTable } from "./dice.js";
import { announce, choice, h, put, toast } from "./dom.js";
import { KeptFocus } from "./focus.js";
import { Hand } from "./hand.js";
import { Log, showMoves } from "./lists.js";
import { icon } from "./pictures.js";
import { showGauge, showPlayers } from "./players.js";
import { like, setLike, SPEEDS } from "./prefs.js";
import { gameLink, inviteIfNew, sharing } from "./share.js";
import { showBox, Tabs } from "./tabs.js";
import { boardWords, capital, matchWords, PROMPTS, seatWords } from "./words.js";

/** A board or table for a ruleset's facts. */
export function makeBoard(host, facts, quarters) {
  return facts.family === "express" ? new DiceTable(host, facts) : new Board(host, facts, quarters);
}

/** A button with a picture and a name that is read out and shown on pointing. */
export function tool(name, title, key, onclick) {
  const shown = key ? `${title} (${key})` : title;
  return h("button", { class: "tool", title: shown, "aria-label": title, "data-tool": name, onclick }, icon(name));
}

export class Screen {
  constructor(host, game) {
    this.game = game;
    const { facts } = game;
    this.express = facts.family === "express";
    this.boardHost = boardHost();
    this.quarters = like("turned") ? quartersFor(game.you[0]) : 0;
    this.board = makeBoard(this.boardHost, facts, this.quarters);
    this.gauge = h("div", { class: "gauge", role: "img", hidden: true });
    this.players = h("ul", { class: "players", "aria-label": "Players" });
    this.status = h("div", { class: "status" });
    this.backBox = h("div", { class: "back-box" });
    this.words = h("div", { class: "choices", role: "group", "aria-label": "Choices" });
    this.hand = new Hand((card) => this.#chooseCard(card));
    this.hand.onuncover = () => {
      this.#offerAll();
      this.analyse();
    };
    this.log = new Log();
    this.moves = h("div", {});
    this.where = h("ul", { class: "sr", "aria-label": "Where the pawns are" });
    this.analysis = new Analysis({
      onchances: (chances) => showGauge(this.gauge, game.state, chances),
      onlook: (move) => this.#look(move),
    });
    this.connection = h("div", { class: "connection", hidden: true }, "The line broke; connecting again …");
    this.tabs = new Tabs(
      [
        ["moves", "Moves", this.moves],
        ["log", "Log", h("div", {}, this.log.node)],
        ["analysis", "Analysis", this.analysis.node],
        ["game", "Game", sharing(game)],
      ],
      like("tab"),
      (id) => {
        setLike("tab", id);
        this.log.toEnd();
      },
    );
    this.bar = h("div", { class: "tools", role: "toolbar", "aria-label": "Controls" });
    this.node = h(
      "section",
      { class: `table ${this.express ? "with-dice" : "with-board"}`, "aria-label": `Game of ${facts.name}` },
      h("div", { class: "stage" }, this.gauge, this.boardHost),
      h("div", { class: "side" }, this.connection, this.players, h("div", { class: "status-box" }, this.status, this.backBox), this.hand.node, this.words, this.bar, this.tabs.node, this.where),
    );
    put(host, this.node);
    this.focus = new KeptFocus(this.node, [this.boardHost, this.hand.node, this.words, this.moves]);
    this.#drawBar();
    this.analysis.setUp(facts);
    inviteIfNew(game.game);
  }

  #drawBar() {
    const { game } = this;
    const sits = game.you.length > 0;
    this.pauseTool = tool("pause", "Pause", "p", () => game.setPaused(!game.paused));
    this.undoTool = sits ? tool("undo", "Take back", "u", () => game.undo()) : null;
    this.hintTool = sits ? tool("hint", "Hint", "h", () => game.hint()) : null;
    this.catchTool = tool("skip", "Show the newest at once", "s", () => game.catchUp());
    put(
      this.bar,
      this.undoTool,
      this.hintTool,
      this.express ? null : tool("turn", "Turn the board", "t", () => this.turnBoard()),
      this.pauseTool,
      this.catchTool,
      choice("Speed", SPEEDS, like("speed"), (name) => game.setSpeed(name)),
      h("button", { class: "tool", title: "Keys (?)", "aria-label": "Keys", onclick: () => this.help() }, "?"),
    );
  }

  // -- showing ------------------------------------------------------------------------------

  show(state) {
    const { game } = this;
    this.board.show(state);
    showPlayers(this.players, state, game.you, game.you.length || game.owner ? (seat) => this.#replace(seat) : null);
    this.#showStatus(state);
    this.hand.show(state, game.you, null);
    put(this.where, boardWords(state).map((line) => h("li", {}, line)));
    this.tabs.allow("analysis", state.hints && !state.over);
    if (this.undoTool) this.undoTool.disabled = !state.can_undo;
    if (this.hintTool) this.hintTool.hidden = !state.hints || state.over;
  }

  /** Have the bot look at what is shown now, if that may be and nothing hidden would be told. */
  analyse() {
    const { state, you } = this.game;
    const seen = !state.hands || (state.legal?.length > 0 && !this.hand.covered(state, you));
    this.analysis.show(seen && state.hints && !state.over ? state.position : null);
  }

  #showStatus(state) {
    const { you } = this.game;
    const mine = you.includes(state.actor) && !state.over;
    const lead = this.express ? state.homes[state.actor] : state.over ? state.winners[0] : state.actor;
    const card = state.card && state.card !== "?" && !this.express && !state.hands;
    const title = mine && you.length === 1 && state.phase === "move" ? "Your move" : state.headline;
    put(
      this.status,
      h("p", { class: `headline ${lead ?? ""}` }, title),
      card
        ? h("p", { class: "card-line" }, h("b", {}, state.card_face), ` ${(state.card_words ?? []).join(" · ")}`)
        : null,
      PROMPTS[state.phase] && mine ? h("p", {}, PROMPTS[state.phase]) : null,
      this.express && mine ? h("p", {}, "Choose a die, then what it takes.") : null,
      this.told ?? null,
      state.match ? h("p", { class: "match-words" }, matchWords(state)) : null,
      state.over ? this.#endNote(state) : null,
    );
  }

  /** On to the next round of a match; who only watches follows once there is one. */
  #nextRound({ match }) {
    const { game } = this;
    if (!match || match.over) return null;
    if (match.next) return h("a", { class: "button primary", href: `#${gameLink(match.next, game.secrets)}` }, "Next round");
    if (!game.you.length && !game.owner) return null;
    return h("button", { class: "primary", onclick: () => game.nextRound() }, "Next round");
  }

  #endNote(state) {
    const { game } = this;
    const won = state.winners.some((seat) => game.you.includes(seat));
    const next = this.#nextRound(state);
    const words = state.result === "win" ? (game.you.length ? (won ? "You win!" : "You lose this one.") : "") : `The game was ${state.result}.`;
    return h(
      "div",
      { class: "end" },
      words ? h("p", { class: "end-words" }, words) : null,
      h(
        "div",
        { class: "buttons" },
        next,
        h("a", { class: next ? "button" : "button primary", href: `#/replay/${game.game}` }, "Replay and analyse"),
        h("a", { class: "button", href: "#/" }, "New game"),
        h("a", { class: "button", href: `api/games/${game.game}/record`, download: `${game.game}.jsonl` }, "Save the record"),
        state.match ? h("a", { class: "button", href: `api/games/${game.game}/match/record`, download: "match.jsonl" }, "Save all rounds") : null,
      ),
    );
  }

  /** The move that is being shown, in words below the headline. */
  telling(entry) {
    this.told = h(
      "p",
      { class: "telling" },
      h("span", { class: "muted" }, `${seatWords(entry.seat)}: `),
      capital(entry.words),
      " ",
      h("code", {}, entry.move),
    );
    this.status.querySelector(".telling")?.remove();
    this.status.append(this.told);
  }

  link(there) {
    this.connection.hidden = there;
    if (!there) {
      announce("The line broke; connecting again.");
      this.offer(this.game.picker, true);
    }
  }

  showPause() {
    const { paused } = this.game;
    const made = tool(paused ? "play" : "pause", paused ? "Go on" : "Pause", "p", () => this.game.setPaused(!this.game.paused));
    this.pauseTool.replaceWith(made);
    this.pauseTool = made;
  }

  // -- choosing -----------------------------------------------------------------------------

  /** Offer the picker's moves on the board, in the hand, as words and as a list. */
  offer(picker, closed = false) {
    this.picker = picker;
    this.closed = closed;
    this.#offerAll();
  }

  #offerAll() {
    const { state, you } = this.game;
    if (!state || !this.picker) return;
    const hidden = this.hand.covered(state, you);
    const legal = this.closed || hidden ? [] : this.picker.legal;
    this.node.dataset.ply = state.ply;
    this.node.dataset.now = this.game.running ? "showing" : state.over ? "over" : hidden ? "covered" : legal.length ? "deciding" : "waiting";
    const play = (text) => this.game.play(text);
    this.listed = legal.length ? this.picker.listed : [];
    this.hand.show(state, you, this.closed ? null : this.picker);
    showMoves(this.moves, this.listed, play, (move) => this.#look(move));
    if (this.express) {
      this.board.offer(legal, play);
      put(this.words);
    } else {
      this.#offerWords(legal, play);
      this.#offerSpots(legal);
    }
    if (legal.length || hidden) this.focus.restore();
  }

  #chooseCard(card) {
    this.picker.chooseCard(card);
    this.#offerAll();
  }

  #offerWords(legal, play) {
    const { picker } = this;
    const list = picker.several.length ? picker.several : legal.length ? picker.words : [];
    const question = picker.several.length ? "Which of these?" : null;
    const left = picker.firstPart ? `${picker.left} left of the 7: choose another pawn` : null;
    const choose = legal.length && picker.hand ? this.#cardWords() : null;
    put(
      this.words,
      [question, left, choose].filter(Boolean).map((text) => h("p", { class: "left-words" }, text)),
      list.map((move) =>
        h("button", { class: "choice", "data-move": move.move, onclick: () => play(move.move) }, capital(move.words)),
      ),
    );
    // In a corner of its own, so that nothing moves under the pointer while a move is chosen.
    const begun = legal.length && picker.begun;
    put(this.backBox, begun ? h("button", { class: "quiet small", onclick: () => this.back() }, "Back (Esc)") : null);
    if (left && left !== this.leftSaid) announce(left);
    this.leftSaid = left;
  }

  /** What the chosen card of a hand does. */
  #cardWords() {
    const card = this.game.facts.cards.find((one) => one.name === this.picker.card);
    return card ? `${card.face}: ${card.words.join(", ")}` : "Choose a card.";
  }

  #offerSpots(legal) {
    this.board.choose(legal.length ? this.picker.spots() : [], (place) => this.#click(place));
    // After the first half of a split its pawn is shown where it goes.
    this.board.lend(legal.length ? this.picker.firstPart : null);
  }

  #click(place) {
    const text = this.picker.click(place);
    if (text) this.game.play(text);
    else this.#offerAll();
  }

  /** Take back the last click. */
  back() {
    this.picker?.back();
    this.#offerAll();
  }

  /** Show where a move of a list goes, while it is pointed at. */
  #look(move) {
    if (this.express) return;
    const full = move && this.picker?.legal.find((one) => one.move === move.move);
    this.board.look(full ? hintSpots(full) : []);
  }

  showHint(hint) {
    const move = this.picker.legal.find((one) => one.move === hint.move);
    if (!move) return;
    toast(`${hint.bot} would ${move.words}`);
    if (this.express) return;
    this.board.look(hintSpots(move));
    for (const button of this.moves.querySelectorAll("button")) {
      button.classList.toggle("hinted", button.dataset.move === move.move);
    }
  }

  // -- controls -----------------------------------------------------------------------------

  turnBoard() {
    this.quarters = (this.quarters + 1) & 3;
    this.board.turnTo(this.quarters);
    this.#offerAll();
  }

  async #replace(seat) {
    const bot = like("bot") ?? "greedy";
    await this.game.request({ type: "replace", seat, bot });
  }

  help() {
    showBox("Keys", h("dl", { class: "keys" }, KEYS.map(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])));
  }
}

const KEYS = [
  ["Tab", "from one thing to the next; pawns and squares that can be chosen are among them"],
  ["Enter", "choose it"],
  ["1 – 9", "play that move of the list"],
  ["Esc", "take the last click back"],
  ["u", "take back a move"],
  ["h", "hint"],
  ["t", "turn the board"],
  ["p", "pause and go on"],
  ["s", "show the newest at once"],
];

/** The squares of a move as marks. */
export function hintSpots(move) {
  const places = move.parts.flatMap((part) => [part.from, move.target ? null : part.to]);
  if (move.target?.square) places.push(move.target.square);
  return [...new Set(places.filter(Boolean))].map((place) => ({ place, kind: "hint" }));
}

