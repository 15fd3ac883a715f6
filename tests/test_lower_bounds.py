"""Every dependency that we run with has one lowest version, which `make lower-bounds` tries."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.lower_bounds import EXTRAS, PYPROJECT, constraints, lowest

ROOT = PYPROJECT.parent


def project() -> dict[str, Any]:
    with PYPROJECT.open("rb") as file:
        found: dict[str, Any] = tomllib.load(file)["project"]
    return found


def test_the_lowest_versions_are_read() -> None:
    table = {
        "dependencies": ["a>=1.2,<3", "b-c>=10"],
        "optional-dependencies": {name: [] for name in EXTRAS}
        | {"onnx": ["d>=1"], "train": ["sorry_env[onnx]", "a>=1.2", "torch>=2"]},
    }
    assert lowest(table) == {"a": "1.2", "b-c": "10", "d": "1"}


@pytest.mark.parametrize("wrong", ["a", "a<3", "a>=1.3", "a==1", "a>=1; python_version<'3'"])
def test_what_has_no_lowest_version_is_refused(wrong: str) -> None:
    table = {
        "dependencies": ["a>=1.2"],
        "optional-dependencies": {name: [] for name in EXTRAS} | {"onnx": [wrong]},
    }
    with pytest.raises(ValueError, match="must"):
        lowest(table)


def test_what_is_declared_is_what_is_imported() -> None:
    """Nothing is declared that no code imports (as onnxscript was), nothing imported undeclared."""
    names = {"pillow": "PIL", "pyyaml": "yaml"}
    table = project()
    extras = table["optional-dependencies"]
    tried = [name for name in EXTRAS if name != "dev"] + ["onnx"]
    declared = [*table["dependencies"], *(one for name in tried for one in extras[name])]
    packages = {re.split(r"[\[><=]", one)[0] for one in declared} - {"sorry_env"}
    modules = {names.get(package, package) for package in packages}
    imported = set()
    for folder in ("sorry_env", "training/sorry_training"):
        for source in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    imported |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    imported.add(node.module.partition(".")[0])
    # uvicorn speaks WebSocket by websockets, TensorBoard's writer is torch's.
    assert modules - imported <= {"websockets", "tensorboard"}
    # starlette brings anyio and uvicorn h11, whose errors and limits are named.
    others = {"sorry_env", "sorry_training", "anyio", "h11"} | set(sys.stdlib_module_names)
    assert imported - others <= modules


def test_the_make_target_installs_them() -> None:
    assert "pillow==10.1" in constraints()
    told = subprocess.run(["make", "--dry-run", "lower-bounds", "PYTHON=python3"], cwd=ROOT,
                          capture_output=True, text=True, check=True).stdout  # fmt: skip
    assert "-m tests.lower_bounds > .venv-lower/lowest.txt" in told
    assert "--constraint .venv-lower/lowest.txt" in told
    tests = re.findall(r"tests/[a-z_/]+(?:\.py)?", told.split("-m pytest")[1])
    assert tests and all((ROOT / path).exists() for path in tests), Path.cwd()
