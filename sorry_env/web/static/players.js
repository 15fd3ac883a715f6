// The players of a game: who sits where, whose turn it is, how far they are.

import { h, put } from "./dom.js";
import { pawnIcon, tokenIcon } from "./pictures.js";
import { isHome } from "./squares.js";
import { seatWords } from "./words.js";

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
        tokensOf(state, seat),
        h("span", { class: "progress" }, progress(state, seat)),
        state.over ? null : awayNote(player, seat, onreplace),
      );
    }),
  );
}

const seatClass = (state, seat) => (state.family === "express" ? state.homes[seat] : seat);
const teamOf = (seat) => (seat === "red" || seat === "yellow" ? "A" : "B");

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
    points !== undefined && state.over ? h("span", { class: "points" }, `${points} points `) : null,
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

/** The chances of all seats as one bar; chances: { seat: probability } or null */
export function showGauge(host, state, chances) {
  host.hidden = !chances;
  if (!chances) return;
  const seats = state.seats.filter((seat) => chances[seat] !== undefined);
  const words = seats.map((seat) => `${seatWords(seat)} ${Math.round(100 * chances[seat])} %`);
  host.setAttribute("aria-label", `Chances to win: ${words.join(", ")}`);
  // Of more than two sides a bot may know the chance of one alone; the rest is the others'.
  const rest = 1 - seats.reduce((sum, seat) => sum + chances[seat], 0);
  const others = h("span", { class: "share" });
  others.style.flexGrow = String(Math.max(0, rest));
  put(
    host,
    rest > 0.001 ? others : null,
    seats.map((seat) => {
      const share = Math.round(100 * chances[seat]);
      const bar = h("span", { class: `share ${seatClass(state, seat)}` }, share >= 8 ? String(share) : "");
      bar.style.flexGrow = String(Math.max(0.001, chances[seat]));
      return bar;
    }),
  );
}
