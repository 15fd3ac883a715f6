"""Records move by move: what was shown before each, what each did.

Read `table.py` and `../notation/record.py` before and `api.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from sorry_env.errors import RecordError, RequestError
from sorry_env.families import family_of
from sorry_env.notation.record import Record, read_records
from sorry_env.web.events import move_events
from sorry_env.web.facts import ruleset_facts
from sorry_env.web.shown import state_row

Row = dict[str, Any]

#: Moves that are told in one answer at most.
MOST_FRAMES: Final = 200
#: Games that are looked at in one upload.
MOST_GAMES: Final = 1000


def read_upload(text: str, number: int) -> tuple[Record, int]:
    """A game of a record file and how many games it has.

    number: which game, from 0
    Raises RecordError naming the line for anything that is no record, RequestError for a game that
    is not there.
    """
    lines = text.split("\n")
    games = sum('"type":"game"' in line.replace(" ", "") for line in lines)
    if games > MOST_GAMES:
        raise RecordError(f"{games} games are more than {MOST_GAMES}", value=games)
    found, count = None, 0
    for count, record in enumerate(islice(read_records(lines, "record"), MOST_GAMES), start=1):
        if count - 1 == number:
            found = record
    if found is None:
        raise RequestError(f"game {number} is none of the {count} in the record", value=number)
    return found, count


def replay(
    record: Record, entries: Sequence[Row] | None = None, *, start: int = 0,
    count: int = MOST_FRAMES, games: int = 1, number: int = 0,
) -> Row:  # fmt: skip
    """Some moves of a record, each with the state before it and what it did.

    entries: of the moves, where they are known; else they are made from the record
    start, count: from which move on, and how many at most
    """
    positions = [str(row["position"]) for row in (*record.moves, record.end)]
    family = family_of(str(record.header["ruleset"]))
    last = min(len(record.moves), start + min(count, MOST_FRAMES))
    game = family.read(positions[min(start, len(positions) - 1)], seed=0)
    before_draw = _before_draw(family, record, start)
    frames = []
    for ply in range(start, last):
        after = family.read(positions[ply + 1], seed=0)
        row = record.moves[ply]
        move = family.parse_move(game, str(row["move"]))
        known = entries[ply] if entries is not None else _entry(family, game, move, record, ply)
        following = game.copy()
        following.play(move, draw=False)
        frames.append({
            "ply": ply, "entry": known, "state": _state(game, ply, before_draw),
            "events": _events(game, move, following, after),
        })  # fmt: skip
        before_draw = None
        if following.waiting and not game.ruleset.hand:
            before_draw = family.write(following)
        game = after
    whole = last == len(record.moves) and start <= last
    return {
        "type": "replay", "games": games, "game": number, "header": record.header,
        "facts": ruleset_facts(str(record.header["ruleset"])), "end": record.end,
        "plies": len(record.moves), "from": start, "frames": frames,
        "final": _state(game, last, before_draw) if whole else None,
    }  # fmt: skip


def _before_draw(family: Any, record: Record, ply: int) -> str | None:
    """The line from which the card before a move was drawn."""
    if not 0 < ply <= len(record.moves):
        return None
    game = family.read(str(record.moves[ply - 1]["position"]), seed=0)
    game.play(family.parse_move(game, str(record.moves[ply - 1]["move"])), draw=False)
    return str(family.write(game)) if game.waiting and not game.ruleset.hand else None


def _state(game: Any, ply: int, before_draw: str | None) -> Row:
    """Of a game that is over, or an upload, nothing is hidden."""
    return state_row(game, range(4)) | {"ply": ply, "before_draw": before_draw}


def _events(before: Any, move: Any, following: Any, after: Any) -> list[Row]:
    """A record says which card was drawn, not that one was: what waits is drawn."""
    drawn = following.waiting and not after.waiting
    events = move_events(before, move, following)
    if drawn:
        names = family_of(after.ruleset).seat_names
        seat = before.turn if getattr(after.ruleset, "hand", 0) else after.turn
        events.append({"type": "draw", "seat": names[seat]})
    return events


def _entry(family: Any, game: Any, move: Any, record: Record, ply: int) -> Row:
    names = family.seat_names
    players = dict(record.header["players"])
    return {
        "ply": ply, "seat": names[game.actor], "turn": names[game.turn],
        "card": getattr(move, "card", None) or game.card, "move": family.move_text(move),
        "words": family.move_words(game, move), "forced": len(game.legal_actions()) == 1,
        "by": players.get(names[game.actor]) or players.get(names[game.actor - 2], ""),
    }  # fmt: skip
