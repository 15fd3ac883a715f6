"""The algorithms side by side: what `sorry-train` must know to train, export, report and ship.

Read before: ``ppo.py`` and ``td.py``.  Read next: ``report.py``, ``ship.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sorry_env.bots.shipped import POLICY, VALUE
from sorry_training import ppo, td
from sorry_training.afterstates import export_values
from sorry_training.checkpoint import Policy, load_policy
from sorry_training.config import PPOConfig
from sorry_training.export import export_policy
from sorry_training.ppo import Run


@dataclass(frozen=True)
class Algorithm:
    """A way to learn, and what comes of it.

    title:  its name for people
    train:  trains with settings into a folder, see `ppo.train`
    export: writes a policy to a file, or raises ModelError and writes none
    file:   the name of that file in the folder of a run
    bot:    the kind of bot that plays it: ``bot:FILE``
    learnt: how the bot came to be and how it plays, for its model card
    plays:  how it plays, for a run's report
    inside: columns of ``metrics.csv`` that show learning from inside, and what they are called
    """

    title: str
    train: Callable[..., Run]
    export: Callable[[Policy, Path], None]
    file: str
    bot: str
    learnt: str
    plays: str
    inside: Mapping[str, str]


#: By the name of the command that trains, which the settings have as ``algorithm``.
ALGORITHMS: dict[str, Algorithm] = {
    "ppo": Algorithm(
        "PPO", ppo.train, export_policy, POLICY, "learned",
        "Learnt by PPO (`training/sorry_training/ppo.py`).\n"
        "It takes the likeliest action of its policy and does not look ahead.",
        "The policy plays its likeliest move",
        {"entropy": "entropy of the policy (nats)",
         "explained_variance": "explained variance of the value"},
    ),
    "td": Algorithm(
        "TD(lambda)", td.train, export_values, VALUE, "value",
        "Learnt by TD(lambda) on afterstates (`training/sorry_training/td.py`).\n"
        "It looks one ply ahead: it values the position after each legal action, before the next "
        "draw.",
        "The bot takes the action whose afterstate is worth most",
        {"explore": "share of decisions at random",
         "explained_variance": "explained variance of the value"},
    ),
}  # fmt: skip


def algorithm_of(config: PPOConfig) -> Algorithm:
    """The algorithm whose settings these are."""
    return ALGORITHMS[config.algorithm]


def export_run(
    source: Path, out: Path | None = None, tell: Callable[[str], None] = print
) -> tuple[Path, str]:
    """Write what a run or a checkpoint came to as one ``.onnx`` file.

    out:  the file; None: the algorithm's name for it, in the present folder
    tell: is told which newer checkpoints of a run are damaged
    Returns the file and the name of the bot that plays it.  Raises ModelError where ``source`` is
    neither, or where the file would not be the network's equal.
    """
    policy = load_policy(source, tell)
    algorithm = algorithm_of(policy.config)
    out = out or Path(algorithm.file)
    algorithm.export(policy, out)
    return out, f"{algorithm.bot}:{out}"
