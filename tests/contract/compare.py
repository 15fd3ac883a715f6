"""A game played on the engine and on the reference at once, everything compared at each decision.

Compared are the position's text, what can be drawn and how likely, the position after the draw, all
legal moves, the position after the move played (and now and then after every legal move), and at
the end the returns and the points. Read `tests/reference/reference.py` before this file.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from sorry_env import notation
from sorry_env.game import Game
from sorry_env.rules import COLOURS
from tests.cases import first_seats
from tests.reference.reference import ReferenceGame

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


def check_legal(
    reference: ReferenceGame, game: Game, position: str, *, play_all: bool
) -> list[str]:
    """Compare the legal moves, and, where asked for, what each of them leads to."""
    legal = reference.legal()
    check_equal("legal moves", legal, notation.legal_texts(game), position)
    if play_all:
        for text in legal:
            check_move(reference, game, text, position)
    return legal


def check_draw(
    reference: ReferenceGame, game: Game, position: str, rng: random.Random
) -> tuple[ReferenceGame, str]:
    """Compare what may be drawn, draw the same card on both sides and compare again.

    Returns the position after the draw and its text.
    """
    chances = reference.draws()
    ours = dict(game.chances())
    check_equal("draws", {c: p for c, p in chances.items() if p}, ours, position)
    card = rng.choices(list(chances), [float(p) for p in chances.values()])[0]
    after = reference.draw(card)
    game.draw(card)
    text = after.text()
    check_equal("positions after the draw", text, notation.write(game), position, card)
    return after, text


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
        position = reference.text()  # once: writing it takes longer than anything else here
        check_equal("positions", position, notation.write(game), position)
        check_equal("ends", reference.outcome() is not None, game.over, position)
        if game.over:
            check_end(reference, game)
            return decision
        check_equal("waits", reference.waiting, game.waiting, position)
        if game.waiting:
            reference, position = check_draw(reference, game, position, rng)
        if game.waiting:  # never twice; but a card replaced in a hand is a draw and no decision
            pytest.fail(f"still waiting after a draw: {position}", pytrace=False)
        legal = check_legal(reference, game, position, play_all=rng.randrange(ALL_MOVES_EVERY) == 0)
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
