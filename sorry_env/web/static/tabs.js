// Tabs beside the board, as the pattern for them says: arrow keys go from tab to tab.

import { h, put } from "./dom.js";

let made = 0;

/** Tabs from [id, title, node] lists. onopen: called with the id of the tab that was opened */
export class Tabs {
  constructor(tabs, open, onopen = () => {}) {
    const group = ++made;
    this.onopen = onopen;
    this.buttons = new Map();
    this.panels = new Map();
    const bar = h("div", { class: "tab-bar", role: "tablist", onkeydown: (event) => this.#walk(event) });
    this.node = h("div", { class: "tabs" }, bar);
    for (const [id, title, node] of tabs) {
      const ids = { tab: `tab-${group}-${id}`, panel: `panel-${group}-${id}` };
      const button = h(
        "button",
        { role: "tab", id: ids.tab, "aria-controls": ids.panel, "data-tab": id, onclick: () => this.open(id) },
        title,
      );
      const panel = h("div", { role: "tabpanel", class: "tab-panel", id: ids.panel, "aria-labelledby": ids.tab }, node);
      bar.append(button);
      this.node.append(panel);
      this.buttons.set(id, button);
      this.panels.set(id, panel);
    }
    this.open(this.buttons.has(open) ? open : tabs[0][0], true);
  }

  open(id, quiet = false) {
    this.current = id;
    for (const [one, button] of this.buttons) {
      const here = one === id;
      button.setAttribute("aria-selected", String(here));
      button.tabIndex = here ? 0 : -1;
      this.panels.get(one).hidden = !here;
    }
    if (!quiet) this.onopen(id);
  }

  /** Take a tab away, or give it back. */
  allow(id, allowed) {
    this.buttons.get(id).hidden = !allowed;
    if (!allowed && this.current === id) this.open([...this.buttons.keys()].find((one) => one !== id));
  }

  #walk(event) {
    const ahead = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!ahead) return;
    const ids = [...this.buttons.keys()].filter((id) => !this.buttons.get(id).hidden);
    const id = ids[(ids.indexOf(this.current) + ahead + ids.length) % ids.length];
    this.open(id);
    this.buttons.get(id).focus();
    event.preventDefault();
  }
}

/** A message in a box over the page with buttons [words, value]; resolves with the value chosen. */
export function askBox(words, buttons) {
  return new Promise((done) => {
    const box = h(
      "dialog",
      { class: "box", "aria-label": words, oncancel: () => finish(null) },
      h("p", {}, words),
      h(
        "div",
        { class: "buttons" },
        buttons.map(([title, value, kind]) => h("button", { class: kind ?? null, onclick: () => finish(value) }, title)),
      ),
    );
    const finish = (value) => {
      box.remove();
      done(value);
    };
    document.body.append(box);
    box.showModal();
  });
}

/** A box of any content with a button that closes it. */
export function showBox(title, ...content) {
  const box = h("dialog", { class: "box wide", "aria-label": title, onclose: () => box.remove() });
  put(box, h("h2", {}, title), content, h("div", { class: "buttons" }, h("button", { class: "primary", onclick: () => box.close() }, "Close")));
  document.body.append(box);
  box.showModal();
}
