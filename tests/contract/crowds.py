"""Positions made up to be crowded: what random games seldom reach, in every phase.

Read `compare.py` before this file.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from sorry_env import notation
from sorry_env.errors import PositionError
from sorry_env.rules import COLOURS, LETTERS, Card, Ruleset, get_ruleset
from tests.contract.compare import check_equal, check_legal
from tests.reference.reference import ReferenceGame


def _crowd(rng: random.Random, seat: int, taken: set[str], pawns: int) -> list[str]:
    """Squares for one colour's pawns, most of them on the board and close to each other."""
    letter = LETTERS[seat]
    centre = rng.randrange(60)
    squares: list[str] = []
    while len(squares) < pawns:
        kind = rng.random()
        if kind < 0.15:
            squares.append(f"{letter}S")
        elif kind < 0.25 and len(squares) < pawns - 1:
            squares.append(f"{letter}H")
        else:
            if kind < 0.4:
                square = f"{letter}{rng.randint(1, 5)}"
            elif kind < 0.7:  # about the own entry, where backward and forward moves part
                square = str((15 * seat + rng.randint(-8, 12)) % 60)
            else:
                square = str((centre + rng.randint(-9, 9)) % 60)
            if square not in taken:
                taken.add(square)
                squares.append(square)
    return squares


def _steps_to_home(seat: int, square: str) -> int:
    """For sorting: 0 Home, 1 to 5 safety squares, 6 the entry ... 65 the diamond, 66 Start."""
    if square[0] not in LETTERS:
        return (15 * seat + 2 - int(square)) % 60 + 6
    return "H54321".find(square[1]) if square[1] != "S" else 66


def _hands(ruleset: Ruleset, seats: str, rng: random.Random) -> list[list[str]]:
    """A random deal, [] for colours that are not seated and where nobody holds cards."""
    deck = [c for c, n in zip(ruleset.card_names, ruleset.counts, strict=True) for _ in range(n)]
    rng.shuffle(deck)
    seated = seats.split(",")
    dealt = [[deck.pop() for _ in range(ruleset.hand if c in seated else 0)] for c in COLOURS]
    return [sorted(hand, key=ruleset.card_names.index) for hand in dealt]


def _marks(ruleset: Ruleset, colours: list[str], rng: random.Random) -> str:
    """EXTRA with Fire and Ice, or happy and punished pawns, on some of the pawns."""
    board = [s for listed in colours for s in listed.split(",") if s[-1] not in "SH-"]
    track = [square for square in board if square[0] not in LETTERS]
    pairs = []
    if ruleset.tokens:
        if board and rng.random() < 0.6:
            pairs.append(f"fire={rng.choice(board)}")
        if track and rng.random() < 0.6:
            pairs.append(f"ice={rng.choice(track)}")
    if any(card.mood for card in ruleset.cards):
        for mark in ("happy", "punished"):
            if marked := [square for square in track if rng.random() < 0.2]:
                pairs.append(f"{mark}={','.join(marked)}")
    return ";".join(pairs)


def _phases(
    ruleset: Ruleset, card: Card, turn: str, asked: str, marks: str
) -> Iterator[tuple[str, str, str, str]]:
    """TURN, PHASE, CARD and EXTRA of the decisions that come with a card."""
    if ruleset.hand:
        yield turn, "move", "-", ""
        yield turn, "move", "-", "again=1"
        return
    if card.question:
        yield turn, "ask", card.name, marks
        if ruleset.answers == "player":
            yield f"{turn}>{asked}", "answer", card.name, marks
        for steps in (6, 3):
            question = {"asked": asked, "steps": str(steps)}
            yield turn, "move", card.name, _joined(marks, question)
            yield f"{turn}>{asked}", "reply", card.name, _joined(marks, question)
        return
    yield turn, "move", card.name, marks
    if card.ice or card.fire:
        yield turn, "ice" if card.ice else "token", card.name, marks
    if ruleset.tokens:
        yield turn, "home", card.name, marks
        yield turn, "fire", "-", marks


def _joined(marks: str, further: dict[str, str]) -> str:
    """EXTRA with more pairs, in alphabetical order."""
    pairs = [*marks.split(";"), *(f"{key}={value}" for key, value in further.items())]
    return ";".join(sorted(pair for pair in pairs if pair))


def crowded_positions(name: str, seats: str, count: int, seed: str) -> Iterator[str]:
    """Lines with many pawns close together, for every decision that a card can bring.

    Some can be no position: a further play where no card can be played, a Fire pawn that cannot
    advance, a companion of nobody.
    """
    rng = random.Random(f"{name} {seats} {seed}")
    ruleset = get_ruleset(name)
    cards = [(card, full) for card, full in zip(ruleset.cards, ruleset.counts, strict=True) if full]
    for _ in range(count):
        taken: set[str] = set()
        colours = []
        for seat, colour in enumerate(COLOURS):
            if colour not in seats.split(","):
                colours.append("-")
                continue
            squares = _crowd(rng, seat, taken, ruleset.pawns)
            colours.append(",".join(sorted(squares, key=lambda s: _steps_to_home(seat, s))))
        seated = [LETTERS[COLOURS.index(colour)] for colour in seats.split(",")]
        turn = rng.choice(seated)
        asked = rng.choice([seat for seat in seated if seat != turn] or seated)
        for card, _full in cards:
            hands = _hands(ruleset, seats, rng)
            held = "/".join(".".join(hand) or "-" for hand in hands) if ruleset.hand else "-"
            marks = _marks(ruleset, colours, rng)
            for who, phase, shown, extra in _phases(ruleset, card, turn, asked, marks):
                out = [*(name for hand in hands for name in hand), shown]
                deck = ".".join(
                    str(full - out.count(other.name))
                    for other, full in zip(ruleset.cards, ruleset.counts, strict=True)
                )
                deck = "*" if ruleset.infinite else deck
                pawns = "/".join(colours)
                yield f"{name} {pawns} {who} {phase} {shown} {deck} {held} {extra or '-'}"


#: What can make a made-up line no position; every other is one.
_MAY_BE_REFUSED = ("again=1", " home ", " fire ")


def _reference(position: str) -> ReferenceGame | None:
    """The reference's game, or None for a line that it refuses and may."""
    try:
        return ReferenceGame.from_text(position)
    except ValueError:
        if any(word in position for word in _MAY_BE_REFUSED):
            return None
        raise


def check_crowds(name: str, seats: str, count: int) -> int:
    """Every legal move in made-up positions, which both sides read, or both refuse.

    Returns how many of them neither refused.
    """
    compared = 0
    for position in crowded_positions(name, seats, count, "crowd"):
        reference = _reference(position)
        try:
            game = notation.read(position, seed=1)
        except PositionError as error:
            if reference is not None:
                pytest.fail(f"{position}\nis refused: {error}", pytrace=False)
            continue
        if reference is None:
            pytest.fail(f"{position}\nis refused by the reference alone", pytrace=False)
        check_equal("texts", position, notation.write(game), position)
        check_legal(reference, game, reference.text(), play_all=True)
        compared += 1
    return compared
