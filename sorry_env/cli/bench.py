"""The command `bench`: how fast the batch engine is here."""

from __future__ import annotations

import argparse
from typing import Any

from sorry_env.cli import options
from sorry_env.cli.options import add_setup
from sorry_env.json_text import write_json
from sorry_env.parsing import Number, Whole


def add_commands(commands: Any) -> None:
    """Add this module's command to the parser."""
    bench = commands.add_parser(
        "bench",
        help="measure the speed of the batch engine",
        description="Play random games in a batch and print decisions a second: the median of five "
        "slices of the time given, with the lowest and the highest. `benchmarks/` compares with "
        "others.",
    )
    add_setup(bench, first=False)
    bench.add_argument(
        "--batch", type=Whole(1, 10_000_000), default=1024, help="games (default: 1024)"
    )
    bench.add_argument("--threads", type=options.THREADS, default=1, help="threads (default: 1)")
    bench.add_argument(
        "--seconds", type=Number(0.0, 86_400.0, above=True), default=5.0,
        help="to measure, all slices together (default: 5)",
    )  # fmt: skip
    bench.add_argument("--json", action="store_true", help="print one JSON object")
    bench.set_defaults(run=_bench)


def _bench(arguments: argparse.Namespace) -> int:
    from sorry_env.speed import batch_speed

    speed = batch_speed(
        arguments.ruleset,
        arguments.seats,
        size=arguments.batch,
        threads=arguments.threads,
        seconds=arguments.seconds,
    )
    if arguments.json:
        print(write_json(speed))
        return 0
    print(
        f"{speed['ruleset']}, {len(speed['seats'])} seats, batch {speed['batch']}, "
        f"threads {speed['threads']}: {speed['decisions_per_second']:,} decisions/s "
        f"({speed['low']:,} to {speed['high']:,}); "
        f"{speed['decisions_per_cpu_second']:,} a second of processor time"
    )
    print("a decision:", ", ".join(speed["included"]))
    print("versions:", ", ".join(f"{name} {text}" for name, text in speed["versions"].items()))
    print("machine:", speed["machine"])
    return 0
