// Movement in time: one clock for everything that moves on a board, which can be hurried to its end.

/** Whether the person asked their system for less movement. */
export const wantsCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const ease = (t) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);

/** Runs movements; `finish()` ends those that run at their last picture. */
export class Clock {
  #running = new Set();

  /** Call `paint(0 ... 1)` until so many milliseconds are over; resolves after `paint(1)`. */
  run(ms, paint) {
    if (ms <= 0 || document.hidden) {
      paint(1);
      return Promise.resolve();
    }
    return new Promise((done) => {
      const begin = performance.now();
      const one = { frame: 0, timer: 0 };
      const end = () => {
        cancelAnimationFrame(one.frame);
        clearTimeout(one.timer);
        this.#running.delete(end);
        paint(1);
        done();
      };
      const step = (now) => {
        const t = (now - begin) / ms;
        if (t >= 1) return end();
        paint(ease(Math.max(0, t)));
        one.frame = requestAnimationFrame(step);
      };
      this.#running.add(end);
      one.frame = requestAnimationFrame(step);
      // A tab in the background gets no frames; the game must not wait for them.
      one.timer = setTimeout(end, ms + 400);
    });
  }

  /** End what runs, now. */
  finish() {
    for (const end of [...this.#running]) end();
  }
}
