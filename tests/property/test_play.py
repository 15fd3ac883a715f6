"""What must hold in every game: checks hung on one harness of random play.

Hypothesis chooses ruleset, seats, seed and how far the game goes; a failing case is made small and
shown with the seed that plays it. Read `tests/cases.py` before this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorry_env import notation
from sorry_env.engine.audit import audit
from sorry_env.engine.state import HOME
from sorry_env.errors import MoveError, RequestError
from sorry_env.game import Game
from tests.cases import DERIVED, PUBLISHED, SEATINGS, first_seats

CASES = [
    *((name, seats) for name, count in PUBLISHED for seats in SEATINGS[count]),
    *DERIVED,
]
EXAMPLES = settings(max_examples=40)


@st.composite
def beginnings(draw: st.DrawFn) -> Game:
    """A new game of any ruleset, seats, beginner and seed."""
    name, seats = draw(st.sampled_from(CASES))
    first = draw(st.sampled_from([None, "random", *first_seats(seats)]))
    return Game(name, seats, seed=draw(st.integers(0, 2**64 - 1)), first=first)


def play(game: Game, choices: np.random.Generator, plies: int) -> Iterator[Game]:
    """The game itself, before each of at most ``plies`` random decisions and after the last."""
    for _ in range(plies):
        yield game
        if game.over:
            return
        game.play(int(choices.choice(game.legal_actions())))
    yield game


@EXAMPLES
@given(beginnings(), st.integers(0, 2**32))
def test_the_audit_finds_no_fault(game: Game, seed: int) -> None:
    for one in play(game, np.random.default_rng(seed), 120):
        assert audit(one.tables, one.state[0]) == []
        assert one.mask().any() != one.over
        assert (one.actor != one.turn) == (one.phase in ("answer", "reply"))


@EXAMPLES
@given(beginnings(), st.integers(0, 2**32), st.integers(0, 150))
def test_masked_actions_apply_and_all_others_are_refused(game: Game, seed: int, plies: int) -> None:
    *_, game = play(game, np.random.default_rng(seed), plies)
    mask = game.mask()
    before = game.state.tobytes()
    for action in range(game.tables.num_actions):
        if mask[action]:
            twin = game.copy()
            twin.play(action)
            assert audit(twin.tables, twin.state[0]) == []
            assert twin.plies == game.plies + 1
        else:
            with pytest.raises(MoveError):
                game.play(action)
        assert game.state.tobytes() == before
    texts = notation.legal_texts(game)
    assert len(texts) == len(set(texts)) == int(mask.sum())


@EXAMPLES
@given(beginnings(), st.integers(0, 2**32))
def test_text_and_back(game: Game, seed: int) -> None:
    for one in play(game, np.random.default_rng(seed), 40):
        text = notation.write(one)
        twin = notation.read(text, seed=0)
        assert notation.write(twin) == text
        for field in one.state.dtype.names or ():
            if field not in ("rng", "plies", "draws"):
                assert (twin.state[field] == one.state[field]).all(), field
        assert twin.legal_moves() == one.legal_moves()


@EXAMPLES
@given(beginnings(), st.integers(0, 2**32), st.integers(1, 120))
def test_undo_restores_every_byte(game: Game, seed: int, plies: int) -> None:
    states = [one.state.tobytes() for one in play(game, np.random.default_rng(seed), plies)]
    for before in reversed(states[:-1]):
        game.undo()
        assert game.state.tobytes() == before
    with pytest.raises(RequestError):
        game.undo()


@EXAMPLES
@given(beginnings(), st.integers(0, 2**32), st.integers(0, 60))
def test_copies_go_their_own_way_and_the_same_way(game: Game, seed: int, plies: int) -> None:
    *_, game = play(game, np.random.default_rng(seed), plies)
    before = game.state.tobytes()
    one, two = game.copy(), game.copy()
    ends = [[x.state.tobytes() for x in play(g, np.random.default_rng(1), 30)] for g in (one, two)]
    assert ends[0] == ends[1]
    assert game.state.tobytes() == before


@EXAMPLES
@given(st.sampled_from(CASES), st.integers(0, 2**64 - 1), st.integers(0, 2**32))
def test_the_same_seed_gives_the_same_bytes(case: tuple[str, str], seed: int, other: int) -> None:
    games = [Game(*case, seed=seed), Game(*case, seed=seed)]
    runs = [[x.state.tobytes() for x in play(g, np.random.default_rng(other), 60)] for g in games]
    assert runs[0] == runs[1]


@EXAMPLES
@given(beginnings(), st.integers(0, 2**32), st.integers(0, 100))
def test_what_is_hidden_never_shows(game: Game, seed: int, plies: int) -> None:
    """Two games that differ in their random state alone look the same to everybody."""
    *_, game = play(game, np.random.default_rng(seed), plies)
    twin = game.copy()
    twin.state["rng"] ^= np.uint64(0x5DEECE66D)
    for seat in (None, *game.seats):
        one, two = game.view(seat), twin.view(seat)
        assert one.state.tobytes() == two.state.tobytes()
        assert (one.observation() == two.observation()).all()
        assert (one.mask() == two.mask()).all()
        assert notation.write(one) == notation.write(two)
    assert notation.write(game) == notation.write(twin)


def cards_out(game: Game) -> np.ndarray:
    """int[kinds], the cards in hands and the one being played."""
    cards = np.concatenate([game.state["hands"].ravel(), game.state["card"]])
    return np.bincount(cards[cards >= 0], minlength=len(game.ruleset.cards))


@EXAMPLES
@given(beginnings(), st.integers(0, 2**32))
def test_cards_are_conserved(game: Game, seed: int) -> None:
    """Pile, hands, card in play and discards are the whole deck; the pile grows when empty only."""
    full = np.array(game.ruleset.counts)
    if game.ruleset.infinite:
        return
    left, draws = np.array(game.unseen), game.draws
    assert (left + cards_out(game) == full).all()
    for one in play(game, np.random.default_rng(seed), 150):
        pile, out = np.array(one.unseen), cards_out(one)
        assert (pile >= 0).all() and (pile + out <= full).all()
        if one.draws == draws:
            assert (pile == left).all()
        elif left.any():
            assert one.draws == draws + 1
            drawn = left - pile
            assert drawn.sum() == 1 and drawn.max() == 1 and (out >= drawn).all()
        else:
            assert one.draws == draws + 1 and (pile + out == full).all()
        left, draws = pile, one.draws


def following_seat(game: Game, turn: int) -> int:
    """The seat that plays after this one: clockwise, finished colours are passed over."""
    goes_on = [
        seat
        for seat in game.seats
        if game.ruleset.teams != "none" or set(game.pawns[seat]) != {HOME}
    ]
    return next(s for s in [(turn + k) % 4 for k in range(1, 5)] if s in goes_on)


@EXAMPLES
@given(beginnings(), st.integers(0, 2**32))
def test_pawns_and_turns(game: Game, seed: int) -> None:
    """Nobody gains or loses a pawn, pawns that are Home stay, the turn goes clockwise."""
    ruleset, seats = game.ruleset, game.seats
    home = dict.fromkeys(seats, 0)
    again = {card.name for card in ruleset.cards if card.again}
    # Where a card is one decision of one seat, its end is the turn's end but for `again`.
    simple = not (ruleset.tokens or ruleset.hand) and not any(
        card.question or card.repeat for card in ruleset.cards
    )
    turn, card = game.turn, game.card
    for one in play(game, np.random.default_rng(seed), 150):
        assert one.seats == seats
        for seat in seats:
            codes = one.pawns[seat]
            assert len(codes) == ruleset.pawns and list(codes) == sorted(codes, reverse=True)
            assert codes.count(HOME) >= home[seat]
            home[seat] = codes.count(HOME)
        if one.plies and not one.over:
            following = following_seat(one, turn)
            finished = ruleset.teams == "none" and home[turn] == ruleset.pawns
            stays = card in again and not finished
            assert one.turn in (turn, following)
            assert not simple or one.turn == (turn if stays else following)
        turn, card = one.turn, one.card


# Turning the board: classic with four seats by a side, two opposite ones by two sides (and by one,
# to the other two colours).
TURNS = [
    ("classic", "red,blue,yellow,green", 1),
    ("classic", "red,blue,yellow,green", 2),
    ("classic", "red,blue,yellow,green", 3),
    ("classic", "red,yellow", 2),
    ("classic", "red,yellow", 1),
    ("duel-2", "red,blue", 3),
    ("classic", "red,blue,yellow", 1),
    ("classic?play_out=true&pawns=2", "red,blue,yellow,green", 1),
    ("classic?switch_slides=both", "red,blue,yellow,green", 1),
    ("teams", "red,blue,yellow,green", 2),
    ("points", "red,blue,yellow", 1),
    ("points-1939", "red,blue,yellow,green", 3),
    ("teams?hand=5", "red,blue,yellow,green", 2),
    ("fire-and-ice", "red,blue,yellow,green", 1),
    ("fire-and-ice", "red,yellow", 3),
    ("not-sorry", "red,blue,yellow", 2),
    ("not-sorry?answers=player&questions=20", "red,blue,yellow,green", 1),
    ("bump-em", "red,blue,yellow,green", 1),
    ("bump-em?pawns=2&play_out=true", "red,blue,green", 2),
    ("way-sorry", "red,blue,yellow,green", 3),
]


def turned(state: np.ndarray, sides: int) -> np.ndarray:
    """GAME[1] on a board turned by some sides, chance included."""
    twin = state.copy()
    for field in ("pawns", "ranks", "hands", "happy", "punished"):
        twin[field] = np.roll(state[field], sides, axis=1)
    for field in ("turn", "actor", "fire_seat", "ice_seat", "asked"):
        seat = int(state[field][0])
        twin[field] = seat if seat < 0 else (seat + sides) % 4
    return twin


@EXAMPLES
@given(st.sampled_from(TURNS), st.integers(0, 2**32))
def test_turning_the_board_changes_nothing_but_names(case: tuple[str, str, int], seed: int) -> None:
    """The same chance and actions on a board turned by some sides: everything turns with it."""
    name, seats, sides = case
    game = Game(name, seats, seed=seed)
    twin = Game.from_state(game.tables, turned(game.state, sides))
    choices = np.random.default_rng(seed)
    for _ in range(100):
        assert twin.state.tobytes() == turned(game.state, sides).tobytes()
        assert (game.observation() == twin.observation()).all()
        differ = game.mask() != twin.mask()
        if game.ruleset.teams == "none":
            assert not differ.any()
        # In teams, splits of partners equally far from Home are written in the order r b y g.
        assert game.mask().sum() == twin.mask().sum()
        if game.over:
            assert np.roll(game.returns(), sides).tolist() == list(twin.returns())
            return
        actions = [a for a in game.legal_actions() if not differ[a]]
        if not actions:
            return
        action = int(choices.choice(actions))
        game.play(action)
        twin.play(action)


def test_the_harness_reaches_ends() -> None:
    """Random play ends games of every kind, so that the properties see ends too."""
    ended = set()
    for name, seats in CASES:
        if "pawns=1" in name or name in ("duel-1", "duel-2") or "pawns=2" in name:
            game = Game(name, seats, seed=1)
            *_, game = play(game, np.random.default_rng(1), 3000)
            ended.add((name, game.over))
    assert ended and all(over for _, over in ended)


def test_rewards_sum_to_zero_at_every_end() -> None:
    choices: Any = np.random.default_rng(2)
    for name, seats in CASES:
        if name.startswith("solo"):
            continue
        game = Game(name, seats, seed=3)
        *_, game = play(game, choices, 4000)
        assert game.over, (name, seats)
        assert abs(sum(game.returns("win"))) < 1e-6
        assert all(game.returns()[s] == 0 for s in range(4) if s not in game.seats)
        if game.ruleset.play_out:
            assert abs(sum(game.returns("rank"))) < 1e-6
            assert max(game.returns("rank")) == 1 and min(game.returns("rank")) == -1
