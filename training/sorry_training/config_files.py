"""Where configurations and the ruleset files they name are found.

The configurations of the project are the folder ``configs`` of a checkout, and part of the
installed package: ``ppo/NAME.yaml`` and ``td/NAME.yaml``, and in ``rulesets`` the files that some
of them name. Nothing here reads settings; ``config.py`` does.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from pathlib import Path

from sorry_env.errors import ConfigError

#: The subfolder of ruleset files; the others are named after algorithms.
RULESETS = "rulesets"
ENDING = ".yaml"


def shipped_folder() -> Path:
    """The folder of the shipped configurations: in the installed package, or of the checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "configs"
    return installed if installed.is_dir() else package.parents[1] / "configs"


def shipped_configs(algorithm: str) -> dict[str, Path]:
    """The files of the shipped configurations of an algorithm, by name, in order."""
    files = shipped_folder().joinpath(algorithm).glob(f"*{ENDING}")
    return {path.stem: path for path in sorted(files, key=lambda path: path.stem)}


def description(path: Path) -> str:
    """What a configuration is for: the comment at its beginning, as one line."""
    words = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        words += line.lstrip("#").split()
    return " ".join(words)


def list_configs(algorithm: str) -> str:
    """The names of an algorithm's shipped configurations and what they are for, one a line."""
    configs = shipped_configs(algorithm)
    width = max(map(len, configs), default=0)
    return "".join(f"{name:{width}}  {description(path)}\n" for name, path in configs.items())


def find_config(word: str, algorithm: str) -> Path:
    """The file that a CONFIG of the command line means.

    With a slash or a dot in it, it is the path of a file. Without, it is the name of a shipped
    configuration of the algorithm, whatever files the current folder holds.
    Raises ConfigError for a file or a name that does not exist.
    """
    if _is_path(word):
        if not os.path.lexists(word):
            hint = _meant(Path(word).stem, algorithm)
            raise ConfigError(f"cannot read {word}: there is no such file{hint}", value=word)
        return Path(word)
    configs = shipped_configs(algorithm)
    if word in configs:
        return configs[word]
    file = f"; for the file of this name write .{os.sep}{word}" if Path(word).is_file() else ""
    raise ConfigError(
        f"there is no configuration {word!r} of {algorithm}{_meant(word, algorithm)}{file}; "
        f"there are {', '.join(configs) or 'none at all'}; a path has a slash or a dot in it",
        value=word,
    )


def find_ruleset(name: str, folders: Sequence[Path]) -> Path:
    """The ruleset file ``name`` in the first of the folders that has it.

    Raises ConfigError where none has.
    """
    for folder in folders:
        if os.path.exists(folder / name):  # noqa: PTH110 -- Path.exists raises for long names
            return folder / name
    places = ", nor from ".join(str(folder.absolute()) for folder in folders)
    raise ConfigError(f"ruleset: {name} cannot be read: there is no such file from {places}",
                      value=name)  # fmt: skip


def _is_path(word: str) -> bool:
    return any(mark in word for mark in {"/", os.sep, "."})


def _meant(name: str, algorithm: str) -> str:
    """The shipped configurations that may be meant by a wrong name or path, as a question."""
    close = difflib.get_close_matches(name, shipped_configs(algorithm), n=3)
    meant = [f"{algorithm} {one}" for one in close]
    others = shipped_folder().iterdir() if shipped_folder().is_dir() else ()
    for folder in sorted(others):
        if folder.name not in (algorithm, RULESETS) and name in shipped_configs(folder.name):
            meant.append(f"{folder.name} {name}")
    return f" (did you mean {' or '.join(f'sorry-train {one}' for one in meant)}?)" if meant else ""
