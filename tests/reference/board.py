"""Pawns on the board and how they move: walking, landing, bumping, sliding.

Read ``rules_data.py`` before this file and ``cards.py`` after it.
"""

from __future__ import annotations

from .rules_data import (
    ADVANCE,
    CIRCLE,
    COLOURS,
    ENTRY,
    HOME,
    OUTER,
    OUTER_SET,
    SLIDES,
    START,
    Slide,
    slide_table,
)

STANDARD_SLIDES = slide_table(SLIDES)


def square_after(colour: str, square: str) -> str | None:
    """One step forward: clockwise, but from the own entry into the own safety zone.

    There is no second lap, so the entry always turns in; a pawn on the own diamond or circle is
    beyond the entry and simply goes on round. After safety five comes Home, after Home nothing.
    """
    if square == ENTRY[colour]:
        return colour + "1"
    if square in OUTER_SET:
        return OUTER[(int(square) + 1) % 60]
    if square == HOME[colour] or square == START[colour]:
        return None
    return HOME[colour] if square == colour + "5" else f"{colour}{int(square[1]) + 1}"


def square_before(colour: str, square: str) -> str | None:
    """One step backward: anticlockwise on the track, which takes no notice of the own entry.

    Inside the safety zone towards the entry and out onto it. From Start and Home: nothing.
    """
    if square in OUTER_SET:
        return OUTER[(int(square) - 1) % 60]
    if square == HOME[colour] or square == START[colour]:
        return None
    return ENTRY[colour] if square == colour + "1" else f"{colour}{int(square[1]) - 1}"


class Pawn:
    """A pawn has a colour, which never changes, stands on a square and may carry marks.

    Marks are what some editions put on pawns: ``fire``, ``ice``, ``happy``, ``punished``.
    """

    def __init__(self, colour: str, square: str, marks: frozenset[str] = frozenset()) -> None:
        self.colour = colour
        self.square = square
        self.marks = marks

    def in_start(self) -> bool:
        """Waiting in Start."""
        return self.square == START[self.colour]

    def is_home(self) -> bool:
        """Home: it never moves again and cannot be touched."""
        return self.square == HOME[self.colour]

    def on_track(self) -> bool:
        """On the outer track, where other colours can meet it."""
        return self.square in OUTER_SET

    def steps_to_home(self) -> int:
        """Forward steps left until Home (for a pawn in Start: more than for any other)."""
        return ADVANCE[self.colour][self.square]

    def go_to_start(self) -> None:
        """Bumped: back to its own Start, and what it carried is lost."""
        self.square = START[self.colour]
        self.marks = frozenset()


class Board:
    """All pawns. A pawn is named by its number in the list, which survives copying.

    The methods from ``held`` to ``hit`` are where editions differ.
    """

    def __init__(self, pawns: list[Pawn], slides: dict[str, Slide] = STANDARD_SLIDES) -> None:
        self.pawns = pawns
        self.slides = slides  # by their triangles

    def copy(self) -> Board:
        """The same pawns on the same squares, independent of this board."""
        pawns = [Pawn(pawn.colour, pawn.square, pawn.marks) for pawn in self.pawns]
        return type(self)(pawns, self.slides)

    def text(self) -> str:
        """Per colour its squares, most advanced first; ``-`` for a colour that is not seated."""
        parts = []
        for colour in COLOURS:
            own = [pawn for pawn in self.pawns if pawn.colour == colour]
            own.sort(key=Pawn.steps_to_home)
            parts.append(",".join(pawn.square for pawn in own) or "-")
        return "/".join(parts)

    def marked(self, mark: str) -> list[Pawn]:
        """The pawns that carry a mark: colours in the order r b y g, most advanced first."""
        found = [pawn for pawn in self.pawns if mark in pawn.marks]
        return sorted(found, key=lambda pawn: (COLOURS.index(pawn.colour), pawn.steps_to_home()))

    def same_as(self, other: Board) -> bool:
        """Whether two boards are one position: squares and marks, pawns of a colour being alike."""
        return self._squares_and_marks() == other._squares_and_marks()

    def _squares_and_marks(self) -> list[tuple[str, list[str]]]:
        return sorted((pawn.square, sorted(pawn.marks)) for pawn in self.pawns)

    # ---- where editions differ --------------------------------------------------------------

    def held(self, pawn: Pawn) -> bool:
        """A pawn that its own side may not move."""
        return self.fixed(pawn)

    def fixed(self, pawn: Pawn) -> bool:
        """One that cannot move, be moved, landed on, switched or taken. None in most editions."""
        return False

    def slide_from(self, pawn: Pawn, square: str) -> Slide | None:
        """The slide that takes a pawn on from a square: one of another colour starts there."""
        slide = self.slides.get(square)
        return None if slide is None or slide.colour == pawn.colour else slide

    def slide_forbidden(self, slide: Slide) -> bool:
        """A slide that makes the move illegal because of who stands on it. Never in most."""
        return False

    def hit(self, pawn: Pawn) -> None:
        """What happens to a pawn when one of another colour lands on it: it is bumped."""
        pawn.go_to_start()

    # ---- moving -----------------------------------------------------------------------------

    def others_on(self, square: str, number: int) -> list[Pawn]:
        """The pawns standing on a square, apart from pawn ``number``."""
        return [
            pawn
            for other, pawn in enumerate(self.pawns)
            if other != number and pawn.square == square
        ]

    def blocked(self, number: int, square: str) -> bool:
        """Whether a pawn may not come to rest on a square (the counted one, before any slide).

        Two pawns of one colour never share a square, Start and Home excepted; and in some
        editions certain pawns cannot be landed on and certain slides not be used.
        """
        pawn = self.pawns[number]
        if square == HOME[pawn.colour]:
            return False
        others = self.others_on(square, number)
        if any(other.colour == pawn.colour or self.fixed(other) for other in others):
            return True
        slide = self.slide_from(pawn, square)
        return slide is not None and self.slide_forbidden(slide)

    def land(self, number: int, square: str) -> None:
        """The pawn comes to rest: it bumps another colour's pawn there, then slides if due."""
        pawn = self.pawns[number]
        pawn.square = square
        if pawn.on_track():
            for other in self.others_on(square, number):
                assert other.colour != pawn.colour
                self.hit(other)
            self.slide_if_due(number)

    def slide_if_due(self, number: int) -> None:
        """On the triangle of another colour's slide a pawn moves on to the slide's last square.

        Every pawn on the slide's squares, the last included and the mover's own colour included,
        goes to its Start. It happens once: slides never chain. On its own colour's triangle a
        pawn stays.
        """
        pawn = self.pawns[number]
        slide = self.slide_from(pawn, pawn.square)
        if slide is None:
            return
        for square in slide.squares:
            for other in self.others_on(square, number):
                if not self.fixed(other):
                    other.go_to_start()
        pawn.square = slide.squares[-1]

    def walk(self, number: int, steps: int) -> tuple[str, Board] | None:
        """Move a pawn by count, forward, or backward when ``steps`` is negative.

        Every square counts one, occupied or not, and any pawn may be jumped. Home needs the
        exact count. The counted square, before any slide, must hold no pawn of the same colour.
        Gives that square and the board afterwards, or None when the move is illegal.
        """
        pawn = self.pawns[number]
        if pawn.in_start() or pawn.is_home() or self.held(pawn):
            return None
        one_step = square_after if steps > 0 else square_before
        square = pawn.square
        for _ in range(abs(steps)):
            further = one_step(pawn.colour, square)
            if further is None:
                return None
            square = further
        if self.blocked(number, square):
            return None
        after = self.copy()
        after.land(number, square)
        return square, after

    def leave_start(self, number: int) -> tuple[str, Board] | None:
        """A pawn from Start to the circle: illegal on an own pawn, bumping another's."""
        pawn = self.pawns[number]
        circle = CIRCLE[pawn.colour]
        if not pawn.in_start() or self.blocked(number, circle):
            return None
        after = self.copy()
        after.land(number, circle)
        return circle, after

    def switch(self, number: int, other: int, switch_slides: str) -> Board | None:
        """Two pawns change places, then the mover's slides if it now stands on a triangle.

        The displaced pawn does not slide. By the field: with ``both`` it does, after the mover's,
        if it is still there; with ``none`` neither does. None when it is illegal.
        """
        if self.held(self.pawns[number]) or self.fixed(self.pawns[other]):
            return None
        after = self.copy()
        mine, theirs = after.pawns[number], after.pawns[other]
        mine.square, theirs.square = theirs.square, mine.square
        sliders = {"mover": (number,), "both": (number, other), "none": ()}[switch_slides]
        for slider in sliders:
            pawn = after.pawns[slider]
            slide = after.slide_from(pawn, pawn.square)
            if slide is not None and after.slide_forbidden(slide):
                return None
            after.slide_if_due(slider)
        return after

    def replace(self, number: int, target: int) -> Board | None:
        """Sorry!: a pawn from Start takes the place of another, which goes to its Start.

        None when it is illegal.
        """
        square = self.pawns[target].square
        if self.blocked(number, square):
            return None
        after = self.copy()
        after.land(number, square)
        return after
