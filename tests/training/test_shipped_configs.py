"""Configurations by name, and none at all."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest
from sorry_training.__main__ import main
from sorry_training.algorithms import ALGORITHMS
from sorry_training.config import PPOConfig, load_settings
from sorry_training.shipped_configs import config_names, configs_folder, find_config
from sorry_training.td_config import TDConfig, load_saved

from sorry_env.errors import ConfigError

ROOT = Path(__file__).parents[2]
KINDS: dict[str, type[PPOConfig]] = {"ppo": PPOConfig, "td": TDConfig}
NAMES = [(algorithm, name) for algorithm in KINDS for name in config_names(algorithm)]
#: What makes a run of any settings a short one.
SHORT = ["ruleset=duel-1", "seats=red,yellow", "games=16", "steps=12", "width=16", "minibatch=64",
         "decisions=100", "final_games=2", "opponents=random", "threads=1"]  # fmt: skip


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder is none of ours."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_algorithm_and_every_file_has_a_name() -> None:
    assert {*KINDS} == {*ALGORITHMS}
    files = {(path.parent.name, path.stem) for path in (ROOT / "configs").glob("*/*.yaml")}
    assert {pair for pair in files if pair[0] != "rulesets"} == {*NAMES}
    assert ("ppo", "quick") in files and ("td", "classic-2") in files


@pytest.mark.parametrize(("algorithm", "name"), NAMES)
def test_each_is_found_by_its_name_and_by_its_path(algorithm: str, name: str) -> None:
    """From any folder; the rulesets that they name by a path are found, too."""
    kind = KINDS[algorithm]
    by_name = find_config(name, algorithm)
    assert by_name == configs_folder() / algorithm / f"{name}.yaml"
    for word in (f"configs/{algorithm}/{name}.yaml", str(by_name)):
        assert find_config(word, algorithm) == by_name
    assert load_settings(by_name, [], kind).algorithm == algorithm


@pytest.mark.parametrize("algorithm", KINDS)
@pytest.mark.parametrize("words", [["quick"], [], ["configs/ALGORITHM/quick.yaml"]])
def test_they_train(algorithm: str, words: list[str], elsewhere: Path) -> None:
    words = [word.replace("ALGORITHM", algorithm) for word in words]
    assert main([algorithm, *words, *SHORT, "--quiet"]) == 0
    folder = elsewhere / "runs" / ("quick" if words else algorithm)
    kind = KINDS[algorithm]
    base = load_settings(find_config("quick", algorithm), [], kind) if words else kind()
    saved = load_saved(folder / "config.yaml")
    changed = {word.partition("=")[0] for word in SHORT}
    for field in dataclasses.fields(kind):
        if field.name not in changed:
            assert getattr(saved, field.name) == getattr(base, field.name), field.name


def test_a_file_of_ones_own_goes_first(elsewhere: Path) -> None:
    (elsewhere / "configs" / "ppo").mkdir(parents=True)
    mine = Path("configs/ppo/quick.yaml")
    mine.write_text("seed: 5\n")
    assert find_config(str(mine), "ppo") == mine
    assert find_config("quick", "ppo") == configs_folder() / "ppo" / "quick.yaml"
    (elsewhere / "quick").write_text("seed: 6\n")
    assert find_config("quick", "ppo") == Path("quick")
    (elsewhere / "duel-1").mkdir()  # a folder is no configuration
    assert find_config("duel-1", "ppo") == configs_folder() / "ppo" / "duel-1.yaml"


@pytest.mark.parametrize("algorithm", KINDS)
def test_unknown_names_list_those_that_exist(
    algorithm: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([algorithm, "qick"]) == 2
    told = capsys.readouterr().err
    assert f"no configuration of {algorithm} is called 'qick'; did you mean quick?" in told
    assert ", ".join(config_names(algorithm)) in told
    with pytest.raises(ConfigError, match="cannot read"):
        load_settings(find_config("configs/../quick.yaml", algorithm), [], KINDS[algorithm])


@pytest.mark.parametrize("algorithm", KINDS)
def test_they_are_listed_without_torch(algorithm: str) -> None:
    program = (
        "import sys\nsys.modules['torch'] = None\n"
        "from sorry_training.__main__ import main\nsys.exit(main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", program, algorithm, "--list"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [line.split()[0] for line in lines] == [*config_names(algorithm)]
    assert all(len(line.split()) > 3 for line in lines)
