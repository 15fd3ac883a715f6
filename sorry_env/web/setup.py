"""What a new game is asked to be: read from a client's JSON, checked, written down.

Read `roster.py` before and `table.py` after this file.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from sorry_env.engine.rng import check_seed
from sorry_env.errors import RequestError
from sorry_env.families import Family, family_of
from sorry_env.rounds import check_target
from sorry_env.web.roster import Roster

Row = dict[str, Any]

PERSON: Final = "person"
#: The fields of a request for a game, with what each must be.
FIELDS: Final[Mapping[str, tuple[type, ...]]] = {
    "ruleset": (str,), "seats": (list, int, type(None)), "players": (dict,),
    "first": (str, type(None)), "seed": (int, type(None)), "position": (str, type(None)),
    "forced": (bool,), "undo": (bool,), "hints": (bool,), "pace_ms": (int,),
    "name": (str, type(None)), "target_score": (int, type(None)),
}  # fmt: skip
MAX_PACE_MS: Final = 10_000
MAX_NAME: Final = 60
MAX_TARGET: Final = 10_000
_SECRET_BYTES: Final = 18


@dataclass(frozen=True)
class Setup:
    """What a game was made with.

    ruleset:  its canonical name
    seats:    the seats in turn order
    players:  by agent (a seat's name; with `teams-two` one for both of its seats) `person` or a bot
    seed:     of the cards and of the bots
    first:    who begins, or None for the usual
    position: the line it begins from, or None
    forced:   whether moves without a choice play themselves
    undo:     whether moves may be taken back
    hints:    whether hints and analysis are given while it is played
    pace_ms:  the least time between two moves that the server makes
    name:     what people call it, or None
    target_score: points that end the match whose round this game is; None for a game by itself
    rounds:   rounds of the match that were played before
    score:    points by seat from those rounds, {} in the first one
    """

    ruleset: str
    seats: tuple[int, ...]
    players: Mapping[str, str]
    seed: int
    first: str | None = None
    position: str | None = None
    forced: bool = True
    undo: bool = True
    hints: bool = True
    pace_ms: int = 0
    name: str | None = None
    target_score: int | None = None
    rounds: int = 0
    score: Mapping[str, float] = field(default_factory=dict)

    @property
    def family(self) -> Family:
        """The family of games that it belongs to."""
        return family_of(self.ruleset)

    def new_game(self) -> Any:
        """The game at its first decision."""
        if self.position is None:
            return self.family.new_game(self.ruleset, self.seats, seed=self.seed, first=self.first)
        game = self.family.read(self.position, seed=self.seed)
        if game.waiting:
            game.draw()
        return game

    def agent(self, seat: int) -> str:
        """The agent that decides for a seat."""
        agents = self.family.player_names(self.family.resolve(self.ruleset), self.seats)
        name: str = self.family.seat_names[seat]
        # One agent plays both colours of a team: it is named by the first of them.
        return name if name in agents else str(self.family.seat_names[seat - 2])

    def seats_of(self, agent: str) -> tuple[int, ...]:
        """The seats for which an agent decides."""
        return tuple(seat for seat in self.seats if self.agent(seat) == agent)

    def row(self) -> Row:
        """As it is stored."""
        return asdict(self) | {"seats": list(self.seats), "players": dict(self.players)}

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Setup:
        """Read what `row` gave; RequestError, naming the field, for a row that is spoilt."""
        for key, value in row.items():
            if key not in _STORED or type(value) not in _STORED[key]:
                raise RequestError(f"{key} cannot be {str(value)[:40]!r}", value=value)
        if missing := [key for key in ("ruleset", "seats", "players", "seed") if key not in row]:
            raise RequestError(f"{missing[0]} is missing", value=missing)
        seats = family_of(row["ruleset"]).seat_names
        if not all(type(seat) is int and 0 <= seat < len(seats) for seat in row["seats"]):
            raise RequestError("seats must be numbers of seats", value=row["seats"])
        if not all(isinstance(player, str) for player in row["players"].values()):
            raise RequestError("players must be names", value=row["players"])
        if not all(type(points) in (int, float) for points in row.get("score", {}).values()):
            raise RequestError("score must be numbers", value=row["score"])
        if not 0 <= row["seed"] <= 2**64 - 1 or not 0 <= row.get("rounds", 0) < 10**9:
            raise RequestError("seed and rounds must be from 0 up", value=row["seed"])
        return cls(**{**row, "seats": tuple(row["seats"])})


#: The kinds of values of a stored setup.
_STORED: Final[Mapping[str, tuple[type, ...]]] = {
    "ruleset": (str,), "seats": (list,), "players": (dict,), "seed": (int,),
    "first": (str, type(None)), "position": (str, type(None)), "forced": (bool,), "undo": (bool,),
    "hints": (bool,), "pace_ms": (int,), "name": (str, type(None)),
    "target_score": (int, type(None)), "rounds": (int,), "score": (dict,),
}  # fmt: skip


def read_setup(row: Any, roster: Roster) -> Setup:
    """The setup of a client's request. Any SorryError says what is wrong with it."""
    if not isinstance(row, dict):
        raise RequestError("a game is asked for by a JSON object", value=row)
    if unknown := [str(key) for key in row if key not in FIELDS]:
        raise RequestError(
            f"unknown field {unknown[0][:40]!r}; there are {', '.join(FIELDS)}", value=unknown
        )
    for key, kinds in FIELDS.items():
        value = row.get(key)
        wrong = key in row and type(value) not in kinds
        if wrong:
            raise RequestError(f"{key} must not be {str(value)[:40]!r}", value=value)
    position = row.get("position")
    ruleset = row.get("ruleset", "classic" if position is None else position.split(" ")[0])
    family = family_of(ruleset)
    rules = family.resolve(ruleset)
    seats, first = _read_seats(row, family, rules)
    players = _read_players(row, family, rules, seats, roster)
    seed = secrets.randbits(62) if row.get("seed") is None else check_seed(row["seed"])
    setup = Setup(
        ruleset=rules.name, seats=seats, players=players, seed=seed, first=first,
        position=position, forced=row.get("forced", True), undo=row.get("undo", True),
        hints=row.get("hints", True), pace_ms=check_pace(row.get("pace_ms", 0)),
        name=_read_name(row.get("name")), target_score=_read_target(row.get("target_score"), rules),
    )  # fmt: skip
    game = setup.new_game()
    if game.ruleset.name != setup.ruleset:
        raise RequestError(
            f"position is one of {game.ruleset.name}, not of {setup.ruleset}", value=position
        )
    return setup


def _read_seats(row: Row, family: Family, rules: Any) -> tuple[tuple[int, ...], str | None]:
    position, first = row.get("position"), row.get("first")
    if position is not None:
        if row.get("seats") is not None or first is not None:
            raise RequestError("a position says itself who is seated and begins", value=position)
        return tuple(family.read(position, seed=0).seats), None
    wanted = row.get("seats")
    if isinstance(wanted, list) and not (
        len(wanted) <= len(family.seat_names) and all(isinstance(seat, str) for seat in wanted)
    ):
        raise RequestError("seats must be a number, or a list of seats' names", value=wanted)
    return tuple(family.choose_seats(rules, wanted)), first


def _read_players(
    row: Row, family: Family, rules: Any, seats: tuple[int, ...], roster: Roster
) -> dict[str, str]:
    agents = family.player_names(rules, seats)
    given = row.get("players")
    if given is None:  # a person against the greedy bot
        given = {agent: "greedy" if i else PERSON for i, agent in enumerate(agents)}
    if sorted(map(str, given)) != sorted(agents):
        raise RequestError(
            f"players must be given for {', '.join(agents)}, not for "
            f"{', '.join(map(str, given))[:80] or 'nobody'}",
            value=list(given),
        )
    players = {agent: given[agent] for agent in agents}
    for agent, player in players.items():
        if not isinstance(player, str):
            raise RequestError(f"the player of {agent} must be named by text", value=player)
        if player != PERSON:
            roster.make(player, rules, seats, 0)
    return players


def _read_target(target: int | None, rules: Any) -> int | None:
    if target is None:
        return None
    if not 1 <= target <= MAX_TARGET:
        raise RequestError(
            f"target_score {str(target)[:40]} must be from 1 to {MAX_TARGET}", value=target
        )
    return check_target(rules, target)


def _read_name(name: str | None) -> str | None:
    if name is None:
        return None
    text = "".join(c for c in name if c.isprintable()).strip()
    if not text or len(text) > MAX_NAME:
        raise RequestError(f"a name has 1 to {MAX_NAME} characters", value=name)
    return text


def check_pace(pace: Any) -> int:
    """A pace in milliseconds; RequestError for any that is not possible."""
    if type(pace) is not int or not 0 <= pace <= MAX_PACE_MS:
        raise RequestError(f"pace_ms {str(pace)[:40]} must be from 0 to {MAX_PACE_MS}", value=pace)
    return pace


# -- secrets: of each only a hash is kept ---------------------------------------------------------


def new_secret() -> str:
    """A secret that nobody guesses, fit for a link."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def digest(secret: str) -> str:
    """By what a secret is known again."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def same(secret: str, kept: str) -> bool:
    """Whether a secret is the one whose digest was kept."""
    return hmac.compare_digest(digest(secret), kept)
