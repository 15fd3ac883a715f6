"""What a ruleset and its board are, as JSON: names, cards, house rules, where everything lies.

Read `../families.py` and `../render/leaf.py` before and `shown.py` after this file.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from sorry_env.engine.geometry import outer_square
from sorry_env.engine.state import CIRCLE, ENTRY
from sorry_env.errors import RulesetError
from sorry_env.families import BOARD, EXPRESS, FAMILIES, Family, family_of
from sorry_env.render.layout import GRID, SAFETY, TRACK, Layout, Nest, middle, side_of
from sorry_env.render.leaf import Leaf, picture_layout
from sorry_env.render.words import card_face, card_words, start_name
from sorry_env.rules import COLOURS, RULESETS, Ruleset

Row = dict[str, Any]

#: One line on each published ruleset.
WORDS: Final = {
    "classic": "four pawns each, 45 cards",
    "first-edition": "44 cards, a diamond before each Start",
    "waddingtons": "five of every card",
    "quick": "one pawn each begins on the board",
    "teams": "four players, partners sit opposite",
    "teams-two": "two players with two colours each",
    "points-1939": "a hand of five cards, the scores of 1939",
    "points": "a hand of five cards, played for points",
    "fire-and-ice": "three pawns each, Fire that hurries and Ice that holds",
    "not-sorry": "question cards, answered by a coin or by the one asked",
    "bump-em": "cars on a clover leaf with turbo squares",
    "way-sorry": "happy, punished, buddy and bully cards",
    "duel-1": "two players, one pawn each, an endless deck",
    "duel-2": "two players, two pawns each, an endless deck",
    "duel-3": "two players, three pawns each, an endless deck",
    "solo": "alone, in as few cards as possible",
    "express": "the dice game: gather four pawns of your Home colour",
}

#: House rules that a page offers: field, what it can be, words. Others can be named as text.
_OPTIONS: Final[tuple[tuple[str, Row], ...]] = (
    ("play_out", {"kind": "bool", "words": "play on until all but one have finished"}),
    ("pawns", {"kind": "int", "min": 1, "max": 4, "words": "pawns of each colour"}),
    ("on_circle", {"kind": "int", "min": 0, "max": 1, "words": "pawns that begin on the circle"}),
    ("switch_slides", {"kind": "choice", "choices": ["mover", "both", "none"],
                       "words": "who slides after an 11 has switched two pawns"}),
    ("deck", {"kind": "choice", "choices": ["standard", "first_edition", "waddingtons", "infinite"],
              "words": "the deck"}),
    ("hand", {"kind": "int", "min": 0, "max": 7, "words": "cards in each hand; 0 to draw one"}),
    ("winner_counts", {"kind": "choice", "choices": ["opponents_not_home", "opponents_home"],
                       "words": "whose pawns give the winner points"}),
    ("questions", {"kind": "int", "min": 0, "max": 20, "words": "question cards in the deck"}),
    ("answers", {"kind": "choice", "choices": ["coin", "player"], "words": "who answers"}),
    ("p_yes", {"kind": "number", "min": 0, "max": 1, "words": "chance that the coin says yes"}),
)  # fmt: skip

#: House rules that mean nothing without another one.
_ONLY_WITH: Final = {
    "winner_counts": "pawn_points", "answers": "questions", "p_yes": "questions",
}  # fmt: skip


def all_facts() -> list[Row]:
    """The facts of every published ruleset, the dice game last."""
    return [ruleset_facts(name) for name in (*RULESETS, *FAMILIES)]


@lru_cache(maxsize=64)
def ruleset_facts(name: str) -> Row:
    """What a page must know of a ruleset. RulesetError for a name that is none."""
    family = family_of(name)
    rules = family.resolve(name)
    facts: Row = {
        "name": rules.name,
        "family": "express" if family is EXPRESS else "board",
        "words": WORDS.get(name.partition("?")[0], "a ruleset of one's own"),
        "seat_counts": list(rules.seat_counts if family is EXPRESS else rules.seat_choices),
        "seat_names": list(family.seat_names),
        "usual_seats": _usual_seats(family, rules),
        "teams": rules.teams,
        "hand": rules.hand,
        "pawns": rules.pawns,
    }
    if family is EXPRESS:
        return facts | {"dice": list(rules.dice), "cards": [], "options": []}
    return facts | _board_facts(rules)


def _usual_seats(family: Family, rules: Any) -> dict[str, list[str]]:
    counts = rules.seat_counts if family is EXPRESS else rules.seat_choices
    return {
        str(count): [family.seat_names[seat] for seat in family.choose_seats(rules, count)]
        for count in counts
    }


def _board_facts(rules: Ruleset) -> Row:
    plain = ("turbo", "diamond", "switch_slides", "play_out", "deck", "questions", "answers",
             "p_yes", "pawn_points", "winner_counts")  # fmt: skip
    return {
        **{field: getattr(rules, field) for field in plain},
        "tokens": rules.tokens,
        "slides": [list(slide) for slide in rules.slides],
        "bonuses": list(rules.bonuses),
        "start_name": start_name(rules),
        "cards": [
            {
                "name": card.name,
                "face": card_face(card.name),
                "count": count,
                "words": list(card_words(card, start_name(rules))),
            }
            for card, count in zip(rules.cards, rules.counts, strict=True)
        ],
        "options": _options(rules),
    }


def _options(rules: Ruleset) -> list[Row]:
    """The house rules that this ruleset allows to be changed, each from what it is now."""
    rows = []
    for field, about in _OPTIONS:
        now = getattr(rules, field)
        row: Row = {"field": field, "value": now, **about}
        if not getattr(rules, _ONLY_WITH.get(field, "cards")):
            continue
        if about["kind"] == "choice":
            row["choices"] = [v for v in about["choices"] if v == now or _allowed(rules, field, v)]
            useful = len(row["choices"]) > 1
        elif about["kind"] == "bool":
            useful = _allowed(rules, field, not now)
        else:
            numbers = range(about["min"], about["max"] + 1)
            fits = [n for n in numbers if n == now or _allowed(rules, field, type(now)(n))]
            row |= {"min": min(fits, default=0), "max": max(fits, default=0)}
            useful = len(fits) > 1
        if useful:
            rows.append(row)
    return rows


def _allowed(rules: Ruleset, field: str, value: Any) -> bool:
    try:
        changed = replace(rules, **{field: value})
    except RulesetError:
        return False
    return bool(getattr(changed, field) == value)


# -- the board ------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def board(name: str) -> Row:
    """Where everything lies on the board of a ruleset, in units of the 16 x 16 grid.

    Raises RulesetError for a name that is none, or that has no board.
    """
    if family_of(name) is not BOARD:
        raise RulesetError(f"{name} has no board", value=name)
    layout = picture_layout(BOARD.resolve(name))
    return {
        "grid": GRID,
        "shape": "leaf" if isinstance(layout, Leaf) else "grid",
        "squares": [
            {**_square(layout, n), "side": COLOURS[side_of(n)]} for n in range(TRACK)
        ],
        "safety": {
            colour: [_lane(layout, seat, place) for place in range(SAFETY)]
            for seat, colour in enumerate(COLOURS)
        },
        "starts": {c: _nest(n) for c, n in zip(COLOURS, layout.starts, strict=True)},
        "homes": {c: _nest(n) for c, n in zip(COLOURS, layout.homes, strict=True)},
        "slides": [
            {"seat": COLOURS[slide.colour], "squares": list(slide.squares)}
            for slide in layout.slides
        ],
        "diamonds": list(layout.diamonds),
        "turbos": list(layout.turbos),
        "circles": {c: outer_square(seat, CIRCLE) for seat, c in enumerate(COLOURS)},
        "entries": {c: outer_square(seat, ENTRY) for seat, c in enumerate(COLOURS)},
    }  # fmt: skip


def _square(layout: Layout, number: int) -> Row:
    if isinstance(layout, Leaf):
        return _tile(layout.tiles[number].middle, layout.tiles[number].corners)
    return _cell(*layout.track[number])


def _lane(layout: Layout, seat: int, place: int) -> Row:
    if isinstance(layout, Leaf):
        tile = layout.lanes[seat][place]
        return _tile(tile.middle, tile.corners)
    return _cell(*layout.safety[seat][place])


def _cell(column: int, row: int) -> Row:
    corners = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
    return _tile(middle((column, row)), corners)


def _tile(at: tuple[float, float], corners: Any) -> Row:
    return {"at": _point(at), "corners": [_point(corner) for corner in corners]}


def _nest(nest: Nest) -> Row:
    return {
        "centre": _point(nest.centre),
        "radius": nest.radius,
        "spots": [_point(spot) for spot in nest.spots],
        "label": _point(nest.label),
    }


def _point(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 4), round(point[1], 4)]
