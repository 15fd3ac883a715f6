"""A record as a row of pictures with words: what the files of a story are made of.

A picture shows the position of a decision, its card included, with the move that is played there
marked on it; the last one shows the end. Read `analysis.py` before and `svg.py`, `gif.py` and
`html.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sorry_env.errors import RequestError
from sorry_env.families import BOARD, family_of
from sorry_env.notation.record import Record
from sorry_env.render.shapes import INK, TONES, Shape
from sorry_env.render.words import card_face
from sorry_env.replay.analysis import Analysis, Swing
from sorry_env.replay.judge import CHANCE
from sorry_env.terminal import terminal_text


@dataclass(frozen=True)
class Frame:
    """One picture.

    shapes: in board units, in the order they are painted
    seat:   who decides; at the end who has won, or was in turn
    tone:   the colour of its words
    who:    in words; card: what it plays with, as it stands on the card, "" for dice
    move:   its text, "" at the end; words: in words
    still:  whether nothing moves: a pass
    """

    shapes: tuple[Shape, ...]
    seat: int
    tone: str
    who: str
    card: str
    move: str
    words: str
    still: bool = False


@dataclass(frozen=True)
class Story:
    """A record ready to be drawn.

    title, players, result: lines for its head
    frames: one for each decision, then the end
    names:  of the seats by number, in words
    analysis: what a bot says of it, or None
    """

    title: str
    players: str
    result: str
    frames: tuple[Frame, ...]
    names: tuple[str, ...]
    analysis: Analysis | None = None

    @property
    def unit(self) -> str | None:
        """What the analysis counts values in; None without values."""
        return None if self.analysis is None else self.analysis.unit

    def side_name(self, side: int) -> str:
        """The seats of a side in words."""
        assert self.analysis is not None
        return " and ".join(self.names[seat] for seat in self.analysis.sides[side])


def tell(record: Record, analysis: Analysis | None = None) -> Story:
    """The story of a record.

    Raises RequestError for an analysis of another game.
    """
    header, end = record.header, record.end
    if analysis is not None and [p.move for p in analysis.plies] != [
        row["move"] for row in record.moves
    ]:
        raise RequestError("the analysis is of another game", value=header["id"])
    family = family_of(header["ruleset"])
    names = tuple(seat_words(family, name) for name in family.seat_names)
    frames = []
    games = list(record.games())
    last = None
    for row, game in zip(record.moves, games, strict=False):
        move = family.parse_move(game, row["move"])
        # On the board the move to come is shown; the dice game writes down the one before.
        view = game.view()
        if family is BOARD:
            shapes = family.scene(view, next_move=move)
        else:
            shapes = tuple(family.scene(view, last))
        frames.append(
            Frame(
                shapes=shapes,
                seat=game.actor,
                tone=tone_of(family, game.actor),
                who=names[game.actor],
                card=card_face(game.card) if game.card and family is BOARD else "",
                move=row["move"],
                words=family.move_words(game, move),
                still=move.kind == "pass",
            )
        )
        last = move
    final = games[-1]
    winners = " and ".join(names[seat] for seat in final.winners)
    lead = final.winners[0] if final.winners else final.turn
    result = _result(winners, len(final.winners), end)
    frames.append(
        Frame(
            shapes=tuple(family.scene(final.view(), None if family is BOARD else last)),
            seat=lead,
            tone=tone_of(family, lead),
            who=winners or names[final.turn],
            card="",
            move="",
            words=result,
        )
    )
    players = ", ".join(
        f"{seat_words(family, name)}: {player}" for name, player in header["players"].items()
    )
    title = header["id"] or header["ruleset"]
    if not title.startswith(header["ruleset"]):
        title = f"{header['ruleset']}, {title}"
    # Pictures and pages hold no control characters: XML has none, and files are printed, too.
    title, players = terminal_text(title), terminal_text(players)
    return Story(title, players, result, tuple(frames), names, analysis)


def seat_words(family: Any, name: str) -> str:
    """What a seat is called in words: `Red`, or `Player 0`."""
    return name.capitalize() if family is BOARD else f"Player {name}"


def tone_of(family: Any, seat: int) -> str:
    """The colour of a seat's words on paper; in the dice game seats have none of their own."""
    return TONES[seat].text if family is BOARD else INK


def _result(winners: str, count: int, end: dict[str, Any]) -> str:
    plies = f"{end['plies']} decision{'' if end['plies'] == 1 else 's'}"
    if end["reason"] == "win":
        counted = ""
        if any(abs(value) > 1 for value in end["returns"].values()):  # points, not a win's +1
            points = [f"{name} {value:g}" for name, value in end["returns"].items()]
            counted = f"; points: {', '.join(points)}"
        return f"{winners} {'win' if count > 1 else 'wins'} after {plies}{counted}"
    return f"{end['reason']} after {plies}"


def common_start(frames: Sequence[Frame]) -> int:
    """How many shapes all frames begin with: what need be drawn once only."""
    first = frames[0].shapes
    count = min(len(frame.shapes) for frame in frames)
    for frame in frames[1:]:
        shared = 0
        while shared < count and frame.shapes[shared] == first[shared]:
            shared += 1
        count = shared
    return count


def change_words(change: float, unit: str | None) -> str:
    """A change of a value in words: `+12.3 %`, `-4.0 steps`, `0.0 %`."""
    number = 100 * change if unit == CHANCE else change
    text = "0.0" if abs(number) < 0.05 else f"{number:+.1f}"
    return f"{text} {'%' if unit == CHANCE else 'steps'}"


def swing_words(story: Story, swing: Swing) -> str:
    """What happened in a swing: `draws 7`, or `plays 7:12-19, better 7:4-11`."""
    ply = swing.ply
    if swing.kind == "luck":
        if ply.drew is not None:
            return f"had drawn {card_face(ply.drew)}"
        return f"draws {story.frames[ply.number].card or ply.card}"
    return f"plays {ply.move}, better {ply.values[0][0]}"


def account_words(story: Story) -> str:
    """How the first side came to its result, in a sentence; "" where that is not known."""
    analysis = story.analysis
    if analysis is None or analysis.unit is None or len(analysis.sides) != 2:
        return ""
    account = analysis.account()
    unit = analysis.unit
    start, result = (change_words(v, unit).lstrip("+") for v in (account.start, account.result))
    luck, decisions, minds = (
        change_words(v, unit) for v in (sum(account.luck), sum(account.decisions), account.minds)
    )
    known = analysis.total(0, "luck") is not None or analysis.total(1, "luck") is not None
    parts = [f"{start} at first"]
    parts += [f"{luck} by all draws"] if known else []
    parts += [f"{decisions} by all moves"]
    rest = "what the bot changed its mind about" if known else "cards, and changes of mind"
    parts += [f"{minds} ({rest})"]
    return f"{story.side_name(0)}: {', '.join(parts)}: {result} at last."
