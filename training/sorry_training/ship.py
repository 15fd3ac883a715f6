"""From a finished run to a shipped bot: a folder with its file, its settings, figures and results.

Read before: ``export.py`` and ``report.py``.  ``sorry_env/bots/shipped.py`` plays such folders.
"""

from __future__ import annotations

import secrets
import shlex
import shutil
from pathlib import Path
from typing import Any

from sorry_env.arena import MatchResult, play_match
from sorry_env.bots.policy import Policy, read_file
from sorry_env.bots.shipped import VALUE
from sorry_env.errors import ConfigError, ModelError
from sorry_env.files import check_folder, write_file
from sorry_env.json_text import read_json, write_json
from sorry_training.algorithms import ALGORITHMS, algorithm_of
from sorry_training.config import PPOConfig
from sorry_training.figures import read_rows
from sorry_training.logbook import EVALUATIONS, METRICS
from sorry_training.td_config import load_saved

CARD, CONFIG, MATCHES = "README.md", "config.yaml", "arena.json"


def ship(run: Path, out: Path, games: int, seed: int) -> list[MatchResult]:
    """Copy what a run came to into ``out``, let the bot play, and write its model card.

    games, seed: of the matches against random and greedy
    Returns the matches.  Raises ConfigError where ``run`` holds no exported bot or ``out`` exists
    already, and leaves nothing behind.
    """
    config = load_saved(run / CONFIG)
    algorithm = algorithm_of(config)
    file = algorithm.file
    if not (run / file).exists():
        raise ConfigError(f"{run} holds no exported bot: it needs {file}, which a run writes at "
                          "its end", value=str(run))  # fmt: skip
    if out.exists() or out.is_symlink():
        raise ConfigError(f"{out} exists already; remove it or choose another folder",
                          value=str(out))  # fmt: skip
    check_folder(out)
    rows = read_rows(run / METRICS)
    if not rows:
        raise ConfigError(f"{run / METRICS} holds no figures of a run", value=str(run))
    contents: dict[str, bytes | str] = {
        name: (run / name).read_bytes() for name in (file, CONFIG, METRICS, EVALUATIONS)
    }
    policy = read_file(run / file, values_only=file == VALUE)
    matches = [
        play_match([f"{algorithm.bot}:{run / file}", *[opponent] * _others(config)],
                   config.ruleset, config.seats[0], games, seed)
        for opponent in ("random", "greedy")
    ]  # fmt: skip
    results = [match.to_dict() for match in matches]
    for result in results:
        result["bots"][0]["name"] = f"best:{out.name}"
    card = model_card(out.name, policy, config, matches, float(rows[-1]["seconds"]))
    write_folder(out, contents | {MATCHES: write_json(results, indent=1) + "\n", CARD: card})
    return matches


def write_folder(out: Path, contents: dict[str, bytes | str]) -> None:
    """Make the folder ``out`` with files in it, by their names: all of them, or no folder."""
    out.parent.mkdir(parents=True, exist_ok=True)
    unfinished = out.with_name(f".{out.name[:40]}.{secrets.token_hex(8)}.part")
    try:
        unfinished.mkdir()
        for name, data in contents.items():
            write_file(unfinished / name, data)
        unfinished.rename(out)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def model_card(
    name: str, policy: Policy, config: PPOConfig, matches: list[MatchResult], seconds: float
) -> str:
    """What there is to know about a shipped bot, as Markdown."""
    training = _training(policy)
    rows, commands = [], []
    for match in matches:
        opponents = match.bots[1:]
        low, high = match.paired_interval(0)
        many = opponents[0] if len(opponents) == 1 else f"{len(opponents)} {opponents[0]}"
        rows.append(f"| {many} | {match.games:,} | {match.rate(0):.1%} | {low:.1%} to {high:.1%} |")
        words = ["sorry", "arena", f"best:{name}", *[opponents[0]] * len(opponents), "--ruleset",
                 config.ruleset, "--seats", config.seats[0], "--games", str(match.games),
                 "--seed", str(match.seed)]  # fmt: skip
        commands.append("    " + shlex.join(words))
    counts = ", ".join(map(str, policy.seat_counts))
    return f"""# best:{name}

Plays `{config.ruleset}` with {counts} seats. {ALGORITHMS[training["algorithm"]].learnt}

- learnt by self-play alone: {training["decisions"]:,} decisions in {training["games"]:,} games,
  {seconds / 60:.1f} minutes on one core
- network: {config.layers} hidden layers of {config.width} units on the compact observation
- trained to get: `{config.reward}`; seatings of its games: {" and ".join(config.seats)}
- weights: sha256 `{policy.metadata["weights_sha256"][:16]}`

| against | games | won | 95 % interval |
| --- | --- | --- | --- |
{_lines(rows)}

Every card sequence is played from every seat; an equal wins one game in {_others(config) + 1}. The
interval counts a card sequence as one observation. Training never used this seed.

{_lines(commands)}

It refuses other rules and other numbers of seats. Its value is what a position is worth among its
equals: against opponents unlike it, that is an estimate.

To make it again, from `{CONFIG}`:

    make ship BOT={name}
"""


def _training(policy: Policy) -> dict[str, Any]:
    """What the file says of its training; ModelError where it does not say enough for a card."""
    text = policy.metadata.get("training", "null")
    training = read_json(text, ModelError, f"{policy.path}: metadata 'training'")
    wanted = {"algorithm": str, "decisions": int, "games": int}
    if not isinstance(training, dict) or not (
        all(isinstance(training.get(key), kind) for key, kind in wanted.items())
        and training["algorithm"] in ALGORITHMS
        and "weights_sha256" in policy.metadata
    ):
        raise ModelError(
            f"{policy.path}: the metadata must tell of the training ({', '.join(wanted)}) and have "
            "weights_sha256",
            value=text[:80],
        )
    return training


def _lines(rows: list[str]) -> str:
    return "\n".join(rows)


def _others(config: PPOConfig) -> int:
    """How many opponents sit at the table, a team counting as one."""
    rules = config.tables.ruleset
    return 1 if rules.teams != "none" else len(config.seat_sets()[0]) - 1
