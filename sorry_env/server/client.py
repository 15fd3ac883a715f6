"""Bots that are other people's programs: `ProcessBot` by pipes, `HttpBot` by HTTP.

Both speak bot protocol 1, in any language, and play any game. They are shown what their seat may
see: the position's line is that of the seat's view, with other hands `?`. Read `peer.py` and
`http_peer.py` before this file.
"""

from __future__ import annotations

import os
import shlex
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Final, Protocol, Self

from sorry_env.bots.base import Bot
from sorry_env.engine.rng import check_seed
from sorry_env.errors import MoveError, PeerError, RequestError, RulesetError, SorryError
from sorry_env.families import family_of
from sorry_env.server import protocol
from sorry_env.server.http_peer import HttpPeer, check_url
from sorry_env.server.peer import Peer, shown

#: What stands for the bot's seed in a command.
SEED: Final = "{seed}"


class _Line(Protocol):
    """What is asked one line at a time: `Peer`, `HttpPeer`."""

    owner: int

    def ask(self, line: bytes, seconds: float) -> bytes: ...

    def close(self, patience: float = ...) -> None: ...


class ForeignBot(Bot):
    """Asks a program for its moves; a subclass says how it is reached.

    timeout:       seconds for an answer
    start_timeout: seconds for `hello`, and for the first move, which may take some compiling
    restarts:      how often a decision that got no proper answer is asked again, of the program
                   reached anew, before it is an error
    time_ms:       what the program is told of its time for a move

    Choosing raises PeerError, saying what the program did, where it is slow, silent, dead, or does
    not speak the protocol, MoveError for a move that is not legal, and RulesetError for a game that
    it does not play.
    """

    def __init__(
        self, name: str, *, timeout: float, start_timeout: float, restarts: int, time_ms: int
    ) -> None:
        for what, value in (("timeout", timeout), ("start_timeout", start_timeout)):
            if not 0 < value < float("inf"):
                raise RequestError(f"{what}={value!r} must be seconds above 0", value=value)
        if restarts < 0 or time_ms < 0:
            raise RequestError(f"{restarts=} and {time_ms=} must be 0 or more", value=restarts)
        self.timeout = timeout
        self.start_timeout = start_timeout
        self.restarts = restarts
        self.time_ms = time_ms
        self.name = name
        self._forget()

    @abstractmethod
    def _reach(self) -> _Line:
        """The program, to be asked; PeerError where it cannot be reached."""

    def _forget(self) -> None:
        self._peer: _Line | None = None
        self._hello: dict[str, Any] = {}
        self._asked = 0
        self._warm = False

    # -- a bot --------------------------------------------------------------------------------

    @property
    def rulesets(self) -> tuple[str, ...]:
        """See `Bot`: what the program says it plays."""
        self._ready()
        return tuple(self._hello["rulesets"])

    def check(self, tables: Any, seats: Sequence[int]) -> None:
        """See `Bot`: whether the program plays this ruleset or the edition it is derived from."""
        name = tables.ruleset.name
        if not {name, name.partition("?")[0]} & set(self.rulesets):
            listed = ", ".join(self.rulesets)
            raise RulesetError(f"{self.name} plays {listed}, not {name}", value=name)

    def choose(self, view: Any) -> int:
        """See `Bot`."""
        family = family_of(view.ruleset)
        position = family.write(view)
        for left in range(self.restarts, -1, -1):
            try:
                answer = self._exchange("move", position=position, time_ms=self.time_ms)
                break
            except PeerError:
                if not left:
                    raise
        if answer["type"] == "error":
            raise self._refused(answer, position)
        try:
            action: int = family.parse_move(view, answer["move"]).action
        except MoveError as error:
            raise MoveError(f"{self.name}, asked in {position}: {error.message}",
                            value=answer["move"]) from None  # fmt: skip
        return action

    def _refused(self, answer: dict[str, Any], position: str) -> SorryError:
        code, message = str(answer.get("code"))[:40], str(answer.get("message"))[:400]
        text = f"{self.name} refuses {position}: {code}: {message}"
        kind = RulesetError if code == RulesetError.code else PeerError
        return kind(text, value=position)

    # -- the program --------------------------------------------------------------------------

    def close(self) -> None:
        """Let go of the program; it is reached again when it is asked again."""
        self._end()

    def _end(self, **patience: float) -> None:
        if self._peer is not None:
            self._peer.close(**patience)
        self._forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        # Copied, or sent elsewhere, without the program.
        running = ("_peer", "_hello", "_asked", "_warm")
        return {key: value for key, value in vars(self).items() if key not in running}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._forget()

    def _ready(self) -> _Line:
        """The running program, which has said hello."""
        if self._peer is not None and self._peer.owner != os.getpid():
            self.close()
        if self._peer is None:
            try:
                self._peer = self._reach()
                self._hello = self._ask("hello", {}, self.start_timeout)
                _check_hello(self._hello)
            except PeerError as error:
                self._end(patience=0.0)
                raise PeerError(f"{self.name}: {error.message}", value=error.value) from error
        return self._peer

    def _exchange(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The answer to a request; after a PeerError the program has been ended."""
        self._ready()
        try:
            answer = self._ask(kind, fields, self.timeout if self._warm else self.start_timeout)
            if answer["type"] != "error" and not isinstance(answer.get("move"), str):
                raise PeerError(f"it answers no move but {_brief(answer)}", value=answer)
        except PeerError as error:
            self._end(patience=0.0)
            raise PeerError(
                f"{self.name}: {error.message}; it was asked for {kind} {fields}", value=error.value
            ) from error
        self._warm = True
        return answer

    def _ask(self, kind: str, fields: dict[str, Any], seconds: float) -> dict[str, Any]:
        """An answer of the right form to a request: of its type or an error, with its id."""
        assert self._peer is not None
        self._asked += 1
        request = protocol.answer(self._asked, kind, **fields)
        line = self._peer.ask(protocol.write_line(request).encode(), seconds)
        try:
            answer = protocol.read_object(line)
        except RequestError as error:
            raise PeerError(
                f"it answers no JSON object but {shown(line)}: {error.message}", value=line
            ) from None
        if answer.get("type") == "error" and answer.get("id") is None:
            # It could not even read who asks: the server behind it may not be a bot's at all.
            raise PeerError(f"it answers {kind} by {_brief(answer)}", value=answer)
        if type(answer.get("id")) is not int or answer["id"] != self._asked:
            raise PeerError(
                f"it answers {shown(line)} where the id must be {self._asked}", value=line
            )
        if answer.get("type") not in (kind, "error"):
            raise PeerError(f"it answers {shown(line)} to a {kind}", value=line)
        return answer


class ProcessBot(ForeignBot):
    """Asks a program that it starts; see `ForeignBot` for the settings and what choosing raises.

    command: the program and its arguments, as a list or as a shell would divide the text (no shell
             is asked). `{seed}` in it stands for the seed that the bot is given: the program is
             then started anew for each

    The program runs from the first question on until `close`, the end of a `with` block, or the end
    of this process; a copy of the bot, or a fork, starts one of its own.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        timeout: float = 10.0,
        start_timeout: float = 120.0,
        restarts: int = 0,
        time_ms: int = 1000,
    ) -> None:
        try:
            words = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise RequestError(f"command {command!r}: {error}", value=command) from None
        if not words or not all(isinstance(word, str) for word in words):
            raise RequestError(f"command {command!r} must name a program", value=command)
        self.command = tuple(words)
        self._seed = 0
        super().__init__(
            f"process:{shlex.join(words)}", timeout=timeout, start_timeout=start_timeout,
            restarts=restarts, time_ms=time_ms,
        )  # fmt: skip

    def reset(self, seed: int) -> None:
        """See `Bot`; the program learns its seed by its command alone."""
        seed = check_seed(seed)
        if seed != self._seed and any(SEED in word for word in self.command):
            self.close()
        self._seed = seed

    def _reach(self) -> Peer:
        return Peer([word.replace(SEED, str(self._seed)) for word in self.command])


class HttpBot(ForeignBot):
    """Asks a server for its moves; see `ForeignBot` for the settings and what choosing raises.

    url: an `http://` or `https://` address. Requests go to its path with `v1/` and their type
         behind it, its query (`?bot=NAME`) is kept: `http://127.0.0.1:8000/?bot=greedy` is asked
         by `POST /v1/move?bot=greedy`

    A server does not learn our seed: what it plays is its own. Redirects are not followed.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout: float = 10.0,
        start_timeout: float = 120.0,
        restarts: int = 0,
        time_ms: int = 1000,
    ) -> None:
        self.url = check_url(url)
        super().__init__(
            self.url, timeout=timeout, start_timeout=start_timeout, restarts=restarts,
            time_ms=time_ms,
        )  # fmt: skip

    def _reach(self) -> HttpPeer:
        return HttpPeer(self.url)


def _check_hello(answer: dict[str, Any]) -> None:
    """Raise PeerError unless the program speaks this version of the protocol."""
    if answer["type"] == "error":
        raise PeerError(f"it answers hello by {_brief(answer)}", value=answer)
    spoken = answer.get("protocol")
    if type(spoken) is not int or spoken != protocol.PROTOCOL:
        raise PeerError(f"it speaks protocol {spoken!r}, not {protocol.PROTOCOL}", value=spoken)
    names = answer.get("rulesets")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise PeerError(f"its rulesets must be a list of names, not {names!r}", value=names)


def _brief(answer: dict[str, Any]) -> str:
    return shown(protocol.write_line(answer).encode())
