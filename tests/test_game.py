"""`Game`, the careful door: what it tells, what it refuses, and that refusing changes nothing."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from sorry_env import notation
from sorry_env.errors import MoveError, RequestError, RulesetError, SorryError
from sorry_env.game import Game, Move, Outcome, Part
from sorry_env.rules import get_ruleset
from tests.reference.positions import full, position


def at(pawns: str, seat: str, card: str, ruleset: str = "classic", extra: str = "-") -> Game:
    """A game from a short text, see `tests/reference/positions.py`."""
    return notation.read(position(pawns, seat, card, ruleset, extra=extra), seed=1)


def test_a_new_game() -> None:
    game = Game("classic", "yellow,red", seed=7)
    assert game.ruleset is get_ruleset("classic")
    assert (game.seats, game.turn, game.actor, game.phase, game.over) == (
        (0, 2),
        0,
        0,
        "move",
        False,
    )
    assert game.pawns == ((0, 0, 0, 0), (), (0, 0, 0, 0), ())
    assert game.card in game.ruleset.card_names and not game.waiting
    assert sum(game.unseen or ()) == 44
    assert (game.plies, game.draws, game.winners, game.ranks) == (0, 1, (), (0, 0, 0, 0))
    assert game.outcome() is None and game.returns() == (0, 0, 0, 0)
    waiting = Game("classic", seed=7, draw=False)
    assert waiting.card == "?" and waiting.waiting and waiting.draws == 0
    assert waiting.legal_moves() == () and not waiting.mask().any()


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (None, (0, 2)),  # two sit opposite
        (3, (0, 1, 2)),  # three are Red, Blue, Yellow
        (4, (0, 1, 2, 3)),
        ("green,blue", (1, 3)),
        (["yellow", "blue", "red"], (0, 1, 2)),
        ((3, 2), (2, 3)),
        ([1, "green"], (1, 3)),
    ],
)
def test_seats(seats: Any, expected: tuple[int, ...]) -> None:
    game = Game("classic", seats, seed=1)
    assert game.seats == expected
    assert game.turn == expected[0]  # the first seated colour in the order r b y g begins


def test_who_begins() -> None:
    assert Game("classic", "blue,green", seed=1, first="green").turn == 3
    assert Game("classic", "blue,green", seed=1, first=1).turn == 1
    begun = {Game("classic", "blue,green", seed=seed, first="random").turn for seed in range(40)}
    assert begun == {1, 3}
    assert Game("solo", seed=1).seats == (0,)
    assert Game("solo", "green", seed=1).turn == 3


@pytest.mark.parametrize(
    ("settings", "error", "value"),
    [
        ({"ruleset": "chess"}, RulesetError, "chess"),
        ({"seats": 1}, RulesetError, 1),
        ({"seats": 5}, RulesetError, 5),
        ({"seats": "red"}, RulesetError, 1),
        ({"seats": "red,red"}, RulesetError, "red,red"),
        ({"seats": "red,purple"}, RulesetError, "purple"),
        ({"seats": (0, 4)}, RulesetError, 4),
        ({"seats": (0, -1)}, RulesetError, -1),
        ({"seats": [0, 1.5]}, RulesetError, 1.5),
        ({"seats": [0, None]}, RulesetError, None),
        ({"seats": 2.5}, RulesetError, 2.5),
        ({"seats": []}, RulesetError, 0),
        ({"seats": ""}, RulesetError, ""),
        ({"ruleset": "teams", "seats": 2}, RulesetError, 2),
        ({"ruleset": "duel-1", "seats": 4}, RulesetError, 4),
        ({"ruleset": "solo", "seats": 2}, RulesetError, 2),
        ({"first": "blue"}, RequestError, "blue"),
        ({"first": 7}, RequestError, 7),
        ({"first": "purple"}, RulesetError, "purple"),
        ({"first": 0.5}, RequestError, 0.5),
    ],
)
def test_settings_that_are_refused(
    settings: dict[str, Any], error: type[SorryError], value: object
) -> None:
    with pytest.raises(error) as caught:
        Game(**settings, seed=1)
    assert caught.value.value == value
    assert str(value) in str(caught.value)


def test_moves_say_what_they_do() -> None:
    game = at("20,15/-/40/-", "r", "11")
    kinds = {notation.move_text(move): move for move in game.legal_moves()}
    forward = kinds["11:20-31"]
    assert (forward.kind, forward.card, forward.parts) == ("step", "11", (Part(0, 18, 29),))
    switch = kinds["11:20x40"]
    # Yellow's 40 is 38 squares from Red's first, and Yellow counts 8 there.
    assert switch.parts == (Part(0, 18, 38),) and switch.target == (2, 8)
    game = at("S/-/40/-", "r", "S")
    (take,) = game.legal_moves()
    assert (take.kind, take.parts, take.target) == ("take", (Part(0, 0, 38),), (2, 8))
    game = at("S/-/40/-", "r", "1")
    (leave,) = game.legal_moves()
    assert (leave.kind, leave.parts, leave.target) == ("leave", (Part(0, 0, 2),), None)
    (lost,) = at("S/-/40/-", "r", "5").legal_moves()
    assert (lost.action, lost.kind, lost.parts) == (0, "pass", ())
    assert len(at("40,20/-/S/-", "r", "7").legal_moves()) == 8


def test_playing_by_action_and_by_move_is_the_same() -> None:
    one, two, three = at("20/-/S/-", "r", "5"), at("20/-/S/-", "r", "5"), at("20/-/S/-", "r", "5")
    move = one.legal_moves()[0]
    one.play(move)
    two.play(move.action)
    three.play(np.int64(move.action))  # type: ignore[arg-type]
    assert one.state.tobytes() == two.state.tobytes() == three.state.tobytes()


def test_choosing_the_next_card() -> None:
    game = at("20/-/S/-", "r", "5")
    game.play(game.legal_moves()[0], draw="S")
    assert (game.card, game.turn) == ("S", 2)
    game.play(game.legal_moves()[0], draw=False)
    assert game.waiting
    game.draw("12")
    assert game.card == "12"


BAD_MOVES: list[tuple[Any, str]] = [
    (-1, "-1"), (179, "179"), (10**6, "1000000"), (1, "not legal"), (0, "pass"), (True, "True"),
    (1.0, "1.0"), ("5:20-25", "5:20-25"), (None, "None"), ([3], "3"),
    (Move(3, "step", "5", "move", (Part(0, 18, 23),)), "not legal"),
]  # fmt: skip


@pytest.mark.parametrize(("move", "words"), BAD_MOVES)
def test_illegal_moves_change_nothing(move: Any, words: str) -> None:
    game = at("20/-/S/-", "r", "5")
    before = game.state.tobytes()
    with pytest.raises(MoveError) as caught:
        game.play(move)
    assert words in str(caught.value)
    assert caught.value.value is move
    assert game.state.tobytes() == before
    with pytest.raises(RequestError):
        game.undo()


def test_a_move_of_another_position_is_refused() -> None:
    game, other = at("20/-/S/-", "r", "5"), at("21/-/S/-", "r", "5")
    move = other.legal_moves()[0]
    with pytest.raises(MoveError, match="another position"):
        game.play(move)
    assert move.action == game.legal_moves()[0].action


@pytest.mark.parametrize("card", ["6", "", "?", "s", "-", 5])
def test_cards_that_cannot_come_change_nothing(card: Any) -> None:
    game = at("20/-/S/-", "r", "5")
    before = game.state.tobytes()
    with pytest.raises(RequestError) as caught:
        game.play(game.legal_moves()[0], draw=card)
    assert caught.value.value == card and repr(card) in str(caught.value)
    assert game.state.tobytes() == before
    with pytest.raises(RequestError, match="take back"):
        game.undo()


def test_the_order_of_calls() -> None:
    game = at("20/-/S/-", "r", "5")
    with pytest.raises(RequestError, match="no card is due"):
        game.draw()
    with pytest.raises(RequestError, match="no card is due"):
        game.draw("7")
    game.play(game.legal_moves()[0], draw=False)
    with pytest.raises(MoveError, match="drawn"):
        game.play(0)
    over = at("rH,rH,rH,r3/-/S/-", "r", "3")
    last = over.legal_moves()[0]
    before = over.state.tobytes()
    with pytest.raises(RequestError, match="over"):
        over.play(last, draw="7")
    assert over.state.tobytes() == before
    over.play(last)
    for move in (last, 0):
        with pytest.raises(MoveError, match="over"):
            over.play(move)
    with pytest.raises(RequestError, match="no card is due"):
        over.draw()
    assert over.card is None and over.legal_moves() == ()


def test_outcome_and_returns() -> None:
    game = at("rH,rH,rH,r3/S/S/S", "r", "3")
    game.play(game.legal_moves()[0])
    assert game.outcome() == Outcome((0,), (1, 0, 0, 0))
    assert game.returns() == pytest.approx((1, -1 / 3, -1 / 3, -1 / 3))
    with pytest.raises(RequestError, match="play_out"):
        game.returns("rank")
    with pytest.raises(RequestError, match="points"):
        game.returns("points")


def test_ranks_of_a_game_that_is_played_out() -> None:
    name = "classic?play_out=true"
    game = at("rH,rH,rH,r3/bH,bH,bH,b1/S/-", "r", "3", name)
    game.play(game.legal_moves()[0], draw="5")
    assert (game.over, game.winners, game.ranks) == (False, (0,), (1, 0, 0, 0))
    assert game.outcome() is None and game.returns("rank") == (0, 0, 0, 0)
    game.play(game.legal_moves()[0])
    assert game.outcome() == Outcome((0,), (1, 2, 0, 0))
    assert game.returns("rank") == (1, 0, -1, 0)
    assert game.returns("win") == (1, -0.5, -0.5, 0)


def test_teams_win_together() -> None:
    game = at("H/S/yH,yH,yH,y3/S", "r", "3", "teams")
    game.play(game.legal_moves()[0])
    assert game.winners == (0, 2) and game.returns() == (1, -1, 1, -1)
    assert notation.write(game).endswith("r over - 5.4.3.4.4.4.4.4.4.4.4 - winner=ry")


def test_undo_takes_back_the_move_and_the_draw() -> None:
    game = Game("classic", seed=3)
    states: list[bytes] = []
    while not game.over and len(states) < 300:
        states.append(game.state.tobytes())
        game.play(int(game.legal_actions()[-1]))
    while states:
        game.undo()
        assert game.state.tobytes() == states.pop()
    with pytest.raises(RequestError, match="take back"):
        game.undo()


def test_undo_of_a_move_whose_card_came_later() -> None:
    game = at("20/-/S/-", "r", "5")
    before = game.state.tobytes()
    game.play(game.legal_moves()[0], draw=False)
    game.draw("7")
    game.undo()
    assert game.state.tobytes() == before


@pytest.mark.parametrize("how", [Game.copy, copy.copy, copy.deepcopy])
def test_copies_are_independent(how: Any) -> None:
    game = Game("classic", 4, seed=4)
    game.play(int(game.legal_actions()[0]))
    twin = how(game)
    before = game.state.tobytes()
    for _ in range(5):
        twin.play(int(twin.legal_actions()[0]))
    assert game.state.tobytes() == before
    for _ in range(5):
        game.play(int(game.legal_actions()[0]))
    assert game.state.tobytes() == twin.state.tobytes()
    for _ in range(6):
        twin.undo()
    for _ in range(6):
        game.undo()  # each has a past of its own


def test_pickled_games_go_on() -> None:
    game = Game("classic", 4, seed=4)
    game.play(int(game.legal_actions()[0]))
    twin = pickle.loads(pickle.dumps(game))
    assert twin.tables is game.tables
    for one in (game, twin):
        one.undo()
        for _ in range(5):
            one.play(int(one.legal_actions()[0]))
    assert game.state.tobytes() == twin.state.tobytes()


def test_views() -> None:
    game = at("20/-/40/-", "r", "11")
    view, watching = game.view(2), game.view()
    assert view.state["rng"][0] == 0
    assert notation.write(view) == notation.write(watching) == notation.write(game)
    assert (watching.observation() == game.observation()).all()
    assert (view.observation() == game.observation(2)).all()
    with pytest.raises(RequestError, match="seat 2"):
        view.observation(0)
    for seat in (1, 3, 4, -1):
        with pytest.raises(RequestError, match=str(seat)):
            game.view(seat)
    before = notation.write(view)
    game.play(game.legal_moves()[0])
    assert notation.write(view) == before
    view.state["turn"] = 2
    assert game.turn == 2 and notation.write(watching) == before


def test_seeds() -> None:
    def cards(game: Game) -> list[str | None]:
        seen = []
        for _ in range(30):
            seen.append(game.card)
            game.play(int(game.legal_actions()[0]))
        return seen

    assert cards(Game(seed=5)) == cards(Game(seed=5))
    assert cards(Game(seed=5)) != cards(Game(seed=6))
    assert Game().state["rng"] != Game().state["rng"]
    assert full("S/-/S/-") == notation.write(Game(seed=3)).split(" ")[1]
