// The lists beside the board: legal moves in words, the log, a bot's opinion of every move.

import { h, put } from "./dom.js";
import { pawnIcon } from "./pictures.js";
import { seatWords, valueWords } from "./words.js";

/** The texts of moves and their words, each a button; arrow keys go from one to the next. */
export function showMoves(host, legal, onmove, onlook = () => {}) {
  if (!legal.length) {
    put(host, h("p", { class: "muted empty" }, "Nothing for you to decide at the moment."));
    return;
  }
  const list = h(
    "ol",
    { class: "moves", onkeydown: walk },
    legal.map((move, n) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            class: "move",
            "data-move": move.move,
            onclick: () => onmove(move.move),
            onmouseenter: () => onlook(move),
            onmouseleave: () => onlook(null),
            onfocus: () => onlook(move),
            onblur: () => onlook(null),
          },
          n < 9 ? h("kbd", {}, String(n + 1)) : h("span", { class: "kbd-space" }),
          h("span", { class: "move-words" }, move.words),
          h("code", {}, move.move),
        ),
      ),
    ),
  );
  put(host, list);
}

function walk(event) {
  const ahead = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!ahead) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(document.activeElement) + ahead];
  if (next) {
    next.focus();
    event.preventDefault();
  }
}

/** Which pawn stands before a line of the log. */
const mark = (seat) =>
  /^\d/.test(seat)
    ? h("span", { class: "seat-number small", "aria-hidden": "true" }, seat)
    : pawnIcon(seat);

/** A line of the log. */
function logLine(entry, onpick) {
  const words = h("span", { class: "log-words" }, entry.words);
  return h(
    "li",
    { class: "log-line", "data-ply": entry.ply },
    h("span", { class: "log-ply" }, String(entry.ply + 1)),
    mark(entry.seat),
    h("span", { class: "sr" }, seatWords(entry.seat)),
    onpick
      ? h("button", { class: "log-pick", onclick: () => onpick(entry.ply) }, words, h("code", {}, entry.move))
      : [words, h("code", {}, entry.move)],
  );
}

/** The log: grows by single lines, keeps the newest in sight. */
export class Log {
  /** onpick: called with the ply of a line that was chosen; none: lines are no buttons */
  constructor(onpick = null) {
    this.onpick = onpick;
    this.list = h("ol", { class: "log", "aria-label": "Moves so far" });
    this.node = h("div", { class: "log-box", tabindex: "0" }, this.list);
  }

  set(entries) {
    put(this.list, entries.map((entry) => logLine(entry, this.onpick)));
    this.toEnd();
  }

  add(entry) {
    this.list.append(logLine(entry, this.onpick));
    this.toEnd();
  }

  toEnd() {
    this.node.scrollTop = this.node.scrollHeight;
  }

  /** Mark the line of a ply and bring it into sight. */
  select(ply) {
    this.list.querySelector(".chosen")?.classList.remove("chosen");
    const line = this.list.querySelector(`[data-ply="${ply}"]`);
    if (!line) return;
    line.classList.add("chosen");
    const [top, bottom] = [line.offsetTop - this.list.offsetTop, line.offsetHeight];
    this.node.scrollTop = top - (this.node.clientHeight - bottom) / 2;
  }
}

/** A bot's opinion of all legal moves. played: the move that was played, to be marked */
export function showCandidates(host, analysis, played = null, onlook = () => {}) {
  if (!analysis.candidates.length) {
    put(host, h("p", { class: "muted empty" }, "There is nothing to decide here."));
    return;
  }
  const scores = analysis.candidates.map((c) => c.value ?? c.p ?? 0);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const heading = analysis.scale === "steps" ? "steps ahead" : "chance";
  put(
    host,
    h(
      "table",
      { class: "candidates" },
      h("thead", {}, h("tr", {}, h("th", {}, "Move"), h("th", { class: "figure" }, heading), hasShare(analysis) ? h("th", { class: "figure" }, "plays it") : null)),
      h(
        "tbody",
        {},
        analysis.candidates.map((one, n) => {
          const bar = h("span", { class: "bar" });
          bar.style.width = `${high > low ? 8 + (92 * (scores[n] - low)) / (high - low) : 100}%`;
          return h(
            "tr",
            {
              class: one.move === played ? "played" : null,
              onmouseenter: () => onlook(one),
              onmouseleave: () => onlook(null),
            },
            h("td", {}, h("span", { class: "bar-box" }, bar), h("span", { class: "candidate-words" }, one.words ?? one.move), one.move === played ? h("b", { class: "tag" }, "played") : null),
            h("td", { class: "figure" }, valueWords(one.value, analysis.scale)),
            hasShare(analysis) ? h("td", { class: "figure" }, one.p === undefined || one.p === null ? "" : valueWords(one.p, "win")) : null,
          );
        }),
      ),
    ),
  );
}

const hasShare = (analysis) => analysis.candidates.some((c) => c.p !== undefined && c.p !== null);
