// A game's links and its menu: who may sit where, who watches, giving up.

import { h, put, toast } from "./dom.js";
import { like, setLike } from "./prefs.js";
import { askBox, showBox } from "./tabs.js";
import { seatWords } from "./words.js";

const address = (path) => `${location.origin}${location.pathname}#${path}`;

/** The link of a seat, or without secrets of a watcher. */
export const gameLink = (game, secrets = []) =>
  `/game/${game}${secrets.length ? `/${secrets.join(",")}` : ""}`;

let made = null; // the game that was just made here

/** Remember the links for seats of other people: the one who made the game hands them out. */
export function keepInvites(game, secrets) {
  made = game;
  const all = Object.entries({ ...like("invites"), [game]: secrets });
  setLike("invites", Object.fromEntries(all.slice(-100)));
}

/** Those of a game; the rounds of a match have the first one's name, a number behind it, and secrets. */
const invitesOf = (game) => (like("invites") ?? {})[game.split("-")[0]] ?? {};

function linkRow(title, path) {
  const field = h("input", { class: "link", readonly: true, value: address(path), "aria-label": `${title}: link`, onfocus: () => field.select() });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      toast("Link copied.");
    } catch {
      field.select(); // without leave to copy, the person copies what is selected
      toast("Press Ctrl+C to copy the link.");
    }
  };
  return h("div", { class: "link-row" }, h("b", {}, title), field, h("button", { onclick: copy }, "Copy"));
}

/** The links of a game, one for each seat of somebody else and one to watch. */
export function links(game) {
  return h(
    "div",
    { class: "links" },
    Object.entries(invitesOf(game)).map(([seat, secret]) =>
      linkRow(`Play ${seatWords(seat)}`, gameLink(game, [secret])),
    ),
    linkRow("Watch", gameLink(game)),
  );
}

/** Show the links once to whoever has just made a game in which other people sit. */
export function inviteIfNew(game) {
  if (made !== game) return;
  made = null;
  if (!Object.keys(invitesOf(game)).length) return;
  showBox("Invite the others", h("p", {}, "Each seat has a link of its own. Whoever has it plays there, from any browser that reaches this server."), links(game));
}

/** What the Game tab holds: the rules in a line, links, giving up. */
export function sharing(game) {
  const { facts, name } = game;
  const node = h("div", { class: "game-tab" });
  const resign = async (seat) => {
    const sure = await askBox(`Resign${game.state?.match ? " the whole match" : ""} for ${seatWords(seat)}?`, [["Resign", true, "primary"], ["Play on", false]]);
    if (sure) await game.request({ type: "resign", seat });
  };
  const end = async () => {
    const sure = await askBox("End this game for everybody?", [["End it", true, "primary"], ["Go on", false]]);
    if (sure) await game.request({ type: "end" });
  };
  put(
    node,
    h("p", {}, h("b", {}, name || facts.name), name ? ` ${facts.name}` : "", h("br", {}), h("span", { class: "muted" }, facts.words)),
    links(game.game),
    h(
      "div",
      { class: "buttons" },
      game.you.map((seat) => h("button", { class: "quiet", onclick: () => resign(seat) }, game.you.length > 1 ? `Resign ${seatWords(seat)}` : "Resign")),
      game.owner && !game.you.length ? h("button", { class: "quiet", onclick: end }, "End the game") : null,
    ),
  );
  return node;
}
