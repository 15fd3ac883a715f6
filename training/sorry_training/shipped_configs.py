"""The configurations that come with the project, by their names: ``sorry-train ppo quick``.

Their home is ``configs/`` in the source tree: a folder for each algorithm, and ``rulesets``. An
installed package holds a copy of it.
"""

from __future__ import annotations

import difflib
from pathlib import Path

from sorry_env.errors import ConfigError

#: The name of their folder; paths that begin with it are found in the installed package, too.
HOME = "configs"
ENDINGS = (".yaml", ".yml")


def configs_folder() -> Path:
    """The folder of all of them: in the installed package, or at the top of a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / HOME
    return installed if installed.is_dir() else package.parents[1] / HOME


def config_names(algorithm: str) -> tuple[str, ...]:
    """The names of an algorithm's configurations, in order."""
    return tuple(sorted(path.stem for path in (configs_folder() / algorithm).glob("*.yaml")))


def find_config(word: str, algorithm: str) -> Path:
    """The file that ``word`` means: a path, or the name of a configuration of the algorithm.

    A file in the present folder goes first. Raises ConfigError for a name that is not there.
    """
    path = find_file(word)
    if path.is_file() or word.endswith(ENDINGS) or len(path.parts) != 1:
        return path
    names = config_names(algorithm)
    if word not in names:
        close = difflib.get_close_matches(word, names, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise ConfigError(
            f"no configuration of {algorithm} is called {word!r}; {hint}"
            f"There are {', '.join(names) or 'none'}, and your own as a path: ./{word}.yaml",
            value=word,
        )
    return configs_folder() / algorithm / f"{word}.yaml"


def find_file(path: str) -> Path:
    """A path itself; where it is not there and begins with ``configs/``, the file that ships."""
    parts = Path(path).parts
    if not Path(path).exists() and parts[:1] == (HOME,) and ".." not in parts:
        shipped = configs_folder().joinpath(*parts[1:])
        if shipped.is_file():
            return shipped
    return Path(path)


def describe_configs(algorithm: str) -> str:
    """A line for each configuration of an algorithm: its name, and what its file says first."""
    names = config_names(algorithm)
    width = max(map(len, names), default=0)
    return "\n".join(f"  {name:{width}}  {_brief(algorithm, name)}" for name in names)


def _brief(algorithm: str, name: str) -> str:
    """The comment at the head of a configuration's file, as one line."""
    path = configs_folder() / algorithm / f"{name}.yaml"
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# ").rstrip())
    return " ".join(lines)
