"""The cache of compiled kernels only saves time: whatever becomes of it, kernels run.

Two tiny kernels stand for all of them. Each call is made in a process of its own, as the user it
is about, by `kernel_server.py`.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
STRANGER = 4711

#: They sit in a folder of its own: the cache is named by the sources beside them.
_KERNELS = """
from sorry_env.engine import jit

@jit.kernel
def add(a, b):
    return a + b

@jit.kernel
def take(a, b):
    return a - b
"""


class Ran(NamedTuple):
    """What one process told.

    read: whether the kernel was read from the cache
    path: where it is kept, None for nowhere
    log:  standard error
    """

    read: bool
    path: Path | None
    log: str


class World(NamedTuple):
    """A folder for the kernel and for everything that processes may write."""

    folder: Path
    server: subprocess.Popen[str]

    def run(self, user: int = -1, limit: int = 0, **environment: str) -> Ran:
        """Call the kernels in a new process that has this environment alone."""
        out, err = self.folder / "out", self.folder / "err"
        out.unlink(missing_ok=True)
        err.unlink(missing_ok=True)
        environment = {"TMPDIR": str(self.folder / "tmp"), **environment}
        request = {"folder": str(self.folder), "user": user, "limit": limit,
                   "environment": environment, "out": str(out), "err": str(err)}  # fmt: skip
        assert self.server.stdin is not None and self.server.stdout is not None
        print(json.dumps(request), file=self.server.stdin, flush=True)
        assert self.server.stdout.readline() == "0\n", err.read_text()
        hits, path = out.read_text().split()
        return Ran(hits == "1", None if path == "None" else Path(path), err.read_text())


@pytest.fixture(scope="module")
def server() -> Iterator[subprocess.Popen[str]]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA")}
    command = [sys.executable, "-B", str(ROOT / "tests/engine/kernel_server.py"), str(ROOT)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=clean
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def world(server: subprocess.Popen[str]) -> Iterator[World]:
    # Not among pytest's folders: this one must be private by its place.
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="kernel-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "tiny.py").write_text(_KERNELS)
        (folder / "tmp").mkdir()
        (folder / "tmp").chmod(0o1777)
        (folder / "home").mkdir(mode=0o700)
        yield World(folder, server)


def users() -> tuple[int, int]:
    """Two users that tests can be: unknown ones where we are root, else only ourselves, twice."""
    return (STRANGER, STRANGER + 1) if os.geteuid() == 0 else (os.geteuid(),) * 2


def plant(path: Path) -> Path:
    """Fill a cache with pickles that write a file when they are loaded."""
    proof = path / "loaded"
    for file in path.rglob("*.nb[ic]"):
        file.write_bytes(pickle.dumps(_Hostile(str(proof))))
    return proof


class _Hostile:
    """Unpickled, it makes a file."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str, int]]:
        return os.open, (self.path, os.O_CREAT | os.O_WRONLY)


def test_it_is_kept_at_home_and_read_again(world: World) -> None:
    home = world.folder / "home"
    first = world.run(HOME=str(home))
    again = world.run(HOME=str(home))
    assert (first.read, again.read, first.log, again.log) == (False, True, "", "")
    assert first.path is not None and first.path.is_relative_to(home / ".cache" / "sorry_env")
    # A cache of old, in a folder that everybody may read, is read as before; so is one by a link.
    for folder in (home / ".cache" / "sorry_env", first.path.parent):
        folder.chmod(0o755)
    (world.folder / "other").mkdir(mode=0o755)
    (world.folder / "other" / ".cache").symlink_to(home / ".cache")
    assert world.run(HOME=str(world.folder / "other")).read


def test_without_a_home_it_is_kept_for_the_user_alone(world: World) -> None:
    """No HOME and no entry for the user; then two users with one home that neither can write."""
    one, other = users()
    place = world.folder / "tmp" / f"sorry_env-{one}"
    environment = {} if one == STRANGER else {"HOME": "/proc/none"}
    first = world.run(one, 0, **environment)
    assert first.path is not None and first.path.is_relative_to(place)
    assert place.stat().st_mode & 0o777 == 0o700
    assert world.run(one, HOME="/proc/none").read
    second = world.run(other, HOME="/proc/none")
    assert second.path is not None
    assert second.path.is_relative_to(world.folder / "tmp" / f"sorry_env-{other}")
    assert "Kernels are compiled anew" not in first.log + second.log


@pytest.mark.parametrize("how", ["open", "link", "file"])
def test_a_planted_folder_is_not_trusted(world: World, how: str) -> None:
    """What others could have written is not loaded, and the kernel is compiled."""
    user, _ = users()
    place = world.folder / "tmp" / f"sorry_env-{user}"
    kept = world.run(user, HOME="/proc/none").path
    assert kept is not None
    proof = plant(place)
    if how == "open":
        place.chmod(0o777)
    elif how == "link":
        place.rename(world.folder / "tmp" / "elsewhere")
        place.symlink_to("elsewhere")
        proof = world.folder / "tmp" / "elsewhere" / "loaded"
    else:
        shutil.rmtree(place)
        place.touch()
    ran = world.run(user, HOME="/proc/none")
    assert (ran.read, ran.path) == (False, None)
    assert not proof.exists()
    assert ran.log.count("Kernels are compiled anew") == 1


@pytest.mark.parametrize("variable", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_a_named_folder_of_everybody_is_not_trusted(world: World, variable: str) -> None:
    shared = world.folder / "shared"
    shared.mkdir()
    first = world.run(-1, 0, **{variable: str(shared)})
    assert first.path is not None and first.path.is_relative_to(shared)
    proof = plant(shared)
    (shared / "sorry_env").chmod(0o777)
    ran = world.run(-1, 0, HOME=str(world.folder / "home"), **{variable: str(shared)})
    assert not ran.read and not proof.exists()
    assert ran.path is not None and not ran.path.is_relative_to(shared)


def test_a_full_disk(world: World) -> None:
    """Files cannot grow: the kernel is compiled, and what is left of its file does no harm."""
    home = str(world.folder / "home")
    ran = world.run(limit=1000, HOME=home)
    assert not ran.read
    assert ran.log.count("Kernels are compiled anew") == 1
    assert not world.run(HOME=home).read
    assert world.run(HOME=home).read


@pytest.mark.parametrize("damage", ["empty", "cut", "noise", "gone"])
def test_broken_files_are_written_anew(world: World, damage: str) -> None:
    home = str(world.folder / "home")
    kept = world.run(HOME=home).path
    assert kept is not None
    for file in kept.iterdir():
        data = file.read_bytes()
        if damage == "gone":
            if file.suffix == ".nbc":
                file.unlink()
        else:
            file.write_bytes({"empty": b"", "cut": data[:-30], "noise": b"\x80\x05x" * 99}[damage])
    ran = world.run(HOME=home)
    assert (ran.read, ran.log) == (False, "")
    assert world.run(HOME=home).read


def test_nowhere_to_write(world: World) -> None:
    """No folder at all: kernels are compiled, and one line says why that takes time."""
    home = world.folder / "file"
    home.touch()
    # What is asked for cannot be a folder, and a planted file has the place of the last resort.
    (world.folder / "tmp" / f"sorry_env-{os.getuid()}").touch()
    ran = world.run(HOME=str(home))
    assert (ran.read, ran.path) == (False, None)
    assert ran.log.count("\n") == 1
    assert f"{home}/.cache/sorry_env" in ran.log and "NUMBA_CACHE_DIR" in ran.log
