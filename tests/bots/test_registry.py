"""Bots by name: what is made, and what is refused in words."""

from __future__ import annotations

from typing import Any

import pytest

from sorry_env.bots.greedy import GreedyBot
from sorry_env.bots.random import RandomBot
from sorry_env.bots.registry import BOTS, make_bot
from sorry_env.errors import ModelError, RequestError


def test_each_name_makes_a_new_bot() -> None:
    assert isinstance(make_bot("random"), RandomBot)
    assert isinstance(make_bot("greedy"), GreedyBot)
    assert make_bot("greedy") is not make_bot("greedy")
    assert all(kind.words for kind in BOTS.values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unknown bot ''; known are random, greedy, learned"),
        ("Greedy", "unknown bot 'Greedy'"),
        ("expectiminimax:depth=2", "unknown bot 'expectiminimax'"),
        ("greedy?x=1", r"unknown bot 'greedy\?x=1'"),
        ("greedy:", "'' must be left out: no options"),
        ("greedy:depth=2", "'depth=2' must be left out: no options"),
        ("learned", "must name a file: learned:PATH"),
        ("learned:", "must name a file: learned:PATH"),
        ("learned:?sample=true", "must name a file"),
        ("learned:a.onnx?", "'' must be OPTION=VALUE with an option of sample, temperature"),
        ("learned:a.onnx?sampel=true", "'sampel=true' must be OPTION=VALUE"),
        ("learned:a.onnx?sample", "'sample' must be OPTION=VALUE"),
        ("learned:a.onnx?sample=yes", "sample='yes' must be true or false"),
        ("learned:a.onnx?sample=true,sample=true", "sets sample twice"),
        ("learned:a.onnx?sample=true&temperature=0", "temperature='0' must be a number above 0"),
        ("learned:a.onnx?sample=true,temperature=hot", "must be a number above 0"),
        ("learned:a.onnx?sample=true,temperature=nan", "must be a number above 0"),
        ("learned:a.onnx?sample=true,temperature=inf", "must be a number above 0"),
        ("learned:a.onnx?temperature=2", "temperature needs sample=true"),
        (None, "bot None must be named by text"),
        (7, "bot 7 must be named by text"),
    ],
)
def test_refusals_say_what_would_be_right(text: Any, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        make_bot(text)


def test_a_missing_file_is_a_model_error() -> None:
    with pytest.raises(ModelError, match=r"no-such\.onnx' cannot be read: No such file"):
        make_bot("learned:no-such.onnx?sample=true")
