// The board of the track games: pawns that move, marks, and places that can be chosen.
//
// It shows what the server's states and events say and knows no rules. Choosing works by mouse,
// touch and keyboard: each place that can be chosen is a button with a name of its own.
// Read `ground.js` and `tween.js` before and `centre.js` after this file.

import { Centre } from "./centre.js";
import { h, put, s } from "./dom.js";
import { areaOf, gridLayout, pointOf } from "./geometry.js";
import { drawGround } from "./ground.js";
import { leafLayout } from "./leaf.js";
import { pawn, TOKENS } from "./pictures.js";
import { colourIndex, isHome, isOuter, isStart } from "./squares.js";
import { Clock } from "./tween.js";

const VIEW = "-0.5 -0.5 17 17";
// How long a flight takes, and a slide, in steps of a pawn.
const FLIGHT = 3;
const SLIDE = 2.2;

export class Board {
  /**
   * host:     the element to draw into
   * facts:    the ruleset's facts
   * quarters: how far the board is turned
   */
  constructor(host, facts, quarters = 0) {
    this.facts = facts;
    this.clock = new Clock();
    this.pawns = [];
    this.tokens = {};
    this.layers = {};
    this.host = host;
    this.turnTo(quarters);
  }

  /** Draw the whole board anew, turned by so many quarters. */
  turnTo(quarters) {
    this.quarters = quarters & 3;
    this.layout = (this.facts.turbo ? leafLayout : gridLayout)(this.facts, this.quarters);
    for (const name of ["marks", "reach", "pawns", "picks"]) {
      this.layers[name] = s("g", { class: name });
    }
    this.centre = new Centre(this.facts);
    const { marks, reach, pawns, picks } = this.layers;
    this.svg = s(
      "svg",
      { class: "board", viewBox: VIEW, role: "group", "aria-label": "Board" },
      drawGround(this.layout, this.quarters, this.facts.start_name),
      this.centre.node,
      marks,
      reach,
      pawns,
      picks,
    );
    put(this.host, this.svg);
    if (this.state) this.show(this.state);
  }

  // -- showing ------------------------------------------------------------------------------

  /** Put everything where a state has it, at once. */
  show(state) {
    this.clock.finish();
    this.state = state;
    this.pawns = [];
    for (const seat of state.seats) {
      for (const place of state.pawns[seat]) {
        const one = { seat, place: null, node: pawn(seat) };
        this.#stand(one, place);
        this.pawns.push(one);
      }
    }
    this.#carry(state);
    put(this.layers.pawns, this.pawns.map((one) => one.node));
    this.centre.show(state, this.played);
  }

  /** The squares of the last move. */
  mark(places) {
    put(
      this.layers.marks,
      places.filter((place) => !isStart(place) && !isHome(place)).map((place) => this.#patch(place, "last")),
    );
  }

  #patch(place, kind) {
    const area = areaOf(this.layout, place);
    if (!area.corners) return s("circle", { class: kind, cx: area.at[0], cy: area.at[1], r: area.r });
    return s("polygon", { class: kind, points: area.corners.map((c) => c.join(",")).join(" ") });
  }

  /** Stand a pawn on a place, in the first free spot of a nest. */
  #stand(one, place) {
    one.place = null;
    one.slot = isOuter(place) ? 0 : this.#freeSlot(one.seat, place);
    one.place = place;
    this.#put(one, pointOf(this.layout, place, one.slot));
  }

  #freeSlot(seat, place) {
    const taken = this.pawns.filter((p) => p.seat === seat && p.place === place).map((p) => p.slot);
    return [0, 1, 2, 3].find((slot) => !taken.includes(slot)) ?? 0;
  }

  #put(one, [x, y]) {
    one.at = [x, y];
    one.node.setAttribute("transform", `translate(${x.toFixed(3)} ${y.toFixed(3)})`);
  }

  /** The tokens and moods of a state, on their pawns. */
  #carry(state) {
    for (const one of this.pawns) one.node.querySelector(".tokens")?.remove();
    const put = (name, seat, place, side) => {
      const one = this.pawns.find((p) => p.seat === seat && p.place === place);
      if (!one) return;
      let group = one.node.querySelector(".tokens");
      if (!group) one.node.append((group = s("g", { class: "tokens" })));
      group.append(s("g", { transform: `translate(0.3 ${side * 0.26})` }, TOKENS[name](0.27)));
    };
    for (const [name, side] of [["fire", -1], ["ice", 1]]) {
      const token = state[name];
      if (token?.square) put(name, token.seat, token.square, side);
    }
    for (const { seat, square } of state.happy ?? []) put("happy", seat, square, -1);
    for (const { seat, square } of state.punished ?? []) put("punished", seat, square, 1);
  }

  // -- moving -------------------------------------------------------------------------------

  /** Show events one after the other; step: milliseconds a pawn takes for a square. */
  async play(events, step) {
    this.lend(null);
    this.look([]);
    for (const group of grouped(events)) {
      await Promise.all(group.map((event) => this.#playOne(event, step)));
    }
  }

  #find(seat, place) {
    return this.pawns.find((one) => one.seat === seat && one.place === place);
  }

  async #playOne(event, step) {
    if (event.type === "fire" || event.type === "ice") {
      this.#carry({ ...this.state, [event.type]: event.square ? event : null });
      return;
    }
    if (event.type === "switch") {
      const [one, other] = [this.#find(event.seat, event.from), this.#find(event.other, event.at)];
      await Promise.all([
        this.#fly(one, event.at, FLIGHT * 1.4 * step), this.#fly(other, event.from, FLIGHT * 1.4 * step),
      ]);
      return;
    }
    const one = this.#find(event.seat, event.from);
    if (!one) return;
    this.layers.pawns.append(one.node); // in front of those it jumps
    if (event.type === "step" || event.type === "turbo") {
      await this.#walk(one, event.path, event.type === "turbo" ? step / 3 : step);
    } else if (event.type === "slide") {
      await this.#glide(one, event.path.at(-1), SLIDE * step);
    } else if (event.to) {
      await this.#fly(one, event.to, FLIGHT * step);
    }
  }

  async #walk(one, path, step) {
    for (const place of path) {
      const from = one.at;
      const to = pointOf(this.layout, place, isOuter(place) ? 0 : this.#freeSlot(one.seat, place));
      await this.clock.run(step, (t) => {
        const lift = Math.sin(Math.PI * t) * 0.16;
        this.#put(one, [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t - lift]);
      });
    }
    this.#stand(one, path.at(-1));
  }

  async #glide(one, place, ms) {
    const [from, to] = [one.at, pointOf(this.layout, place)];
    await this.clock.run(ms, (t) =>
      this.#put(one, [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t]),
    );
    this.#stand(one, place);
  }

  /** Straight through the air, in a low arc. */
  async #fly(one, place, ms) {
    if (!one) return;
    const from = one.at;
    one.place = null;
    const slot = isOuter(place) ? 0 : this.#freeSlot(one.seat, place);
    // The spot is taken from now on: another pawn may be on its way to the same nest.
    [one.place, one.slot] = [place, slot];
    const to = pointOf(this.layout, place, slot);
    const high = Math.min(1.6, Math.hypot(to[0] - from[0], to[1] - from[1]) / 5);
    await this.clock.run(ms, (t) => {
      const lift = Math.sin(Math.PI * t) * high;
      this.#put(one, [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t - lift]);
    });
    this.#put(one, to);
  }

  // -- choosing -----------------------------------------------------------------------------

  /**
   * Offer places: { place, kind, label, badge }, kind `pawn`, `target` or `chosen`.
   *
   * onpick is called with the place.
   */
  choose(spots, onpick) {
    const focused = document.activeElement?.closest?.(".pick")?.getAttribute("data-place");
    const nodes = spots.map((spot) => this.#spot(spot, onpick));
    put(this.layers.picks, nodes);
    if (!focused) return;
    // Who chooses by keyboard goes on from here.
    const of = (kind) => nodes.find((node) => node.classList.contains(kind));
    const again = nodes.find((node) => node.getAttribute("data-place") === focused);
    (of("target") ?? again ?? nodes[0])?.focus({ preventScroll: true });
  }

  /** Show where something goes, without offering it: hint spots, [] for nothing. */
  look(spots) {
    put(this.layers.reach, spots.map((spot) => this.#patch(spot.place, "reach")));
  }

  /** Stand the pawn of a split's first part where it goes; null puts it back. */
  lend(part) {
    if (this.lent && this.pawns.includes(this.lent.one)) {
      this.lent.one.node.classList.remove("lent");
      this.#stand(this.lent.one, this.lent.home);
    }
    this.lent = null;
    const one = part && this.#find(part.seat, part.from);
    if (!one) return;
    this.lent = { one, home: part.from };
    this.layers.pawns.append(one.node);
    const place = part.rest ?? part.to;
    this.#put(one, pointOf(this.layout, place, isOuter(place) ? 0 : this.#freeSlot(one.seat, place)));
    one.node.classList.add("lent");
  }

  #spot({ place, kind, label, badge }, onpick) {
    const area = areaOf(this.layout, place);
    const [x, y] = area.at;
    const nest = !area.corners;
    const r = nest ? area.r : 0.46;
    const shapes = [s("circle", { class: "ring", r: nest ? r : 0.44 })];
    if (kind === "target") shapes.push(s("circle", { class: "dot", r: nest ? 0.34 : 0.17 }));
    if (badge) {
      shapes.push(s("circle", { class: "badge-back", cx: 0.32, cy: -0.32, r: 0.27 }));
      shapes.push(s("text", { class: "badge", x: 0.32, y: -0.31 }, badge));
    }
    shapes.push(s("circle", { class: "touch", r: Math.max(r, 0.55) }));
    const attributes = { class: `pick ${kind}`, transform: `translate(${x} ${y})`, "data-place": place };
    const act = (event) => {
      event.preventDefault();
      onpick(place);
    };
    return s(
      "g",
      {
        ...attributes,
        role: "button",
        tabindex: "0",
        "aria-label": label,
        "aria-pressed": kind === "chosen" ? "true" : null,
        onclick: act,
        onkeydown: (event) => {
          if (event.key === "Enter" || event.key === " ") act(event);
        },
      },
      shapes,
    );
  }
}

/** Events in groups that happen at once: bumps with each other and with what caused them. */
function grouped(events) {
  const groups = [];
  for (const event of events) {
    const last = groups.at(-1);
    const joins = event.type === "bump" && last && ["slide", "take", "bump"].includes(last[0].type);
    if (joins) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

/** The quarters to turn by, so that a seat's side is at the bottom; 0 for nobody's. */
export function quartersFor(seat) {
  const colour = colourIndex(seat ?? "");
  return colour < 0 ? 0 : (2 - colour) & 3;
}

/** A board's place in the page. */
export const boardHost = () => h("div", { class: "board-host" });
