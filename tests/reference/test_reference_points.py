"""Hands of five: `points` and `points-1939` (section 6.1 of the rules), worked by hand.

Read ``test_reference.py`` first; it lists the squares of the sides.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from .names import read_ruleset
from .positions import full, position
from .reference import ReferenceGame

OLD = "points-1939"


def hand_of(
    hand: str, pawns: str = "S/-/S/-", extra: str = "-", turn: str = "r", card: str = "-"
) -> ReferenceGame:
    """Red holds ``hand``, Yellow 3.4.5.8.12 (or the other way round)."""
    hands = f"{hand}/-/3.4.5.8.12/-" if turn == "r" else f"3.4.5.8.12/-/{hand}/-"
    return ReferenceGame.from_text(position(pawns, turn, card, OLD, None, extra, "move", hands))


DEAL = {"red": ["7", "1", "S", "1", "12"], "yellow": ["2", "3", "10", "11", "11"]}
# 45 cards less the deal: 1 twice, 2, 3, 7, 10, 11 twice, 12 and S are out.
LEFT = "3.3.3.4.4.3.4.3.2.3.3"


def test_the_deal_and_where_the_pawns_begin() -> None:
    # 6.1: each player is dealt five cards. 6: all pawns begin in Start / the fourth on the circle.
    hands = "1.1.7.12.S/-/2.3.10.11.11/-"
    game = ReferenceGame.new(OLD, hands=DEAL)
    assert game.text() == f"points-1939 {full('S/-/S/-')} r move - {LEFT} {hands} -"
    game = ReferenceGame.new("points", ["red", "yellow"], "yellow", DEAL)
    assert game.text() == f"points {full('4/-/34/-')} y move - {LEFT} {hands} -"
    assert not game.waiting
    with pytest.raises(ValueError):
        game.draws()


def test_a_hand_is_seen_by_its_player_alone() -> None:
    game = ReferenceGame.new(OLD, hands=DEAL)
    # The cards that others hold are counted with the pile: nobody can tell one from the other.
    start = f"points-1939 {full('S/-/S/-')} r move -"
    assert game.text("red") == f"{start} 3.4.4.4.4.3.4.4.4.3.3 1.1.7.12.S/-/?/- -"
    assert game.text(viewer="yellow") == f"{start} 5.3.3.4.4.4.4.3.2.4.4 ?/-/2.3.10.11.11/- -"
    for other in ("blue", "purple"):
        with pytest.raises(ValueError):
            game.text(other)
    with pytest.raises(ValueError):  # nobody can go on from what one player sees
        ReferenceGame.from_text(game.text("red"))


@pytest.mark.parametrize(
    "hands",
    [
        None,
        {"red": ["1"] * 5},  # Yellow has none
        {"red": ["1"] * 5, "yellow": ["3"] * 4},  # four cards
        {"red": ["3"] * 5, "yellow": ["1"] * 5},  # five 3s
        {"red": ["1"] * 5, "blue": ["2", "2", "3", "3", "4"]},  # not seated
    ],
)
def test_impossible_deals(hands: dict[str, list[str]] | None) -> None:
    with pytest.raises(ValueError):
        ReferenceGame.new(OLD, hands=hands)
    with pytest.raises(ValueError):
        ReferenceGame.new("classic", hands=DEAL)


# (Red's hand, pawns, every legal move)
LEGAL = [
    # A card of the hand and a legal move for it; equal cards are one.
    ("1.1.3.S.S", "20/-/40/-", ["1:20-21", "1:rS-4", "3:20-23", "S:rSx40"]),
    ("2.4.5.8.10", "20/-/S/-", ["10:20-19", "10:20-30", "2:20-22", "2:rS-4", "4:20-16",
                                "5:20-25", "8:20-28"]),
    # Cards without a move are no choice while another card has one.
    ("1.3.5.8.12", "S/-/S/-", ["1:rS-4"]),
    # Only if no card has one, any one card is discarded.
    ("3.5.5.12.S", "S/-/S/-", ["12:discard", "3:discard", "5:discard", "S:discard"]),
    # An 11 that can only switch is optional and does not count against discarding. (0 is eight
    # steps from Home.)
    ("10.10.11.12.12", "rH,rH,rH,r5/-/40/-", ["10:r5-r4"]),
    ("11.12.12.12.S", "rH,rH,r5,0/-/40/-",
     ["11:0x40", "11:discard", "12:discard", "S:discard"]),
    # An 11 that can go +11 does count.
    ("11.12.12.12.S", "rH,rH,r5,57/-/40/-", ["11:57-rH", "11:57x40"]),
    # The switch remains a choice beside other cards' moves, which must be made instead.
    ("5.11.12.12.12", "rH,rH,r5,0/-/40/-", ["11:0x40", "5:0-r3"]),
    # One never passes while holding cards.
    ("4.7.8.10.11", "S/-/S/-", ["10:discard", "11:discard", "4:discard", "7:discard", "8:discard"]),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "pawns", "moves"), LEGAL)
def test_legal_moves(hand: str, pawns: str, moves: list[str]) -> None:
    assert hand_of(hand, pawns).legal() == moves


def test_the_card_is_discarded_and_replaced() -> None:
    # 6.1 and the formats: one card less and CARD ? until the draw, which passes the turn.
    game = hand_of("1.1.3.S.S", "20/-/40/-").apply("3:20-23")
    left = "3.4.2.3.3.4.3.4.4.3.2"  # out: 1 1 3 S S and 3 4 5 8 12; both 3s are gone from four
    hands = "1.1.S.S/-/3.4.5.8.12/-"
    waiting = f"points-1939 {full('23/-/40/-')} r move ? {left} {hands} -"
    assert game.text() == waiting
    assert game.waiting
    with pytest.raises(ValueError):
        game.legal()
    # 45 - 10 cards are in the pile.
    assert game.draws()["3"] == Fraction(2, 35)
    after = game.draw("2").text()
    left = "3.3.2.3.3.4.3.4.4.3.2"
    hands = "1.1.2.S.S/-/3.4.5.8.12/-"
    assert after == f"points-1939 {full('23/-/40/-')} y move - {left} {hands} -"
    assert ReferenceGame.from_text(waiting).draw("2").text() == after


def test_a_discarded_card_is_replaced_and_the_turn_is_over() -> None:
    game = hand_of("3.5.5.12.S").apply("5:discard")
    assert game.text().split(" ")[2:5] == ["r", "move", "?"]
    assert game.text().split(" ")[6] == "3.5.12.S/-/3.4.5.8.12/-"
    game = game.draw("1")
    assert game.text().split(" ")[2:5] == ["y", "move", "-"]
    assert game.text().split(" ")[6] == "1.3.5.12.S/-/3.4.5.8.12/-"


def test_a_moved_two_gives_another_play() -> None:
    # At once, after replacement, if some card can be played: here with the 3.
    game = hand_of("2.3.12.12.12").apply("2:rS-4")
    assert game.text().split(" ")[2:] == [
        "r", "move", "?", "5.3.2.3.3.4.3.4.4.0.4", "3.12.12.12/-/3.4.5.8.12/-", "again=1",
    ]  # fmt: skip
    game = game.draw("S")
    assert game.text().split(" ")[2:] == [
        "r", "move", "-", "5.3.2.3.3.4.3.4.4.0.3", "3.12.12.12.S/-/3.4.5.8.12/-", "again=1",
    ]  # fmt: skip
    assert game.legal() == ["12:4-16", "3:4-7"]
    game = game.apply("3:4-7")
    assert game.text().split(" ")[2:5] == ["r", "move", "?"]
    assert game.text().endswith(" -")
    game = game.draw("5")
    assert game.text().split(" ")[2:5] == ["y", "move", "-"]


def test_another_two_gives_yet_another_play() -> None:
    game = hand_of("2.2.12.12.12").apply("2:rS-4").draw("S").apply("2:4-6").draw("8")
    assert game.text().split(" ")[2:5] == ["r", "move", "-"]
    assert game.text().endswith(" again=1")
    assert game.legal() == ["12:6-18", "8:6-14"]


def test_no_further_play_without_a_playable_card() -> None:
    # Otherwise the turn ends: r5 can go one step and no more; the replacement decides.
    waiting = hand_of("2.12.12.12.S", "rH,rH,r5,r4/-/S/-").apply("2:r4-rH")
    assert waiting.text().endswith(" again=1")
    assert waiting.draw("8").text().split(" ")[2:5] == ["y", "move", "-"]
    assert waiting.draw("8").text().endswith(" -")
    assert waiting.draw("1").text().split(" ")[2:5] == ["r", "move", "-"]
    assert waiting.draw("1").legal() == ["1:r5-rH"]


def test_a_discarded_two_gives_nothing() -> None:
    game = hand_of("2.12.12.12.S", "rH,rH,rH,r5/-/S/-")
    assert game.legal() == ["12:discard", "2:discard", "S:discard"]
    game = game.apply("2:discard")
    assert game.text().endswith(" -")
    assert game.draw("1").text().split(" ")[2:5] == ["y", "move", "-"]


def test_an_eleven_that_can_only_switch_is_enough_for_the_further_play() -> None:
    # r4 comes Home with the 2; then 0 (eight steps from Home) can only be switched. As that is
    # optional, discarding is legal too.
    game = hand_of("2.11.12.12.12", "rH,rH,r4,0/-/40/-").apply("2:r4-rH").draw("S")
    assert game.text().endswith(" again=1")
    assert game.legal() == ["11:0x40", "11:discard", "12:discard", "S:discard"]
    # After either the turn is over.
    for move in ("11:0x40", "12:discard"):
        assert game.apply(move).text().endswith(" -")
        assert game.apply(move).draw("1").text().split(" ")[2] == "y"


def test_again_needs_a_playable_card() -> None:
    good = position("20/-/S/-", "r", "-", OLD, None, "again=1", "move", "3.3.5.8.8/-/1.1.1.1.1/-")
    assert ReferenceGame.from_text(good).legal()[0] == "3:20-23"
    with pytest.raises(ValueError):
        ReferenceGame.from_text(good.replace("3.3.5.8.8/", "S.S.S.S.S/"))
    with pytest.raises(ValueError):
        ReferenceGame.from_text(good.replace(full("20/-/S/-"), full("S/-/S/-")))


def test_the_reshuffle_leaves_the_hands_out() -> None:
    # 2.1: with the pile empty all cards but the nine in the hands are shuffled.
    hands = "1.3.S.S/-/3.4.5.8.12/-"
    empty = "0.0.0.0.0.0.0.0.0.0.0"
    game = ReferenceGame.from_text(position("20/-/S/-", "r", "?", OLD, empty, "-", "move", hands))
    draws = game.draws()
    assert sum(draws.values()) == 1
    assert (draws["1"], draws["3"], draws["S"]) == (
        Fraction(4, 36), Fraction(2, 36), Fraction(2, 36),
    )  # fmt: skip
    after = game.draw("7").text().split(" ")
    assert after[5:7] == ["4.4.2.3.3.3.3.4.4.3.2", "1.3.7.S.S/-/3.4.5.8.12/-"]


def test_the_winning_hand_shows_four_cards() -> None:
    # The game ends before the last card is replaced; also when that is a 2, or in a further play.
    for extra in ("-", "again=1"):
        game = hand_of("2.3.12.12.S", "rH,rH,rH,r4/-/S/-", extra).apply("2:r4-rH")
        assert game.text() == (
            f"points-1939 {full('H/-/S/-')} r over - 5.3.2.3.3.4.3.4.4.1.3 "
            "3.12.12.S/-/3.4.5.8.12/- winner=r"
        )
        assert game.legal() == []
        assert not game.waiting
        assert ReferenceGame.from_text(game.text()).text() == game.text()
        assert game.outcome() == {"red": Fraction(1), "yellow": Fraction(-1)}


# (ruleset, pawns at the end, winner, scores)
SCORES = [
    # points: 5 per own pawn Home for every player; the winner adds 5 per opponents' pawn not
    # Home, and 100 if no opponent has a pawn Home: 20 + 20 + 100.
    ("points", "H/-/S/-", "r", {"red": 140, "yellow": 0}),
    # 20 + 3 pawns not Home 15 + 50 as none has more than one.
    ("points", "H/-/yH/-", "r", {"red": 85, "yellow": 5}),
    # 20 + 10 + 25; more than two: 20 + 5 and no bonus.
    ("points", "H/-/yH,yH/-", "r", {"red": 55, "yellow": 10}),
    ("points", "H/-/yH,yH,yH/-", "r", {"red": 25, "yellow": 15}),
    # Four seats: 20 + (4+3+2) times 5 + 25.
    ("points", "rH/H/yH,yH/S", "b",
     {"red": 5, "blue": 90, "yellow": 10, "green": 0}),
    # 20 + 11 times 5 + 50.
    ("points", "S/bH/S/H", "g", {"red": 0, "blue": 5, "yellow": 0, "green": 125}),
    # 1939: 1 per own pawn Home; the winner adds 1 per opponents' pawn that is Home, and 24 / 16
    # / 8 on the same conditions.
    (OLD, "H/-/S/-", "r", {"red": 28, "yellow": 0}),
    (OLD, "H/-/yH/-", "r", {"red": 4 + 1 + 16, "yellow": 1}),
    (OLD, "H/-/yH,yH/-", "r", {"red": 4 + 2 + 8, "yellow": 2}),
    (OLD, "H/-/yH,yH,yH/-", "r", {"red": 4 + 3, "yellow": 3}),
    (OLD, "rH/H/yH,yH/S", "b", {"red": 1, "blue": 4 + 3 + 8, "yellow": 2, "green": 0}),
    # Field winner_counts turns that round.
    (f"{OLD}?winner_counts=opponents_not_home", "H/-/yH/-", "r",
     {"red": 4 + 3 + 16, "yellow": 1}),
    ("points?winner_counts=opponents_home", "H/-/yH,yH/-", "r",
     {"red": 20 + 10 + 25, "yellow": 10}),
    # Fewer pawns: those not Home are counted.
    ("points?pawns=2", "H/-/yH/-", "r", {"red": 10 + 5 + 50, "yellow": 5}),
    # Teams with hands: partners share what their team scores: 8 x 5 + (4+2) x 5 + 25.
    ("points?teams=four", "H/S/H/gH,gH", "ry",
     {"red": 95, "blue": 10, "yellow": 95, "green": 10}),
    ("teams-two?bonuses=100.50.25&pawn_points=5", "H/S/H/gH,gH", "ry", {"red": 95, "blue": 10}),
    # Other numbers, and none of them a bonus; without hands too.
    ("classic?pawn_points=3", "H/-/yH/-", "r", {"red": 12 + 9, "yellow": 3}),
    ("points?bonuses=7.6.5", "H/-/yH,yH/-", "r", {"red": 20 + 10 + 5, "yellow": 10}),
    ("points?bonuses=none", "H/-/S/-", "r", {"red": 20 + 20, "yellow": 0}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "pawns", "winner", "scores"), SCORES)
def test_scores(name: str, pawns: str, winner: str, scores: dict[str, int]) -> None:
    turn = winner[0]
    cards = {"r": "1.1.1.1.2", "b": "3.3.3.4.4", "y": "5.5.5.8.8", "g": "10.10.11.12.12"}
    hands = []
    for colour, part in zip("rbyg", pawns.split("/"), strict=True):
        held = cards[colour].rpartition(".")[0] if colour == turn else cards[colour]
        hands.append("-" if part == "-" else held)
    shown = "/".join(hands) if read_ruleset(name).hand else "-"
    game = ReferenceGame.from_text(
        position(pawns, turn, "-", name, None, f"winner={winner}", "over", shown)
    )
    points = game.outcome("points")
    assert points is not None
    assert {name: int(score) for name, score in points.items()} == scores
    wins = game.outcome()
    assert wins is not None
    assert wins[{"r": "red", "b": "blue", "g": "green"}[turn]] == 1


def test_no_scores_before_the_end_and_without_hands() -> None:
    assert ReferenceGame.new(OLD, hands=DEAL).outcome("points") is None
    for name in ("classic", OLD):
        game = ReferenceGame.new(name, hands=None if name == "classic" else DEAL)
        with pytest.raises(ValueError):
            game.outcome("elo")
    with pytest.raises(ValueError):
        ReferenceGame.new("classic").outcome("points")


def test_teams_with_hands() -> None:
    # 6.2 with 6.1: each seat plays its own hand with all eight pawns of its team.
    hands = "3.3.12.12.S/4.4.4.4.5/1.1.2.3.3/5.5.8.8.8"
    name = "teams?hand=5"
    game = ReferenceGame.from_text(position("r5/S/50/S", "r", "-", name, None, "-", "move", hands))
    assert game.legal() == ["12:50-2", "3:50-53", "S:rSx50"]
    game = game.apply("3:50-53").draw("7")
    assert game.text().split(" ")[2] == "b"
    assert game.text("yellow").split(" ")[6] == "?/?/1.1.2.3.3/?"
    # Red all Home keeps its turns and plays Yellow's pawns.
    game = ReferenceGame.from_text(position("H/S/50/S", "r", "-", name, None, "-", "move", hands))
    assert game.legal() == ["12:50-2", "3:50-53"]


def test_names_with_a_hand() -> None:
    # Fields in alphabetical order, those with the base's value left out.
    deal = {"red": ["1", "2"], "yellow": ["1", "2"]}
    game = ReferenceGame.new("classic?winner_counts=opponents_home&hand=2", hands=deal)
    assert game.text().split(" ")[0] == "classic?hand=2&winner_counts=opponents_home"
    assert ReferenceGame.new("points?hand=5", hands=DEAL).text().split(" ")[0] == "points"
    assert ReferenceGame.new("points?hand=0").text().split(" ")[0] == "points?hand=0"
    with pytest.raises(ValueError):
        ReferenceGame.new("classic?hand=five")


def test_finishing_with_cards_to_come_in_play_out() -> None:
    # 5 with play_out: the game goes on, so the card is replaced; then Red is skipped.
    name = "classic?hand=5&play_out=true"
    hands = "1.1.2.3.3/5.5.5.5.8/3.3.4.4.8/-"
    game = ReferenceGame.from_text(
        position("rH,rH,rH,r4/S/S/-", "r", "-", name, None, "-", "move", hands)
    )
    game = game.apply("2:r4-rH")
    assert game.text().split(" ")[2:5] == ["r", "move", "?"]
    assert game.text().endswith(" winner=r")
    assert ReferenceGame.from_text(game.text()).text() == game.text()
    game = game.draw("12").apply("8:discard").draw("12").apply("8:discard").draw("12")
    assert game.text().split(" ")[2:5] == ["b", "move", "-"]


@pytest.mark.parametrize(
    ("card", "hands"),
    [
        ("-", "1.1.2.3/-/3.4.5.8.12/-"),  # four cards
        ("?", "1.1.2.3.3/-/3.4.5.8.12/-"),  # five, though one was played
        ("-", "1.1.2.3.3/-/3.3.3.8.12/-"),  # five 3s
        ("3", "1.1.2.3.3/-/3.4.5.8.12/-"),  # no card is on the table
        ("-", "1.1.3.2.3/-/3.4.5.8.12/-"),  # not in card order
        ("-", "1.1.2.3.3/5.5.5.8.8/3.4.5.8.12/-"),  # Blue is not seated
        ("-", "1.1.2.3.6/-/3.4.5.8.12/-"),  # no such card
        ("-", "-"),
    ],
)
def test_impossible_hands(card: str, hands: str) -> None:
    with pytest.raises(ValueError):
        ReferenceGame.from_text(position("S/-/S/-", "r", card, OLD, LEFT, "-", "move", hands))
