"""Positions as one seat sees them, with hidden hands `?`: read such a line as that seat's view.

`position.write` writes a view's line. What it does not tell, whose the unseen cards are, changes
neither what the seat may do nor what its move leads to. Read `position.py` before this file.
"""

from __future__ import annotations

from sorry_env.errors import PositionError
from sorry_env.game import UNDRAWN, Game, View
from sorry_env.notation.position import read, write
from sorry_env.rules import LETTERS, get_ruleset

_HIDDEN = "?"
#: Places of the fields in a line.
_TURN, _PHASE, _CARD, _DECK, _HANDS, _EXTRA = 2, 3, 4, 5, 6, 7
_AGAIN = "again=1"


def hides_hands(text: str) -> bool:
    """Whether a text looks like a position's line in which a hand is hidden."""
    fields = text.split(" ")
    return len(fields) == 8 and _HIDDEN in fields[_HANDS].split("/")


def read_view(text: str) -> View:
    """The view of a line in which every hand but one is hidden.

    Raises RulesetError and PositionError as `position.read`, and PositionError where the line shows
    no hand or several, or is not what any game's view would be written as.
    """
    game, seat = complete(text)
    return game.view(seat)


def complete(text: str) -> tuple[Game, int]:
    """A game that looks like the line to the seat whose hand it shows, and that seat.

    The hidden hands are filled with unseen cards, whichever come first: nothing that the seat can
    know depends on them, and nothing may be made to.
    """
    fields = text.split(" ")
    if not hides_hands(text):
        raise PositionError(f"HANDS of {text!r} hides nothing: it is a game's own line", value=text)
    ruleset = get_ruleset(fields[0])
    hands = fields[_HANDS].split("/")
    shown = [seat for seat, hand in enumerate(hands) if hand not in (_HIDDEN, "-")]
    if len(shown) == 2:  # a hand without cards is nobody's secret
        shown = [seat for seat in shown if hands[seat]]
    if not ruleset.hand or len(hands) != len(LETTERS) or len(shown) != 1:
        raise PositionError(
            f"HANDS {fields[_HANDS]!r} must show one hand of four where others are hidden",
            value=fields[_HANDS],
        )
    # A further play was found possible when it began; cards that stand for a hidden hand need not
    # show why.
    again = fields[_EXTRA] == _AGAIN and hands[LETTERS.find(fields[_TURN])] == _HIDDEN
    if again:
        fields[_EXTRA] = "-"
    fields[_HANDS], fields[_DECK] = _deal(ruleset.card_names, ruleset.hand, fields, hands)
    game = read(" ".join(fields), seed=0)
    if again:
        game.state["again"] = 1
    if write(game.view(shown[0])) != text:
        raise PositionError(f"{text!r} is not how this view is written", value=text)
    return game, shown[0]


def _deal(
    names: tuple[str, ...], size: int, fields: list[str], hands: list[str]
) -> tuple[str, str]:
    """HANDS and DECK with the first unseen cards in the places of the hidden ones."""
    counts = fields[_DECK].split(".")
    # Of more than three digits none is a count: 0 to MAX_COUNT.
    if len(counts) != len(names) or not all(
        c.isascii() and c.isdigit() and len(c) <= 3 for c in counts
    ):
        raise PositionError(
            f"DECK {fields[_DECK]!r} must be {len(names)} counts joined by '.'", value=fields[_DECK]
        )
    unseen = [name for name, count in zip(names, counts, strict=True) for _ in range(int(count))]
    # Who has just played, or ended the game, is a card short.
    played = fields[_CARD] == UNDRAWN or fields[_PHASE] == "over"
    for seat, hand in enumerate(hands):
        if hand == _HIDDEN:
            held = size - (played and LETTERS[seat] == fields[_TURN])
            if len(unseen) < held:
                raise PositionError(
                    f"DECK {fields[_DECK]!r} has too few cards for the hidden hands",
                    value=fields[_DECK],
                )
            hands[seat], unseen = ".".join(unseen[:held]), unseen[held:]
    left = ".".join(str(unseen.count(name)) for name in names)
    return "/".join(hands), left
