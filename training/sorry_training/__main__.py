"""The command ``sorry-train``: train by a configuration, export what was learnt, report on it.

Read next: ``config.py``.  Errors are said in words on standard error, with exit status 2.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sorry_env.cli.running import (
    CommandParser,
    attempts,
    check_output_folders,
    check_outputs,
    run_program,
)
from sorry_env.cli.terminal import say
from sorry_env.errors import ConfigError
from sorry_env.parsing import SEED, Whole
from sorry_env.terminal import terminal_text
from sorry_training.config import PPOConfig, describe_fields, load_settings
from sorry_training.config_files import find_config, list_configs
from sorry_training.packages import require, what_is_missing
from sorry_training.td_config import UNUSED, TDConfig

PROGRAM = "sorry-train"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    return run_program(PROGRAM, lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    parser = make_parser()
    options, rest = parser.parse_known_args(arguments)
    # argparse takes words up to the first option only; those behind options are left over.
    if rest and not (hasattr(options, "words") and not any(w.startswith("-") for w in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        options.words = [*options.words, *rest]
    status: int = options.run(options)
    return status


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = CommandParser(
        prog=PROGRAM,
        description="Train bots for the game Sorry!, any ruleset of it.",
        epilog="The first bot, in a few minutes:\n\n"
        f"  {PROGRAM} ppo quick --out runs/quick\n"
        "  sorry arena learned:runs/quick/bot.onnx greedy",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_training(
        commands,
        PPOConfig,
        "train by self-play PPO",
        "Train by self-play PPO.",
        describe_fields(),
    )
    _add_training(
        commands, TDConfig, "train a value by TD(lambda) on afterstates",
        "Train the value of afterstates by TD(lambda) in self-play.",
        describe_fields(TDConfig, UNUSED),
    )  # fmt: skip

    export = commands.add_parser(
        "export",
        help="write what a run has learnt as one .onnx file",
        description="Write what a run has learnt as one .onnx file, compared with the network on "
        "real positions before it is written. Wherever a bot is named, learned:FILE is the policy "
        "of ppo, value:FILE the value of td.",
    )
    export.add_argument("source", type=Path, metavar="RUN_OR_CHECKPOINT",
                        help="folder of a run, or a checkpoint file")  # fmt: skip
    export.add_argument("--out", type=Path, metavar="FILE",
                        help="the file to write (default: bot.onnx, of td value.onnx)")  # fmt: skip
    export.set_defaults(run=_export)

    report = commands.add_parser(
        "report",
        help="draw the learning curve of a run and write its report anew",
        description="Write curve.png and report.md into the folder of a run.",
    )
    report.add_argument("folder", type=Path, metavar="RUN", help="folder of a run")
    report.set_defaults(run=_report)

    ship = commands.add_parser(
        "ship",
        help="make a shipped bot out of a finished run",
        description="Copy a run's exported bot, settings and figures into a folder of checkpoints, "
        "let\nit play against random and greedy, and write the results and a model card beside it.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    ship.add_argument("source", type=Path, metavar="RUN", help="folder of a finished run")
    ship.add_argument("--out", type=Path, required=True, metavar="DIR",
                      help="the new folder, such as checkpoints/classic-2")  # fmt: skip
    ship.add_argument("--games", type=Whole(1, 100_000_000), default=20_000, metavar="N",
                      help="games of each match (default: 20000)")  # fmt: skip
    ship.add_argument("--seed", type=SEED, default=7, help="seed of the matches (default: 7)")
    ship.set_defaults(run=_ship)
    return parser


def _add_training(
    commands: Any, kind: type[PPOConfig], brief: str, what: str, settings: str
) -> None:
    """The command that trains by one algorithm, of the record ``kind`` of its settings."""
    name = kind.algorithm
    parser = commands.add_parser(
        name,
        help=brief,
        usage=f"{PROGRAM} {name} [CONFIG] [key=value ...] [--out DIR]\n"
        f"       {PROGRAM} {name} --resume DIR [key=value ...]\n"
        f"       {PROGRAM} {name} --list",
        description=f"{what} The folder of the run gets the settings,\nfigures (CSV and "
        "TensorBoard), checkpoints, and at the end the bot, a picture of the learning\ncurve and "
        "a report. Words and options may come in any order.",
        epilog="settings and their defaults (lists with semicolons here, as [a, b] in CONFIG):\n"
        + settings,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "words",
        nargs="*",
        metavar="CONFIG key=value",
        help="a shipped configuration by its name, such as quick, or the path (with a slash or a "
        "dot) of a YAML file of 'key: value' lines; without, the defaults; and settings that "
        "replace its own",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=f"folder of the run (default: runs/ and the name of CONFIG, without one runs/{name})",
    )
    parser.add_argument("--list", action=_ListAction, nargs=0, default=argparse.SUPPRESS,
                        const=name, help="list the shipped configurations and exit")  # fmt: skip
    parser.add_argument("--resume", type=Path, metavar="DIR",
                        help="go on with the run in this folder, with its settings; of them "
                        "decisions, minutes, threads, device and how often it is saved and "
                        "evaluated may change")  # fmt: skip
    parser.add_argument("--quiet", action="store_true",
                        help="no progress bar, and no evaluations on the way")  # fmt: skip
    parser.set_defaults(run=_train, kind=kind)


class _ListAction(argparse.Action):
    """Prints the shipped configurations of an algorithm, its ``const``, and ends the program."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, values: object,
        option_string: str | None = None,
    ) -> None:  # fmt: skip
        """See `argparse.Action`."""
        print(list_configs(self.const), end="")
        parser.exit()


def _train(options: argparse.Namespace) -> int:
    require("onnx", "onnxruntime", "torch")
    if not options.quiet and os.environ.get("RANK", "0") == "0":  # one of torchrun's processes
        for line in what_is_missing():
            say(f"{PROGRAM}: {line}")
    config, folder = _settings(options)
    status = _train_until_over(config, folder, options.resume is not None, options.quiet)
    if status is not None:
        return status

    from sorry_training.algorithms import algorithm_of, export_run
    from sorry_training.report import write_report

    with attempts() as attempt:
        with attempt():
            _, bot = export_run(folder, folder / algorithm_of(config).file, say)
            print(f"bot: {bot}")
        with attempt():
            print(f"report: {write_report(folder)}")
    return 0


def _train_until_over(config: PPOConfig, folder: Path, resume: bool, quiet: bool) -> int | None:
    """Train; the exit status where that is the end of it: broken off, or not the first process."""
    from sorry_training.algorithms import algorithm_of
    from sorry_training.checkpoint import FILE
    from sorry_training.finite import DivergedError, advice
    from sorry_training.processes import LostProcessError, TerminatedError, heed_sigterm

    again = f"{config.algorithm} --resume {folder}"
    all_again = f"start all again with {again}, which goes on from the last checkpoint"
    try:
        with heed_sigterm():
            run = algorithm_of(config).train(config, folder, resume=resume, quiet=quiet)
    except LostProcessError as error:
        say(f"{PROGRAM}: {error.message}; {all_again}")
        return 1
    except DivergedError as error:
        say(
            f"{PROGRAM}: {error.message}\n"
            f"Training has diverged and stops. The last checkpoint in {folder} is from before: "
            f"{PROGRAM} export {folder} makes a bot of it.\n"
            f"To train further, {advice(config)}."
        )
        return 1
    except TerminatedError:
        say(f"\n{PROGRAM}: terminated; {all_again}")
        return 143
    except KeyboardInterrupt:
        say(f"\n{PROGRAM}: interrupted; go on with {PROGRAM} {again}")
        return 130
    except OSError:
        if (folder / FILE).exists():
            say(f"{PROGRAM}: the run has stopped; once this is mended: {PROGRAM} {again}")
        raise
    return None if run.processes.first else 0


def _settings(options: argparse.Namespace) -> tuple[PPOConfig, Path]:
    """The settings and the folder that the words of the command line ask for."""
    overrides = [word for word in options.words if "=" in word]
    files = [word for word in options.words if "=" not in word]
    if options.resume is not None:
        from sorry_training.run_folder import saved_settings

        if files or options.out:
            raise ConfigError(
                "--resume DIR goes on with the settings and the folder of that run: no CONFIG or "
                "--out beside it", value=files or options.out,
            )  # fmt: skip
        return saved_settings(options.resume, overrides, options.kind), options.resume
    name = options.kind.algorithm
    if len(files) > 1:
        raise ConfigError(f"{name} takes one CONFIG at most; given: {', '.join(files)}",
                          value=files)  # fmt: skip
    config = find_config(files[0], name) if files else None
    folder = options.out or Path("runs") / (config.stem if config else name)
    return load_settings(config, overrides, options.kind), folder


def _export(options: argparse.Namespace) -> int:
    require("onnx", "onnxruntime", "torch")
    if options.out is not None and not options.out.parent.exists():
        check_output_folders(out=options.out.parent)  # it is made
    else:
        check_outputs(out=options.out)
    from sorry_training.algorithms import export_run

    out, bot = export_run(options.source, options.out, say)
    print(f"{out} written ({out.stat().st_size / 1e6:.1f} MB); play it as {bot}")
    return 0


def _report(options: argparse.Namespace) -> int:
    require("onnx", "torch")
    for line in what_is_missing(["matplotlib"]):
        say(f"{PROGRAM}: {line}")
    from sorry_training.report import write_report

    print(write_report(options.folder))
    return 0


def _ship(options: argparse.Namespace) -> int:
    require("onnx", "onnxruntime", "torch")
    from sorry_training.ship import ship

    for match in ship(options.source, options.out, options.games, options.seed):
        print(terminal_text(match.table(), keep="\n"))
    print(f"shipped: {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
