"""A game as a viewer may see it, as JSON: the state, the legal moves.

A viewer holds some seats, or none and watches; of the hands of others he is shown the size alone,
and their cards are counted with the pile's. Read `facts.py` before and `events.py` after this file.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sorry_env.engine.state import HIDDEN
from sorry_env.express.scene import headline as dice_headline
from sorry_env.families import EXPRESS, Family, family_of
from sorry_env.game import Game, Move, View
from sorry_env.notation.squares import square_text
from sorry_env.render.words import (
    card_face,
    card_words,
    find_card,
    hand_size,
    headline,
    pile_size,
    start_name,
)
from sorry_env.rules import COLOURS

Row = dict[str, Any]


def view_for(game: Any, held: Collection[int]) -> Any:
    """What whoever holds these seats sees of a game; without any, what a watcher sees."""
    view = game.view()
    if isinstance(view, View) and view.ruleset.hand:
        record = view.state[0]
        for seat in view.seats:
            if seat in held:
                continue
            for place, card in enumerate(record["hands"][seat].tolist()):
                if card >= 0:
                    record["deck"][card] += 1
                    record["hands"][seat, place] = HIDDEN
    return view


def line_for(game: Any, held: Collection[int]) -> str:
    """The position's line for a viewer: of one of his hands alone, the one that decides first."""
    family = family_of(game.ruleset)
    if not game.ruleset.hand:
        return str(family.write(game))
    one = game.actor if game.actor in held else min(held, default=None)
    return str(family.write(view_for(game, () if one is None else (one,))))


def state_row(game: Any, held: Collection[int]) -> Row:
    """The state of a game for whoever holds these seats.

    What does not follow from the position alone (who plays, what may be taken back) is not in it.
    """
    family = family_of(game.ruleset)
    names = family.seat_names
    points = getattr(game.ruleset, "pawn_points", 0)
    row: Row = {
        "ply": game.plies,
        "ruleset": game.ruleset.name,
        "family": "express" if family is EXPRESS else "board",
        "seats": [names[seat] for seat in game.seats],
        "turn": names[game.turn],
        "actor": names[game.actor],
        "phase": game.phase,
        "card": game.card,
        "position": line_for(game, held),
        "over": game.over,
        "winners": [names[seat] for seat in game.winners],
        "ranks": {names[seat]: game.ranks[seat] for seat in game.seats},
        "points": None,
    }
    if points and game.over:
        returns = game.returns("points")
        row["points"] = {names[seat]: returns[seat] for seat in game.seats}
    decides = game.actor in held and not game.over
    row["legal"] = move_rows(game) if decides else []
    if family is EXPRESS:
        return row | _dice_row(game)
    return row | _board_row(view_for(game, held))


def _board_row(view: View) -> Row:
    hands, card = view.hands, find_card(view)
    unseen = view.unseen
    return {
        "headline": headline(view),
        "card_face": card_face(view.card) if view.card else None,
        "card_words": [] if card is None else list(card_words(card, start_name(view.ruleset))),
        "pawns": {
            COLOURS[seat]: [square_text(seat, code) for code in view.pawns[seat]]
            for seat in view.seats
        },
        "left": pile_size(view),
        "unseen": None if unseen is None else dict(
            zip(view.ruleset.card_names, unseen, strict=True)
        ),
        "hands": None if hands is None else {
            COLOURS[seat]: None if (hand := hands[seat]) is None else list(hand)
            for seat in view.seats
        },
        "hand_sizes": None if hands is None else {
            COLOURS[seat]: hand_size(view, seat) for seat in view.seats
        },
        "fire": _pawn(view.fire),
        "ice": _pawn(view.ice),
        "happy": [_pawn(pawn) for pawn in view.happy],
        "punished": [_pawn(pawn) for pawn in view.punished],
        "asked": None if view.asked is None else COLOURS[view.asked],
        "steps": view.steps,
        "again": view.again,
    }  # fmt: skip


def _dice_row(game: Any) -> Row:
    names = EXPRESS.seat_names
    dice = game.dice
    return {
        "headline": dice_headline(game),
        "homes": {names[seat]: COLOURS[game.homes[seat]] for seat in game.seats},
        "held": {names[s]: dict(zip(COLOURS, game.held[s], strict=True)) for s in game.seats},
        "pool": dict(zip(COLOURS, game.pool, strict=True)),
        "dice": [{"die": die, "face": dice.get(die)} for die in (1, 2, 3)],
    }


def _pawn(pawn: tuple[int, int] | None) -> Row | None:
    if pawn is None:
        return None
    return {"seat": COLOURS[pawn[0]], "square": square_text(*pawn)}


# -- moves ----------------------------------------------------------------------------------------


def move_rows(game: Any) -> list[Row]:
    """The legal moves, sorted by their texts; [] when the game is over or waits for a draw."""
    family = family_of(game.ruleset)
    rows = [move_row(family, game, move) for move in game.legal_moves()]
    rows.sort(key=lambda row: str(row["move"]))
    return rows


def move_row(family: Family, game: Any, move: Any) -> Row:
    """A legal move: its text, its words, and what is clicked to play it."""
    row: Row = {
        "move": family.move_text(move),
        "words": family.move_words(game, move),
        "kind": move.kind,
    }
    if not isinstance(move, Move):
        return row | {
            "die": move.die,
            "face": move.face,
            "colour": None if move.colour is None else COLOURS[move.colour],
            "seat": None if move.seat is None else family.seat_names[move.seat],
        }
    target: Row | None = None
    if move.target is not None:
        seat, code = move.target
        asks = move.kind == "ask"
        target = {"seat": COLOURS[seat], "square": None if asks else square_text(seat, code)}
    return row | {"card": move.card, "parts": _part_rows(game, move), "target": target}


def _part_rows(game: Game | View, move: Move) -> list[Row]:
    ends = game.tables.arrays.facts[0]["slide_end"]
    stays = move.kind in ("home", "advance") or (
        move.kind == "switch" and game.ruleset.switch_slides == "none"
    )
    return [
        {
            "seat": COLOURS[part.seat],
            "from": square_text(part.seat, part.start),
            "to": square_text(part.seat, part.end),
            "rest": square_text(part.seat, part.end if stays else int(ends[part.end])),
            "steps": part.steps if move.kind in ("step", "split") else None,
        }
        for part in move.parts
    ]
