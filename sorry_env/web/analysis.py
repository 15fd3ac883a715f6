"""What a bot thinks of a position: who is how likely to win, what each legal move is worth.

Read `../bots/base.py` (`Insight`) and `roster.py` before and `setup.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sorry_env.bots.base import Bot, Insight
from sorry_env.bots.outlook import outlook
from sorry_env.bots.values import same_side
from sorry_env.errors import RequestError, SorryError
from sorry_env.families import BOARD, family_of
from sorry_env.server.positions import Position

Row = dict[str, Any]
_DIGITS: Final = 6
#: Positions that are looked at for one answer; where there would be more, less is told.
MOST_POSITIONS: Final = 4000


def analyse(bot: Bot, name: str, position: Position) -> Row:
    """What the bot thinks of a position, which may wait for a draw.

    name: what the bot is called in the answer
    Raises RequestError for a game that is over and whatever the bot raises.
    """
    game = position.game
    names = position.family.seat_names
    if game.over:
        raise RequestError("the game is over: there is nothing to analyse", value=position.line())
    row: Row = {"type": "analysis", "bot": name, "position": position.line()}
    if game.waiting:
        return row | _before_draw(bot, game)
    view = game.view(game.actor)
    insight = _insights(bot, [view])
    values, scale = _move_values(bot, view, insight)
    value = None
    if insight.value is not None and np.isfinite(insight.value[0]):
        value = float(insight.value[0])
    elif values is not None and scale == "win" and np.isfinite(values).any():
        value = float(np.nanmax(values))
    return row | {
        "seat": names[game.actor],
        "value": _rounded(value),
        "chances": None if value is None else _chances(bot, game, game.actor, value),
        "scale": scale or (None if value is None else "win"),
        **_candidates(view, insight, values),
    }


def _candidates(view: Any, insight: Insight, values: np.ndarray | None) -> Row:
    """All legal moves, the best first: by value, else by how much they are favoured."""
    family = family_of(view.ruleset)
    rows = []
    for move in view.legal_moves():
        row: Row = {"move": family.move_text(move), "words": family.move_words(view, move)}
        if insight.chances is not None:
            row["p"] = _rounded(insight.chances[0, move.action])
        if values is not None and np.isfinite(values[move.action]):
            row["value"] = _rounded(values[move.action])
        rows.append(row)
    rows.sort(key=lambda r: (-r.get("value", -np.inf), -r.get("p", 0.0), r["move"]))
    if insight.chances is not None:
        best = max(rows, key=lambda row: row["p"])["move"]  # what the bot itself would play
    else:
        best = rows[0]["move"] if "value" in rows[0] else None
    return {"candidates": rows, "best": best}


def _before_draw(bot: Bot, game: Any) -> Row:
    """The mean over what may be drawn, where the bot has a value for all of it."""
    mover = game.turn
    drawn = [] if game.ruleset.hand else _after_draws(game)
    rows: list[Row] = []
    mean: float | None = 0.0 if drawn else None
    values = _values(bot, [after for _, _, after in drawn])
    for (card, chance, after), value in zip(drawn, values, strict=True):
        known = None if value is None else _of_sides(after, after.actor, value)
        own = None if known is None else known.get(family_of(game.ruleset).seat_names[mover])
        mean = None if mean is None or own is None else mean + chance * own
        rows.append({"card": card, "p": round(chance, _DIGITS), "chances": known})
    return {
        "seat": family_of(game.ruleset).seat_names[mover],
        "value": _rounded(mean),
        "chances": None if mean is None else _chances(bot, game, mover, mean),
        "scale": None if mean is None else "win",
        "candidates": [],
        "best": None,
        "draws": rows,
    }


def _after_draws(game: Any) -> list[tuple[str, float, Any]]:
    """What can be drawn, with which chance, and the game after it; [] of too much (dice)."""
    listed = game.chances()
    if len(listed) > 20:
        return []
    rows = []
    for card, chance in listed:
        after = game.copy()
        after.draw(card)
        rows.append((card, float(chance), after))
    return rows


def _chances(bot: Bot, game: Any, seat: int, value: float) -> dict[str, float]:
    """The chance to win by seat, of all as far as the bot can say it, from that of one seat."""
    known = _of_sides(game, seat, value)
    if len(known) == len(game.seats):
        return known
    found = outlook(bot, game, min(max(value, 0.0), 1.0))
    names = family_of(game.ruleset).seat_names
    return known if found is None else {names[s]: _rounded(p) for s, p in found.items()}


def _of_sides(game: Any, seat: int, value: float) -> dict[str, float]:
    """What the chance of one seat tells: where two sides play, that of both; partners share it."""
    names = family_of(game.ruleset).seat_names
    p = min(max(value, 0.0), 1.0)
    if game.ruleset.teams == "none" and len(game.seats) != 2:
        return {names[seat]: _rounded(p)}
    ours = {s: same_side(game.tables, s, seat) for s in game.seats}
    return {names[s]: _rounded(p if ours[s] else 1 - p) for s in game.seats}


# -- asking the bot -------------------------------------------------------------------------------


def _insights(bot: Bot, views: list[Any]) -> Insight:
    """The bot's insight into decisions of one ruleset, one row for each."""
    family = family_of(views[0].ruleset)
    requests = [family.BatchRequest.of_view(view) for view in views]
    joined = family.BatchRequest(
        requests[0].tables,
        np.concatenate([request.games for request in requests]),
        np.concatenate([request.observation for request in requests]),
        np.concatenate([request.mask for request in requests]),
    )
    return bot.insight(joined)


def _values(bot: Bot, games: list[Any]) -> list[float | None]:
    """For each game how likely the side that decides is to win; None where the bot cannot say.

    A finished game is known, one that waits for a draw after the draw is the mean.
    """
    found: list[float | None] = [None] * len(games)
    asked = [i for i, game in enumerate(games) if not (game.over or game.waiting)]
    for i, game in enumerate(games):
        if game.over:
            found[i] = _won(game, game.actor)
    if asked:
        insight = _insights(bot, [games[i].view(games[i].actor) for i in asked])
        value = insight.value
        if value is None and insight.values is not None:
            value = np.full(len(asked), np.nan)
            known = np.isfinite(insight.values).any(axis=1)
            value[known] = np.nanmax(insight.values[known], axis=1)
        if value is not None:
            for i, number in zip(asked, value.tolist(), strict=True):
                found[i] = number if np.isfinite(number) else None
    return found


def _won(game: Any, seat: int) -> float:
    winners = set(game.winners)
    if game.ruleset.teams != "none":
        return float(any(winner % 2 == seat % 2 for winner in winners))
    return float(seat in winners)


def _move_values(bot: Bot, view: Any, insight: Insight) -> tuple[np.ndarray | None, str | None]:
    """The worth of each action, float64[A] with NaN where unknown, and what it is counted in."""
    if insight.values is not None:
        return insight.values[0], "win"
    if insight.value is not None:
        return _look_ahead(bot, view), "win"
    steps = getattr(bot, "action_values", None)  # expectimax: how many steps ahead
    if steps is None:
        return None, None
    request = family_of(view.ruleset).BatchRequest.of_view(view)
    return np.asarray(steps(request)[0]), "steps"


def _look_ahead(bot: Bot, view: Any) -> np.ndarray | None:
    """Each move by the mean of the bot's values after the draws that may follow it.

    Only where two sides play and nothing is hidden: then the value of whoever is next tells ours.
    """
    sides = 2 if view.ruleset.teams != "none" else len(view.seats)
    if family_of(view.ruleset) is not BOARD or sides != 2 or view.ruleset.hand:
        return None
    after: list[tuple[int, float, Any]] = []
    game = BOARD.new_game(view.ruleset, view.seats, seed=0, draw=False)
    for action in view.legal_actions().tolist():
        game.state[:] = view.state
        played = game.copy()
        played.play(action, draw=False)
        if played.waiting:
            after += [(action, chance, drawn) for _, chance, drawn in _after_draws(played)]
        else:
            after.append((action, 1.0, played))
        if len(after) > MOST_POSITIONS:
            return None
    values = np.full(view.tables.num_actions, np.nan)
    known = _values(bot, [game for _, _, game in after])
    for (action, chance, drawn), value in zip(after, known, strict=True):
        if value is None:
            return None
        ours = same_side(view.tables, view.actor, drawn.actor)
        gain = chance * (value if ours else 1 - value)
        values[action] = gain if np.isnan(values[action]) else values[action] + gain
    return values


def _rounded(value: Any) -> Any:
    return None if value is None else round(float(value), _DIGITS)


def hint(bot: Bot, game: Any) -> Row:
    """What the bot would play: the move, in words."""
    family = family_of(game.ruleset)
    view = game.view(game.actor)
    action = bot.choose(view)
    if action not in view.legal_actions():
        raise SorryError(f"bot {bot.name} chose {action}, which is not legal", value=action)
    move = view.describe(int(action))
    return {"move": family.move_text(move), "words": family.move_words(view, move)}
