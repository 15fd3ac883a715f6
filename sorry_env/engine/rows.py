"""Kernels for many games in which one side decides outside and the others are played on the spot.

A vector environment steps its learners with `step_rows`: their actions are played, then everything
up to their next decision: chance, forced decisions, and the seats that choose at random. Where
another bot is to choose, the row stops and says whom to ask. Nothing begins anew by itself:
`begin_rows` does it for the rows that are named. Read `stepping.py` before and
`../envs/sides.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from sorry_env.engine.jit import helper, inner, kernel, wrapping
from sorry_env.engine.masks import chance_due, legal_mask
from sorry_env.engine.observe import observe
from sorry_env.engine.results import returns
from sorry_env.engine.rng import advance, mix
from sorry_env.engine.state import OVER, SEATS
from sorry_env.engine.stepping import begin_game, nth_legal
from sorry_env.engine.turn import draw, end_vain_play, play

# Who decides for a seat, besides the number of a bot.
LEARNER: Final = -1
UNOWNED: Final = -2

NO_ACTION: Final = -1

# Where the learner sits, besides a fixed place.
RANDOM_PLACE: Final = -1
ROTATING_PLACE: Final = -2

GAMMA: Final = 0x9E3779B97F4A7C15
#: Streams of an episode's seed, as `rng.seed_state` takes them; stream 0 is the game's own chance.
KEY_STREAM: Final = -1
PLACE_STREAM: Final = -2

_GAMMA = np.uint64(GAMMA)
_SEED_SHIFT = np.uint64(0x632BE59BD9B4E019)
_STREAM = np.uint64(0xD1342543DE82EF95)
_GAME = np.uint64(0)
_KEY = np.uint64(KEY_STREAM % (1 << 64))
_PLACE = np.uint64(PLACE_STREAM % (1 << 64))
_S1 = np.uint64(1)
_S11 = np.uint64(11)
_S32 = np.uint64(32)


class Sides(NamedTuple):
    """Who plays what in B games, and the seeds of their episodes; P players, N bots.

    owner:   int8[B, 4], by seat: LEARNER, the number of a bot, or UNOWNED where nobody sits
    owners:  int8[P, 4], the row of ``owner`` where the learner has a place; read only
    place:   int8[B], the learner's place among the players
    inside:  bool[N], bots that choose at random and are played here; read only
    secrets: uint64[N], `bots.dice.Dice.secret` of these; read only
    base:    uint64[B], the seed that was given last
    number:  int64[B], episodes begun since
    seed:    uint64[B], the episode's seed, see `envs/opponents.py`
    key:     uint64[B], where the keys of the episode's decisions count from
    asked:   int8[B], the bot that must choose before the game can go on, else LEARNER
    payoff:  float64[B], the learner's reward of a game that has ended, else 0
    """

    owner: np.ndarray
    owners: np.ndarray
    place: np.ndarray
    inside: np.ndarray
    secrets: np.ndarray
    base: np.ndarray
    number: np.ndarray
    seed: np.ndarray
    key: np.ndarray
    asked: np.ndarray
    payoff: np.ndarray


@wrapping
def first_state(seed: Any, stream: Any) -> Any:
    """`rng.seed_state` of a uint64 seed and a uint64 stream."""
    return mix(mix(seed * _GAMMA + _SEED_SHIFT) + stream * _STREAM)


@wrapping
def later_seed(base: Any, number: Any) -> Any:
    """uint64, the seed of the ``number``-th episode (int64) after that of ``base`` (uint64)."""
    if number == 0:
        return base
    return mix(base + np.uint64(number) * _GAMMA) >> _S1


@wrapping
def random_place(seed: Any, players: Any) -> Any:
    """A place from 0 to players - 1 by an episode's seed (uint64)."""
    return np.int64(((first_state(seed, _PLACE) >> _S32) * np.uint64(players)) >> _S32)


@wrapping
def choose(secret: Any, key: Any, plies: Any, count: Any) -> Any:
    """Which of ``count`` legal actions the random bot with this secret plays, from 0."""
    bits = mix(advance(mix(advance(key + np.uint64(plies))) ^ secret))
    number = np.float64(np.int64(bits >> _S11)) * 1.1102230246251565e-16
    return min(np.int64(number * count), np.int64(count - 1))


@helper
def eye(game: Any, owner: Any) -> Any:
    """The seat from which the learner looks: its own or, of two, the one with the next turn."""
    turn = np.int64(game["turn"])
    if owner[turn] == LEARNER:
        return turn
    for seat in range(SEATS):
        if owner[seat] == LEARNER:
            return (turn + 1) & 3 if owner[(seat + 2) & 3] == LEARNER else seat
    return turn


@helper
def show_end(facts: Any, game: Any, i: Any, sides: Any, buffers: Any) -> None:
    """The last sight of a game: there is nothing to decide, so only action 0 is marked."""
    seat = eye(game, sides.owner[i])
    buffers.mask[i, :] = False
    buffers.mask[i, 0] = True
    buffers.legal[i] = 1
    buffers.actor[i] = seat
    buffers.length[i] = game["plies"]
    sides.asked[i] = LEARNER
    observe(facts, game, seat, buffers.observation[i])


@inner
def run_on(
    rules: Any, games: Any, i: Any, action: Any, sides: Any, buffers: Any, options: Any
) -> None:
    """Play to the learner's next decision, that of a bot which must be asked, or the end.

    action: a legal one, played first, or NO_ACTION
    """
    game = games[i]
    facts, actions = rules.facts[0], rules.actions
    while True:
        if action != NO_ACTION:
            play(facts, actions, game, action)
        if game["phase"] == OVER:
            buffers.terminated[i] = True
            returns(facts, game, options.reward, buffers.rewards[i])
            sides.payoff[i] = buffers.rewards[i, eye(game, sides.owner[i])]
            break
        if game["plies"] >= options.max_plies:
            buffers.truncated[i] = True
            break
        if chance_due(facts, game):
            draw(facts, game)
            if game["again"]:
                end_vain_play(facts, actions, game, buffers.mask[i], buffers.work[i])
        count = legal_mask(facts, actions, game, buffers.mask[i], buffers.work[i])
        actor = np.int64(game["actor"])
        bot = np.int64(sides.owner[i, actor])
        if bot == LEARNER:
            asks = count > 1 or not options.skip_forced
        else:
            asks = count > 1 and not sides.inside[bot]
        if asks:
            buffers.legal[i] = count
            buffers.actor[i] = actor
            sides.asked[i] = bot
            observe(facts, game, actor, buffers.observation[i])
            return
        nth = np.int64(0)
        if count > 1:
            nth = choose(sides.secrets[bot], sides.key[i], np.int64(game["plies"]), count)
        action = nth_legal(facts, game, buffers.mask[i], nth)
    show_end(facts, game, i, sides, buffers)


@kernel
def step_rows(
    rules: Any,
    games: Any,
    low: Any,
    high: Any,
    todo: Any,
    actions: Any,
    sides: Any,
    buffers: Any,
    options: Any,
) -> None:
    """Play legal actions in those of games low ... high - 1 that are to do, and on.

    todo: bool[B]; actions: int64[B], legal where to do
    Games that have ended stay as they are.
    """
    for i in range(low, high):
        if todo[i] and not (buffers.terminated[i] or buffers.truncated[i]):
            run_on(rules, games, i, actions[i], sides, buffers, options)


@kernel
def begin_rows(
    rules: Any,
    games: Any,
    low: Any,
    high: Any,
    todo: Any,
    deal: Any,
    placing: Any,
    first: Any,
    sides: Any,
    buffers: Any,
    options: Any,
) -> None:
    """Begin episodes by their seeds in those of games low ... high - 1 that are to do, and play on.

    todo:    bool[B]
    deal:    False goes on from the positions that the records hold
    placing: the learner's place, RANDOM_PLACE or ROTATING_PLACE
    first:   int8[B], who begins
    """
    players = len(sides.owners)
    for i in range(low, high):
        if not todo[i]:
            continue
        seed = later_seed(sides.base[i], sides.number[i])
        sides.seed[i] = seed
        sides.key[i] = first_state(seed, _KEY)
        place = placing
        if placing == RANDOM_PLACE:
            place = random_place(seed, players)
        elif placing == ROTATING_PLACE:
            place = (np.int64(sides.base[i] % np.uint64(players)) + sides.number[i]) % players
        sides.place[i] = place
        for seat in range(SEATS):
            sides.owner[i, seat] = sides.owners[place, seat]
        sides.payoff[i] = 0.0
        buffers.rewards[i, :] = 0.0
        buffers.terminated[i] = False
        buffers.truncated[i] = False
        buffers.length[i] = 0
        if deal:
            games[i]["rng"] = first_state(seed, _GAME)
            begin_game(rules.facts[0], games[i], np.int64(first[i]))
        run_on(rules, games, i, np.int64(NO_ACTION), sides, buffers, options)


@kernel
def end_rows(
    rules: Any, games: Any, low: Any, high: Any, todo: Any, sides: Any, buffers: Any
) -> None:
    """End those of games low ... high - 1 that are to do, each lost by its learner."""
    for i in range(low, high):
        if todo[i]:
            buffers.terminated[i] = True
            sides.payoff[i] = -1.0
            show_end(rules.facts[0], games[i], i, sides, buffers)


@kernel
def count_illegal(todo: Any, actions: Any, buffers: Any) -> Any:
    """In how many of the games to do that have not ended an action is not legal.

    todo: bool[B]; actions: int64[B], any
    """
    count = 0
    for i in range(len(actions)):
        if todo[i] and not (buffers.terminated[i] or buffers.truncated[i]):
            a = actions[i]
            if a < 0 or a >= buffers.mask.shape[1] or not buffers.mask[i, a]:
                count += 1
    return count
