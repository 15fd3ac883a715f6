"""The audit: no faults in any position of a game, and every kind of damage is named."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from sorry_env import notation
from sorry_env.engine.audit import audit
from sorry_env.engine.batch import Batch
from sorry_env.errors import PositionError
from sorry_env.game import Game
from tests.cases import DERIVED, PUBLISHED, SEATINGS, case_id
from tests.engine.support import size


@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_positions_of_games_have_no_faults(case: tuple[str, int]) -> None:
    name, count = case
    batch = Batch(name, SEATINGS[count][0], 3, seed=31)
    for _ in range(size(150, 20)):
        batch.random_steps(2)
        for game in batch.games:
            assert audit(batch.tables, game) == []


@pytest.mark.parametrize("case", DERIVED, ids=case_id)
def test_positions_of_derived_rulesets_have_no_faults(case: tuple[str, str]) -> None:
    game = Game(case[0], case[1], seed=32)
    rng = np.random.default_rng(32)
    for _ in range(size(400, 30)):
        assert audit(game.tables, game.state[0]) == []
        if game.over:
            break
        game.play(int(rng.choice(game.legal_actions())))


def field(name: str, value: int, *where: int) -> Callable[[np.void], None]:
    """Damage: set an entry of a field."""

    def damage(game: np.void) -> None:
        if where:
            game[name][where] = value
        else:
            game[name] = value

    return damage


def pawns(seat: int, *codes: int) -> Callable[[np.void], None]:
    """Damage: other pawns for a seat."""

    def damage(game: np.void) -> None:
        game["pawns"][seat] = codes

    return damage


DAMAGES = [
    ("not sorted", pawns(0, 5, 9, 0, 0)),
    ("share a square", pawns(0, 9, 9, 0, 0)),
    ("share a square", pawns(0, 63, 63, 0, 0)),
    ("share square 20", pawns(2, 48, 0, 0, 0)),  # Yellow's 48th square is 30 + 48 + 2 - 60
    ("no square", pawns(0, 67, 0, 0, 0)),
    ("no square", pawns(0, 0, 0, 0, -1)),
    ("no square", pawns(0, 127, 0, 0, 0)),
    ("not seated but has pawns", pawns(0, -1, 0, 0, 0)),
    ("1 colours are seated", pawns(2, -1, -1, -1, -1)),
    ("not seated", field("turn", 1)),
    ("not seated", field("turn", 4)),
    ("not seated", field("turn", -1)),
    ("another seat", field("actor", 0)),
    ("not seated", field("actor", 3)),
    ("phase", field("phase", 1)),
    ("card index 4 where there must be", field("phase", 2)),
    ("card index 4 where there must be", field("phase", 3)),
    ("seat -1 cannot be the one asked", field("phase", 7)),
    ("phase 9 does not exist", field("phase", 9)),
    ("0 steps by an answer", field("asked", 0)),
    ("somebody is asked", field("steps", 6)),
    ("holds 1 cards where it must be 0", field("hands", 3, 2, 0)),
    ("no further play", field("again", 1)),
    ("there is no Fire", field("fire_seat", 0)),
    ("there is no Ice", field("ice_code", 18)),
    ("no pawn can be happy", field("happy", 18, 0, 0)),
    ("no pawn can be punished", field("punished", 18, 0, 0)),
    ("phase", field("phase", -1)),
    ("card index 11", field("card", 11)),
    ("card index -2", field("card", -2)),
    ("card index -3", field("card", -3)),
    ("6 cards 1", field("deck", 6, 0)),
    ("-1 cards", field("deck", -1, 3)),
    ("cards 5 left of 4, 1 of them in play", field("deck", 4, 4)),
    ("1 cards ?", field("deck", 1, 12)),
    ("places are given", field("ranks", 1, 0)),
    ("places are given", pawns(0, 66, 66, 66, 66)),
    ("places are given", field("ranks", 1, 1)),
]


def damaged_game() -> Game:
    """Red on 20 against Yellow, who plays a 5."""
    game = Game("classic", seed=33, draw=False)
    game.state[0]["pawns"][0, 0] = 18
    game.state["turn"] = game.state["actor"] = 2
    game.draw("5")
    assert audit(game.tables, game.state[0]) == []
    return game


@pytest.mark.parametrize(("words", "damage"), DAMAGES)
def test_damage_is_named(words: str, damage: Callable[[np.void], None]) -> None:
    game = damaged_game()
    record = game.state.copy()
    damage(record[0])
    faults = audit(game.tables, record[0])
    assert any(words in fault for fault in faults), faults
    with pytest.raises(PositionError) as caught:
        Game.from_state(game.tables, record)
    assert words in str(caught.value) and caught.value.value == faults


# (position, what the audit says, damage): the fields that only other editions have.
_POINTS = (
    "points 20,rS,rS,rS/-/34,yS,yS,yS/- r move - 4.3.4.4.3.3.3.3.3.3.2 1.2.5.7.8/-/10.11.12.S.S/- -"
)
_FIRE = "fire-and-ice 20,rS,rS/-/40,yS,yS/- r move 3 5.4.3.4.4.4.4.4.4.4.4 - fire=20;ice=40"
_QUESTION = (
    "not-sorry 20,rS,rS,rS/-/40,yS,yS,yS/- r move Q 5.4.4.4.4.4.4.4.4.4.4.7 - asked=y;steps=6"
)
_WAY = (
    "way-sorry 20,rS,rS,rS/-/40,yS,yS,yS/- r move 3 5.4.3.4.4.4.4.4.4.4.4.2.2.2.2.1 - "
    "happy=20;punished=40"
)
FURTHER_DAMAGES = [
    (_POINTS, "red's hand is not in card order", field("hands", 10, 0, 0)),
    (_POINTS, "red holds a card that does not exist", field("hands", 11, 0, 4)),
    (_POINTS, "red holds a card that does not exist", field("hands", -2, 0, 4)),
    (_POINTS, "red holds 4 cards where it must be 5", field("hands", -1, 0, 4)),
    (_POINTS, "blue holds 1 cards where it must be 0", field("hands", 5, 1, 0)),
    (_POINTS, "5 cards 1 left of 5, 1 of them in play", field("deck", 5, 0)),
    (_POINTS, "there is no further play", field("again", 2)),
    (_POINTS, "card index 3", field("card", 3)),
    (_FIRE, "stands where the Fire is", field("fire_code", 19)),
    (_FIRE, "no pawn can carry the Fire", field("fire_code", 66)),
    (_FIRE, "no pawn can carry the Ice", field("ice_code", 61)),
    (_FIRE, "no pawn can carry the Ice", field("ice_seat", 4)),
    (_FIRE, "stands where the Ice is", field("ice_seat", 1)),
    (_FIRE, "card index 2", field("phase", 3)),
    (_QUESTION, "cannot be the one asked", field("asked", 0)),
    (_QUESTION, "cannot be the one asked", field("asked", 1)),
    (_QUESTION, "5 steps by an answer", field("steps", 5)),
    (_QUESTION, "another seat decides", field("actor", 2)),
    (_QUESTION, "another seat decides", field("phase", 8)),
    (_WAY, "stands where one is happy", field("happy", 17, 0, 0)),
    (_WAY, "punished off the track", field("punished", 61, 2, 0)),
    (_WAY, "pawns are not in order", field("happy", 18, 0, 1)),
]


@pytest.mark.parametrize(("line", "words", "damage"), FURTHER_DAMAGES)
def test_damage_of_further_fields_is_named(
    line: str, words: str, damage: Callable[[np.void], None]
) -> None:
    game = notation.read(line, seed=1)
    assert audit(game.tables, game.state[0]) == []
    record = game.state.copy()
    damage(record[0])
    faults = audit(game.tables, record[0])
    assert any(words in fault for fault in faults), faults


def test_finished_games() -> None:
    game = Game("classic?play_out=true", 3, seed=34, draw=False)
    tables, record = game.tables, game.state
    record[0]["pawns"][0] = 66
    record[0]["ranks"][0] = 1
    record["turn"] = record["actor"] = 1
    assert audit(tables, record[0]) == []
    # A finished colour is never in turn.
    record["turn"] = record["actor"] = 0
    assert any("red has finished" in fault for fault in audit(tables, record[0]))
    # Places are 1, 2, ...
    record["turn"] = record["actor"] = 1
    record[0]["ranks"][0] = 2
    assert any("places [2]" in fault for fault in audit(tables, record[0]))
    # With two of three Home the game has ended.
    record[0]["ranks"][:2] = 1, 2
    record[0]["pawns"][1] = 66
    assert any("has ended" in fault for fault in audit(tables, record[0]))
    record["phase"], record["card"] = 1, -2
    assert audit(tables, record[0]) == []
    # All three cannot have finished: the last one had nobody to play against.
    record[0]["ranks"][2] = 3
    record[0]["pawns"][2] = 66
    assert any("more colours" in fault for fault in audit(tables, record[0]))


def test_finished_teams() -> None:
    game = Game("teams", seed=35, draw=False)
    tables, record = game.tables, game.state
    record[0]["pawns"][[0, 2]] = 66
    assert any("places are given" in fault for fault in audit(tables, record[0]))
    record[0]["ranks"][[0, 2]] = 1
    record["phase"], record["card"] = 1, -2
    assert audit(tables, record[0]) == []
    record[0]["pawns"][:] = 66
    record[0]["ranks"][:] = 1
    assert any("both teams" in fault for fault in audit(tables, record[0]))
