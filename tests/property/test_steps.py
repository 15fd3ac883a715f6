"""Steps and direction of a move are those of the rules: in its parts, its words and on the page."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from typing import Any

import pytest

from sorry_env.game import Game, Move
from sorry_env.notation import move_text, parse_move, read
from sorry_env.notation.moves import move_words
from sorry_env.notation.squares import square_text
from sorry_env.rules import Ruleset, register_ruleset
from sorry_env.rules.files import make_ruleset
from sorry_env.web.events import move_events
from sorry_env.web.shown import move_rows
from tests.contract.drawn import draw_pair

#: What the words of a move by count say of its steps.
COUNT = re.compile(r"move (\d+)( back)? from")


def far_ruleset(seed: int) -> Ruleset:
    """A ruleset whose cards go any number of steps either way, up to 59."""
    rng = random.Random(f"far {seed}")
    cards: list[dict[str, Any]] = [
        {"name": "1", "forward": 1, "start": True},
        {"name": "X", "buddy": True, "start": True},
        {"name": "Y", "bully": True, "start": True},
    ]
    for name in ("21", "22", "23", "24", "25", "26"):
        steps = {"forward": rng.randint(0, 59), "backward": rng.randint(1, 59)}
        if steps["forward"] + steps["backward"] != 60:
            cards.append({"name": name, **steps, "split": steps["forward"] > 1})
    return register_ruleset(make_ruleset({
        "edition": f"far-{seed}", "cards": cards, "deck": ".".join("4" * len(cards)),
        "pawns": 4, "slides": [],
    }))  # fmt: skip


def spoken(game: Game, move: Move) -> list[int]:
    """The signed steps that the words of a move tell."""
    return [int(n) * (-1 if back else 1) for n, back in COUNT.findall(move_words(game, move))]


def ruled(game: Game, move: Move) -> list[int]:
    """The signed steps that the rules give an action, by its name in the action table."""
    text = game.tables.labels[move.action].partition(":")[2]
    signs = re.findall(r"[+-]\d+", text)
    if move.kind in ("step", "split"):
        return [int(sign) for sign in signs]
    # A Buddy or a Bully goes in its direction as far as its squares are apart on the track.
    part, sign = move.parts[0], 1 if signs[0] == "+1" else -1
    squares = [int(square_text(part.seat, code)) for code in (part.start, part.end)]
    return [sign * ((sign * (squares[1] - squares[0])) % 60)]


def check_paths(game: Game, move: Move) -> None:
    """Each part sets foot on one square after another, as many as its steps, up to its end."""
    for part in move.parts:
        path = part.path()
        assert len(path) == abs(part.steps) and path[-1] == part.end
        for one, two in pairwise((part.start, *path)):
            assert two - one == (1 if part.steps > 0 else -1) or {one, two} == {1, 60}
    if move.kind in ("buddy", "bully"):
        return
    rows = {row["move"]: row for row in move_rows(game)}
    told = [row["steps"] for row in rows[move_text(move)]["parts"]]
    assert told == [part.steps for part in move.parts]
    after = game.copy()
    after.play(move, draw=False)
    shown = [row["path"] for row in move_events(game, move, after) if row["type"] == "step"]
    assert shown == [
        [square_text(part.seat, code) for code in part.path()] for part in move.parts
    ]  # fmt: skip


def play_and_check(ruleset: Ruleset, seats: str, seed: int, plies: int) -> int:
    """Random play; how many moves with steps were looked at."""
    rng = random.Random(seed)
    game = Game(ruleset, seats, seed=seed)
    looked_at = 0
    for _ in range(plies):
        if game.over:
            game = Game(ruleset, seats, seed=rng.randrange(2**32))
        moves = list(game.legal_moves())
        for move in rng.sample(moves, min(6, len(moves))):
            if move.kind in ("step", "split", "buddy", "bully"):
                looked_at += 1
                assert spoken(game, move)[: len(move.parts)] == ruled(game, move) or (
                    move.kind == "bully"  # told as a bump, without steps
                )
                assert [part.steps for part in move.parts] == ruled(game, move)
                check_paths(game, move)
        game.play(rng.choice(list(game.legal_actions())))
    return looked_at


@pytest.mark.parametrize("seed", range(8))
def test_words_and_paths_of_cards_that_go_far(seed: int) -> None:
    assert play_and_check(far_ruleset(seed), ("red,yellow", "red,blue,yellow,green")[seed % 2],
                          seed, 40) > 20  # fmt: skip


@pytest.mark.parametrize("seed", range(7))
def test_words_and_paths_in_drawn_rulesets(seed: int) -> None:
    pair = draw_pair(seed + 4000)
    assert play_and_check(pair.ruleset, pair.seatings[0], seed, 40) > 0


#: (forward, backward, Red's square, move, words, squares passed) worked out by hand on the track.
WORKED = [
    (50, 0, 6, "C:6-56", "move 50 from 6 to 56", range(7, 57)),
    (0, 20, 30, "C:30-10", "move 20 back from 30 to 10", range(29, 9, -1)),
    # Red's circle is square 4 and its entry square 2: backward it goes round past both.
    (0, 20, 10, "C:10-50", "move 20 back from 10 to 50", [*range(9, -1, -1), *range(59, 49, -1)]),
    (0, 46, 59, "C:59-13", "move 46 back from 59 to 13", range(58, 12, -1)),
    (0, 50, 40, "C:40-50", "move 50 back from 40 to 50", [*range(39, -1, -1), *range(59, 49, -1)]),
    (46, 4, 8, "C:8-54", "move 46 from 8 to 54", range(9, 55)),
]


@pytest.mark.parametrize(("forward", "backward", "square", "text", "words", "passed"), WORKED)
def test_worked_by_hand(
    forward: int, backward: int, square: int, text: str, words: str, passed: list[int]
) -> None:
    rules = register_ruleset(make_ruleset({
        "edition": f"far-by-hand-{forward}-{backward}", "slides": [], "deck": "4.4",
        "cards": [
            {"name": "1", "forward": 1, "start": True},
            {"name": "C", "forward": forward, "backward": backward},
        ],
    }))  # fmt: skip
    game = read(f"{rules.name} {square},rS,rS,rS/-/yS,yS,yS,yS/- r move C 4.3 - -", seed=0)
    move = parse_move(game, text)
    assert move_words(game, move) == words
    (row,) = [row for row in move_events(game, move, game) if row["type"] == "step"]
    assert row["path"] == [str(one) for one in passed]
