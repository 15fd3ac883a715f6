"""Running Node, and decisions for it to look at."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sorry_env.express import ExpressGame
from sorry_env.families import EXPRESS, family_of
from sorry_env.game import Game

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples" / "node"
#: Continuous integration installs Node and its packages: there nothing is left out.
CI = bool(os.environ.get("CI"))

NODE = pytest.mark.skipif(not CI and shutil.which("node") is None, reason="there is no Node here")
PACKAGES = pytest.mark.skipif(
    not CI and not (shutil.which("node") and (EXAMPLES / "node_modules").is_dir()),
    reason=f"run `npm ci` in {EXAMPLES.relative_to(ROOT)}",
)


def sorry(folder: Path) -> Path:
    """A program `sorry` that runs these very sources."""
    path = folder / "sorry"
    path.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from sorry_env.cli import main\nsys.exit(main())\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
    return path


def node(*arguments: object, given: str = "", status: int = 0) -> str:
    """What a script prints, standard error too where it is to fail."""
    done = subprocess.run(
        ["node", *map(str, arguments)], input=given, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


def games(ruleset: str, seats: list[str], count: int, choice: bool = True) -> Iterator[Any]:
    """Games in the middle of random play where a seat has a decision to make.

    seats:  taken in turn
    choice: only decisions between several moves
    """
    family = family_of(ruleset)
    kind = ExpressGame if family is EXPRESS else Game
    tables = family.compile_rules(ruleset)
    seatings = [family.choose_seats(tables.ruleset, one) for one in seats]
    batch = family.Batch(ruleset, seatings * 16, size=16 * len(seatings), seed=5)
    found = 0
    while True:
        batch.random_steps(7)  # games begin and end, so that all stages are met
        for i in range(batch.size):
            if choice and batch.legal[i] < 2:
                continue
            yield kind.from_state(tables, batch.games[i : i + 1].copy())
            found += 1
            if found == count:
                return
