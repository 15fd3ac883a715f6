"""Speed of other people's games in their usual loops, one core, uniform random legal play.

    python -m benchmarks.peers [--seconds 2.5] [--json]

Rates by processor time, medians of five slices. What is not installed is named and left out;
`pip install -e '.[bench]'` brings all of them.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.table import Table, Work, compare, main, optional

LOOP = "Python loop with observation and mask"
#: Classics of PettingZoo and games of RLCard.
CLASSICS = ("connect_four_v3", "tictactoe_v3", "texas_holdem_v4")
CARD_GAMES = ("uno", "leduc-holdem")


def tables(seconds: float) -> Iterator[Table]:
    """One table of all peers."""
    cases = [
        optional("OpenSpiel maedn, 2 seats", partial(open_spiel, "maedn", players=2), LOOP),
        optional(
            "OpenSpiel maedn, 2 seats, in C++",
            partial(open_spiel_inside, "maedn", players=2),
            "whole games without observation and mask",
        ),
        optional("OpenSpiel backgammon", partial(open_spiel, "backgammon"), LOOP),
        *(
            optional(f"PettingZoo {name}", partial(pettingzoo, name), "agent_iter, numpy sampling")
            for name in CLASSICS
        ),
        *(optional(f"RLCard {name}", partial(rlcard, name), "env.step") for name in CARD_GAMES),
        optional(
            "Pgx backgammon, batch 256",
            partial(pgx, "backgammon", 256),
            "inside lax.scan, automatic reset; time of all cores added up",
        ),
    ]
    yield compare("Peers, decisions a second", cases, seconds)


def open_spiel(name: str, **parameters: Any) -> Work:
    """Games in the loop that OpenSpiel's users write: observation and mask at each decision."""
    import pyspiel

    game = pyspiel.load_game(name, parameters)
    rng = random.Random(1)

    def play() -> int:
        decisions = 0
        for _ in range(5):
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


def open_spiel_inside(name: str, **parameters: Any) -> Work:
    """Whole random games played by OpenSpiel's own C++.

    Counting a game's decisions takes longer than the game, so their mean is taken beforehand.
    """
    import pyspiel

    game = pyspiel.load_game(name, parameters)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    chance = pyspiel.PlayerId.CHANCE
    decisions = 0
    for seed in range(2000):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        decisions += sum(entry.player != chance for entry in state.full_history())
    mean = decisions / 2000
    count = 0

    def play() -> int:
        nonlocal count
        for seed in range(count, count + 200):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        count += 200
        return round(200 * mean)

    return play


def pettingzoo(name: str) -> Work:
    """Games of a PettingZoo classic in the loop of its documentation."""
    env = importlib.import_module(f"pettingzoo.classic.{name}").env()
    rng = np.random.default_rng(1)

    def play() -> int:
        decisions = 0
        for _ in range(10):
            env.reset(seed=1)
            for _agent in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
                decisions += 1
        return decisions

    return play


def rlcard(name: str) -> Work:
    """Games of RLCard, states as its agents get them."""
    import rlcard as library

    env = library.make(name, config={"seed": 1})
    rng = random.Random(1)

    def play() -> int:
        decisions = 0
        for _ in range(5):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
                decisions += 1
        return decisions

    return play


def pgx(name: str, size: int, steps: int = 100) -> Work:
    """A batch of Pgx games stepped inside one compiled loop, as fast as Pgx goes."""
    import jax
    import jax.numpy as jnp
    import pgx as library
    from pgx.experimental import auto_reset

    env: Any = library.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> tuple[Any, None]:
        choice, chance = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(choice, logits, axis=1)
        return step(state, actions, jax.random.split(chance, size)), None

    many = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, steps))[0])
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), size))
    count = 0

    def play() -> int:
        nonlocal state, count
        count += 1
        state = many(state, jax.random.PRNGKey(count))
        state.rewards.block_until_ready()
        return steps * size

    return play


if __name__ == "__main__":
    main(__doc__, tables)
