"""PPO and TD(lambda) of this project, as learners of the benchmark.

They learn with the settings of ``configs``, on one thread, and by self-play alone: games against
fixed bots are left out, because results are measured against such.  Schedules run over the
processor time instead of over decisions.  Read before: ``base.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from sorry_training.afterstates import NetValueBot
from sorry_training.config import PPOConfig, load_settings
from sorry_training.evaluate import NetBot
from sorry_training.ppo import Run
from sorry_training.td import TDRun
from sorry_training.td_config import TDConfig
from sorry_training.workers import Workers

from benchmarks.learning.base import CONFIGS, Front, Meter, Step
from sorry_env.bots.base import Bot


def train_ppo(front: Front, seed: int, meter: Meter) -> Iterator[Step]:
    """Self-play PPO, ``training/sorry_training/ppo.py``."""
    run = Run(load_settings(CONFIGS / front.ppo, _words(front, seed), PPOConfig))
    return _advance(run, meter, lambda: NetBot(run.average))


def train_td(front: Front, seed: int, meter: Meter) -> Iterator[Step]:
    """TD(lambda) on afterstates, ``training/sorry_training/td.py``."""
    run = TDRun(load_settings(CONFIGS / front.td, _words(front, seed), TDConfig))
    return _advance(run, meter, lambda: NetValueBot(run.average))


def _words(front: Front, seed: int) -> list[str]:
    return [f"ruleset={front.ruleset}", f"seats={front.seats}", f"seed={seed}", "threads=1",
            "minutes=0", "bot_games=0"]  # fmt: skip


def _advance(run: Run, meter: Meter, bot: Callable[[], Bot]) -> Iterator[Step]:
    """Update after update, without an end."""
    with Workers(1) as workers:
        yield Step(run.decisions, bot())
        while True:
            if meter.progress > 0:
                # Schedules are drawn over ``decisions``: as many as it will be at this rate.
                whole = max(run.decisions + 1, round(run.decisions / meter.progress))
                run.config = replace(run.config, decisions=whole)
            run.advance(workers)
            yield Step(run.decisions, bot())
