"""Speed of the batch engine beside OpenSpiel's nearest relative, measured in one run.

    python benchmarks/engine.py [--size 1024] [--seconds 1.0] [--repeats 5]

Decisions a second of one thread, by CPU time (other work on the machine then disturbs least); the
median of the repeats with the lowest and the highest. Needs `pip install -e '.[bench]'`.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import random
import statistics
import time
from collections.abc import Callable

import numpy as np

from sorry_env.engine.batch import Batch


def measure(play: Callable[[], int], seconds: float, repeats: int) -> list[float]:
    """Decisions a second of CPU time in each repeat; ``play`` returns the decisions it made."""
    play()
    rates = []
    for _ in range(repeats):
        decisions = 0
        start = time.process_time()
        while time.process_time() - start < seconds:
            decisions += play()
        rates.append(decisions / (time.process_time() - start))
    return rates


def random_inside(seats: str, size: int) -> Callable[[], int]:
    """Uniform random legal play inside the kernel: observation, mask and reset included."""
    batch = Batch("classic", seats, size, seed=1)
    batch.random_steps(300)  # past the openings, to the usual mixture of positions

    def play() -> int:
        batch.random_steps(20)
        return 20 * size

    return play


def random_stepped(seats: str, size: int) -> Callable[[], int]:
    """The same stepped from Python; actions are recorded beforehand, so only `step` is timed."""
    batch = Batch("classic", seats, size, seed=1)
    batch.random_steps(300)
    start = batch.state_dict()
    rng = np.random.default_rng(0)
    script = []
    for _ in range(50):
        # The n-th legal action of each row, n uniform.
        order = np.cumsum(batch.mask, axis=1)
        nth = rng.integers(batch.legal) + 1
        script.append((order >= nth[:, None]).argmax(axis=1).astype(np.int32))
        batch.step(script[-1])

    def play() -> int:
        batch.load_state_dict(start)
        for actions in script:
            batch.step(actions)
        return len(script) * size

    return play


def open_spiel_maedn(players: int) -> Callable[[], int]:
    """OpenSpiel's Mensch ärgere Dich nicht in the usual Python loop, with observation and mask."""
    import pyspiel

    game = pyspiel.load_game("maedn", {"players": players})
    rng = random.Random(1)

    def play() -> int:
        decisions = 0
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, chances)[0])
                    continue
                np.asarray(state.observation_tensor())
                state.legal_actions_mask()
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=1024, help="games in a batch")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds a repeat")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    size = arguments.size
    rows: list[tuple[str, Callable[[], int]]] = [
        ("OpenSpiel maedn, 2 players, Python loop", open_spiel_maedn(2)),
        (f"sorry_env classic, 2 seats, batch {size}, inside", random_inside("2", size)),
        (f"sorry_env classic, 2 seats, batch {size}, stepped", random_stepped("2", size)),
        (f"sorry_env classic, 4 seats, batch {size}, inside", random_inside("4", size)),
    ]
    versions = [f"{n} {importlib.metadata.version(n)}" for n in ("numba", "numpy", "open_spiel")]
    print(f"Python {platform.python_version()}, {', '.join(versions)}, {platform.machine()}")
    print("one thread, CPU time; inside: uniform random legal play; stepped: actions from an array")
    print("one decision: an action chosen and played, observation and mask made, ended games reset")
    print(f"{'what':<48} {'decisions/s':>12} {'low':>12} {'high':>12} {'ratio':>7}")
    base = 0.0
    for name, play in rows:
        rates = measure(play, arguments.seconds, arguments.repeats)
        middle = statistics.median(rates)
        base = base or middle
        print(
            f"{name:<48} {middle:>12,.0f} {min(rates):>12,.0f} {max(rates):>12,.0f} "
            f"{middle / base:>7.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
