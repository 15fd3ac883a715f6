"""The settings of a PPO run: one typed, commented record.

Read this first in ``training``; ``ppo.py`` shows what each setting does.  A run is described by a
YAML file (``configs/ppo/*.yaml``) whose keys are the fields of `PPOConfig`, changed by
``key=value`` words of the command line.  Everything is checked when it is read: an unknown key, a
value of the wrong type or out of range is a `ConfigError` that names key, value and what would be
right.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

import yaml

from sorry_env.bots.registry import make_bot
from sorry_env.errors import ConfigError, SorryError
from sorry_env.rules import choose_seats, get_ruleset


def _option(
    default: Any,
    text: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] | None = None,
) -> Any:
    """A field with its explanation (shown by ``--help``) and the values it may take."""
    metadata = {"help": text, "low": low, "high": high, "choices": choices}
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class PPOConfig:
    """All settings of a self-play PPO run.  The defaults are those of a two-seat classic game."""

    # --- the game ---------------------------------------------------------------------------
    ruleset: str = _option("classic", "ruleset, derived names (classic?pawns=3) included")
    seats: tuple[str, ...] = _option(
        ("red,yellow",), "seats of a game; with several entries the games are dealt out evenly"
    )
    reward: str = _option("win", "return of a finished game", choices=("win", "rank"))
    max_plies: int = _option(5000, "decisions after which a game is cut off", low=10)

    # --- playing ----------------------------------------------------------------------------
    games: int = _option(1024, "games played side by side", low=1, high=1_000_000)
    steps: int = _option(32, "decisions of each game between two updates", low=2, high=100_000)
    past_games: float = _option(
        0.1, "share of the games in which past selves play some of the seats", low=0.0, high=1.0
    )
    bot_games: float = _option(
        0.05, "share of the games in which fixed bots play some of the seats", low=0.0, high=1.0
    )
    bots: tuple[str, ...] = _option(("greedy",), "the fixed bots, by their names")
    pool_size: int = _option(8, "past selves that are kept", low=1, high=1000)
    pool_every: int = _option(20, "updates between two past selves", low=1)
    pool_active: int = _option(2, "past selves that play between two such updates", low=1, high=64)

    # --- the network ------------------------------------------------------------------------
    width: int = _option(256, "units of a hidden layer", low=1, high=16_384)
    layers: int = _option(
        2, "hidden layers, the one that reads the observation included", low=1, high=64
    )

    # --- learning ---------------------------------------------------------------------------
    decisions: int = _option(
        4_000_000,
        "the budget: the run ends when the learner has taken so many decisions "
        "(forced moves are skipped and not counted); the schedules run over it",
        low=1,
    )
    minutes: float = _option(
        0.0,
        "a second limit, in minutes of training (0: none); where it strikes first the run "
        "ends early, with the schedules unfinished",
        low=0.0,
    )
    epochs: int = _option(2, "passes over the decisions of one update", low=1, high=100)
    minibatch: int = _option(8192, "decisions of one gradient step", low=1)
    learning_rate: float = _option(1e-3, "Adam's step size at the start", low=0.0, high=1.0)
    learning_rate_final: float = _option(
        0.0, "Adam's step size at the end (straight line)", low=0.0, high=1.0
    )
    adam_epsilon: float = _option(1e-5, "Adam's epsilon", low=0.0, high=1.0)
    clip: float = _option(0.2, "how far the policy's ratio may move from 1", low=0.0, high=10.0)
    entropy: float = _option(0.01, "weight of the entropy bonus at the start", low=0.0, high=10.0)
    entropy_final: float = _option(
        0.001, "weight of the entropy bonus at the end (straight line)", low=0.0, high=10.0
    )
    value_weight: float = _option(0.5, "weight of the value loss", low=0.0, high=100.0)
    gradient_norm: float = _option(0.5, "gradients longer than this are shortened to it", low=0.0)
    discount: float = _option(1.0, "discount per own decision (gamma)", low=0.0, high=1.0)
    trace: float = _option(
        0.9, "decay of the advantage estimate's trace (GAE's lambda)", low=0.0, high=1.0
    )
    average: float = _option(
        0.0,
        "decay per update of the running average of the weights that is evaluated and "
        "exported (0: the last weights themselves)",
        low=0.0,
        high=0.99999,
    )

    # --- the machine ------------------------------------------------------------------------
    shards: int = _option(
        2,
        "equal parts into which games and gradient steps are cut; the results depend on it",
        low=1,
        high=256,
    )
    threads: int = _option(
        2, "threads that work on the shards; the results do not depend on it", low=1, high=256
    )
    precision: str = _option(
        "float32",
        "arithmetic of the network; bfloat16 pays on CPUs with bfloat16 units",
        choices=("float32", "bfloat16"),
    )
    seed: int = _option(1, "seed of everything random in the run", low=0, high=2**31 - 1)

    # --- records ----------------------------------------------------------------------------
    checkpoint_every: int = _option(10, "updates between two checkpoints", low=1)
    evaluate_every: int = _option(40, "updates between two evaluations (0: only at the end)", low=0)
    evaluate_games: int = _option(512, "games against each bot in such an evaluation", low=2)
    final_games: int = _option(4096, "games against each bot in the evaluation at the end", low=2)
    opponents: tuple[str, ...] = _option(("random", "greedy"), "the bots of the evaluations")

    def __post_init__(self) -> None:
        """Check what concerns several fields, or needs the rules."""
        _check_game(self)
        _check_bots("bots", self.bots)
        _check_bots("opponents", self.opponents)
        if self.past_games + self.bot_games > 1.0:
            raise ConfigError(
                f"past_games + bot_games: {self.past_games} + {self.bot_games} is more than 1; "
                "they are shares of the same games",
                value=self.past_games + self.bot_games,
            )
        if self.bot_games > 0 and not self.bots:
            raise ConfigError(
                "bots: [] leaves nobody to play the bot_games; name a bot or set bot_games to 0",
                value=self.bots,
            )
        if self.games % self.shards:
            raise ConfigError(
                f"games: {self.games} cannot be cut into {self.shards} equal shards; "
                "choose a multiple of shards",
                value=self.games,
            )

    def seat_sets(self) -> tuple[tuple[int, ...], ...]:
        """The entries of ``seats`` as tuples of seat indices."""
        ruleset = get_ruleset(self.ruleset)
        return tuple(choose_seats(ruleset, text) for text in self.seats)


FIELDS: dict[str, dataclasses.Field[Any]] = {f.name: f for f in dataclasses.fields(PPOConfig)}
TYPES: dict[str, Any] = get_type_hints(PPOConfig)


def load_config(path: str | Path | None, overrides: Sequence[str] = ()) -> PPOConfig:
    """The settings in the YAML file ``path`` (None: the defaults) changed by ``key=value`` words.

    Raises ConfigError for a file that cannot be read or does not describe a run.
    """
    values = {} if path is None else _read_yaml(Path(path))
    for word in overrides:
        key, equals, text = word.partition("=")
        if not equals:
            raise ConfigError(f"{word!r} is not of the form key=value", value=word)
        values[key.strip()] = _parse_word(key.strip(), text)
    return config_from_mapping(values)


def config_from_mapping(values: Mapping[str, Any]) -> PPOConfig:
    """A checked PPOConfig from plain values, as they come out of YAML or a checkpoint."""
    return PPOConfig(**{key: _checked(key, value) for key, value in values.items()})


def config_to_mapping(config: PPOConfig) -> dict[str, Any]:
    """The settings as plain values (tuples as lists) that YAML and JSON can write."""
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in dataclasses.asdict(config).items()
    }


def write_config(config: PPOConfig, path: Path) -> None:
    """Write the settings as a YAML file that `load_config` reads back."""
    path.write_text(yaml.safe_dump(config_to_mapping(config), sort_keys=False), encoding="utf-8")


def describe_fields() -> str:
    """One entry for every setting: name, type, default, meaning and range, for ``--help``."""
    entries = []
    for name, field in FIELDS.items():
        default = ";".join(field.default) if isinstance(field.default, tuple) else field.default
        limits = _limits(name)
        entries.append(
            f"  {name}={default}\n      {field.metadata['help']}"
            + (f" [{limits}]" if limits else "")
        )
    return "\n".join(entries)


def _check_game(config: PPOConfig) -> None:
    """The ruleset exists and every entry of seats fits it."""
    try:
        ruleset = get_ruleset(config.ruleset)
    except SorryError as error:
        raise ConfigError(f"ruleset: {error}", value=config.ruleset) from None
    if not config.seats:
        raise ConfigError(
            "seats: [] seats nobody; name the colours of a game, for example red,yellow",
            value=config.seats,
        )
    for text in config.seats:
        try:
            seats = choose_seats(ruleset, text)
        except SorryError as error:
            raise ConfigError(f"seats: {text!r}: {error}", value=text) from None
        if len(seats) == 1:
            raise ConfigError(f"seats: {text!r} has nobody to win against", value=text)
    if config.reward == "rank" and not ruleset.play_out:
        raise ConfigError(
            f"reward: 'rank' needs a ruleset with play_out, not {ruleset.name}", value=config.reward
        )


def _check_bots(key: str, names: tuple[str, ...]) -> None:
    """Every bot that is named exists, and its file where it has one."""
    if not names and key == "opponents":
        raise ConfigError("opponents: [] leaves nobody to be measured against", value=names)
    for name in names:
        try:
            make_bot(name)
        except SorryError as error:
            raise ConfigError(f"{key}: {error}", value=name) from None


def _read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}", value=str(path)) from None
    try:
        values = yaml.load(text, Loader=_UniqueKeyLoader)
    except (yaml.YAMLError, ValueError) as error:
        raise ConfigError(f"{path} is not YAML: {error}", value=str(path)) from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError(
            f"{path} holds a {type(values).__name__}; a configuration is a list of "
            "'key: value' lines",
            value=str(path),
        )
    return values


class _UniqueKeyLoader(yaml.SafeLoader):
    """SafeLoader that refuses a key given twice, which YAML would let pass in silence."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """As SafeLoader, with the keys of the mapping checked."""
        seen = set()
        for key_node, _ in node.value:
            if key_node.value in seen:
                raise yaml.YAMLError(f"key {key_node.value!r} is given twice")
            seen.add(str(key_node.value))
        result: dict[Any, Any] = super().construct_mapping(node, deep)
        return result


def _checked(key: str, value: Any) -> Any:
    """``value`` as the type of the field ``key``, or a ConfigError."""
    if key not in FIELDS:
        close = difflib.get_close_matches(str(key), FIELDS, n=1)
        hint = f"; did you mean {close[0]}?" if close else f"; the keys are {', '.join(FIELDS)}"
        raise ConfigError(f"unknown key {key!r}{hint}", value=key)
    wanted = TYPES[key]
    if wanted is int:
        value = _as_int(key, value)
    elif wanted is float:
        value = _as_float(key, value)
    elif wanted is str:
        if not isinstance(value, str):
            raise _refusal(key, value, "a word")
    else:
        value = _as_words(key, value)
    return _in_range(key, value)


def _as_int(key: str, value: Any) -> int:
    """A whole number; 1e6 and 1_000_000 are both understood."""
    if isinstance(value, str):
        try:
            value = float(value) if "e" in value.lower() else int(value)
        except ValueError:
            raise _refusal(key, value, "a whole number") from None
    whole = isinstance(value, float) and value.is_integer()
    if isinstance(value, bool) or not (isinstance(value, int) or whole):
        raise _refusal(key, value, "a whole number")
    return int(value)


def _as_float(key: str, value: Any) -> float:
    """A finite number; YAML reads 1e-3 as a word, so words are tried too."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise _refusal(key, value, "a number") from None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _refusal(key, value, "a number")
    if value != value or abs(value) == float("inf"):
        raise _refusal(key, value, "a finite number")
    return float(value)


def _as_words(key: str, value: Any) -> tuple[str, ...]:
    """A list of words; a single word stands for a list of one."""
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
        raise _refusal(key, value, "a list of words")
    if not all(word.strip() for word in words):
        raise _refusal(key, value, "a list of words, none of them empty")
    return tuple(word.strip() for word in words)


def _in_range(key: str, value: Any) -> Any:
    """``value`` if the field's limits and choices allow it."""
    metadata = FIELDS[key].metadata
    too_low = metadata["low"] is not None and value < metadata["low"]
    too_high = metadata["high"] is not None and value > metadata["high"]
    unknown = metadata["choices"] is not None and value not in metadata["choices"]
    if too_low or too_high or unknown:
        raise _refusal(key, value, _limits(key))
    return value


def _limits(key: str) -> str:
    """The range or the choices of a field in words, empty where everything is allowed."""
    metadata = FIELDS[key].metadata
    if metadata["choices"] is not None:
        return "one of " + ", ".join(metadata["choices"])
    low, high = metadata["low"], metadata["high"]
    if low is not None and high is not None:
        return f"from {low} to {high}"
    return f"at least {low}" if low is not None else ""


def _refusal(key: str, value: Any, right: str) -> ConfigError:
    return ConfigError(f"{key}: {value!r} is not allowed; it must be {right}", value=value)


def _parse_word(key: str, text: str) -> Any:
    """The value of a command line's ``key=text``: lists are separated by semicolons."""
    if key in TYPES and TYPES[key] not in (int, float, str):
        return [word for word in text.split(";") if word.strip()]
    return text
