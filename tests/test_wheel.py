"""The wheel: what it installs, that it runs from anywhere, beside whatever files users have."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from hatchling.build import build_sdist, build_wheel

ROOT = Path(__file__).parents[1]


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(ROOT)
        return folder / build_wheel(str(folder))


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The wheel's contents in a folder of their own."""
    folder = wheel.parent / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python with arguments in a folder, with the installed packages alone."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(installed)},
    )  # fmt: skip


def test_it_installs_two_packages_and_nothing_else(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in names(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "sorry_env", "sorry_training",
    }  # fmt: skip


def test_it_holds_all_that_the_packages_look_for(wheel: Path) -> None:
    held = names(wheel)
    for home, package in (("configs", "sorry_training"), ("checkpoints", "sorry_env")):
        files = {str(path.relative_to(ROOT)) for path in (ROOT / home).rglob("*") if path.is_file()}
        assert len(files) > 20
        assert {f"{package}/{name}" for name in files} <= held
    for package in ("sorry_env", "training/sorry_training"):
        modules = {path.relative_to(ROOT) for path in (ROOT / package).rglob("*.py")}
        assert {str(path).removeprefix("training/") for path in modules} <= held
    assert not [name for name in held if "__pycache__" in name or name.endswith(".pyc")]


def test_a_source_distribution_builds_the_same_wheel(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    archive = tmp_path / build_sdist(str(tmp_path))
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (source,) = (path for path in tmp_path.iterdir() if path.is_dir())
    monkeypatch.chdir(source)
    assert names(tmp_path / build_wheel(str(tmp_path))) == names(wheel)


#: What users may have in the folder that they work in: Python looks there first.
THEIRS = ["training.py", "training/__init__.py", "configs.py", "files.py", "kernels.py"]


@pytest.mark.parametrize("theirs", THEIRS)
def test_files_of_users_do_not_interfere(theirs: str, installed: Path, tmp_path: Path) -> None:
    path = tmp_path / theirs
    path.parent.mkdir(exist_ok=True)
    path.write_text("MINE = True\n")
    name = theirs.partition("/")[0].removesuffix(".py")
    program = (
        f"import {name}, sorry_env, sorry_training, sys\n"
        f"assert {name}.MINE\n"
        "from sorry_training.__main__ import main\n"
        "print(sorry_training.__file__, sorry_env.__file__, sep='\\n')\n"
        "sys.exit(main(['td', '--list']))\n"
    )
    done = run(installed, tmp_path, "-c", program)
    assert done.returncode == 0, done.stderr
    training, env, *listed = done.stdout.splitlines()
    assert training == str(installed / "sorry_training" / "__init__.py")
    assert env == str(installed / "sorry_env" / "__init__.py")
    assert any(line.split()[0] == "classic-2" for line in listed)


@pytest.mark.parametrize(("module", "program"), [
    ("sorry_env", "sorry"), ("sorry_training", "sorry-train"),
])  # fmt: skip
def test_both_packages_are_programs(
    module: str, program: str, installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "training.py").write_text("raise SystemExit('the wrong one')\n")
    done = run(installed, tmp_path, "-m", module, "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: {program} ")
    wrong = run(installed, tmp_path, "-m", module, "no-such-command")
    assert wrong.returncode == 2 and wrong.stderr.startswith(f"usage: {program} ")


def test_every_configuration_is_read_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    """By its name, and the rulesets that they name are found there, too."""
    program = (
        "from sorry_training.config import PPOConfig, load_settings\n"
        "from sorry_training.shipped_configs import config_names, find_config\n"
        "from sorry_training.td_config import TDConfig\n"
        "for kind in PPOConfig, TDConfig:\n"
        "    for name in config_names(kind.algorithm):\n"
        "        load_settings(find_config(name, kind.algorithm), [], kind)\n"
        "        print(f'{kind.algorithm}/{name}.yaml')\n"
    )
    done = run(installed, tmp_path, "-c", program)
    assert done.returncode == 0, done.stderr
    files = {f"{path.parent.name}/{path.name}" for path in (ROOT / "configs").glob("*/*.yaml")}
    assert {*done.stdout.split()} == {name for name in files if not name.startswith("rulesets/")}
