"""Our own bots as foreign programs: in matches and environments they play as they do at home."""

from __future__ import annotations

import json
from typing import Any

import gymnasium
import numpy as np
import pytest

import sorry_env  # noqa: F401 - registers the environment
from sorry_env.arena.match import play_match
from sorry_env.bots.base import Bot
from sorry_env.families import family_of
from sorry_env.server.client import ProcessBot
from sorry_env.server.peer import Peer
from tests.server.support import SORRY


class AtHome(Bot):
    """A bot asked as a program is: game by game, its random numbers in the order of questions."""

    def __init__(self, name: str, family: Any) -> None:
        self.bot: Bot = family.make_bot(name)
        self.name = name

    def reset(self, seed: int) -> None:
        self.bot.reset(seed)

    def choose(self, view: Any) -> int:
        return self.bot.choose(view)


@pytest.mark.parametrize(
    ("ruleset", "seats", "games"), [("classic", 2, 4), ("points", 3, 3), ("express", 2, 4)]
)
def test_a_match_of_our_bot_as_a_program_is_the_match_at_home(
    ruleset: str, seats: int, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[bytes] = []
    asked = Peer.ask

    def listen(self: Peer, line: bytes, seconds: float) -> bytes:
        lines.append(line)
        return asked(self, line, seconds)

    monkeypatch.setattr(Peer, "ask", listen)
    others = ["random"] * (seats - 1)
    command = [*SORRY, "bot", "greedy", "--stdio", "--seed", "{seed}"]
    settings: Any = {"seats": seats, "games": games, "seed": 5, "batch": 2}
    with ProcessBot(command) as bot:
        away = play_match([bot, *others], ruleset, **settings)
    home = play_match([AtHome("greedy", family_of(ruleset)), *others], ruleset, **settings)
    assert (away.outcomes == home.outcomes).all() and away.asked == home.asked
    moves = [row for row in map(json.loads, lines) if row["type"] == "move"]
    assert len(moves) == away.asked[0] > 40
    if ruleset == "points":
        for row in moves:
            turn, hands = (row["position"].split(" ")[i] for i in (2, 6))
            for letter, hand in zip("rbyg", hands.split("/"), strict=True):
                assert (hand in ("?", "-")) == (letter != turn), row["position"]


def play_in_environment(opponents: Bot) -> list[Any]:
    """What a learner that takes the first legal action sees of a whole game."""
    env = gymnasium.make("sorry_env/Sorry-v0", ruleset="points", opponents=opponents)
    observation, info = env.reset(seed=3)
    seen: list[Any] = [observation["observation"].tobytes()]
    done = False
    while not done:
        action = int(np.flatnonzero(info["action_mask"])[0])
        observation, reward, terminated, truncated, info = env.step(action)
        seen += [observation["observation"].tobytes(), reward]
        done = terminated or truncated
    env.close()
    assert terminated and reward != 0
    return seen


def test_it_plays_in_environments_as_it_does_at_home() -> None:
    command = [*SORRY, "bot", "greedy", "--stdio", "--seed", "{seed}"]
    with ProcessBot(command) as bot:
        away = play_in_environment(bot)
    assert len(away) > 40
    assert away == play_in_environment(AtHome("greedy", family_of("points")))
