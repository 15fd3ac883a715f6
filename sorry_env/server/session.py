"""A bot behind bot protocol 1: requests in, answers out, whatever carries them.

Every line is answered by one line, and nothing that a request says ends the session, reads a file
or starts a program: all that a bot needs is there when the session is made. Read `protocol.py` and
`positions.py` before and `stdio.py` after this file.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from sorry_env.bots.base import Bot
from sorry_env.engine.rng import given_or_fresh_seed, seed_state
from sorry_env.errors import PositionError, RequestError, RulesetError, SorryError
from sorry_env.families import BOARD, FAMILIES, Family, family_of
from sorry_env.rules import RULESETS
from sorry_env.server import positions, protocol
from sorry_env.server.positions import Position, read_position

_log = logging.getLogger(__name__)

#: Decimals of the chances in an answer.
_DIGITS = 6


class Session:
    """Answers requests for one bot. Equal sessions answer equal requests equally.

    bot:  a Bot, or the name of one
    seed: of the bot and of the draws, from 0 to 2**64 - 1; None takes one from the system
    more: names of rulesets of one's own to be offered beside the published ones

    Raises what making the bot raises.
    """

    def __init__(self, bot: Bot | str, seed: int | None = None, more: Iterable[str] = ()) -> None:
        self._seed = given_or_fresh_seed(seed)
        self._draws = 0
        self._bots = _bots(bot)
        self.name = bot if isinstance(bot, str) else bot.name
        self.rulesets = self._offered(more)
        for player in set(self._bots.values()):
            player.reset(self._seed)

    def _offered(self, more: Iterable[str]) -> tuple[str, ...]:
        only = next(iter(self._bots.values())).rulesets
        if only is not None:
            return only
        known = (*RULESETS, *FAMILIES, *more)
        return tuple(dict.fromkeys(name for name in known if family_of(name) in self._bots))

    # -- lines and objects --------------------------------------------------------------------

    def answer_line(self, line: bytes | None) -> str:
        """The answer to a request's line, without a line's end; None stands for one too long."""
        if line is None or len(line) > protocol.MAX_LINE:
            message = f"a request has at most {protocol.MAX_LINE} bytes"
            return protocol.write_line(protocol.refusal(None, protocol.TOO_LARGE, message))
        try:
            row = protocol.read_object(line)
        except SorryError as error:
            return protocol.write_line(protocol.refusal_of(None, error))
        return protocol.write_line(self.answer(row))

    def answer(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request, both as objects."""
        request_id: protocol.Id = None
        try:
            request_id = protocol.read_id(row)
            request = protocol.read_request(row)
            fields = getattr(self, f"_{request.type}")(**request.fields)
            return protocol.answer(request_id, request.type, **fields)
        except SorryError as error:
            return protocol.refusal_of(request_id, error)
        except Exception as error:  # a mistake of a bot's, or ours, must not end other games
            _log.exception("a request failed: %r", row)
            wrong = f"the request could not be answered: {type(error).__name__}: {error}"
            return protocol.refusal(request_id, RequestError.code, wrong)

    # -- the requests -------------------------------------------------------------------------

    def _hello(self) -> dict[str, Any]:
        return {
            "protocol": protocol.PROTOCOL, "name": self.name, "rulesets": list(self.rulesets),
        }  # fmt: skip

    def _legal(self, position: str) -> dict[str, Any]:
        return {"moves": positions.legal(read_position(position))}

    def _apply(self, position: str, move: str) -> dict[str, Any]:
        return {"position": positions.apply(read_position(position), move)}

    def _draw(self, position: str, card: str | None = None) -> dict[str, Any]:
        # Each draw has a seed of its own, used or not: they follow from how many came before.
        # A request that is refused is no draw.
        seed = int(seed_state(self._seed, self._draws + 1))
        line = positions.draw(read_position(position, seed), card, seed)
        self._draws += 1
        return {"position": line}

    def _move(self, position: str, time_ms: float | None = None) -> dict[str, Any]:
        read = read_position(position)
        positions.legal(read)  # refuses a position that waits for a draw
        if read.game.over:
            raise PositionError("the game is over: there is no move", value=position)
        bot = self._bot_for(read)
        view = read.game.view(read.game.actor)
        try:
            chosen = bot.choose(view) if time_ms is None else bot.choose_within(view, time_ms)
        except SorryError as error:  # whatever it is, the request was all right
            raise RequestError(f"the bot fails: {error.message}", value=error.value) from error
        if chosen not in view.legal_actions():
            raise RequestError(f"bot {bot.name} chose {chosen}, which is not legal", value=chosen)
        text = read.family.move_text(view.describe(chosen))
        return {"move": text, **_thoughts(bot, read.family, view)}

    def _bot_for(self, position: Position) -> Bot:
        """The bot that plays this game; RulesetError where there is none."""
        bot = self._bots.get(position.family)
        if bot is None:
            name = position.game.ruleset.name
            raise RulesetError(
                f"{self.name} plays {', '.join(self.rulesets)}, not {name}", value=name
            )
        try:
            bot.check(position.game.tables, position.game.seats)
        except SorryError as error:
            raise RulesetError(error.message, value=error.value) from error
        return bot


def _bots(bot: Bot | str) -> dict[Family, Bot]:
    """The bot for each kind of games; one that is made for some rulesets is one for all kinds."""
    made: Bot = BOARD.make_bot(bot) if isinstance(bot, str) else bot
    families = (BOARD, *FAMILIES.values())
    if not isinstance(bot, str) or made.rulesets is not None:
        kinds = families if made.rulesets is None else map(family_of, made.rulesets)
        return dict.fromkeys(kinds, made)
    bots = {BOARD: made}
    for family in FAMILIES.values():
        try:
            bots[family] = family.make_bot(bot)
        except RequestError:
            continue  # it plays the board game alone: what `hello` offers says so
    return bots


def _thoughts(bot: Bot, family: Family, view: Any) -> dict[str, Any]:
    """`value` and `candidates`, as far as the bot knows them."""
    insight = bot.insight(family.BatchRequest.of_view(view))
    fields: dict[str, Any] = {}
    if insight.value is not None and np.isfinite(insight.value[0]):
        fields["value"] = _chance(insight.value[0])
    if insight.chances is None and insight.values is None:
        return fields
    rows = []
    for move in view.legal_moves():
        row: dict[str, Any] = {"move": family.move_text(move)}
        for key, known in (("p", insight.chances), ("value", insight.values)):
            if known is not None and np.isfinite(known[0, move.action]):
                row[key] = _chance(known[0, move.action])
        rows.append(row)
    rows.sort(key=lambda row: (-row.get("p", 0.0), -row.get("value", 0.0), row["move"]))
    return fields | {"candidates": rows}


def _chance(number: Any) -> float:
    """A chance from 0 to 1 as it is written."""
    return round(min(max(float(number), 0.0), 1.0), _DIGITS)
