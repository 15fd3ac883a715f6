"""The mutation run itself: which faults are planted, how they are tried, and what is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants import __main__ as command
from tests.mutants.mutations import find, plant, sample, sites
from tests.mutants.rooms import ROOT, Known, Room, as_toml, read_known, read_rooms

ROOMS = {"engine", "notation", "envs", "arena", "training", "solve", "server", "express"}


def planted(folder: Path, text: str) -> set[tuple[str, str, str]]:
    """All mutants of a module: where, the lines before, the lines after."""
    (folder / "some.py").write_text(text, encoding="utf-8")
    mutants = [plant(folder, site) for site in sites(folder, "some.py")]
    return {mutant.key[1:] for mutant in mutants if mutant is not None}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a = b + c\n", {("", "a = b + c", "a = b - c")}),
        ("a = b is None\n", {("", "a = b is None", "a = b is not None")}),
        ("a = not b\n", {("", "a = not b", "a = b")}),
        ("a = b.copy()\n", {("", "a = b.copy()", "a = b")}),
        ("a = max(b)\n", {("", "a = max(b)", "a = min(b)")}),
        ("a = max\n", set()),
        ("a.b = c\n", {("", "a.b = c", "pass")}),
        ("a[b] = c\n", {("", "a[b] = c", "pass")}),
        ("a: int = b\n", set()),
        ("a = b\n", set()),
        ("a(b)\n", {("", "a(b)", "pass")}),
        ("def f():\n    raise a\n", {("f", "raise a", "pass")}),
        ("class A:\n    def f(self):\n        a(b)\n", {("A.f", "a(b)", "pass")}),
        (
            "def f():\n    a(b)\n    a(b)\n",
            {("f", "a(b)", "pass"), ("f#2", "a(b)", "pass")},
        ),
        # What does nothing when the program runs, or changes its speed alone.
        ("def f(a: int | None) -> int | None: ...\n", set()),
        ("def f(a, *, b): ...\n", set()),
        ("if TYPE_CHECKING:\n    a(b)\n", set()),
        ("@kernel\ndef f(): ...\n", set()),
        ("@functools.cache\ndef f(): ...\n", set()),
        # A decorator goes as a whole; its arguments are not changed.
        ("@a(b=True)\nclass A: ...\n", {("", "@a(b=True)", "")}),
    ],
)  # fmt: skip
def test_what_is_planted(tmp_path: Path, text: str, wanted: set[tuple[str, str, str]]) -> None:
    assert planted(tmp_path, text) == wanted


def test_the_seed_alone_decides_the_sample() -> None:
    module = ["sorry_env/engine/rng.py"]
    first, again, other = (sample(ROOT, module, 5, seed) for seed in (1, 1, 2))
    assert [mutant.key for mutant in first] == [mutant.key for mutant in again]
    assert [mutant.key for mutant in first] != [mutant.key for mutant in other]
    assert len({mutant.key for mutant in first}) == 5


def test_a_change_elsewhere_leaves_the_sample(tmp_path: Path) -> None:
    text = "".join(f"a{i} = b + {i}\n" for i in range(2, 40))
    (tmp_path / "some.py").write_text(text)
    before = [mutant.key for mutant in sample(tmp_path, ["some.py"], 20, 1)]
    (tmp_path / "some.py").write_text("c = d\n" + text.replace("a7 = b + 7\n", ""))
    after = [mutant.key for mutant in sample(tmp_path, ["some.py"], 20, 1)]
    same = [key for key in before if key[2] != "a7 = b + 7"]
    assert [key for key in after if key in before] == same
    assert after[:5] == [mutant.key for mutant in sample(tmp_path, ["some.py"], 5, 1)]


def test_the_tables_fit_the_source() -> None:
    rooms = read_rooms()
    assert set(rooms) >= ROOMS
    known = read_known()
    for module in sorted({key[0] for key in known}):
        assert any(module in room.modules for room in rooms.values()), f"{module} is in no room"
        wanted = {key for key in known if key[0] == module}
        left = wanted - {mutant.key for mutant in find(ROOT, module, wanted)}
        assert not left, f"known.toml lists what can no longer be planted: {left}"


def test_tables_that_cannot_be(tmp_path: Path) -> None:
    table = tmp_path / "rooms.toml"
    table.write_text('[a]\nmodules = ["no/*.py"]\ntests = []\njit = false\n')
    with pytest.raises(ValueError, match=r"no file is called no/\*\.py"):
        read_rooms(table)
    table.write_text("[a]\nmodules = []\ntests = []\njit = false\nfast = 1\n")
    with pytest.raises(ValueError, match="unknown keys"):
        read_rooms(table)
    entry = as_toml(("a.py", "f", 'it\'s "a"', "b"))
    table.write_text(entry)
    with pytest.raises(ValueError, match="needs a verdict"):
        read_known(table)
    told = entry.replace('verdict = ""', 'verdict = "survivor"').replace('""', '"why"')
    table.write_text(told)
    assert [each.reason for each in read_known(table).values()] == ["why"]
    table.write_text(f"{told}\n{told}")
    with pytest.raises(ValueError, match="listed twice"):
        read_known(table)


# A room of three functions: one tested, one not, one that never ends without its only statement.
TOY = """\
def covered(a, b):
    return a + b


def uncovered(a, b):
    return a * b


def counts(limit):
    count = 0
    while count < limit:
        count += 2
    return count
"""
TOY_TEST = """\
from sorry_env.toy import counts, covered


def test_toy():
    assert covered(2, 3) == 5 and counts(4) == 4 and counts(3) == 4
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    for name, text in [
        ("sorry_env/__init__.py", ""),
        ("sorry_env/toy.py", TOY),
        ("tests/test_toy.py", TOY_TEST),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["."]\n'),
    ]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_faults_are_tried_and_told(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    room = Room("toy", ["sorry_env/toy.py"], ["tests/test_toy.py"], [], False, [])
    wanted = {"return a - b", "return a / b", "return a + b", "pass"}
    mutants = [m for m in sample(toy, room.modules, 99, 1) if m.key[3] in wanted]
    assert len(mutants) == 4
    equivalent = next(m.key for m in mutants if m.key[3] == "return a / b")
    known = {equivalent: Known(equivalent, True, "as if it were one")}
    score = command.try_room(toy, room, mutants, known, spare=1)
    assert (score.killed, score.timed_out, score.survived, score.equivalent) == (2, 1, 1, 1)
    assert (toy / "sorry_env/toy.py").read_text() == TOY  # planted in a copy
    assert command.report([score]) == 1
    told = capsys.readouterr().out
    assert "66.7 %" in told and "below 85 %: toy" in told
    assert "before = 'return a * b'\nafter = 'return a + b'" in told
    score.survived = 0
    assert command.report([score]) == 0


def test_tests_that_fail_without_a_fault_are_told(toy: Path) -> None:
    (toy / "tests/test_toy.py").write_text("def test_toy():\n    assert False\n")
    room = Room("toy", ["sorry_env/toy.py"], ["tests/test_toy.py"], [], False, [])
    with pytest.raises(SystemExit, match="the tests fail without any fault"):
        command.try_room(toy, room, [], {})


def test_options_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong, message in [
        (["--rooms", "kitchen"], "no room is called kitchen"),
        (["--sample", "0"], "--sample is at least 1"),
    ]:
        with pytest.raises(SystemExit):
            command.main(wrong)
        assert message in capsys.readouterr().err
