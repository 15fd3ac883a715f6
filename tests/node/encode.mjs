// For tests: one JSON object a line {position, viewer, fields, actions, legal} in, what
// docs/examples/node/position.mjs makes of it out.

import { createInterface } from "node:readline";

import { actionsOf, cardsOf, encode, readPosition } from "../../docs/examples/node/position.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const { position, viewer, fields, actions, legal } = JSON.parse(line);
  const read = readPosition(position);
  const observation = [...encode(read, viewer, fields, cardsOf(actions))];
  console.log(JSON.stringify({ observation, actions: actionsOf(actions, read, legal) }));
}
