"""Sorry! in OpenSpiel: OpenSpiel's own checks, agreement with `Game`, copies, and search.

Needs `pip install 'sorry_env[openspiel]'`; `make interop` runs it.
"""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sorry_env

pytestmark = pytest.mark.interop


def load(**parameters: Any) -> Any:
    import pyspiel

    import docs.examples.openspiel_game  # noqa: F401 - registers the game

    return pyspiel.load_game("python_sorry", parameters)


def step(state: Any, rng: np.random.Generator) -> int:
    """Play one random action or chance outcome; returns it."""
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        action = int(rng.choice(actions, p=chances))
    else:
        action = int(rng.choice(state.legal_actions()))
    state.apply_action(action)
    return action


@pytest.mark.parametrize(
    ("ruleset", "players"),
    [("classic", 2), ("classic", 3), ("classic", 4), ("fire-and-ice", 4), ("not-sorry", 3),
     ("teams", 4), ("way-sorry", 2), ("bump-em", 2), ("duel-1", 2)],
)  # fmt: skip
def test_openspiels_own_simulation_test(ruleset: str, players: int) -> None:
    import pyspiel

    game = load(ruleset=ruleset, players=players)
    # Saving is tried at every state, which takes long in a long game.
    pyspiel.random_sim_test(game, 2, serialize=ruleset == "duel-1", verbose=False)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_is_the_same_in_both(players: int) -> None:
    game, rng = load(players=players), np.random.default_rng(players)
    state = game.new_initial_state()
    twin = sorry_env.Game("classic", players, draw=False)
    while not state.is_terminal():
        if state.is_chance_node():
            # The deck's card counts over what is left of it; no draw is anybody's turn.
            outcomes = {state.action_to_string(a): p for a, p in state.chance_outcomes()}
            assert outcomes == {f"draw {card}": float(p) for card, p in twin.chances()}
            assert sum((p for _, p in twin.chances()), Fraction()) == 1
            twin.draw(state.action_to_string(step(state.clone(), rng)).removeprefix("draw "))
            drawn = twin.card
            state.apply_action(game.chances.index(drawn))
        else:
            assert state.legal_actions() == twin.legal_actions().tolist()
            assert twin.seats[state.current_player()] == twin.actor
            twin.play(step(state, rng), draw=False)
        assert str(state) == sorry_env.write_position(twin)
    (winner,) = (i for i, seat in enumerate(twin.seats) if seat in twin.winners)
    expected = [1.0 if i == winner else -1 / (players - 1) for i in range(players)]
    assert state.returns() == pytest.approx(expected, abs=1e-12)
    assert abs(sum(state.returns())) < 1e-12


def test_copies_go_on_alone_and_alike() -> None:
    import pyspiel

    game, rng = load(), np.random.default_rng(1)
    state = game.new_initial_state()
    for ply in range(250):
        if ply % 50 == 0:
            before = str(state)
            copies = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
            text = pyspiel.serialize_game_and_state(game, state)
            copies.append(pyspiel.deserialize_game_and_state(text)[1])
            ends = set()
            for twin in copies:
                assert str(twin) == before and twin.history() == state.history()
                same = np.random.default_rng(ply)
                for _ in range(50):
                    if not twin.is_terminal():
                        step(twin, same)
                ends.add(str(twin))
            assert len(ends) == 1
            assert str(state) == before
        step(state, rng)
    assert not state.is_terminal()


def test_a_game_that_takes_too_long_is_nobodys() -> None:
    state, rng = load(max_plies=10).new_initial_state(), np.random.default_rng(1)
    while not state.is_terminal():
        step(state, rng)
    assert state.game.plies == 10 and not state.game.over
    assert state.returns() == [0.0, 0.0]


def test_observations_are_each_players_own() -> None:
    from sorry_env.engine.observe import one_hot

    game = load(players=3)
    state, rng = game.new_initial_state(), np.random.default_rng(1)
    for _ in range(100):
        step(state, rng)
    for player, seat in enumerate(state.game.seats):
        expected = one_hot(state.game.tables.layout, state.game.observation(seat))
        assert state.observation_tensor(player) == expected.tolist()
        assert str(state) in state.observation_string(player)


def test_hidden_hands_are_refused() -> None:
    from docs.examples.openspiel_game import SorryGame
    from sorry_env.errors import RequestError

    with pytest.raises(RequestError, match="points has hands"):
        SorryGame({"ruleset": "points"})


def test_both_of_openspiels_searches_play() -> None:
    import pyspiel
    from open_spiel.python.algorithms import mcts

    from docs.examples.openspiel_game import play

    game, rng = load(ruleset="duel-1"), np.random.default_rng(1)
    python = mcts.MCTSBot(
        game, 1.0, 10, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        random_state=np.random.RandomState(1),
    )  # fmt: skip
    assert sorted(play(game, [python, python], rng)) == [-1.0, 1.0]
    # The compiled one's own `step` lets go of Python's lock, and crashes with any Python game; its
    # search does not.
    compiled = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), 1.0, 10, 100, True, 1, False
    )

    class Compiled:
        def step(self, state: Any) -> int:
            action: int = compiled.mcts_search(state).best_child().action
            return action

    assert sorted(play(game, [python, Compiled()], rng)) == [-1.0, 1.0]


def test_search_beats_random_players(capsys: pytest.CaptureFixture[str]) -> None:
    from docs.examples import openspiel_game

    won, games = openspiel_game.main(["--games", "30", "--simulations", "40"])
    # A random player wins 20 or more of 30 with probability 0.05.
    assert won >= 20 and games == 30
    assert f"won {won} of 30" in capsys.readouterr().out
