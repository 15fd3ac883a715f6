"""Every number that a command line takes is finite and in a stated range."""

from __future__ import annotations

import argparse
import ast
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from sorry_training.__main__ import make_parser
from sorry_training.config import PPOConfig, load_settings
from sorry_training.td_config import TDConfig

from sorry_env.arena import HalfWidth, Sprt, play_match
from sorry_env.cli import build_parser
from sorry_env.engine.rng import MAX_SEED
from sorry_env.errors import ConfigError, RequestError
from sorry_env.json_text import read_json, write_json
from sorry_env.parsing import SEED, Number, Whole

ROOT = Path(__file__).parents[2]
#: Texts that are no number of any option.
NEVER = [
    "inf",
    "-inf",
    "nan",
    "1e999",
    str(10**30),
    "9" * 5000,
    "²",
    "\u0661",
    "",
    " ",
    "0x1",
    "1,5",
    "x",
]


def options(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """All options and arguments of a parser and its commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield from options(one)
        else:
            yield f"{parser.prog} {'/'.join(action.option_strings) or action.dest}", action


ACTIONS = dict([*options(build_parser()), *options(make_parser())])
NUMBERS = {name: action for name, action in ACTIONS.items() if action.type not in (None, Path)}


def test_all_commands_are_looked_at() -> None:
    assert len(NUMBERS) >= 35
    assert {"sorry arena --elo1", "sorry serve --port", "sorry-train ship --games"} <= set(NUMBERS)


@pytest.mark.parametrize("name", NUMBERS)
def test_options_have_a_range_and_keep_to_it(name: str) -> None:
    kind: Any = NUMBERS[name].type
    assert isinstance(kind, Whole | Number), f"{name} reads numbers by {kind}"
    step = 1 if isinstance(kind, Whole) else 0.001
    outside = [str(kind.low - step), str(kind.high + step)]
    if isinstance(kind, Whole):
        outside += ["1.5", "1e3"]
    elif kind.above:
        outside.append(str(kind.low))
    for text in (*NEVER, *outside):
        with pytest.raises(argparse.ArgumentTypeError) as caught:
            kind(text)
        assert "must be a" in str(caught.value) and len(str(caught.value)) < 200
    assert kind(str(kind.high)) == kind.high
    default = NUMBERS[name].default
    assert default is None or kind.low <= default <= kind.high


def test_seeds_are_those_of_the_engine() -> None:
    assert (SEED.low, SEED.high) == (0, MAX_SEED)
    seeds = [action for name, action in ACTIONS.items() if name.endswith(("--seed", "/--seed"))]
    assert len(seeds) >= 8 and all(action.type is SEED for action in seeds)


def test_the_parser_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        build_parser().parse_args(["arena", "random", "--elo1", "inf"])
    assert caught.value.code == 2
    assert "--elo1: 'inf' must be a number from -2000 to 2000" in capsys.readouterr().err


# -- settings of the trainer -----------------------------------------------------------------------

SETTINGS = [
    (kind, field)
    for kind in (PPOConfig, TDConfig)
    for field in dataclasses.fields(kind)
    if get_type_hints(kind)[field.name] in (int, float)
]


@pytest.mark.parametrize(
    ("kind", "field"), SETTINGS, ids=[f"{kind.algorithm} {field.name}" for kind, field in SETTINGS]
)
def test_settings_have_a_range_and_keep_to_it(
    kind: type[PPOConfig], field: dataclasses.Field[Any]
) -> None:
    low, high = field.metadata["low"], field.metadata["high"]
    assert low is not None and high is not None
    for text in (*NEVER, str(low - 1), str(high + 1)):
        with pytest.raises(ConfigError, match=field.name):
            load_settings(None, [f"{field.name}={text}"], kind)


# -- SPRT and the JSON of results ------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [float("inf"), float("-inf"), float("nan"), 2001.0, -1e300])
@pytest.mark.parametrize("name", ["elo0", "elo1", "alpha", "beta"])
def test_an_sprt_asks_for_what_can_be(name: str, wrong: float) -> None:
    with pytest.raises(RequestError, match=name):
        Sprt(**{name: wrong})
    with pytest.raises(RequestError):
        HalfWidth(wrong)


def test_an_sprt_needs_elo0_below_elo1() -> None:
    for elo in (0.0, 5.0):
        with pytest.raises(RequestError, match="below"):
            Sprt(elo0=5.0, elo1=elo)


@pytest.mark.parametrize("until", [
    None, Sprt(elo0=-2000.0, elo1=2000.0), Sprt(elo0=1999.0, elo1=2000.0), Sprt(),
    Sprt(elo0=-2000.0, elo1=-1999.0), HalfWidth(0.01),
])  # fmt: skip
@pytest.mark.parametrize(("bots", "games"), [(2, 2), (4, 4)])
def test_results_are_json(until: Any, bots: int, games: int) -> None:
    result = play_match(["greedy", *["random"] * (bots - 1)], "duel-1" if bots == 2 else "classic",
                        bots, games=games, seed=1, until=until)  # fmt: skip
    assert read_json(write_json(result.to_dict()))["games"] <= games
    assert "nan" not in result.table().lower()


#: The only modules that read or write JSON and YAML; all others ask them.
HOMES = {"sorry_env/json_text.py", "sorry_env/yaml_text.py"}
#: What they alone call.
CALLS = {
    "json": {"load", "loads", "dump", "dumps"},
    "yaml": {"load", "safe_load", "dump", "safe_dump"},
}


def test_json_and_yaml_are_read_and_written_in_one_place() -> None:
    found = []
    for path in (*ROOT.glob("sorry_env/**/*.py"), *ROOT.glob("training/**/*.py")):
        name = str(path.relative_to(ROOT))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.attr in CALLS.get(node.value.id, ()) and name not in HOMES:
                    found.append(f"{name}:{node.lineno}")
    assert not found
