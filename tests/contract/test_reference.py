"""The engine equals the independent reference, decision by decision.

Compared at each decision: the position's text, what can be drawn and how likely, the position after
the draw, all legal moves, the position after the move played (and now and then after every legal
move), and at the end the returns and the points. Games are played at random; crowded positions,
which random games seldom reach, are made up and compared too.

`make reference` (``-m slow``) plays 10^5 decisions for every ruleset and number of seats; one of
them alone: ``pytest -m slow tests/contract -k teams-4``. SORRY_REFERENCE_DECISIONS sets another
size for either. Read `tests/reference/reference.py` before this file.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from fractions import Fraction

import pytest

from sorry_env import notation
from sorry_env.errors import PositionError
from sorry_env.game import Game
from sorry_env.rules import COLOURS, LETTERS, Card, Ruleset, get_ruleset
from tests.cases import DERIVED, PUBLISHED, SEATINGS, case_id, first_seats
from tests.reference.reference import ReferenceGame

SIZE = os.environ.get("SORRY_REFERENCE_DECISIONS")
QUICK = int(SIZE or 500)
FULL = int(SIZE or 100_000)
#: Positions made up for each ruleset, each with every card.
MADE_UP = 5
#: At one decision in so many, every legal move is played and compared.
ALL_MOVES_EVERY = 8


def check_equal(
    what: str, reference: object, engine: object, position: str, move: str = ""
) -> None:
    """Fail with everything that is needed to look at the position by hand."""
    if reference == engine:
        return
    lines = [f"{what} differ", f"position  {position}"]
    if move:
        lines.append(f"move      {move}")
    if isinstance(reference, list) and isinstance(engine, list):
        lines.append(f"reference only: {sorted(set(reference) - set(engine))}")
        lines.append(f"engine only:    {sorted(set(engine) - set(reference))}")
    lines += [f"reference {reference}", f"engine    {engine}"]
    pytest.fail("\n".join(lines), pytrace=False)


def check_move(reference: ReferenceGame, game: Game, text: str, position: str) -> None:
    """Play one legal move on both sides; both are then waiting for a draw, or over."""
    after = reference.apply(text)
    twin = game.copy()
    twin.play(notation.parse_move(twin, text), draw=False)
    check_equal("positions after the move", after.text(), notation.write(twin), position, text)


def check_legal(reference: ReferenceGame, game: Game, *, play_all: bool) -> list[str]:
    """Compare the legal moves, and, where asked for, what each of them leads to."""
    position = reference.text()
    legal = reference.legal()
    check_equal("legal moves", legal, notation.legal_texts(game), position)
    if play_all:
        for text in legal:
            check_move(reference, game, text, position)
    return legal


def check_draw(reference: ReferenceGame, game: Game, rng: random.Random) -> ReferenceGame:
    """Compare what may be drawn, draw the same card on both sides and compare again."""
    position = reference.text()
    chances = reference.draws()
    ours = dict(game.chances())
    check_equal("draws", {c: p for c, p in chances.items() if p}, ours, position)
    card = rng.choices(list(chances), [float(p) for p in chances.values()])[0]
    after = reference.draw(card)
    game.draw(card)
    check_equal("positions after the draw", after.text(), notation.write(game), position, card)
    return after


def check_end(reference: ReferenceGame, game: Game) -> None:
    """Compare the returns of a finished game, by colour."""
    outcome = reference.outcome()
    assert outcome is not None
    check_returns(reference, game, "win", outcome)
    if game.ruleset.pawn_points:
        points = reference.outcome("points")
        assert points is not None
        check_returns(reference, game, "points", points)


def check_returns(
    reference: ReferenceGame, game: Game, reward: str, outcome: dict[str, Fraction]
) -> None:
    """Compare one kind of returns."""
    returns = game.returns(reward)
    ours = {COLOURS[seat]: round(returns[seat], 6) for seat in game.seats}
    if game.ruleset.teams == "two":  # the reference names the two agents, the engine four seats
        ours = {"red": ours["red"], "blue": ours["blue"]}
        assert returns[0] == returns[2] and returns[1] == returns[3]
    theirs = {colour: round(float(value), 6) for colour, value in outcome.items()}
    check_equal(reward, theirs, ours, reference.text())
    assert all(returns[seat] == 0 for seat in range(4) if seat not in game.seats)


def check_game(name: str, seats: str, first: str, rng: random.Random, limit: int) -> int:
    """Play a game on both sides, at most ``limit`` decisions; how many there were."""
    game = Game(name, seats, first=first, seed=rng.randrange(1 << 32), draw=False)
    hands = None
    if game.hands is not None:  # the engine deals
        hands = {COLOURS[seat]: list(game.hands[seat] or ()) for seat in game.seats}
    reference = ReferenceGame.new(name, seats.split(","), first, hands)
    for decision in range(limit):
        check_equal("positions", reference.text(), notation.write(game), reference.text())
        check_equal("ends", reference.outcome() is not None, game.over, reference.text())
        if game.over:
            check_end(reference, game)
            return decision
        check_equal("waits", reference.waiting, game.waiting, reference.text())
        if game.waiting:
            reference = check_draw(reference, game, rng)
        if game.waiting:  # never twice; but a card replaced in a hand is a draw and no decision
            pytest.fail(f"still waiting after a draw: {reference.text()}", pytrace=False)
        legal = check_legal(reference, game, play_all=rng.randrange(ALL_MOVES_EVERY) == 0)
        move = rng.choice(legal)
        reference = reference.apply(move)
        game.play(notation.parse_move(game, move), draw=False)
    return limit


def check_games(name: str, seatings: tuple[str, ...], decisions: int, seed: int) -> None:
    """Play games until ``decisions`` are compared, every seating and every beginner in turn."""
    rng = random.Random(f"{name} {seatings} {seed}")
    turns = [(seats, first) for seats in seatings for first in first_seats(seats)]
    rng.shuffle(turns)
    done = game = 0
    while done < decisions:
        seats, first = turns[game % len(turns)]
        # Short games too, so that no seating takes all the decisions of a small run.
        limit = min(decisions - done, max(decisions // len(turns), 50))
        done += max(check_game(name, seats, first, rng, limit), 1)
        game += 1


@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_published_rulesets(case: tuple[str, int]) -> None:
    name, count = case
    check_games(name, SEATINGS[count], QUICK, seed=1)


@pytest.mark.parametrize("case", DERIVED, ids=case_id)
def test_derived_rulesets(case: tuple[str, str]) -> None:
    name, seats = case
    check_games(name, (seats,), QUICK // 2, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_published_rulesets_in_full(case: tuple[str, int]) -> None:
    name, count = case
    rng = random.Random(f"full {name} {count}")
    turns = [(seats, first) for seats in SEATINGS[count] for first in first_seats(seats)]
    done = 0
    while done < FULL:
        seats, first = rng.choice(turns)
        done += check_game(name, seats, first, rng, FULL - done)


@pytest.mark.slow
@pytest.mark.parametrize("case", DERIVED, ids=case_id)
def test_derived_rulesets_in_full(case: tuple[str, str]) -> None:
    name, seats = case
    check_games(name, (seats,), FULL // 10, seed=2)


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


def _phases(ruleset: Ruleset, card: Card, turn: str, asked: str) -> Iterator[tuple[str, str, str]]:
    """TURN, PHASE and further EXTRA of the decisions that come with a card."""
    if card.question:
        yield turn, "ask", ""
        if ruleset.answers == "player":
            yield f"{turn}>{asked}", "answer", ""
        for steps in (6, 3):
            yield turn, "move", f"asked={asked};steps={steps}"
            yield f"{turn}>{asked}", "reply", f"asked={asked};steps={steps}"
        return
    yield turn, "move", ""
    if card.ice or card.fire:
        yield turn, "ice" if card.ice else "token", ""


def crowded_positions(name: str, seats: str, count: int, seed: str) -> Iterator[str]:
    """Position lines with many pawns close together, for every decision that a card can bring."""
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
            out = [name for hand in hands for name in hand] + [card.name] * (not ruleset.hand)
            deck = ".".join(
                str(full - out.count(other.name))
                for other, full in zip(ruleset.cards, ruleset.counts, strict=True)
            )
            deck = "*" if ruleset.infinite else deck
            shown = "-" if ruleset.hand else card.name
            for who, phase, pairs in _phases(ruleset, card, turn, asked):
                extra = pairs or _marks(ruleset, colours, rng) or "-"
                yield f"{name} {'/'.join(colours)} {who} {phase} {shown} {deck} {held} {extra}"


def check_crowds(name: str, seats: str, count: int) -> None:
    """Every legal move in made-up positions: the text is read by both sides."""
    for position in crowded_positions(name, seats, count, "crowd"):
        try:
            game = notation.read(position, seed=1)
        except PositionError as error:
            pytest.fail(f"{position}\nis refused: {error}", pytrace=False)
        check_equal("texts", position, notation.write(game), position)
        check_legal(ReferenceGame.from_text(position), game, play_all=True)


CROWDS = [
    *((name, SEATINGS[count][0]) for name, count in PUBLISHED),
    ("classic?switch_slides=both", "red,blue,yellow,green"),
    ("classic?switch_slides=none", "red,green"),
    ("teams?switch_slides=both", "red,blue,yellow,green"),
    ("classic?pawns=3", "blue,yellow,green"),
    ("teams?hand=5", "red,blue,yellow,green"),
    ("fire-and-ice?switch_slides=both", "red,blue,yellow,green"),
    ("not-sorry?answers=player", "red,blue,yellow"),
    ("bump-em?switch_slides=both", "red,blue,yellow,green"),
    ("way-sorry?switch_slides=both", "red,blue,yellow,green"),
]


@pytest.mark.parametrize("case", CROWDS, ids=case_id)
def test_crowded_positions(case: tuple[str, str]) -> None:
    name, seats = case
    check_crowds(name, seats, MADE_UP)


@pytest.mark.slow
@pytest.mark.parametrize("case", CROWDS, ids=case_id)
def test_crowded_positions_in_full(case: tuple[str, str]) -> None:
    name, seats = case
    check_crowds(name, seats, max(FULL // 400, 1))
