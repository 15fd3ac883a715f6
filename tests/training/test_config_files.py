"""Configurations are found by name and by path, from any folder, and so are their rulesets."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from sorry_training.__main__ import main
from sorry_training.algorithms import ALGORITHMS
from sorry_training.config import PPOConfig, config_to_mapping, load_config, load_settings
from sorry_training.config_files import find_config, find_ruleset, list_configs, shipped_configs
from sorry_training.td_config import TDConfig

from sorry_env.errors import ConfigError

ROOT = Path(__file__).parents[2]
KINDS: dict[str, type[PPOConfig]] = {"ppo": PPOConfig, "td": TDConfig}
SHIPPED = [
    (algorithm, path.stem)
    for algorithm in KINDS
    for path in sorted((ROOT / "configs" / algorithm).glob("*.yaml"))
]
HOUSE = "edition: {name}\nbase: classic\npawns: {pawns}\n"

Started = list[tuple[PPOConfig, Path]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Started:
    """The runs that are asked for, by settings and folder; none is trained. In a folder apart."""
    asked: Started = []

    def train(config: PPOConfig, folder: Path, **options: object) -> NoReturn:
        asked.append((config, folder))
        raise ConfigError("enough", value=None)

    for name in ALGORITHMS:
        monkeypatch.setitem(ALGORITHMS, name, replace(ALGORITHMS[name], train=train))
    monkeypatch.chdir(tmp_path)
    return asked


def test_each_algorithm_has_configurations() -> None:
    assert set(KINDS) == set(ALGORITHMS)
    assert {algorithm for algorithm, _ in SHIPPED} == set(ALGORITHMS)
    for algorithm in ALGORITHMS:
        names = [name for known, name in SHIPPED if known == algorithm]
        assert list(shipped_configs(algorithm)) == sorted(names)


@pytest.mark.parametrize(("algorithm", "name"), SHIPPED)
def test_shipped_configurations_are_known_by_name_from_any_folder(
    algorithm: str, name: str, started: Started
) -> None:
    assert main([algorithm, name]) == 2
    ((config, folder),) = started
    assert folder == Path("runs", name)
    path = ROOT / "configs" / algorithm / f"{name}.yaml"
    assert config == load_settings(path, (), KINDS[algorithm])


@pytest.mark.parametrize("algorithm", KINDS)
def test_without_a_configuration_every_setting_has_its_default(
    algorithm: str, started: Started
) -> None:
    assert main([algorithm]) == 2
    assert main([algorithm, "decisions=10000", "--out", "elsewhere"]) == 2
    kind = KINDS[algorithm]
    assert started == [
        (kind(), Path("runs", algorithm)),
        (kind(decisions=10_000), Path("elsewhere")),
    ]


def test_a_run_without_a_configuration(
    small_words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["ppo", *small_words, "decisions=100", "final_games=2"]) == 0
    assert (tmp_path / "runs" / "ppo" / "bot.onnx").is_file()


@pytest.mark.parametrize(
    "path",
    [
        lambda _: "mine.yaml",
        lambda _: "./mine",
        lambda _: "sub/quick",
        lambda folder: str(folder / "mine.yaml"),
        lambda folder: os.path.relpath(folder / "sub" / "mine.yaml"),
    ],
)
def test_words_with_a_slash_or_a_dot_are_paths(
    path: Callable[[Path], str], started: Started, tmp_path: Path
) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("mine", "mine.yaml", "sub/quick", "sub/mine.yaml"):
        (tmp_path / name).write_text("seed: 77\n", encoding="utf-8")
    word = path(tmp_path)
    assert main(["ppo", word]) == 2
    assert started == [(PPOConfig(seed=77), Path("runs", Path(word).stem))]


def test_a_file_does_not_take_the_place_of_a_shipped_name(tmp_path: Path, started: Started) -> None:
    for name in ("quick", "quick.yaml"):
        (tmp_path / name).write_text("seed: 77\n", encoding="utf-8")
    (tmp_path / "duel-1").mkdir()
    assert main(["ppo", "quick"]) == main(["ppo", "duel-1"]) == 2
    assert [config.ruleset for config, _ in started] == ["classic", "duel-1"]
    assert [config.seed for config, _ in started] == [1, 1]


@pytest.mark.parametrize(
    ("algorithm", "word", "expected"),
    [
        ("ppo", "quik", ["'quik'", "did you mean sorry-train ppo quick?", "bump-em, classic-all"]),
        ("td", "clasic-4", ["'clasic-4'", "sorry-train td classic-4", "bump-em, classic-2"]),
        ("td", "house", ["'house' of td", "did you mean sorry-train ppo house?"]),
        ("ppo", "seven-hands", ["'seven-hands' of ppo", "there are bump-em"]),
        ("ppo", "mine", ["'mine'", "write ./mine", "there are bump-em", "a slash or a dot"]),
        ("ppo", "", ["''", "there are bump-em"]),
        ("ppo", "[*?]", ["'[*?]'", "there are bump-em"]),
        ("ppo", "quick.yaml", ["cannot read quick.yaml", "did you mean sorry-train ppo quick"]),
        ("td", "configs/td/quik.yaml", ["cannot read configs/td/quik.yaml", "td quick"]),
        ("td", "../x/express.yaml", ["cannot read ../x/express.yaml", "sorry-train ppo express?"]),
        ("ppo", "no/such.yaml", ["cannot read no/such.yaml: there is no such file\n"]),
        ("ppo", f"./{'x' * 300}", ["cannot read ./xxx"]),
        ("ppo", ".", ["cannot read ."]),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(
    algorithm: str, word: str, expected: list[str], started: Started,
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "mine").write_text("seed: 77\n", encoding="utf-8")
    assert main([algorithm, word]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("sorry-train: ") and not started
    for part in expected:
        assert part in told.err
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("algorithm", KINDS)
def test_the_list_of_configurations(algorithm: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Names and what they are for, one a line; the comment of a file says it."""
    with pytest.raises(SystemExit) as caught:
        main([algorithm, "--list"])
    assert caught.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(shipped_configs(algorithm))
    assert all(len(line.split()) > 5 for line in lines)
    assert "\n".join(lines) + "\n" == list_configs(algorithm)
    if algorithm == "td":
        told = "Red against Yellow on classic: the shipped bot for two seats."
        assert f"classic-2      {told}" in lines


def test_a_ruleset_is_looked_for_beside_its_configuration_and_then_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word of the command line counts from the current folder alone."""
    beside, here = tmp_path / "beside", tmp_path / "here"
    for folder, pawns in ((beside, 2), (here, 3)):
        (folder / "rules").mkdir(parents=True)
        for name in ("both", folder.name):
            text = HOUSE.format(name=f"files-{name}-{pawns}", pawns=pawns)
            (folder / "rules" / f"{name}.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(here)

    def found(ruleset: str, *words: str) -> tuple[str, int]:
        config = beside / "my.yaml"
        config.write_text(f"ruleset: {ruleset}\n", encoding="utf-8")
        loaded = load_config(config, words)
        assert loaded.rules == (
            (beside if "-2" in loaded.ruleset else here)
            / "rules" / f"{loaded.ruleset.split('-')[1]}.yaml"
        ).read_text(encoding="utf-8")  # fmt: skip
        # The run keeps the text: its settings are read back wherever it is.
        assert PPOConfig(**config_to_mapping(loaded)).ruleset == loaded.ruleset
        return loaded.ruleset, loaded.tables.ruleset.pawns

    assert found("rules/beside.yaml") == ("files-beside-2", 2)
    assert found("rules/here.yaml") == ("files-here-3", 3)
    assert found("rules/both.yaml") == ("files-both-2", 2)
    assert found(f"{here}/rules/both.yaml") == ("files-both-3", 3)
    assert found("rules/both.yaml?pawns=4") == ("files-both-2?pawns=4", 4)
    assert found("rules/both.yaml", "ruleset=rules/both.yaml") == ("files-both-3", 3)
    assert found("no/such.yaml", "ruleset=rules/here.yaml") == ("files-here-3", 3)
    with pytest.raises(ConfigError) as caught:
        found("rules/both.yaml", "ruleset=rules/beside.yaml")
    assert f"rules/beside.yaml cannot be read: there is no such file from {here}" in str(
        caught.value
    )
    assert str(beside) not in str(caught.value)


@pytest.mark.parametrize("name", ["no/such.yaml", f"{'x' * 300}.yaml", "a\0.yaml"])
def test_a_ruleset_that_is_nowhere_names_the_places(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        find_ruleset(name, [tmp_path / "a", Path()])
    assert f"no such file from {tmp_path / 'a'}, nor from {Path.cwd()}" in str(caught.value)


def test_names_are_of_one_algorithm() -> None:
    assert find_config("quick", "td").parent.name == "td"
    assert find_config("quick", "ppo").parent.name == "ppo"
