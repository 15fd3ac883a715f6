"""The words that all pictures share: who is to do what, what a card does, where the tokens are.

Read `snapshot.py` before and `scene.py` after this file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sorry_env.render.layout import place_name
from sorry_env.render.snapshot import WAITING, Pawn, Snapshot
from sorry_env.rules import COLOURS, LETTERS

if TYPE_CHECKING:
    from sorry_env.rules import Card, Ruleset

#: Names on cards, where they differ from the name in move texts.
FACES = {
    "S": "Sorry!",
    "B": "Bump",
    "Q": "Question",
    "HAPPY": "Happy",
    "PUNISH": "Punish",
    "BUDDY": "Buddy",
    "BULLY": "Bully",
    "WAY": "Way Sorry!",
}


def colour_name(colour: int) -> str:
    """`Red`, `Blue`, `Yellow` or `Green`."""
    return COLOURS[colour].capitalize()


def letter(colour: int) -> str:
    """The capital letter that stands on a colour's pawns."""
    return LETTERS[colour].upper()


def start_name(ruleset: Ruleset) -> str:
    """What the edition calls Start: cars come out of pit row."""
    return "Pit row" if ruleset.turbo else "Start"


def headline(view: Snapshot) -> str:
    """Who has won, or who is to do what."""
    if view.over:
        names = " and ".join(colour_name(c) for c in view.winners)
        return f"{names} {'win' if len(view.winners) > 1 else 'wins'}"
    turn, actor = colour_name(view.turn), colour_name(view.actor)
    if view.phase == "answer":
        coin = view.ruleset.answers == "coin"
        return f"{'The coin' if coin else actor} answers {turn}'s question"
    if view.phase in _DECISIONS:
        return f"{actor} {_DECISIONS[view.phase]}"
    if view.card == WAITING:
        return f"{turn} draws"
    if view.steps:
        return f"{actor} moves {view.steps}"
    if view.actor != view.turn:
        return f"{turn}'s turn, {actor} decides"
    return f"{turn} plays again" if view.again else f"{turn} to play"


#: What is decided in the phases that have no move of a card.
_DECISIONS = {
    "fire": "may advance the Fire",
    "ice": "places the Ice",
    "token": "may take the Fire",
    "home": "takes a pawn Home too",
    "ask": "asks a question",
}


def leading_colour(view: Snapshot) -> int:
    """The colour that the headline speaks of."""
    if view.over:
        return view.winners[0]
    return view.actor if view.phase in ("answer", "reply") else view.turn


def find_card(view: Snapshot) -> Card | None:
    """The card being played, None where there is none or it is still to be drawn."""
    return next((card for card in view.ruleset.cards if card.name == view.card), None)


def card_face(name: str) -> str:
    """The large text on a card."""
    return FACES.get(name, name)


def card_words(card: Card, start: str = "Start") -> tuple[str, ...]:
    """What a card does in a few short lines, from its data alone.

    start: what the edition calls Start
    """
    if card.question:
        return ("ask a rival:", "yes or no?", "then both move")
    wanted = (
        (card.start, f"leave {start}"),
        (card.take, f"leave {start} for a rival's square"),
        (card.forward, f"forward {card.forward}"),
        (card.split, f"split the {card.forward}"),
        (card.backward, f"back {card.backward}"),
        (card.switch, "switch places"),
        (card.happy, "make a pawn happy"),
        (card.punish, "punish a rival's pawn"),
        (card.buddy, "join the nearest pawn"),
        (card.bully, "bump the nearest rival"),
    )
    choices = [words for here, words in wanted if here]
    lines = ["place the Ice"] if card.ice else []
    lines += ["take Fire or not"] if card.fire else []
    first = "then " if lines else ""
    lines += [f"{'or ' if i else first}{choice}" for i, choice in enumerate(choices)]
    lines += ["as often as possible"] if card.repeat else []
    return (*lines, "then draw again") if card.again else tuple(lines)


def hand_size(view: Snapshot, seat: int) -> int:
    """How many cards a seat holds; of a hidden hand this follows from the rules.

    The seat in turn has one less while a card is drawn for it, and when the game is over.
    """
    if view.hands is None:
        return 0
    hand = view.hands[seat]
    if hand is not None:
        return len(hand)
    played = view.over or view.card == WAITING
    return view.ruleset.hand - (1 if played and seat == view.turn else 0)


def pile_size(view: Snapshot) -> int | None:
    """Cards left in the pile, None if it is infinite."""
    if view.unseen is None:
        return None
    hidden = [s for s in view.seats if view.hands is not None and view.hands[s] is None]
    return sum(int(n) for n in view.unseen) - sum(hand_size(view, seat) for seat in hidden)


def token_words(view: Snapshot) -> tuple[str, ...]:
    """Where the Fire and the Ice are; () in rulesets without them."""
    if not view.ruleset.tokens:
        return ()
    return tuple(
        f"{name}: {'off the board' if pawn is None else _owner(pawn)}"
        for name, pawn in (("Fire", view.fire), ("Ice", view.ice))
    )


def mood_words(view: Snapshot) -> tuple[str, ...]:
    """Which pawns are happy and which are punished; () where none is."""
    pairs = (("happy", view.happy), ("punished", view.punished))
    return tuple(f"{_owner(pawn)} is {mood}" for mood, pawns in pairs for pawn in pawns)


def marked_pawns(view: Snapshot) -> dict[Pawn, str]:
    """The pawns that carry something, each in the three characters that `ansi.py` tells of."""
    texts: dict[Pawn, str] = {}
    if view.fire is not None:
        texts[view.fire] = f"{{{letter(view.fire[0])}}}"
    if view.ice is not None:
        left = "{" if view.ice == view.fire else "["
        texts[view.ice] = f"{left}{letter(view.ice[0])}]"
    for pawn in view.happy:
        texts[pawn] = f":{letter(pawn[0])})"
    for pawn in view.punished:
        texts[pawn] = f"{texts.get(pawn, '(')[0]}{letter(pawn[0])}!"
    return texts


def mark_words(view: Snapshot) -> str:
    """A short line on what the marks of pawns mean and where they are; "" without any."""
    texts = marked_pawns(view)
    if view.ruleset.tokens:
        return "  ".join(
            f"{name} {'off' if pawn is None else f'{texts[pawn]} {place_name(*pawn)}'}"
            for name, pawn in (("Fire", view.fire), ("Ice", view.ice))
        )
    legend = ((view.happy, ": happy"), (view.punished, "! punished"))
    return "  ".join(words for pawns, words in legend if pawns)


def _owner(pawn: Pawn) -> str:
    return f"{colour_name(pawn[0])}'s pawn on {place_name(*pawn)}"
