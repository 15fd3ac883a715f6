"""The two tables of the mutation run: rooms.toml and known.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@dataclass(frozen=True)
class Room:
    """Modules with the tests that ought to notice a fault in them."""

    name: str
    modules: list[str]  # paths from the root, sorted
    tests: list[str]  # files of tests; the quick and strict ones first
    options: list[str]  # further arguments of pytest
    jit: bool  # whether kernels are compiled
    libraries: list[str]  # loaded once, before the runs are forked

    def arguments(self, module: str = "") -> list[str]:
        """What pytest gets, the tests that bear the module's name in front."""
        stem = Path(module).stem
        own = [test for test in self.tests if stem and Path(test).stem.startswith(f"test_{stem}")]
        return [*own, *(test for test in self.tests if test not in own), *self.options]


@dataclass(frozen=True)
class Known:
    """A mutant that was looked at, and why it is not killed."""

    key: tuple[str, str, str, str]  # module, where, before, after
    equivalent: bool  # it changes nothing that can be observed: left out of the score
    reason: str


def read_rooms(path: Path = HERE / "rooms.toml", root: Path = ROOT) -> dict[str, Room]:
    """The rooms by name. A pattern that finds no module is a ValueError."""
    rooms = {}
    for name, row in tomllib.loads(path.read_text(encoding="utf-8")).items():
        unknown = set(row) - {"modules", "without", "tests", "options", "jit", "libraries"}
        if unknown:
            raise ValueError(f"{path.name}: room {name} has unknown keys {sorted(unknown)}")
        modules = _files(root, row["modules"], f"{path.name}: room {name}")
        modules -= _files(root, row.get("without", []), f"{path.name}: room {name}, without")
        tests = [
            file
            for pattern in row["tests"]
            for file in sorted(_files(root, [pattern], f"{path.name}: room {name}, tests"))
        ]
        rooms[name] = Room(
            name,
            sorted(modules),
            list(dict.fromkeys(tests)),
            row.get("options", []),
            row["jit"],
            row.get("libraries", []),
        )
    return rooms


def _files(root: Path, patterns: list[str], place: str) -> set[str]:
    found: set[str] = set()
    for pattern in patterns:
        files = {path.relative_to(root).as_posix() for path in root.glob(pattern)}
        if not files:
            raise ValueError(f"{place}: no file is called {pattern}")
        found |= files
    return found


def read_known(path: Path = HERE / "known.toml") -> dict[tuple[str, str, str, str], Known]:
    """The known mutants by key. Each has a verdict and a reason."""
    known = {}
    for row in tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", []):
        key = (row["module"], row["where"], row["before"], row["after"])
        if row["verdict"] not in ("equivalent", "survivor") or not row["reason"].strip():
            raise ValueError(f"{path.name}: {key} needs a verdict, equivalent or survivor, and why")
        if key in known:
            raise ValueError(f"{path.name}: {key} is listed twice")
        known[key] = Known(key, row["verdict"] == "equivalent", row["reason"])
    return known


def as_toml(key: tuple[str, str, str, str]) -> str:
    """A mutant as an entry of known.toml that still lacks verdict and reason."""
    names = ("module", "where", "before", "after")
    rows = [f"{name} = {_quoted(text)}" for name, text in zip(names, key, strict=True)]
    return "\n".join(["[[mutant]]", *rows, 'verdict = ""', 'reason = ""'])


def _quoted(text: str) -> str:
    if "'" not in text:
        return f"'{text}'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
