"""Writing files: by kind of what stands at the path, and by kind of what goes wrong."""

from __future__ import annotations

import ast
import errno
import io
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sorry_env import files
from sorry_env.files import append_file, check_file, check_folder, replace_file, write_file

ROOT = Path(__file__).parent.parent


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# -- what stands at the path --------------------------------------------------------------------


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    path = tmp_path / "new"
    before = os.umask(0o027)
    try:
        write_file(path, "é\n")
    finally:
        os.umask(before)
    assert path.read_bytes() == b"\xc3\xa9\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(tmp_path) == ["new"]


def test_a_file_keeps_its_mode_and_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old, and longer than what comes")
    path.chmod(0o604)
    if os.geteuid() == 0:
        os.chown(path, 1234, 4321)
    before = path.stat()
    write_file(path, b"new")
    after = path.stat()
    assert path.read_bytes() == b"new"
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode, before.st_uid, before.st_gid,
    )  # fmt: skip


@pytest.mark.parametrize("there", [True, False])
def test_links_are_followed(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    if there:
        (folder / "file").write_text("old")
    (tmp_path / "second").symlink_to("folder/file")
    (tmp_path / "first").symlink_to(tmp_path / "second")
    write_file(tmp_path / "first", "new")
    assert (tmp_path / "first").is_symlink()
    assert (tmp_path / "second").is_symlink()
    assert (folder / "file").read_text() == "new"
    assert names(folder) == ["file"]


def test_other_names_of_a_file_see_the_new_contents(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("old and long")
    os.link(tmp_path / "one", tmp_path / "other")
    write_file(tmp_path / "one", "new")
    assert (tmp_path / "other").read_text() == "new"
    assert (tmp_path / "one").samefile(tmp_path / "other")
    assert names(tmp_path) == ["one", "other"]


def test_the_users_own_files_are_left_alone(tmp_path: Path) -> None:
    mine = ["x.new", "x.part", ".x.part", "x.tmp", "x~", ".x.0000000000000000.part"]
    for name in mine:
        (tmp_path / name).write_text("mine")
    seen = set()
    for _ in range(3):
        with replace_file(tmp_path / "x") as file:
            seen |= set(names(tmp_path)) - {"x", *mine}
            file.write(b"new")
    assert len(seen) == 3  # a name of its own each time
    assert names(tmp_path) == sorted(["x", *mine])
    assert {(tmp_path / name).read_text() for name in mine} == {"mine"}


def test_a_device_stays_a_device() -> None:
    before = Path("/dev/null").stat()
    write_file("/dev/null", "gone")
    with replace_file("/dev/null") as file:
        file.seek(10)
        assert file.tell() == 10
    after = Path("/dev/null").stat()
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    with pytest.raises(OSError, match="/dev/full") as error:
        write_file("/dev/full", "x")
    assert error.value.errno == errno.ENOSPC


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    write_file(path, "words")
    reader.join(10)
    assert read == [b"words"]
    assert path.is_fifo()


@pytest.mark.parametrize("name", ["/dev/stdout", "/proc/self/fd/1", "/dev/fd/1", "link"])
@pytest.mark.parametrize("what", ["file", "pipe"])
def test_standard_output_goes_on_where_it_is(tmp_path: Path, name: str, what: str) -> None:
    path = tmp_path / "link"
    path.symlink_to("/dev/stdout")
    name = str(path) if name == "link" else name
    # Without the rest of the package: this is about descriptors, and there are eight of it.
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import files\n"
        "print('before'); files.write_file(sys.argv[2], b'data\\n');"
        "files.append_file(sys.argv[2], b'more\\n'); print('after')"
    )
    command = [sys.executable, "-S", "-c", code, str(ROOT / "sorry_env"), name]
    if what == "file":
        with (tmp_path / "out").open("wb") as out:
            out.write(b"first\n")
            out.flush()
            subprocess.run(command, stdout=out, check=True)
        assert (tmp_path / "out").read_text() == "first\nbefore\ndata\nmore\nafter\n"
    else:
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        assert done.stdout == b"before\ndata\nmore\nafter\n"


@pytest.mark.parametrize(
    ("made", "path", "number"),
    [
        ("folder", "x", errno.EISDIR),
        ("none", "x/", errno.EISDIR),
        ("file", "x/y", errno.ENOTDIR),
        ("none", "x/y", errno.ENOENT),
        ("ring", "x", errno.ELOOP),
    ],
)
def test_what_cannot_be_a_file(tmp_path: Path, made: str, path: str, number: int) -> None:
    if made == "folder":
        (tmp_path / "x").mkdir()
    elif made == "file":
        (tmp_path / "x").touch()
    elif made == "ring":
        (tmp_path / "x").symlink_to("x")
    before = names(tmp_path)
    whole = f"{tmp_path}/{path}"
    for refused in (check_file, lambda path: write_file(path, "x")):
        with pytest.raises(OSError, match="x") as error:
            refused(whole)
        assert (error.value.errno, error.value.filename) == (number, whole)
    assert names(tmp_path) == before


# -- what goes wrong ----------------------------------------------------------------------------


def full_after(some: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let raw writes fail as on a full disk once so many bytes are written."""
    left = [some]
    real = files._write_all

    def write_all(raw: io.FileIO, data: bytes) -> None:
        taken = data[: left[0]]
        left[0] -= len(taken)
        real(raw, taken)
        if len(taken) < len(data):
            left[0] = 1 << 20  # what was there before still has its room
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "_write_all", write_all)


@pytest.mark.parametrize("old", [b"old", None])
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, MemoryError])
def test_a_block_that_raises_changes_nothing(
    tmp_path: Path, old: bytes | None, error: type[BaseException]
) -> None:
    path = tmp_path / "x"
    if old is not None:
        path.write_bytes(old)

    def write() -> None:
        with replace_file(path) as file:
            file.write(b"half of the ")
            raise error

    with pytest.raises(error):
        write()
    assert names(tmp_path) == ([] if old is None else ["x"])
    assert old is None or path.read_bytes() == old


@pytest.mark.parametrize("old", [b"old", None])
def test_a_full_disk_changes_nothing(tmp_path: Path, old: bytes | None) -> None:
    """A limit on the size of files stands for the disk: the system's own refusal, as it comes."""
    path = tmp_path / "x"
    if old is not None:
        path.write_bytes(old)
    code = (
        "import resource, signal, sys; sys.path.insert(0, sys.argv[1]); import files\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))\n"
        "for function in files.write_file, files.append_file:\n"
        "    try: function(sys.argv[2], b'x' * 100_000)\n"
        "    except OSError as error: print(error.errno, error.filename)"
    )
    command = [sys.executable, "-S", "-c", code, str(ROOT / "sorry_env"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{errno.EFBIG} {path}"] * 2
    assert names(tmp_path) == ([] if old is None else ["x"])
    assert old is None or path.read_bytes() == old


@pytest.mark.parametrize("some", [0, 2, 5, 9])
def test_contents_written_over_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, some: int
) -> None:
    (tmp_path / "one").write_bytes(b"old one")
    os.link(tmp_path / "one", tmp_path / "other")
    full_after(some, monkeypatch)
    with pytest.raises(OSError, match="No space left") as error:
        write_file(tmp_path / "one", b"a new one that is longer")
    assert error.value.filename == str(tmp_path / "one")
    assert (tmp_path / "other").read_bytes() == b"old one"


def test_appending_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    append_file(path, "one\n")
    append_file(path, "two\n")
    assert path.read_text() == "one\ntwo\n"
    full_after(2, monkeypatch)
    with pytest.raises(OSError, match="No space left"):
        append_file(path, "three\n")
    assert path.read_text() == "one\ntwo\n"


def test_a_file_mounted_by_itself_is_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old and longer")
    number = path.stat().st_ino

    def replace(self: Path, target: Path) -> Path:
        raise OSError(errno.EBUSY, "Device or resource busy")

    monkeypatch.setattr(Path, "replace", replace)
    write_file(path, b"new")
    assert (path.read_bytes(), path.stat().st_ino) == (b"new", number)
    assert names(tmp_path) == ["x"]


def test_errors_about_other_files_keep_their_names(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as error, replace_file(tmp_path / "x") as file:
        file.write(missing.read_bytes())
    assert error.value.filename == str(missing)
    assert names(tmp_path) == []


@pytest.fixture
def stranger(tmp_path: Path) -> Iterator[int]:
    """A user who may look into ``tmp_path`` and may not write there."""
    if os.geteuid() != 0:
        tmp_path.chmod(0o555)
        yield os.geteuid()
        tmp_path.chmod(0o755)
        return
    opened = [path for path in (tmp_path, *tmp_path.parents) if path != Path("/tmp")]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in opened if path != Path("/")}
    for path, mode in modes.items():
        path.chmod(mode | 0o005)
    yield 4711
    for path, mode in modes.items():
        path.chmod(mode)


def as_user(user: int, path: Path, data: str) -> str:
    """Write as another user; the error's number and path, or nothing."""
    code = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); import files\n"
        "user = int(sys.argv[2])\n"
        "if os.geteuid() == 0: os.setgroups([]); os.setgid(user); os.setuid(user)\n"
        "for function in files.check_file, lambda path: files.write_file(path, sys.argv[4]):\n"
        "    try: function(sys.argv[3])\n"
        "    except OSError as error: print(error.errno, error.filename)"
    )
    command = [sys.executable, "-S", "-c", code, str(ROOT / "sorry_env"), str(user), str(path)]
    return subprocess.run([*command, data], capture_output=True, text=True, check=True).stdout


def test_a_folder_that_cannot_be_written(tmp_path: Path, stranger: int) -> None:
    """A file in it that can be written is; one that cannot, and a new one, are refused."""
    tmp_path.chmod(0o755)
    for name, mode in (("open", 0o666), ("closed", 0o444)):
        (tmp_path / name).write_text("old and longer")
        (tmp_path / name).chmod(mode)
    tmp_path.chmod(0o555)
    before = (tmp_path / "open").stat()
    assert as_user(stranger, tmp_path / "open", "new") == ""
    after = (tmp_path / "open").stat()
    assert (tmp_path / "open").read_text() == "new"
    assert (after.st_mode, after.st_uid) == (before.st_mode, before.st_uid)
    for name in ("closed", "another"):
        told = as_user(stranger, tmp_path / name, "new").splitlines()
        assert told == [f"{errno.EACCES} {tmp_path / name}"] * 2
    assert (tmp_path / "closed").read_text() == "old and longer"
    assert names(tmp_path) == ["closed", "open"]


def test_a_file_of_somebody_else_keeps_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "theirs"
    path.write_text("old and longer")
    before = path.stat()
    real = Path.stat

    def stat_of(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        found = real(self, follow_symlinks=follow_symlinks)
        fields = list(found)[:10]
        fields[stat.ST_UID] += self.name.endswith(".part")
        return os.stat_result(fields)

    def chown(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "stat", stat_of)
    monkeypatch.setattr(os, "chown", chown)
    write_file(path, "new")
    monkeypatch.undo()
    assert path.read_text() == "new"
    assert (path.stat().st_ino, path.stat().st_uid) == (before.st_ino, before.st_uid)
    assert names(tmp_path) == ["theirs"]


# -- checks before the work ---------------------------------------------------------------------


def test_a_check_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    before = (tmp_path / "old").stat().st_mtime_ns
    for path in (tmp_path / "old", tmp_path / "new", "/dev/null", "/dev/stdout"):
        check_file(path)
    for path in (tmp_path, tmp_path / "a" / "b"):
        check_folder(path)
    assert names(tmp_path) == ["old"]
    assert (tmp_path / "old").stat().st_mtime_ns == before


def test_folders_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "lost").symlink_to("nowhere")
    for name in ("file", "file/folder", "lost", "lost/folder"):
        with pytest.raises(OSError, match=name):
            check_folder(tmp_path / name)
    assert names(tmp_path) == ["file", "lost"]


# -- the only way to write ----------------------------------------------------------------------

#: Attributes that write a file of their own, and those that write into their first argument.
WRITERS = {"write_text", "write_bytes", "touch", "rename", "tofile", "mkstemp",
           "NamedTemporaryFile", "copyfile", "copy2"}  # fmt: skip
INTO = {"save", "savez", "savez_compressed", "savefig", "savetxt", "dump"}
#: Names of variables that are open files.
OPEN = {"file", "out", "buffer"}
#: What writes otherwise, and why.
EXCEPTIONS = {
    # The null device takes the place of closed standard streams.
    "sorry_env/cli/running.py": {"open"},
    # A text of YAML, not a file.
    "sorry_env/yaml_text.py": {"dump"},
    # Into a buffer; a folder that is whole takes its name; torch writes into a buffer.
    "training/sorry_training/report.py": {"savefig"},
    "training/sorry_training/ship.py": {"rename"},
    # A lock is held on an open file; nothing is written.
    "training/sorry_training/locks.py": {"open"},
    # A run's lines can be read while it goes on: the file takes its name when it is whole.
    "benchmarks/learning/run.py": {"replace"},
}


def opens_for_writing(call: ast.Call) -> bool:
    """Whether a call of `open` has a mode, or flags, that write."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    texts = [arg.value for arg in given if isinstance(arg, ast.Constant)]
    modes = [text for text in texts if isinstance(text, str) and set(text) <= set("rwxabt+")]
    flags = {
        node.attr for arg in given for node in ast.walk(arg) if isinstance(node, ast.Attribute)
    }
    return any(set(mode) & set("wxa+") for mode in modes if mode) or bool(
        flags & {"O_WRONLY", "O_RDWR", "O_CREAT"}
    )


def writes(call: ast.Call) -> str | None:
    """The name by which a call writes a file, if it does."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name == "open":
        return name if opens_for_writing(call) else None
    if name in WRITERS:
        return name
    if name == "replace":  # of a path: a text's has two arguments, a dataclass's has keywords
        path = isinstance(call.func, ast.Attribute) and len(call.args) == 1 and not call.keywords
        return name if path else None
    if name in INTO and isinstance(call.func, ast.Attribute):
        first = call.args[0] if call.args else None
        into_open = isinstance(first, ast.Name) and first.id in OPEN
        second = call.args[1] if len(call.args) > 1 else None
        into_open |= isinstance(second, ast.Name) and second.id in OPEN
        return None if into_open else name
    return None


@pytest.mark.parametrize("package", ["sorry_env", "benchmarks", "training/sorry_training"])
def test_nothing_else_writes_files(package: str) -> None:
    sources = [path for path in (ROOT / package).rglob("*.py") if path != Path(files.__file__)]
    assert sources
    found = []
    for source in sources:
        place = source.relative_to(ROOT).as_posix()
        allowed = EXCEPTIONS.get(place, set())
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and (name := writes(node)) and name not in allowed:
                found.append(f"{place}:{node.lineno} {name}")
    assert found == []


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("path.write_text(x)", "write_text"), ("open(p, 'wb')", "open"), ("p.open('a')", "open"),
        ("p.open(mode='x')", "open"), ("os.open(p, os.O_WRONLY)", "open"), ("p.open()", None),
        ("p.open('rb')", None), ("old.replace(new)", "replace"), ("t.replace('a', 'b')", None),
        ("dataclasses.replace(x, y=1)", None), ("np.savez(path, x)", "savez"),
        ("np.savez(file, x)", None), ("torch.save(x, file)", None), ("torch.save(x, p)", "save"),
        ("figure.savefig(path)", "savefig"), ("json.dump(x, p.open('w'))", "dump"),
    ],
)  # fmt: skip
def test_the_search_finds_what_writes(code: str, name: str | None) -> None:
    call = ast.parse(code, mode="eval").body
    assert isinstance(call, ast.Call)
    assert writes(call) == name
