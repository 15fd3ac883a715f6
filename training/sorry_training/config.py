"""The settings of a PPO run: one typed, commented record.

Read this first in ``training``; ``ppo.py`` shows what each setting does.  A run is described by a
YAML file (``configs/ppo/*.yaml``, found by ``config_files.py``) whose keys are the fields of
`PPOConfig`, changed by ``key=value`` words of the command line.  Everything is checked when it is
read: an unknown key, a value of the wrong type or out of range is a `ConfigError` that names key,
value and what would be right.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Integral
from pathlib import Path
from textwrap import fill, indent
from typing import Any, ClassVar, TypeVar, get_type_hints

from sorry_env.engine.rng import MAX_SEED
from sorry_env.errors import ConfigError, SorryError
from sorry_env.families import Family, family_of
from sorry_env.files import write_file
from sorry_env.rules import load_ruleset, ruleset_file
from sorry_env.rules.editions import register_ruleset
from sorry_env.rules.files import read_ruleset
from sorry_env.rules.seats import choose_seatings
from sorry_env.yaml_text import write_yaml
from sorry_training.config_files import find_ruleset
from sorry_training.options import checked, limits, option, read_text, read_yaml

#: Names of the settings in the folder of a run, and of a copy of the ruleset's file.
SETTINGS, RULES = "config.yaml", "ruleset.yaml"


@dataclass(frozen=True)
class PPOConfig:
    """All settings of a self-play PPO run.  The defaults are those of a two-seat classic game.

    Making one checks it, and makes a ruleset of one's own known by its name.
    """

    #: Whose settings these are: a key of ``algorithms.ALGORITHMS``.
    algorithm: ClassVar[str] = "ppo"

    # --- the game ---------------------------------------------------------------------------
    ruleset: str = option(
        "classic",
        "ruleset: a name, derived ones (classic?pawns=3) included, or the YAML file of one's own",
    )
    rules: str = option(
        "", "text of the file that ruleset names; filled in by itself, so that a run keeps it"
    )
    seats: tuple[str, ...] = option(
        ("red,yellow",),
        "seatings as Batch takes them: colours joined by commas or a number of players each; "
        "several are dealt out in turn",
    )
    reward: str = option(
        "win",
        "return of a game: win, rank, points (as a share of what all pawns and the best bonus are "
        "worth) or, for a seat alone, speed (minus the decisions it took as a share of max_plies)",
        choices=("win", "rank", "points", "speed"),
    )
    max_plies: int = option(
        5000, "decisions after which a game is cut off", low=10, high=1_000_000_000
    )

    # --- playing ----------------------------------------------------------------------------
    games: int = option(1024, "games played side by side", low=1, high=1_000_000)
    steps: int = option(32, "decisions of each game between two updates", low=2, high=100_000)
    past_games: float = option(
        0.1, "share of the games in which past selves play some of the seats", low=0.0, high=1.0
    )
    bot_games: float = option(
        0.05, "share of the games in which fixed bots play some of the seats", low=0.0, high=1.0
    )
    bots: tuple[str, ...] = option(("greedy",), "the fixed bots, by their names")
    pool_size: int = option(8, "past selves that are kept", low=1, high=1000)
    pool_every: int = option(20, "updates between two past selves", low=1, high=1_000_000_000)
    pool_active: int = option(2, "past selves that play between two such updates", low=1, high=64)

    # --- the network ------------------------------------------------------------------------
    width: int = option(128, "units of a hidden layer", low=1, high=16_384)
    layers: int = option(
        2, "hidden layers, the one that reads the observation included", low=1, high=64
    )

    # --- learning ---------------------------------------------------------------------------
    decisions: int = option(
        4_000_000,
        "the budget: the run ends when the learner has taken so many decisions "
        "(forced moves are skipped and not counted); the schedules run over it",
        low=1,
        high=10**15,
    )
    minutes: float = option(
        0.0,
        "a second limit, in minutes of training (0: none); where it strikes first the run "
        "ends early, with the schedules unfinished",
        low=0.0,
        high=10_000_000.0,
    )
    epochs: int = option(1, "passes over the decisions of one update", low=1, high=100)
    minibatch: int = option(2048, "decisions of one gradient step", low=1, high=1_000_000_000)
    learning_rate: float = option(3e-3, "Adam's step size at the start", low=0.0, high=1.0)
    learning_rate_final: float = option(
        0.0, "Adam's step size at the end (straight line)", low=0.0, high=1.0
    )
    adam_epsilon: float = option(1e-5, "Adam's epsilon", low=0.0, high=1.0)
    clip: float = option(0.2, "how far the policy's ratio may move from 1", low=0.0, high=10.0)
    entropy: float = option(0.05, "weight of the entropy bonus at the start", low=0.0, high=10.0)
    entropy_final: float = option(
        0.005, "weight of the entropy bonus at the end (straight line)", low=0.0, high=10.0
    )
    value_weight: float = option(0.5, "weight of the value loss", low=0.0, high=100.0)
    gradient_norm: float = option(
        0.5, "gradients longer than this are shortened to it", low=0.0, high=1_000_000.0
    )
    discount: float = option(1.0, "discount per own decision (gamma)", low=0.0, high=1.0)
    trace: float = option(
        0.6, "decay of the advantage estimate's trace (GAE's lambda)", low=0.0, high=1.0
    )
    average: float = option(
        0.0,
        "decay per update of the running average of the weights that is evaluated and "
        "exported (0: the last weights themselves)",
        low=0.0,
        high=0.99999,
    )

    # --- the machine ------------------------------------------------------------------------
    shards: int = option(
        2,
        "equal parts into which games and gradient steps are cut; the results depend on it",
        low=1,
        high=256,
    )
    threads: int = option(
        2, "threads that work on the shards; the results do not depend on it", low=1, high=256
    )
    device: str = option(
        "cpu",
        "where the network is: cpu, or a GPU by torch's cuda (games are played on the CPU)",
        choices=("cpu", "cuda"),
    )
    precision: str = option(
        "float32",
        "arithmetic of the network; bfloat16 pays on CPUs with bfloat16 units",
        choices=("float32", "bfloat16"),
    )
    seed: int = option(1, "seed of everything random in the run", low=0, high=MAX_SEED)

    # --- records ----------------------------------------------------------------------------
    checkpoint_every: int = option(10, "updates between two checkpoints", low=1, high=1_000_000_000)
    checkpoints_kept: int = option(
        3, "checkpoints that stay in the folder, the newest included", low=1, high=1_000_000
    )
    evaluate_every: int = option(
        50, "updates between two evaluations (0: only at the end)", low=0, high=1_000_000_000
    )
    evaluate_games: int = option(
        1024, "games against each bot in such an evaluation", low=2, high=100_000_000
    )
    final_games: int = option(
        8192, "games against each bot in the evaluation at the end", low=2, high=100_000_000
    )
    opponents: tuple[str, ...] = option(("random", "greedy"), "the bots of the evaluations")

    def __post_init__(self) -> None:
        """Check what concerns several fields, or needs the rules."""
        _check_game(self)
        _check_bots(self, "bots")
        _check_bots(self, "opponents")
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
        if self.games // self.shards < len(self.seats):
            raise ConfigError(
                f"games: {self.games} in {self.shards} shards are too few for {len(self.seats)} "
                "seatings; each shard plays all of them",
                value=self.games,
            )

    @property
    def family(self) -> Family:
        """The parts of the kind of games that is played, see ``sorry_env/families.py``."""
        return family_of(self.ruleset)

    @property
    def tables(self) -> Any:
        """The compiled ruleset: its rules, action table and observation layout."""
        return self.family.compile_rules(self.ruleset)

    def seat_sets(self) -> tuple[tuple[int, ...], ...]:
        """The entries of ``seats`` as tuples of seat indices."""
        choose = partial(self.family.choose_seats, self.tables.ruleset)
        return tuple(choose_seatings(choose, list(self.seats)))


FIELDS: dict[str, dataclasses.Field[Any]] = {f.name: f for f in dataclasses.fields(PPOConfig)}

C = TypeVar("C", bound=PPOConfig)


def load_config(path: str | Path | None, overrides: Sequence[str] = ()) -> PPOConfig:
    """The settings of a PPO run, see `load_settings`."""
    return load_settings(path, overrides, PPOConfig)


def load_settings(path: str | Path | None, overrides: Sequence[str], kind: type[C]) -> C:
    """The settings in the YAML file ``path`` (None: the defaults) changed by ``key=value`` words.

    kind: what is made of them: PPOConfig, or the record of another algorithm, derived from it
    A ruleset's file that the YAML file names is looked for from the folder of that file first, and
    then from the current folder; one that a word names, from the current folder alone.
    Raises ConfigError for a file that cannot be read or does not describe a run.
    """
    here = Path()
    values = {} if path is None else read_yaml(Path(path))
    folders = [here] if path is None else [Path(path).parent, here]
    for word in overrides:
        key, equals, text = word.partition("=")
        if not equals:
            raise ConfigError(f"{word!r} is not of the form key=value", value=word)
        values[key.strip()] = _parse_word(key.strip(), text, kind)
        if key.strip() == "ruleset":
            folders = [here]
    return settings_from_mapping(_with_rules(values, folders), kind)


def config_from_mapping(values: Mapping[str, Any]) -> PPOConfig:
    """A checked PPOConfig from plain values, see `settings_from_mapping`."""
    return settings_from_mapping(values, PPOConfig)


def settings_from_mapping(values: Mapping[str, Any], kind: type[C]) -> C:
    """A checked ``kind`` from plain values, as they come out of YAML or a checkpoint."""
    return kind(**{key: _checked(key, value, kind) for key, value in values.items()})


def config_to_mapping(config: PPOConfig) -> dict[str, Any]:
    """The settings as plain values (tuples as lists) that YAML and JSON can write."""
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in dataclasses.asdict(config).items()
    }


def write_config(config: PPOConfig, path: Path) -> None:
    """Write the settings as a YAML file that `load_config` reads back.

    A ruleset of one's own is written beside it, as RULES, for whoever plays the game.
    """
    if config.rules:
        write_file(path.with_name(RULES), config.rules)
    write_file(path, write_yaml(config_to_mapping(config)))


def describe_fields(kind: type[PPOConfig] = PPOConfig, without: Sequence[str] = ()) -> str:
    """One entry for every setting: name, type, default, meaning and range, for ``--help``.

    without: settings that are left out
    """
    entries = []
    for field in dataclasses.fields(kind):
        name = field.name
        if name in without:
            continue
        default = ";".join(field.default) if isinstance(field.default, tuple) else field.default
        allowed = limits(field)
        text = field.metadata["help"] + (f" [{allowed}]" if allowed else "")
        entries += [f"  {name}={default}", indent(fill(text, 84), " " * 6)]
    return "\n".join(entries)


def _with_rules(values: dict[str, Any], folders: Sequence[Path]) -> dict[str, Any]:
    """The values with a ruleset's file taken in: its name as ``ruleset``, its text as ``rules``.

    folders: from which its path counts; the first that has the file
    """
    named = values.get("ruleset", "")
    file = ruleset_file(named)
    if file is None:
        return values
    path = find_ruleset(file, folders)
    changes = named.removeprefix(file)
    try:
        name = load_ruleset(f"{path}{changes}").name
    except SorryError as error:
        raise ConfigError(f"ruleset: {error}", value=named) from None
    return values | {"ruleset": name, "rules": read_text(path)}


def _check_game(config: PPOConfig) -> None:
    """The ruleset exists, every entry of seats fits it, and there is something to learn."""
    try:
        if config.rules:
            register_ruleset(read_ruleset(config.rules))
        rules = config.tables.ruleset
    except SorryError as error:
        raise ConfigError(f"ruleset: {error}", value=config.ruleset) from None
    if not config.seats:
        raise ConfigError(
            "seats: [] seats nobody; name the colours of a game, for example red,yellow",
            value=config.seats,
        )
    try:
        seatings = config.seat_sets()
    except SorryError as error:
        raise ConfigError(f"seats: {error}", value=error.value) from None
    for text, seated in zip(config.seats, seatings, strict=True):
        alone = len(seated) == 1
        if alone and (config.reward != "speed" or config.past_games or config.bot_games):
            raise ConfigError(
                f"seats: {text!r} has nobody to win against: reward must be speed, past_games and "
                "bot_games 0",
                value=text,
            )
        if config.reward == "speed" and not alone:
            raise ConfigError(
                f"reward: 'speed' is for a seat alone, not for seats {text!r}", value=config.reward
            )
    for reward, field in (("rank", "play_out"), ("points", "pawn_points")):
        if config.reward == reward and not getattr(rules, field, False):
            raise ConfigError(
                f"reward: {reward!r} needs a ruleset with {field}, not {rules.name}",
                value=config.reward,
            )


def _check_bots(config: PPOConfig, key: str) -> None:
    """Every bot that is named exists, and its file where it has one."""
    names = getattr(config, key)
    if not names and key == "opponents":
        raise ConfigError("opponents: [] leaves nobody to be measured against", value=names)
    for name in names:
        try:
            config.family.make_bot(name)
        except SorryError as error:
            raise ConfigError(f"{key}: {error}", value=name) from None


def _checked(key: str, value: Any, kind: type[PPOConfig]) -> Any:
    """``value`` as the type of the field ``key`` of ``kind``, or a ConfigError."""
    fields = {field.name: field for field in dataclasses.fields(kind)}
    if key not in fields:
        close = difflib.get_close_matches(str(key), fields, n=1)
        hint = f"; did you mean {close[0]}?" if close else f"; the keys are {', '.join(fields)}"
        raise ConfigError(f"unknown key {key!r}{hint}", value=key)
    if key == "seats":
        value = _seats_as_words(value)
    return checked(fields[key], get_type_hints(kind)[key], value)


def _seats_as_words(seats: Any) -> Any:
    """Numbers of players, alone or in a list, as words; all else as it is."""
    if isinstance(seats, (list, tuple)):
        return [_seats_as_words(one) for one in seats]
    whole = isinstance(seats, Integral) and not isinstance(seats, bool)
    return str(int(seats)) if whole else seats


def _parse_word(key: str, text: str, kind: type[PPOConfig]) -> Any:
    """The value of a command line's ``key=text``: lists are separated by semicolons."""
    types = get_type_hints(kind)
    if key in types and types[key] not in (int, float, str):
        return [word for word in text.split(";") if word.strip()]
    return text
