"""Node plays a whole game over standard input and output, by the protocol alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sorry_env.notation import parse_move, read, write
from tests.node.support import EXAMPLES, NODE, node, sorry

FIRST = {
    "classic": "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move ? 5.4.4.4.4.4.4.4.4.4.4 - -",
    "fire-and-ice": "fire-and-ice rS,rS,rS/-/yS,yS,yS/- r move ? 5.4.4.4.4.4.4.4.4.4.4 - -",
}


@NODE
@pytest.mark.parametrize("first", list(FIRST.values()), ids=list(FIRST))
def test_a_whole_game(first: str, tmp_path: Path) -> None:
    script = EXAMPLES / "play.mjs"
    arguments = (script, "--position", first, "--seed", 3, "--sorry", sorry(tmp_path))
    printed = node(*arguments)
    *plies, last, summary = printed.splitlines()
    game = read(first, seed=0)
    for number, line in enumerate(plies, 1):
        ply, seat, card, move = line.split()
        assert int(ply) == number
        if game.waiting:  # its draws are replayed as they were printed
            game.draw(card)
        assert "rbyg"[game.actor] == seat
        game.play(parse_move(game, move), draw=False)
    assert game.over and write(game) == last
    winner = re.fullmatch(r"(\w) wins after (\d+) decisions \(r: node, others: greedy\)", summary)
    assert winner is not None
    assert ["rbyg".index(winner[1])] == list(game.winners)
    assert int(winner[2]) == len(plies)
    assert node(*arguments) == printed, "a seed gives the same game again"


@NODE
def test_a_game_with_a_coin(tmp_path: Path) -> None:
    first = "not-sorry rS,rS,rS,rS/-/yS,yS,yS,yS/- r move ? 5.4.4.4.4.4.4.4.4.4.4.8 - -"
    printed = node(EXAMPLES / "play.mjs", "--position", first, "--sorry", sorry(tmp_path))
    assert "ask:yellow" in printed
    *_, last, summary = printed.splitlines()
    assert read(last).over and summary.endswith("others: greedy)")


@NODE
def test_what_is_wrong_is_told(tmp_path: Path) -> None:
    program = sorry(tmp_path)
    script = EXAMPLES / "play.mjs"
    told = node(script, "--bot", "nobody", "--sorry", program, status=1)
    assert "nobody" in told and "ended with status 2" in told
    told = node(script, "--sorry", tmp_path / "missing", status=1)
    assert "cannot be started" in told
    told = node(script, "--position", "classic", "--sorry", program, status=1)
    assert "eight fields: classic" in told
    told = node(script, "--position", "classic a b c d e f g", "--sorry", program, status=1)
    assert "bad_position: PAWNS 'a'" in told
