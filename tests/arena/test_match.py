"""Matches: fair in seats and cards, the same for the same seed, strict with the bots' answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from sorry_env.arena import MatchResult, play_match
from sorry_env.arena.match import game_seeds, make_seatings
from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.random import RandomBot
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import ModelError, MoveError, RequestError, RulesetError, SorryError
from sorry_env.game import Game, View


class Spy(RandomBot):
    """Plays at random and writes down what it is asked."""

    def __init__(self, name: str = "spy") -> None:
        super().__init__()
        self.name = name
        self.requests: list[BatchRequest] = []

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        self.requests.append(request)
        return super().choose_batch(request)


class Slow(Bot):
    """A bot of one game at a time, without chance: the first legal action."""

    def choose(self, view: View) -> int:
        return int(view.legal_actions()[0])


def bytes_of(result: MatchResult) -> bytes:
    return result.outcomes.tobytes()


# -- seats and cards ----------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_bot_sits_everywhere_in_every_order(n: int) -> None:
    seatings = make_seatings([(seat,) for seat in range(n)], teams=False)[:, :n].tolist()
    assert sorted(map(tuple, seatings)) == sorted(permutations(range(n)))
    for seed in range(0, len(seatings), n):  # the n seatings of one seed
        for seat in range(n):
            assert sorted(seatings[seed + k][seat] for k in range(n)) == list(range(n))


def test_partners_stay_together() -> None:
    pairs = make_seatings([(0, 2), (1, 3)], teams=True)
    assert pairs.tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    for seating in make_seatings([(0,), (1,), (2,), (3,)], teams=True).tolist():
        assert {seating[0], seating[2]} in ({0, 2}, {1, 3})


def test_seats_that_are_not_taken_have_no_bot() -> None:
    result = play_match(["random", "random"], seats="blue,green", games=2)
    assert result.outcomes["bots"].tolist() == [[-1, 0, -1, 1], [-1, 1, -1, 0]]


def cards_seen(moves: Sequence[int], seed: int) -> list[str | None]:
    """Cards of a game played by numbers taken modulo the number of legal actions."""
    game = Game("classic", 2, seed=seed)
    seen = []
    for number in moves:
        seen.append(game.card)
        legal = game.legal_actions()
        game.play(int(legal[number % len(legal)]))
    return seen


def test_equal_seeds_deal_equal_cards_whatever_is_played() -> None:
    random = np.random.default_rng(0)
    first, second = (cards_seen(random.integers(1000, size=60).tolist(), 4) for _ in range(2))
    assert first == second


def test_the_games_of_a_seed_have_the_same_cards() -> None:
    spies = [Spy("a"), Spy("b"), Spy("c")]
    result = play_match(spies, games=12, batch=12, seed=9)
    # A request holds no random state, but every card that comes up shows: game -> draw -> card.
    seen: dict[int, dict[int, int]] = {}
    for spy in spies:
        for request in spy.requests:
            assert request.keys is not None and not request.games["rng"].any()
            for key, game in zip(request.keys.tolist(), request.games, strict=True):
                seen.setdefault(key >> 32, {})[int(game["draws"])] = int(game["card"])
    assert sorted(seen) == list(range(12))
    for seed in range(4):
        common: Counter[tuple[int, int]] = Counter()
        for game in range(3 * seed, 3 * seed + 3):
            common.update(seen[game].items())
        cards = {draw for draw, _ in common}
        assert len(common) == len(cards) > 50  # one card for each draw, in all three games
        assert max(common.values()) == 3
    assert len({tuple(sorted(seen[3 * seed].items())) for seed in range(4)}) == 4
    assert len(game_seeds(9, np.array([0, 0, 1]))) == 3
    assert result.games == 12


def test_ties_favour_no_seat_and_no_bot() -> None:
    result = play_match(["greedy"] * 4, games=2000, seed=3, first="random")
    assert result.bots == ("greedy", "greedy#2", "greedy#3", "greedy#4")
    for bot in range(4):
        low, high = result.interval(bot)
        assert low - 0.01 < 0.25 < high + 0.01
    # Games of one seed share their cards, so seats count by seed.
    shares = result.wins_by_seat.sum(axis=0) / result.games
    assert abs(shares - 0.25).max() < 4.5 * (0.1875 / 500) ** 0.5


def test_greedy_beats_random_as_often_as_is_known() -> None:
    result = play_match(["greedy", "random"], games=3000, seed=1)
    assert 0.74 < result.rate(0) < 0.81
    assert play_match(["greedy", "random"], "teams", games=200, seed=1).rate(0) > 0.9
    assert play_match(["greedy", *["random"] * 3], games=400, seed=1).rate(0) > 0.55


# -- the same again -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "ruleset"),
    [
        (["greedy", "random"], "classic"),
        (["greedy", "random", "random"], "classic"),
        (["random", "greedy"], "teams-two"),
    ],
)
def test_the_batch_size_changes_nothing(bots: list[str], ruleset: str) -> None:
    whole = play_match(bots, ruleset, games=12, seed=5)
    for batch in (1, 7, 4096):
        assert bytes_of(play_match(bots, ruleset, games=12, seed=5, batch=batch)) == bytes_of(whole)
    assert bytes_of(play_match(bots, ruleset, games=12, seed=6)) != bytes_of(whole)


def test_more_games_begin_with_the_same_ones() -> None:
    few, many = (play_match(["greedy", "random"], games=games) for games in (40, 100))
    assert np.array_equal(few.outcomes, many.outcomes[:40])


@pytest.mark.parametrize(("bots", "ruleset"), [(2, "classic"), (3, "quick"), (2, "teams")])
def test_a_match_can_go_on_where_another_has_ended(bots: int, ruleset: str) -> None:
    names = ["greedy", *["random"] * (bots - 1)]
    whole = play_match(names, ruleset, games=20 * bots, seed=4)
    head = play_match(names, ruleset, games=7 * bots, seed=4)
    rest = play_match(names, ruleset, games=13 * bots, seed=4, skip=7, batch=5)
    assert bytes_of(head) + bytes_of(rest) == bytes_of(whole)
    assert tuple(map(sum, zip(head.asked, rest.asked, strict=True))) == whole.asked


def test_a_bot_with_state_from_before_is_reset() -> None:
    bots = [RandomBot(), RandomBot()]
    assert bytes_of(play_match(bots, games=20)) == bytes_of(play_match(bots, games=20))


def test_a_bot_may_spoil_what_it_is_given() -> None:
    class Vandal(RandomBot):
        def choose_batch(self, request: BatchRequest) -> np.ndarray:
            chosen = super().choose_batch(request)
            request.mask[:] = True
            request.observation[:] = 99
            request.games["pawns"] = 66
            return chosen

    spoilt = play_match([Vandal(), RandomBot()], games=20)
    assert bytes_of(spoilt) == bytes_of(play_match(["random", "random"], games=20))


def test_a_bot_of_single_views_plays_along() -> None:
    result = play_match([Slow(), Slow()], "duel-2", games=10, batch=3)
    assert bytes_of(result) == bytes_of(play_match([Slow(), Slow()], "duel-2", games=10))


# -- who may play where -------------------------------------------------------------------------


def test_seats_follow_from_the_number_of_bots() -> None:
    for n, seats in ((2, (0, 2)), (3, (0, 1, 2)), (4, (0, 1, 2, 3))):
        result = play_match(["random"] * n, games=1)
        assert result.groups == tuple((seat,) for seat in seats)
        assert result.games == n  # rounded up: every seed in every seating
    assert play_match(["random"], "solo", games=3).groups == ((0,),)
    for ruleset in ("teams", "teams-two"):
        assert play_match(["random"] * 2, ruleset, games=1).groups == ((0, 2), (1, 3))
    assert play_match(["random"] * 4, "teams", games=1).groups == ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize(
    ("bots", "options", "message"),
    [
        (
            2,
            {"seats": 4},
            "classic with the seats red, blue, yellow, green needs as many bots as 4",
        ),
        (4, {"seats": "red,blue"}, "needs as many bots as 2, one for each seat, not 4"),
        (3, {"ruleset": "teams"}, "needs as many bots as 2, one for each team, or 4, one for each"),
        (4, {"ruleset": "teams-two"}, "needs as many bots as 2, one for each team, not 4"),
        (1, {}, "is for 2 or 3 or 4 seats, not 1"),
        (5, {}, "is for 2 or 3 or 4 seats, not 5"),
        (0, {}, "a match needs a bot"),
        (3, {"ruleset": "duel-1"}, "is for 2 seats, not 3"),
        (2, {"games": 0}, "games=0 and batch=512 must be 1 or more"),
        (2, {"skip": -1}, "skip=-1 0 or more"),
        (2, {"batch": 0}, "games=1000 and batch=0 must be 1 or more"),
        (2, {"max_plies": 0}, "max_plies=0"),
        (2, {"reward": "money"}, "reward 'money' must be one of win, rank, points"),
        (2, {"reward": "points"}, "reward 'points' needs a ruleset with scores"),
        (2, {"target_score": 9}, "target_score needs a ruleset with scores"),
        (2, {"ruleset": "points", "target_score": 0}, "target_score=0 must be"),
        (2, {"ruleset": "points", "target_score": 9, "reward": "rank"}, "'rank' is none of"),
        (2, {"first": "blue"}, "first='blue' must be a seated colour"),
        (2, {"ruleset": "clasic"}, "unknown ruleset 'clasic'"),
    ],
)
def test_matches_that_cannot_be(bots: int, options: dict[str, Any], message: str) -> None:
    with pytest.raises((RequestError, RulesetError), match=message):
        play_match(["random"] * bots, **options)


def test_an_unknown_bot_and_one_that_cannot_play_this() -> None:
    class Picky(RandomBot):
        def check(self, tables: RuleTables, seats: Sequence[int]) -> None:
            raise ModelError(f"not with {len(seats)} seats", value=seats)

    with pytest.raises(RequestError, match="unknown bot 'gready'"):
        play_match(["gready", "random"])
    with pytest.raises(ModelError, match="not with 3 seats"):
        play_match(["random", Picky(), "random"], games=3)


# -- liars --------------------------------------------------------------------------------------


def liar(answer: Any) -> Bot:
    """A bot that answers its fifth request in another way."""

    class Liar(Spy):
        def choose_batch(self, request: BatchRequest) -> np.ndarray:
            chosen = super().choose_batch(request)
            return answer(request, chosen) if len(self.requests) == 5 else chosen

    return Liar("liar")


def _with_first(value: int) -> Any:
    return lambda request, chosen: np.array([value, *chosen[1:]])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (_with_first(-1), "bot liar chose action -1, which is not legal in classic "),
        (_with_first(179), "bot liar chose action 179, which is not legal in classic "),
        (_with_first(2**40), f"bot liar chose action {2**40}, which is not legal"),
        (lambda r, c: (~r.mask).argmax(axis=1), r"chose action 0 \(pass\), which is not legal in"),
        (lambda r, c: c[:-1], r"bot liar must choose \d+ actions .* of shape \(\d+,\)"),
        (lambda r, c: c[:, None], r"of shape \(\d+, 1\)"),
        (lambda r, c: c.astype(np.float64), r"not float64 of shape \(\d+,\)"),
        (lambda r, c: r.mask[:, 0], r"not bool of shape \(\d+,\)"),
        (lambda r, c: None, r"not object of shape \(\)"),
        (lambda r, c: ["pass"] * 8, r"not <U4 of shape \(8,\)"),
        (lambda r, c: [1, 2, [3]], r"bot liar must choose \d+ actions as ints"),
    ],
)
def test_an_illegal_answer_names_bot_action_and_position(answer: Any, message: str) -> None:
    with pytest.raises(MoveError, match=message) as caught:
        play_match([liar(answer), "random"], games=16)
    assert isinstance(caught.value, SorryError) and caught.value.code == "illegal_move"


def test_what_would_have_been_legal_is_listed() -> None:
    with pytest.raises(MoveError, match=r"legal are \d+ \(.+:.+\)") as caught:
        play_match([liar(_with_first(-1)), "random"], games=16)
    assert caught.value.value == -1
