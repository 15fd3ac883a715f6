// A whole game over standard input and output: Red is this program, Yellow a bot of sorry_env.
//
//   node play.mjs [--bot greedy] [--seed 1] [--position LINE] [--sorry sorry]
//
// No rules are needed here: the child process draws, lists and plays the moves. This side's player
// takes a random legal move; put your own into `choose`. Only Node's standard library.

import { parseArgs } from "node:util";

import { Bot } from "./protocol.mjs";

const FIRST =
  "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move ? 5.4.4.4.4.4.4.4.4.4.4 - -";
const MOST = 5000; // decisions: far more than a game has

const { values: options } = parseArgs({
  options: {
    bot: { type: "string", default: "greedy" },
    seed: { type: "string", default: "1" },
    position: { type: "string", default: FIRST },
    sorry: { type: "string", default: "sorry" },
  },
});

/** This side's player: one of the legal moves. */
function choose(moves, random) {
  return moves[Math.floor(random() * moves.length)];
}

/** A field of a position's line. */
function field(position, name) {
  const fields = position.split(" ");
  if (fields.length !== 8) throw new Error(`a position has eight fields: ${position}`);
  return fields[["ruleset", "pawns", "turn", "phase", "card"].indexOf(name)];
}

/** Whether a card must be drawn, or a coin answers a question (in not-sorry). */
function chanceIsNext(position) {
  const coin = !field(position, "ruleset").includes("answers=player");
  return field(position, "card") === "?" || (field(position, "phase") === "answer" && coin);
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32), so that games can be played again. */
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const seed = Number(options.seed);
const random = numbers(seed);
const bot = new Bot(options.bot, { seed, command: options.sorry });
try {
  const { name } = await bot.hello();
  let position = options.position;
  let plies = 0;
  for (; plies < MOST; plies++) {
    if (field(position, "phase") === "over") break;
    if (chanceIsNext(position)) ({ position } = await bot.ask("draw", { position }));
    const [turn, card] = [field(position, "turn"), field(position, "card")];
    const seat = turn.at(-1); // r, or in r>y the one that decides, y
    const move =
      seat === "r"
        ? choose((await bot.ask("legal", { position })).moves, random)
        : (await bot.ask("move", { position, time_ms: 1000 })).move;
    console.log(`${String(plies + 1).padStart(3)}  ${seat} ${card.padEnd(2)}  ${move}`);
    ({ position } = await bot.ask("apply", { position, move }));
  }
  const winner = /winner=(\w+)/.exec(position)?.[1];
  if (winner === undefined) throw new Error(`no winner after ${plies} decisions: ${position}`);
  console.log(position);
  console.log(`${winner} wins after ${plies} decisions (r: node, others: ${name})`);
} catch (error) {
  console.error(`play.mjs: ${error.message}`);
  process.exitCode = 1;
} finally {
  await bot.close();
}
