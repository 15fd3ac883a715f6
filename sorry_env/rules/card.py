"""What one kind of card can do: the frozen value `Card`, checked when built.

Read `seats.py` before and `ruleset.py` after this file.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from sorry_env.errors import RulesetError

#: Steps from the own circle to Home, and from Home's first step before it: no card goes further.
MAX_STEPS = 64
#: At most this many cards of one kind (a record counts them in one signed byte).
MAX_COUNT = 100
#: What the texts of other choices than a card's moves begin with.
PHASE_WORDS = ("fire", "ice", "token", "home", "ask", "answer")


@dataclass(frozen=True)
class Card:
    """What one kind of card can do. Every flag adds moves; a card that can do nothing is refused.

    name:     text of the card in moves and positions (no spaces)
    forward:  steps forward with one pawn, 0 for none
    backward: steps backward with one pawn, 0 for none
    start:    may take a pawn out of Start onto its circle
    split:    the forward steps may be divided between two pawns on the board
    switch:   may exchange an own pawn with an opponent's on the outer track (always optional)
    take:     may move a pawn from Start onto the square of an opponent's pawn
    again:    the seat draws again, even if the card could not be played (from a hand, plays
              again, if the card was moved)
    ice:      whoever draws it must first place the Ice
    fire:     whoever draws it may first take the Fire
    question: whoever draws it asks an opponent, and both move by the answer; does nothing else
    happy:    makes an own pawn on the track happy: nothing can touch it until its owner's next turn
    punish:   punishes an opponent's pawn on the track: its owner's next turn cannot move it
    buddy:    moves an own pawn on the track to a free square beside the nearest other pawn
    bully:    moves an own pawn on the track onto the nearest opponent's pawn
    repeat:   a take is repeated until Start is empty or no target is left
    copies:   how many are in the deck, for cards that the deck's name or counts leave out

    Raises RulesetError, naming the field, for a value out of its bounds, and for flags whose moves
    could not be told from each other or have no rule together.
    """

    name: str
    forward: int = 0
    backward: int = 0
    start: bool = False
    split: bool = False
    switch: bool = False
    take: bool = False
    again: bool = False
    ice: bool = False
    fire: bool = False
    question: bool = False
    happy: bool = False
    punish: bool = False
    buddy: bool = False
    bully: bool = False
    repeat: bool = False
    copies: int = 0

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and self.name.isascii() and self.name.isalnum()):
            raise RulesetError(
                f"card name {self.name!r} must be letters and digits only", value=self.name
            )
        if self.name in PHASE_WORDS:
            raise RulesetError(
                f"card name {self.name!r} must be none of {', '.join(PHASE_WORDS)}, with which the "
                "choices of phases begin",
                value=self.name,
            )
        for what in ("forward", "backward"):
            steps = getattr(self, what)
            if type(steps) is not int or not 0 <= steps <= MAX_STEPS - 5:
                raise RulesetError(
                    f"card {self.name}: {what}={steps!r} must be an int from 0 to {MAX_STEPS - 5}",
                    value=steps,
                )
        for flag in _CARD_FLAGS:
            value = getattr(self, flag)
            if type(value) is not bool:
                raise RulesetError(
                    f"card {self.name}: {flag}={value!r} must be true or false", value=value
                )
        if self.forward and self.forward + self.backward == 60:
            raise RulesetError(
                f"card {self.name}: forward {self.forward} and backward {self.backward} reach the "
                "same square of the 60; they would be one move with two meanings",
                value=(self.forward, self.backward),
            )
        if self.split and self.forward < 2:
            raise RulesetError(
                f"card {self.name}: only a forward move of 2 or more can be split, not "
                f"{self.forward}",
                value=self.forward,
            )
        moves = any((self.forward, self.backward, self.start, self.switch, self.take, self.mood))
        if type(self.copies) is not int or not 0 <= self.copies <= MAX_COUNT:
            raise RulesetError(
                f"card {self.name}: copies={self.copies!r} must be an int from 0 to {MAX_COUNT}",
                value=self.copies,
            )
        if not (moves or self.question):
            raise RulesetError(f"card {self.name} can do nothing", value=self.name)
        steps = self.forward or self.backward
        for refused, reason in (
            (
                self.question and (moves or self.ice or self.fire),
                "a question card does nothing else",
            ),
            (self.ice and self.fire, "ice and fire are of two cards: each comes before its move"),
            (
                self.repeat and (not self.take or steps or self.start or self.switch or self.mood),
                "repeat is for a card that only takes",
            ),
            (self.switch and self.bully, "switch and bully would be written alike"),
            (self.buddy and steps, "buddy and steps would be written alike"),
            (
                self.bully and 1 in (self.forward, self.backward),
                "bully and a single step would be named alike",
            ),
        ):
            if refused:
                raise RulesetError(f"card {self.name}: {reason}", value=self.name)

    @property
    def mood(self) -> bool:
        """Whether the card is one of the four that happy and punished pawns come with."""
        return self.happy or self.punish or self.buddy or self.bully


_CARD_FLAGS = tuple(f.name for f in fields(Card) if f.type == "bool")
