"""Action names and observations of every ruleset: published, derived, from files, drawn at random.

What is expected of names is read from their grammar as documented, by a parser of its own; what is
expected of observations is what the view says in words. Read `test_observe.py` before this file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorry_env import notation
from sorry_env.engine.actions import KINDS
from sorry_env.engine.observe import decode
from sorry_env.engine.tables import compile_rules
from sorry_env.game import Game
from sorry_env.rules import EDITIONS, Ruleset, get_ruleset, load_ruleset
from tests.cases import DERIVED
from tests.contract.drawn import draw_pair
from tests.engine.support import size
from tests.engine.test_observe import check_further

FILES = sorted((Path(__file__).parents[2] / "configs" / "rulesets").glob("*.yaml"))
DRAWN = 14
ALL = (
    *sorted({*EDITIONS, *(name for name, _ in DERIVED)}),
    *(path.name for path in FILES),
    *(f"drawn-{seed}" for seed in range(DRAWN)),
)


def ruleset_of(name: str) -> Ruleset:
    """The ruleset of a published or derived name, of a file, or of a seed."""
    if name.endswith(".yaml"):
        return load_ruleset(FILES[0].parent / name)
    if name.startswith("drawn-"):
        return draw_pair(int(name.removeprefix("drawn-"))).ruleset
    return get_ruleset(name)


#: What follows the colon, for each kind: named groups are the fields of the action.
FORMS = {
    "leave": r"(?P<p>p?)out",
    "split": r"(?P<p>p?)(?P<slot>\d)\+(?P<steps>\d+),(?P<p2>p?)(?P<slot2>\d)\+(?P<steps2>\d+)",
    "buddy": r"(?P<slot>\d)(?P<steps>[+-]1)(?P<steps2>[+-]1)",
    "bully": r"(?P<slot>\d)(?P<steps>[+-]1)",
    "step": r"(?P<p>p?)(?P<slot>\d)(?P<steps>[+-]\d+)",
    "switch": r"(?P<p>p?)(?P<slot>\d)x(?P<side2>\d)\.(?P<slot2>\d)",
    "take": r"(?P<p>p?)x(?P<side2>\d)\.(?P<slot2>\d)",
    "discard": "discard",
    "happy": r"(?P<slot>\d)",
    "punish": r"(?P<side2>\d)\.(?P<slot2>\d)",
}
PHASE_FORMS = {
    ("fire", "advance"): "advance",
    ("fire", "no"): "decline",
    ("ice", "off"): "decline",
    ("ice", r"(?P<side2>\d)\.(?P<slot2>\d)"): "ice",
    ("token", "no"): "decline",
    ("token", r"(?P<slot>\d)"): "token",
    ("home", r"(?P<slot>\d)"): "home",
    ("ask", r"(?P<side2>\d)"): "ask",
    ("answer", "yes"): "yes",
    ("answer", "no"): "no",
}


def parse(ruleset: Ruleset, label: str) -> tuple[int, ...]:
    """kind, card, side, slot, steps, side2, slot2, steps2 of an action, by its name alone."""
    if label == "pass":
        return (0, -1, 0, 0, 0, 0, 0, 0)
    prefix, _, rest = label.partition(":")
    found: list[tuple[str, int, Any]] = []
    if prefix in ruleset.card_names:
        index = ruleset.card_names.index(prefix)
        card = ruleset.cards[index]
        for kind, form in FORMS.items():
            match = re.fullmatch(form, rest)
            if kind == "bully" and not card.bully:  # the same form as a single step
                continue
            if match:
                found.append((kind, index, match))
                break
    for (phase, form), kind in PHASE_FORMS.items():
        if prefix == phase and (match := re.fullmatch(form, rest)):
            found.append((kind, -1, match))
            break
    assert len(found) == 1, label
    ((kind, index, match),) = found
    fields = match.groupdict()
    side = 2 if fields.get("p") else 0
    side2 = 2 if fields.get("p2") else int(fields.get("side2") or 0)
    numbers = [int(fields.get(name) or 0) for name in ("slot", "steps", "slot2", "steps2")]
    slot, steps, slot2, steps2 = numbers
    return (KINDS.index(kind), index, side, slot, steps, side2, slot2, steps2)


@pytest.mark.parametrize("name", ALL)
def test_action_names_are_unique_and_parse_back(name: str) -> None:
    ruleset = ruleset_of(name)
    tables = compile_rules(ruleset)
    assert len(set(tables.labels)) == len(tables.labels) == tables.num_actions
    for label, row in zip(tables.labels, tables.rows, strict=True):
        assert parse(ruleset, label) == row, label


@pytest.mark.parametrize("name", ALL)
def test_texts_and_observations_come_back(name: str) -> None:
    """Move texts as the moves they name, positions as they were, observations as the views."""
    ruleset = ruleset_of(name)
    rng = np.random.default_rng(len(name))
    for seats in ruleset.seat_choices:
        game = Game(ruleset, seats, seed=8, first="random")
        for _ in range(size(40, 8)):
            if game.over:
                break
            moves = {notation.move_text(move): move for move in game.legal_moves()}
            assert len(moves) == len(game.legal_actions()) == int(game.mask().sum())
            assert all(notation.parse_move(game, text) == move for text, move in moves.items())
            text = notation.write(game)
            assert notation.write(notation.read(text, seed=0)) == text
            for seat in game.seats:
                check_view(game, seat)
            game.play(int(rng.choice(game.legal_actions())))


def check_view(game: Game, seat: int) -> None:
    """What a seat's observation decodes to is what its view says."""
    view = game.view(seat)
    parts = decode(game.tables.layout, view.observation())
    for side in range(4):
        mine = view.pawns[(seat + side) % 4]
        assert parts["pawns"][side].tolist() == [*mine] + [-1] * (4 - len(mine))
    assert int(parts["turn"][0]) == (view.turn - seat) % 4
    card, names = int(parts["card"][0]), game.ruleset.card_names
    assert (names[card - 1] if card else None) == view.card
    assert ("unseen" in parts) == (view.unseen is not None)
    if view.unseen is not None:
        assert tuple(parts["unseen"].tolist()) == view.unseen
    check_further(view, seat, {name: part.tolist() for name, part in parts.items()})
