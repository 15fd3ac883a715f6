// The list of games on this server, newest first: to go on, to watch, to replay, to save.

import { get } from "./api.js";
import { h, put, toast } from "./dom.js";
import { pawnIcon } from "./pictures.js";
import { secretsOf } from "./prefs.js";
import { gameLink } from "./share.js";
import { ago, listed, seatWords } from "./words.js";

const PAGE = 30;

export class Games {
  constructor(host) {
    this.list = h("ul", { class: "games" });
    this.more = h("button", { hidden: true, onclick: () => this.#load() }, "Older games");
    this.shown = 0;
    put(host, h("section", { class: "page", "aria-label": "Games" }, h("h1", {}, "Games"), this.list, this.more));
    this.#load();
  }

  close() {
    this.closed = true;
  }

  async #load() {
    try {
      const { games, total } = await get(`api/games?offset=${this.shown}&limit=${PAGE}`);
      if (this.closed) return;
      this.shown += games.length;
      this.list.append(...games.map(gameRow));
      this.more.hidden = this.shown >= total;
      if (!total) put(this.list, h("li", { class: "muted empty" }, "No games yet. ", h("a", { href: "#/" }, "Play the first one.")));
    } catch (error) {
      toast(error.message, true);
    }
  }
}

function gameRow(game) {
  const secrets = secretsOf(game.game);
  const seats = game.seats.map((seat) => {
    const who = game.players[seat] ?? "";
    return h("span", { class: "game-player" }, /^\d/.test(seat) ? h("b", {}, seat) : pawnIcon(seat, seatWords(seat)), who);
  });
  const ended = game.over ? endWords(game) : "going on";
  return h(
    "li",
    { class: "game-row" },
    h(
      "div",
      { class: "game-about" },
      h("b", {}, game.name || game.ruleset),
      game.target_score ? h("span", {}, ` · round ${game.round} to ${game.target_score} points`) : null,
      h("span", { class: "muted" }, ` ${game.plies} moves · ${ended} · ${ago(game.updated)}`),
    ),
    h("div", { class: "game-players" }, seats),
    h(
      "div",
      { class: "buttons" },
      game.over
        ? [
            h("a", { class: "button", href: `#/replay/${game.game}` }, "Replay"),
            h("a", { class: "button quiet", href: `api/games/${game.game}/record`, download: `${game.game}.jsonl` }, "Save"),
          ]
        : h("a", { class: "button", href: `#${gameLink(game.game, secrets)}` }, secrets.length ? "Go on" : "Watch"),
    ),
  );
}

function endWords(game) {
  if (!game.winners.length) return game.result ?? "ended";
  const names = listed(game.winners.map(seatWords));
  return `${names} won${game.result === "resigned" ? " by resignation" : ""}`;
}
