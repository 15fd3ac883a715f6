"""Settings: what a YAML file and the command line may say, and how everything else is refused."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import yaml
from sorry_training.config import (
    FIELDS,
    PPOConfig,
    config_to_mapping,
    describe_fields,
    load_config,
    write_config,
)

from sorry_env.errors import ConfigError

CONFIGS = sorted(Path(__file__).parents[2].glob("configs/ppo/*.yaml"))

#: Text of a YAML file, and words that its refusal must contain: the key, the value, what is right.
REFUSED = [
    ("games: many", ["games", "'many'", "a whole number"]),
    ("games: 1.5", ["games", "1.5", "a whole number"]),
    ("games: true", ["games", "True", "a whole number"]),
    ("games:", ["games", "None", "a whole number"]),
    ("games: [1024]", ["games", "[1024]", "a whole number"]),
    ("games: {a: 1}", ["games", "a whole number"]),
    ("games: 0", ["games", "0", "from 1"]),
    ("games: -1", ["games", "-1", "from 1"]),
    ("games: 1025", ["games", "1025", "multiple of shards"]),
    ("games: 1_000_001", ["games", "from 1 to 1000000"]),
    ("game: 1024", ["'game'", "did you mean games?"]),
    ("xyzzy: 1", ["'xyzzy'", "the keys are", "games"]),
    ("1: 2", ["1", "the keys are"]),
    ("null: 2", ["None", "cannot be a key"]),
    ("games: 1\ngames: 2", ["'games'", "given twice"]),
    ("steps: 1", ["steps", "1", "from 2"]),
    ("steps: 1e400", ["steps", "1e400", "too large"]),
    ("seed: 0123", ["line 1", "seed", "0123", "octal", "without leading zeros"]),
    ("minutes: 1:30", ["minutes", "1:30", "base of 60"]),
    ("steps: .nan", ["steps", "nan", "no finite number"]),
    ("learning_rate: fast", ["learning_rate", "'fast'", "a number"]),
    ("learning_rate: -1e-3", ["learning_rate", "-0.001", "from 0.0 to 1.0"]),
    ("learning_rate: 2", ["learning_rate", "2.0", "from 0.0 to 1.0"]),
    ("learning_rate: .nan", ["learning_rate", "nan", "no finite number"]),
    ("learning_rate: .inf", ["learning_rate", "inf", "no finite number"]),
    ("learning_rate: false", ["learning_rate", "False", "a number"]),
    ("learning_rate: ''", ["learning_rate", "''", "a number"]),
    ("learning_rate: 1,5", ["learning_rate", "'1,5'", "a number"]),
    ("trace: 1.01", ["trace", "1.01", "from 0.0 to 1.0"]),
    ("discount: -0.1", ["discount", "-0.1", "from 0.0 to 1.0"]),
    ("clip: -1", ["clip", "-1", "from 0.0"]),
    ("average: 1.0", ["average", "1.0", "0.99999"]),
    ("seed: -1", ["seed", "-1", "from 0"]),
    ("seed: 99999999999999999999", ["seed", "from 0"]),
    ("epochs: 0", ["epochs", "0", "from 1"]),
    ("minutes: -5", ["minutes", "-5", "from 0"]),
    ("ruleset: chess", ["ruleset", "chess"]),
    ("ruleset: classic?pawns=9", ["ruleset", "9"]),
    ("ruleset: classic?colour=red", ["ruleset", "colour"]),
    ("ruleset: 7", ["ruleset", "7", "a word"]),
    ("ruleset: [classic]", ["ruleset", "a word"]),
    ("reward: money", ["reward", "'money'", "win, rank, points, speed"]),
    ("reward: rank", ["reward", "rank", "play_out"]),
    ("precision: float16", ["precision", "'float16'", "float32, bfloat16"]),
    ("seats: red", ["seats", "red"]),
    ("seats: red,red", ["seats", "twice"]),
    ("seats: red,purple", ["seats", "purple"]),
    ("seats: []", ["seats", "nobody"]),
    ("seats: [red]", ["seats", "red"]),
    ("seats: [1, 2]", ["seats[0]", "not 1"]),
    ("games: 4\nshards: 2\nseats: [2, 3, 4]", ["games", "4", "3 seatings"]),
    ("seats: true", ["seats", "a list of words"]),
    ("seats: [2.5]", ["seats", "a list of words"]),
    ("seats: ['']", ["seats", "none of them empty"]),
    ("ruleset: teams\nseats: red,yellow", ["seats", "4 seats"]),
    ("ruleset: solo\nseats: red", ["seats", "nobody to win against", "speed"]),
    ("ruleset: solo\nseats: red\nreward: speed", ["seats", "past_games and bot_games 0"]),
    ("reward: speed", ["reward", "a seat alone", "red,yellow"]),
    ("reward: points", ["reward", "points", "pawn_points", "classic"]),
    ("ruleset: express", ["seats", "red,yellow", "players"]),
    ("ruleset: express\nseats: 5", ["seats", "5"]),
    ("ruleset: express\nseats: ['2']\nreward: rank", ["reward", "rank", "express"]),
    ("ruleset: no/such.yaml", ["ruleset", "no/such.yaml", "cannot be read"]),
    ("rules: 'edition: classic'", ["ruleset", "published edition"]),
    ("rules: '['", ["ruleset"]),
    ("past_games: 0.7\nbot_games: 0.7", ["past_games", "bot_games", "more than 1"]),
    ("bots: []", ["bots", "bot_games"]),
    ("opponents: []", ["opponents", "nobody"]),
    ("bots: [stupid]", ["bots", "stupid", "random, greedy"]),
    ("opponents: [random, 'greedy:depth=2']", ["opponents", "depth=2"]),
    ("opponents: ['learned:/no/such.onnx']", ["opponents", "/no/such.onnx"]),
    ("- games", ["list", "key: value"]),
    ("just words", ["str", "key: value"]),
    ("games: [", ["not plain YAML"]),
    ("games: !!python/object:os.system x", ["not plain YAML"]),
    ("\x00", ["not plain YAML"]),
]


@pytest.mark.parametrize(("text", "words"), REFUSED, ids=[text[:40] for text, _ in REFUSED])
def test_bad_files_are_refused_in_words(text: str, words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("games", ["'games'", "key=value"]),
        ("games=", ["games", "''", "a whole number"]),
        ("games==3", ["games", "'=3'"]),
        ("=3", ["''", "the keys are"]),
        ("gamse=512", ["'gamse'", "did you mean games?"]),
        ("games=1e400", ["games", "a whole number"]),
        ("games=1e0.5", ["games", "a whole number"]),
        ("games=0x10", ["games", "'0x10'"]),
        ("trace=nan", ["trace", "a finite number"]),
        ("trace=1e400", ["trace", "a finite number"]),
        ("seats=;", ["seats", "nobody"]),
        ("seats=red;blue", ["seats", "'red'", "2 or 3 or 4"]),
    ],
)
def test_bad_words_are_refused_in_words(word: str, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(None, [word])
    for expected in words:
        assert expected in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"games: \xff\xfe")
    for path in (tmp_path / "missing.yaml", tmp_path, tmp_path / "latin.yaml"):
        with pytest.raises(ConfigError, match="cannot read"):
            load_config(path)


def test_the_offending_value_comes_with_the_error() -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(None, ["games=many"])
    assert caught.value.value == "many"
    assert caught.value.code == "bad_config"


def test_words_replace_what_the_file_says(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("games: 512\nlearning_rate: 3e-4\nseats: red,blue\n", encoding="utf-8")
    config = load_config(path, ["games=64", "decisions=1e6", "seats=red,yellow;red,blue,yellow"])
    assert (config.games, config.decisions, config.learning_rate) == (64, 1_000_000, 3e-4)
    assert config.seats == ("red,yellow", "red,blue,yellow")
    for text in ("seats: [2, 3]", "seats: ['2', '3']"):
        path.write_text(text, encoding="utf-8")
        assert load_config(path).seats == ("2", "3")
        assert load_config(path).seat_sets() == ((0, 2), (0, 1, 2))
    path.write_text("seats: 3", encoding="utf-8")
    assert load_config(path).seat_sets() == ((0, 1, 2),)
    assert config.seat_sets() == ((0, 2), (0, 1, 2))


def test_an_empty_file_means_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("# nothing\n", encoding="utf-8")
    assert load_config(tmp_path / "empty.yaml") == PPOConfig() == load_config(None)


def test_settings_survive_writing_and_reading(tmp_path: Path) -> None:
    config = load_config(None, ["games=64", "trace=0.75", "bots=random;greedy", "seats=red,blue"])
    write_config(config, tmp_path / "config.yaml")
    assert load_config(tmp_path / "config.yaml") == config
    assert yaml.safe_load((tmp_path / "config.yaml").read_text())["bots"] == ["random", "greedy"]


def test_every_default_passes_its_own_check() -> None:
    mapping = config_to_mapping(PPOConfig())
    assert set(mapping) == {field.name for field in dataclasses.fields(PPOConfig)}
    for name, value in mapping.items():
        words = ";".join(value) if isinstance(value, list) else str(value)
        config = load_config(None, [f"{name}={words}"])
        assert getattr(config, name) == getattr(PPOConfig(), name)


def test_help_explains_every_setting() -> None:
    text = describe_fields()
    for name, field in FIELDS.items():
        assert f"  {name}=" in text
        assert field.metadata["help"] in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 90


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_the_configurations_of_the_project_are_right(path: Path) -> None:
    config = load_config(path)
    values: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert values, "a configuration that says nothing"
    assert all(isinstance(getattr(config, key), type(getattr(PPOConfig(), key))) for key in values)
    assert set(values) <= set(FIELDS)
