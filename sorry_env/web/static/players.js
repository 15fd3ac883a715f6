// The players of a game: who sits where, whose turn it is, how far they are.

import { h, put } from "./dom.js";
import { pawnIcon, tokenIcon } from "./pictures.js";
import { isHome } from "./squares.js";
import { capital, listed, percent, seatWords } from "./words.js";

/** What a player is called: `you`, a bot's name, a person's. */
export function playerName(player, mine) {
  if (!player) return "";
  if (player.kind === "bot") return player.bot;
  if (mine) return "you";
  return player.name || "a person";
}

/**
 * The list of players.
 *
 * you:       the seats held here
 * onreplace: called with a seat whose person is away and is to be replaced by a bot; or null
 */
export function showPlayers(host, state, you, onreplace) {
  const teams = state.facts?.teams ?? "none";
  put(
    host,
    state.seats.map((seat) => {
      const player = state.players?.[seat];
      const active = !state.over && state.actor === seat;
      const won = state.over && state.winners.includes(seat);
      const mine = you.includes(seat);
      return h(
        "li",
        { class: `player ${seatClass(state, seat)}${active ? " active" : ""}${won ? " won" : ""}`,
          "aria-current": active ? "true" : null },
        state.family === "express"
          ? h("span", { class: "seat-number", "aria-hidden": "true" }, seat)
          : pawnIcon(seat),
        h(
          "span",
          { class: "player-name" },
          h("b", {}, seatWords(seat)),
          h("span", { class: "muted" }, player ? ` ${playerName(player, mine)}` : ""),
          teams === "none" ? null : h("span", { class: "muted" }, ` · team ${teamOf(seat)}`),
        ),
        won ? h("span", { class: "won-word" }, "won") : null,
        scoreOf(state, seat),
        tokensOf(state, seat),
        h("span", { class: "progress" }, progress(state, seat)),
        state.over ? null : awayNote(player, seat, onreplace),
      );
    }),
  );
}

const seatClass = (state, seat) => (state.family === "express" ? state.homes[seat] : seat);
const teamOf = (seat) => (seat === "red" || seat === "yellow" ? "A" : "B");

/** The points that a seat has in the match. */
function scoreOf({ match }, seat) {
  if (!match) return null;
  const words = `Points in the match to ${match.target_score}`;
  return h("span", { class: "score", title: words }, String(match.score[seat]), h("span", { class: "sr" }, ` ${words}`));
}

function tokensOf(state, seat) {
  return ["fire", "ice"]
    .filter((name) => state[name]?.seat === seat)
    .map((name) => tokenIcon(name, `has the ${name === "fire" ? "Fire" : "Ice"}`));
}

/** Pawns Home as pips, cards in the hand, points at the end. */
function progress(state, seat) {
  if (state.family === "express") {
    const held = state.held[seat][state.homes[seat]];
    return pips(held, 4, `${held} of 4 in the Home section`);
  }
  const places = state.pawns[seat];
  const home = places.filter(isHome).length;
  const cards = state.hand_sizes?.[seat];
  const points = state.points?.[seat];
  return [
    points !== undefined && state.over ? h("span", { class: "points" }, state.match ? `+${points} ` : `${points} points `) : null,
    cards !== undefined && !state.over ? h("span", { class: "muted small" }, `${cards} cards `) : null,
    pips(home, places.length, `${home} of ${places.length} Home`),
  ];
}

function pips(full, all, label) {
  return h(
    "span",
    { class: "pips", role: "img", "aria-label": label },
    Array.from({ length: all }, (_, n) => h("i", { class: n < full ? "pip full" : "pip" })),
  );
}

function awayNote(player, seat, onreplace) {
  if (!player || player.kind !== "person" || player.here) return null;
  const offer = onreplace
    ? h("button", { class: "small", onclick: () => onreplace(seat) }, "Let a bot play")
    : null;
  // Nobody tells when somebody has been away for long enough: the button appears by itself then.
  const wait = player.replaceable_in;
  if (offer && wait !== 0) {
    offer.hidden = true;
    if (wait) setTimeout(() => (offer.hidden = false), 1000 * wait);
  }
  return h("span", { class: "away" }, h("span", { class: "muted small" }, "away"), offer);
}

/** The sides of a state: lists of the seats that win together. */
function sidesOf(state) {
  if ((state.facts?.teams ?? "none") === "none") return state.seats.map((seat) => [seat]);
  return ["A", "B"].map((team) => state.seats.filter((seat) => teamOf(seat) === team));
}

const letter = (seat) => (/^\d/.test(seat) ? `#${seat}` : capital(seat[0]));

/**
 * The chances of all sides as one bar, a part for each with letter and number; read out in words.
 * chances: { seat: probability } or null
 */
export function showGauge(host, state, chances) {
  host.hidden = !chances;
  if (!chances) return;
  const sides = sidesOf(state).filter(([seat]) => chances[seat] !== undefined);
  const words = sides.map((seats) => `${listed(seats.map(seatWords))} ${percent(chances[seats[0]])}`);
  // Of more than two sides a bot may know the chance of one alone; the rest is the others'.
  const rest = 1 - sides.reduce((sum, [seat]) => sum + chances[seat], 0);
  const others = rest > 0.001 ? h("span", { class: "share" }) : null;
  if (others) {
    others.style.flexGrow = String(rest);
    words.push(`the others ${percent(rest)}`);
  }
  host.setAttribute("aria-label", `Chances to win: ${words.join(", ")}`);
  host.title = words.join("\n");
  put(
    host,
    others,
    sides.map((seats) => {
      const share = Math.round(100 * chances[seats[0]]);
      const bar = h(
        "span",
        { class: `share ${seatClass(state, seats[0])}`, "data-seat": seats[0] },
        share >= 4 ? h("b", {}, seats.map(letter).join("")) : null,
        share >= 8 ? h("span", {}, String(share)) : null,
      );
      bar.style.flexGrow = String(Math.max(0.001, chances[seats[0]]));
      return bar;
    }),
  );
}
