"""Self-play PPO, top to bottom.

Read before: ``config.py`` (every setting is explained there) and, for the details, the files of
pure functions ``masked.py``, ``returns.py`` and ``losses.py``.  `train` is the whole algorithm:

1. play ``steps`` decisions in each of ``games`` games (``rollout.py``): the learner plays all
   seats of most of them; past selves and fixed bots play some seats of the others (``pool.py``);
2. estimate the advantage of each of the learner's decisions along its seat's own chain of them;
3. improve the policy on these decisions by PPO's clipped objective, and the value;
4. write down what happened, now and then evaluate, save a checkpoint.

All is deterministic but the clock: the schedules run over decisions, random numbers are drawn anew
for each update from the seed, and the work is cut into shards whose results are added in order.  So
a run that is killed and resumed from its checkpoint goes on exactly.  Several processes may share
the shards (``processes.py``): sums then go over all of them, and the first one writes the files.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
import torch
from torch import Tensor

from sorry_env.cli.terminal import say
from sorry_env.errors import ConfigError, SorryError
from sorry_training import losses
from sorry_training.checkpoint import (
    FILE,
    check_layout,
    checkpoints,
    describe_layout,
    keep_checkpoint,
    load_newest,
    make_net,
    no_run,
)  # fmt: skip
from sorry_training.config import PPOConfig, config_to_mapping
from sorry_training.evaluate import NetBot, Score, evaluate
from sorry_training.finite import DivergedError, check_step, check_update
from sorry_training.kernels import decide
from sorry_training.locks import lock_folder
from sorry_training.logbook import Logbook
from sorry_training.nets import PolicyValueNet, arithmetic
from sorry_training.pool import (
    SHUFFLE,
    WEIGHTS,
    Pool,
    copy_net,
    copy_weights,
    derived_seed,
    generator,
)
from sorry_training.processes import Processes, join_group
from sorry_training.progress import Progress
from sorry_training.rollout import Collector, Decisions, Tally
from sorry_training.run_folder import check_resumed, write_settings
from sorry_training.workers import Workers

#: What `minibatch_gradients` measures besides the gradients, and then `take_step`.
FIGURES = ("policy_loss", "value_loss", "entropy", "approximate_kl", "clipped_share",
           "gradient_norm")  # fmt: skip


class Run:
    """All that changes while a run goes on, and can be saved and continued."""

    #: What `take_step` measures: losses, and last the norm of the gradient.
    figures: ClassVar[tuple[str, ...]] = FIGURES

    def __init__(self, config: PPOConfig, processes: Processes | None = None) -> None:
        if config.device == "cuda" and not torch.cuda.is_available():
            raise ConfigError("device: 'cuda' needs a GPU and a torch built for it; torch sees "
                              "none here", value=config.device)  # fmt: skip
        self.config = config
        self.processes = processes or Processes()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(derived_seed(config.seed, WEIGHTS))
            self.net = make_net(config).to(config.device)
        self.average = copy_net(self.net, copy_weights(self.net))
        self.optimiser = torch.optim.Adam(
            self.net.parameters(), lr=config.learning_rate, eps=config.adam_epsilon
        )
        self.pool = Pool(config, self.net)
        self.collectors = [
            Collector(config, shard) for shard in self.processes.part_of(config.shards)
        ]
        self.update = self.decisions = self.games = 0
        self.seconds = 0.0
        #: The update of the checkpoint in the run's folder; None where there is no whole one.
        self.saved: int | None = None

    @property
    def over(self) -> bool:
        """Whether the budget is spent."""
        late = self.config.minutes > 0 and self.seconds >= 60 * self.config.minutes
        return late or self.decisions >= self.config.decisions

    def advance(self, workers: Workers) -> dict[str, float]:
        """One update, see `update_once`; another algorithm has its own."""
        return update_once(self, workers)

    def evaluate(self, games: int, workers: Workers) -> list[Score]:
        """Matches of the running average of the weights."""
        return evaluate(NetBot(self.average), self.config, games, workers)

    def count(self, tally: Tally) -> None:
        """Count an update and what was played for it."""
        self.update += 1
        self.decisions += int(tally.decisions)
        self.games += int(tally.games)

    def state_dict(self) -> dict[str, Any]:
        """Everything that `load_state_dict` needs, and what says what the weights are for.

        All processes make it together; it is whole in the first one.
        """
        return {
            "config": config_to_mapping(self.config),
            "layout": describe_layout(self.config),
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "pool": self.pool.state_dict(),
            "collectors": self.processes.gather([c.state_dict() for c in self.collectors]),
            "update": self.update,
            "decisions": self.decisions,
            "games": self.games,
            "seconds": self.seconds,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a `state_dict`; ModelError where it is of another version's game."""
        check_layout(state, self.config)
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.pool.load_state_dict(state["pool"], self.net)
        for collector in self.collectors:
            collector.load_state_dict(state["collectors"][collector.shard])
        self.update, self.decisions = state["update"], state["decisions"]
        self.games, self.seconds = state["games"], state["seconds"]


R = TypeVar("R", bound=Run)
#: Gradients and figures of a loss on some decisions, which are a share of a minibatch.
Gradients = Callable[[list[Tensor], float], tuple[tuple[Tensor, ...], Tensor]]


def train(config: PPOConfig, folder: Path, *, resume: bool = False, quiet: bool = False) -> Run:
    """Train by PPO, see `carry_on`."""
    return carry_on(Run, config, folder, resume=resume, quiet=quiet)


def carry_on(
    kind: Callable[[Any, Processes], R],
    config: PPOConfig,
    folder: Path,
    *,
    resume: bool = False,
    quiet: bool = False,
) -> R:
    """Train until the budget is spent; settings, rows and checkpoints go to ``folder``.

    kind:   makes the run from its configuration
    resume: go on from the newest whole checkpoint in ``folder``, whose settings must be
            ``config``'s but for those of `run_folder.RESUMABLE`
    Under ``torchrun`` all processes call it alike.  Raises ConfigError where ``folder`` holds a run
    that is not to be resumed or other settings, RequestError where another process trains there,
    LostProcessError where another process of the group is lost on the way, and DivergedError at
    the first number that is not finite; the last checkpoint is then as it was.
    """
    with ExitStack() as stack:
        processes = stack.enter_context(join_group(config.device))
        run = begin(kind(config, processes), folder, resume, stack)
        workers = stack.enter_context(Workers(config.threads))
        logbook = None
        if processes.first:
            progress = stack.enter_context(Progress(config.decisions, run.decisions, quiet))
            logbook = Logbook(folder, run.update, progress)
        if not resume:
            save(run, folder)
        while not run.over:
            started, before = time.perf_counter(), run.decisions
            row = advance(run, workers)
            # All must agree on when the time is up.
            run.seconds = processes.share(run.seconds + time.perf_counter() - started)
            if logbook:
                logbook.update(row, run.seconds)
                logbook.progress.advance(run.decisions - before)
                if run.over or (config.evaluate_every and run.update % config.evaluate_every == 0):
                    games = config.final_games if run.over else config.evaluate_games
                    scores = run.evaluate(games, workers)
                    logbook.evaluation(run.update, run.decisions, run.seconds, scores)
            if run.over or run.update % config.checkpoint_every == 0:
                save(run, folder)
    return run


def advance(run: Run, workers: Workers) -> dict[str, float]:
    """One update, all of whose numbers are finite; see `Run.advance`."""
    number = run.update + 1
    try:
        row = run.advance(workers)
        check_update({"weights": run.net, "average of the weights": run.average}, row)
    except DivergedError as error:
        raise DivergedError(f"update {number}: {error.message}", value=error.value) from None
    return row


def begin(run: R, folder: Path, resume: bool, stack: ExitStack) -> R:
    """A new run in ``folder``, or the one that is there; see `carry_on`.

    stack: what lets go of the folder's lock
    """
    processes = run.processes
    error: SorryError | OSError | None = None
    state: dict[str, Any] = {}
    if processes.first:  # the others may not see the folder, but learn what is wrong with it
        try:
            state = open_folder(run, folder, resume, stack)
        except (SorryError, OSError) as found:
            error = found
    error = processes.share(error)
    if error:
        raise error
    if resume:
        run.load_state_dict(processes.share(state))
    return run


def open_folder(run: Run, folder: Path, resume: bool, stack: ExitStack) -> dict[str, Any]:
    """Lock the folder of a run and write its settings; returns the state to go on from, or {}."""
    if resume:
        if not checkpoints(folder):  # before anything is written
            raise no_run(folder)
    else:
        refuse_run(folder)
        folder.mkdir(parents=True, exist_ok=True)
    stack.enter_context(lock_folder(folder))
    state: dict[str, Any] = {}
    if resume:
        path, state = load_newest(folder, say)
        check_resumed(run.config, state, folder)
        run.saved = state["update"] if path.name == FILE else None
    else:
        refuse_run(folder)
    write_settings(run.config, folder, resume=resume)
    return state


def refuse_run(folder: Path) -> None:
    """Raise ConfigError where there is a run in ``folder``."""
    if checkpoints(folder):
        raise ConfigError(f"{folder} holds a run already; choose another folder, or go on with it "
                          f"by --resume {folder}", value=str(folder))  # fmt: skip


def save(run: Run, folder: Path) -> None:
    """Write the checkpoint; all processes call it."""
    state = run.state_dict()
    if run.processes.first:
        keep_checkpoint(folder, state, run.config.checkpoints_kept, run.saved)
        run.saved = run.update


def update_once(run: Run, workers: Workers) -> dict[str, float]:
    """One update: play, learn, count.  Returns a row of figures for the logbook."""
    config, net = run.config, run.net
    progress = run.decisions / config.decisions
    rate = losses.straight_line(config.learning_rate, config.learning_rate_final, progress)
    bonus = losses.straight_line(config.entropy, config.entropy_final, progress)
    for group in run.optimiser.param_groups:
        group["lr"] = rate

    run.pool.update(run.update, net)
    collected = collect(
        run, workers,
        lambda collector: collector.collect(run.update, net, run.pool.opponents()),
    )  # fmt: skip
    decisions, tally = put_together(run, collected)
    data = [torch.from_numpy(array).to(config.device) for array in decisions]
    advantage = Decisions._fields.index("advantage")
    data[advantage] = losses.normalise(data[advantage], run.processes)

    def gradients(part: list[Tensor], share: float) -> tuple[tuple[Tensor, ...], Tensor]:
        return minibatch_gradients(net, config, part, share, bonus)

    figures = learn(run, workers, data, gradients)
    run.count(tally)
    return {
        "update": run.update,
        "decisions": run.decisions,
        "games": run.games,
        **dict(zip(FIGURES, figures, strict=True)),
        "explained_variance": explained_variance(run, decisions),
        "learning_rate": rate,
        "entropy_bonus": bonus,
        "plies_per_game": tally.plies / max(1, tally.games),
        "return_against_past": tally.past_return / max(1, tally.past_seats),
        "return_against_bots": tally.bot_return / max(1, tally.bot_seats),
    }


def collect(
    run: Run, workers: Workers, play: Callable[[Collector], tuple[Decisions, Tally]]
) -> list[tuple[Decisions, Tally]]:
    """What each of our shards has played; DivergedError in all processes if it is in one."""
    error: DivergedError | None = None
    collected: list[tuple[Decisions, Tally]] = []
    try:
        collected = workers.map(play, run.collectors)
    except DivergedError as found:
        error = found
    if int(run.processes.sum(torch.tensor(int(error is not None)))):
        raise error or DivergedError("not a finite number in another process", value=None)
    return collected


def put_together(run: Run, collected: Sequence[tuple[Decisions, Tally]]) -> tuple[Decisions, Tally]:
    """The decisions of our shards, in their order, and the tally of all processes."""
    decisions = Decisions(
        *(np.concatenate(arrays) for arrays in zip(*(part for part, _ in collected), strict=True))
    )
    tally = Tally()
    for _, part in collected:
        tally = tally.plus(part)
    total = run.processes.sum(torch.tensor(tally, dtype=torch.float64))
    return decisions, Tally(*total.tolist())


def learn(run: Run, workers: Workers, data: list[Tensor], gradients: Gradients) -> list[float]:
    """``epochs`` passes over our decisions in steps that all processes take together.

    data: tensors of the same N rows.  Returns the means over the steps of what `take_step` does.
    """
    config, processes = run.config, run.processes
    count = len(data[0])
    together = int(processes.sum(torch.tensor(count)))
    steps = max(1, round(together / config.minibatch))
    lengths = torch.tensor([len(rows) for rows in torch.arange(count).tensor_split(steps)])
    sizes = processes.sum(lengths).tolist()
    random = generator(config.seed, SHUFFLE, run.update, processes.rank)
    figures = []
    for _ in range(config.epochs):
        order = torch.from_numpy(random.permutation(count))
        for rows, size in zip(order.tensor_split(steps), sizes, strict=True):
            figures.append(take_step(run, workers, data, rows, size, gradients))
    drift_average(run)
    means: list[float] = torch.stack(figures).mean(dim=0).tolist()
    return means


def explained_variance(run: Run, decisions: Decisions) -> float:
    """How much of what came out the values had foreseen, over all processes."""
    return losses.explained_variance(
        torch.from_numpy(decisions.value_target - decisions.advantage),
        torch.from_numpy(decisions.value_target),
        run.processes,
    )


def take_step(
    run: Run, workers: Workers, data: list[Tensor], rows: Tensor, size: int, gradients: Gradients
) -> Tensor:
    """One step of Adam on decisions of all processes; returns the figures and the gradient's norm.

    rows: our own, of the data; size: how many they are in all processes together
    Raises DivergedError, before the step, where one of them is not finite.
    """
    parts = rows.tensor_split(run.config.shards)
    results = workers.map(
        lambda part: gradients([item[part] for item in data], len(part) / size),
        [part for part in parts if len(part)],
    )
    # All in one vector: one sum over the processes.
    parameters = list(run.net.parameters())
    lengths = [len(results[0][1]), *(parameter.numel() for parameter in parameters)]
    vector = torch.zeros(sum(lengths), device=run.config.device)
    for found, measured in results:
        vector += torch.cat([measured, *(gradient.flatten() for gradient in found)])
    figures, *summed = torch.split(run.processes.sum(vector), lengths)
    for parameter, gradient in zip(parameters, summed, strict=True):
        parameter.grad = gradient.view_as(parameter)
    norm = torch.nn.utils.get_total_norm(summed)
    measured = torch.cat((figures, norm.reshape(1)))
    check_step(run.net, run.figures, measured)  # before clipping, which spreads a NaN to all
    torch.nn.utils.clip_grads_with_norm_(parameters, run.config.gradient_norm, norm)
    run.optimiser.step()
    return measured


def minibatch_gradients(
    net: PolicyValueNet, config: PPOConfig, data: Sequence[Tensor], share: float, bonus: float
) -> tuple[tuple[Tensor, ...], Tensor]:
    """Gradients of the loss on some decisions, and the first figures of FIGURES, times ``share``.

    data:  what `Decisions` lists, as tensors of the same N rows, advantages normalised
    share: the part of the minibatch that these rows are; the parts' results add up to the whole's
    """
    observation, mask, action, old_log_prob, advantage, target = data
    with arithmetic(config.precision, config.device):
        features, values = net.describe(observation)
    log_prob, uncertainty = decide(features, net.policy.weight, net.policy.bias, mask, action)
    log_ratio = log_prob - old_log_prob
    policy = losses.policy_loss(log_ratio, advantage, config.clip)
    value = losses.value_loss(values, target)
    entropy = uncertainty.mean()
    loss = policy + config.value_weight * value - bonus * entropy
    gradients = torch.autograd.grad(loss * share, list(net.parameters()))
    with torch.no_grad():
        kl = losses.approximate_kl(log_ratio)
        clipped = losses.clipped_share(log_ratio, config.clip)
        figures = torch.stack((policy, value, entropy, kl, clipped)) * share
    return gradients, figures


@torch.no_grad()
def drift_average(run: Run) -> None:
    """Move the running average of the weights towards the present ones.

    The first updates count for more, or the first weights would linger.
    """
    decay = min(run.config.average, (1 + run.update) / (10 + run.update))
    for mean, present in zip(run.average.parameters(), run.net.parameters(), strict=True):
        mean.lerp_(present, 1.0 - decay)
