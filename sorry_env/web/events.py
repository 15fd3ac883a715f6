"""What a move does to the pawns, one thing after another, square by square: for pages that show it.

The moves of the board are played out here a second time, slowly, and what comes out is compared
with what the engine made of them: where the two differed, the pawns would jump to where they are.
Pawns are told by colour and square, as they stand when the event begins. Read `shown.py` and
`../engine/apply.py` before and `table.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sorry_env.engine.geometry import code_at, outer_square
from sorry_env.engine.state import ENTRY, HOME, START
from sorry_env.families import EXPRESS, family_of
from sorry_env.game import Move, View
from sorry_env.notation.squares import square_text
from sorry_env.rules import COLOURS

Row = dict[str, Any]
_CORNER = 15


def move_events(before: Any, move: Any, after: Any) -> list[Row]:
    """What happens by a move, in order.

    before, after: the game or a view without secrets hidden, before the move and after it, the
                   draw that followed it included
    """
    if family_of(before.ruleset) is EXPRESS:
        return _dice_events(before, move, after)
    played = _Board(before)
    played.play(move)
    events = played.events + played.differences(after)
    return events + _token_events(before, move, after) + _chance_events(before, after)


class _Board:
    """Pawns on the board while a move is played out, and what has happened so far."""

    def __init__(self, view: View) -> None:
        facts = view.tables.arrays.facts[0]
        self.rules = view.ruleset
        self.ends: list[int] = facts["slide_end"].tolist()
        self.codes = [list(row) for row in view.pawns]
        self.ice = view.ice
        self.events: list[Row] = []

    def play(self, move: Move) -> None:
        kind = move.kind
        if kind in ("pass", "discard"):
            self.events.append({"type": kind, **({"card": move.card} if kind == "discard" else {})})
        elif kind == "switch" and move.target is not None:
            self._switch(move.parts[0].seat, move.parts[0].start, *move.target)
        elif kind == "home":
            part = move.parts[0]
            self._jump("jump", part.seat, part.start, HOME)
        else:
            for part in move.parts:
                if kind in ("take", "leave", "buddy", "bully"):
                    verb = kind if kind in ("take", "leave") else "jump"
                    self._jump(verb, part.seat, part.start, part.end)
                else:
                    self._walk("step", part.seat, part.start, part.path())
                self._land(part.seat, part.end)

    # -- one pawn -----------------------------------------------------------------------------

    def _jump(self, verb: str, seat: int, start: int, end: int) -> None:
        self._put(seat, start, end)
        self.events.append({"type": verb, **_who(seat, start), "to": square_text(seat, end)})

    def _walk(self, verb: str, seat: int, start: int, path: Sequence[int]) -> None:
        self._put(seat, start, path[-1])
        squares = [square_text(seat, code) for code in path]
        self.events.append({"type": verb, **_who(seat, start), "path": squares})

    def _put(self, seat: int, start: int, end: int) -> None:
        self.codes[seat].remove(start)
        self.codes[seat].append(end)

    def _switch(self, seat: int, start: int, other: int, code: int) -> None:
        there, here = (
            code_at(seat, outer_square(other, code)),
            code_at(other, outer_square(seat, start)),
        )
        self._put(seat, start, there)
        self._put(other, code, here)
        self.events.append(
            {"type": "switch", **_who(seat, start), "other": COLOURS[other],
             "at": square_text(other, code)}
        )  # fmt: skip
        slides = self.rules.switch_slides
        self._land(seat, there, slides != "none")
        if slides == "both" and here in self.codes[other]:
            self._land(other, here)

    # -- what follows where it comes to rest --------------------------------------------------

    def _land(self, seat: int, code: int, slides: bool = True) -> None:
        if not START < code <= ENTRY:
            return
        if self.rules.turbo and (code + 2) % _CORNER == 0:
            self._drive_on(seat, code)
            return
        self._bump(seat, code, own=False)
        end = self.ends[code] if slides else code
        if end == code:
            return
        path = list(range(code + 1, end + 1))
        self._walk("slide", seat, code, path)
        for passed in path:
            self._bump(seat, passed, own=passed != end)
        # The own pawn that stood on the slide's end is bumped, the one that slid there is not.
        if self.codes[seat].count(end) > 1:
            self._send_home(seat, end)

    def _bump(self, seat: int, code: int, *, own: bool) -> None:
        """Send to Start whoever stands on an outer square; the mover's own if wanted."""
        square = outer_square(seat, code)
        for other in range(len(COLOURS)):
            theirs = code_at(other, square)
            if (other != seat or own) and theirs in self.codes[other]:
                if (other, theirs) != self.ice:
                    self._send_home(other, theirs)

    def _send_home(self, seat: int, code: int) -> None:
        self._jump("bump", seat, code, START)

    def _drive_on(self, seat: int, code: int) -> None:
        """Whoever is met on a turbo square drives on to the next one of his way, or Home."""
        while True:
            square = outer_square(seat, code)
            met = next(
                (
                    other
                    for other in range(len(COLOURS))
                    if self.codes[other].count(code_at(other, square)) > (other == seat)
                ),
                None,
            )
            if met is None:
                return
            theirs = code_at(met, square)
            corner = theirs + _CORNER - (theirs + 2) % _CORNER
            end = corner if corner <= ENTRY else HOME
            self._walk("turbo", met, theirs, list(range(theirs + 1, end + 1)))
            if end == HOME:
                return
            seat, code = met, end

    def differences(self, after: View) -> list[Row]:
        """What brings these pawns to where the engine has them; nothing, if this file is right."""
        rows = []
        for seat, codes in enumerate(after.pawns):
            mine, wanted = list(self.codes[seat]), []
            for code in codes:
                if code in mine:
                    mine.remove(code)
                else:
                    wanted.append(code)
            for start, end in zip(sorted(mine), sorted(wanted), strict=True):
                rows.append({"type": "jump", **_who(seat, start), "to": square_text(seat, end)})
        return rows


def _who(seat: int, start: int) -> Row:
    return {"seat": COLOURS[seat], "from": square_text(seat, start)}


# -- what is no move of a pawn --------------------------------------------------------------------


def _token_events(before: View, move: Move, after: View) -> list[Row]:
    rows: list[Row] = []
    for name in ("fire", "ice"):
        token = getattr(after, name)
        if token != getattr(before, name):
            rows.append({"type": name, **_where(token)})
    if move.kind in ("happy", "punish") and move.target is not None:
        word = "happy" if move.kind == "happy" else "punished"
        rows.append({"type": word, **_where(move.target)})
    if move.kind == "ask" and move.target is not None:
        rows.append({"type": "ask", "seat": COLOURS[move.target[0]]})
    if move.kind in ("yes", "no"):
        rows.append({"type": "answer", "answer": move.kind, "steps": after.steps})
    elif move.kind == "ask" and after.steps:
        rows.append({"type": "answer", "answer": "yes" if after.steps == 6 else "no",
                     "steps": after.steps})  # fmt: skip
    return rows


def _where(pawn: tuple[int, int] | None) -> Row:
    if pawn is None:
        return {"seat": None, "square": None}
    return {"seat": COLOURS[pawn[0]], "square": square_text(*pawn)}


def _chance_events(before: View, after: View) -> list[Row]:
    rows: list[Row] = []
    if after.draws > before.draws:
        if after.unseen is not None and before.unseen is not None:
            if sum(after.unseen) >= sum(before.unseen):
                rows.append({"type": "shuffle"})
        seat = before.turn if before.ruleset.hand else after.turn
        rows.append({"type": "draw", "seat": COLOURS[seat]})
    return rows


def _dice_events(before: Any, move: Any, after: Any) -> list[Row]:
    names = EXPRESS.seat_names
    row: Row = {"type": "none", "die": move.die}
    if move.kind == "slide":
        row = {"type": "home", "die": move.die, "seat": names[move.seat],
               "colour": COLOURS[move.colour]}  # fmt: skip
    elif move.kind not in ("none", "no"):
        source = "pool" if move.seat is None else names[move.seat]
        row = {"type": "pawn", "die": move.die, "colour": COLOURS[move.colour], "from": source,
               "to": names[before.turn]}  # fmt: skip
    draw = {"type": "draw", "seat": names[after.turn]}
    return [row, draw] if after.draws > before.draws else [row]
