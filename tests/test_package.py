"""The wheel: what is in it, and that it works away from the checkout, beside a user's modules."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest

import sorry_env

ROOT = Path(__file__).parents[1]
#: Folders of the checkout, and where the wheel has them.
FOLDERS = {
    "sorry_env": "sorry_env",
    "training/sorry_training": "sorry_training",
    "checkpoints": "sorry_env/checkpoints",
    "configs": "sorry_training/configs",
}
INFO = f"sorry_env-{sorry_env.__version__}.dist-info"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an unpacked wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def python(unpacked: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder of the user's, our packages coming from the unpacked wheel."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True,
        env=env | {"PYTHONPATH": str(unpacked)},
    )  # fmt: skip


def files(folder: Path) -> set[str]:
    """All files below a folder but what Python makes by itself."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in paths if "__pycache__" not in path.parts}


def test_a_source_distribution_builds_the_same_wheel(unpacked: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path), "-t"]
    subprocess.run([*build, "sdist"], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    source = tmp_path / archive.name.removesuffix(".tar.gz")
    subprocess.run([*build, "wheel"], cwd=source, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as built:
        assert {*built.namelist()} == files(unpacked)


def test_the_wheel_has_two_packages_and_no_other_name(unpacked: Path) -> None:
    assert {path.name for path in unpacked.iterdir()} == {"sorry_env", "sorry_training", INFO}


def test_the_wheel_has_every_file(unpacked: Path) -> None:
    expected = {f"{there}/{file}" for here, there in FOLDERS.items() for file in files(ROOT / here)}
    found = {file for file in files(unpacked) if not file.startswith(INFO)}
    assert found == expected
    for part in (
        "sorry_env/py.typed", "sorry_training/py.typed", "sorry_env/web/static/index.html",
        "sorry_env/checkpoints/classic-2/value.onnx", "sorry_training/configs/ppo/quick.yaml",
        "sorry_training/configs/td/classic-2.yaml", "sorry_training/configs/rulesets/house.yaml",
    ):  # fmt: skip
        assert part in found


def test_the_wheel_has_the_commands(unpacked: Path) -> None:
    entries = ConfigParser()
    entries.read(unpacked / INFO / "entry_points.txt", encoding="utf-8")
    assert dict(entries["console_scripts"]) == {
        "sorry": "sorry_env.cli:main",
        "sorry-train": "sorry_training.__main__:main",
    }


@pytest.mark.parametrize("module", ["training.py", "training/__init__.py"])
def test_modules_are_commands_beside_a_users_own_training(
    module: str, unpacked: Path, tmp_path: Path
) -> None:
    (tmp_path / module).parent.mkdir(exist_ok=True)
    (tmp_path / module).write_text("print('imported')\nMINE = 1\n", encoding="utf-8")

    done = python(unpacked, tmp_path, "-m", "sorry_env", "--version")
    assert (done.returncode, done.stdout) == (0, f"sorry_env {sorry_env.__version__}\n")
    done = python(unpacked, tmp_path, "-m", "sorry_training", "ppo", "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: sorry-train ppo [CONFIG]")

    program = "import training, sorry_training, sorry_env\nprint(training.MINE)\n"
    program += "print(training.__file__, sorry_training.__file__, sorry_env.__file__, sep='\\n')"
    done = python(unpacked, tmp_path, "-c", program)
    assert done.stdout.splitlines() == [
        "imported", "1", str(tmp_path / module),
        str(unpacked / "sorry_training" / "__init__.py"),
        str(unpacked / "sorry_env" / "__init__.py"),
    ], done.stderr  # fmt: skip


def test_modules_return_the_commands_status(unpacked: Path, tmp_path: Path) -> None:
    for module, program in (("sorry_env", "sorry"), ("sorry_training", "sorry-train")):
        done = python(unpacked, tmp_path, "-m", module, "fly")
        assert done.returncode == 2
        assert done.stderr.startswith(f"usage: {program} ")
    done = python(unpacked, tmp_path, "-m", "sorry_env", "arena", "nobody", "greedy")
    assert done.returncode == 2
    assert done.stderr.startswith("sorry: ") and "nobody" in done.stderr


def test_what_is_shipped_is_found_from_the_wheel(unpacked: Path, tmp_path: Path) -> None:
    """Configurations, one that names a ruleset's file too, and bots."""
    program = """if True:
        from sorry_training.config import load_config
        from sorry_training.config_files import find_config, shipped_configs
        from sorry_env.bots.shipped import shipped_folder
        print(find_config("quick", "ppo"))
        print(load_config(find_config("quick", "ppo")).decisions)
        print(load_config(find_config("house", "ppo")).tables.ruleset.pawns)
        print(*shipped_configs("td"), sep=",")
        print(shipped_folder())
    """
    done = python(unpacked, tmp_path, "-c", program)
    names = sorted(path.stem for path in (ROOT / "configs" / "td").glob("*.yaml"))
    assert done.stdout.splitlines() == [
        str(unpacked / "sorry_training" / "configs" / "ppo" / "quick.yaml"),
        "5000000",
        "3",
        ",".join(names),
        str(unpacked / "sorry_env" / "checkpoints"),
    ], done.stderr
