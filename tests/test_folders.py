"""The user's own folders: where they are, and when one is safe from other users."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sorry_env import folders
from sorry_env.errors import RequestError
from sorry_env.folders import cache_folder, data_folder, is_private, make_private, temporary_folder


@pytest.fixture
def private(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is private whatever pytest's own folders are."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        yield Path(name)


def without_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user whom the system does not know, with nothing in the environment."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)

    def getpwuid(user: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {user}")

    monkeypatch.setattr("pwd.getpwuid", getpwuid)


@pytest.mark.parametrize(
    ("environment", "cache", "data"),
    [
        ({"HOME": "/home/me"}, "/home/me/.cache/sorry_env", "/home/me/.local/share/sorry_env"),
        ({"HOME": "/"}, "/.cache/sorry_env", "/.local/share/sorry_env"),
        ({"HOME": "relative"}, None, None),
        ({"XDG_CACHE_HOME": "/c", "XDG_DATA_HOME": "/d"}, "/c/sorry_env", "/d/sorry_env"),
        ({"XDG_CACHE_HOME": "c", "XDG_DATA_HOME": ""}, None, None),
        ({}, None, None),
    ],
)
def test_where_folders_are(
    environment: dict[str, str], cache: str | None, data: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    without_home(monkeypatch)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == (None if cache is None else Path(cache))
    assert data_folder() == (None if data is None else Path(data))


def test_without_a_home_other_places_are_named_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    from sorry_env.cli import main
    from sorry_env.solve import files
    from sorry_env.solve.space import open_space
    from sorry_env.web import store

    without_home(monkeypatch)
    with pytest.raises(RequestError, match=r"no home directory .*--db FILE"):
        store.usual_file()
    assert main(["serve", "--no-browser", "--port", "0"]) == 2
    space = open_space("duel-2")
    assert files.usual_file(space) is None
    with pytest.raises(RequestError, match=r"no home directory.*XDG_CACHE_HOME"):
        files.find_solution(space)


def test_a_large_solution_without_a_home_is_found_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from sorry_env.cli import main
    from sorry_env.solve import files

    monkeypatch.setattr(files, "SOLVED_AT_ONCE", 1000)
    without_home(monkeypatch)
    assert main(["solve", "duel-1"]) == 0
    told = capsys.readouterr()
    assert "the seat to move wins" in told.out
    assert "will not be kept: there is no home directory; --out FILE" in told.err
    # A cache that is no folder, and one that fails at the end.
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert main(["solve", "duel-1", "--out", str(tmp_path / "out.npz")]) == 0
    told = capsys.readouterr()
    assert "the seat to move wins" in told.out
    assert "will not be kept" in told.err and "is not kept: " in told.err
    assert (tmp_path / "out.npz").exists()


def test_new_folders_are_private_whatever_the_umask(private: Path) -> None:
    before = os.umask(0)
    try:
        make_private(private / "a" / "b")
    finally:
        os.umask(before)
    assert [stat.S_IMODE(at.stat().st_mode) for at in (private / "a", private / "a" / "b")] == (
        [0o700] * 2
    )
    assert is_private(private / "a" / "b")


@pytest.mark.parametrize(
    ("above", "within", "safe"),
    [
        (0o755, 0o755, True),
        (0o1777, 0o755, True),  # as /tmp
        (0o777, 0o755, False),  # another one can be put in its place
        (0o777, 0o700, False),
        (0o755, 0o777, False),
        (0o755, 0o1777, False),  # files can be put there, if not removed
        (0o700, 0o777, True),  # nobody else gets there
    ],
)
def test_what_is_private_by_its_mode(private: Path, above: int, within: int, safe: bool) -> None:
    private.chmod(0o755)
    folder = private / "above" / "within"
    folder.mkdir(parents=True)
    folder.chmod(within)
    folder.parent.chmod(above)
    assert is_private(folder) is safe
    link = private / "link"
    link.symlink_to(folder)
    assert is_private(link) is safe


def owned_by_another(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a path belong to somebody else, as far as the module can see."""
    real = Path.stat

    def stat_of(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        found = list(real(self, follow_symlinks=follow_symlinks))[:10]
        if self == path:
            found[stat.ST_UID] = 4711
        return os.stat_result(found)

    monkeypatch.setattr(Path, "stat", stat_of)


@pytest.mark.parametrize("name", ["above", "above/within"])
def test_folders_of_others_are_not_private(
    private: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = private / "above" / "within"
    folder.mkdir(parents=True)
    private.chmod(0o755)
    folder.parent.chmod(0o755)
    folder.chmod(0o755)
    assert is_private(folder)
    owned_by_another(private / name, monkeypatch)
    assert not is_private(folder)
    assert not is_private(private / "missing")


def test_a_group_that_is_the_users_alone_may_write(
    private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private.chmod(0o755)
    folder = private / "shared"
    folder.mkdir()
    folder.chmod(0o775)
    monkeypatch.setattr(folders, "_own_group", lambda: folder.stat().st_gid)
    assert is_private(folder)
    monkeypatch.setattr(folders, "_own_group", lambda: None)
    assert not is_private(folder)


@pytest.mark.parametrize("planted", ["nothing", "ours", "open", "link", "file", "another's"])
def test_our_folder_among_the_temporary_ones(
    planted: str, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private.chmod(0o1777)
    monkeypatch.setattr(tempfile, "tempdir", str(private))
    place = private / f"sorry_env-{os.getuid()}"
    if planted == "file":
        place.touch()
    elif planted == "link":
        (private / "elsewhere").mkdir(mode=0o700)
        place.symlink_to("elsewhere")
    elif planted != "nothing":
        place.mkdir()
        place.chmod(0o777 if planted == "open" else 0o700)
    if planted == "another's":
        owned_by_another(place, monkeypatch)
    found = temporary_folder()
    if planted in ("nothing", "ours"):
        assert found == place
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
    else:
        assert found is None


def test_no_temporary_folder_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def gettempdir() -> str:
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(tempfile, "gettempdir", gettempdir)
    assert temporary_folder() is None
