"""One game with its seats and its past, as it is stored: what may be done, and what it leads to.

Nothing here waits, sends or stores; `room.py` does. A table follows from its setup and the texts of
its moves alone: played again from the seed, the same cards come. Read `setup.py` before and
`store.py` after this file.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sorry_env.errors import MoveError, RecordError, RequestError
from sorry_env.notation.record import Record, named_returns, seat_names, usual_reward
from sorry_env.web.events import move_events
from sorry_env.web.setup import PERSON, Setup
from sorry_env.web.shown import state_row

Row = dict[str, Any]

#: Decisions after which a game is broken off.
MAX_PLIES: Final = 5000
WIN, RESIGNED, TRUNCATED = "win", "resigned", "truncated"


@dataclass
class Played:
    """A move that has been played.

    entry:    what the log says of it
    position: the whole line before it, with all hands
    events:   what it did
    """

    entry: Row
    position: str
    events: list[Row]


@dataclass
class Table:
    """A game being played.

    setup:   what it was made with
    players: by agent who plays now, `person` or a bot: a person may have been replaced
    secrets: by agent the digest of its secret; `owner`'s is for whoever made the game
    log:     one entry for each move so far
    result:  `win`, `resigned`, `truncated`, or None while it is played
    winners: the seats that have won
    pace_ms: the least time between two moves of the server's
    begins:  the seat whose turn is the first
    """

    setup: Setup
    players: dict[str, str]
    secrets: Mapping[str, str]
    log: list[Row] = field(default_factory=list)
    result: str | None = None
    winners: list[str] = field(default_factory=list)
    pace_ms: int = 0

    def __post_init__(self) -> None:
        self.family = self.setup.family
        self.game: Any = self.setup.new_game()
        self.begins: int = self.game.turn
        self.before_draw: str | None = None
        self._agents = {seat: self.setup.agent(seat) for seat in self.setup.seats}

    @classmethod
    def restore(
        cls, setup: Setup, players: dict[str, str], secrets: Mapping[str, str],
        rows: list[tuple[Row, str]], result: str | None, winners: list[str], pace_ms: int,
    ) -> Table:  # fmt: skip
        """The table as it was stored: setup, then entry and position of each move.

        Raises RecordError where the moves do not lead to these positions: another version of the
        rules has played them.
        """
        table = cls(setup, players, secrets, pace_ms=pace_ms)
        for entry, position in rows:
            if table.line() != position:
                raise RecordError(
                    f"stored move {entry['ply']} was played in {position!r}, and this version of "
                    f"the rules comes to {table.line()!r}",
                    value=position,
                )
            table._advance(table.family.parse_move(table.game, entry["move"]))
            table.log.append(_shared(entry))
        table.result = result
        table.winners = list(winners)
        return table

    # -- reading ------------------------------------------------------------------------------

    def line(self) -> str:
        """The whole line of the position, with all hands: not for clients."""
        text: str = self.family.write(self.game)
        return text

    @property
    def ply(self) -> int:
        """Moves played so far."""
        return len(self.log)

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.result is not None

    @property
    def actor(self) -> str:
        """The agent that decides."""
        return self._agents[self.game.actor]

    def seats_of(self, agents: Collection[str]) -> tuple[int, ...]:
        """The seats of some agents."""
        return tuple(seat for seat in self.setup.seats if self._agents[seat] in agents)

    def persons(self) -> list[str]:
        """The agents that people have been given, replaced or not."""
        return [agent for agent, player in self.setup.players.items() if player == PERSON]

    def forced(self) -> bool:
        """Whether the decision due has no choice and plays itself."""
        return self.setup.forced and not self.over and len(self.game.legal_actions()) == 1

    def by_server(self) -> bool:
        """Whether the next move is made by the server: a bot's, or a forced one."""
        return not self.over and (self.players[self.actor] != PERSON or self.forced())

    def state(self, held: Collection[int]) -> Row:
        """What whoever holds these seats sees of the game itself."""
        row = state_row(self.game, held)
        row["ply"] = self.ply
        row["result"] = self.result
        row["over"] = self.over
        row["winners"] = list(self.winners)
        row["before_draw"] = None if self.game.ruleset.hand else self.before_draw
        if self.over:
            row["legal"] = []
            if self.result == RESIGNED:
                row["headline"] = self._given_up()
            elif self.result == TRUNCATED:
                row["headline"] = "The game was broken off"
        row["forced"] = self.forced()
        row["persons_turn"] = not self.over and not self.by_server()
        if not row["persons_turn"]:
            row["legal"] = []  # a move without a choice is not for people to make
        row["pace_ms"] = self.pace_ms
        return row

    def _given_up(self) -> str:
        if not self.winners:
            return "The game was given up"
        names = " and ".join(seat.capitalize() for seat in self.winners)
        wins = "win" if len(self.winners) > 1 else "wins"
        return f"{names} {wins}: the other side gave up"

    # -- playing ------------------------------------------------------------------------------

    def play(self, move: Any, by: str) -> Played:
        """Play a move, its text or the move itself; MoveError where it is not legal.

        by: `person` or the bot's name
        """
        if self.over:
            raise MoveError("the game is over", value=str(move))
        game, family = self.game, self.family
        if isinstance(move, str):
            move = family.parse_move(game, move)
        names = family.seat_names
        forced = len(game.legal_actions()) == 1
        before = game.view()
        position = self.line()
        entry = {
            "ply": self.ply,
            "seat": names[game.actor],
            "turn": names[game.turn],
            "card": getattr(move, "card", None) or game.card,
            "move": family.move_text(move),
            "words": family.move_words(game, move),
            "forced": forced,
            "by": by,
        }
        self._advance(move)
        self.log.append(_shared(entry))
        if game.over:
            self.result = WIN
            self.winners = [names[seat] for seat in game.winners]
        elif self.ply >= MAX_PLIES:
            self.result = TRUNCATED
        return Played(entry, position, move_events(before, move, game))

    def _advance(self, move: Any) -> None:
        """Play, and let chance decide; the line in between is kept."""
        game = self.game
        game.play(move, draw=False)
        self.before_draw = None
        if game.waiting:
            self.before_draw = self.line()
            game.draw()

    def take_back(self, plies: int) -> None:
        """Take back so many moves, the last ones."""
        if not 0 <= plies <= self.ply:
            raise RequestError(f"{plies} moves cannot be taken back of {self.ply}", value=plies)
        for _ in range(plies):
            self.game.undo()
            self.log.pop()
        self.before_draw = None  # what the draw before was is not kept
        self.result = None

    def undo_plies(self, agents: Collection[str]) -> int:
        """How many moves lead back to the last own choice of these agents; 0 if there is none."""
        names = self.family.seat_names
        mine = {names[seat] for seat in self.seats_of(agents)}
        for back, entry in enumerate(reversed(self.log), start=1):
            if entry["seat"] in mine and not entry["forced"] and entry["by"] == PERSON:
                return back
        return 0

    def give_up(self, agent: str) -> None:
        """End the game by its loss for an agent; where two play, the other one wins."""
        self._check_running()
        if agent not in self.setup.players:
            known = ", ".join(self.setup.players)
            raise RequestError(f"{agent!r} must be one of {known}", value=agent)
        self.result = RESIGNED
        others = [other for other in self.setup.players if other != agent]
        if len(others) == 1:
            names = self.family.seat_names
            self.winners = [names[seat] for seat in self.seats_of(others)]

    def break_off(self) -> None:
        """End the game without a winner."""
        self._check_running()
        self.result = TRUNCATED

    def _check_running(self) -> None:
        if self.over:
            raise RequestError("the game is over", value=self.result)

    # -- records ------------------------------------------------------------------------------

    def record(self, name: str, positions: Sequence[str], *, so_far: bool = False) -> Record:
        """The game as a record; RecordError while it is played: its seed tells the cards to come.

        name:      its id
        positions: the line before each move, as it is stored
        so_far:    of a game that is still played what has been, without its seed, as if broken off
        """
        if self.result is None and not so_far:
            raise RecordError("the game is still played", value=name)
        reward = usual_reward(self.game.ruleset)
        header = {
            "type": "game", "format": 1, "ruleset": self.game.ruleset.name,
            "seats": seat_names(self.game), "seed": 0 if self.result is None else self.setup.seed,
            "players": dict(self.setup.players), "id": name,
        }  # fmt: skip
        moves = [
            {"type": "move", "ply": entry["ply"], "position": position, "move": entry["move"]}
            for entry, position in zip(self.log, positions, strict=True)
        ]
        end = {
            "type": "end", "position": self._end_line(),
            "returns": self._returns(reward), "plies": len(moves),
            "reason": self.result or TRUNCATED,
        }  # fmt: skip
        return Record(header, moves, end)

    def _end_line(self) -> str:
        """Of a game that was not played to its end, the line before the draw after its last move"""
        if self.result == WIN or not self.log:
            return self.line()
        game = self.game.copy()
        game.undo()
        game.play(self.family.parse_move(game, self.log[-1]["move"]), draw=False)
        return str(self.family.write(game))

    def _returns(self, reward: str) -> dict[str, float]:
        """Of a game that was given up they are what winning and losing counts without points."""
        returns = named_returns(self.game, reward)
        if self.result == RESIGNED and self.winners:
            names = self.family.seat_names
            won = [agent for agent in self.setup.players
                   if names[self.seats_of([agent])[0]] in self.winners]  # fmt: skip
            returns = {
                name: 1.0 if (self._agents[names.index(name)] in won) else -1.0 for name in returns
            }
        return returns


def _shared(entry: Row) -> Row:
    """An entry whose texts, but for the words, all games share: a long log stays small."""
    return {
        sys.intern(key): sys.intern(value) if type(value) is str and key != "words" else value
        for key, value in entry.items()
    }
