// The page begins here: which screen the address asks for.
//
//   #/                    a new game                            setup.js
//   #/game/ID/SECRETS     playing; without secrets watching     game.js, screen.js
//   #/games               the list of games                     games.js
//   #/replay  #/replay/ID replaying a file, a game              replay.js, chart.js
//
// What the screens are made of:
//
//   api.js        requests and the live line          dom.js       making elements
//   picker.js     narrowing legal moves by clicks     words.js     names and places in words
//   board.js      the board: pawns, marks, choices    squares.js   names of squares
//   geometry.js, leaf.js, ground.js                   where things lie, the empty board
//   centre.js     pile and card                       hand.js      cards of a hand, covered
//   dice.js       the table of the dice game          pictures.js  pawns, tokens, icons
//   players.js    players, the bar of chances         lists.js     moves, log, a bot's values
//   analysis.js   a bot's opinion                     share.js     links
//   tabs.js       tabs and boxes                      tween.js     movement
//   prefs.js      what a person likes

import { h, put } from "./dom.js";
import { Game } from "./game.js";
import { Games } from "./games.js";
import { Replay } from "./replay.js";
import { Setup } from "./setup.js";

const host = document.getElementById("main");
let screen = null;

function makeScreen(parts) {
  const [name, id, more] = parts;
  if (name === "game" && id) {
    const secrets = more ? more.split(",").map(decodeURIComponent) : [];
    const game = new Game(host, id, secrets);
    game.onrefused = (error) => lost(error.message);
    return game;
  }
  if (name === "games") return new Games(host);
  if (name === "replay") return new Replay(host, id ?? null);
  if (!name) return new Setup(host);
  lost("There is no such page.");
  return null;
}

function lost(words) {
  put(
    host,
    h("section", { class: "page" }, h("h1", {}, "Not here"), h("p", {}, words), h("a", { class: "button primary", href: "#/" }, "New game")),
  );
}

function open() {
  screen?.close();
  document.querySelectorAll("dialog").forEach((box) => box.remove());
  put(host);
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean);
  const here = parts[0] ?? "";
  for (const link of document.querySelectorAll("nav a")) {
    const target = link.getAttribute("href").replace(/^#\//, "");
    if (target === here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  screen = makeScreen(parts);
}

document.getElementById("skip").addEventListener("click", () => host.focus());
addEventListener("hashchange", open);
open();
