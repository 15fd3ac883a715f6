"""Rulesets from YAML files: what may be in them, what is refused with its bound, their names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sorry_env.engine.tables import compile_rules
from sorry_env.errors import RulesetError
from sorry_env.game import Game
from sorry_env.notation import legal_texts, read, write
from sorry_env.rules import Card, get_ruleset, load_ruleset, register_ruleset
from sorry_env.rules.files import make_ruleset

FILES = sorted((Path(__file__).parents[2] / "configs" / "rulesets").glob("*.yaml"))
CLASSIC = get_ruleset("classic")


def load(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return load_ruleset(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_examples_load_and_their_names_round_trip(path: Path) -> None:
    ruleset = load_ruleset(path)
    assert load_ruleset(path) == ruleset, "the same file twice is no clash"
    assert ruleset.name == ruleset.edition == path.stem
    assert get_ruleset(ruleset.name) == ruleset
    derived = replace(ruleset, switch_slides="none")
    assert derived.name == f"{ruleset.name}?switch_slides=none"
    assert get_ruleset(derived.name) == derived
    for seats in ruleset.seat_choices:
        game = Game(ruleset, seats, seed=1)
        for _ in range(60):
            if game.over:
                break
            text = write(game)
            twin = read(text, seed=0)
            assert write(twin) == text and legal_texts(twin) == legal_texts(game)
            game.play(int(game.legal_actions()[-1]))


def test_the_examples_differ_as_they_say() -> None:
    found = {path.stem: load_ruleset(path) for path in FILES}
    assert {ruleset.pawns for ruleset in found.values()} == {1, 2, 3, 4}
    assert {0, 3, 4, 7} <= {ruleset.hand for ruleset in found.values()}
    house = found["house"]
    assert house.card_names == ("1", "2", "3", "4", "5", "6", "7", "8", "10", "11", "12", "S")
    assert house.cards[5] == Card("6", forward=6, start=True)
    assert house.cards[6] == CLASSIC.cards[5], "a name alone is the base's card"
    assert house.counts == (4,) * 12
    slippery = {card.name: card for card in found["slippery"].cards}
    assert slippery["10"] == Card("10", forward=10, split=True)
    assert slippery["8"] == Card("8", forward=8, switch=True)
    assert found["slippery"].slides == ((1, 6), (8, 14))
    assert found["doubt"].counts[-1] == 12


def test_a_field_that_is_left_out_is_the_bases() -> None:
    plain = make_ruleset({"edition": "plain"})
    assert plain == replace(CLASSIC, edition="plain")
    other = make_ruleset({"edition": "other", "base": "points?hand=3", "p_yes": 1})
    assert other == replace(get_ruleset("points?hand=3"), edition="other", p_yes=1.0)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"pawns": 0}, "pawns=0 must be an int from 1 to 4"),
    ({"pawns": 5}, "pawns=5 must be an int from 1 to 4"),
    ({"pawns": 2.0}, "pawns=2.0 must be an int from 1 to 4"),
    ({"hand": 8}, "hand=8 must be an int from 0 to 7"),
    ({"hand": -1}, "hand=-1 must be an int from 0 to 7"),
    ({"hand": 7, "deck": "2.2.2.2.2.2.2.2.2.2.2"}, "29 cards are needed"),
    ({"on_circle": 2}, "on_circle=2 must be 0 or 1"),
    ({"slides": [[1, 15]]}, "slides=((1, 15),) must be pairs of offsets 0 <= triangle < last"),
    ({"slides": [[4, 1]]}, "slides=((4, 1),) must be pairs"),
    ({"slides": [[1, 4], [3, 9]]}, "slides that do not overlap"),
    ({"slides": 3}, "slides=3 must be pairs"),
    ({"seat_counts": [5]}, "seat_counts=(5,) must be one or more numbers from 1 to 4"),
    ({"seat_counts": 2}, "seat_counts=2 must be"),
    ({"pawn_points": 1001}, "pawn_points=1001 must be an int from 0 to 1000"),
    ({"pawn_points": 5, "bonuses": [1, 2]}, "bonuses=(1, 2) must be none, or three ints from 0"),
    ({"base": "not-sorry", "p_yes": 1.5}, "p_yes=1.5 must be a number from 0 to 1"),
    ({"base": "not-sorry", "questions": 101}, "questions=101 must be an int from 0 to 100"),
    ({"deck": "1.2"}, "a deck of 11 kinds of cards, not 2"),
    ({"deck": {1: 101, 2: 1}}, "at most 100 of a kind"),
    ({"deck": {1: -1}}, "deck has -1 of card 1: from 0 to 100"),
    ({"deck": {6: 1}}, "deck counts a card '6'"),
    ({"deck": {}}, "1 card or more in all"),
    ({"cards": []}, "must be 1 to 16 kinds of cards"),
    ({"cards": [1, 1]}, "kinds of cards with different names"),
    ({"cards": [6]}, "card 6 is none of the base's"),
    ({"cards": [{"forward": 3}]}, "must have a name"),
    ({"cards": [True]}, "card True must have a name"),
    ({"cards": [{"name": "1!", "forward": 3}]}, "card name '1!' must be letters and digits"),
    ({"cards": [{"name": 6, "forward": 60}]}, "forward=60 must be an int from 0 to 59"),
    ({"cards": [{"name": 6, "forward": 6, "start": 1}]}, "start=1 must be true or false"),
    ({"cards": [{"name": 6, "fly": True}]}, "unknown key 'fly' in a card"),
    ({"cards": [{"name": 6, "start": False}]}, "card 6 can do nothing"),
    ({"cards": 3}, "cards must be a list"),
    ({"teams": "three"}, "teams='three' must be one of none, four, two"),
    ({"colour": "red"}, "unknown key 'colour' in a ruleset file; known are base, edition"),
    ({"edition": "my house"}, "must be letters, digits, - and _"),
    ({"edition": 7}, "edition=7 must be letters"),
    ({"base": "chess"}, "unknown ruleset 'chess'"),
    ({"base": 3}, "must be text"),
]


@pytest.mark.parametrize(("changes", "said"), REFUSED)
def test_what_is_out_of_bounds_is_refused_with_the_bound(
    changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(RulesetError) as caught:
        make_ruleset({"edition": "mine", **changes})
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pawns: 3\n", "edition must be given"),
        ("", "must be KEY: VALUE pairs, not None"),
        ("- 1\n", "must be KEY: VALUE pairs"),
        ("edition: [", "not plain YAML"),
        ("edition: mine\npawns: 2\npawns: 3\n", "key 'pawns' is given twice"),
        ("edition: mine\n? [1]\n: 2\n", "cannot be a key"),
        ("edition: !!python/object/apply:os.getcwd []\n", "not plain YAML"),
        ("edition: classic\npawns: 3\n", "'classic' is the name of a published edition"),
        ("edition: classic\n", "'classic' is the name of a published edition"),
        ("edition: express\n", "'express' is the name of a published edition"),
    ],
)
def test_files_that_cannot_be_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(RulesetError) as caught:
        load(tmp_path, text)
    assert caught.value.message.startswith(f"{tmp_path / 'mine.yaml'}: ")
    assert said in caught.value.message
    assert caught.value.code == "unsupported_ruleset"


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match=r"none\.yaml: cannot be read"):
        load_ruleset(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(RulesetError, match="cannot be read"):
        load_ruleset(tmp_path / "bytes.yaml")


def test_names_are_unique(tmp_path: Path) -> None:
    first = load(tmp_path, "edition: only-one\npawns: 2\n")
    with pytest.raises(RulesetError, match="'only-one' is the name of another ruleset"):
        load(tmp_path, "edition: only-one\npawns: 3\n")
    assert get_ruleset("only-one") == first
    with pytest.raises(RulesetError, match="own cards or seat counts need an edition of another"):
        compile_rules(replace(first, seat_counts=(2,)))


def test_a_ruleset_made_in_python_can_be_registered() -> None:
    mine = replace(CLASSIC, edition="made-here", seat_counts=(2,))
    with pytest.raises(RulesetError, match="unknown ruleset 'made-here'"):
        get_ruleset("made-here")
    assert register_ruleset(mine) is mine
    assert get_ruleset("made-here?pawns=1") == replace(mine, pawns=1)
    text = write(Game(mine, seed=1))
    assert text.startswith("made-here ") and write(read(text)) == text
