"""The bot protocol request by request; positions and answers worked by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sorry_env.bots.base import Bot
from sorry_env.families import FAMILIES, family_of
from sorry_env.rules import RULESETS
from sorry_env.server.session import Session
from tests.cases import PUBLISHED, SEATINGS, case_id
from tests.server.support import ask, code

ONE = "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 1 4.4.4.4.4.4.4.4.4.4.4 - -"
DRAW = "classic 4,rS,rS,rS/-/yS,yS,yS,yS/- y move ? 4.4.4.4.4.4.4.4.4.4.4 - -"
OVER = "classic rH,rH,rH,rH/-/y3,y1,3,yS/- r over - 0.0.0.0.0.0.0.0.0.0.1 - winner=r"
DICE = "express r:2.1.0.0/b:1.3.2.0 1.0.2.4 0 3=b -"
ROLL = "express r:2.1.0.0/b:1.3.2.0 1.0.2.4 1 ? -"
#: Red's view; Yellow's, of another game, while Red decides.
SEEN = "points 4,rS,rS,rS/-/34,yS,yS,yS/- r move - 5.2.4.4.4.3.2.4.4.4.4 2.2.7.8.8/-/?/- -"
OTHER = "points 4,rS,rS,rS/-/34,yS,yS,yS/- r move - 5.4.4.4.3.4.4.2.4.4.2 ?/-/5.10.10.S.S/- -"


def test_hello_says_who_plays_what() -> None:
    answer = ask(Session("greedy", seed=1), "hello")
    assert answer == {
        "id": 5, "type": "hello", "protocol": 1, "name": "greedy",
        "rulesets": [*RULESETS, *FAMILIES],
    }  # fmt: skip
    assert ask(Session("optimal"), "hello")["rulesets"] == ["duel-1"]


def test_legal_apply_and_draw_by_hand() -> None:
    session = Session("random", seed=1)
    assert ask(session, "legal", position=ONE) == {"id": 5, "type": "legal", "moves": ["1:rS-4"]}
    assert ask(session, "legal", position=OVER)["moves"] == []
    assert ask(session, "apply", position=ONE, move="1:rS-4") == {
        "id": 5, "type": "apply", "position": DRAW,
    }  # fmt: skip
    drawn = ask(session, "draw", position=DRAW, card="7")
    assert drawn["position"] == DRAW.replace("? 4.4.4.4.4.4", "7 4.4.4.4.4.3")
    assert ask(session, "legal", position=DICE)["moves"] == ["3:none"]
    assert ask(session, "apply", position=DICE, move="3:none")["position"] == ROLL
    rolled = ask(session, "draw", position=ROLL, card="1=b,2=S,3=L")
    assert rolled["position"] == ROLL.replace("?", "1=b,2=S,3=L")


def test_the_coin_answers_by_draw_too() -> None:
    asked = "not-sorry 4,rS,rS,rS/-/34,yS,yS,yS/- r>y answer Q 5.4.4.4.4.4.4.4.4.4.4.7 - -"
    session = Session("random", seed=1)
    assert code(session, "legal", position=asked) == "bad_position"
    yes = ask(session, "draw", position=asked, card="yes")["position"]
    assert yes.split(" ")[3:5] == ["move", "Q"] and yes.endswith("asked=y;steps=6")
    assert code(session, "draw", position=asked, card="7") == "bad_request"


def test_the_only_move_is_played_with_certainty() -> None:
    answer = ask(Session("greedy", seed=1), "move", position=ONE, time_ms=200)
    assert answer == {
        "id": 5, "type": "move", "move": "1:rS-4", "candidates": [{"move": "1:rS-4", "p": 1.0}],
    }  # fmt: skip


def test_candidates_are_the_bots_chances() -> None:
    # A 4 goes back. From 4 four squares take the pawn to 0, from 30 to 26, from 31 to 27.
    position = "classic 31,30,4,rS/-/yS,yS,yS,yS/- r move 4 5.4.4.3.4.4.4.4.4.4.4 - -"
    answer = ask(Session("random", seed=1), "move", position=position)
    assert [row["move"] for row in answer["candidates"]] == ["4:30-26", "4:31-27", "4:4-0"]
    assert [row["p"] for row in answer["candidates"]] == [0.333333] * 3
    assert answer["move"] in {"4:30-26", "4:31-27", "4:4-0"}
    # Square 0 is three before the circle and 56 steps nearer Home: that is what greedy takes.
    best = ask(Session("greedy", seed=1), "move", position=position)
    assert best["move"] == "4:4-0"
    assert best["candidates"][0] == {"move": "4:4-0", "p": 1.0}
    assert [row["p"] for row in best["candidates"][1:]] == [0.0, 0.0]


def test_a_bot_that_says_nothing_of_its_chances_has_no_candidates() -> None:
    class First(Bot):
        def choose(self, view: Any) -> int:
            return int(view.legal_actions()[0])

    for position in (ONE, DICE):
        answer = ask(Session(First()), "move", position=position)
        assert set(answer) == {"id", "type", "move"}


@pytest.mark.parametrize(
    ("kind", "fields", "wanted"),
    [
        ("legal", {"position": "nonsense"}, "bad_position"),
        ("legal", {"position": ""}, "bad_position"),
        ("legal", {"position": ONE.replace("1 4.", "1 5.")}, "bad_position"),
        ("legal", {"position": "x" * 60_000}, "bad_position"),
        ("legal", {"position": DRAW}, "bad_position"),
        ("legal", {"position": ROLL}, "bad_position"),
        ("legal", {"position": OTHER}, "bad_position"),
        ("legal", {"position": ONE.replace("classic", "klassik")}, "unsupported_ruleset"),
        ("legal", {"position": ONE.replace("classic", "classic?a=b")}, "unsupported_ruleset"),
        ("move", {"position": OVER}, "bad_position"),
        ("move", {"position": DRAW}, "bad_position"),
        ("move", {"position": OTHER}, "bad_position"),
        ("apply", {"position": ONE, "move": "1:rS-5"}, "illegal_move"),
        ("apply", {"position": ONE, "move": ""}, "illegal_move"),
        ("apply", {"position": OVER, "move": "pass"}, "illegal_move"),
        ("apply", {"position": DRAW, "move": "pass"}, "illegal_move"),
        ("draw", {"position": ONE}, "bad_position"),
        ("draw", {"position": OVER, "card": "1"}, "bad_position"),
        ("draw", {"position": DRAW, "card": "6"}, "bad_request"),
        ("draw", {"position": ROLL, "card": "1=W,2=W,3=W"}, "bad_request"),
        ("legal", {}, "bad_request"),
        ("legal", {"position": None}, "bad_request"),
        ("legal", {"position": [ONE]}, "bad_request"),
        ("legal", {"position": ONE, "positon": ONE}, "bad_request"),
        ("apply", {"position": ONE}, "bad_request"),
        ("apply", {"position": ONE, "move": 4}, "bad_request"),
        ("draw", {"position": DRAW, "card": 7}, "bad_request"),
        ("move", {"position": ONE, "time_ms": "200"}, "bad_request"),
        ("move", {"position": ONE, "time_ms": -1}, "bad_request"),
        ("move", {"position": ONE, "time_ms": True}, "bad_request"),
        ("hello", {"protocol": 2}, "bad_request"),
        ("quit", {}, "bad_request"),
        ("_move", {"position": ONE}, "bad_request"),
    ],
)
def test_what_is_wrong_has_a_code(kind: str, fields: dict[str, Any], wanted: str) -> None:
    session = Session("random", seed=1)
    assert code(session, kind, **fields) == wanted
    assert ask(session, "legal", position=ONE)["moves"] == ["1:rS-4"]


@pytest.mark.parametrize(
    "line",
    [
        b"", b" ", b"hello", b"[1]", b"7", b"null", b"{", b'{"id":1}{"id":2}', b"\xff",
        b"\xef\xbb\xbf{}",
        b"[" * 60_000, b'{"a":' * 10_000, b'{"id":NaN,"type":"hello"}', b"1" * 5000,
        b'{"id":[1],"type":"hello"}', b'{"id":true,"type":"hello"}', b'{"id":1e999,"type":"hello"}',
        b'{"id":{},"type":"hello"}', b'{"id":"\\ud800","type":"hello"}',
        b'{"id":1,"id":2}', b'{"type":7}', '{"id":1,"type":"hello"}'.encode("utf-16"),
    ],
)  # fmt: skip
def test_lines_that_are_no_requests_are_answered_with_id_null(line: bytes) -> None:
    answer = json.loads(Session("random").answer_line(line))
    assert (answer["id"], answer["type"], answer["code"]) == (None, "error", "bad_request")
    assert 0 < len(answer["message"]) <= 1000


@pytest.mark.parametrize(
    "given", ["0", "-7", "1.5", '"a\\u00e9\\ud83d\\ude00"', "null", "1" + "0" * 299]
)
def test_every_id_comes_back(given: str) -> None:
    session = Session("random")
    for kind in ("hello", "nonsense"):
        answer = json.loads(session.answer_line(f'{{"id":{given},"type":"{kind}"}}'.encode()))
        assert answer["id"] == json.loads(given)


def test_a_line_over_64_kib_is_too_large() -> None:
    session = Session("random")
    fits = json.dumps({"id": 1, "type": "legal", "position": ONE}).encode().ljust(65536)
    assert json.loads(session.answer_line(fits))["moves"] == ["1:rS-4"]
    for line in (fits + b" ", None):
        answer = json.loads(session.answer_line(line))
        assert (answer["id"], answer["code"]) == (None, "too_large")


# -- hidden hands ---------------------------------------------------------------------------------


def test_a_view_is_answered_where_its_hand_decides() -> None:
    session = Session("greedy", seed=1)
    moves = ask(session, "legal", position=SEEN)["moves"]
    assert moves == ["2:4-6", "7:4-11", "8:4-12"]  # nobody may discard who can move
    assert ask(session, "move", position=SEEN)["move"] in moves
    after = ask(session, "apply", position=SEEN, move="8:4-12")["position"]
    assert after == (
        "points 12,rS,rS,rS/-/34,yS,yS,yS/- r move ? 5.2.4.4.4.3.2.4.4.4.4 2.2.7.8/-/?/- -"
    )
    # Red draws the S, which nobody has seen; then Yellow, whose hand is hidden, is to play.
    drawn = ask(session, "draw", position=after, card="S")["position"]
    assert drawn == (
        "points 12,rS,rS,rS/-/34,yS,yS,yS/- y move - 5.2.4.4.4.3.2.4.4.4.3 2.2.7.8.S/-/?/- -"
    )
    assert code(session, "legal", position=drawn) == "bad_position"


def test_what_a_hidden_hand_would_draw_is_not_told() -> None:
    waits = "points 4,rS,rS,rS/-/34,yS,yS,yS/- r move ? 5.4.4.4.3.4.4.2.4.4.2 ?/-/5.10.10.S.S/- -"
    assert code(Session("random"), "draw", position=waits) == "bad_position"
    assert code(Session("random"), "draw", position=waits, card="1") == "bad_position"


def test_every_card_that_a_view_has_not_seen_can_be_drawn() -> None:
    # One card in the pile and five in Yellow's hand: whichever it is that Red draws.
    view = "points 4,rS,rS,rS/-/34,yS,yS,yS/- r move ? 1.1.0.1.0.1.0.1.0.0.1 2.2.7.8/-/?/- -"
    session = Session("random", seed=3)
    for card in ("1", "2", "4", "7", "10", "S"):
        assert "?" not in ask(session, "draw", position=view, card=card)["position"].split(" ")[4]
    assert code(session, "draw", position=view, card="3") == "bad_request"
    drawn = {ask(session, "draw", position=view)["position"] for _ in range(80)}
    assert len(drawn) == 6


def test_a_view_with_an_empty_pile_draws_from_the_discards() -> None:
    # All unseen cards are in Yellow's hand, so a 3 can come, and no S: Yellow holds all four.
    view = "points 4,rS,rS,rS/-/34,yS,yS,yS/- r move ? 1.0.0.0.0.0.0.0.0.0.4 2.2.7.8/-/?/- -"
    session = Session("random", seed=3)
    assert ask(session, "draw", position=view, card="3")["type"] == "draw"
    assert code(session, "draw", position=view, card="S") == "bad_request"


def test_huge_counts_in_a_view_are_refused_at_once() -> None:
    for count in ("999999999999", "9" * 3000):
        view = SEEN.replace("5.2.4.4.4.3.2.4.4.4.4", f"5.2.4.4.4.3.2.4.4.4.{count}")
        assert code(Session("random"), "legal", position=view) == "bad_position"


def test_a_view_of_the_dice_game_is_none() -> None:
    for line in ("express a b c d e ? g", "express ?/-/?/- 1 0 ? -"):
        assert code(Session("random"), "legal", position=line) == "bad_position"


# -- seeds ----------------------------------------------------------------------------------------


def test_equal_sessions_answer_equally_and_other_seeds_do_not() -> None:
    many = "classic 31,30,12,rS/-/20,8,40,yS/- r move 11 5.4.4.4.4.4.4.4.3.4.4 - -"

    def transcript(seed: int) -> list[str]:
        session = Session("random", seed)
        return [
            str(ask(session, kind, position=position))
            for _ in range(12)
            for kind, position in (("draw", DRAW), ("draw", ROLL), ("move", many))
        ]

    assert transcript(1) == transcript(1)
    assert transcript(1) != transcript(2)
    assert len(set(transcript(1))) > 12


def test_draws_have_the_chances_of_the_pile() -> None:
    # Three 1s and one S left: a quarter of 400 draws, 100, with a standard deviation of 8.7.
    position = "classic 4,rS,rS,rS/-/yS,yS,yS,yS/- y move ? 3.0.0.0.0.0.0.0.0.0.1 - -"
    session = Session("random", seed=7)
    drawn = [ask(session, "draw", position=position)["position"].split(" ")[4] for _ in range(400)]
    assert set(drawn) == {"1", "S"}
    assert 60 < drawn.count("S") < 140


# -- every ruleset --------------------------------------------------------------------------------

CASES = [*((name, SEATINGS[count][-1]) for name, count in PUBLISHED),
         *(("express", str(count)) for count in (2, 3, 4))]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_a_game_by_the_protocol_alone_is_the_game(case: tuple[str, str]) -> None:
    """Two sessions, one playing, one keeping the table, against a `Game` told the same moves."""
    name, seats = case
    family = family_of(name)
    game = family.new_game(name, seats, seed=11)
    table, player = Session("random", seed=5), Session("greedy", seed=6)
    position = family.write(game)
    for _ in range(12):
        seen = family.write(game.view(game.actor))
        assert ask(table, "legal", position=seen)["moves"] == family.legal_texts(game)
        answer = ask(player, "move", position=seen)
        move = family.parse_move(game, answer["move"])
        assert {row["move"] for row in answer.get("candidates", [answer])} <= set(
            family.legal_texts(game)
        )
        position = ask(table, "apply", position=position, move=answer["move"])["position"]
        game.play(move, draw=False)
        assert position == family.write(game)
        if game.over:
            break
        if game.waiting:
            position = ask(table, "draw", position=position)["position"]
            drawn = family.read(position)
            what = next(
                what for what, _ in game.chances() if _after(family, game, what) == position
            )
            game.draw(what)
            assert family.write(game) == family.write(drawn)


def _after(family: Any, game: Any, what: str) -> str:
    twin = game.copy()
    twin.draw(what)
    return str(family.write(twin))
