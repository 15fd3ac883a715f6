"""Plays a game and writes it down: the engine's chance, choices that follow from the seed alone.

The first 60 decisions and the last three are written in full (position, every legal move, the move
played); those between as the card and the move only. Read ``__main__.py`` after this file.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sorry_env.families import FAMILIES, family_of
from tests.cases import PUBLISHED, SEATINGS

FOLDER = Path(__file__).parent / "transcripts"
FULL_AT_FIRST = 60
FULL_AT_LAST = 3
MAX_PLIES = 3000

#: (ruleset, number of seats) of all transcripts: every published ruleset, the dice game's too.
CASES = (*PUBLISHED, *((name, count) for name in FAMILIES for count in (2, 3, 4)))


@dataclass(frozen=True)
class Ply:
    """One decision: its position, the legal moves, and the one played."""

    position: str
    legal: list[str]
    move: str

    @property
    def card(self) -> str:
        """CARD of the position: the card played, `-` where it is chosen or none is; or DICE."""
        return self.position.split(" ")[4]


Observer = Callable[[Ply], None]


def seats_of(name: str, count: int) -> str:
    """The seating of a transcript: the usual one, but another for each ruleset where there are."""
    if name in FAMILIES:
        return str(count)
    seatings = SEATINGS[count]
    return seatings[sum(map(ord, name)) % len(seatings)]


def path_of(name: str, count: int) -> Path:
    """The file of a ruleset's transcript with so many seats."""
    return FOLDER / f"{name}-{count}.txt"


def choices(seed: int) -> Iterator[int]:
    """Numbers that look random and are the same everywhere and always (an LCG's top bits)."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) & ((1 << 64) - 1)
        yield state >> 33


def play(game: Any, seed: int) -> list[Ply]:
    """Play the game to its end."""
    family = family_of(game.ruleset)
    plies: list[Ply] = []
    numbers = choices(seed)
    while not game.over and len(plies) < MAX_PLIES:
        legal = family.legal_texts(game)
        move = legal[next(numbers) % len(legal)]
        plies.append(Ply(family.write(game), legal, move))
        game.play(family.parse_move(game, move))
    return plies


def shares(game: Any, reward: str) -> str:
    """The returns of an ended game as text."""
    returns, names = game.returns(reward), family_of(game.ruleset).seat_names
    return " ".join(f"{names[seat]}={returns[seat]:.6g}" for seat in game.seats)


def transcript(name: str, count: int, check: Callable[[list[Ply], Any], None] | None = None) -> str:
    """The text of the game of this ruleset and number of seats.

    check: called with all decisions and the ended game before anything is written
    """
    seats = seats_of(name, count)
    seed = zlib.crc32(f"{name}-{count}".encode())
    family = family_of(name)
    game = family.new_game(name, seats, seed=seed)
    plies = play(game, seed)
    if check is not None:
        check(plies, game)
    lines = [f"ruleset {name}", f"seats   {seats}", f"seed    {seed}", ""]
    last = len(plies) - FULL_AT_LAST
    for number, ply in enumerate(plies):
        if number < FULL_AT_FIRST or number >= last:
            lines += [f"{number} {ply.position}", f"  = {' '.join(ply.legal)}", f"  > {ply.move}"]
        else:
            lines.append(f"{number} {ply.card} > {ply.move}")
    lines += ["", f"end {family.write(game)}", f"returns {shares(game, 'win')}"]
    if getattr(game.ruleset, "pawn_points", 0):
        lines.append(f"points {shares(game, 'points')}")
    return "\n".join([*lines, ""])
