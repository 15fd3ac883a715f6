"""The board as text: it fits the terminal, and every pawn and number is where it belongs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from sorry_env.errors import PositionError
from sorry_env.render import ansi, board_layout
from sorry_env.rules import RULESETS, Card, get_ruleset
from tests.render.views import StubView, two_seats

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

# The first position of Red against Yellow on the old board, checked by eye, square by square.
FIRST = """\
  0> 1- 2* 3o 4  5  6  7  8> 9-10-11-12o13 14 15
 59    r1  Start        Home                 v16
o58    r2 (R) (R)              b5 b4 b3 b2 b1|17
|57    r3 (R) (R)                     Start  *18
|56    r4                                    o19
|55    r5         +----------+                20
^54   Home        |          |                21
 53  .   .        |  Sorry!  |         Home   22
 52  .   .        |          |        .   .   23
 51               |          |        .   .  v24
 50  Start        +----------+          y5   |25
o49                                     y4   |26
*48                  Home       Start   y3   |27
|47 g1 g2 g3 g4 g5             (Y) (Y)  y2   o28
^46                            (Y) (Y)  y1    29
 45 44o43-42-41-40<39 38 37 36 35o34*33-32<31 30"""


def board(text: str) -> list[str]:
    """The left 48 characters of each line."""
    return [line.ljust(48)[:48] for line in text.split("\n")]


def panel(text: str) -> list[str]:
    return [line[50:] for line in text.split("\n")]


def test_the_first_position_of_two() -> None:
    view = two_seats(ruleset=get_ruleset("first-edition"), card="S")
    assert [row.rstrip() for row in board(ansi(view, colour=False))] == FIRST.split("\n")


@pytest.mark.parametrize("name", RULESETS)
def test_it_fits_the_terminal(name: str) -> None:
    ruleset = get_ruleset(name)
    pawns = tuple((0,) * ruleset.pawns for _ in range(4))
    for card in (*ruleset.card_names, "?", None):
        view = StubView(ruleset=ruleset, card=card, pawns=pawns, turn=3, actor=2)
        for colour in (False, True):
            lines = ESCAPE.sub("", ansi(view, colour=colour)).split("\n")
            assert len(lines) == 16
            assert max(map(len, lines)) <= 80


def test_plain_text_has_no_escape_codes_and_is_ascii() -> None:
    text = ansi(StubView(), colour=False)
    assert "\x1b" not in text
    assert text.isascii()


def test_colours_change_nothing_but_the_colours() -> None:
    coloured = ansi(StubView())
    assert ESCAPE.search(coloured)
    plain = [line.rstrip() for line in ESCAPE.sub("", coloured).split("\n")]
    assert plain == ansi(StubView(), colour=False).split("\n")
    assert all(line.rstrip().endswith("\x1b[0m") or "\x1b" in line for line in coloured.split("\n"))


@pytest.mark.parametrize("colour", range(4))
def test_a_pawn_on_every_square_is_shown_in_its_cell(colour: int) -> None:
    layout = board_layout(get_ruleset("classic"))
    for code in range(1, 66):
        pawns = tuple((code, 0, 0, 0) if c == colour else () for c in range(4))
        rows = board(ansi(StubView(seats=(colour,), pawns=pawns), colour=False))
        column, row = layout.cell(colour, code) or (-1, -1)
        assert rows[row][3 * column : 3 * column + 3] == f"({'RBYG'[colour]})"
        assert "".join(rows).count(f"({'RBYG'[colour]})") == 4


def test_counts_in_start_on_the_way_and_home() -> None:
    lines = panel(ansi(StubView(), colour=False))
    assert "(R) Red        1    2    1" in lines
    assert "(B) Blue       1    3    0" in lines
    assert "(Y) Yellow     0    2    2" in lines
    assert "(G) Green      2    2    0" in lines


def test_card_turn_and_pile() -> None:
    text = "\n".join(panel(ansi(StubView(), colour=False)))
    for words in ("Red to play", "Card 7", "forward 7", "or split the 7", "Pile: 44 left"):
        assert words in text
    waiting = ansi(StubView(card="?", unseen=None), colour=False)
    assert "Red draws" in waiting
    assert "Pile: endless" in waiting


def test_a_colour_that_is_not_seated_has_no_pawns_and_no_line() -> None:
    text = ansi(two_seats(), colour=False)
    assert "(B)" not in text
    assert "Green" not in text


def test_a_finished_game_shows_the_winner() -> None:
    view = StubView(card=None, winners=(1,))
    text = ansi(replace(view, pawns=(view.pawns[0], (66,) * 4, *view.pawns[2:])), colour=False)
    assert "Blue wins" in text
    assert "(B) Blue       0    0    4" in text


def test_a_wordy_card_of_an_own_ruleset_still_fits() -> None:
    card = Card("SUPERCALIFRAG", 9, 2, start=True, split=True, switch=True, take=True, again=True)
    classic = get_ruleset("classic")
    ruleset = replace(classic, edition="own", cards=(card, *classic.cards[1:]))
    lines = ansi(StubView(ruleset=ruleset, card=card.name), colour=False).split("\n")
    assert max(map(len, lines)) <= 80
    assert any("Pile: 44 left" in line for line in lines)
    assert any("Start  Way Home" in line for line in lines)


def test_an_impossible_pawn_is_refused() -> None:
    with pytest.raises(PositionError, match="-5"):
        ansi(two_seats(pawns=((0, 0, 0, -5), (), (0,) * 4, ())))
