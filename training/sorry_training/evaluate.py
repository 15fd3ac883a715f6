"""How strong a policy is: games against the fixed bots, counted with an interval.

Read before: ``checkpoint.py``.  Read next: ``report.py``.

The policy plays its likeliest move, as the exported bot does.  The games are matches of the arena:
the same cards in every seating, one bot of a kind on all the other seats.  Where a seat plays alone
it is a race: each plays the same cards by itself, and who needs fewer decisions has won.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from sorry_env.arena import MatchResult, play_match, wilson
from sorry_env.bots.base import BatchRequest, Bot
from sorry_training.config import PPOConfig
from sorry_training.finite import check_outputs
from sorry_training.kernels import legal_logits
from sorry_training.masked import best_actions
from sorry_training.nets import PolicyValueNet
from sorry_training.workers import Workers

#: The seed of evaluations during training; other seeds are for trying a finished bot.
SEED = 1_000_000_007


@dataclass(frozen=True)
class Score:
    """Games against one opponent.  Games that were cut off, and drawn races, count as not won."""

    opponent: str
    games: int
    wins: int
    cut: int

    @property
    def rate(self) -> float:
        """The share of games won."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of `rate`."""
        return wilson(self.wins, self.games)

    def text(self) -> str:
        """For people: opponent, rate, interval and number of games."""
        low, high = self.interval
        return (
            f"{self.rate:.1%} of {self.games} games against {self.opponent} ({low:.1%}-{high:.1%})"
        )


class NetBot(Bot):
    """A network as a bot that plays its likeliest move."""

    name = "learner"

    def __init__(self, net: PolicyValueNet) -> None:
        self.net = net

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """See Bot."""
        return best_moves(self.net, request.observation, request.mask)


def best_moves(net: PolicyValueNet, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The net's likeliest legal action int32[n] for observations int8[n, O], masks bool[n, A].

    Raises DivergedError where its logits are not finite: then no action is the likeliest.
    """
    with torch.no_grad():
        features, _ = net.describe(torch.from_numpy(observation).to(net.device))
        logits = legal_logits(features, net.policy.weight, net.policy.bias, mask)
    actions = best_actions(logits, mask)
    # NaN is "greatest" to argmax, so the chosen ones are finite only if none is NaN.
    check_outputs(logits[np.arange(len(actions)), actions])
    return actions


def evaluate(
    player: PolicyValueNet | Bot,
    config: PPOConfig,
    games: int,
    workers: Workers,
    seed: int = SEED,
) -> list[Score]:
    """Let a bot, or a policy's net, play at least ``games`` games against each opponent.

    Where the configuration has several seatings the games are shared out evenly.
    """
    seatings = config.seat_sets()
    each = -(-games // len(seatings))
    bot = player if isinstance(player, Bot) else NetBot(player)
    scores = []
    for name in config.opponents:
        parts = workers.map(lambda seats, name=name: _play(bot, config, name, seats, each, seed),
                            seatings)  # fmt: skip
        scores.append(Score(name, *(sum(figures) for figures in zip(*parts, strict=True))))
    return scores


def _play(
    player: Bot, config: PPOConfig, name: str, seats: tuple[int, ...], games: int, seed: int
) -> tuple[int, int, int]:
    """Games played, won by ``player`` and cut off with it among bots called ``name``."""
    bot, teams = config.family.make_bot, config.tables.ruleset.teams != "none"

    def play(players: list[Bot]) -> MatchResult:
        return play_match(players, config.ruleset, seats, games, seed, max_plies=config.max_plies)

    if len(seats) == 1:
        own, other = (play([one]).outcomes for one in (player, bot(name)))
        won = (own["length"] < other["length"]) & ~own["truncated"]
        return len(own), int(won.sum()), int(own["truncated"].sum())
    match = play([player, *(bot(name) for _ in range(1 if teams else len(seats) - 1))])
    return match.games, match.wins[0], match.cut
