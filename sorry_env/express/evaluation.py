"""Exact evaluation of bots at the dice game with two players: nothing is sampled.

A bot is asked for its chances in every position with one, two or three dice on the table, up to the
names of the colours. Against the optimum and against its best response its game is then a set of
equations, solved by backups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from sorry_env.bots.base import Bot
from sorry_env.engine.jit import kernel
from sorry_env.errors import RequestError
from sorry_env.express import turn
from sorry_env.express.bots import ExpressOptimalBot, ExpressRequest
from sorry_env.express.rules import FACES
from sorry_env.express.solution import (
    MOST_SWEEPS,
    ExpressSolution,
    best_of_one,
    best_of_two,
    mean_of_rolls,
    settled,
)
from sorry_env.express.space import OPEN, ExpressSpace, Rolls, put
from sorry_env.express.state import COLOURS, DICE, RESOLVED, empty_games
from sorry_env.solve.backup import TOLERANCE
from sorry_env.solve.evaluation import Losses
from sorry_env.solve.extrapolation import Extrapolation
from sorry_env.solve.graph import Progress, silent
from sorry_env.solve.policy import checked_chances

#: Decisions that a bot is asked at once.
CHUNK: Final = 65_536
#: Decisions that are asked again with other names of the colours, to see that they mean nothing.
RENAMED: Final = 4_096
#: Chances that differ by no more are the same.
SAME: Final = 1e-6


@dataclass(frozen=True, eq=False)
class Decisions:
    """All decisions of a turn, whatever the state: D sets of faces and dice that show them.

    faces: int8[D, 3], ascending, -1 for no die; the rolls, then the pairs, then the single faces
    dice:  int8[D, 3], by die the face it shows or RESOLVED
    """

    faces: np.ndarray
    dice: np.ndarray

    @classmethod
    def of(cls, space: ExpressSpace, rolls: Rolls) -> Decisions:
        """Those of a space; pairs and faces that no dice show are given, but never met."""
        pairs = [(-1, *pair) for pair in rolls.pairs.tolist()]
        singles = [(-1, -1, face) for face in range(len(FACES))]
        faces = [*map(tuple, rolls.triples.tolist()), *pairs, *singles]
        dice = [_show(space.tables.ruleset.dice, [f for f in some if f >= 0]) for some in faces]
        return cls(np.array(faces, np.int8), np.array(dice, np.int8))


def evaluate(solution: ExpressSolution, bot: Bot, *, progress: Progress = silent) -> Losses:
    """Evaluate a bot exactly.

    bot: asked once for each decision after a reset, and taken to play so always
    Raises RequestError for a bot that plays otherwise when the colours have other names.
    """
    space, rolls = solution.space, solution.rolls
    decisions = Decisions.of(space, rolls)
    offsets = np.empty(space.states * len(decisions.faces) + 1, np.int64)
    count_weights(space.options, decisions.faces, space.over, offsets)
    bot.reset(0)
    tables: Any = space.tables
    bot.check(tables, (0, 1))
    _check_names(space, decisions, bot)
    weights = _ask(space, decisions, offsets, bot, progress)
    start = solution.start
    game = _Game(solution, decisions, offsets, weights)
    optimal = _ask(space, decisions, offsets, ExpressOptimalBot(solution), progress)
    against_optimum = game.settle(optimal, start, progress)
    against_best = game.settle(None, start, progress)
    value = solution.value()
    return Losses(bot.name, (value, 1.0 - value), against_optimum, against_best)


class _Game:
    """The game of a bot, whose weights are known, against another player."""

    def __init__(
        self,
        solution: ExpressSolution,
        decisions: Decisions,
        offsets: np.ndarray,
        weights: np.ndarray,
    ) -> None:
        self._solution, self._decisions = solution, decisions
        self._offsets, self._weights = offsets, weights
        self._one, self._two = np.empty_like(solution.one), np.empty_like(solution.two)

    def settle(
        self, other: np.ndarray | None, start: int, progress: Progress
    ) -> tuple[float, float]:
        """Chances of the bot to win, beginning and not, against weights, or its best response."""
        mine, theirs = self._solution.values.copy(), self._solution.values.copy()
        leaps = Extrapolation([mine, theirs], 0.0, 1.0)
        for sweep in range(MOST_SWEEPS):
            change = self._expect(self._weights, theirs, mine)
            if other is None:
                change = max(change, self._respond(mine, theirs))
            else:
                change = max(change, self._expect(other, mine, theirs))
            if change <= TOLERANCE:
                return float(mine[start]), 1.0 - float(theirs[start])
            progress(f"sweep {sweep}, largest change {change:.1e}")
            leaps.leap(change)
        raise RequestError("values do not settle", value=start)

    def _expect(self, weights: np.ndarray, next_values: np.ndarray, values: np.ndarray) -> float:
        space, rolls = self._solution.space, self._solution.rolls
        return float(
            expect(
                space.options, self._decisions.faces, rolls.chances, rolls.pair, rolls.renamed,
                space.over, space.passed, self._offsets, weights, next_values, self._one,
                self._two, values,
            )
        )  # fmt: skip

    def _respond(self, next_values: np.ndarray, values: np.ndarray) -> float:
        space, rolls = self._solution.space, self._solution.rolls
        best_of_one(space.options, space.passed, next_values, self._one)
        best_of_two(space.options, rolls.pairs, rolls.renamed, self._one, self._two)
        return float(
            mean_of_rolls(
                space.options, space.over, rolls.triples, rolls.chances, rolls.pair,
                rolls.renamed, self._two, values,
            )
        )  # fmt: skip


def _show(dice: tuple[str, ...], faces: list[int]) -> list[int]:
    """By die the face that it shows, so that all of them lie there; RESOLVED for the others."""
    if not faces:
        return [RESOLVED] * len(dice)
    if not dice:
        return []
    first, rest = dice[0], dice[1:]
    for face in (*faces, None):
        if face is not None and FACES[face] not in first:
            continue
        others = list(faces)
        if face is not None:
            others.remove(face)
        if len(others) <= len(rest):
            shown = _show(rest, others)
            if sum(one >= 0 for one in shown) == len(others):
                return [RESOLVED if face is None else face, *shown]
    return [RESOLVED] * len(dice)


def _ask(
    space: ExpressSpace, decisions: Decisions, offsets: np.ndarray, bot: Bot, progress: Progress
) -> np.ndarray:
    """float64[offsets[-1]], the chance of each option in each decision."""
    weights = np.zeros(int(offsets[-1]))
    tables: Any = space.tables
    open_states = np.flatnonzero(space.over == OPEN)
    met = np.flatnonzero((decisions.dice >= 0).any(axis=1))
    each = max(1, CHUNK // len(met))
    for low in range(0, len(open_states), each):
        states = np.repeat(open_states[low : low + each], len(met))
        which = np.tile(met, len(states) // len(met))
        request = _request(space, decisions, states, which)
        chances = checked_chances(bot.name, tables, request.mask, bot.distribution(request))
        weigh(
            space.tables.arrays, space.options, decisions.faces, decisions.dice, offsets, states,
            which, request.mask, chances, weights,
        )  # fmt: skip
        progress(f"{bot.name} asked in {min(1.0, (low + each) / len(open_states)):.0%} of states")
    return weights


def _request(
    space: ExpressSpace, decisions: Decisions, states: np.ndarray, which: np.ndarray
) -> ExpressRequest:
    """Decisions int[n] of states int[n], as bots are asked."""
    games = empty_games(len(states))
    games["seats"] = 2
    pose(space.codec, states, decisions.dice, which, games)
    return _request_of(space, games)


def _request_of(space: ExpressSpace, games: np.ndarray) -> ExpressRequest:
    tables: Any = space.tables
    mask = np.empty((len(games), tables.num_actions), np.bool_)
    seen = np.empty((len(games), tables.observation_size), np.int8)
    look(tables.arrays, games, mask, seen)
    return ExpressRequest(tables, games, seen, mask)


def _check_names(space: ExpressSpace, decisions: Decisions, bot: Bot) -> None:
    """RequestError unless the bot plays the same when colours have other names."""
    if not space.symmetric:
        return
    rng = np.random.default_rng(0)
    states = rng.choice(np.flatnonzero(space.over == OPEN), RENAMED)
    which = rng.choice(np.flatnonzero((decisions.dice >= 0).any(axis=1)), RENAMED)
    request = _request(space, decisions, states, which)
    names = np.array([1, 2, 3, 0])
    games = request.games.copy()
    games["held"][:, :, names] = request.games["held"]
    games["pool"][:, names] = request.games["pool"]
    games["home"][:, :2] = names[request.games["home"][:, :2]]
    dice = request.games["dice"].astype(np.int64)
    coloured = (dice >= 0) & (dice < COLOURS)
    games["dice"] = np.where(coloured, names[np.where(coloured, dice, 0)], dice)
    renamed = bot.distribution(_request_of(space, games))
    actions = space.tables.actions
    keys = {tuple(row)[:5]: i for i, row in enumerate(actions.tolist())}
    move = np.empty(len(actions), np.int64)
    for i, (die, face, kind, colour, side, _) in enumerate(actions.tolist()):
        colour = int(names[colour]) if colour >= 0 else colour
        face = int(names[face]) if 0 <= face < COLOURS else face
        move[i] = keys[die, face, kind, colour, side]
    if np.abs(renamed[:, move] - bot.distribution(request)).max() > SAME:
        raise RequestError(
            f"{bot.name} plays otherwise when the colours have other names: exact evaluation of "
            f"{space.words} is for bots that treat all colours alike",
            value=bot.name,
        )


# ---------------------------------------------------------------------------- kernels


@kernel
def count_weights(options: Any, faces: Any, over: Any, offsets: Any) -> None:
    """Where the weights of each decision begin; offsets: int64[N * D + 1], overwritten."""
    total = 0
    kinds = (len(options.start) - 1) // len(over)
    for state in range(len(over)):
        for d in range(len(faces)):
            offsets[state * len(faces) + d] = total
            if over[state] != OPEN:
                continue
            for i in range(DICE):
                face = faces[d, i]
                if face >= 0 and (i == 0 or faces[d, i - 1] != face):
                    at = state * kinds + face
                    total += options.start[at + 1] - options.start[at]
    offsets[len(offsets) - 1] = total


@kernel
def pose(codec: Any, states: Any, dice: Any, which: Any, games: Any) -> None:
    """Set up decisions ``which`` int[n] of states int[n] in EXPRESS_GAME[n]."""
    for i in range(len(states)):
        put(codec, states[i], games[i])
        for die in range(DICE):
            games[i]["dice"][die] = dice[which[i], die]


@kernel
def look(rules: Any, games: Any, mask: Any, seen: Any) -> None:
    """Legal actions bool[n, A] and observations int8[n, O] of EXPRESS_GAME[n], overwritten."""
    for i in range(len(games)):
        turn.legal_mask(rules, games[i], mask[i])
        turn.observe(games[i], int(games[i]["turn"]), seen[i])


@kernel
def weigh(
    rules: Any, options: Any, faces: Any, dice: Any, offsets: Any, states: Any, which: Any,
    mask: Any, chances: Any, weights: Any,
) -> None:  # fmt: skip
    """Add chances float64[n, A] of actions to the weights of the options that they are.

    Dice that show the same face share its options.
    """
    for row in range(len(states)):
        d = which[row]
        at = offsets[states[row] * len(faces) + d]
        for i in range(DICE):
            face = faces[d, i]
            if face < 0 or (i > 0 and faces[d, i - 1] == face):
                continue
            count = 0
            for die in range(DICE):
                if dice[d, die] != face:
                    continue
                # The table lists the actions of a face in the same order for every die.
                count = 0
                for a in range(mask.shape[1]):
                    if rules.actions[a]["die"] == die and mask[row, a]:
                        weights[at + count] += chances[row, a]
                        count += 1
            at += count


@kernel
def expect(
    options: Any, faces: Any, chances: Any, pair: Any, renamed: Any, over: Any, passed: Any,
    offsets: Any, weights: Any, next_values: Any, one: Any, two: Any, values: Any,
) -> Any:  # fmt: skip
    """One backup of all values of a player who plays by weights; returns the largest change.

    next_values: float64[N], of the other player; one, two: to work in; values: float64[N], updated
    """
    kinds, rolls, pairs, many = one.shape[1], len(chances), two.shape[1], len(faces)
    for state in range(len(values)):
        if over[state] != OPEN:
            continue
        for face in range(kinds):
            value = 0.0
            at = offsets[state * many + rolls + pairs + face]
            for k in range(
                options.start[state * kinds + face], options.start[state * kinds + face + 1]
            ):
                worth = settled(options.winner[k])
                if options.winner[k] == OPEN:
                    worth = 1.0 - next_values[passed[options.state[k]]]
                value += weights[at] * worth
                at += 1
            one[state, face] = value
    for state in range(len(values)):
        if over[state] != OPEN:
            continue
        for p in range(pairs):
            value = 0.0
            d = rolls + p
            at = offsets[state * many + d]
            for i in range(1, DICE):
                face = faces[d, i]
                if faces[d, i - 1] == face:
                    continue
                other = faces[d, DICE - i]
                for k in range(
                    options.start[state * kinds + face], options.start[state * kinds + face + 1]
                ):
                    worth = settled(options.winner[k])
                    if options.winner[k] == OPEN:
                        worth = one[options.state[k], renamed[options.names[k], other]]
                    value += weights[at] * worth
                    at += 1
            two[state, p] = value
    change = 0.0
    for state in range(len(values)):
        if over[state] != OPEN:
            continue
        total = 0.0
        for d in range(rolls):
            value = 0.0
            at = offsets[state * many + d]
            for i in range(DICE):
                face = faces[d, i]
                if i > 0 and faces[d, i - 1] == face:
                    continue
                a, b = faces[d, (i + 1) % DICE], faces[d, (i + 2) % DICE]
                for k in range(
                    options.start[state * kinds + face], options.start[state * kinds + face + 1]
                ):
                    worth = settled(options.winner[k])
                    if options.winner[k] == OPEN:
                        names = options.names[k]
                        worth = two[options.state[k], pair[renamed[names, a], renamed[names, b]]]
                    value += weights[at] * worth
                    at += 1
            total += chances[d] * value
        change = max(change, abs(total - values[state]))
        values[state] = total
    return change
