"""Fire and punishment stay with a pawn that is switched, wherever it comes to rest.

Worked by hand: "a switched pawn keeps it" (the Fire), and a punished pawn stays punished while
others move it. Red's slides are 1-4 and 9-13, Blue's 16-19 and 24-28, Yellow's 31-34 and 39-43.
"""

from __future__ import annotations

import pytest

from sorry_env import notation
from sorry_env.rules import get_ruleset
from tests.reference.positions import position


@pytest.mark.parametrize(
    ("slides", "before", "carrier", "move", "after", "at"),
    [
        # The displaced pawn carries it: without a slide, along Red's slide, not along Yellow's own.
        ("both", "20/-/40/-", "40", "11:20x40", "40/-/20/-", "20"),
        ("both", "9/-/40/-", "40", "11:9x40", "40/-/13/-", "13"),
        ("mover", "9/-/40/-", "40", "11:9x40", "40/-/9/-", "9"),
        ("none", "9/-/40/-", "40", "11:9x40", "40/-/9/-", "9"),
        ("both", "24/-/40/-", "40", "11:24x40", "40/-/28/-", "28"),
        ("both", "31/-/40/-", "40", "11:31x40", "40/-/31/-", "31"),
        # Yellow's pawn is switched onto 12 and stays: it is no slide's start.
        ("both", "12/-/40/-", "40", "11:12x40", "40/-/12/-", "12"),
    ],
)
@pytest.mark.parametrize(("ruleset", "mark"), [("fire-and-ice", "fire"), ("way-sorry", "punished")])
def test_a_displaced_pawn_keeps_what_it_carries(
    ruleset: str, mark: str, slides: str, before: str, carrier: str, move: str, after: str, at: str
) -> None:
    name = get_ruleset(f"{ruleset}?switch_slides={slides}").name
    game = notation.read(position(before, "r", "11", name, extra=f"{mark}={carrier}"), seed=1)
    game.play(notation.parse_move(game, move), draw=False)
    words = notation.write(game).split(" ")
    stand = "/".join(part.split(",")[0] for part in words[words.index("y") - 1].split("/"))
    assert stand == after
    assert dict(pair.split("=") for pair in words[-1].split(";"))[mark] == at


@pytest.mark.parametrize(
    ("slides", "move", "at"),
    [("mover", "11:20x39", "43"), ("both", "11:20x39", "43"), ("none", "11:20x39", "39")],
)
def test_the_mover_keeps_its_fire(slides: str, move: str, at: str) -> None:
    name = get_ruleset(f"fire-and-ice?switch_slides={slides}").name
    game = notation.read(position("20/-/39/-", "r", "11", name, extra="fire=20"), seed=1)
    game.play(notation.parse_move(game, move), draw=False)
    assert dict(pair.split("=") for pair in notation.write(game).split(" ")[-1].split(";")) == {
        "fire": at
    }
