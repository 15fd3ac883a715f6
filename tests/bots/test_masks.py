"""Masks at the borders: bool and int8 of 0 and 1 are taken, all else is refused in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.policy import load_policy
from sorry_env.engine.afterstate import expand
from sorry_env.engine.batch import Batch
from sorry_env.errors import RequestError
from tests.bots import models


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return models.save(tmp_path, models.build())


def test_masks_of_environments_and_of_batches_are_both_taken(path: Path) -> None:
    batch = Batch("classic", 3, 20, seed=4)
    batch.random_steps(60)
    policy = load_policy(path)
    seen, mask = batch.observation, batch.mask
    wanted = [array.tobytes() for array in policy.evaluate(seen, mask)]
    wide = np.repeat(batch.action_mask, 2, axis=1)[:, ::2]  # not in one piece of memory
    for other in (batch.action_mask, batch.action_mask.copy(), wide):
        assert other.dtype == np.int8
        assert [array.tobytes() for array in policy.evaluate(seen, other)] == wanted
        assert np.array_equal(policy.legal_logits(seen, other), policy.legal_logits(seen, mask))
        request = BatchRequest(batch.tables, batch.games, seen, other)
        assert request.mask.dtype == np.bool_ and request.mask.flags.writeable
        after = expand(batch.tables, batch.games, other)
        for mine, theirs in zip(after, expand(batch.tables, batch.games, mask), strict=True):
            assert mine.tobytes() == theirs.tobytes()
    sampled = gymnasium.spaces.Discrete(batch.num_actions, seed=1).sample(batch.action_mask[0])
    assert mask[0, sampled]


BAD_MASKS: dict[str, Callable[[np.ndarray], Any]] = {
    "floats": lambda mask: mask.astype(np.float32), "int64": lambda mask: mask.astype(np.int64),
    "other numbers": lambda mask: mask.astype(np.int8) * 2, "a list": lambda mask: mask.tolist(),
    "minus one": lambda mask: -mask.astype(np.int8),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD_MASKS)
def test_other_masks_are_refused_with_the_conversion(path: Path, kind: str) -> None:
    batch = Batch("classic", 2, 3, seed=4)
    mask = BAD_MASKS[kind](batch.mask)
    doors: list[Callable[[], object]] = [
        lambda: load_policy(path).evaluate(batch.observation, mask),
        lambda: load_policy(path).legal_logits(batch.observation, mask),
        lambda: BatchRequest(batch.tables, batch.games, batch.observation, mask),
        lambda: expand(batch.tables, batch.games, mask),
    ]
    for door in doors:
        with pytest.raises(RequestError, match=r"mask.*astype\(bool\)"):
            door()


def test_observations_and_masks_of_another_shape_are_refused(path: Path) -> None:
    policy, wide = load_policy(path), Batch("classic", 2, 3, observation="onehot")
    mask, seen = wide.mask, wide.buffers.observation
    for observation, words in (
        (wide.observation, r"int8\[n, 30\]"), (seen.astype(float), "compact"),
        (seen[0], "observation"), (seen.tolist(), "int8"),
    ):  # fmt: skip
        with pytest.raises(RequestError, match=words):
            policy.evaluate(observation, mask)
    for bad in (mask[:2], mask[:, 1:], mask[0], mask[:, :, None]):
        with pytest.raises(RequestError, match=r"mask must be bool\[3, 179\]"):
            policy.evaluate(seen, bad)
    with pytest.raises(RequestError, match="GAME"):
        expand(wide.tables, np.zeros(3), mask)
