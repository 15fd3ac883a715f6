"""What the other editions add to a picture: hands, tokens, moods, and the phases' headlines."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from sorry_env.game import Game
from sorry_env.notation import read
from sorry_env.render import ansi, picture_layout, rgb, svg
from sorry_env.render.board import MARGIN
from sorry_env.render.layout import GRID
from sorry_env.render.scene import scene
from sorry_env.render.words import card_words, hand_size, headline, pile_size
from sorry_env.rules import LETTERS, Card, get_ruleset
from tests.render.test_svg import extent, parts, words
from tests.render.views import StubView, two_seats

THREE = ((64, 30, 0), (60, 12, 2), (66, 65, 10), (44, 21, 0))
FIRE_AND_ICE = StubView(ruleset=get_ruleset("fire-and-ice"), pawns=THREE)
#: All cards below 5 that are held are Red's.
POINTS = (
    "points r5,4,rS,rS/47,bS,bS,bS/y4,19,yS,yS/gH,50,gS,gS r move - "
    "2.2.1.1.1.1.1.1.1.1.1 1.2.3.4.4/5.7.8.10.10/5.7.8.12.S/11.11.12.12.S -"
)


def root(view: StubView) -> ElementTree.Element:
    return ElementTree.fromstring(svg(view))


# -- hands --------------------------------------------------------------------------------------


def hands_of(game: Game, seat: int | None) -> list[str]:
    """The picture and the terminal's text."""
    view = game.view(seat)
    return [svg(view), ansi(view, colour=False)]


def test_the_own_hand_is_shown_and_the_others_are_backs() -> None:
    game = read(POINTS)
    picture = ElementTree.fromstring(svg(game.view(0)))
    assert len(parts(picture, "hand-card")) == 5
    assert len(parts(picture, "hand-back")) == 15
    assert [len(parts(picture, f"hand-{c}")) for c in "ryg"] == [1, 1, 1]
    assert words(picture).count("4") == 3  # Red's two cards and the number of square 4


def test_a_spectator_sees_all_hands() -> None:
    picture = ElementTree.fromstring(svg(read(POINTS).view()))
    assert len(parts(picture, "hand-card")) == 20
    assert not parts(picture, "hand-back")


@pytest.mark.parametrize("seat", range(4))
def test_pictures_do_not_depend_on_hidden_hands(seat: int) -> None:
    hands = ["1.2.3.4.4", "5.7.8.10.10", "5.7.8.12.S", "11.11.12.12.S"]
    others = [hand for i, hand in enumerate(hands) if i != seat]
    turned = [*others[1:], others[0]]
    turned.insert(seat, hands[seat])
    swapped = POINTS.replace("/".join(hands), "/".join(turned))
    assert swapped != POINTS
    assert hands_of(read(POINTS), seat) == hands_of(read(swapped), seat)
    assert (rgb(read(POINTS).view(seat)) == rgb(read(swapped).view(seat))).all()
    assert hands_of(read(POINTS), None) != hands_of(read(swapped), None)


def test_names_of_hidden_cards_are_not_written() -> None:
    names = ("ALPHA", "BETA", "GAMMA", "DELTA", "OMEGA")
    cards = tuple(Card(name, forward=n) for n, name in enumerate(names, 1))
    ruleset = replace(
        get_ruleset("points"), edition="own", cards=cards, deck="9.9.9.9.9", seat_counts=(2,)
    )
    hands = (("BETA",) * 5, (), None, ())
    view = two_seats(ruleset=ruleset, card=None, hands=hands, unseen=(9, 4, 9, 9, 9))
    for text in (svg(view), ansi(view, colour=False)):
        assert "BETA" in text
        assert not [name for name in names if name != "BETA" and name in text]


def test_the_pile_is_counted_without_the_hidden_hands() -> None:
    game = read(POINTS)
    left = sum(game.unseen or ())
    assert [pile_size(game.view(seat)) for seat in (None, 0, 1, 2, 3)] == [left] * 5
    assert f"Pile: {left} left" in ansi(game.view(2), colour=False)


def test_sizes_of_hidden_hands_follow_the_game_to_its_end() -> None:
    game = Game("points", 2, seed=4)
    while not game.over:
        held = [len(hand or ()) for hand in game.hands or ()]
        seen = [hand_size(game.view(2), seat) for seat in range(4)]
        assert seen == held
        game.play(game.legal_moves()[0], draw=False)
        seen = [hand_size(game.view(2), seat) for seat in range(4)]
        assert seen == [len(hand or ()) for hand in game.hands or ()]
        if game.waiting:
            game.draw()
    assert pile_size(game.view(0)) == pile_size(game.view(2)) == pile_size(game.view())


def test_seven_cards_of_four_players_fit() -> None:
    ruleset = get_ruleset("points?hand=7")
    full = ("10", "10", "11", "11", "12", "12", "S")
    for hands in ((full,) * 4, (full, None, None, None), (None,) * 4):
        view = StubView(ruleset=ruleset, card=None, hands=hands, unseen=(5,) * 11)
        for shape in scene(view):
            x0, y0, x1, y1 = extent(shape)
            assert min(x0, y0) >= -MARGIN
            assert max(x1, y1) <= GRID + MARGIN
        cards = [e for e in root(view).iter() if e.get("data-part") == "hand-card"]
        boxes = [tuple(float(e.get(k, "")) for k in ("x", "y", "width", "height")) for e in cards]
        for i, (x, y, w, h) in enumerate(boxes):
            assert all(
                x + w <= a or a + c <= x or y + h <= b or b + d <= y
                for a, b, c, d in boxes[i + 1 :]
            )
        lines = ansi(view, colour=False).split("\n")
        assert max(map(len, lines)) <= 80
        shown = sum("10 10 11 11 12 12 S" in line for line in lines)
        assert shown == sum(hand is not None for hand in hands)


def test_cards_with_long_names_fit_the_terminal() -> None:
    hand = ("ABCDEFGH",) * 5
    view = StubView(ruleset=get_ruleset("points"), card=None, hands=(hand, None, None, None))
    lines = ansi(view, colour=False).split("\n")
    assert max(map(len, lines)) <= 80
    assert any("ABCDEFGH ABCDEFGH +3" in line for line in lines)


# -- Fire and Ice -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fire", "ice"), [((0, 30), (1, 12)), ((2, 65), (3, 21)), ((1, 60), (1, 60))]
)
def test_tokens_lie_on_their_pawns(fire: tuple[int, int], ice: tuple[int, int]) -> None:
    view = replace(FIRE_AND_ICE, fire=fire, ice=ice)
    layout = picture_layout(view.ruleset)
    for name, (colour, code) in (("fire", fire), ("ice", ice)):
        (token,) = parts(root(view), f"{name}-")
        slot = THREE[colour].index(code)
        assert token.get("data-part") == f"{name}-{LETTERS[colour]}{slot}"
        corners = [tuple(map(float, p.split(","))) for p in token.get("points", "").split()]
        middle = [sum(axis) / len(corners) for axis in zip(*corners, strict=True)]
        near = {
            (c, p): math.dist(middle, layout.point(c, p))
            for c, codes in enumerate(THREE)
            for p in codes
        }
        assert min(near, key=lambda pawn: near[pawn]) == (colour, code)


def test_tokens_off_the_board_lie_aside() -> None:
    names = [e.get("data-part") for e in root(FIRE_AND_ICE).iter()]
    assert names.count("fire-off") == names.count("ice-off") == 1
    one = root(replace(FIRE_AND_ICE, ice=(1, 12)))
    assert [e.get("data-part") for e in parts(one, "ice-")] == ["ice-b1"]
    assert parts(one, "fire-off")
    assert not parts(root(StubView()), "fire-")
    assert not parts(root(StubView()), "ice-")


def test_flame_and_crystal_are_different_shapes() -> None:
    picture = root(replace(FIRE_AND_ICE, fire=(0, 30), ice=(1, 12)))
    (fire,), (ice,) = parts(picture, "fire-"), parts(picture, "ice-")
    assert len(fire.get("points", "").split()) > 12
    assert len(ice.get("points", "").split()) == 6


def test_tokens_in_the_terminal() -> None:
    text = ansi(replace(FIRE_AND_ICE, fire=(0, 30), ice=(1, 12)), colour=False)
    # Code 30 of Red is square 32, code 12 of Blue is 15 + 12 + 2 = 29.
    assert text.count("{R}") == 2  # on the board and in the line beside it
    assert text.count("[B]") == 2
    assert "Fire {R} 32  Ice [B] 29" in text
    both = ansi(replace(FIRE_AND_ICE, fire=(1, 60), ice=(1, 60)), colour=False)
    assert "Fire {B] 17  Ice {B] 17" in both
    assert "Fire off  Ice off" in ansi(FIRE_AND_ICE, colour=False)
    assert "Fire" not in ansi(StubView(), colour=False)


def test_the_description_tells_of_tokens_and_hands() -> None:
    told = root(replace(FIRE_AND_ICE, fire=(0, 64))).findtext("{*}desc") or ""
    assert "Fire: Red's pawn on r4. Ice: off the board." in told
    told = ElementTree.fromstring(svg(read(POINTS).view(0))).findtext("{*}desc") or ""
    assert "Red holds 1, 2, 3, 4, 4. Blue holds 5 cards." in told


# -- Way Sorry! ---------------------------------------------------------------------------------


def test_happy_and_punished_pawns() -> None:
    view = StubView(happy=((0, 30),), punished=((0, 30), (3, 44)))
    marks = [e.get("data-part", "") for e in root(view).iter()]
    assert [m for m in marks if m.startswith(("happy-", "punished-"))] == [
        "happy-r2",
        "punished-r2",
        "punished-g0",
    ]
    text = ansi(view, colour=False)
    assert ":R!" in text
    assert "(G!" in text
    assert ": happy  ! punished" in text


# -- phases -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"phase": "fire", "card": None}, "Red may advance the Fire"),
        ({"phase": "ice"}, "Red places the Ice"),
        ({"phase": "token"}, "Red may take the Fire"),
        ({"phase": "home"}, "Red takes a pawn Home too"),
        ({"phase": "ask"}, "Red asks a question"),
        ({"phase": "reply", "actor": 2, "asked": 2, "steps": 6}, "Yellow moves 6"),
        ({"phase": "move", "asked": 2, "steps": 3}, "Red moves 3"),
        ({"phase": "move", "again": True}, "Red plays again"),
        ({"phase": "move", "card": "?", "again": True}, "Red draws"),
    ],
)
def test_headlines(changes: dict[str, object], expected: str) -> None:
    view = replace(StubView(), **changes)  # type: ignore[arg-type]
    assert headline(view) == expected
    assert expected in words(root(view))
    assert expected in ansi(view, colour=False)


def test_who_answers_a_question() -> None:
    coin, player = get_ruleset("not-sorry"), get_ruleset("not-sorry?answers=player")
    view = StubView(ruleset=coin, phase="answer", card="Q", turn=0, actor=2, asked=2)
    assert headline(view) == "The coin answers Red's question"
    view = replace(view, ruleset=player, turn=3)
    assert headline(view) == "Yellow answers Green's question"
    lines = ansi(view, colour=False).split("\n")
    assert "Yellow answers Green's" in lines[0]
    assert "question" in lines[1]
    assert max(map(len, lines)) <= 80
    (turn,) = parts(root(view), "turn")
    blue_turn = parts(root(replace(view, phase="move", card="7", turn=2, asked=None)), "turn")
    assert turn.get("fill") == blue_turn[0].get("fill")  # the one who decides


def test_cards_without_numbers() -> None:
    question = StubView(ruleset=get_ruleset("not-sorry"), card="Q", phase="ask")
    assert {"Question", "ask a rival:"} <= set(words(root(question)))
    assert "Card Question" in ansi(question, colour=False)
    bump = StubView(ruleset=get_ruleset("bump-em"), card="B", unseen=(4,) * 13)
    assert "Card Bump" in ansi(bump, colour=False)
    assert "Pit row" in ansi(bump, colour=False)
    assert "#15" in ansi(bump, colour=False)


def test_words_of_token_cards() -> None:
    ice = Card("1", forward=1, start=True, ice=True)
    assert card_words(ice) == ("place the Ice", "then leave Start", "or forward 1")
    assert card_words(Card("2", forward=2, fire=True)) == ("take Fire or not", "then forward 2")
    assert card_words(Card("B", take=True), "Pit row") == ("leave Pit row for a rival's square",)


# -- real games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["points", "fire-and-ice", "not-sorry?answers=player", "bump-em", "bump-em?hand=5"]
)
def test_a_game_is_drawn_from_every_seat(name: str) -> None:
    game = Game(name, 4, seed=11)
    for ply in range(120):
        if game.over:
            break
        for seat in (None, *game.seats) if ply % 12 == 0 else ():
            view = game.view(seat)
            picture = ElementTree.fromstring(svg(view))
            assert len(parts(picture, "pawn-")) == 4 * game.ruleset.pawns
            lines = ansi(view).split("\n")
            assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines) <= 80
        moves = game.legal_moves()
        game.play(moves[ply % len(moves)])
    assert (rgb(game.view()) == rgb(game.view())).all()


@pytest.mark.parametrize("pawns", [1, 2, 3, 4])
@pytest.mark.parametrize("slides", ["none", "0-3.5-14", "1-4"])
def test_other_pawns_and_slides(pawns: int, slides: str) -> None:
    ruleset = get_ruleset(f"classic?pawns={pawns}&slides={slides}")
    codes = (66, 40, 2, 0)[:pawns]
    view = StubView(ruleset=ruleset, seats=(1,), turn=1, actor=1, pawns=((), codes, (), ()))
    assert len(parts(root(view), "pawn-")) == pawns
    assert len(parts(root(view), "score-")) == 1
    assert len(ansi(view, colour=False).split("\n")) == 16
