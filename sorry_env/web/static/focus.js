// Who chooses by keyboard goes on where they were, though what they chose from is drawn anew.

/** Focus in a `node` some of whose `regions` hold choices, those to go to first in front. */
export class KeptFocus {
  #regions;
  #keyed = false;
  #last = null;

  constructor(node, regions) {
    this.#regions = regions;
    node.addEventListener("keydown", () => (this.#keyed = true));
    node.addEventListener("pointerdown", () => (this.#keyed = false));
    node.addEventListener("focusin", (event) => {
      this.#last = regions.find((region) => region.contains(event.target)) ?? null;
    });
  }

  /** To the first choice of the region where the focus was, or else of the others. */
  restore() {
    if (!this.#keyed || document.activeElement !== document.body) return;
    for (const region of [this.#last, ...this.#regions]) {
      const first = region?.querySelector(".pick.target, .pick, button:not(:disabled)");
      if (first) {
        first.focus({ preventScroll: true });
        return;
      }
    }
  }
}
