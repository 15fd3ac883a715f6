// A trained bot out of its .onnx file, evaluated here by onnxruntime-node.
//
// There are two kinds (docs/formats.md): a policy has logits for the actions of a position and plays
// the greatest legal one; a value says what the position after a move is worth to who made it, and
// its bot goes to the best. Legal moves and positions after a move are asked of the protocol. Read
// position.mjs before and choose.mjs after this file.

import { readFile } from "node:fs/promises";

import ort from "onnxruntime-node";

import { actionsOf, cardsOf, encode, readPosition } from "./position.mjs";

const METADATA = 14; // the number of ModelProto.metadata_props in onnx.proto

/** Fields of a protocol buffer message: [number, value], the value a BigInt or bytes. */
function* fields(bytes) {
  let at = 0;
  const number = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = number();
    const kind = Number(tag & 7n);
    if (kind === 0) yield [Number(tag >> 3n), number()];
    else if (kind === 2) {
      const size = Number(number());
      yield [Number(tag >> 3n), bytes.subarray(at, at + size)];
      at += size;
    } else at += kind === 1 ? 8 : 4;
  }
}

/** The metadata of an .onnx file, which onnxruntime-node does not tell: texts by key. */
export function readMetadata(bytes) {
  const found = {};
  for (const [number, entry] of fields(bytes)) {
    if (number !== METADATA) continue;
    const { 1: key, 2: value } = Object.fromEntries(fields(entry));
    found[Buffer.from(key).toString()] = Buffer.from(value ?? "").toString();
  }
  return found;
}

export class Model {
  /** The bot in a file; an Error where it is none that this program knows. */
  static async load(path) {
    const bytes = await readFile(path);
    const metadata = readMetadata(bytes);
    for (const key of ["sorry_env.format", "observation_version"])
      if (metadata[key] !== "1") throw new Error(`${path}: ${key} is ${metadata[key]}, not 1`);
    const session = await ort.InferenceSession.create(bytes, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    });
    return new Model(session, metadata);
  }

  constructor(session, metadata) {
    this.session = session;
    this.metadata = metadata;
    this.isPolicy = session.inputNames.includes("mask");
    this.actions = JSON.parse(metadata.actions);
    this.fields = JSON.parse(metadata.observation);
    this.cards = cardsOf(this.actions);
  }

  /**
   * What the legal moves of a position are worth to the bot, in their order: logits or values.
   * @param {import("./protocol.mjs").Bot} rules any bot that knows the ruleset
   * @param {string} line the position
   * @returns {Promise<{moves: string[], worth: Float32Array}>}
   */
  async judge(rules, line) {
    const position = readPosition(line);
    if (position.ruleset !== this.metadata.ruleset)
      throw new Error(`it plays ${this.metadata.ruleset}, not ${position.ruleset}`);
    const { moves } = await rules.ask("legal", { position: line });
    if (!moves.length) throw new Error(`nothing is to decide: ${line}`);
    const worth = this.isPolicy
      ? await this.#logits(position, moves)
      : await this.#values(rules, line, position.actor, moves);
    return { moves, worth };
  }

  async #logits(position, moves) {
    const legal = actionsOf(this.actions, position, moves);
    const mask = new Uint8Array(this.actions.length);
    for (const action of legal) mask[action] = 1;
    const { logits } = await this.session.run({
      observation: this.#observations([encode(position, position.actor, this.fields, this.cards)]),
      mask: new ort.Tensor("bool", mask, [1, mask.length]),
    });
    return Float32Array.from(legal, (action) => logits.data[action]);
  }

  async #values(rules, line, seat, moves) {
    const after = await Promise.all(
      moves.map((move) => rules.ask("apply", { position: line, move })),
    );
    const seen = after.map(({ position }) =>
      encode(readPosition(position), seat, this.fields, this.cards),
    );
    const { value } = await this.session.run({ observation: this.#observations(seen) });
    return value.data;
  }

  #observations(rows) {
    const data = new Int8Array(rows.length * rows[0].length);
    rows.forEach((row, index) => data.set(row, index * row.length));
    return new ort.Tensor("int8", data, [rows.length, rows[0].length]);
  }
}
