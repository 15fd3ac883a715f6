"""What the tests of the Gymnasium environments share. Read `test_gym_single.py` after this file."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from sorry_env.view import View


def last_action(view: View) -> int:
    """A player without chance: the last legal action of the table."""
    return int(view.legal_actions()[-1])


def first_move(view: View) -> Any:
    """Another one, which answers with a move."""
    return view.legal_moves()[0]


def assert_same(one: Any, other: Any, path: str = "") -> None:
    """Equal in type, keys, dtypes, shapes and every value."""
    assert type(one) is type(other), (path, type(one), type(other))
    if isinstance(one, dict):
        assert one.keys() == other.keys(), path
        for key in one:
            assert_same(one[key], other[key], f"{path}/{key}")
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), path
        if one.dtype == object:
            for i in range(len(one)):
                assert_same(one[i], other[i], f"{path}[{i}]")
        else:
            assert np.array_equal(one, other), path
    elif isinstance(one, tuple):
        assert len(one) == len(other), path
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            assert_same(a, b, f"{path}({i})")
    else:
        assert one == other, (path, one, other)


def bytes_of(part: Any) -> bytes:
    """All that an observation, an info or a reward says, as bytes."""
    if isinstance(part, dict):
        return b"".join(key.encode() + bytes_of(part[key]) for key in sorted(part))
    if isinstance(part, np.ndarray) and part.dtype != object:
        return part.tobytes()
    return repr(part).encode()


def legal(env: Any, rng: np.random.Generator) -> np.int64:
    """A random legal action of a single environment."""
    return np.int64(rng.choice(np.flatnonzero(env.unwrapped.action_masks())))


def legal_rows(masks: np.ndarray, rng: np.random.Generator, illegal: float = 0.0) -> np.ndarray:
    """int64[B], a random legal action for each row, or now and then any."""
    chosen = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
    wild = rng.integers(masks.shape[1], size=len(masks))
    return np.where(rng.random(len(masks)) < illegal, wild, chosen)


def trace(env: Any, seed: int, steps: int, *, illegal: float = 0.0) -> str:
    """Hash of all that an environment says in some steps of random play from where it is."""
    rng = np.random.default_rng(seed)
    digest = hashlib.sha256()
    for _ in range(steps):
        mask = env.unwrapped.action_masks()
        parts = env.step(int(legal_rows(mask[None], rng, illegal)[0]))
        digest.update(b"".join(bytes_of(part) for part in parts))
        if parts[2] or parts[3]:
            digest.update(b"".join(bytes_of(part) for part in env.reset()))
    return digest.hexdigest()
