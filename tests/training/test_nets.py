"""The network reads observations as the one-hot layer that it stands for."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sorry_training.features import AMOUNTS, plan_features
from sorry_training.masked import ILLEGAL
from sorry_training.nets import PolicyValueNet, arithmetic

from sorry_env.engine.batch import Batch
from sorry_env.engine.geometry import outer_square
from sorry_env.engine.observe import one_hot
from sorry_env.express import ExpressBatch


def random_net(batch: Batch, layers: int = 2) -> PolicyValueNet:
    """A net for the batch's game whose every weight is random, the shared rows included."""
    torch.manual_seed(1)
    net = PolicyValueNet(batch.tables.layout, batch.num_actions, width=20, layers=layers)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.normal_()
    return net


def positions(ruleset: str, seats: tuple[int, ...], size: int = 500) -> Batch:
    """A batch in the middle of random games."""
    batch = Batch(ruleset, seats, size, seed=3)
    batch.random_steps(90)
    return batch


CASES = [
    ("classic", (0, 2)), ("classic", (0, 1, 2)), ("classic", (0, 1, 2, 3)), ("teams", (0, 1, 2, 3)),
    ("duel-1", (0, 2)), ("duel-3", (1, 3)), ("waddingtons", (0, 1)), ("points", (0, 2)),
    ("fire-and-ice", (0, 1, 2)), ("way-sorry", (0, 2)), ("not-sorry", (1, 2, 3)), ("solo", (0,)),
]  # fmt: skip


@pytest.mark.parametrize(("ruleset", "seats"), CASES)
def test_the_first_layer_is_a_one_hot_layer(ruleset: str, seats: tuple[int, ...]) -> None:
    """The sum over one-hots of every field, occupancies, distances and amounts, the slow way."""
    batch = positions(ruleset, seats)
    net, layout = random_net(batch), batch.tables.layout
    names = [field for field in layout if field.name not in AMOUNTS]
    hot = torch.from_numpy(one_hot(names, batch.observation))
    table, shared = net.table.detach(), net.shared.detach()
    absent = torch.zeros(len(hot[0]), dtype=torch.bool)
    absent[: 16 * 68 : 68] = True  # the one-hots of "no such pawn"
    expected = (hot * ~absent) @ table[: len(hot[0])] + net.bias
    for row, observation in enumerate(batch.observation):
        for entry, code in enumerate(observation[:16].tolist()):
            if code >= 0:
                expected[row] += shared[entry // 4 * 68 + code + 1]
        for slot, colour, ahead in distances(observation):
            expected[row] += table[len(hot[0]) + (slot * 3 + colour - 1) * 60 + ahead]
    for field in layout:
        if field.name in AMOUNTS:
            part = batch.observation[:, field.offset : field.offset + field.size]
            expected += torch.from_numpy(part / np.float32(field.high)) @ net.weights
    found = net._first_layer(torch.from_numpy(batch.observation))
    assert torch.allclose(found, expected, atol=1e-3)


def distances(observation: np.ndarray) -> list[tuple[int, int, int]]:
    """Own slot, other colour and steps ahead of all pairs on the outer track."""
    found = []
    for slot in range(4):
        for entry in range(4, 16):
            own, other = int(observation[slot]), int(observation[entry])
            if 1 <= own <= 60 and 1 <= other <= 60:
                square = (15 * (entry // 4) + other + 2) % 60
                found.append((slot, entry // 4, (square - (own + 2)) % 60))
    return found


def test_distances_are_steps_that_hit() -> None:
    """A pawn that moves by the distance stands on the other's square."""
    batch = positions("classic", (0, 1, 2, 3))
    hits = 0
    for row, game in enumerate(batch.games):
        seat = int(game["actor"])
        for slot, colour, ahead in distances(batch.observation[row]):
            own = int(game["pawns"][seat, slot])
            target = outer_square(seat, (own + ahead - 1) % 60 + 1)
            other = (seat + colour) % 4
            squares = [outer_square(other, int(c)) for c in game["pawns"][other] if 1 <= c <= 60]
            assert target in squares
            hits += 1
    assert hits > 500


def test_forward_masks_and_bounds() -> None:
    batch = positions("classic", (0, 2))
    net = random_net(batch, layers=3)
    logits, values = net(torch.from_numpy(batch.observation), torch.from_numpy(batch.mask.copy()))
    assert logits.shape == (500, batch.num_actions) and values.shape == (500,)
    assert logits.dtype == values.dtype == torch.float32
    assert (logits[torch.from_numpy(~batch.mask)] == ILLEGAL).all()
    assert (values.abs() <= 1).all()


def test_a_new_net_is_nearly_uniform_and_expects_nothing() -> None:
    batch = positions("classic", (0, 2))
    torch.manual_seed(2)
    net = PolicyValueNet(batch.tables.layout, batch.num_actions)
    logits, values = net.evaluate(torch.from_numpy(batch.observation))
    assert logits.abs().max() < 0.2 and values.abs().max() < 0.2


def test_rows_do_not_depend_on_their_batch() -> None:
    batch = positions("classic", (0, 1, 2, 3))
    net = random_net(batch)
    observation = torch.from_numpy(batch.observation)
    whole, values = net.evaluate(observation)
    for row in (0, 77, 499):
        alone, value = net.evaluate(observation[row : row + 1])
        assert torch.allclose(alone[0], whole[row], rtol=1e-4, atol=1e-3)
        assert torch.allclose(value[0], values[row], atol=1e-4)


def test_bfloat16_stays_close_to_float32() -> None:
    batch = positions("classic", (0, 2))
    torch.manual_seed(4)
    net = PolicyValueNet(batch.tables.layout, batch.num_actions)
    observation = torch.from_numpy(batch.observation)
    with torch.no_grad():
        features, _ = net.describe(observation)
        with arithmetic("bfloat16"):
            rough, rough_values = net.describe(observation)
    assert rough.dtype == rough_values.dtype == torch.float32
    assert (rough - features).abs().max() < 0.1
    assert not torch.equal(rough, features)


def test_a_layout_that_does_not_begin_with_the_pawns_is_refused() -> None:
    fields = Batch("classic", (0, 2), 1).tables.layout
    with pytest.raises(ValueError, match="pawns"):
        plan_features([fields[1], fields[0], *fields[2:]])


def test_without_a_board_it_is_a_one_hot_layer_alone() -> None:
    """The dice game: entries below 0 (nobody sits there, a die that is resolved) pick no row."""
    batch = ExpressBatch("express", 3, 400, seed=3)
    batch.random_steps(40)
    net = random_net(batch)
    hot = torch.from_numpy(one_hot(batch.tables.layout, batch.observation))
    above = [low >= 0 for f in batch.tables.layout for _ in range(f.size)
             for low in range(f.low, f.high + 1)]  # fmt: skip
    table = net.table.detach()
    assert len(table) == len(above) and len(net.shared) == 0
    expected = (hot * torch.tensor(above)) @ table + net.bias
    found = net._first_layer(torch.from_numpy(batch.observation))
    assert torch.allclose(found, expected, atol=1e-3)
    assert not all(above)
