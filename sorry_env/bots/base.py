"""What a bot is: a class with one method, `choose` or `choose_batch`, and what it is shown.

A bot never sees what its seat cannot know. `choose` is given a `View`; `choose_batch` is given the
same for many games at once, as a `BatchRequest`, whose records hold no random state and no other
hand. Whoever asks a bot checks the answer. Read `../game.py` before and `dice.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from sorry_env.engine.afterstate import expand_range
from sorry_env.engine.arguments import as_bool_mask
from sorry_env.engine.state import UNSEATED
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import MoveError, RequestError
from sorry_env.families import family_of
from sorry_env.view import View, hide_hands

if TYPE_CHECKING:
    from sorry_env.bots.values import Judge


@dataclass(frozen=True, eq=False)
class BatchRequest:
    """Decisions asked of a bot in n games of one ruleset; every array is the bot's to keep.

    tables:      the compiled ruleset
    games:       GAME[n], a copy without the random state; ``games["actor"]`` is who decides. The
                 other hands' places are HIDDEN and their cards counted with the pile's
    observation: int8[n, O], what that seat sees
    mask:        bool[n, A], its legal actions, at least one a row; int8 of 0 and 1 becomes bool
    keys:        uint64[n], different for any two decisions of a match and the same whatever other
                 games are in the batch: a bot that draws its random numbers by them (`Dice`) plays
                 the same in batches of any size; None outside matches
    """

    tables: RuleTables
    games: np.ndarray
    observation: np.ndarray
    mask: np.ndarray
    keys: np.ndarray | None = None

    #: The game's kernel that makes `engine.afterstate.Afterstates`.
    expand_range: ClassVar[Callable[..., None]] = staticmethod(expand_range)

    def __post_init__(self) -> None:
        games = self.games.copy()
        games["rng"] = 0  # the order of the draw pile is nobody's knowledge
        if self.tables.ruleset.hand:
            hide_hands(games, games["actor"])
        object.__setattr__(self, "games", games)
        object.__setattr__(self, "mask", request_mask(self.tables, len(games), self.mask))

    def __len__(self) -> int:
        return len(self.games)

    @property
    def seat_counts(self) -> np.ndarray:
        """int[n], how many seats play in each game."""
        counts: np.ndarray = (self.games["pawns"][:, :, 0] != UNSEATED).sum(axis=1)
        return counts

    @property
    def side_counts(self) -> np.ndarray:
        """int[n], how many sides play against each other in each game."""
        teams = self.tables.ruleset.teams != "none"
        return np.full(len(self), 2) if teams else self.seat_counts

    @staticmethod
    def won_by(games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """bool[m], whether the sides of these seats int[m] have won finished games."""
        won: np.ndarray = games["ranks"][np.arange(len(games)), seats] == 1
        return won

    @classmethod
    def of_view(cls, view: View) -> BatchRequest:
        """A request for the one decision due in a view, of the class that the view's game has.

        Raises RequestError where no decision is due, or where it is not the viewer's.
        """
        if view.over or view.waiting:
            state = "the game is over" if view.over else "a card must be drawn first"
            raise RequestError(f"there is nothing to choose: {state}", value=view.card)
        if view.seat is not None and view.seat != view.actor:
            raise RequestError(
                f"seat {view.actor} is to choose, not seat {view.seat}, whose view this is",
                value=view.seat,
            )
        kind: type[BatchRequest] = family_of(view.ruleset).BatchRequest
        return kind(view.tables, view.state, view.observation()[None], view.mask()[None])

    def views(self) -> Iterator[View]:
        """The games one by one, each as the seat that decides sees it."""
        for i, actor in enumerate(self.games["actor"].tolist()):
            yield View(self.tables, self.games[i : i + 1], actor)


def request_mask(tables: Any, count: int, mask: np.ndarray) -> np.ndarray:
    """The mask of a request as bool[count, A] that a bot may write to.

    Raises RequestError for other dtypes, shapes and values.
    """
    mask = as_bool_mask("mask", mask, (count, tables.num_actions))
    return mask if mask.flags.writeable else mask.copy()


@dataclass(frozen=True, eq=False)
class Insight:
    """What a bot thinks of n decisions; None where it does not know, NaN where not of this one.

    chances: float64[n, A], how much it favours each action; a row adds up to 1
    value:   float64[n], how likely the side that decides is to win
    values:  float64[n, A], the same after each legal action, NaN elsewhere
    """

    chances: np.ndarray | None = None
    value: np.ndarray | None = None
    values: np.ndarray | None = None


class Bot:
    """A player. A subclass writes `choose` or `choose_batch`; each follows from the other.

    name: what results and messages call it
    """

    name: str = "bot"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Make a bot; TypeError for a class that defines neither choose nor choose_batch.

        A class is not checked when it is made, for its methods may come later: cloudpickle, which
        sends classes of `__main__` to other processes, makes an empty class and fills it.
        """
        del args, kwargs
        if cls.choose is Bot.choose and cls.choose_batch is Bot.choose_batch:
            raise TypeError(f"bot class {cls.__name__} must define choose or choose_batch")
        return super().__new__(cls)

    def reset(self, seed: int) -> None:
        """Take all randomness from ``seed`` (0 to 2**64 - 1) from now on, and forget past games."""

    def check(self, tables: RuleTables, seats: Sequence[int]) -> None:
        """Raise a SorryError, in words, if this bot cannot play these seats of this ruleset."""

    def choose(self, view: View) -> int:
        """A legal action for the seat that decides, out of ``view.legal_actions()``."""
        return int(self.choose_batch(BatchRequest.of_view(view))[0])

    def choose_within(self, view: View, time_ms: float) -> int:
        """As `choose`, in so many milliseconds of elapsed time, if it takes its time at all.

        Bots that search think for about so long; most answer at once, whatever they are given.
        """
        del time_ms
        return self.choose(view)

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """int32[n], a legal action for each row of the request."""
        chosen = []
        for view in request.views():
            action: Any = self.choose(view)
            if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
                raise MoveError(f"bot {self.name} chose {action!r}, which is no int", value=action)
            if not 0 <= action < request.tables.num_actions:
                top = request.tables.num_actions - 1
                raise MoveError(
                    f"bot {self.name} chose action {action}, which is not from 0 to {top}",
                    value=action,
                )
            chosen.append(int(action))
        return np.array(chosen, np.int32)

    def distribution(self, request: BatchRequest) -> np.ndarray:
        """float64[n, A], the chance with which it chooses each action; a row adds up to 1.

        A bot that says nothing of its chances is taken to be certain of what it chooses.
        """
        chances = np.zeros(request.mask.shape)
        chances[np.arange(len(request)), self.choose_batch(request)] = 1.0
        return chances

    @property
    def rulesets(self) -> tuple[str, ...] | None:
        """Names of the rulesets that it is made for; None where it is not made for any."""
        return None

    def insight(self, request: BatchRequest) -> Insight:
        """What it thinks of these decisions, for people and other programs; rolls no dice."""
        known = type(self).distribution is not Bot.distribution
        return Insight(self.distribution(request) if known else None)

    def judge_of(self, count: int) -> Judge | None:
        """Who values positions for it in games of so many seats, None where nobody does."""
        del count
        return None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"
