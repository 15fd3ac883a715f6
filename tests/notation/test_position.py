"""Positions as text: written as the formats say, and everything else refused, part by part."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sorry_env import notation
from sorry_env.errors import PositionError, RulesetError, SorryError
from sorry_env.game import Game
from tests.cases import DERIVED, PUBLISHED, SEATINGS

BASE = "classic 20,rS,rS,rS/-/40,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -"
FIELDS = ("RULESET", "PAWNS", "TURN", "PHASE", "CARD", "DECK", "HANDS", "EXTRA")
HOME = "rH,rH,rH,rH"

#: Positions of every kind that a game can be in, worked by hand.
GOOD = [
    BASE,
    # The example of the formats.
    "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -",
    "classic 20,rS,rS,rS/-/40,yS,yS,yS/- r move ? 5.4.4.4.4.3.4.4.4.4.4 - -",
    "classic 20,rS,rS,rS/-/40,yS,yS,yS/- r move ? 0.0.0.0.0.0.0.0.0.0.0 - -",
    # Home, safety 5 to 1, the track from the entry back to the circle, the diamond, Start.
    "classic rH,r5,r1,2/-/yH,y2,32,yS/- r move ? 5.4.4.4.4.4.4.4.4.4.4 - -",
    "classic 2,1,0,59/-/34,33,yS,yS/- r move ? 5.4.4.4.4.4.4.4.4.4.4 - -",
    "classic 5,4,3,rS/-/32,31,30,29/- y move ? 5.4.4.4.4.4.4.4.4.4.4 - -",
    "classic -/17,16,19,18/-/47,46,49,48 b move 1 4.4.4.4.4.4.4.4.4.4.4 - -",
    f"classic {HOME}/-/40,yS,yS,yS/- r over - 5.4.4.4.4.3.4.4.4.4.4 - winner=r",
    f"classic?play_out=true {HOME}/bS,bS,bS,bS/40,yS,yS,yS/- y move ? "
    "5.4.4.4.4.3.4.4.4.4.4 - winner=r",
    f"classic?play_out=true {HOME}/bH,bH,bH,bH/40,yS,yS,yS/- b over - "
    "5.4.4.4.4.3.4.4.4.4.4 - winner=r",
    f"teams {HOME}/bS,bS,bS,bS/20,yS,yS,yS/gS,gS,gS,gS r move 2 5.3.4.4.4.4.4.4.4.4.4 - -",
    f"teams-two {HOME}/bS,bS,bS,bS/yH,yH,yH,yH/gS,gS,gS,gS y over - "
    "5.3.4.4.4.4.4.4.4.4.4 - winner=ry",
    "teams rS,rS,rS,rS/bH,bH,bH,bH/yS,yS,yS,yS/gH,gH,gH,gH g over - "
    "5.3.4.4.4.4.4.4.4.4.4 - winner=bg",
    "duel-1 20/-/y5/- y move S * - -",
    "solo -/-/-/gH,gH,gH,g5 g move 1 * - -",
    "solo -/-/-/gH,gH,gH,gH g over - * - winner=g",
    "classic?deck=1.1.0.0.0.1.0.0.0.0.0&pawns=1 rS/bS/-/- b move 7 1.0.0.0.0.0.0.0.0.0.0 - -",
]


@pytest.mark.parametrize("text", GOOD)
def test_good_positions_are_written_as_they_were_read(text: str) -> None:
    game = notation.read(text, seed=1)
    assert notation.write(game) == text
    assert notation.write(game.view()) == text
    assert game.over or game.waiting or notation.legal_texts(game)


def with_field(name: str, value: str, base: str = BASE) -> str:
    """The base position with one field replaced."""
    fields = base.split(" ")
    fields[FIELDS.index(name)] = value
    return " ".join(fields)


def _bad_fields() -> Iterator[tuple[str, str]]:
    """Malformed positions with one wrong field: (text, what the message must say)."""
    Y = "40,yS,yS,yS"
    wrong: dict[str, list[tuple[str, str]]] = {
        "RULESET": [
            ("chess", "chess"), ("", "''"), ("Classic", "Classic"), ("classic?", "FIELD=VALUE"),
            ("classic?pawns=4", "'classic'"), ("classic?pawns=2", "4 pawns where 2"),
            ("classic?play_out=false", "'classic'"), ("classic?switch_slides=mover", "'classic'"),
            ("classic?play_out=true&deck=infinite", "deck=infinite&play_out=true"),
            ("classic?pawns=9", "from 1 to 4"), ("classic?colour=red", "colour=red"),
            ("duel-1", "4 pawns where 1"), ("teams", "2 colours are seated"),
            ("solo", "DECK"), ("classic?deck=infinite", "'*'"), ("classic?deck=1.1", "11 kinds"),
            ("classic-20", "classic-20"), ("classic?deck=5.4.4.4.4.4.4.4.4.4.4", "'classic'"),
        ],
        "PAWNS": [
            ("", "four colours"), ("-", "four colours"), ("-/-/-/-", "0 colours"),
            (f"20,rS,rS,rS/-/{Y}", "four colours"), (f"20,rS,rS,rS/-/{Y}/-/-", "four colours"),
            ("20,rS,rS,rS/-/-/-", "1 colours"), (f"//{Y}/", "no square"),
            (f"/-/{Y}/-", "''"), (f"20,rS,rS/-/{Y}/-", "3 pawns where 4"),
            (f"20,rS,rS,rS,rS/-/{Y}/-", "5 pawns where 4"), (f"20/-/{Y}/-", "1 pawns where 4"),
            (f"rS,20,rS,rS/-/{Y}/-", "in order"), (f"20,21,rS,rS/-/{Y}/-", "in order"),
            (f"3,4,rS,rS/-/{Y}/-", "in order"), (f"r1,r2,rS,rS/-/{Y}/-", "in order"),
            (f"r1,rH,rS,rS/-/{Y}/-", "in order"), (f"20,r1,rS,rS/-/{Y}/-", "in order"),
            (f"20,20,rS,rS/-/{Y}/-", "share"), (f"r1,r1,rS,rS/-/{Y}/-", "share"),
            (f"40,rS,rS,rS/-/{Y}/-", "share square 40"), (f"60,rS,rS,rS/-/{Y}/-", "'60'"),
            (f"-1,rS,rS,rS/-/{Y}/-", "'-1'"), (f"020,rS,rS,rS/-/{Y}/-", "'020'"),
            (f"00,rS,rS,rS/-/{Y}/-", "'00'"), (f"+20,rS,rS,rS/-/{Y}/-", "'+20'"),
            (f"2_0,rS,rS,rS/-/{Y}/-", "'2_0'"), (f"\uff12,rS,rS,rS/-/{Y}/-", "\uff12"),
            (f"\u00b2,rS,rS,rS/-/{Y}/-", "\u00b2"), (f"{'9' * 2000},rS,rS,rS/-/{Y}/-", "999"),
            (f"r0,rS,rS,rS/-/{Y}/-", "'r0'"), (f"r6,rS,rS,rS/-/{Y}/-", "'r6'"),
            (f"rs,rS,rS,rS/-/{Y}/-", "'rs'"), (f"RS,rS,rS,rS/-/{Y}/-", "'RS'"),
            (f"rX,rS,rS,rS/-/{Y}/-", "'rX'"), (f"r,rS,rS,rS/-/{Y}/-", "'r'"),
            (f"r12,rS,rS,rS/-/{Y}/-", "'r12'"), (f"S,rS,rS,rS/-/{Y}/-", "'S'"),
            (f"bS,rS,rS,rS/-/{Y}/-", "no square of red"), (f"yH,rS,rS,rS/-/{Y}/-", "'yH'"),
            (f"y1,rS,rS,rS/-/{Y}/-", "'y1'"), (f"20.rS.rS.rS/-/{Y}/-", "20.rS.rS.rS"),
            (f"20,,rS,rS/-/{Y}/-", "''"), (f"20,rS,rS,/-/{Y}/-", "''"),
            (f",20,rS,rS/-/{Y}/-", "''"), (f"-,rS,rS,rS/-/{Y}/-", "'-'"),
            (f"{HOME}/-/{Y}/-", "must name the winner"), (f"20\\rS\\-\\{Y}", "four colours"),
            (f"{Y}/-/20,rS,rS,rS/-", "no square of red"),
        ],
        "TURN": [
            ("", "TURN ''"), ("b", "not seated"), ("g", "not seated"), ("R", "'R'"), ("x", "'x'"),
            ("red", "'red'"), ("ry", "'ry'"), ("r>y", "another seat"),
            ("r>r", "another seat"), ("0", "'0'"), ("-", "'-'"),
            ("?", "'?'"),
        ],
        "PHASE": [
            ("", "PHASE ''"), ("Move", "'Move'"), ("over", "phase"),
            *((p, "card index 5") for p in ("fire", "ice", "token", "ask", "answer", "reply")),
            ("home", "no pawn can go Home"), ("draw", "'draw'"), ("0", "'0'"), ("-", "'-'"),
        ],
        "CARD": [
            ("", "CARD ''"), ("6", "'6'"), ("9", "'9'"), ("13", "'13'"), ("07", "'07'"),
            ("s", "'s'"), ("Sorry!", "'Sorry!'"), ("B", "'B'"), ("Q", "'Q'"), ("0", "'0'"),
            ("7.8", "'7.8'"), ("*", "'*'"), ("-", "card"), ("\uff17", "\uff17"),
        ],
        "DECK": [
            ("", "11 counts"), ("*", "11 counts"), ("-", "11 counts"), ("44", "11 counts"),
            ("5.4.4.4.4.3.4.4.4.4", "11 counts"), ("5.4.4.4.4.3.4.4.4.4.4.0", "11 counts"),
            ("5.4.4.4.4.3.4.4.4.4.", "count ''"), (".5.4.4.4.4.3.4.4.4.4", "count ''"),
            ("5,4,4,4,4,3,4,4,4,4,4", "11 counts"), ("6.4.4.4.4.3.4.4.4.4.4", "count '6'"),
            ("5.5.4.4.4.3.4.4.4.4.4", "card 2"), ("5.4.4.4.4.3.4.4.4.4.5", "card S"),
            ("-1.4.4.4.4.3.4.4.4.4.4", "'-1'"), ("05.4.4.4.4.3.4.4.4.4.4", "'05'"),
            ("5.4.4.4.x.3.4.4.4.4.4", "'x'"), ("5.4.4.4.4.3.4.4.4.4.+4", "'+4'"),
            ("5.4.4.4.4.4.4.4.4.4.4", "4 cards 7 left of 4, 1 of them in play"),
            (f"{'9' * 500}.4.4.4.4.3.4.4.4.4.4", "999"), ("5.4.4.4.4.\u0663.4.4.4.4.4", "\u0663"),
            ("5.4.4.4.4.3.4.4.4.4.4.5.4.4.4.4.3.4.4.4.4.4", "11 counts"),
        ],
        "HANDS": [
            ("", "HANDS ''"), ("?", "'?'"), ("1.2", "'1.2'"), ("-/-/-/-", "'-/-/-/-'"),
            ("1.2.3.4.5/-/?/-", "HANDS"), ("--", "'--'"), ("0", "'0'"),
        ],
        "EXTRA": [
            ("", "EXTRA ''"), ("winner=r", "r has not all"), ("winner=y", "y has not all"),
            ("winner=b", "b has not all"), ("winner=", "'winner='"), ("winner", "'winner'"),
            ("winner=x", "one of r b y g"), ("winner=ry", "one of r b y g"),
            ("Winner=r", "'Winner=r'"),
            ("winner=R", "one of r b y g"), ("again=1", "no further play"),
            ("again=0", "again must be 1"),
            ("fire=20", "there is no Fire"), ("ice=40", "there is no Ice"), ("fire=21", "'21'"),
            ("happy=20", "no pawn can be happy"), ("punished=20", "no pawn can be punished"),
            ("steps=6", "come together"), ("asked=y", "come together"),
            ("asked=y;steps=6", "card index 5"), ("asked=y;steps=5", "6 or 3"),
            ("asked=yy;steps=6", "asked must be a letter"), ("asked=b;steps=6", "the one asked"),
            ("-;-", "'-;-'"), ("steps=6;asked=y", "alphabetical"),
            ("winner=r;winner=r", "alphabetical"), ("--", "'--'"), ("0", "'0'"),
        ],
    }  # fmt: skip
    for field, values in wrong.items():
        for value, words in values:
            yield with_field(field, value), words


OVER = GOOD[8]
PLAYED = GOOD[9]
TEAMS = GOOD[11]
BAD_WHOLES: list[tuple[Any, str]] = [
    # The line as a whole.
    ("", "eight fields"), (" ", "eight fields"), ("classic", "eight fields"),
    (BASE + " ", "eight fields"), (" " + BASE, "eight fields"), (BASE + " -", "eight fields"),
    (BASE[:-2], "eight fields"), (BASE.replace(" ", "  ", 1), "eight fields"),
    (BASE.replace(" ", "\t"), "eight fields"), (BASE + "\n", "EXTRA"), ("\n" + BASE, "classic"),
    (BASE.replace(" r ", "\u00a0r "), "eight fields"), (BASE + "\0", "EXTRA"),
    (BASE * 2, "eight fields"), (BASE + "x" * 5000, "4096"), ("x" * 5000, "4096"),
    ("\ud800", "eight fields"), ("- - - - - - - -", "'-'"), ("0 0 0 0 0 0 0 0", "'0'"),
    (None, "text"), (5, "text"), (b"classic", "text"), ([BASE], "text"), ({}, "text"),
    # Ends.
    (with_field("EXTRA", "-", OVER), "must name the winner"),
    (with_field("EXTRA", "winner=y", OVER), "y has not all"),
    (with_field("CARD", "7", OVER), "no card"), (with_field("CARD", "?", OVER), "no card"),
    (with_field("PHASE", "move", OVER), "phase"), (with_field("TURN", "b", OVER), "not seated"),
    (with_field("PAWNS", f"{HOME}/-/yH,yH,yH,yH/-", OVER), "more colours"),
    (with_field("PAWNS", "rH,rH,rH,r5/-/40,yS,yS,yS/-", OVER), "r has not all"),
    (with_field("RULESET", "classic?play_out=true", PLAYED).replace(" y move ", " r move "),
     "red has finished"),
    (with_field("RULESET", "classic", PLAYED), "phase"),
    (with_field("EXTRA", "-", PLAYED), "must name the winner"),
    (with_field("EXTRA", "winner=b", PLAYED), "b has not all"),
    (with_field("PHASE", "over", PLAYED), "phase"),
    (with_field("PAWNS", f"{HOME}/bH,bH,bH,bH/40,yS,yS,yS/-", PLAYED), "phase"),
    # Teams.
    (with_field("EXTRA", "winner=ry", TEAMS), "y has not all"),
    (with_field("EXTRA", "winner=r", TEAMS), "ry or bg"),
    (with_field("EXTRA", "winner=yr", TEAMS), "ry or bg"),
    (with_field("PAWNS", f"{HOME}/-/20,yS,yS,yS/gS,gS,gS,gS", TEAMS), "3 colours are seated"),
    (with_field("EXTRA", "winner=r", GOOD[12]), "ry or bg"),
    (with_field("EXTRA", "winner=bg", GOOD[12]), "b has not all"),
    (with_field("EXTRA", "-", GOOD[12]), "finished"),
    # Other rulesets.
    ("duel-1 20/-/yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -", "'*'"),
    ("duel-1 20/-/yS/- r move 7 ** - -", "'*'"),
    ("duel-1 20/bS/yS/- r move 7 * - -", "3 colours are seated"),
    ("duel-2 20/-/yS,yS/- r move 7 * - -", "1 pawns where 2"),
    ("solo 20,rS,rS,rS/-/yS,yS,yS,yS/- r move 7 * - -", "2 colours are seated"),
    ("classic?deck=1.1.0.0.0.1.0.0.0.0.0&pawns=1 rS/bS/-/- b move 8 1.0.0.0.0.0.0.0.0.0.0 - -",
     "card 8 is not in the deck"),
    ("classic?deck=infinite&pawns=1 rS/bS/-/- b move 8 1.0.0.0.0.0.0.0.0.0.0 - -", "'*'"),
    ("classic?deck=1.0.0.0.0.0.0.0.0.0.0 rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 1 "
     "1.0.0.0.0.0.0.0.0.0.0 - -", "1 cards 1 left of 1, 1 of them in play"),
]  # fmt: skip

BAD = [*_bad_fields(), *BAD_WHOLES]


def test_there_are_many_malformed_positions() -> None:
    assert len({str(text) for text, _ in BAD}) >= 180


@pytest.mark.parametrize(("text", "words"), BAD, ids=lambda v: ascii(v)[-60:])
def test_malformed_positions_are_refused(text: Any, words: str) -> None:
    with pytest.raises((PositionError, RulesetError)) as caught:
        notation.read(text, seed=1)
    error = caught.value
    assert words in str(error)
    assert error.code in ("bad_position", "unsupported_ruleset")
    check_value(error, text)


def check_value(error: SorryError, text: Any) -> None:
    """The offending part, or, when the parts do not fit together, the faults in words."""
    value = error.value
    if isinstance(value, list) and value is not text:
        assert value and all(fault in str(error) for fault in value)
    elif isinstance(text, str) and isinstance(value, str):
        assert value in text
        if len(value) < 1000:
            assert repr(value)[1:-1] in str(error)
    else:
        assert value is text or error.code == "unsupported_ruleset"


def positions_of_games(count: int) -> list[str]:
    """Positions of random games: early, late and ended ones, waiting for a draw or not."""
    rng = np.random.default_rng(17)
    texts = []
    cases = [*((n, SEATINGS[c][-1]) for n, c in PUBLISHED), *DERIVED]
    for i in range(count):
        name, seats = cases[i % len(cases)]
        game = Game(name, seats, seed=i)
        for _ in range(int(rng.integers(0, 400))):
            if game.over:
                break
            game.play(int(rng.choice(game.legal_actions())), draw=False)
            if game.waiting:
                if rng.random() < 0.02:
                    texts.append(notation.write(game))
                game.draw()
        texts.append(notation.write(game))
    return texts


def mutants(text: str, rng: random.Random) -> Iterator[str]:
    """Texts that differ a little: a character more, less, other; fields swapped, doubled, lost."""
    alphabet = "rbyg0123456789SH,/.-?* =>&_\u00e9"
    for _ in range(12):
        at = rng.randrange(len(text))
        yield text[:at] + text[at + 1 :]
        yield text[:at] + rng.choice(alphabet) + text[at:]
        yield text[:at] + rng.choice(alphabet) + text[at + 1 :]
        yield text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
    fields = text.split(" ")
    for separator in ("/", ",", "."):
        for k, field in enumerate(fields):
            parts = field.split(separator)
            if len(parts) > 1:
                rng.shuffle(parts)
                yield " ".join([*fields[:k], separator.join(parts), *fields[k + 1 :]])
                yield " ".join([*fields[:k], separator.join(parts[1:]), *fields[k + 1 :]])
                yield " ".join([*fields[:k], separator.join([*parts, parts[0]]), *fields[k + 1 :]])
    for k in range(8):
        yield " ".join(fields[:k] + fields[k + 1 :])
        yield " ".join(fields[: k + 1] + fields[k:])
        other = rng.randrange(8)
        swapped = list(fields)
        swapped[k], swapped[other] = swapped[other], swapped[k]
        yield " ".join(swapped)


def test_mutated_positions_are_refused_or_read_exactly() -> None:
    rng = random.Random(18)
    refused = read = 0
    for text in positions_of_games(60):
        assert notation.write(notation.read(text, seed=1)) == text
        for mutant in mutants(text, rng):
            try:
                game = notation.read(mutant, seed=1)
            except (PositionError, RulesetError) as error:
                check_value(error, mutant)
                refused += 1
            else:
                assert notation.write(game) == mutant
                if not game.over and not game.waiting:
                    notation.legal_texts(game)
                read += 1
    assert refused > 2000 and read > 50


def test_a_seed_is_all_that_a_text_does_not_say() -> None:
    one, two = notation.read(BASE, seed=1), notation.read(BASE, seed=1)
    assert one.state.tobytes() == two.state.tobytes()
    assert notation.read(BASE).state["rng"] != notation.read(BASE).state["rng"]
