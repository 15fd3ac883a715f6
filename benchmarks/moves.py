"""How long bots take for one move: from a `View` to an action, one decision at a time, one thread.

    python -m benchmarks.moves [--policy FILE.onnx] [--value FILE.onnx] [--json]

Microseconds of processor time: each figure is the median over decisions with a choice out of games
of `classic` between two greedy bots; of five rounds the median, the lowest and the highest. Without
files the networks are those of `configs/ppo/quick.yaml` and `configs/td/quick.yaml`, untrained:
they take as long as trained ones.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.table import Table, as_json, in_rows, in_words, installed
from sorry_env.bots.base import Bot
from sorry_env.bots.policy import read_file
from sorry_env.bots.registry import make_bot
from sorry_env.game import Game, View
from sorry_env.speed import machine, versions

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 5
DECISIONS = 400
#: Searches take so much longer that fewer decisions will do.
FEW = 10


def tables(policy: Path, value: Path) -> Iterator[Table]:
    """Bots that look no further than a move, and bots that search."""
    views = decisions(DECISIONS)
    networks = [(f"{kind} network alone", alone(path, kind == "value", views), "one row")
                for kind, path in (("policy", policy), ("value", value))]  # fmt: skip
    yield in_rows(
        "From View to move, microseconds",
        [
            ("learned", times(f"learned:{policy}", views), "the likeliest action of a policy"),
            ("value", times(f"value:{value}", views), "all afterstates in one call"),
            ("greedy", times("greedy", views), ""),
            *networks,
        ],
    )
    some = views[:: DECISIONS // FEW]
    yield in_rows(
        "From View to move by search, microseconds",
        [
            ("expectimax:depth=2,value", times(f"expectimax:depth=2,value={value}", some), ""),
            ("expectimax:depth=2", times("expectimax:depth=2", some), "greedy's value"),
            ("mcts:sims=1000", times("mcts:sims=1000", some), ""),
            ("mcts:sims=1000,playouts=random", times("mcts:sims=1000,playouts=random", some), ""),
            ("mcts:sims=200,value", times(f"mcts:sims=200,value={value}", some), ""),
        ],
    )


def decisions(count: int) -> list[View]:
    """Views of decisions between two actions or more, every third of some games."""
    views: list[View] = []
    bot, seed, seen = make_bot("greedy"), 0, 0
    while len(views) < count:
        seed += 1
        game = Game("classic", "red,yellow", seed=seed)
        while not game.over and len(views) < count:
            view = game.view(game.actor)
            if len(view.legal_actions()) > 1:
                seen += 1
                if seen % 3 == 0:
                    views.append(view)
            game.play(bot.choose(view))
    return views


def times(name: str, views: Sequence[View]) -> list[float]:
    """Medians of the rounds for a bot, in microseconds."""
    bot: Bot = make_bot(name)
    return medians([lambda view=view: bot.choose(view) for view in views])  # type: ignore[misc]


def alone(path: Path, values_only: bool, views: Sequence[View]) -> list[float]:
    """The same of what onnxruntime needs for one row."""
    network = read_file(path, values_only)
    calls: list[Callable[[], object]] = []
    for view in views:
        seen, mask = view.observation()[None], view.mask()[None]
        if values_only:
            calls.append(lambda seen=seen: network.values(seen))  # type: ignore[misc]
        else:
            calls.append(lambda seen=seen, mask=mask: network.evaluate(seen, mask))  # type: ignore[misc]
    return medians(calls)


def medians(calls: Sequence[Callable[[], object]]) -> list[float]:
    """The median time of a call in each round, microseconds."""
    for call in calls[:20]:
        call()  # compiles and loads
    found = []
    for _ in range(ROUNDS):
        spent = []
        for call in calls:
            begun = time.process_time_ns()
            call()
            spent.append((time.process_time_ns() - begun) / 1000)
        found.append(statistics.median(spent))
    return found


def untrained(folder: Path) -> tuple[Path, Path]:
    """A policy and a value of the usual size, as they are before they learn."""
    import torch
    from sorry_training import afterstates, export
    from sorry_training.checkpoint import Policy, make_net
    from sorry_training.config import PPOConfig, load_settings
    from sorry_training.td_config import TDConfig

    torch.manual_seed(0)
    policy, value = folder / "policy.onnx", folder / "value.onnx"
    ppo = load_settings(ROOT / "configs" / "ppo" / "quick.yaml", (), PPOConfig)
    export.export_policy(Policy(make_net(ppo), ppo, ppo.tables, {}), policy)
    td = load_settings(ROOT / "configs" / "td" / "quick.yaml", (), TDConfig)
    afterstates.export_values(Policy(make_net(td), td, td.tables, {}), value)
    return policy, value


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--policy", type=Path, help="a policy of classic with two seats")
    parser.add_argument("--value", type=Path, help="a value of classic with two seats")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        policy, value = arguments.policy, arguments.value
        if policy is None or value is None:
            plain = untrained(Path(folder))
            policy, value = policy or plain[0], value or plain[1]
        found = list(tables(policy, value))
    known = versions(*installed())
    if arguments.json:
        rows = [as_json(table) for table in found]
        print(json.dumps({"machine": machine(), "versions": known, "tables": rows}))
        return
    print("machine:", machine())
    print("versions:", ", ".join(f"{name} {text}" for name, text in known.items()))
    for table in found:
        print(in_words(table))


if __name__ == "__main__":
    main()
