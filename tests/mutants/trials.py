"""Trying mutants: a copy of the repository, a fault written into it, the tests of the room."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutants.mutations import Mutant

#: What the tests may need of the repository.
COPIED = (
    "sorry_env", "training", "tests", "benchmarks", "configs", "checkpoints", "docs",
    "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "Makefile",
)  # fmt: skip
#: Libraries that the tests load anyway, loaded once before the runs are forked.
LIBRARIES = (
    "numpy",
    "numba",
    "yaml",
    "pytest",
    "hypothesis",
    "gymnasium",
    "pettingzoo.utils.env",
    "anyio.pytest_plugin",
    "pytest_timeout",
)

#: The program that runs the tests. Started as a file: it lies outside the copy.
FORKS = Path(__file__).with_name("forks.py")


@dataclass(frozen=True)
class Trial:
    """How the tests took a mutant."""

    killed: bool
    timed_out: bool
    cpu: float  # seconds
    log: str  # the end of pytest's output


class Bench:
    """A copy of the repository with a process that runs its tests."""

    def __init__(self, copy: Path, *, jit: bool, libraries: Sequence[str] = ()) -> None:
        """jit: whether kernels are compiled; libraries: modules to load beside the usual ones."""
        self.copy = copy
        self._log = copy / "trial.log"
        path = f"{copy}{os.pathsep}{copy / 'training'}"
        environment = {
            **os.environ,
            "PYTHONPATH": path,
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_DISABLE_JIT": "0" if jit else "1",
            "HYPOTHESIS_PROFILE": "ci",
            "OMP_NUM_THREADS": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(FORKS), *LIBRARIES, *libraries],
            cwd=copy, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self._loaded = set(self._answer()["loaded"])

    def close(self) -> None:
        """End the process."""
        with self._process:  # closes its pipes and waits for it
            pass

    def run(self, tests: Sequence[str], cpu: float, wall: float) -> Trial:
        """Run tests on the copy as it is, within limits in seconds."""
        request = {"tests": list(tests), "cpu": int(cpu), "wall": wall, "log": str(self._log)}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        tail = self._log.read_text(encoding="utf-8", errors="replace")[-2000:]
        return Trial(not answer["passed"], answer["timed_out"], answer["cpu"], tail)

    def try_mutant(self, mutant: Mutant, tests: Sequence[str], cpu: float, wall: float) -> Trial:
        """Run tests with the fault in the copy, and take it out again."""
        path = self.copy / mutant.site.module
        module = mutant.site.module.removeprefix("training/").removesuffix(".py").replace("/", ".")
        if module.removesuffix(".__init__") in self._loaded:
            raise RuntimeError(f"{module} was loaded before the fault was planted in it")
        whole = path.read_text(encoding="utf-8")
        try:
            path.write_text(mutant.source, encoding="utf-8")
            return self.run(tests, cpu, wall)
        finally:
            path.write_text(whole, encoding="utf-8")

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the process that runs the tests has ended; its message is above")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def repository_copy(root: Path) -> Iterator[Path]:
    """A copy of the repository in the temporary folder, without what is made from it.

    The copy of one repository always lies in the same place, for compiled kernels are cached by
    path. A second run at the same time is refused.
    """
    name = hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:12]
    place = Path(tempfile.gettempdir()) / f"sorry-mutants-{os.getuid()}-{name}"
    place.mkdir(exist_ok=True)
    copy = place / "copy"
    with (place / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"another run uses {copy}") from None
        shutil.rmtree(copy, ignore_errors=True)
        left_out = shutil.ignore_patterns("__pycache__", "node_modules")
        for part in COPIED:
            source = root / part
            if source.is_dir():
                shutil.copytree(source, copy / part, ignore=left_out)
            elif source.is_file():
                shutil.copy2(source, copy / part)
        try:
            yield copy
        finally:
            shutil.rmtree(copy, ignore_errors=True)
