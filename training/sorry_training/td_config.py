"""The settings of a run of TD(lambda): PPO's without those of its policy, and how much it explores.

Read before: ``config.py``.  Read next: ``td.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from sorry_env.errors import ConfigError
from sorry_training.config import PPOConfig, settings_from_mapping
from sorry_training.options import option, read_yaml

#: Settings of PPO that mean nothing here.
UNUSED = ("past_games", "pool_size", "pool_every", "pool_active", "clip", "entropy",
          "entropy_final", "value_weight")  # fmt: skip


@dataclass(frozen=True)
class TDConfig(PPOConfig):
    """The settings of a run: PPO's but for UNUSED, and how much it explores."""

    algorithm: ClassVar[str] = "td"

    past_games: float = option(0.0, "not used", low=0.0, high=0.0)
    bot_games: float = option(
        0.0, "share of the games in which fixed bots play some of the seats", low=0.0, high=1.0
    )
    trace: float = option(0.7, "lambda: how far returns look ahead", low=0.0, high=1.0)
    explore: float = option(0.05, "chance of a decision at random at the start", low=0.0, high=1.0)
    explore_final: float = option(
        0.0, "chance of a decision at random at the end (straight line)", low=0.0, high=1.0
    )

    def __post_init__(self) -> None:
        """Check what concerns several fields, or needs the rules."""
        super().__post_init__()
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in UNUSED and field.default is not MISSING and value != field.default:
                raise ConfigError(f"{field.name}: {value!r} is a setting of PPO that TD has no use "
                                  "for; leave it out", value=value)  # fmt: skip


def record_of(values: Mapping[str, Any]) -> type[PPOConfig]:
    """The record that the saved settings of a run belong to; TD's always say how it explores."""
    return TDConfig if "explore" in values else PPOConfig


def load_saved(path: Path) -> PPOConfig:
    """The settings in the ``config.yaml`` of a run, whichever algorithm's it is."""
    values = read_yaml(path)
    return settings_from_mapping(values, record_of(values))
