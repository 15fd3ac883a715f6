"""Lines with hidden hands: a view is read back as it was written, and its seat can go on."""

from __future__ import annotations

import io
import json
import sys

import numpy as np
import pytest

from sorry_env import notation
from sorry_env.cli import main
from sorry_env.errors import PositionError, SorryError
from sorry_env.game import Game
from sorry_env.notation import read_view

CASES = [
    ("points", "red,yellow"),
    ("points-1939", "red,blue,green"),
    ("points?teams=four", "red,blue,yellow,green"),
    ("points?hand=7", "red,blue,yellow,green"),
    ("classic?hand=1&pawns=2&play_out=true", "red,blue,yellow"),
    ("bump-em?hand=2", "red,yellow"),
]


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_views_are_read_back(name: str, seats: str) -> None:
    rng = np.random.default_rng(4)
    kinds = set()
    for seed in range(2):
        game = Game(name, seats, seed=seed, draw=False)
        while True:
            for seat in game.seats:
                view = game.view(seat)
                line = notation.write(view)
                again = read_view(line)
                assert again.seat == seat and notation.write(again) == line
                assert (again.mask() == view.mask()).all()
                assert (again.observation() == view.observation()).all()
                assert (again.waiting, again.over, again.again) == (
                    game.waiting, game.over, game.again,
                )  # fmt: skip
                assert again.hands == view.hands and again.unseen == view.unseen
                kinds.add((game.waiting, game.over, game.again))
            if game.over or game.plies > 45:
                break
            if game.waiting:
                game.draw()
            else:
                game.play(int(rng.choice(game.legal_actions())), draw=False)
    assert {waiting for waiting, _, _ in kinds} == {True, False}


SEEN = "points 4,rS,rS,rS/-/34,yS,yS,yS/- r move - 5.2.4.4.4.3.2.4.4.4.4 2.2.7.8.8/-/?/- -"
OTHER = "points 4,rS,rS,rS/-/34,yS,yS,yS/- r move - 5.4.4.4.3.4.4.2.4.4.2 ?/-/5.10.10.S.S/- -"


def with_field(index: int, value: str) -> str:
    fields = SEEN.split(" ")
    fields[index] = value
    return " ".join(fields)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (with_field(6, "2.2.7.8.8/-/1.1.1.5.5/-"), "hides nothing"),
        (with_field(6, "?/-/?/-"), "must show one hand of four"),
        (with_field(6, "?/?/1.2/1.2"), "must show one hand of four"),
        (with_field(6, "2.2.7.8.8/?"), "must show one hand of four"),
        (with_field(6, "2.2.7.8/-/?/-"), "not a possible position"),
        (with_field(6, "8.2.2.7.8/-/?/-"), "card order"),
        (with_field(6, "2.2.7.8.8/?/?/-"), "'-' is for colours not seated"),
        (with_field(5, "0.0.0.0.0.0.0.0.0.0.4"), "too few cards for the hidden hands"),
        (with_field(5, "5.2.4.4.4.3.2.4.4.4"), "must be 11 counts"),
        (with_field(5, "5.3.4.4.4.3.2.4.4.4.4"), "not a possible position"),
        (with_field(5, "5.02.4.4.4.3.2.4.4.4.4"), "not how this view is written"),
        (with_field(0, "classic"), "must show one hand of four"),
        (with_field(0, "chess"), "unknown ruleset"),
        (with_field(7, "again=2"), "again must be 1"),
    ],
)
def test_what_is_no_view_is_refused(text: str, words: str) -> None:
    with pytest.raises(SorryError) as caught:
        read_view(text)
    assert words in str(caught.value)


def test_a_game_is_not_read_from_a_view() -> None:
    with pytest.raises(PositionError, match="a game has no hidden hand; read_view reads views"):
        notation.read(SEEN)


def answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> str:
    *command, line = words
    text = io.TextIOWrapper(io.BytesIO(f"{line}\n".encode()))
    monkeypatch.setattr(sys, "stdin", text)
    main(command)
    return capsys.readouterr().out.rstrip("\n")


def test_legal_and_apply_go_on_from_the_own_hand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # By hand: 2 and 7 and 8 from the circle 4; another pawn may not come out onto it.
    assert json.loads(answers(monkeypatch, capsys, "legal", SEEN)) == ["2:4-6", "7:4-11", "8:4-12"]
    after = answers(monkeypatch, capsys, "apply", f"{SEEN}\t7:4-11")
    assert after == (
        "points 11,rS,rS,rS/-/34,yS,yS,yS/- r move ? 5.2.4.4.4.3.2.4.4.4.4 2.2.8.8/-/?/- -"
    )
    assert answers(monkeypatch, capsys, "apply", f"{SEEN}\t2:4-6").endswith(
        " 2.7.8.8/-/?/- again=1"
    )
    for command, line in (("legal", OTHER), ("apply", f"{OTHER}\t7:4-11")):
        error = json.loads(answers(monkeypatch, capsys, command, line))["error"]
        assert error["code"] == "bad_position"
        assert error["message"] == "HANDS hides the cards of red, who decides"
    error = json.loads(answers(monkeypatch, capsys, "legal", after))["error"]
    assert "a card must be drawn before moves are legal" in error["message"]


def test_a_view_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", SEEN, "--plain"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-2:] == [SEEN, "legal: 2:4-6  7:4-11  8:4-12"]
    assert main(["show", OTHER, "--plain", "--view", "yellow"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [OTHER, "legal: -"]
    assert main(["show", OTHER, "--plain", "--view", "red"]) == 2
    assert "is what yellow sees, not red" in capsys.readouterr().err
