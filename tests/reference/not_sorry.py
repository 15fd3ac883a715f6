"""Not Sorry! (edition ``not-sorry``): classic with question cards.

Read ``reference.py`` before this file. When the answer is left to a coin it is chance, like a
draw: ``draws`` and ``draw`` then speak of ``yes`` and ``no``. No record shows that position, whose
text is here the one where the opponent answers.
"""

from __future__ import annotations

from fractions import Fraction

from .cards import Moves
from .reading import letter
from .reference import ReferenceGame
from .rules_data import NAMES

STEPS = {"yes": 6, "no": 3}


class QuestionGame(ReferenceGame):
    """On a Q: ``ask``, ``answer``, the asker's steps (``move``), the other's (``reply``)."""

    asked: str | None = None
    steps: int | None = None

    # ---- text -----------------------------------------------------------------------------

    def _turn_text(self) -> str:
        """Where another one decides, the seat in turn and that one."""
        return f"{self.turn}>{self.asked}" if self.phase in ("answer", "reply") else self.turn

    def _extra(self) -> dict[str, str]:
        """From the answer until the reply is played: who was asked, and how many steps."""
        extra = super()._extra()
        if self.phase in ("move", "reply") and self.steps is not None:
            extra |= {"asked": str(self.asked), "steps": str(self.steps)}
        return extra

    def _read(self, turn: str, hands: str, extra: dict[str, str]) -> None:
        super()._read(turn, hands, extra)
        self.asked = extra.get("asked") or turn.partition(">")[2] or None
        self.steps = {"6": 6, "3": 3}.get(extra.get("steps", ""))

    def _cards_of_phase(self) -> dict[str, tuple[str, ...]]:
        questions = self.rules.that("question")
        phases = dict.fromkeys(("ask", "answer", "reply"), questions)
        return {**super()._cards_of_phase(), **phases}

    def _asks(self) -> bool:
        """Whether the card being played is a question."""
        return self.card in self.rules.that("question")

    def _may_have_finished(self) -> bool:
        return self.phase == "reply"

    def _problems(self) -> list[str]:
        problems = super()._problems()
        answered = self._asks() and self.phase in ("move", "reply")
        if answered != (self.steps is not None):
            problems.append("steps")
        named = answered or self.phase == "answer"
        if named != (self.asked is not None) or self.asked == self.turn:
            problems.append("asked")
        if self.asked is not None and self.asked not in self.seats:
            problems.append("asked a colour that is not seated")
        return problems

    # ---- the question -----------------------------------------------------------------------

    def _drawn(self, card: str) -> ReferenceGame:
        if card in self.rules.that("question"):
            return self._but(card=card, phase="ask")
        return super()._drawn(card)

    def _decisions(self) -> Moves:
        if self.phase == "ask":
            others = [seat for seat in self.seats if seat != self.turn]
            return {f"ask:{NAMES[seat]}": self.board for seat in others}
        if self.phase == "answer":
            return {"answer:yes": self.board, "answer:no": self.board}
        if self._asks():
            mover = self.asked if self.phase == "reply" else self.turn
            assert mover is not None
            assert self.steps is not None
            # One pawn, forward, by the normal rules, nobody from Start; who cannot move skips.
            moves = self.turn_class(self.rules, self.board, mover, self.card).steps(self.steps)
            return moves or {"pass": self.board}
        return super()._decisions()

    def _played(self, move: str) -> ReferenceGame:
        word = move.partition(":")[2]
        if self.phase == "ask":
            return self._but(phase="answer", asked=letter(word))
        if self.phase == "answer":
            return self._answered(word)
        return super()._played(move)

    def _answered(self, word: str) -> ReferenceGame:
        """Yes: both move 6, no: both move 3, the asker first."""
        return self._but(phase="move", steps=STEPS[word])

    def _card_done(self, move: str) -> ReferenceGame:
        """After the asker's steps the other one's, then the card is done."""
        if self._asks() and self.phase == "move":
            return self._but(phase="reply")
        return super(QuestionGame, self._but(asked=None, steps=None))._card_done(move)

    # ---- the coin ---------------------------------------------------------------------------

    @property
    def waiting(self) -> bool:
        """A draw is due, or the coin that answers."""
        return super().waiting or self._coin_is_due()

    def _coin_is_due(self) -> bool:
        return self.phase == "answer" and self.rules.answers == "coin"

    def draws(self) -> dict[str, Fraction]:
        """The cards that can come, or the answers: yes with the chance ``p_yes``."""
        if not self._coin_is_due():
            return super().draws()
        chance = Fraction(self.rules.p_yes)
        return {word: p for word, p in (("yes", chance), ("no", 1 - chance)) if p}

    def draw(self, card: str) -> ReferenceGame:
        """That card is drawn, or that answer given."""
        if not self._coin_is_due():
            return super().draw(card)
        if card not in self.draws():
            raise ValueError(f"no such answer here: {card!r}")
        return self._answered(card)
