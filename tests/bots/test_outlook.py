"""Chances of three or four seats: by a value file's weights, adding up, blind to hidden cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorry_env import make_bot
from sorry_env.bots import outlook as module
from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.outlook import outlook
from sorry_env.families import BOARD
from sorry_env.game import Game
from tests.bots import models

COLOURS = "rbyg"


def value_bot(folder: Path, ruleset: str) -> tuple[Bot, bytes]:
    data = models.build_value(ruleset, (3, 4))
    return make_bot(f"value:{models.save(folder, data, 'value.onnx')}"), data


def value_of(bot: Bot, game: Any) -> float:
    """The chance of the seat that decides, as the bot says it."""
    value = bot.insight(BatchRequest.of_view(game.view(game.actor))).value
    assert value is not None
    return float(value[0])


def as_if_chosen(data: bytes, line: str, seat: int, seats: tuple[int, ...]) -> float:
    """A seat's chance by the file's weights in a line that waits for the next seat's draw."""
    following = seats[(seats.index(seat) + 1) % len(seats)]
    fields = line.split(" ")
    fields[2] = COLOURS[following]
    seen = BOARD.read(" ".join(fields), seed=0).view(seat).observation(seat)
    sides = len(seats)
    value = float(models.value_by_weights(data, seen))
    return min(max(((sides - 1) * value + 1) / sides, 0.0), 1.0)


@pytest.mark.parametrize("count", [3, 4])
def test_each_by_what_it_would_see_had_it_just_moved(count: int, tmp_path: Path) -> None:
    bot, data = value_bot(tmp_path, "classic")
    game = Game("classic", count, seed=5)
    looked = 0
    while looked < 12:
        insight = bot.insight(BatchRequest.of_view(game.view(game.actor)))
        assert insight.values is not None
        after = game.copy()
        after.play(int(np.nanargmax(insight.values[0])), draw=False)
        value = value_of(bot, game)
        line = BOARD.write(after)
        wanted = {
            s: value if s == game.actor else as_if_chosen(data, line, s, game.seats)
            for s in game.seats
        }
        total = sum(wanted.values())
        found = outlook(bot, game, value)
        assert found is not None and list(found) == list(game.seats)
        assert sum(found.values()) == pytest.approx(1.0)
        for seat, chance in wanted.items():
            assert found[seat] == pytest.approx(chance / total, abs=1e-5)
        looked += 1
        for _ in range(3):
            game.play(int(game.legal_actions()[-1]))


def test_before_a_draw_the_others_stand_as_they_are(tmp_path: Path) -> None:
    bot, data = value_bot(tmp_path, "classic")
    line = "classic 20,rS,rS,rS/33,bS,bS,bS/yS,yS,yS,yS/- b move ? 5.4.4.4.4.3.4.4.4.4.3 - -"
    found = outlook(bot, BOARD.read(line, seed=0), 0.4)
    wanted = {1: 0.4} | {s: as_if_chosen(data, line, s, (0, 1, 2)) for s in (0, 2)}
    assert found == pytest.approx({s: p / sum(wanted.values()) for s, p in wanted.items()}, 1e-5)


def test_a_move_that_wins_leaves_the_others_nothing(tmp_path: Path) -> None:
    bot, _ = value_bot(tmp_path, "classic")
    line = "classic rH,rH,rH,r5/bS,bS,bS,bS/yS,yS,yS,yS/- r move 1 4.4.4.4.4.4.4.4.4.4.4 - -"
    game = BOARD.read(line, seed=0)
    assert outlook(bot, game, value_of(bot, game)) == {0: 1.0, 1: 0.0, 2: 0.0}


HANDS = [
    "1.3.5.7.8/2.2.4.10.S/3.4.11.12.S/1.5.8.10.12",
    "1.3.5.7.8/1.5.8.10.12/2.2.4.10.S/3.4.11.12.S",  # the others' changed about
    "1.3.5.7.8/1.1.2.3.4/1.2.2.3.4/5.5.7.7.S",  # theirs changed for cards of the pile
]
#: Five 1s and four of each other card, in card order, less those held.
FULL = (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4)
CARDS = ("1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "S")


def line_with(hands: str) -> str:
    held = [card for hand in hands.split("/") for card in hand.split(".")]
    deck = ".".join(str(n - held.count(c)) for c, n in zip(CARDS, FULL, strict=True))
    pawns = "20,rS,rS,rS/33,bS,bS,bS/50,yS,yS,yS/gS,gS,gS,gS"
    return f"points {pawns} r move - {deck} {hands} -"


def test_hidden_cards_change_nothing(tmp_path: Path) -> None:
    bot, _ = value_bot(tmp_path, "points")
    games = [BOARD.read(line_with(hands), seed=0) for hands in HANDS]
    own = BOARD.read(line_with("1.3.5.7.S/" + HANDS[0].partition("/")[2]), seed=0)
    first, *others = [outlook(bot, game, 0.3) for game in games]
    assert first is not None and sum(first.values()) == pytest.approx(1.0)
    assert all(other == first for other in others)
    assert outlook(bot, own, 0.3) != first, "the own hand counts: its cards are not the others'"


def test_after_a_move_a_hand_has_a_card_less() -> None:
    game = BOARD.read(line_with(HANDS[0]), seed=0)
    games = np.repeat(game.state, 5)
    module._drop_one(games, 1)
    for i, left in enumerate(["2.4.10.S", "2.4.10.S", "2.2.10.S", "2.2.4.S", "2.2.4.10"]):
        hand = [CARDS[card] for card in games["hands"][i, 1] if card >= 0]
        assert ".".join(hand) == left
        cards = games["deck"][i].sum() + np.count_nonzero(games["hands"][i] >= 0)
        assert cards == 45


def test_who_cannot_say() -> None:
    game = Game("classic", 3, seed=1)
    for name in ("random", "greedy", "expectimax:depth=1"):
        assert outlook(make_bot(name), game, 0.5) is None


def test_a_policy_cannot_say(tmp_path: Path) -> None:
    path = models.save(tmp_path, models.build("classic"))
    assert outlook(make_bot(f"learned:{path}"), Game("classic", 3, seed=1), 0.5) is None


def test_a_search_says_it_by_its_value_file(tmp_path: Path) -> None:
    data = models.build_value("classic", (3, 4))
    path = models.save(tmp_path, data, "value.onnx")
    game = Game("classic", 4, seed=8)
    found = outlook(make_bot(f"expectimax:depth=1,value={path}"), game, 0.25)
    assert found == outlook(make_bot(f"value:{path}"), game, 0.25)
