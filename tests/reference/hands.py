"""Cards in the hand (editions ``points`` and ``points-1939``).

Read ``reference.py`` before this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .cards import Moves
from .reading import by_colour, letter
from .reference import ReferenceGame
from .rules_data import NAMES
from .state import WAITING


class HandGame(ReferenceGame):
    """Each player holds cards, chooses one of them and a move for it, and replaces it.

    The player who has just played keeps the turn with one card less until the replacement is
    drawn; that draw passes the turn.
    """

    hands: Mapping[str, list[str]] = MappingProxyType({})
    again = False  # a further play after a 2 that was moved

    # ---- the deal and the text --------------------------------------------------------------

    def _deal(self, hands: dict[str, list[str]] | None) -> ReferenceGame:
        """The game begins with the deal done; the pile is what is left."""
        if hands is None or {letter(name) for name in hands} != set(self.seats):
            raise ValueError("the hands of exactly the seated colours are needed")
        dealt = {letter(name): self._in_order(cards) for name, cards in hands.items()}
        game = self._but(hands=dealt, card="-")
        if self.pile is not None:
            out = game.cards_out()
            left = {card: count - out.count(card) for card, count in self.pile.items()}
            game = game._but(pile=left)
        if any(len(hand) != self.rules.hand for hand in dealt.values()):
            raise ValueError(f"hands of {self.rules.hand} are needed")
        if game.pile is not None and min(game.pile.values()) < 0:
            raise ValueError("the deck has not got these cards")
        if game.pile is None and not all(self.rules.deck_counts[c] for c in game.cards_out()):
            raise ValueError("the deck has not got these cards")
        return game

    def _in_order(self, cards: list[str]) -> list[str]:
        return sorted(cards, key=self.rules.cards.index)

    def _read(self, turn: str, hands: str, extra: dict[str, str]) -> None:
        self.again = extra.get("again") == "1"
        parts = {colour: part for colour, part in by_colour(hands) if colour in self.seats}
        self.hands = {colour: part.split(".") if part else [] for colour, part in parts.items()}
        if not set(self.cards_out()) <= set(self.rules.cards):
            raise ValueError(f"no hands: {hands!r}")

    def _hands_text(self, viewer: str | None) -> str:
        """Per colour its cards in card order; for a viewer the hands of others are hidden."""
        parts = []
        for colour in NAMES:
            if colour not in self.seats:
                parts.append("-")
            elif viewer is None or colour == letter(viewer):
                parts.append(".".join(self._in_order(self.hands[colour])))
            else:
                parts.append("?")
        return "/".join(parts)

    def _pile_seen(self, viewer: str | None) -> dict[str, int] | None:
        """A viewer cannot tell the cards of the pile from those that others hold."""
        if viewer is None or self.pile is None:
            return self.pile
        seen = dict(self.pile)
        for colour, hand in self.hands.items():
            for card in hand if colour != letter(viewer) else ():
                seen[card] += 1
        return seen

    def _extra(self) -> dict[str, str]:
        return {**super()._extra(), **({"again": "1"} if self.again else {})}

    # ---- what must hold in a position that is read -------------------------------------------

    def _cards_of_phase(self) -> dict[str, tuple[str, ...]]:
        return {"move": (WAITING, "-")}

    def _may_have_finished(self) -> bool:
        return self.waiting

    def cards_out(self) -> list[str]:
        """No card is in play, but those in the hands are in no pile."""
        return [card for hand in self.hands.values() for card in hand]

    def _problems(self) -> list[str]:
        problems = super()._problems()
        for colour, hand in self.hands.items():
            missing = 1 if colour == self.turn and (self.waiting or self.over) else 0
            if len(hand) != self.rules.hand - missing:
                problems.append(f"cards of {colour}")
        if not problems and self.again:
            if self.over or self.finished(self.side()) or not (self.waiting or self._plays()[0]):
                problems.append("again")
        return problems

    # ---- playing ----------------------------------------------------------------------------

    def _plays(self) -> tuple[Moves, bool]:
        """All moves that the cards of the hand allow, and whether one of them must be made.

        One must if some card has a legal move; an 11 that can only switch does not count.
        """
        every: Moves = {}
        must = False
        for card in set(self.hands[self.turn]):
            turn = self.turn_class(self.rules, self.board, self.turn, card)
            moves = turn.moves()
            every |= moves
            must = must or not turn.only_switches(moves)
        return every, must

    def _decisions(self) -> Moves:
        """A card of the hand and a move for it; only if no card has one, any card is discarded."""
        moves, must = self._plays()
        if not must:
            for card in set(self.hands[self.turn]):
                moves[f"{card}:discard"] = self.board
        return moves

    def _played(self, move: str) -> ReferenceGame:
        """The card leaves the hand. The game ends before the last card is replaced."""
        hand = list(self.hands[self.turn])
        hand.remove(move.partition(":")[0])
        after = self._but(hands={**self.hands, self.turn: hand}, again=False)
        return super(HandGame, after)._played(move)

    def _card_done(self, move: str) -> ReferenceGame:
        """The replacement is due. A 2 that was moved gives another play after it."""
        card, _, action = move.partition(":")
        moved_again = card in self.rules.draw_again and action != "discard"
        return self._but(card=WAITING, again=moved_again and not self.finished(self.side()))

    def _drawn(self, card: str) -> ReferenceGame:
        """The card joins the hand. Another play is had if some card can be played now."""
        hand = [*self.hands[self.turn], card]
        after = self._but(hands={**self.hands, self.turn: hand}, card="-")
        if after.again and after._plays()[0]:
            return after
        return after._but(again=False)._turn_done()

    def _turn_begins(self) -> ReferenceGame:
        """A turn begins with the choice of a card."""
        return self._but(card="-")
