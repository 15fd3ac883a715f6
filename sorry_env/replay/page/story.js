// Steps through a game that lies in this page: no other file is needed.
"use strict";

const story = JSON.parse(document.getElementById("story").textContent);
const at = (id) => document.getElementById(id);
const last = story.frames.length - 1;
let now = 0;
let timer = null;

/** An element with a class and texts or other elements in it. */
function make(tag, kind, ...inside) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.append(...inside);
  return element;
}

const signed = (change) => {
  const number = story.unit === "chance" ? 100 * change : change;
  const text = Math.abs(number) < 0.05 ? "0.0" : `${number > 0 ? "+" : ""}${number.toFixed(1)}`;
  return `${text} ${story.unit === "chance" ? "%" : "steps"}`;
};
const value = (number) =>
  story.unit === "chance" ? `${(100 * number).toFixed(1)} %` : number.toFixed(1);
const grade = (change) => (change < -1e-9 ? "change bad" : change > 1e-9 ? "change good" : "change");

/** Who plays what in a frame, as spans. */
function told(frame) {
  const who = make("span", `who ${frame.tone}`, frame.who);
  if (!frame.move) return [who];
  return [who, frame.card ? ` (${frame.card})` : "", frame.still ? "" : ` ${frame.move}`];
}

function show(number, follow = true) {
  now = Math.min(Math.max(number, 0), last);
  const frame = story.frames[now];
  at("moving").innerHTML = frame.shapes.map((index) => story.elements[index]).join("");
  at("slider").value = now;
  at("slider").setAttribute("aria-valuetext", `${now + 1} of ${last + 1}: ${frame.words}`);
  at("caption").replaceChildren(
    make("span", "number", now < last ? `${now + 1}. ` : ""),
    ...(frame.move ? told(frame) : []),
    frame.move ? ": " : "",
    frame.words,
  );
  at("remark").textContent = remark(frame);
  showMoves(frame);
  at("cursor")?.setAttribute("transform", `translate(${story.left + (story.wide * now) / last} 0)`);
  for (const button of at("log").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
  const row = at("log").children[now];
  row.firstChild.setAttribute("aria-current", "step");
  if (follow) {
    const box = at("log");
    const high = row.offsetTop - box.offsetTop;
    if (high < box.scrollTop || high + row.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = high - box.clientHeight / 2;
  }
  for (const id of ["first", "back"]) at(id).disabled = now === 0;
  for (const id of ["last", "forward"]) at(id).disabled = now === last;
}

/** What the bot has to say of a decision. */
function remark(frame) {
  if (!frame.move || !story.bot) return "";
  const says = [];
  if (frame.luck != null) says.push(`The draw: ${signed(frame.luck)}.`);
  if (frame.legal === 1) says.push("The only move.");
  else if (frame.agrees) says.push("The bot would play this too.");
  else says.push(`The bot would play ${frame.bot.slice(0, 3).join(" or ")}.`);
  if (frame.legal > 1 && frame.decision != null && frame.decision < -1e-9)
    says.push(`The move: ${signed(frame.decision)}.`);
  return says.join(" ");
}

function showMoves(frame) {
  const table = at("moves");
  if (!table) return;
  const rows = (frame.values ?? []).slice(0, 12).map(([move, worth]) => {
    const mark = frame.bot.includes(move) ? " ★" : "";
    return make(
      "tr",
      move === frame.move ? "played" : "",
      make("td", "", move + mark),
      make("td", "", value(worth)),
      make("td", grade(worth - frame.values[0][1]), signed(worth - frame.values[0][1])),
    );
  });
  table.replaceChildren(...rows);
}

/** A line that leads to a decision. */
function entry(number, extra, ...inside) {
  const button = make("button", "", make("span", "number", `${number + 1}.`), ...inside);
  button.type = "button";
  if (extra) button.append(extra);
  button.addEventListener("click", () => {
    pause();
    show(number, false);
  });
  return make("li", "", button);
}

function showPlaying(on) {
  at("play").setAttribute("aria-label", on ? "Pause" : "Play");
  at("play").classList.toggle("on", on);
}

function pause() {
  clearTimeout(timer);
  timer = null;
  showPlaying(false);
}

function play() {
  if (now === last) show(0);
  showPlaying(true);
  const step = () => {
    show(now + 1);
    if (now === last) pause();
    else timer = setTimeout(step, wait());
  };
  timer = setTimeout(step, wait());
}

/** Passes take half the time. */
const wait = () => Number(at("speed").value) * (story.frames[now].still ? 0.5 : 1);

function go(number) {
  pause();
  show(number);
}

story.frames.forEach((frame, number) => {
  const change = frame.decision != null && frame.decision < -1e-9 ? frame.decision : null;
  const what = make("span", "what", ...(frame.move ? told(frame) : []), ` ${frame.words}`);
  if (frame.move && story.bot && frame.legal > 1 && !frame.agrees)
    what.append(make("span", "quiet", ` (bot: ${frame.bot[0]})`));
  at("log").append(
    entry(number, change == null ? null : make("span", grade(change), signed(change)), what),
  );
});
for (const [number, sign, words, change] of story.swings) {
  const frame = story.frames[number];
  const who = make("span", `who ${frame.tone}`, frame.who);
  const what = make("span", "what", `${sign} `, who, ` ${words}`);
  at("swings").append(entry(number, make("span", grade(change), signed(change)), what));
}

at("slider").max = last;
at("slider").addEventListener("input", (event) => go(Number(event.target.value)));
at("first").addEventListener("click", () => go(0));
at("back").addEventListener("click", () => go(now - 1));
at("forward").addEventListener("click", () => go(now + 1));
at("last").addEventListener("click", () => go(last));
at("play").addEventListener("click", () => (timer === null ? play() : pause()));
at("curve")?.addEventListener("click", (event) => {
  const box = at("curve").getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * story.width;
  go(Math.floor(((x - story.left) / story.wide) * last));
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
  const slider = event.target.id === "slider";
  if (event.key === " " && event.target.tagName !== "BUTTON") at("play").click();
  else if (slider) return; // it knows the arrows itself
  else if (event.key === "ArrowLeft") go(now - 1);
  else if (event.key === "ArrowRight") go(now + 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(last);
  else return;
  event.preventDefault();
});
show(0);
