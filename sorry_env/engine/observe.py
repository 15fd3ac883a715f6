"""What a seat sees, as a compact vector of small integers, and how to read it.

An observation is int8[O] from the point of view of one seat: colours follow clockwise from it, and
each pawn's code counts in its own colour's frame, so the same position looks the same from every
side of the board. `build_layout` documents every field; `decode` reads a vector back. Read
`state.py` before and `batch.py` after this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from sorry_env.engine.actions import YES_STEPS
from sorry_env.engine.jit import helper, inner
from sorry_env.engine.state import COMPANION, HOME, NOBODY, OVER, PHASES, REPLY, SEATS, UNSEATED
from sorry_env.engine.tokens import has_mark
from sorry_env.rules.ruleset import MAX_HAND, MAX_PAWNS, Ruleset

#: Changes whenever the same position would give another vector; stored with trained policies.
OBSERVATION_VERSION: Final = 1


@dataclass(frozen=True)
class Field:
    """A run of entries of the observation vector.

    name, offset, size: where it is
    low, high:          bounds of each entry, both included
    meaning:            what the entries say
    """

    name: str
    offset: int
    size: int
    low: int
    high: int
    meaning: str

    @property
    def categories(self) -> int:
        """How many values an entry can take: the width of its one-hot."""
        return self.high - self.low + 1


def build_layout(ruleset: Ruleset) -> tuple[Field, ...]:
    """The fields of a ruleset's observations, in order and without gaps."""
    cards = len(ruleset.cards)
    most = max(ruleset.counts)
    asks = any(card.question for card in ruleset.cards)
    # Phases that only other editions have are left out, so that new ones change no policy's input.
    last_phase = REPLY if asks else COMPANION if ruleset.tokens else OVER
    token = "the pawn that carries the {}: 0 none, else 1 + seats clockwise from the viewer"
    wanted = [
        (
            "pawns", SEATS * MAX_PAWNS, UNSEATED, HOME,
            "codes of the pawns of the viewer's colour and then of the colours clockwise from it, "
            "four slots each, most advanced first: -1 no such pawn, 0 Start, 1 the square before "
            "the circle, 2 the circle ... 60 the entry, 61-65 safety squares, 66 Home",
        ),
        ("turn", 1, 0, SEATS - 1, "seats clockwise from the viewer to the seat in turn"),
        ("phase", 1, 0, last_phase, "index into " + " ".join(PHASES[: last_phase + 1])),
        ("card", 1, 0, cards, "0 none or not drawn yet, else 1 + index of the card being played"),
    ]  # fmt: skip
    if not ruleset.infinite:
        where = "the draw pile and the other hands" if ruleset.hand else "the draw pile"
        wanted.append(("unseen", cards, 0, most, f"cards in {where}, by card index"))
    if ruleset.hand:
        high = min(most, ruleset.hand)
        wanted.append(("hand", cards, 0, high, "cards in the viewer's hand, by card index"))
        wanted.append(("again", 1, 0, 1, "1 in the further play after a card that gives one"))
    if ruleset.tokens:
        for name in ("fire", "ice"):
            wanted.append((f"{name}_seat", 1, 0, SEATS, token.format(name.capitalize())))
            wanted.append((f"{name}_code", 1, 0, HOME, "that pawn's code"))
    if any(card.mood for card in ruleset.cards):
        marks = SEATS * MAX_PAWNS
        wanted.append(("happy", marks, 0, 1, "1 for pawns that are happy, in the order of pawns"))
        wanted.append(("punished", marks, 0, 1, "1 for pawns that are punished, likewise"))
    if asks:
        wanted.append(("actor", 1, 0, SEATS - 1, "seats clockwise to the seat that decides"))
        wanted.append(("asked", 1, 0, SEATS, "0 nobody, else 1 + seats clockwise to the one asked"))
        wanted.append(("steps", 1, 0, YES_STEPS, "steps that the answer gives, 0 before it"))
    fields = []
    offset = 0
    for name, size, low, high, meaning in wanted:
        fields.append(Field(name, offset, size, low, high, meaning))
        offset += size
    return tuple(fields)


@helper
def relative(seat: Any, viewer: Any) -> Any:
    """0 for NOBODY, else 1 + seats clockwise from the viewer."""
    return 0 if seat == NOBODY else 1 + ((seat - viewer) & 3)


@inner
def observe_hands(facts: Any, game: Any, viewer: Any, out: Any, i: Any) -> None:
    """The viewer's hand behind the cards unseen, which the other hands are added to.

    out: int8[O]; the pile's counts end at ``i``
    """
    cards = facts["cards"]
    for card in range(cards):
        out[i + card] = 0
    for seat in range(SEATS):
        for k in range(MAX_HAND):
            card = game["hands"][seat, k]
            if card >= 0:
                out[i + card if seat == viewer else i - cards + card] += 1
    out[i + cards] = game["again"]


@inner
def observe(facts: Any, game: Any, viewer: Any, out: Any) -> None:
    """Write what ``viewer`` (an absolute seat) sees of a game.

    game: GAME record, read only
    out:  int8[O], overwritten
    """
    pawns = game["pawns"]
    i = 0
    for side in range(SEATS):
        seat = (viewer + side) & 3
        a, b, c, d = pawns[seat, 0], pawns[seat, 1], pawns[seat, 2], pawns[seat, 3]
        out[i], out[i + 1], out[i + 2], out[i + 3] = a, b, c, d
        i += MAX_PAWNS
    out[i] = (game["turn"] - viewer) & 3
    out[i + 1] = game["phase"]
    out[i + 2] = game["card"] + 1 if game["card"] >= 0 else 0
    i += 3
    if not facts["infinite"]:
        for card in range(facts["cards"]):
            out[i] = game["deck"][card]
            i += 1
    if facts["hand"]:
        observe_hands(facts, game, viewer, out, i)
    if facts["tokens"]:
        out[i] = relative(np.int64(game["fire_seat"]), viewer)
        out[i + 1] = game["fire_code"]
        out[i + 2] = relative(np.int64(game["ice_seat"]), viewer)
        out[i + 3] = game["ice_code"]
        i += 4
    if facts["moods"]:
        for c in range(SEATS):
            seat = (viewer + c) & 3
            for slot in range(MAX_PAWNS):
                code = np.int64(pawns[seat, slot])
                out[i] = has_mark(game["happy"], seat, code)
                out[i + SEATS * MAX_PAWNS] = has_mark(game["punished"], seat, code)
                i += 1
        i += SEATS * MAX_PAWNS
    if facts["asks"]:
        out[i] = (game["actor"] - viewer) & 3
        out[i + 1] = relative(np.int64(game["asked"]), viewer)
        out[i + 2] = game["steps"]


def decode(layout: Sequence[Field], observation: np.ndarray) -> Mapping[str, np.ndarray]:
    """Fields of one observation int8[O] by name, each int8[size]; `pawns` as int8[4, 4].

    Raises ValueError as `split_fields`.
    """
    parts = split_fields(layout, observation)
    parts["pawns"] = parts["pawns"].reshape(SEATS, MAX_PAWNS)
    return parts


def split_fields(layout: Sequence[Field], observation: np.ndarray) -> dict[str, np.ndarray]:
    """Fields of one observation int8[O] of any game by name, each int8[size].

    Raises ValueError where the vector has another length or an entry is out of its bounds.
    """
    total = layout[-1].offset + layout[-1].size
    if observation.shape != (total,):
        raise ValueError(f"an observation of shape {observation.shape} must be ({total},)")
    parts = {}
    for field in layout:
        part = observation[field.offset : field.offset + field.size]
        if part.min() < field.low or part.max() > field.high:
            raise ValueError(
                f"observation field {field.name} holds {part.tolist()}, not all within "
                f"{field.low} ... {field.high}"
            )
        parts[field.name] = part
    return parts


def one_hot_size(layout: Sequence[Field]) -> int:
    """Width of `one_hot`'s rows."""
    return sum(field.size * field.categories for field in layout)


def one_hot(layout: Sequence[Field], observation: np.ndarray) -> np.ndarray:
    """float32[..., one_hot_size] from int8[..., O]: each entry becomes a one-hot of its values."""
    blocks = []
    for field in layout:
        part = observation[..., field.offset : field.offset + field.size]
        hot = part[..., None] == np.arange(field.low, field.high + 1, dtype=np.int8)
        blocks.append(hot.reshape(*part.shape[:-1], -1).astype(np.float32))
    return np.concatenate(blocks, axis=-1)


class OneHot:
    """Widens compact observations and reads them back; what is known beforehand is worked out once.

    layout: fields of the compact observation; one-hot columns follow in the same order, an entry's
            values from its field's ``low`` to its ``high``
    size:   W, the width of a row
    """

    def __init__(self, layout: Sequence[Field]) -> None:
        self.layout = tuple(layout)
        self.size = one_hot_size(layout)
        columns = []
        start = 0
        for field in layout:
            for _ in range(field.size):
                columns.append(start - field.low)
                start += field.categories
        self._columns = np.array(columns, np.int64)

    def __call__(self, observation: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """float32[..., W] from int8[..., O]: a new array, or ``out``, which must be contiguous."""
        places = observation + self._columns
        if observation.ndim > 1:  # where each row begins in the array as a whole
            count = len(places.reshape(-1, len(self._columns)))
            places += (np.arange(count) * self.size).reshape(*observation.shape[:-1], 1)
        if out is None:
            out = np.zeros((*observation.shape[:-1], self.size), np.float32)
        else:
            out[...] = 0.0
        out.reshape(-1)[places.reshape(-1)] = 1.0
        return out

    def decode(self, wide: np.ndarray) -> np.ndarray:
        """int8[..., O], the compact observations that float32[..., W] were made from.

        Raises ValueError where the width is another or an entry is not one 1 among 0s.
        """
        if wide.shape[-1] != self.size:
            raise ValueError(f"a one-hot observation of width {wide.shape[-1]} must be {self.size}")
        parts = []
        start = 0
        for field in self.layout:
            end = start + field.size * field.categories
            block = wide[..., start:end].reshape(*wide.shape[:-1], field.size, field.categories)
            if not (((block == 0) | (block == 1)).all() and (block.sum(axis=-1) == 1).all()):
                raise ValueError(f"one-hot field {field.name} does not hold one 1 for each entry")
            parts.append((block.argmax(axis=-1) + field.low).astype(np.int8))
            start = end
        return np.concatenate(parts, axis=-1)
