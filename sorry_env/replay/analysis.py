"""A game looked at afterwards: what each draw and each move changed, and what a bot would play.

At every decision there are four values for the seat that decides: *before* the draw, when it was
drawn (*drawn*), of the *best* move and of the move *played*. What the draw changed is luck, 0 on
the average by definition; what the move lost is the decision, never above 0. A bot that is not
perfect also changes its mind: *drawn* and *best*, or *played* and the next *before*, then differ,
and what lies between is neither luck nor decision. For exact values it is 0, and with two sides

    first value + all luck + all decisions + all changes of mind = result.

Read `judge.py` and `hands.py` before and `story.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sorry_env.bots.base import Bot
from sorry_env.errors import PositionError
from sorry_env.families import BOARD, Family, family_of
from sorry_env.notation.record import Record
from sorry_env.replay.hands import before_draws
from sorry_env.replay.judge import CHANCE, Judge, outcomes


@dataclass(frozen=True)
class Ply:
    """A decision; values are for the seat that decides, None where they are not known.

    number: from 0
    seat:   who decides; card: what it plays with, as positions write it
    move:   what was played, by its text; words: in words
    bot:    the texts of the moves that the bot would play, equally good to it
    before: value before the draw; None where no draw came before it. Where hands are held, the
            value at the decision, on the average of what may have been drawn: see `hands.py`
    drawn:  value with the card, before the move
    best:   value of the best move; played: of the one played
    legal:  how many moves were legal
    values: all of them by their texts, best first; () where they are not known
    chances: those of all sides with the card, before the move, together 1; () where two sides play
             or they are not known. That of the side that decides is not quite ``drawn``
    drew:    the card drawn to a hand since its seat's last decision, where it can be told
    """

    number: int
    seat: int
    card: str
    move: str
    words: str
    legal: int
    bot: tuple[str, ...]
    before: float | None = None
    drawn: float | None = None
    best: float | None = None
    played: float | None = None
    values: tuple[tuple[str, float], ...] = ()
    chances: tuple[float, ...] = ()
    drew: str | None = None

    @property
    def forced(self) -> bool:
        """Whether there was one legal move only."""
        return self.legal == 1

    @property
    def agrees(self) -> bool:
        """Whether the bot might have played so."""
        return self.move in self.bot

    @property
    def luck(self) -> float | None:
        """What the draw changed for the seat that decides."""
        return None if self.before is None or self.drawn is None else self.drawn - self.before

    @property
    def decision(self) -> float | None:
        """What the move lost: 0 or less."""
        return None if self.best is None or self.played is None else self.played - self.best


@dataclass(frozen=True)
class Swing:
    """A large change: by `luck` or by a `decision`, for the seat that decided at ``ply``."""

    kind: str
    ply: Ply
    change: float


@dataclass(frozen=True)
class Account:
    """How a value went from the first to the last, for one of two sides.

    start, result: the first value and how it ended (1 or 0; what was known last where nobody won)
    luck, decisions: by side what its draws and its moves changed, for the side of the account
    minds: what the bot's changes of mind make up, 0 for exact values
    """

    start: float
    luck: tuple[float, ...]
    decisions: tuple[float, ...]
    minds: float
    result: float


@dataclass(frozen=True)
class Analysis:
    """A record looked at by a bot.

    bot:     its name; unit: `chance`, `steps`, or None where it gives no values
    sides:   the seats that win together, in turn order
    winners: the seats that won; () for a game that was broken off
    plies:   one for each decision
    """

    bot: str
    unit: str | None
    sides: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]
    plies: tuple[Ply, ...]

    def side_of(self, seat: int) -> int:
        """Number of a seat's side."""
        return next(i for i, side in enumerate(self.sides) if seat in side)

    def agreement(self, side: int) -> tuple[int, int]:
        """In how many of a side's decisions with a choice it played what the bot would, of all."""
        own = [p for p in self.plies if p.seat in self.sides[side] and not p.forced]
        return sum(ply.agrees for ply in own), len(own)

    def total(self, side: int, what: str) -> float | None:
        """All `luck` or all `decision` of a side together, for itself; None if none is known."""
        own = [getattr(p, what) for p in self.plies if p.seat in self.sides[side]]
        known = [value for value in own if value is not None]
        return sum(known) if known else None

    def swings(self, count: int = 8) -> list[Swing]:
        """The largest changes, by luck and by decisions alike, the largest first."""
        found = []
        for ply in self.plies:
            for kind, change in (("luck", ply.luck), ("decision", ply.decision)):
                if change is not None and abs(change) > 1e-9:
                    found.append(Swing(kind, ply, change))
        return sorted(found, key=lambda swing: (-abs(swing.change), swing.ply.number))[:count]

    def curve(self, side: int) -> list[tuple[float, float]]:
        """A side's values in the course of the game as (ply, value).

        Ply n begins at n, its draw is over at n + 1/2 and its move at n + 1. With more than two
        sides it has one point a ply, at n + 1/2, where all chances are known; else the side's own
        plies are on it: what it was worth in between nobody says.
        """
        points: list[tuple[float, float]] = []
        for ply in self.plies:
            if ply.chances:
                points.append((ply.number + 0.5, ply.chances[side]))
                continue
            own = self.side_of(ply.seat) == side
            if not own and len(self.sides) != 2:
                continue
            for at, value in ((0.0, ply.before), (0.5, ply.drawn), (1.0, ply.played)):
                if value is not None:
                    points.append((ply.number + at, value if own else self._turned(value)))
        if self.winners and self.unit == CHANCE:
            won = self.winners[0] in self.sides[side]
            points.append((float(len(self.plies)), float(won)))
        return points

    def account(self, side: int = 0) -> Account:
        """How one of two sides came to its result; ValueError with more sides or without values."""
        points = self.curve(side)
        if len(self.sides) != 2 or not points:
            raise ValueError(f"there is an account of two sides with values, not of {self.sides}")
        luck, decisions = [0.0, 0.0], [0.0, 0.0]
        for ply in self.plies:
            of = self.side_of(ply.seat)
            sign = 1.0 if of == side else -1.0
            luck[of] += sign * (ply.luck or 0.0)
            decisions[of] += sign * (ply.decision or 0.0)
        start, result = points[0][1], points[-1][1]
        minds = result - start - sum(luck) - sum(decisions)
        return Account(start, tuple(luck), tuple(decisions), minds, result)

    def _turned(self, value: float) -> float:
        return 1.0 - value if self.unit == CHANCE else -value


def analyse(record: Record, bot: Bot | str) -> Analysis:
    """Look at a record, by the eyes of a bot.

    bot: one that plays the record's ruleset, or its name; one without values still says what it
         would play
    Raises what making the bot and its `check` raise.
    """
    games = list(record.games())
    decided, end = games[:-1], games[-1]
    family = family_of(end.ruleset)
    player: Bot = family.make_bot(bot) if isinstance(bot, str) else bot
    player.reset(0)
    player.check(end.tables, end.seats)
    teams = getattr(end.ruleset, "teams", "none") != "none"
    sides = ((0, 2), (1, 3)) if teams else tuple((seat,) for seat in end.seats)
    plies: tuple[Ply, ...] = ()
    unit = None
    if decided:
        judge = Judge(player, decided[0])
        unit = judge.unit
        plies = _plies(family, judge, record, decided)
    return Analysis(player.name, unit, sides, tuple(end.winners), plies)


def _plies(family: Family, judge: Judge, record: Record, games: Sequence[Any]) -> tuple[Ply, ...]:
    favoured = judge.favoured(games)
    values = drawn = None
    before: Sequence[float | None] = [None] * len(games)
    drew: Sequence[tuple[str, float] | None] = [None] * len(games)
    chances: Sequence[tuple[float, ...]] = [()] * len(games)
    if judge.unit is not None:
        values, drawn = judge.moves(games), judge.drawn(games)
        if getattr(games[0].ruleset, "hand", 0):
            drew = before_draws(judge, record, games)
            means = [np.nan if one is None else one[1] for one in drew]
            before = [None if np.isnan(mean) else mean for mean in means]
        else:
            before = _before(family, judge, record, games)
        chances = judge.chances(games, drawn)
    plies = []
    for i, (row, game) in enumerate(zip(record.moves, games, strict=True)):
        moves = {family.move_text(move): move for move in game.legal_moves()}
        texts = {move.action: text for text, move in moves.items()}
        told: dict[str, Any] = {"before": before[i]}
        if values is not None and drawn is not None and np.isfinite(drawn[i]):
            worth = {text: float(values[i, move.action]) for text, move in moves.items()}
            told |= {
                "drawn": float(drawn[i]),
                "best": max(worth.values()),
                "played": worth[row["move"]],
                "values": tuple(sorted(worth.items(), key=lambda pair: (-pair[1], pair[0]))),
                "chances": chances[i],
            }
        plies.append(
            Ply(
                number=i,
                seat=game.actor,
                card=game.card or "-",
                move=row["move"],
                words=family.move_words(game, moves[row["move"]]),
                legal=len(moves),
                bot=tuple(sorted(texts[int(action)] for action in favoured[i])),
                drew=None if (one := drew[i]) is None else one[0],
                **told,
            )
        )
    return tuple(plies)


def _before(
    family: Family, judge: Judge, record: Record, games: Sequence[Any]
) -> list[float | None]:
    """Values before the draws, for the seats that decide after them; None without a draw."""
    found: list[float | None] = [None] * len(games)
    coming: list[tuple[int, float, Any]] = []
    for i, (row, game) in enumerate(zip(record.moves, games, strict=True)):
        if i == 0:
            waiting = undrawn(family, game)
        else:
            waiting = games[i - 1].copy()
            move = family.parse_move(waiting, record.moves[i - 1]["move"])
            waiting.play(move, draw=False)
        if waiting is None or not waiting.waiting:
            continue
        some = outcomes(waiting)
        if any(family.write(after) == row["position"] for _, after in some):
            coming += [(i, chance, after) for chance, after in some]
            found[i] = 0.0
    worth = judge.drawn([after for _, _, after in coming]) if coming else np.empty(0)
    for (i, chance, after), value in zip(coming, worth.tolist(), strict=True):
        own = judge.same_side(games[i].actor, after.actor)
        found[i] = (found[i] or 0.0) + chance * (value if own else judge.turned(value))
    return [None if value is None or np.isnan(value) else value for value in found]


def undrawn(family: Family, game: Any) -> Any | None:
    """The game before its card was drawn; None where no draw can have led to it.

    Where the pile was made anew for the draw it is a full one: the cards to come are the same.
    """
    fields = family.write(game).split(" ")
    at = len(fields) - 2 if family is not BOARD else 4  # DICE, CARD
    if fields[at] in ("-", "?"):
        return None
    if family is BOARD:
        deck, card = fields[5], game.ruleset.card_names.index(fields[at])
        if deck != "*":
            counts = [int(count) for count in deck.split(".")]
            counts[card] += 1
            fields[5] = ".".join(map(str, counts))
        fields[3] = "move"
    fields[at] = "?"
    try:
        return family.read(" ".join(fields), seed=0)
    except PositionError:
        return None  # in the middle of a turn
