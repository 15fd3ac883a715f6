// Positions for programs that play a trained bot themselves: a position's line read, written as the
// bot's observation, and the bot's actions as the moves that they are in it.
//
// What the file's metadata say is not repeated here: where each entry of the observation is, which
// actions there are, in which order the cards are counted. What the fields and the names mean is in
// board.mjs for all editions of the board game and in dice.mjs for the dice game. Read protocol.mjs
// before this file, those two and then model.mjs after it.

import * as board from "./board.mjs";
import * as dice from "./dice.mjs";

export { cardsOf } from "./board.mjs";

const kindOf = (ruleset) => (ruleset === "express" ? dice : board);

/** A position's line, read. Of either kind it has `ruleset` and `actor`, the seat that decides. */
export function readPosition(line) {
  return kindOf(line.split(" ")[0]).readPosition(line);
}

/**
 * What a seat sees of a position, as a policy takes it.
 * @param {object} position from readPosition
 * @param {number} viewer the seat
 * @param {Array<{name: string, offset: number, size: number}>} fields metadata `observation`
 * @param {string[]} cards from cardsOf; the dice game has none
 * @returns {Int8Array} one entry for each of the layout
 */
export function encode(position, viewer, fields, cards) {
  const last = fields.at(-1);
  const seen = new Int8Array(last.offset + last.size);
  const look = kindOf(position.ruleset).look(position, viewer, cards);
  for (const { name, offset, size } of fields) {
    const entries = look(name);
    if (entries === undefined) throw new Error(`field ${name} of the observation is not known`);
    if (entries.length !== size) throw new Error(`${name} has ${entries.length} entries: ${size}`);
    seen.set(entries, offset);
  }
  return seen;
}

/**
 * The text of the move that an action is in a position, null where it cannot be one. Whether it is
 * legal is for others to say: ask `legal`.
 * @param {string} name an entry of the metadata `actions`
 */
export function moveText(name, position) {
  return kindOf(position.ruleset).moveText(name, position);
}

/**
 * Indices of the actions that some legal moves are.
 * @param {string[]} actions the metadata's
 * @param {object} position from readPosition
 * @param {string[]} legal the texts of its legal moves
 * @returns {number[]} one for each move, in their order
 */
export function actionsOf(actions, position, legal) {
  const found = new Map();
  actions.forEach((name, index) => {
    const text = moveText(name, position);
    // Pawns that stand alike are one move: the first of its names is the action.
    if (text !== null && !found.has(text)) found.set(text, index);
  });
  return legal.map((text) => {
    if (!found.has(text)) throw new Error(`no action is the move ${text}`);
    return found.get(text);
  });
}
