// The value curve of a game: everybody's chances ply by ply, and where they swung most.

import { h, put, s } from "./dom.js";
import { seatWords, valueWords } from "./words.js";

const [WIDE, HIGH] = [600, 150];
// Steps ahead beyond which a game is as good as decided: bots value a win at thousands of them.
const DECIDED = 300;
const SHOWN = 6; // swings of each kind

/** What a bot thinks the side to move has: its value, or that of the best move; null if unknown. */
const valueOf = (answer) => answer.value ?? answer.candidates?.[0]?.value ?? null;

/**
 * The score of a seat in an answer of the server: its chance, or steps ahead with bots that give no
 * chances; null where neither is known. Of two sides one's lead is the other's lag.
 */
export function scoreOf(answer, seat, seats) {
  if (!answer || answer.type === "error") return null;
  if (answer.chances && answer.chances[seat] !== undefined) return answer.chances[seat];
  const value = valueOf(answer);
  if (value === null || seat === answer.seat) return value;
  if (seats.length !== 2) return null;
  return answer.scale === "steps" ? -value : 1 - value;
}

/**
 * The score of the seat that decides, as the bot itself gave it: of three seats or more chances are
 * made to add up to 1, and what a draw changed is told by what they were before. Else `scoreOf`.
 */
function ownScore(answer, seat, seats) {
  if (!answer || answer.type === "error") return null;
  if (seat === answer.seat) return valueOf(answer);
  return seats.length === 2 ? scoreOf(answer, seat, seats) : null;
}

/** What a decision cost or won, in the eyes of a bot: null where it cannot say. */
function decisionOf(answer, played, next, seat, seats) {
  const best = answer.candidates[0]?.value;
  const ours = answer.candidates.find((one) => one.move === played)?.value;
  // The bot values every move: how far the one played is from its best.
  if (best !== undefined && ours !== undefined) return ours - best;
  const here = ownScore(answer, seat, seats);
  return next === null || here === null ? null : next - here;
}

/**
 * The swings of a game, largest first: { ply, kind, seat, by }, kind `luck` or `decision`.
 *
 * frames: of the replay; at, before: answers for each frame's position and for the position that
 * waited for the draw that led to it (null where nothing was drawn); ends: what the end is worth by
 * seat, or null. Luck is a draw: chances with the card less those before it. A decision is a move:
 * its value less that of the best one, or where moves have no values the change up to the next draw.
 */
export function swingsOf(frames, at, before, seats, ends) {
  const swings = [];
  frames.forEach((frame, n) => {
    const { seat, move } = frame.entry;
    if (!at[n] || at[n].type === "error") return;
    const [here, drawn] = [at[n], before[n]].map((answer) => ownScore(answer, seat, seats));
    if (here !== null && drawn !== null) swings.push({ ply: n, kind: "luck", seat, by: here - drawn });
    const last = n + 1 === frames.length;
    const next = last ? (ends?.[seat] ?? null) : ownScore(before[n + 1] ?? at[n + 1], seat, seats);
    const by = decisionOf(at[n], move, next, seat, seats);
    if (by !== null && by !== 0) swings.push({ ply: n, kind: "decision", seat, by });
  });
  return swings.sort((a, b) => Math.abs(b.by) - Math.abs(a.by));
}

export class Chart {
  /** onpick: called with the ply that was clicked */
  constructor(onpick) {
    this.onpick = onpick;
    this.plot = h("div", { class: "plot" });
    this.swings = h("div", { class: "swings" });
    this.node = h("div", { class: "chart" }, this.plot, this.swings);
  }

  /** curves: { seat: (score|null)[] }; colours: seat -> class; scale: of the scores */
  draw(curves, colours, scale) {
    const count = Math.max(2, ...Object.values(curves).map((list) => list.length));
    const far = Math.max(10, ...Object.values(curves).flat().map((v) => Math.min(DECIDED, Math.abs(v ?? 0))));
    const [low, high] = scale === "steps" ? [-far, far] : [0, 1];
    const inside = (v) => Math.max(low, Math.min(high, v));
    const x = (n) => (n / (count - 1)) * WIDE;
    const y = (v) => HIGH - ((inside(v) - low) / (high - low)) * HIGH;
    this.x = x;
    const shape = (seat, n) => `curve ${colours(seat)} line-${n}`;
    const lines = Object.entries(curves).map(([seat, list], k) => {
      const points = list.map((v, n) => (v === null ? null : `${x(n).toFixed(1)} ${y(v).toFixed(1)}`));
      return s("path", { class: shape(seat, k), d: `M${points.filter(Boolean).join("L")}` });
    });
    this.cursor = s("line", { class: "cursor", y1: 0, y2: HIGH });
    const middle = y(scale === "steps" ? 0 : 0.5);
    const svg = s(
      "svg",
      {
        viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", class: "curve-box", role: "img",
        "aria-label": scale === "steps" ? "Steps ahead, move by move" : "Chances to win, move by move",
        onclick: (event) => {
          const box = svg.getBoundingClientRect();
          this.onpick(Math.round(((event.clientX - box.left) / box.width) * (count - 1)));
        },
      },
      s("line", { class: "half", x1: 0, x2: WIDE, y1: middle, y2: middle }),
      lines,
      this.cursor,
    );
    const ends = scale === "steps" ? [`+${Math.round(high)}`, `${Math.round(low)}`] : ["100 %", "0 %"];
    const keys = Object.keys(curves).map((seat, k) =>
      h("span", {}, s("svg", { class: "curve-key", viewBox: "0 0 30 8", "aria-hidden": "true" }, s("path", { class: shape(seat, k), d: "M0 4H30" })), seatWords(seat)),
    );
    put(
      this.plot,
      keys.length > 1 ? h("p", { class: "curve-keys" }, keys) : null,
      h("div", { class: "plot-box" }, svg, h("span", { class: "axis high" }, ends[0]), h("span", { class: "axis low" }, ends[1])),
    );
  }

  select(ply) {
    if (!this.cursor) return;
    this.cursor.setAttribute("x1", this.x(ply));
    this.cursor.setAttribute("x2", this.x(ply));
  }

  /** The biggest swings, the luck of draws and decisions apart. */
  list(swings, frames, scale) {
    const kinds = [["luck", "Luck: the cards drawn"], ["decision", "Decisions: the moves chosen"]];
    put(
      this.swings,
      kinds.map(([kind, title]) => {
        const list = swings.filter((swing) => swing.kind === kind).slice(0, SHOWN);
        if (!list.length) return null;
        return [h("h3", {}, title), h("ol", { "aria-label": title }, list.map((one) => this.#line(one, frames, scale)))];
      }),
    );
  }

  #line({ ply, kind, seat, by }, frames, scale) {
    const { entry, state } = frames[ply];
    const text = kind === "luck" ? `${seatWords(seat)} draws ${state.card_face ?? entry.card}` : `${seatWords(seat)}: ${entry.words}`;
    const size = valueWords(Math.abs(by), scale).replace("+", "");
    return h(
      "li",
      {},
      h(
        "button",
        { class: `swing ${kind}`, onclick: () => this.onpick(ply) },
        h("span", { class: "swing-words" }, `${ply + 1}. ${text}`),
        h("b", { class: by < 0 ? "loss" : "gain" }, `${by < 0 ? "−" : "+"}${size}`),
      ),
    );
  }
}
