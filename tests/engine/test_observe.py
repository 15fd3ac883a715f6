"""Observations: the layout, and that decoding one gives back what a view says.

Positions are those of random games of every ruleset; what is expected is taken from the game's
record with the viewer's seat in mind, not from the engine's own encoder.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.engine.batch import Batch
from sorry_env.engine.observe import decode, one_hot, one_hot_size
from sorry_env.engine.tables import compile_rules
from sorry_env.errors import RequestError
from sorry_env.game import Game, View
from sorry_env.rules import EDITIONS
from tests.cases import PUBLISHED, SEATINGS, case_id
from tests.engine.support import size


@pytest.mark.parametrize("name", EDITIONS)
def test_layout_has_no_gaps(name: str) -> None:
    tables = compile_rules(name)
    offset = 0
    for field in tables.layout:
        assert field.offset == offset and field.size > 0 and field.low < field.high
        assert field.low >= -128 and field.high <= 127 and field.meaning
        offset += field.size
    assert offset == tables.observation_size
    names = [field.name for field in tables.layout]
    wanted = ["pawns", "turn", "phase", "card"] + ["unseen"] * (not tables.ruleset.infinite)
    assert names == wanted + FURTHER.get(name, [])


# The fields that only some editions have.
FURTHER = {
    "points": ["hand", "again"],
    "points-1939": ["hand", "again"],
    "fire-and-ice": ["fire_seat", "fire_code", "ice_seat", "ice_code"],
    "not-sorry": ["actor", "asked", "steps"],
    "way-sorry": ["happy", "punished"],
}


def test_sizes() -> None:
    # 16 pawns, turn, phase, card; eleven counts unless the deck is infinite.
    assert compile_rules("classic").observation_size == 30
    assert compile_rules("duel-1").observation_size == 19
    # The counts of the own hand and whether this is a further play; the tokens' places; who is
    # asked; two marks for each pawn and five cards more.
    assert compile_rules("points").observation_size == 30 + 12
    assert compile_rules("fire-and-ice").observation_size == 30 + 4
    assert compile_rules("not-sorry").observation_size == 30 + 1 + 3
    assert compile_rules("bump-em").observation_size == 30 + 2
    assert compile_rules("way-sorry").observation_size == 30 + 5 + 32
    # 68 places for a pawn, 4 seats, 2 phases, 12 cards, 0 to 5 left of each card.
    assert one_hot_size(compile_rules("classic").layout) == 16 * 68 + 4 + 2 + 12 + 11 * 6


def check_rows(batch: Batch) -> None:
    """Each row against the records, all rows at once."""
    games, seen = batch.games, batch.observation
    rows = np.arange(batch.size)[:, None]
    clockwise = (batch.actor[:, None] + np.arange(4)) % 4
    pawns = games["pawns"][rows, clockwise].reshape(batch.size, 16)
    assert (seen[:, :16] == pawns).all()
    assert (seen[:, 16] == (games["turn"] - batch.actor) % 4).all()
    assert (seen[:, 17] == games["phase"]).all()
    assert (seen[:, 18] == np.maximum(games["card"], -1) + 1).all()
    ruleset = batch.tables.ruleset
    cards = len(ruleset.cards)
    if not ruleset.infinite:
        pile = games["deck"][:, :cards].copy()
        if ruleset.hand:
            held = (games["hands"][..., None] == np.arange(cards)).sum(axis=2)
            own = held[np.arange(batch.size), batch.actor]
            assert (seen[:, 19 + cards : 19 + 2 * cards] == own).all()
            pile += (held.sum(axis=1) - own).astype(np.int8)
        assert (seen[:, 19 : 19 + cards] == pile).all()
    for field in batch.tables.layout:
        part = seen[:, field.offset : field.offset + field.size]
        assert part.min() >= field.low and part.max() <= field.high


@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_rows_of_a_batch(case: tuple[str, int]) -> None:
    # 36 pairs x 30 x 100 > 10^5 positions.
    name, count = case
    batch = Batch(name, SEATINGS[count][-1], size(30, 2), seed=7, first="random")
    for _ in range(size(100, 12)):
        check_rows(batch)
        batch.random_steps(1)


def check_further(view: View, seat: int, parts: dict[str, Any]) -> None:
    """The fields of some editions alone, by what the view says in words."""
    ruleset = view.ruleset
    if view.hands is not None:
        hand = view.hands[seat]
        assert hand is not None and len(hand) >= ruleset.hand - 1
        assert parts["hand"] == [hand.count(name) for name in ruleset.card_names]
        assert parts["again"] == [view.again]
    if ruleset.tokens:
        for name, pawn in (("fire", view.fire), ("ice", view.ice)):
            place = (0, 0) if pawn is None else (1 + (pawn[0] - seat) % 4, pawn[1])
            assert (parts[f"{name}_seat"][0], parts[f"{name}_code"][0]) == place
    if "happy" in parts:
        for name, pawns in (("happy", view.happy), ("punished", view.punished)):
            marked = [
                ((seat + side) % 4, parts["pawns"][side][slot])
                for side in range(4)
                for slot in range(4)
                if parts[name][4 * side + slot]
            ]
            assert sorted(marked) == sorted(pawns)
    if "asked" in parts:
        assert parts["actor"] == [(view.actor - seat) % 4]
        assert parts["asked"] == [0 if view.asked is None else 1 + (view.asked - seat) % 4]
        assert parts["steps"] == [view.steps]


@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_decoding_gives_what_the_view_says(case: tuple[str, int]) -> None:
    name, count = case
    game = Game(name, SEATINGS[count][-1], seed=8)
    rng = np.random.default_rng(8)
    for _ in range(size(150, 20)):
        for seat in game.seats:
            view = game.view(seat)
            parts = decode(game.tables.layout, view.observation())
            for side in range(4):
                codes = [int(c) for c in parts["pawns"][side]]
                mine = view.pawns[(seat + side) % 4]
                assert codes == [*mine] + [-1] * (4 - len(mine))
            assert int(parts["turn"][0]) == (view.turn - seat) % 4
            card = int(parts["card"][0])
            names = game.ruleset.card_names
            assert (names[card - 1] if card else None) == view.card
            assert ("unseen" in parts) == (view.unseen is not None)
            if view.unseen is not None:
                assert tuple(parts["unseen"].tolist()) == view.unseen
            check_further(view, seat, {name: part.tolist() for name, part in parts.items()})
        if game.over:
            break
        game.play(int(rng.choice(game.legal_actions())))


def test_decoding_refuses_what_no_observation_is() -> None:
    tables = compile_rules("classic")
    seen = Game("classic", seed=1).observation()
    with pytest.raises(ValueError, match="shape"):
        decode(tables.layout, seen[:-1])
    for index, value in ((0, 67), (0, -2), (16, 4), (17, 2), (18, 12), (19, 6), (19, -1)):
        bad = seen.copy()
        bad[index] = value
        with pytest.raises(ValueError, match=str(value)):
            decode(tables.layout, bad)


def test_one_hot_has_one_one_for_each_entry() -> None:
    batch = Batch("classic", 4, 16, seed=9)
    batch.random_steps(size(100, 5))
    layout = batch.tables.layout
    hot = one_hot(layout, batch.observation)
    assert hot.dtype == np.float32 and hot.shape == (16, one_hot_size(layout))
    assert (hot.sum(axis=1) == batch.observation_size).all()
    place = 0
    for field in layout:
        for k in range(field.offset, field.offset + field.size):
            block = hot[:, place : place + field.categories]
            assert (block.argmax(axis=1) + field.low == batch.observation[:, k]).all()
            place += field.categories
    assert (one_hot(layout, batch.observation[3]) == hot[3]).all()


def test_a_position_looks_the_same_from_every_side() -> None:
    # Turn a position by a side: codes are counted from each colour's own circle, so they stay.
    game = Game("classic", 4, seed=10)
    for _ in range(size(60, 20)):
        if not game.over:
            game.play(int(game.legal_actions()[-1]))
    turned = game.state.copy()
    turned["pawns"] = np.roll(turned["pawns"], 1, axis=1)
    turned["turn"] = turned["actor"] = (game.turn + 1) % 4
    twin = Game.from_state(game.tables, turned)
    assert (twin.observation() == game.observation()).all()
    assert (twin.mask() == game.mask()).all()


@pytest.mark.parametrize("name", ["classic", "points", "fire-and-ice", "not-sorry", "way-sorry"])
def test_a_batch_of_one_hots_sees_the_same(name: str) -> None:
    narrow, wide = Batch(name, None, 6, seed=5), Batch(name, None, 6, seed=5, observation="onehot")
    layout = narrow.tables.layout
    assert wide.one_hot is not None and narrow.one_hot is None
    assert wide.observation.dtype == np.float32
    assert wide.observation.shape == (6, wide.observation_size) == (6, one_hot_size(layout))
    place = wide.observation
    saved = wide.state_dict()
    for step in range(size(40, 6)):
        assert np.array_equal(wide.observation, one_hot(layout, narrow.observation))
        assert np.array_equal(wide.one_hot.decode(wide.observation), narrow.observation)
        if step % 2:
            narrow.random_steps(1)
            wide.random_steps(1)
        else:
            actions = narrow.mask.argmax(axis=1)
            narrow.step(actions)
            wide.step(actions)
    assert wide.observation is place  # overwritten, never replaced
    wide.load_state_dict(saved)
    first = Batch(name, None, 6, seed=5).observation
    assert np.array_equal(wide.one_hot.decode(wide.observation), first)
    wide.reset_rows(np.array([2]), np.array([9], np.uint64))
    seen = wide.one_hot.decode(wide.observation)
    assert np.array_equal(seen, wide.buffers.observation)


def test_what_is_no_one_hot_is_not_decoded() -> None:
    batch = Batch("classic", 2, 2, observation="onehot")
    assert batch.one_hot is not None
    with pytest.raises(ValueError, match="width 5 must be 1172"):
        batch.one_hot.decode(np.zeros((1, 5), np.float32))
    broken = batch.observation.copy()
    broken[0, :68] = 0.0
    with pytest.raises(ValueError, match="pawns"):
        batch.one_hot.decode(broken)
    with pytest.raises(RequestError, match="compact, onehot"):
        Batch("classic", 2, 2, observation="wide")
