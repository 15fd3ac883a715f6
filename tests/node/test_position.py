"""What Node makes of a position's line is what the engine sees in the position."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sorry_env.families import family_of
from sorry_env.notation import read_view, write
from tests.cases import DERIVED, PUBLISHED
from tests.node.support import EXAMPLES, NODE, ROOT, games, node

POSITIONS = 30
CASES = [
    *((name, str(count)) for name, count in PUBLISHED), *DERIVED,
    *(("express", count) for count in "234"),
]  # fmt: skip
RARE = ("fire-and-ice", "express")  # some phases of one, ends of the other


def question(game: Any, viewer: int) -> dict[str, Any]:
    fields = ("name", "offset", "size")
    family = family_of(game.ruleset)
    return {
        "position": family.write(game),
        "viewer": viewer,
        "fields": [{key: getattr(field, key) for key in fields} for field in game.tables.layout],
        "actions": game.tables.labels,
        "legal": family.legal_texts(game),
    }


def answer(game: Any, viewer: int) -> dict[str, Any]:
    text = family_of(game.ruleset).move_text
    moves = {text(move): move.action for move in game.legal_moves()}
    return {
        "observation": game.observation(viewer).tolist(),
        "actions": [moves[text] for text in sorted(moves)],
    }


@NODE
def test_observations_and_actions_of_every_ruleset() -> None:
    asked, wanted = [], []

    def look(game: Any, viewer: int) -> None:
        asked.append(question(game, viewer))
        wanted.append(answer(game, viewer))

    for ruleset, seats in CASES:
        count = 8 * POSITIONS if ruleset in RARE else POSITIONS
        for number, game in enumerate(games(ruleset, [seats], count, choice=False)):
            seat = game.actor
            look(game, seat)
            if game.ruleset.hand:  # and with the other hands hidden
                look(read_view(write(game.view(seat))), seat)
            moves = game.legal_moves()
            game.play(moves[number % len(moves)], draw=False)
            look(game, seat)  # after a move, before the draw
    lines = "".join(json.dumps(row) + "\n" for row in asked)
    answers = node(ROOT / "tests/node/encode.mjs", given=lines).splitlines()
    got = [json.loads(row) for row in answers]
    assert len(got) == len(wanted) > POSITIONS * len(CASES)
    for row, mine, theirs in zip(asked, got, wanted, strict=True):
        assert mine == theirs, row["position"]
    split = [row["position"].split(" ") for row in asked]
    phases = {fields[3] for fields in split if len(fields) == 8}
    assert phases == {"move", "over", "fire", "ice", "token", "home", "ask", "answer", "reply"}
    dice = {fields[4] for fields in split if len(fields) == 6}
    assert {"?", "-"} <= dice and set("rbygSWL") <= set("".join(dice))
    assert {text.count("=") for text in dice} == {0, 1, 2, 3}


@NODE
@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.mjs")))
def test_the_sources_are_whole(name: str) -> None:
    node("--check", EXAMPLES / name)
