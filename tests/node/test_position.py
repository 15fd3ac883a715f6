"""What Node makes of a position's line is what the engine sees in the position."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sorry_env.game import Game, View
from sorry_env.notation import legal_texts, move_text, read_view, write
from tests.cases import DERIVED, PUBLISHED
from tests.node.support import NODE, ROOT, games, node

POSITIONS = 30
CASES = [*((name, str(count)) for name, count in PUBLISHED), *DERIVED]


def question(game: Game | View, viewer: int) -> dict[str, Any]:
    fields = ("name", "offset", "size")
    return {
        "position": write(game),
        "viewer": viewer,
        "fields": [{key: getattr(field, key) for key in fields} for field in game.tables.layout],
        "actions": game.tables.labels,
        "legal": legal_texts(game),
    }


def answer(game: Game | View, viewer: int) -> dict[str, Any]:
    moves = {move_text(move): move.action for move in game.legal_moves()}
    return {
        "cards": list(game.ruleset.card_names),
        "observation": game.observation(viewer).tolist(),
        "actions": [moves[text] for text in sorted(moves)],
    }


@NODE
def test_observations_and_actions_of_every_ruleset() -> None:
    asked, wanted = [], []

    def look(game: Game | View, viewer: int) -> None:
        asked.append(question(game, viewer))
        wanted.append(answer(game, viewer))

    for ruleset, seats in CASES:
        count = 8 * POSITIONS if ruleset == "fire-and-ice" else POSITIONS  # it has rare phases
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
    phases = {row["position"].split(" ")[3] for row in asked}
    assert phases == {"move", "over", "fire", "ice", "token", "home", "ask", "answer", "reply"}


@NODE
@pytest.mark.parametrize("name", ["play.mjs", "choose.mjs", "model.mjs", "position.mjs"])
def test_the_sources_are_whole(name: str) -> None:
    node("--check", ROOT / "docs/examples/node" / name)
