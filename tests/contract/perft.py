"""The perft data file: read by the test, and written anew with the reference's numbers.

`python -m tests.contract.perft` keeps positions, depths and comments and fills in the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tests.reference.perft import perft
from tests.reference.reference import ReferenceGame

FILE = Path(__file__).with_name("perft.txt")


@dataclass(frozen=True)
class Case:
    """A position with what is expected at depths 1, 2, ...: sequences and chance of a pass."""

    position: str
    plies: tuple[tuple[int, Fraction], ...]


def read_cases() -> list[Case]:
    """All positions of the file."""
    cases: list[Case] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line[:1].isdigit():
            depth, count, forced = line.split()
            case = cases.pop()
            assert int(depth) == len(case.plies) + 1, line
            cases.append(Case(case.position, (*case.plies, (int(count), Fraction(forced)))))
        elif line and not line.startswith("#"):
            cases.append(Case(line, ()))
    return cases


def main() -> None:
    """Write the file with the numbers of the reference."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    position = ""
    for number, line in enumerate(lines):
        if line[:1].isdigit():
            depth = int(line.split()[0])
            ply = perft(ReferenceGame.from_text(position), depth)[-1]
            lines[number] = f"{depth} {ply.sequences} {ply.forced_pass}"
        elif line and not line.startswith("#"):
            position = line
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
