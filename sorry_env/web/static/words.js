// The words of the page that are not the server's: seats, places, times, chances.

import { COLOURS, isHome, isOuter, isStart, LETTERS } from "./squares.js";

export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** `Red` ... of a colour, `Player 0` ... of a seat of the dice game, as its moves count them. */
export const seatWords = (seat) => (/^\d/.test(seat) ? `Player ${seat}` : capital(seat));

/** Names in a list: `Red`, `Red and Yellow`, `Red, Blue and Green`. */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** A place in words: `square 12`, `safety square 3`, `Start`, `Home`. */
export function placeWords(place) {
  if (isOuter(place)) return `square ${place}`;
  if (isStart(place)) return "Start";
  return isHome(place) ? "Home" : `safety square ${place[1]}`;
}

/** What a person is to do in a phase that is no move of a card. */
export const PROMPTS = {
  fire: "Advance your Fire pawn to the next corner before you draw, or leave it.",
  ice: "Put the Ice on an opponent’s pawn.",
  token: "Take the Fire to one of your pawns, or leave it where it is.",
  home: "Choose the pawn that goes Home too.",
  ask: "Ask an opponent. Yes: both of you move 6. No: both move 3.",
  answer: "Answer the question. Yes: both move 6. No: both move 3.",
};

/** Where everybody's pawns are, one line a seat, for people who hear the page. */
export function boardWords(state) {
  if (state.family === "express") return state.seats.map((seat) => baseWords(state, seat));
  return state.seats.map((seat) => {
    const places = state.pawns[seat];
    const count = (test) => places.filter(test).length;
    const out = places.filter((p) => !isStart(p) && !isHome(p)).map(placeWords);
    const parts = [`${count(isHome)} Home`, `${count(isStart)} in Start`];
    if (out.length) parts.push(`on ${listed(out)}`);
    for (const token of ["fire", "ice"]) {
      if (state[token]?.seat === seat) parts.push(`${capital(token)} on ${placeWords(state[token].square)}`);
    }
    return `${seatWords(seat)}: ${parts.join(", ")}.`;
  });
}

function baseWords(state, seat) {
  const home = state.homes[seat];
  const held = state.held[seat];
  const waiting = COLOURS.filter((c) => c !== home && held[c]).map((c) => `${held[c]} ${c}`);
  const words = listed(waiting) || "nobody";
  return `${seatWords(seat)}: Home is ${home} with ${held[home]} of 4; waiting: ${words}.`;
}

/** How a match stands, after a round or during it. */
export function matchWords({ seats, match, result }) {
  const score = listed(seats.map((seat) => `${seatWords(seat)} ${match.score[seat]}`));
  if (!match.over) return `Round ${match.round} of a match to ${match.target_score}: ${score}.`;
  const rounds = match.round > 1 ? `${match.round} rounds` : "one round";
  if (!match.winners.length) return `The match was ${result} after ${rounds}: ${score}.`;
  const verb = match.winners.length > 1 ? "win" : "wins";
  return `${listed(match.winners.map(seatWords))} ${verb} the match to ${match.target_score} after ${rounds}: ${score}.`;
}

export const FACE_WORDS = { S: "Sorry!", W: "Wild", L: "Slide" };

/** A die's face in words. */
export const faceWords = (face) => FACE_WORDS[face] ?? capital(COLOURS[LETTERS.indexOf(face)]);

/** How long ago an ISO time was, roughly. */
export function ago(iso) {
  const past = Math.max(0, (Date.now() - Date.parse(iso)) / 1000);
  for (const [size, unit] of [[86400, "day"], [3600, "hour"], [60, "minute"]]) {
    const n = Math.floor(past / size);
    if (n) return `${n} ${unit}${n > 1 ? "s" : ""} ago`;
  }
  return "just now";
}

/** A probability as text, never 0 % or 100 % unless it is. */
export function percent(p) {
  if (p > 0 && p < 0.005) return "<1 %";
  if (p < 1 && p > 0.995) return ">99 %";
  return `${Math.round(100 * p)} %`;
}

/** What a bot's value says, by its scale: a chance to win, or steps ahead of the others. */
export function valueWords(value, scale) {
  if (value === null || value === undefined) return "";
  if (scale === "steps") return `${value > 0 ? "+" : ""}${value.toFixed(1)}`;
  return percent(value);
}
