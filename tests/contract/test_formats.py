"""What the commands write, against the grammar of the formats, for every ruleset and seat count.

The grammar is written here from `docs/formats.md` and knows nothing of the program. `sorry record`
plays, `sorry legal` and `sorry apply` answer each position of it. That the moves are the right ones
is shown elsewhere (`test_reference.py`).
"""

from __future__ import annotations

import io
import json
import re
import sys
from functools import partial
from typing import Any

import pytest

from sorry_env.cli import main
from tests.cases import SEATINGS, case_id
from tests.golden.transcript import CASES

MORE = (
    ("not-sorry?answers=player", 4), ("points?teams=four", 4), ("classic?play_out=true", 3),
    ("points?hand=7", 3), ("teams-two?bonuses=9.6.3&pawn_points=2", 4), ("bump-em?hand=3", 2),
)  # fmt: skip
PLIES = 70

CLASSIC = ["1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "S"]
CARDS = {
    "bump-em": [*map(str, range(1, 13)), "B"],
    "not-sorry": [*CLASSIC, "Q"],
    "way-sorry": [*CLASSIC, "HAPPY", "PUNISH", "BUDDY", "BULLY", "WAY"],
}
PHASES = {
    "fire-and-ice": {"move", "fire", "ice", "token", "home", "over"},
    "not-sorry": {"move", "ask", "answer", "reply", "over"},
}
OUTER = r"(?:[0-9]|[1-5][0-9])"
SQUARE = rf"(?:{OUTER}|[rbyg][S1-5H])"
CARD = r"(?:[1-9]|1[0-2]|S|B|Q)"
MOVES = (
    rf"{CARD}:{SQUARE}-{SQUARE}(?:,{SQUARE}-{SQUARE})?",
    rf"{CARD}:{SQUARE}x{OUTER}",
    "pass",
    rf"{CARD}:discard",
    rf"fire:{OUTER}-{OUTER}", "fire:no",
    rf"ice:{OUTER}", "ice:off", rf"token:{SQUARE}", "token:no",
    rf"home:{SQUARE}",
    "ask:(?:red|blue|yellow|green)", "answer:yes", "answer:no",
    rf"(?:HAPPY|PUNISH):{OUTER}", rf"BUDDY:{OUTER}-{OUTER}", rf"BULLY:{OUTER}x{OUTER}",
    rf"WAY:[rbyg]Sx{OUTER}",
)  # fmt: skip
MOVE = re.compile("|".join(f"(?:{move})" for move in MOVES))
EXTRA = {
    "again": "1", "asked": "[rbyg]", "fire": SQUARE, "happy": rf"{OUTER}(?:,{OUTER})*",
    "ice": OUTER, "punished": rf"{OUTER}(?:,{OUTER})*", "steps": "[63]", "winner": "[rbyg]|ry|bg",
}  # fmt: skip
EXPRESS = re.compile(
    r"express (?:[rbyg]:\d\.\d\.\d\.\d/){1,3}[rbyg]:\d\.\d\.\d\.\d \d\.\d\.\d\.\d [0-3] "
    r"(?:\?|-|(?:1=[rbygSW])?,?(?:2=[rbygSL])?,?(?:3=[rbygWL])?) (?:-|winner=[0-3])"
)
EXPRESS_MOVE = re.compile(
    r"[123]:[rbyg]<(?:pool|[0-3]|no)|[12]:S<[0-3]|[13]:W:[rbyg]<(?:pool|[0-3])"
    r"|[23]:L:[0-3]>[rbyg]|[123]:none"
)
LETTERS = "rbyg"


def progress(letter: str, square: str) -> int:
    """Steps left to Home, for the order of PAWNS; Start has most."""
    if square[0] == letter:
        return "H54321S".index(square[1]) if square[1] != "S" else 99
    return (15 * LETTERS.index(letter) + 2 - int(square)) % 60 + 6


def check_position(text: str, ruleset: str, seats: list[str]) -> None:
    """Eight fields, each as the formats say."""
    name, pawns, turn, phase, card, deck, hands, extra = text.split(" ")
    base, _, changes = name.partition("?")
    assert name == ruleset
    assert changes.split("&") == sorted(changes.split("&"))
    cards = CARDS.get(base, CLASSIC)
    held = base.startswith("points") or "hand=" in changes
    for letter, colour, part in zip(
        LETTERS, ("red", "blue", "yellow", "green"), pawns.split("/"), strict=True
    ):
        squares = part.split(",")
        assert (part == "-") == (colour not in seats)
        if part != "-":
            assert all(re.fullmatch(rf"{OUTER}|{letter}[S1-5H]", square) for square in squares)
            assert squares == sorted(squares, key=partial(progress, letter))
    deciding = {"answer", "reply"}
    assert re.fullmatch("[rbyg]>[rbyg]" if phase in deciding else "[rbyg]", turn)
    assert phase in PHASES.get(base, {"move", "over"})
    if phase in ("over", "fire"):
        assert card == "-"
    else:
        assert card in ("?", *cards) if not held else card in ("?", "-")
    if deck != "*":
        assert re.fullmatch(r"(?:0|[1-9]\d?)(?:\.(?:0|[1-9]\d?))*", deck)
        assert len(deck.split(".")) == len(cards)
    assert (deck == "*") == base.startswith(("duel", "solo"))
    check_hands(hands, pawns, cards, held=held)
    pairs = [pair.split("=") for pair in extra.split(";")] if extra != "-" else []
    assert [key for key, _ in pairs] == sorted({key for key, _ in pairs})
    assert all(re.fullmatch(EXTRA[key], value) for key, value in pairs)
    assert ("steps" in dict(pairs)) == ("asked" in dict(pairs))


def check_hands(hands: str, pawns: str, cards: list[str], *, held: bool) -> None:
    """HANDS is `-`, or each colour's cards in card order."""
    if not held:
        assert hands == "-"
        return
    for hand, part in zip(hands.split("/"), pawns.split("/"), strict=True):
        assert (hand == "-") == (part == "-")
        if hand not in ("-", ""):
            places = [cards.index(card) for card in hand.split(".")]
            assert places == sorted(places)


def run(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *words: str,
    lines: list[str] | None = None,
) -> list[str]:
    """The lines that a command prints."""
    text = "".join(f"{line}\n" for line in lines or ())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(list(words)) == 0
    return capsys.readouterr().out.splitlines()


def names_of(ruleset: str, count: int) -> tuple[list[str], list[str]]:
    """Seats and players of a record."""
    if ruleset == "express":
        seats = [str(seat) for seat in range(count)]
        return seats, seats
    seats = SEATINGS[count][0].split(",")
    two = ruleset.startswith("teams-two")
    return seats, seats[:2] if two else seats


def check_record(rows: list[dict[str, Any]], lines: list[str], ruleset: str, count: int) -> None:
    """The lines of a record: their keys in order, compact JSON, and what each may say."""
    seats, players = names_of(ruleset, count)
    header, *moves, end = rows
    for row, line in zip(rows, lines, strict=True):
        assert line == json.dumps(row, separators=(",", ":"), ensure_ascii=False)
    assert list(header) == ["type", "format", "ruleset", "seats", "seed", "players", "id"]
    assert (header["type"], header["format"], header["ruleset"]) == ("game", 1, ruleset)
    assert header["seats"] == seats and list(header["players"]) == players
    assert header["seed"] == 6 and isinstance(header["id"], str)
    for ply, row in enumerate(moves):
        assert list(row) == ["type", "ply", "position", "move", "legal"]
        assert (row["type"], row["ply"]) == ("move", ply)
        assert row["legal"] == sorted(set(row["legal"])) and row["move"] in row["legal"]
        form = EXPRESS_MOVE if ruleset == "express" else MOVE
        assert all(form.fullmatch(move) for move in row["legal"]), row["legal"]
    assert list(end) == ["type", "position", "returns", "plies", "reason"]
    assert list(end["returns"]) == players and end["plies"] == len(moves)
    phase_or_dice = end["position"].split(" ")[4 if ruleset == "express" else 3]
    over = phase_or_dice in ("-", "over")
    assert end["reason"] == ("win" if over else "truncated")
    if not over:
        assert set(end["returns"].values()) == {0.0}
    for row in (*moves, end):
        if ruleset == "express":
            assert EXPRESS.fullmatch(row["position"]), row["position"]
        else:
            check_position(row["position"], ruleset, seats)


@pytest.mark.parametrize("case", [*CASES, *MORE], ids=case_id)
def test_commands_write_the_formats(
    case: tuple[str, int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, count = case
    setup = ("--ruleset", name, "--seats", str(count), "--seed", "6", "--max-plies", str(PLIES))
    lines = run(capsys, monkeypatch, "record", *setup, "--legal")
    rows = [json.loads(line) for line in lines]
    check_record(rows, lines, name, count)
    moves, end = rows[1:-1], rows[-1]
    legal = run(capsys, monkeypatch, "legal", lines=[row["position"] for row in moves])
    assert [json.loads(line) for line in legal] == [row["legal"] for row in moves]
    asked = [f"{row['position']}\t{row['move']}" for row in moves]
    applied = run(capsys, monkeypatch, "apply", lines=asked)
    assert applied[-1] == end["position"]
    for line, after in zip(applied, [*moves[1:], end], strict=True):
        parts, following = line.split(" "), after["position"].split(" ")
        drawn = 4  # CARD, or DICE
        assert parts[1] == following[1]
        assert parts[drawn] in ("?", following[drawn]) or " answer " in line
