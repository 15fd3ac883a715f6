"""The infos of a vector environment, stacked as Gymnasium stacks those of single environments.

Each entry is an array of all rows, 0 or None in rows that do not have it, and ``_name`` bool[B]
says which have it. Every array is new. Read `vector.py` after this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from sorry_env.engine.state import SEATS
from sorry_env.rules import COLOURS

Infos = dict[str, Any]


def stack_all(arrays: Mapping[str, np.ndarray]) -> Infos:
    """Numbers [B], all told with 64 bits, which all rows have."""
    infos: Infos = {}
    for name, array in arrays.items():
        infos[name] = wide(array).copy()
        infos[f"_{name}"] = np.ones(len(array), np.bool_)
    return infos


def wide(numbers: np.ndarray) -> np.ndarray:
    """Whole numbers as uint64 if they are, else as int64: seeds alone need the last bit."""
    return numbers if numbers.dtype == np.uint64 else numbers.astype(np.int64)


def stack_some(arrays: Mapping[str, np.ndarray], rows: np.ndarray) -> Infos:
    """Arrays [B, ...] which only rows bool[B] have."""
    index = np.flatnonzero(rows)
    infos: Infos = {}
    for name, array in arrays.items():
        infos[name] = np.zeros(array.shape, array.dtype)
        infos[name][index] = array[index]
        infos[f"_{name}"] = rows.copy()
    return infos


def ends(ended: np.ndarray, lost: np.ndarray, cut: np.ndarray, ranks: np.ndarray) -> Infos:
    """``reason`` and ``winners`` of games that have ended.

    ended, lost, cut: bool[B], which games; by an action that was not legal; by the limit
    ranks:            int8[B, 4], 1 for seats that have won
    """
    index = np.flatnonzero(ended)
    said = {
        "reason": _REASONS[np.where(lost[index], 2, cut[index])],
        "winners": _WINNERS[(ranks[index] == 1) @ _BITS],
    }
    infos: Infos = {}
    for name, words in said.items():
        infos[name] = np.full(len(ended), None, object)
        infos[name][index] = words
        infos[f"_{name}"] = ended.copy()
    return infos


_REASONS: Final = np.array(["finished", "max_plies", "illegal"], object)
_BITS: Final = 1 << np.arange(SEATS)


def _winners() -> np.ndarray:
    """object[16], by the seats as bits: the names of their colours, a tuple each."""
    names = np.empty(1 << SEATS, object)
    for bits in range(1 << SEATS):
        names[bits] = tuple(COLOURS[seat] for seat in range(SEATS) if bits >> seat & 1)
    return names


_WINNERS: Final = _winners()
