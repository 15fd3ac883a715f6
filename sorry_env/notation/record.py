"""Game records: JSON lines that write, read and replay (record format 1).

A record is a `game` line, a `move` line per decision and an `end` line. Reading checks everything a
record claims: each move is legal, each position follows from the one before but for the card drawn,
the returns are those of the end. Games of every family are recorded alike: how positions and moves
are written is asked of `families.py`. Read it, `moves.py` and `position.py` before this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from sorry_env.engine.rng import check_seed
from sorry_env.errors import RecordError, RequestError, SorryError
from sorry_env.families import family_of
from sorry_env.json_text import read_json, write_json
from sorry_env.rules import player_names

__all__ = [
    "RECORD_FORMAT",
    "Record",
    "Recorder",
    "named_returns",
    "player_names",
    "read_records",
    "write_record",
]

RECORD_FORMAT = 1
#: Characters of a blank line.
BLANKS = " \t\r\n"
REASONS = ("win", "truncated", "resigned")
_KEYS: dict[str, tuple[set[str], set[str]]] = {
    # type: (keys that must be there, keys that may be)
    "game": ({"format", "ruleset", "seats", "seed", "players", "id"}, {"reward"}),
    "move": ({"ply", "position", "move"}, {"legal"}),
    "end": ({"position", "returns", "plies", "reason"}, set()),
}


@dataclass
class Record:
    """One game as recorded.

    header: the `game` line
    moves:  the `move` lines, one a decision
    end:    the `end` line
    """

    header: dict[str, Any]
    moves: list[dict[str, Any]] = field(default_factory=list)
    end: dict[str, Any] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """The record's JSON lines, without line ends."""
        for row in (self.header, *self.moves, self.end):
            yield write_json(row, compact=True, ascii_only=False)

    def games(self) -> Iterator[Any]:
        """The position before each decision, and last the end position, each as a game."""
        read = family_of(self.header["ruleset"]).read
        for row in (*self.moves, self.end):
            yield read(row["position"], seed=0)


class Recorder:
    """Writes a game down while it is played.

    game:    the game, a `Game` or one of another family, before its first decision
    players: name of the player by colour or seat (the family's `player_names` tells which)
    seed:    the seed that the game was made with, from 0 to 2**64 - 1
    reward:  the reward of the end line's returns; None for the ruleset's usual one
    legal:   whether to write the legal moves of each decision
    """

    def __init__(
        self,
        game: Any,
        players: dict[str, str],
        *,
        seed: int,
        name: str,
        reward: str | None = None,
        legal: bool = False,
    ) -> None:
        self._game = game
        self._family = family_of(game.ruleset)
        self._legal = legal
        usual = usual_reward(game.ruleset)
        self._reward = usual if reward is None else reward
        header: dict[str, Any] = {
            "type": "game",
            "format": RECORD_FORMAT,
            "ruleset": game.ruleset.name,
            "seats": seat_names(game),
            "seed": check_seed(seed),
            "players": players,
            "id": name,
        }
        if self._reward != usual:
            header["reward"] = self._reward
        self.record = Record(header)

    def decision(self, move: Any) -> None:
        """Write down a decision; to be called before the move is played."""
        row: dict[str, Any] = {
            "type": "move",
            "ply": len(self.record.moves),
            "position": self._family.write(self._game),
            "move": self._family.move_text(move),
        }
        if self._legal:
            row["legal"] = self._family.legal_texts(self._game)
        self.record.moves.append(row)

    def finish(self, reason: str | None = None) -> Record:
        """Close the record; the reason is `win` unless the game was broken off.

        Raises RecordError where the reason does not fit the game.
        """
        reason = reason or "win"
        if reason not in REASONS or (reason == "win") != self._game.over:
            state = "over" if self._game.over else "not over"
            raise RecordError(f"reason {reason!r} does not fit: the game is {state}", value=reason)
        self.record.end = {
            "type": "end",
            "position": self._family.write(self._game),
            "returns": named_returns(self._game, self._reward),
            "plies": len(self.record.moves),
            "reason": reason,
        }
        return self.record


def usual_reward(ruleset: Any) -> str:
    """The reward of a record's returns unless its header names another one.

    `points` where cards are held and points counted, else `win`.
    """
    holds, counts = (getattr(ruleset, field, 0) for field in ("hand", "pawn_points"))
    return "points" if holds and counts else "win"


def seat_names(game: Any) -> list[str]:
    """The seats as a record's header lists them."""
    names = family_of(game.ruleset).seat_names
    return [names[seat] for seat in game.seats]


def named_returns(game: Any, reward: str) -> dict[str, float]:
    """Returns by the names that a record uses."""
    family = family_of(game.ruleset)
    returns = game.returns(reward)
    names = family.player_names(game.ruleset, game.seats)
    return {name: round(returns[family.seat_names.index(name)], 6) + 0.0 for name in names}


def write_record(record: Record, out: TextIO) -> None:
    """Write a record's lines to an open text file."""
    for line in record.lines():
        out.write(line + "\n")


def read_records(source: str | Path | Iterable[str], name: str | None = None) -> Iterator[Record]:
    """The records of a file, or of lines, each checked as a whole before it is given out.

    name: what error messages call the source; a path calls itself
    Blank lines at the end are ignored; one between other lines is an error.
    Raises RecordError naming file, line and reason.
    """
    if isinstance(source, (str, Path)):
        path = Path(source)
        try:
            lines: Iterable[str] = path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise RecordError(f"{path}: cannot be read: {error}", value=str(path)) from error
        name = name or str(path)
    else:
        lines = source
    reader = _RecordReader(name or "record")
    blank = 0  # lines without anything in them, which are nothing at the end of the source
    for number, line in enumerate(lines, start=1):
        if not line.strip(BLANKS):
            blank += 1
            continue
        for empty in range(number - blank, number):
            reader.line(empty, "")
        blank = 0
        record = reader.line(number, line)
        if record is not None:
            yield record
    reader.close()


def _is_int(value: object, wanted: int) -> bool:
    """JSON's true and 1.0 equal 1 in Python; in a record they do not."""
    return type(value) is int and value == wanted


class _RecordReader:
    """Checks one line after the other; holds the game that the lines so far describe."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._number = 0
        self._record: Record | None = None
        self._game: Any = None  # after the last move, waiting for its draw

    def line(self, number: int, text: str) -> Record | None:
        """Take in a line; the record it completes, if it is an end line."""
        self._number = number
        try:
            row = self._parse(text)
            kind = row["type"]
            if kind == "game":
                self._begin(row)
                return None
            if self._record is None:
                raise RecordError(f"a {kind} line before any game line", value=kind)
            if kind == "move":
                self._move(row)
                return None
            return self._end(row)
        except SorryError as error:
            raise self._located(error.message, error.value) from error

    def close(self) -> None:
        """Refuse a source that stops in the middle of a game."""
        if self._record is not None:
            raise self._located("the last game has no end line", self._record.header["id"])

    def _located(self, message: str, value: object) -> RecordError:
        return RecordError(f"{self._name}, line {self._number}: {message}", value=value)

    def _parse(self, text: str) -> dict[str, Any]:
        row: Any = read_json(text, RecordError, "it")
        kind = row.get("type") if isinstance(row, dict) else None
        if not isinstance(kind, str) or kind not in _KEYS:
            wanted = ", ".join(_KEYS)
            raise RecordError(f"type {kind!r} must be one of {wanted}", value=kind)
        needed, allowed = _KEYS[kind]
        keys = set(row) - {"type"}
        if missing := needed - keys:
            raise RecordError(f"{kind} line without {sorted(missing)}", value=sorted(missing))
        if unknown := keys - needed - allowed:
            raise RecordError(f"{kind} line with unknown {sorted(unknown)}", value=sorted(unknown))
        return dict(row)

    def _begin(self, row: dict[str, Any]) -> None:
        if self._record is not None:
            raise RecordError("a game line before the end of the last game", value=row["id"])
        if not _is_int(row["format"], RECORD_FORMAT):
            raise RecordError(
                f"format {row['format']!r} must be {RECORD_FORMAT}", value=row["format"]
            )
        if not isinstance(row["ruleset"], str):
            raise RecordError(f"ruleset {row['ruleset']!r} must be text", value=row["ruleset"])
        family = family_of(row["ruleset"])
        ruleset = family.resolve(row["ruleset"])
        seats = row["seats"]
        if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
            raise RecordError(f"seats {seats!r} must be a list of texts", value=seats)
        seated = family.choose_seats(ruleset, seats)
        if seats != [family.seat_names[seat] for seat in seated]:
            raise RecordError(f"seats {seats!r} must be in turn order", value=seats)
        names = family.player_names(ruleset, seated)
        players = row["players"]
        if not isinstance(players, dict) or sorted(players) != sorted(names):
            raise RecordError(f"players {players!r} must name {', '.join(names)}", value=players)
        try:
            check_seed(row["seed"])
        except RequestError as error:
            raise RecordError(error.message, value=row["seed"]) from None
        if not isinstance(row.get("reward", ""), str) or not isinstance(row["id"], str):
            raise RecordError(f"id {row['id']!r} and reward must be text", value=row["id"])
        family.new_game(ruleset, seats, seed=0).returns(row.get("reward", "win"))
        self._record = Record(row)
        self._game = None

    def _position(self, row: dict[str, Any]) -> Any:
        game = family_of(row["position"]).read(row["position"], seed=0)
        assert self._record is not None
        header = self._record.header
        if game.ruleset.name != header["ruleset"]:
            raise RecordError(
                f"ruleset {game.ruleset.name!r} in a game of {header['ruleset']!r}", value=row
            )
        if seat_names(game) != header["seats"]:
            raise RecordError(f"other seats than {header['seats']}", value=row["position"])
        return game

    def _move(self, row: dict[str, Any]) -> None:
        assert self._record is not None
        game = self._position(row)
        ply = len(self._record.moves)
        if not _is_int(row["ply"], ply):
            raise RecordError(f"ply {row['ply']!r} must be {ply}", value=row["ply"])
        if self._game is not None:
            if self._game.over or game.over or game.waiting:
                raise RecordError(f"{row['position']!r} has no card to play", value=row["position"])
            self._check_follows(row["position"], game.card)
        family = family_of(game.ruleset)
        if not isinstance(row["move"], str):
            raise RecordError(f"move {row['move']!r} must be text", value=row["move"])
        move = family.parse_move(game, row["move"])
        if "legal" in row and row["legal"] != (legal := family.legal_texts(game)):
            raise RecordError(f"legal {row['legal']!r} must be {legal!r}", value="legal")
        game.play(move, draw=False)
        self._game = game
        self._record.moves.append(row)

    def _check_follows(self, position: str, card: str | None) -> None:
        """Refuse a position that is not what the last move left, or some draw after it.

        card: the likeliest draw
        """
        write = family_of(self._game.ruleset).write
        expected = ""
        draws = [name for name, _ in self._game.chances()] or [None]
        for name in sorted(draws, key=lambda name: name != card):
            after = self._game.copy()
            if name is not None:
                after.draw(name)
            found = write(after)
            if found == position:
                return
            expected = expected or found
        raise RecordError(f"position {position!r} does not follow; {expected!r} does", value=card)

    def _end(self, row: dict[str, Any]) -> Record:
        record = self._record
        assert record is not None
        game = self._position(row)
        write = family_of(game.ruleset).write
        if self._game is not None and row["position"] != (left := write(self._game)):
            raise RecordError(
                f"position {row['position']!r} does not follow; {left!r} does",
                value=row["position"],
            )
        if not _is_int(row["plies"], len(record.moves)):
            raise RecordError(f"plies {row['plies']!r} must be {len(record.moves)}", value="plies")
        if row["reason"] not in REASONS or (row["reason"] == "win") != game.over:
            raise RecordError(f"reason {row['reason']!r} does not fit the end", value=row["reason"])
        reward = record.header.get("reward", usual_reward(game.ruleset))
        expected = named_returns(game, reward)
        if row["reason"] != "resigned" and row["returns"] != expected:
            raise RecordError(f"returns {row['returns']!r} must be {expected}", value="returns")
        record.end = row
        self._record = None
        self._game = None
        return record
