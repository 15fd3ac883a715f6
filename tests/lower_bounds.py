"""The lowest version that pyproject.toml declares of each dependency, as constraints for pip.

`make lower-bounds` installs these and runs the tests that touch them:

    python -m tests.lower_bounds > constraints.txt

Left out are torch, of which pip is given one version by the Makefile, and the libraries of the
examples and the benchmarks, which have environments of their own (`make interop`, `make bench`).
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
#: The extras that are tried, with what they take along.
EXTRAS = ("serve", "train", "arena", "window", "dev")
EXEMPT = {"torch"}
_REQUIREMENT = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[a-z,]+\])?(?:>=([0-9.]+))?(?:,<[0-9.]+)?")


def lowest(project: dict[str, Any]) -> dict[str, str]:
    """The lowest versions, by package.

    project: the table [project] of pyproject.toml
    Raises ValueError for a requirement that has no lower bound, or two of them.
    """
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for name in EXTRAS for one in extras[name])]
    wanted += extras["onnx"]
    found: dict[str, str] = {}
    for requirement in wanted:
        match = _REQUIREMENT.fullmatch(requirement)
        if match is None:
            raise ValueError(f"{requirement!r} must be a name, >= and a version")
        name, version = match.groups()
        if name == "sorry_env" or name in EXEMPT:
            continue
        if version is None or found.setdefault(name, version) != version:
            raise ValueError(f"{requirement!r} must have one lower bound, the same everywhere")
    return found


def constraints() -> list[str]:
    """Lines for pip's option --constraint."""
    with PYPROJECT.open("rb") as file:
        project = tomllib.load(file)["project"]
    # The releases of types end in a day: the lowest there is of a version is not known by name.
    return [
        f"{name}=={version}{'.*' if name.startswith('types-') else ''}"
        for name, version in lowest(project).items()
    ]


if __name__ == "__main__":
    print("\n".join(constraints()))
