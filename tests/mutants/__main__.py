"""`make mutants`: plant a random sample of faults in every room and count those that tests notice.

    python -m tests.mutants [--rooms engine,envs] [--sample 25] [--seed 1]

Prints every mutant that survives, then one row a room. Exits with 1 if a room scores below 85 %:
killed mutants by tried ones, those left out that are listed as equivalent in known.toml.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
from contextlib import closing
from pathlib import Path

from tests.mutants.mutations import Mutant, find, sample
from tests.mutants.rooms import ROOT, Known, Room, as_toml, read_known, read_rooms
from tests.mutants.trials import Bench, Trial, repository_copy

#: The least share of mutants, equivalent ones left out, that every room must kill.
LEAST = 0.85


@dataclasses.dataclass
class Score:
    """What came of the mutants of a room."""

    room: str
    killed: int = 0
    timed_out: int = 0  # of those killed
    survived: int = 0
    equivalent: int = 0
    new: list[Mutant] = dataclasses.field(default_factory=list)  # survivors not listed

    def count(self, mutant: Mutant, trial: Trial, *, listed: bool) -> None:
        """Take up what came of a mutant; listed: whether known.toml names it."""
        self.killed += trial.killed
        self.timed_out += trial.timed_out
        self.survived += not trial.killed
        if not trial.killed and not listed:
            self.new.append(mutant)

    @property
    def share(self) -> float:
        """The share of mutants that change something which was killed; 1 if there is none."""
        tried = self.killed + self.survived
        return self.killed / tried if tried else 1.0

    def row(self) -> str:
        """One line of the table."""
        tried = self.killed + self.survived + self.equivalent
        return (
            f"{self.room:<10} {tried:>6} {self.killed:>7} {self.timed_out:>10} "
            f"{self.survived:>9} {self.equivalent:>11} {100 * self.share:>6.1f} %"
        )


HEADING = f"{'room':<10} {'tried':>6} {'killed':>7} {'by time':>10} {'survived':>9} " + (
    f"{'equivalent':>11} {'score':>8}"
)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--rooms", default="", help="names with commas; all if not given")
    parser.add_argument("--sample", type=int, default=25, help="mutants a room")
    parser.add_argument("--seed", type=int, default=1, help="of the random sample")
    parser.add_argument(
        "--listed", action="store_true", help="instead of a sample: the survivors of known.toml"
    )
    parser.add_argument("--dry", action="store_true", help="print the sample, try nothing")
    options = parser.parse_args(arguments)
    rooms = read_rooms()
    names = options.rooms.split(",") if options.rooms else list(rooms)
    unknown = [name for name in names if name not in rooms]
    if unknown:
        parser.error(f"no room is called {', '.join(unknown)}; there are {', '.join(rooms)}")
    if options.sample < 1:
        parser.error("--sample is at least 1")
    known = read_known()
    print(f"seed {options.seed}, {options.sample} mutants a room", flush=True)
    scores = []
    for name in names:
        room = rooms[name]
        if options.listed:
            mutants = _listed(room, known)
        else:
            mutants = sample(ROOT, room.modules, options.sample, options.seed)
        if options.dry:
            print(*(f"{name}: {_told(mutant)}" for mutant in mutants), sep="\n")
        else:
            scores.append(try_room(ROOT, room, mutants, known))
    return report(scores)


def _listed(room: Room, known: dict[tuple[str, str, str, str], Known]) -> list[Mutant]:
    keys = {key for key, entry in known.items() if not entry.equivalent}
    return [
        mutant
        for module in room.modules
        if (wanted := {key for key in keys if key[0] == module})
        for mutant in find(ROOT, module, wanted)
    ]


def try_room(
    root: Path,
    room: Room,
    mutants: list[Mutant],
    known: dict[tuple[str, str, str, str], Known],
    spare: float = 20.0,
) -> Score:
    """Try mutants on a copy of the repository; equivalent ones are counted without a trial.

    spare: seconds of processor time that the tests may take beyond three times the usual
    """
    score = Score(room.name)
    with (
        repository_copy(root) as copy,
        closing(Bench(copy, jit=room.jit, libraries=room.libraries)) as bench,
    ):
        started = time.monotonic()
        sound = bench.run([*room.arguments(), "--durations=10"], cpu=3600, wall=3600)
        if sound.killed:
            raise SystemExit(f"{room.name}: the tests fail without any fault\n{sound.log}")
        # Processor time tells an endless loop from a busy machine; the other limit is for tests
        # that wait for ever.
        limits = (spare + 3 * sound.cpu, 6 * spare + 5 * (time.monotonic() - started))
        print(f"{room.name}: {sound.cpu:.0f} s for all tests, no fault; the slowest:")
        slow = [line for line in sound.log.splitlines() if "s call " in line or "s setup " in line]
        print(*slow, sep="\n", flush=True)
        for mutant in mutants:
            entry = known.get(mutant.key)
            if entry is not None and entry.equivalent:
                score.equivalent += 1
                continue
            trial = bench.try_mutant(mutant, room.arguments(mutant.site.module), *limits)
            score.count(mutant, trial, listed=entry is not None)
            fate = "time" if trial.timed_out else "killed" if trial.killed else "SURVIVED"
            print(f"  {fate:<8} {trial.cpu:>6.1f} s  {_told(mutant)}", flush=True)
    return score


def _told(mutant: Mutant) -> str:
    site = mutant.site
    return f"{site.module}:{site.line} {mutant.where}: {mutant.before} => {mutant.after}"


def report(scores: list[Score]) -> int:
    """Print survivors that are not listed yet and the table; the exit status."""
    for score in scores:
        for mutant in score.new:
            print(f"\n# {score.room}, line {mutant.site.line}\n{as_toml(mutant.key)}")
    if scores:
        print("", HEADING, *(score.row() for score in scores), sep="\n")
    low = [score.room for score in scores if score.share < LEAST]
    if low:
        print(f"below {100 * LEAST:.0f} %: {', '.join(low)}")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
