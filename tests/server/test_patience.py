"""How long a foreign program is given for each answer, and which answer is taken for its own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from sorry_env.errors import PeerError
from sorry_env.game import Game
from sorry_env.server.client import ForeignBot

VIEW = Game("classic", 2, seed=1).view(0)
Change = Callable[[dict[str, Any]], dict[str, Any]]


class Told:
    """A program's end of the line: answers as it should but for a change, and notes the time."""

    def __init__(self, seconds: list[float], change: Change) -> None:
        self.owner = os.getpid()
        self.seconds, self.change = seconds, change

    def ask(self, line: bytes, seconds: float) -> bytes:
        self.seconds.append(seconds)
        row = json.loads(line)
        if row["type"] == "hello":
            more: dict[str, Any] = {"protocol": 1, "name": "told", "rulesets": ["classic"]}
        else:
            more = {"move": "pass"}
        answer = self.change({"id": row["id"], "type": row["type"], **more})
        return json.dumps(answer).encode() + b"\n"

    def close(self, **_: float) -> None:
        """Nothing runs."""


class Patient(ForeignBot):
    """Asks the program above."""

    def __init__(self, change: Change = lambda row: row) -> None:
        self.seconds: list[float] = []
        self.change = change
        super().__init__("told", timeout=3.0, start_timeout=90.0, restarts=0, time_ms=1)

    def _reach(self) -> Any:
        return Told(self.seconds, self.change)


def test_hello_and_the_first_move_may_take_longer() -> None:
    bot = Patient()
    for _ in range(3):
        assert bot.choose(VIEW) == 0
    assert bot.seconds == [90.0, 90.0, 3.0, 3.0]
    bot.close()
    bot.choose(VIEW)
    assert bot.seconds[4:] == [90.0, 90.0], "it is started anew"


@pytest.mark.parametrize("identity", [True, 1.0, 2.0, "2", 3, 0, -2, [2], None])
def test_an_answer_has_the_number_of_its_question(identity: Any) -> None:
    """A number, and not what only equals it: hello is question 1, the move question 2."""
    of_move = Patient(lambda row: row if row["type"] == "hello" else row | {"id": identity})
    with pytest.raises(PeerError, match="id must be 2"):
        of_move.choose(VIEW)
    of_hello = Patient(lambda row: row | {"id": identity} if row["type"] == "hello" else row)
    with pytest.raises(PeerError, match="id must be 1"):
        of_hello.choose(VIEW)
