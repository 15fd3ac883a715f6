"""Solutions in files: what is written is read again, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorry_env.errors import ModelError, RequestError
from sorry_env.rules import Card
from sorry_env.solve import Solution, load_solution, save_solution, solve
from sorry_env.solve.files import usual_file
from sorry_env.solve.space import open_space
from tests.solve.support import ruleset_of


@pytest.fixture
def file(duel: Solution, tmp_path: Path) -> Path:
    path = tmp_path / "deep" / "duel.npz"
    save_solution(duel, path)
    return path


def test_a_round_trip(duel: Solution, file: Path) -> None:
    again = load_solution(file, "duel-1")
    assert np.array_equal(again.values, duel.values, equal_nan=True)
    assert (again.residual, again.states, again.seconds) == (
        duel.residual, duel.states, duel.seconds,
    )  # fmt: skip
    assert again.value() == duel.value()
    assert [path.name for path in file.parent.iterdir()] == ["duel.npz"]
    # Infinite draws come back, too.
    two = solve(ruleset_of(Card("2", forward=2, start=True)))
    save_solution(two, file)
    assert np.isinf(load_solution(file, two.space.tables.ruleset).values).any()


def change(path: Path, **entries: Any) -> None:
    with np.load(path) as old:
        about, values = json.loads(str(old["about"])), old["values"]
    values = entries.pop("values", values)
    np.savez(path, about=np.array(json.dumps(about | entries)), values=values)


def test_files_of_other_games_are_refused(file: Path, duel: Solution) -> None:
    with pytest.raises(ModelError, match=r"seats is \['red', 'yellow'\] where \['red', 'blue'\]"):
        load_solution(file, "duel-1", "red,blue")
    with pytest.raises(ModelError, match="ruleset is 'duel-1' where 'duel-2' is wanted"):
        load_solution(file, "duel-2")
    with pytest.raises(ModelError, match="ruleset is 'duel-1' where"):
        load_solution(file, "duel-1?switch_slides=both")
    one = solve(ruleset_of(Card("1", forward=1, start=True)))
    save_solution(one, file)
    same_name = ruleset_of(Card("1", forward=1, backward=1, start=True))
    assert same_name.name == one.space.tables.ruleset.name
    with pytest.raises(ModelError, match="rules is '"):
        load_solution(file, same_name)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"format": 2}, "format is 2 where 1 is wanted"),
        ({"version": "0.0.1"}, "version is '0.0.1' where"),
        ({"values": np.zeros(5)}, "are not those of duel-1"),
        ({"values": np.zeros(4489, np.float32)}, "are not those of duel-1"),
        ({"values": np.full(4489, 1.5)}, "are not those of duel-1"),
        ({"values": np.full(4489, np.nan)}, "are not those of duel-1"),
        ({"residual": 1e-3}, "residual is 0.001"),
        ({"residual": "small"}, "residual is 'small'"),
        ({"states": None}, "states is None"),
    ],
)
def test_spoilt_files_are_refused(file: Path, entries: dict[str, Any], message: str) -> None:
    change(file, **entries)
    with pytest.raises(ModelError, match=message):
        load_solution(file, "duel-1")


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04 but not for long"])
def test_what_is_no_file_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(data)
    with pytest.raises(ModelError, match="is no whole solution file"):
        load_solution(path, "duel-1")
    with pytest.raises(ModelError, match="is no whole solution file"):
        load_solution(tmp_path / "missing.npz", "duel-1")


def test_half_a_file_is_refused(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-2000])
    with pytest.raises(ModelError, match="is no whole solution file"):
        load_solution(file, "duel-1")


def test_where_nothing_can_be_written(duel: Solution, tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("is none")
    with pytest.raises(RequestError, match="cannot be written"):
        save_solution(duel, tmp_path / "folder" / "x.npz")


def test_names_tell_rulesets_apart(kept: Path) -> None:
    one, other = ruleset_of(Card("1", forward=1, start=True)), ruleset_of(Card("1", forward=2))
    spaces = [open_space("duel-2"), open_space("duel-2", "red,blue"), open_space(one),
              open_space(other), open_space("duel-2?slides=1-4&switch_slides=none")]  # fmt: skip
    paths = [usual_file(space) for space in spaces]
    assert len(set(paths)) == len(paths)
    assert all(path is not None and path.is_relative_to(kept) for path in paths)
