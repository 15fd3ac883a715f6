"""What a position is: its fields, its line of text, and what must hold in every position.

Read ``reading.py`` before this file and ``reference.py`` after it.
"""

from __future__ import annotations

from copy import copy
from typing import Self

from .board import Board
from .cards import TEAMS, side_of
from .reading import letter
from .rules_data import COLOURS, Ruleset

WAITING = "?"


class State:
    """The fields of a position. It never changes: ``_but`` gives another one."""

    def __init__(
        self, rules: Ruleset, board: Board, turn: str, card: str, pile: dict[str, int] | None
    ) -> None:
        self.rules = rules
        self.board = board
        self.turn = turn
        self.phase = "move"
        self.card = card
        self.pile = pile  # None: infinite
        self.winner: str | None = None  # a colour, or the two of a team
        present = {pawn.colour for pawn in board.pawns}
        self.seats = [colour for colour in COLOURS if colour in present]

    def _but(self, **changes: object) -> Self:
        """Another one, like this one but for the changes."""
        other = copy(self)
        for name, value in changes.items():
            assert hasattr(self, name)
            setattr(other, name, value)
        return other

    # ---- sides ----------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    def side(self) -> str:
        """The colour in turn, with its partner where there is one."""
        return side_of(self.rules, self.turn)

    def sides(self) -> list[str]:
        """Those who win together: the two teams, or each seated colour alone."""
        return list(TEAMS) if self.rules.partners else self.seats

    def finished(self, side: str) -> bool:
        """All pawns of the side are Home."""
        return all(pawn.is_home() for pawn in self.board.pawns if pawn.colour in side)

    def _decided(self) -> bool:
        """The first side with all pawns Home wins at once; play_out goes on for the ranking.

        It goes on until all but one have finished.
        """
        if self.winner is None:
            return False
        if not self.rules.play_out:
            return True
        unfinished = [side for side in self.sides() if not self.finished(side)]
        return len(unfinished) <= 1

    @property
    def waiting(self) -> bool:
        """Whether chance is next (``draws`` and ``draw``), not a decision."""
        return self.card == WAITING

    # ---- text -----------------------------------------------------------------------------

    def text(self, viewer: str | None = None) -> str:
        """RULESET PAWNS TURN PHASE CARD DECK HANDS EXTRA, single spaces.

        With a viewer (``red``) what that player may see: the other hands are hidden.
        """
        if viewer is not None and letter(viewer) not in self.seats:
            raise ValueError(f"not seated: {viewer}")
        pile = self._pile_seen(viewer)
        deck = "*" if pile is None else ".".join(str(pile[card]) for card in self.rules.cards)
        extra = ";".join(f"{key}={value}" for key, value in sorted(self._extra().items()))
        turn, hands = self._turn_text(), self._hands_text(viewer)
        fields = (self.rules.name, self.board.text(), turn, self.phase, self.card, deck, hands)
        return " ".join((*fields, extra or "-"))

    def _pile_seen(self, viewer: str | None) -> dict[str, int] | None:
        """The draw pile, as far as a viewer can know it."""
        return self.pile

    def _turn_text(self) -> str:
        return self.turn

    def _hands_text(self, viewer: str | None) -> str:
        return "-"

    def _extra(self) -> dict[str, str]:
        return {"winner": self.winner} if self.winner else {}

    # ---- what must hold in every position that is read --------------------------------------

    def _problems(self) -> list[str]:
        problems = []
        if len(self.seats) not in self.rules.seat_counts:
            problems.append("number of seats")
        if self.turn not in self.seats:
            return [*problems, "turn of a colour that is not seated"]
        squares = []
        for colour in self.seats:
            own = [pawn for pawn in self.board.pawns if pawn.colour == colour]
            if len(own) != self.rules.pawns:
                problems.append(f"number of pawns of {colour}")
            squares += [p.square for p in own if not p.in_start() and not p.is_home()]
        if len(set(squares)) != len(squares):
            problems.append("two pawns on one square")
        if self.card not in (("-",) if self.over else self._cards_of_phase().get(self.phase, ())):
            problems.append("card or phase")
        finished = [side for side in self.sides() if self.finished(side)]
        if bool(finished) != bool(self.winner) or (self.winner and self.winner not in finished):
            problems.append("winner")
        if len(finished) > 1 and not self.rules.play_out:
            problems.append("two have finished")
        if self.over != self._decided():
            problems.append("phase")
        if not self.over and self.finished(self.side()) and not self._may_have_finished():
            problems.append("turn of a colour that has finished")
        return problems + self._pile_problems()

    def _cards_of_phase(self) -> dict[str, tuple[str, ...]]:
        """What CARD can be in each phase."""
        return {"move": (WAITING, *self.rules.cards)}

    def _may_have_finished(self) -> bool:
        """Whether the colour in turn can be one that is all Home (only with ``play_out``)."""
        return False

    def cards_out(self) -> list[str]:
        """The cards that are neither in the pile nor discarded: the one being played."""
        return [self.card] if self.card in self.rules.cards else []

    def _pile_problems(self) -> list[str]:
        whole, out = self.rules.deck_counts, self.cards_out()
        if self.pile is None:
            return [] if all(whole[card] for card in out) else ["card not in the deck"]
        for card in self.rules.cards:
            if self.pile[card] + out.count(card) > whole[card]:
                return ["draw pile"]
        return []
