// Talking to the server: requests over HTTP, and a game's live line over WebSocket.
// All addresses are relative to the page's own, so that the page works below any path prefix.

/** A refusal of the server, or a line that broke; code as in the server's errors. */
export class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refusal("offline", "The server does not answer. Is `sorry serve` still running?");
  }
  const text = await answer.text();
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    if (answer.ok) return text;
  }
  if (!answer.ok) throw new Refusal(body?.code ?? "failed", body?.message ?? `error ${answer.status}`);
  return body;
}

export const get = (path) => ask(path);

export function post(path, body, type = "application/json") {
  const data = typeof body === "string" ? body : JSON.stringify(body);
  return ask(path, { method: "POST", headers: { "content-type": type }, body: data });
}

const kept = new Map();

/** A request whose answer does not change while the server runs, asked once. */
export function getOnce(path) {
  if (!kept.has(path)) {
    const answer = get(path);
    answer.catch(() => kept.delete(path));
    kept.set(path, answer);
  }
  return kept.get(path);
}

export const rulesets = async () => (await getOnce("api/rulesets")).rulesets;
export const bots = async () => (await getOnce("api/bots")).bots;

const WAITS = [300, 700, 1500, 3000, 5000];
const PING_MS = 20000;

/** The live line of one game. It joins again by itself when it breaks. */
export class Line {
  #waiting = new Map();
  #next = 1;
  #tries = 0;
  #closed = false;

  /**
   * game, secrets: what to join, and as whom
   * onmessage:     called with each message that answers no request
   * onlink:        called with true and false as the line comes and goes
   * onrefused:     called with a Refusal when the server will not let us in
   */
  constructor(game, secrets, { onmessage, onlink, onrefused }) {
    Object.assign(this, { game, secrets, onmessage, onlink, onrefused });
    this.#open();
  }

  #open() {
    const address = new URL(`api/games/${this.game}/ws`, document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    this.joined = false;
    socket.onopen = () => socket.send(JSON.stringify({ type: "join", secrets: this.secrets }));
    socket.onmessage = (event) => this.#read(JSON.parse(event.data));
    socket.onclose = () => this.#lost(socket);
    this.ping ??= setInterval(() => this.joined && this.#send({ type: "ping" }), PING_MS);
  }

  #send(message) {
    this.socket.send(JSON.stringify(message));
  }

  #read(message) {
    if (message.type === "pong") return;
    const asked = this.#waiting.get(message.id);
    if (asked) {
      this.#waiting.delete(message.id);
      if (message.type === "error") asked.fail(new Refusal(message.code, message.message));
      else asked.done(message);
      return;
    }
    if (message.type === "error" && !this.joined) {
      this.close();
      this.onrefused(new Refusal(message.code, message.message));
      return;
    }
    if (message.type === "welcome") {
      this.joined = true;
      this.#tries = 0;
      this.onlink(true);
    }
    this.onmessage(message);
  }

  #lost(socket) {
    if (socket !== this.socket) return;
    this.joined = false;
    for (const { fail } of this.#waiting.values()) fail(new Refusal("offline", "The line broke; trying again."));
    this.#waiting.clear();
    if (this.#closed) return;
    this.onlink(false);
    const wait = WAITS[Math.min(this.#tries++, WAITS.length - 1)];
    this.again = setTimeout(() => this.#open(), wait);
  }

  /** Send a request; its answer, or a Refusal. */
  ask(message) {
    if (!this.joined) return Promise.reject(new Refusal("offline", "Not connected; trying again."));
    const id = this.#next++;
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail });
      this.#send({ ...message, id });
    });
  }

  close() {
    this.#closed = true;
    clearTimeout(this.again);
    clearInterval(this.ping);
    this.socket.close();
  }
}
