// The moves of a trained bot, without Python's help in thinking: this program loads the .onnx file,
// writes positions as its observations and takes the move that is worth most.
//
//   node choose.mjs bot.onnx 'classic 23,8,rS,rS/-/yS,yS,yS,yS/- r move 4 5.4.4.3.4.4.4.4.4.4.4 - -'
//   node choose.mjs bot.onnx < positions.txt          (one a line)
//
// Prints one line of JSON for each position: the move, what it is worth (a policy's logit, or the
// value, from -1 to 1, of the position that it leads to), and all moves that are worth as much,
// among which sorry_env's own bot draws lots. The rules, legal moves and positions after a move,
// come from `sorry bot random --stdio` (or --sorry PROGRAM in its place). Needs `npm ci`.

import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

import { Model } from "./model.mjs";
import { Bot } from "./protocol.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { sorry: { type: "string", default: "sorry" } },
});
const [path, ...lines] = positionals;
if (path === undefined) {
  console.error("usage: node choose.mjs [--sorry PROGRAM] BOT.onnx [POSITION ...]");
  process.exit(2);
}

const rules = new Bot("random", { command: options.sorry });
try {
  const model = await Model.load(path);
  for await (const line of lines.length ? lines : createInterface({ input: process.stdin })) {
    const { moves, worth } = await model.judge(rules, line);
    const most = Math.max(...worth);
    const best = moves.filter((_, index) => worth[index] === most);
    console.log(JSON.stringify({ move: best[0], worth: most, best }));
  }
} catch (error) {
  console.error(`choose.mjs: ${error.message}`);
  process.exitCode = 1;
} finally {
  await rules.close();
}
