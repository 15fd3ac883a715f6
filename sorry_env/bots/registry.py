"""The bots by name: `make_bot("greedy")`, `make_bot("learned:runs/quick/bot.onnx")`.

One table says what there is: a new bot is one line of `BOTS`. Read `greedy.py` and `learned.py`
before this file.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sorry_env.bots.base import Bot
from sorry_env.bots.baselines import BumperBot, CautiousBot, RunnerBot
from sorry_env.bots.expectimax import ExpectimaxBot
from sorry_env.bots.greedy import GreedyBot
from sorry_env.bots.learned import LearnedBot
from sorry_env.bots.mcts import MctsBot
from sorry_env.bots.optimal import OptimalBot
from sorry_env.bots.random import RandomBot
from sorry_env.bots.shipped import ShippedBot
from sorry_env.bots.value import ValueBot
from sorry_env.errors import RequestError
from sorry_env.parsing import parse_number, parse_whole


@dataclass(frozen=True)
class Kind:
    """How bots of one name are made.

    make:    the class, called with the path (if it takes one) and the options by name
    words:   one line for people
    options: how each option's text is read; a reader raises ValueError for text it does not take
    rest:    what belongs to the name, in words: `file: learned:PATH`; "" for nothing
    """

    make: Callable[..., Bot]
    words: str
    options: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    rest: str = ""


#: The largest number that an option of a bot can be.
_MOST: Final = 1_000_000_000


def _flag(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("true or false")
    return text == "true"


def _positive(text: str) -> float:
    try:
        return parse_number(text, 0.0, _MOST, above=True)
    except ValueError:
        raise ValueError(f"a number above 0 and at most {_MOST:,}") from None


def _depth(text: str) -> int:
    if text not in ("1", "2"):
        raise ValueError("1 or 2")
    return int(text)


def _count(text: str) -> int:
    try:
        return parse_whole(text, 1, _MOST)
    except ValueError:
        raise ValueError(f"a whole number from 1 to {_MOST:,}") from None


def _file(text: str) -> str:
    if not text:
        raise ValueError("a file")
    return text


def _process_bot(command: str) -> Bot:
    # The server is a layer above the bots, which this table alone knows.
    made: Bot = importlib.import_module("sorry_env.server.client").ProcessBot(command)
    return made


def _http_bot(url: str) -> Bot:
    client = importlib.import_module("sorry_env.server.client")
    made: Bot = client.HttpBot(f"http:{url}" if url.startswith("//") else url)
    return made


def _https_bot(url: str) -> Bot:
    return _http_bot(f"https:{url}")


BOTS: Final[dict[str, Kind]] = {
    "random": Kind(RandomBot, "any legal move, all equally likely"),
    "greedy": Kind(GreedyBot, "the move that gains most at once"),
    "learned": Kind(
        LearnedBot,
        "a trained policy, learned:FILE.onnx",
        options={"sample": _flag, "temperature": _positive},
        rest="file: learned:PATH",
    ),
    "expectimax": Kind(
        ExpectimaxBot,
        "one or two plies ahead by greedy's value or a file's, expectimax:depth=2,value=FILE.onnx",
        options={
            "depth": _depth,
            "value": _file,
            "width": _count,
            "worlds": _count,
            "time_ms": _positive,
        },
    ),
    "mcts": Kind(
        MctsBot,
        "tree search by playing on to the end, or to a file's value, mcts:sims=200,value=FILE.onnx",
        options={
            "sims": _count,
            "value": _file,
            "playouts": str,
            "explore": _positive,
            "time_ms": _positive,
        },
    ),
    "runner": Kind(RunnerBot, "its foremost pawn as far as it can"),
    "bumper": Kind(BumperBot, "sends back as many opponents' pawns as it can, then as greedy"),
    "cautious": Kind(CautiousBot, "as greedy, but shuns squares where its pawns can be hit"),
    "value": Kind(
        ValueBot,
        "one ply ahead with a trained value, value:FILE.onnx",
        rest="file: value:PATH",
    ),
    "best": Kind(
        ShippedBot,
        "the strongest that is shipped for a ruleset, best:classic",
        rest="ruleset: best:RULESET",
    ),
    "optimal": Kind(OptimalBot, "exactly the best, in rulesets that are small enough"),
    "process": Kind(
        _process_bot,
        "a program that speaks the bot protocol, process:COMMAND",
        rest="command: process:COMMAND",
    ),
    "http": Kind(
        _http_bot,
        "a server that speaks the bot protocol, http://HOST:PORT/?bot=NAME",
        rest="server: http://HOST:PORT/",
    ),
    "https": Kind(_https_bot, "the same, over https", rest="server: https://HOST/"),
}


def make_bot(text: str, bots: Mapping[str, Kind] = BOTS) -> Bot:
    """A new bot from its name and options.

    text: `name`, `name:option=value,option=value`, `learned:PATH`,
          `learned:PATH?option=value,option=value` (`&` may stand for the comma),
          `process:COMMAND`, or the address of a server, `http://...`
    bots: the bots there are
    Raises RequestError for a name, an option or a value that does not exist, and what the bot
    itself raises (ModelError for a file that cannot be played with).
    """
    if not isinstance(text, str):
        raise RequestError(f"bot {text!r} must be named by text", value=text)
    name, colon, rest = text.partition(":")
    if name not in bots:
        raise RequestError(f"unknown bot {name!r}; known are {', '.join(bots)}", value=name)
    kind = bots[name]
    if not kind.rest:
        return kind.make(**_read_options(text, kind, rest if colon else None))
    path, question, listed = rest, "", ""
    if kind.options and "?" in rest:
        path, question, listed = rest.rpartition("?")
    if not path:
        raise RequestError(f"bot {text!r} must name a {kind.rest}", value=text)
    return kind.make(path, **_read_options(text, kind, listed if question else None))


def _read_options(text: str, kind: Kind, listed: str | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for pair in re.split("[,&]", listed) if listed is not None else ():
        option, equals, value = pair.partition("=")
        if not equals or option not in kind.options:
            known = ", ".join(kind.options)
            wanted = f"OPTION=VALUE with an option of {known}" if known else "left out: no options"
            raise RequestError(f"bot {text!r}: {pair!r} must be {wanted}", value=pair)
        if option in options:
            raise RequestError(f"bot {text!r} sets {option} twice", value=pair)
        try:
            options[option] = kind.options[option](value)
        except ValueError as error:
            raise RequestError(
                f"bot {text!r}: {option}={value!r} must be {error}", value=value
            ) from None
    return options
