// Small helpers to make elements. Nothing here writes HTML text: names and words of other people
// stay text, and the page's security policy needs no exceptions.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in PROPERTIES) node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

// Set as properties: as attributes they would only be the value that a reset goes back to.
const PROPERTIES = { value: 1, checked: 1, selected: 1 };

/** An HTML element: `h("button", { class: "x", onclick: play }, "Play")`. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element, made in the same way. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Put these children in place of what a node had; nulls are left out. */
export function put(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined));
  return node;
}

/** A labelled drop-down list; `options` are [value, words] pairs. */
export function choice(label, options, value, onchange, attributes = {}) {
  return h(
    "label",
    { class: "field" },
    h("span", {}, label),
    h(
      "select",
      { "aria-label": label, ...attributes, onchange: (event) => onchange(event.target.value) },
      options.map(([id, words]) => h("option", { value: id, selected: id === value }, words)),
    ),
  );
}

/** A labelled tick box. */
export function tick(label, checked, onchange, attributes = {}) {
  return h(
    "label",
    { class: "tick" },
    h("input", {
      ...attributes, type: "checkbox", checked, onchange: (e) => onchange(e.target.checked),
    }),
    h("span", {}, label),
  );
}

/** Wait so many milliseconds; at 0 do not wait at all. */
export function sleep(ms) {
  return ms > 0 ? new Promise((done) => setTimeout(done, ms)) : Promise.resolve();
}

/** Say something to people who hear the page. */
export function announce(words) {
  const region = document.getElementById("live");
  const line = h("p", {}, words);
  region.append(line);
  while (region.children.length > 6) region.firstChild.remove();
}

/** Show a short note at the bottom of the page for a few seconds. */
export function toast(words, bad = false) {
  const note = h("div", { class: bad ? "toast bad" : "toast" }, words);
  document.getElementById("toasts").append(note);
  announce(words);
  setTimeout(() => note.remove(), 5000);
}
