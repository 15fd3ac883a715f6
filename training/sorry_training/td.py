"""TD(lambda) on afterstates by self-play, as TD-Gammon learnt.

Read before: ``ppo.py``, whose frame this is: games, workers, checkpoints, evaluations and most
settings (``td_config.py``) are the same, and only three things differ.

1. *What is learnt* is one number: the expected return of the seat that has just moved, by what it
   sees in the position before the next card is drawn (an afterstate).
2. *How it plays*: all legal actions are tried, and the one whose afterstate is worth most is taken;
   at times (``explore``) any of them.  Afterstates are always seen by the seat that chooses, so
   nothing has to be turned round: it takes the greatest.  In a share of the games (``bot_games``)
   fixed bots play some of the seats.
3. *How it learns*: the afterstates that a seat chose, one decision after another, form a chain of
   its own, with what it was rewarded between them (``returns.py``).  With V their values,

       G_k = r_k + discount * ((1 - trace) * V_(k+1) + trace * G_(k+1)),

   to which V_k is drawn; where the game ended G_k = r_k.  That is GAE's advantage plus the value.
   What others do in between is part of the way, whoever and however many they are: two seats,
   four, or partners, who are rewarded together.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from sorry_training import losses
from sorry_training.afterstates import NetValueBot, choose_afterstates, value_of
from sorry_training.evaluate import Score, evaluate
from sorry_training.finite import check_outputs
from sorry_training.nets import PolicyValueNet, arithmetic
from sorry_training.ppo import (
    Run,
    carry_on,
    collect,
    explained_variance,
    learn,
    put_together,
)  # fmt: skip
from sorry_training.processes import Processes
from sorry_training.rollout import Collector, Decisions, Tally
from sorry_training.td_config import TDConfig
from sorry_training.workers import Workers


class AfterstateCollector(Collector):
    """Plays a shard of the games by the values of afterstates.

    Its windows hold the afterstate that was chosen, as the seat that chose it sees it, instead of
    the position it was chosen in.  Where a fixed bot plays a seat it chooses anew, and that choice
    is not learnt from.
    """

    explore = 0.0

    def _decide(self, t: int, net: PolicyValueNet, random: np.random.Generator) -> None:
        """See Collector."""
        window, after = self.window, self.batch.afterstates()
        with torch.no_grad(), arithmetic(self.config.precision, self.config.device):
            values = value_of(net, after.observation)
        check_outputs(values)
        chosen = choose_afterstates(after, values, self.batch.size, self.explore, random)
        window.observation[t] = after.observation[chosen]
        window.action[t] = after.action[chosen]
        window.value[t] = values[chosen]


class TDRun(Run):
    """A run, see `ppo.Run`."""

    config: TDConfig
    figures = ("value_loss", "gradient_norm")

    def __init__(self, config: TDConfig, processes: Processes | None = None) -> None:
        super().__init__(config, processes)
        self.collectors: list[Collector] = [
            AfterstateCollector(config, shard) for shard in self.processes.part_of(config.shards)
        ]

    def advance(self, workers: Workers) -> dict[str, float]:
        """See `update_once`."""
        return update_once(self, workers)

    def evaluate(self, games: int, workers: Workers) -> list[Score]:
        """See Run."""
        return evaluate(NetValueBot(self.average), self.config, games, workers)


def train(config: TDConfig, folder: Path, *, resume: bool = False, quiet: bool = False) -> TDRun:
    """Train until the budget is spent, see `ppo.carry_on`."""
    return carry_on(TDRun, config, folder, resume=resume, quiet=quiet)


def update_once(run: TDRun, workers: Workers) -> dict[str, float]:
    """One update: play, learn, count.  Returns a row of figures for the logbook."""
    config, net = run.config, run.net
    progress = run.decisions / config.decisions
    rate = losses.straight_line(config.learning_rate, config.learning_rate_final, progress)
    explore = losses.straight_line(config.explore, config.explore_final, progress)
    for group in run.optimiser.param_groups:
        group["lr"] = rate

    def play(collector: Collector) -> tuple[Decisions, Tally]:
        opponents = run.pool.opponents() if config.bot_games else []
        collector.explore = explore  # type: ignore[attr-defined]
        return collector.collect(run.update, net, opponents)

    decisions, tally = put_together(run, collect(run, workers, play))
    arrays = (decisions.observation, decisions.value_target)
    data = [torch.from_numpy(array).to(config.device) for array in arrays]

    def gradients(part: list[Tensor], share: float) -> tuple[tuple[Tensor, ...], Tensor]:
        return value_gradients(net, config, part, share)

    value_loss, norm = learn(run, workers, data, gradients)
    run.count(tally)
    return {
        "update": run.update,
        "decisions": run.decisions,
        "games": run.games,
        "value_loss": value_loss,
        "gradient_norm": norm,
        "explained_variance": explained_variance(run, decisions),
        "learning_rate": rate,
        "explore": explore,
        "plies_per_game": tally.plies / max(1, tally.games),
    }


def value_gradients(
    net: PolicyValueNet, config: TDConfig, data: list[Tensor], share: float
) -> tuple[tuple[Tensor, ...], Tensor]:
    """Gradients of the loss on some afterstates and the loss float32[1], all times ``share``.

    data: observations int8[N, O] and the returns float32[N] that the values are drawn to
    """
    observation, target = data
    with arithmetic(config.precision, config.device):
        _, values = net.describe(observation)
    loss = losses.value_loss(values, target) * share
    # The policy head takes no part: its gradients are zeros.
    found = torch.autograd.grad(
        loss, list(net.parameters()), allow_unused=True, materialize_grads=True
    )
    return found, loss.detach().reshape(1)
