"""How a game of an environment begins: the seed and the options of `reset`.

Read `settings.py` before and `aec.py` after this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sorry_env.engine.rng import seed_state
from sorry_env.envs.settings import Settings
from sorry_env.errors import RequestError
from sorry_env.families import BOARD
from sorry_env.game import Game
from sorry_env.rules import choose_seats


def open_game(settings: Settings, seed: int, options: Mapping[str, Any]) -> Game:
    """A game with its first card drawn.

    seed:    of its chance
    options: `first`, `seats` and `position` are read, see `SorryEnv.reset`; other keys are not
    Raises RequestError, RulesetError or PositionError where an option cannot be.
    """
    if options.get("position") is not None:
        for other in ("first", "seats"):
            if options.get(other) is not None:
                raise RequestError(
                    f"option {other!r} cannot be given with a position, which says it itself",
                    value=options[other],
                )
        return _from_position(settings, seed, options["position"])
    ruleset = settings.tables.ruleset
    seats = settings.seats
    if options.get("seats") is not None:
        seats = _as_many(settings, choose_seats(ruleset, options["seats"]))
    first = options.get("first")
    if first is None:
        # Another seating may lack the colour that usually begins; then its first seat does.
        first = settings.first if seats == settings.seats else None
    return Game(ruleset, seats, seed=seed, first=first)


def _from_position(settings: Settings, seed: int, position: str | Game) -> Game:
    if isinstance(position, Game):
        game = position.copy()
        game.state["rng"] = seed_state(seed)
    else:
        game = BOARD.read(position, seed=seed)
    if game.ruleset != settings.tables.ruleset:
        raise RequestError(
            f"the position is one of {game.ruleset.name}, this environment plays "
            f"{settings.tables.ruleset.name}",
            value=game.ruleset.name,
        )
    _as_many(settings, game.seats)
    if game.over:
        raise RequestError("the position's game is over: there is nothing to play", value=position)
    if game.waiting:
        game.draw()
    return game


def _as_many(settings: Settings, seats: tuple[int, ...]) -> tuple[int, ...]:
    """The seats themselves: their number is the environment's number of agents."""
    if len(seats) != len(settings.seats):
        raise RequestError(
            f"{len(seats)} seats {seats} do not fit an environment made for {len(settings.seats)}",
            value=seats,
        )
    return seats
