"""Cards of one's own: what each does is read from the ruleset's list of effects.

Read ``cards.py``, ``way_sorry.py`` and ``fire_ice.py`` before this file.
"""

from __future__ import annotations

from .cards import Moves
from .rules_data import Effect
from .way_sorry import WayTurn


class EffectTurn(WayTurn):
    """A card that does what its effects say, each as in the edition that has it."""

    @property
    def effect(self) -> Effect:
        """What the card being played does."""
        return next(effect for effect in self.rules.effects if effect.card == self.card)

    def moves(self) -> Moves:
        """All that the effects allow, together."""
        effect, does = self.effect, self.effect.does
        moves: Moves = {}
        for word, way in (
            ("start", self.out_of_start),
            ("switch", self.switches),
            ("take", self.sorry),
            ("happy", self.happy),
            ("punish", self.punish),
            ("buddy", self.buddy),
            ("bully", self.bully),
        ):
            if word in does:
                moves |= way()
        if effect.forward:
            moves |= self.steps(effect.forward)
        if effect.backward:
            moves |= self.steps(-effect.backward)
        if "split" in does:
            moves |= self.split(effect.forward)
        return moves

    def only_switches(self, moves: Moves) -> bool:
        """No move at all, or none but switches, which are optional on any card."""
        return set(moves) <= set(self.switches() if "switch" in self.effect.does else ())
