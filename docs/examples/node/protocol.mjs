// A bot of sorry_env as a child process: bot protocol 1, one JSON object a line (docs/protocol.md).
// Only Node's standard library. Read this file first, then play.mjs or position.mjs.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export const PROTOCOL = 1;

export class Bot {
  /**
   * Start `sorry bot NAME --stdio`.
   * @param {string} name a bot's name, such as greedy or learned:bot.onnx
   * @param {{seed?: number, command?: string}} [options] seed: of the bot and of the draws;
   *   command: the program, where it is not `sorry`
   */
  constructor(name, { seed, command = "sorry" } = {}) {
    const more = seed === undefined ? [] : ["--seed", String(seed)];
    this.waiting = []; // answers come in the order of the requests
    this.over = null; // why it cannot be asked any more
    this.count = 0;
    this.process = spawn(command, ["bot", name, "--stdio", ...more], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    createInterface({ input: this.process.stdout }).on("line", (line) => this.#answered(line));
    this.ended = new Promise((resolve) => {
      this.process.on("error", (error) => resolve(`cannot be started: ${error.message}`));
      this.process.on("close", (status) => resolve(`ended with status ${status}`));
    });
    this.process.stdin.on("error", () => {}); // a write to a program that has ended: told below
    this.ended.then((how) => {
      this.over = new Error(`${command} ${how}`);
      for (const { reject } of this.waiting.splice(0)) reject(this.over);
    });
  }

  /**
   * The answer to a request; requests may be sent before earlier ones are answered.
   * @param {string} type hello, legal, move, apply or draw
   * @param {object} [fields] what else the request says
   * @returns {Promise<object>} rejected with the message where the answer is an error
   */
  ask(type, fields = {}) {
    if (this.over) return Promise.reject(this.over);
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.waiting.push({ id, resolve, reject });
      this.process.stdin.write(JSON.stringify({ id, type, ...fields }) + "\n");
    });
  }

  /** Begin a conversation: the answer to hello, refused where it speaks another protocol. */
  async hello() {
    const answer = await this.ask("hello");
    if (answer.protocol !== PROTOCOL) throw new Error(`protocol ${answer.protocol} is not known`);
    return answer;
  }

  /** End the input, and so the program; resolves when it has ended. */
  async close() {
    this.process.stdin.end();
    await this.ended;
  }

  #answered(line) {
    const { id, resolve, reject } = this.waiting.shift() ?? {};
    if (id === undefined) return; // nobody asked
    let answer;
    try {
      answer = JSON.parse(line);
    } catch (error) {
      return reject(new Error(`an answer that is no JSON: ${error.message}`));
    }
    if (answer.id !== id) reject(new Error(`an answer to ${answer.id} where ${id} was asked`));
    else if (answer.type === "error") reject(new Error(`${answer.code}: ${answer.message}`));
    else resolve(answer);
  }
}
