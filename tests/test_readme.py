"""The documentation runs: its Python, its commands with all that they print, its tables and links.

Blocks of one page are run in order, in one folder and one namespace, as a reader would:

- `python`: executed;
- `console`: each `$ command` prints exactly the lines below it;
- `sh`: each `sorry` command succeeds, `sorry-train` does with a tiny budget, `make` targets exist.

A table below `<!-- table: NAME -->` is written from the code. After a change,

    python -m tests.test_readme

writes printed lines and tables anew: look at the difference before you commit it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sorry_env.cli import main as sorry
from sorry_env.rules import Card
from sorry_env.rules.ruleset import NAME_FIELDS
from tests.readme_tables import TABLES

ROOT = Path(__file__).resolve().parents[1]
#: A diary tells what was run once, at full size, and is left as it was written.
DIARY = "docs/log.md"
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
PAGES = [page for page in PAGES if page != DIARY]

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"(?<=^<!-- table: )(\w+) -->\n(.*?)(?=^$|\Z)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#]*)#?([^)]*)\)")

# What makes any training command a matter of seconds, whatever its configuration.
TINY = {
    "decisions": 64, "games": 8, "steps": 8, "width": 8, "layers": 1, "minibatch": 64, "epochs": 1,
    "shards": 1, "threads": 1, "pool_active": 1, "evaluate_every": 0, "final_games": 2,
}  # fmt: skip


# -- running commands -----------------------------------------------------------------------------


def run_line(line: str) -> str:
    """What a command line prints, standard error included; only what the pages need of a shell."""
    words = shlex.split(line)
    text = ""
    while words:
        end = next((i for i, word in enumerate(words) if word in ("|", ">")), len(words))
        text = _run_command(words[:end], text)
        if end < len(words) and words[end] == ">":
            Path(words[end + 1]).write_text(text, encoding="utf-8")
            return ""
        words = words[end + 1 :]
    return text


def _run_command(words: list[str], given: str) -> str:
    name, *arguments = words
    if name == "printf":
        return arguments[0].replace("\\n", "\n").replace("\\t", "\t")
    if name == "cat":
        return "".join(Path(path).read_text(encoding="utf-8") for path in arguments)
    if name == "head":
        return "".join(given.splitlines(keepends=True)[: int(arguments[1])])
    if name == "cut":
        width = int(arguments[0].removeprefix("-c1-"))
        return "".join(row[:width] + "\n" for row in given.splitlines())
    if name == "sorry":
        return _call(sorry, arguments, given)[0]
    raise AssertionError(f"the pages use no command {name!r}")


def _call(main: Callable[[list[str]], int], arguments: list[str], given: str) -> tuple[str, int]:
    """Output and exit status of a command's main function."""
    out = io.StringIO()
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                status = main(arguments)
            except SystemExit as end:
                status = int(end.code or 0)
    finally:
        sys.stdin = before
    return out.getvalue(), status


def run_quietly(line: str) -> None:
    """Run a line of an `sh` block as far as a test can; it must succeed."""
    name, *arguments = shlex.split(line, comments=True)
    if name == "sorry":
        target = arguments[-1] if ">" in arguments[-2:] else None
        output, status = _call(sorry, _few_games(arguments[: -2 if target else None]), "q\n")
        assert status == 0, output
        if target:
            Path(target).write_text(output, encoding="utf-8")
    elif name == "sorry-train":
        from sorry_training.__main__ import main

        if arguments[0] in ("ppo", "td") and not {"--help", "--resume"} & set(arguments):
            tiny = {key: value for key, value in TINY.items()
                    if arguments[0] == "ppo" or key != "pool_active"}  # fmt: skip
            arguments[1:1] = [f"{key}={value}" for key, value in tiny.items()]
        output, status = _call(main, arguments, "")
        assert status == 0, output
    elif name == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert {a for a in arguments if "=" not in a} <= set(targets), line
    elif name == "python":
        assert (ROOT / arguments[0]).exists() or arguments[0] == "-m", line
    else:
        others = ("pip", "apt-get", "git", "cd", "tensorboard", "torchrun", "node", "npm")
        assert name in others, line


def _few_games(arguments: list[str]) -> list[str]:
    short = list(arguments)
    if "--games" in short:
        short[short.index("--games") + 1] = "12"
    return short


# -- pages ----------------------------------------------------------------------------------------


def console(body: str) -> str:
    """A console block with the lines that its commands print now."""
    lines = []
    for line in body.splitlines():
        if line.startswith("$ "):
            lines.append(line)
            lines.extend(row.rstrip() for row in run_line(line[2:]).splitlines())
    return "".join(f"{line}\n" for line in lines)


def play_page(name: str) -> str:
    """Run a page in the present folder; its text with printed lines and tables as they are now."""
    namespace: dict[str, Any] = {"__name__": "page"}

    def block(match: re.Match[str]) -> str:
        kind, body = match.groups()
        if kind == "python":
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(body, name, "exec"), namespace)
        elif kind == "console":
            body = console(body)
        elif kind == "sh":
            for line in body.replace("\\\n", " ").splitlines():
                if line.strip() and not line.startswith("#"):
                    run_quietly(line)
        return f"```{kind}\n{body}```"

    text = (ROOT / name).read_text(encoding="utf-8")
    return _TABLE.sub(lambda m: f"{m[1]} -->\n{TABLES[m[1]]()}\n", _BLOCK.sub(block, text))


@contextlib.contextmanager
def workplace() -> Iterator[None]:
    """An empty folder with the configurations in it, and `sorry` known, for the time of a page."""
    before, paths = Path.cwd(), os.environ.get("PATH", "")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "configs").symlink_to(ROOT / "configs")
        os.chdir(folder)
        os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), paths))
        try:
            yield
        finally:
            os.chdir(before)
            os.environ["PATH"] = paths


# -- the tests ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_runs_prints_and_tabulates_is_what_it_says(name: str) -> None:
    with workplace():
        now = play_page(name)
    assert now == (ROOT / name).read_text(encoding="utf-8"), "python -m tests.test_readme"


def _anchors(page: Path) -> set[str]:
    """The names of a page's headings in links."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^a-z0-9 _-]", "", h.lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("name", [*PAGES, DIARY, "CHANGELOG.md"])
def test_links_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    links = _LINK.findall(text)
    assert text.count("](") == len(links)
    for target, anchor in links:
        if "://" not in target:
            page = (ROOT / name).parent / target if target else ROOT / name
            assert page.exists(), target
            assert not anchor or anchor in _anchors(page), f"{target}#{anchor}"


def test_the_readme_leads_to_every_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page for page in [*PAGES[1:], DIARY] if f"({page})" not in text] == []


def test_every_field_of_a_ruleset_is_explained() -> None:
    text = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    names = [*NAME_FIELDS, *(field.name for field in dataclasses.fields(Card))]
    assert [field for field in names if f"| `{field}` |" not in text] == []


def test_the_rulings_name_tests_and_fields_that_exist() -> None:
    text = (ROOT / "docs/rulings.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.\w+)(?:::(\w+))?`", text)
    assert len(named) > 40
    for path, test in named:
        source = (ROOT / path).read_text(encoding="utf-8")
        assert not test or f"def {test}(" in source, f"{path}::{test}"
    flips = re.findall(r"\(field `(\w+)`", text)
    assert flips and set(flips) <= {*NAME_FIELDS, *(f.name for f in dataclasses.fields(Card))}


if __name__ == "__main__":
    for page in sys.argv[1:] or PAGES:
        with workplace():
            changed = play_page(page)
        (ROOT / page).write_text(changed, encoding="utf-8")
