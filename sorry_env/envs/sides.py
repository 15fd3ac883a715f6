"""`SideBatch`: a batch of games in which one player decides outside and bots play the others.

The part of `SorryVectorEnv` that knows games; what a Gymnasium vector environment is, it does not
know. Read `opponents.py` and `../engine/rows.py` before and `vector.py` after this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from sorry_env.bots.asking import ask
from sorry_env.bots.base import Bot
from sorry_env.bots.random import RandomBot
from sorry_env.engine.batch import Batch
from sorry_env.engine.rows import (
    LEARNER,
    RANDOM_PLACE,
    ROTATING_PLACE,
    UNOWNED,
    Sides,
    begin_rows,
    count_illegal,
    end_rows,
    step_rows,
)
from sorry_env.engine.state import SEATS
from sorry_env.envs.opening import open_game
from sorry_env.envs.settings import Settings
from sorry_env.game import Game

#: Options of a reset with which games do not begin as usual.
OPENINGS: Final = ("first", "seats", "position")
_PLACINGS: Final = {"random": RANDOM_PLACE, "rotating": ROTATING_PLACE}


class SideBatch(Batch):
    """``size`` games; ``settings`` says which, ``bots`` and ``places`` are of `make_opponents`.

    sides: who plays what, see `Sides`
    Of the buffers, ``terminated``, ``truncated``, ``length`` and ``rewards`` stay as they are until
    the row begins anew; ``observation`` and ``actor`` are the learner's, in games that have ended
    too.
    """

    def __init__(
        self,
        settings: Settings,
        size: int,
        bots: Sequence[Bot],
        places: Sequence[int],
        *,
        skip_forced: bool,
        threads: int,
    ) -> None:
        self.settings = settings
        self.bots = tuple(bots)
        self._places = tuple(places)
        inside = np.array([type(bot) is RandomBot for bot in bots], np.bool_)
        self._asks = not inside.all()
        self.sides = Sides(
            owner=np.full((size, SEATS), UNOWNED, np.int8),
            owners=self._owners(settings.seats),
            place=np.zeros(size, np.int8),
            inside=inside,
            secrets=np.array(
                [bot.secret if isinstance(bot, RandomBot) else 0 for bot in bots], np.uint64
            ),
            base=np.zeros(size, np.uint64),
            number=np.zeros(size, np.int64),
            seed=np.zeros(size, np.uint64),
            key=np.zeros(size, np.uint64),
            asked=np.full(size, LEARNER, np.int8),
            payoff=np.zeros(size, np.float64),
        )
        super().__init__(
            settings.tables.ruleset,
            settings.seats,
            size,
            reward=settings.reward,
            max_plies=settings.max_plies,
            skip_forced=skip_forced,
            threads=threads,
            first=settings.first,
        )
        self._usual = self.games[:1].copy()  # who is seated, to begin with
        self._unusual = np.zeros(size, np.bool_)  # rows where others are

    def open(self, seeds: Sequence[int], options: Mapping[str, Any]) -> list[Game]:
        """The games, one a seed, that options let begin otherwise than usual; [] without such.

        options: `OPENINGS` are read, as by `opening.open_game`, whose errors are raised
        """
        if all(options.get(name) is None for name in OPENINGS):
            return []
        return [open_game(self.settings, seed, options) for seed in seeds]

    def begin(self, rows: np.ndarray, learner: int | str, games: Sequence[Game] = ()) -> None:
        """Begin episodes, the seeds of which `Sides.base` and ``number`` say, and play on.

        rows:    bool[B]
        learner: as `check_learner` returns it
        games:   of `open`, one a row that begins; none for the usual beginning
        """
        placing = _PLACINGS[learner] if isinstance(learner, str) else learner
        sides, deal = self.sides, True
        if games:
            index = np.flatnonzero(rows)
            sides = sides._replace(owners=self._owners(games[0].seats))
            self._games[index] = np.concatenate([game.state for game in games])
            self._unusual[index] = True
            deal = False
        elif self._unusual.any():
            again = self._unusual & rows
            self._games[again] = self._usual
            self._unusual[again] = False
        self._run(begin_rows, rows, deal, placing, self._first, sides, self._buffers, self.options)
        self._ask_on()

    def play(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Play the learners' actions, and on to their next decisions or the ends.

        rows: bool[B]; actions: int64[B], legal in these rows
        """
        self._run(step_rows, rows, actions, self.sides, self._buffers, self.options)
        self._ask_on()

    def lose(self, rows: np.ndarray) -> None:
        """End games, lost by their learners; rows: bool[B]."""
        self._run(end_rows, rows, self.sides, self._buffers)

    def illegal(self, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """int64[k], the rows among bool[B] that go on and where int64[B] actions are not legal."""
        if not count_illegal(rows, actions, self._buffers):
            return np.zeros(0, np.int64)
        known = (actions >= 0) & (actions < self.num_actions)
        legal = self.mask[np.arange(self.size), np.where(known, actions, 0)] & known
        return np.flatnonzero(rows & ~legal & ~(self.terminated | self.truncated))

    # -- inside -------------------------------------------------------------------------------

    def _ask_on(self) -> None:
        """Ask the bots until every game waits for its learner or has ended."""
        if not self._asks:
            return
        sides = self.sides
        actions = np.zeros(self.size, np.int64)
        while (sides.asked != LEARNER).any():
            waiting = sides.asked != LEARNER
            for number, bot in enumerate(self.bots):
                rows = np.flatnonzero(sides.asked == number)
                if len(rows):
                    games = self.games[rows]
                    actions[rows] = ask(
                        bot, self.tables, games, self.observation[rows], self.mask[rows],
                        sides.key[rows] + games["plies"].astype(np.uint64),
                    )  # fmt: skip
            self._run(step_rows, waiting, actions, sides, self._buffers, self.options)

    def _owners(self, seats: Sequence[int]) -> np.ndarray:
        """int8[P, 4], see `Sides`, for these seated colours."""
        two = self.settings.one_agent_a_team
        players = [[seat, seat + 2] for seat in (0, 1)] if two else [[seat] for seat in seats]
        owners = np.full((len(players), SEATS), UNOWNED, np.int8)
        for place in range(len(players)):
            for away, own in enumerate(players[place:] + players[:place]):
                owners[place, own] = self._places[away - 1] if away else LEARNER
        return owners
