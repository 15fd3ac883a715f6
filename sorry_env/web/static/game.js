// A game being played: its live line, the queue of what is still to be shown, and the whole screen.
//
// The server's word comes faster than pawns walk: each move waits in a queue until those before it
// have been shown. Choices are only offered once the queue is empty. Read `api.js`, `board.js` and
// `picker.js` before this file; `screen.js` lays out what is seen.

import { Line, Refusal } from "./api.js";
import { announce, sleep, toast } from "./dom.js";
import { Picker } from "./picker.js";
import { like, rememberSecrets, setLike, STEP_MS } from "./prefs.js";
import { Screen } from "./screen.js";
import { gameLink } from "./share.js";
import { askBox } from "./tabs.js";
import { wantsCalm } from "./tween.js";
import { matchWords, seatWords } from "./words.js";

// With so many moves waiting each is shown faster, lest a watcher fall ever further behind.
const LATE = 12;

// So long bots that are watched rest between two rounds of a match.
const NEXT_ROUND_MS = 4000;

/** How long a move is in sight, in steps of a pawn: the pace of games between bots. */
export const PACE = 10;

export class Game {
  /** host: where to draw; secrets: of the seats to sit on, [] to watch */
  constructor(host, game, secrets) {
    Object.assign(this, { host, game, secrets });
    this.queue = [];
    this.you = [];
    this.paused = false;
    this.epoch = 0; // grows when what is being shown is no longer so
    this.line = new Line(game, secrets, {
      onmessage: (message) => this.#hear(message),
      onlink: (there) => this.screen?.link(there),
      onrefused: (error) => this.#refused(error),
    });
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
  }

  /** Leave the game: close the line, forget the keys. */
  close() {
    this.closed = true;
    clearTimeout(this.later);
    this.line.close();
    this.screen?.board.clock.finish();
    document.removeEventListener("keydown", this.keys);
  }

  // -- hearing ------------------------------------------------------------------------------

  #hear(message) {
    if (message.type === "welcome") this.#welcome(message);
    else if (message.type === "move") {
      this.queue.push(message);
      this.#run();
    } else if (message.type === "state") this.#fresh(message);
    else if (message.type === "undo_asked") this.#askedToUndo(message);
    else if (message.type === "undo_refused") toast(`${seatWords(message.by)} would rather not take that back.`);
    else if (message.type === "error") toast(message.message, true);
  }

  #refused(error) {
    this.onrefused?.(error);
  }

  #welcome(message) {
    const again = Boolean(this.screen);
    this.you = message.you;
    this.owner = message.owner;
    this.facts = message.state.facts;
    this.name = message.name;
    if (this.secrets.length) rememberSecrets(this.game, this.secrets);
    this.#drop();
    this.screen ??= new Screen(this.host, this);
    this.screen.log.set(message.log);
    this.screen.board.played = message.log.at(-1)?.card;
    this.#settle(message.state);
    if (again) toast("Connected again.");
  }

  /** The state of a message, with what only comes once. */
  #whole(state) {
    if (state === this.state) return state;
    return { facts: this.facts, players: this.state?.players, ...state };
  }

  #fresh(message) {
    if (message.reason === "round") this.following = message.state.match.next;
    // Undo and the like: what waits in the queue is no longer so.
    if (message.reason === "undo") {
      this.#drop();
      if (message.log) this.screen.log.set(message.log);
      this.#settle(message.state);
      announce("A move was taken back.");
    } else if (this.queue.length || this.running) {
      this.queue.push(message);
    } else this.#settle(message.state);
  }

  /** Forget what still waits to be shown, and end what moves. */
  #drop() {
    this.queue = [];
    this.sent = null;
    this.epoch += 1;
    this.screen?.board.clock.finish();
  }

  // -- showing ------------------------------------------------------------------------------

  get step() {
    if (wantsCalm()) return 0;
    const step = STEP_MS[like("speed")] ?? STEP_MS.normal;
    return this.queue.length > LATE ? Math.min(step, 30) : step;
  }

  async #run() {
    if (this.running) return;
    this.running = true;
    this.#offer();
    while (this.queue.length && !this.closed) {
      if (this.paused) {
        await sleep(60);
        continue;
      }
      await this.#showOne(this.queue.shift());
    }
    this.running = false;
    if (!this.closed) this.#settle(this.state);
  }

  async #showOne(message) {
    if (message.type === "state") {
      this.state = this.#whole(message.state);
      this.#show();
      return;
    }
    const { entry, events } = message;
    const { epoch } = this;
    const state = this.#whole(message.state);
    const { board } = this.screen;
    this.#tell(entry);
    this.screen.log.add(entry);
    this.screen.telling(entry);
    if (this.step) await board.play(events, this.step);
    board.played = entry.card;
    if (epoch !== this.epoch) return;
    const before = this.state;
    this.state = state;
    board.mark(touchedBy(events));
    if (state.over && !before.over) this.#over(state);
    if (!this.step && this.queue.length) return; // nobody could see it
    this.#show();
    const drawn = state.card && state.card !== "?" && events.some((e) => e.type === "draw");
    if (board.centre && drawn) await board.centre.flip(state, board.clock, 3 * this.step);
    const forced = entry.forced && entry.move === "pass";
    await sleep(this.step * (forced ? 3 : 2));
  }

  /** A move for those who hear the page; their own they know already. */
  #tell(entry) {
    announce(`${seatWords(entry.seat)}: ${entry.words}.`);
  }

  #over(state) {
    const { match } = state;
    announce(`${state.headline}. The ${match && !match.over ? "round" : "game"} is over.`);
    if (match) announce(matchWords(state));
    const watched = this.owner && !this.you.length;
    if (watched && match && !match.over) this.later = setTimeout(() => this.nextRound(), NEXT_ROUND_MS);
  }

  /** Ask for the next round of the match; the answer comes to everybody. */
  async nextRound() {
    const made = await this.request({ type: "next_round" });
    if (made) this.#goOn(made.game);
  }

  /** To the next round: everybody who sits or watches comes along. */
  #goOn(game) {
    if (!this.closed) location.hash = gameLink(game, this.secrets);
  }

  /** Everything has been shown: this is how it stands, and now somebody may decide. */
  #settle(state) {
    this.state = this.#whole(state);
    this.#show();
    this.#offer();
    this.screen.analyse();
    if (this.following) this.#goOn(this.following);
    const decides = this.state.legal?.length;
    if (decides && this.said !== this.state.ply) {
      this.said = this.state.ply;
      const card = this.state.card ? `${this.state.card_face}. ` : "";
      announce(`${card}${this.state.headline}: your decision, ${decides} moves.`);
    }
  }

  /** Draw the state, unless that is what is drawn already. */
  #show() {
    if (this.drawn === this.state) return;
    this.drawn = this.state;
    this.screen.show(this.state);
  }

  // -- deciding -----------------------------------------------------------------------------

  #offer() {
    const open = !this.running && this.line.joined;
    const legal = open ? (this.state?.legal ?? []) : [];
    const hand = Boolean(this.state?.hands) && this.state.phase === "move";
    // Somebody who comes or goes must not undo what was half chosen.
    const key = `${this.state?.ply} ${legal.map((move) => move.move)}`;
    if (key !== this.offered) this.picker = new Picker(legal, hand);
    this.offered = key;
    this.screen?.offer(this.picker);
  }

  /** Play a legal move. */
  async play(text) {
    const { ply } = this.state;
    if (this.sent === ply || this.running) return;
    this.sent = ply; // until the answer brings another position: no second click counts
    this.screen.offer(new Picker([], false), true);
    try {
      await this.line.ask({ type: "move", move: text, ply });
    } catch (error) {
      this.sent = null;
      this.offered = null;
      if (error.code !== "stale") this.#wrong(error);
      this.#offer();
    }
  }

  #wrong(error) {
    if (!(error instanceof Refusal)) throw error;
    toast(error.message, true);
  }

  async request(message) {
    try {
      return await this.line.ask(message);
    } catch (error) {
      this.#wrong(error);
      return null;
    }
  }

  async #askedToUndo(message) {
    if (this.you.includes(message.by) || !this.you.length) return;
    const words = `${seatWords(message.by)} asks to take back ${message.plies} moves.`;
    const yes = await askBox(words, [["Take them back", true, "primary"], ["No", false]]);
    if (yes !== null) await this.request({ type: "undo_answer", yes });
  }

  undo() {
    if (this.state.can_undo) return this.request({ type: "undo" });
    toast("There is nothing to take back.");
    return null;
  }

  async hint() {
    if (!this.screen.listed?.length) return; // nothing to decide, or the cards are still covered
    const message = { type: "hint" };
    if (this.screen.analysis.bot) message.bot = this.screen.analysis.bot;
    const hint = await this.request(message);
    if (hint && hint.ply === this.state.ply) this.screen.showHint(hint);
  }

  /** How fast moves are shown, and made where only bots play. */
  setSpeed(name) {
    setLike("speed", name);
    this.screen.board.clock.finish();
    this.pace();
  }

  /** Where only bots play, the server waits between their moves as long as they take to be seen. */
  pace() {
    if (!this.owner || this.you.length || this.state.over) return;
    const step = STEP_MS[like("speed")];
    this.request({ type: "pace", pace_ms: step * PACE });
  }

  setPaused(paused) {
    this.paused = paused;
    this.screen.showPause();
  }

  /** Show the newest state at once. */
  catchUp() {
    const last = this.queue.at(-1);
    if (!last) return;
    for (const message of this.queue) if (message.type === "move") this.screen.log.add(message.entry);
    this.state = this.#whole(last.state);
    this.#drop();
    this.setPaused(false);
  }

  #key(event) {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !this.screen) return;
    const legal = this.screen.listed ?? [];
    const number = Number(event.key);
    const act = {
      u: () => this.undo(), h: () => this.hint(), t: () => this.screen.turnBoard(),
      p: () => this.setPaused(!this.paused), s: () => this.catchUp(), "?": () => this.screen.help(),
      Escape: () => this.screen.back(),
    }[event.key];
    if (act) act();
    else if (number >= 1 && number <= legal.length && number <= 9) this.play(legal[number - 1].move);
    else return;
    event.preventDefault();
  }
}

/** The squares that events touched, to be marked. */
export function touchedBy(events) {
  return events.flatMap((event) => {
    if (event.type === "switch") return [event.from, event.at];
    if (event.type === "bump" || !event.from || event.die) return [];
    return [event.from, event.to ?? event.path?.at(-1)].filter(Boolean);
  });
}
