"""Sorry! as an OpenSpiel game with explicit chance, and OpenSpiel's own search playing it.

    pip install '.[openspiel]'
    python docs/examples/openspiel_game.py --simulations 50

Importing this file registers `python_sorry`, so `pyspiel.load_game("python_sorry(players=3)")` and
every algorithm for turns and chance can have it. It is a thin shell over `sorry_env.Game`: where a
card is due the state is a chance node with the game's own exact probabilities, and cards are drawn
by OpenSpiel alone. Rulesets with hands are refused: what a seat knows is then less than the state,
and an algorithm for perfect information would look into the others' hands.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import sorry_env
from sorry_env.arena.stats import wilson
from sorry_env.engine.observe import one_hot, one_hot_size
from sorry_env.engine.state import HOME
from sorry_env.errors import RequestError

_DEFAULTS = {"ruleset": "classic", "players": 2, "max_plies": 5000}

GAME_TYPE = pyspiel.GameType(
    short_name="python_sorry",
    long_name="Sorry!",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class SorryGame(pyspiel.Game):
    """The game as OpenSpiel sees it.

    params: ``ruleset``, ``players`` (2 to 4, on the ruleset's usual seats) and ``max_plies``,
            decisions after which nobody has won and all returns are 0
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        settings = {**_DEFAULTS, **(params or {})}
        # Never changed, only copied: every state begins as a copy of it, waiting for a card.
        self.opening = sorry_env.Game(settings["ruleset"], settings["players"], seed=0, draw=False)
        ruleset = self.opening.ruleset
        if ruleset.hand:
            raise RequestError(
                f"ruleset {ruleset.name} has hands, which are hidden: python_sorry is a game of "
                "perfect information",
                value=ruleset.name,
            )
        self.max_plies = int(settings["max_plies"])
        # What chance can bring, by OpenSpiel's number of it.
        self.chances = (*ruleset.card_names, "yes", "no")
        super().__init__(
            GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=self.opening.tables.num_actions,
                max_chance_outcomes=len(self.chances),
                num_players=len(self.opening.seats),
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.max_plies,
            ),
            settings,
        )

    def new_initial_state(self) -> SorryState:
        """The state before the first card."""
        return SorryState(self)

    def max_chance_nodes_in_history(self) -> int:
        """A card before the first decision, and at most one draw or answer after each."""
        return self.max_plies + 1

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> SorryObserver:
        """Writes observations; the information asked for makes no difference, nothing is hidden."""
        if params:
            raise RequestError(
                f"observers of python_sorry have no parameters, not {params}", value=params
            )
        return SorryObserver(self.opening)


class SorryState(pyspiel.State):
    """One game. OpenSpiel clones and saves it by copying and pickling its attribute ``game``."""

    def __init__(self, game: SorryGame) -> None:
        super().__init__(game)
        self.game = game.opening.copy()

    def current_player(self) -> int:
        """The number of the seat that decides, or who else is next."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.game.waiting:
            return int(pyspiel.PlayerId.CHANCE)
        return self.game.seats.index(self.game.actor)

    def is_terminal(self) -> bool:
        """Whether the game has ended, or has gone on for too long."""
        return self.game.over or self.game.plies >= self.get_game().max_plies

    def returns(self) -> list[float]:
        """By player: +1 for the winner, the loss shared by the others; 0 before the end."""
        by_seat = self.game.returns()
        # They are float32; OpenSpiel wants a sum of 0 to 1e-9. All of them are sixths.
        return [round(6 * by_seat[seat]) / 6 for seat in self.game.seats]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may be drawn now, with its probability."""
        numbers = self.get_game().chances.index
        return [(numbers(name), float(chance)) for name, chance in self.game.chances()]

    def _legal_actions(self, player: int) -> list[int]:
        return self.game.legal_actions().tolist()

    def _apply_action(self, action: int) -> None:
        if self.game.waiting:
            self.game.draw(self.get_game().chances[action])
        else:
            self.game.play(action, draw=False)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {self.get_game().chances[action]}"
        return self.game.tables.labels[action]

    def __str__(self) -> str:
        return sorry_env.write_position(self.game)


class SorryObserver:
    """OpenSpiel's view of a state: what the seat sees, one-hot, and the position's line."""

    def __init__(self, game: sorry_env.Game) -> None:
        self.tensor = np.zeros(one_hot_size(game.tables.layout), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SorryState, player: int) -> None:
        """Write what ``player`` sees into ``tensor``."""
        seen = state.game.observation(state.game.seats[player])
        self.tensor[:] = one_hot(state.game.tables.layout, seen)

    def string_from(self, state: SorryState, player: int) -> str:
        """The player and the position."""
        return f"p{player} {state}"


pyspiel.register_game(GAME_TYPE, SorryGame)


class ProgressEvaluator(mcts.Evaluator):
    """Values a position by the steps covered, from -1 to 1: playing out a whole game is slow."""

    def evaluate(self, state: SorryState) -> np.ndarray:
        """float64[players]"""
        if state.is_terminal():
            return np.array(state.returns())
        pawns = state.game.pawns
        covered = np.array([sum(pawns[seat]) for seat in state.game.seats], float)
        others = (covered.sum() - covered) / (len(covered) - 1)
        return (covered - others) / (HOME * len(pawns[state.game.seats[0]]))

    def prior(self, state: SorryState) -> list[tuple[int, float]]:
        """Chance's own probabilities, all moves alike."""
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def play(game: SorryGame, bots: Sequence[Any], rng: np.random.Generator) -> list[float]:
    """One game between bots, by player; returns the returns."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(actions, p=chances)))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state.returns()


def main(arguments: Sequence[str] | None = None) -> tuple[int, int]:
    """MCTS against random players, from each seat in turn; games won and played."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ruleset", default="classic")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    game = pyspiel.load_game("python_sorry", {"ruleset": args.ruleset, "players": args.players})
    rng = np.random.default_rng(args.seed)
    search = mcts.MCTSBot(
        game, uct_c=0.5, max_simulations=args.simulations, evaluator=ProgressEvaluator(),
        random_state=np.random.RandomState(args.seed),
    )  # fmt: skip
    won = 0
    for i in range(args.games):
        seat = i % args.players
        bots = [pyspiel.make_uniform_random_bot(p, args.seed + i) for p in range(args.players)]
        bots[seat] = search
        won += play(game, bots, rng)[seat] > 0
    low, high = wilson(won, args.games)
    print(f"MCTS won {won} of {args.games} games ({low:.0%} to {high:.0%}) against random players")
    return won, args.games


if __name__ == "__main__":
    main()
