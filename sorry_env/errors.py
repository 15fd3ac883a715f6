"""The errors of sorry_env: one base class and a kind for each sort of bad input.

The lowest layer, imported by all others: it imports nothing itself. Read next:
``sorry_env/rules/ruleset.py``, where the first of them are raised.

Every kind has a fixed ``code``, a word for programs, and carries the offending ``value``. The
message is for people: it names the value, the place and what would be right.
"""

from __future__ import annotations

from typing import ClassVar


class SorryError(ValueError):
    """Something given to sorry_env cannot be used; catch this to catch them all.

    code:  the kind of error in one word, the same for all instances of a class
    value: the offending value, or the offending part of it; None where there is none
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, value: object = None) -> None:
        super().__init__(message)
        self.value = value

    def __reduce__(self) -> tuple[object, ...]:
        # An exception is pickled by its args alone; the state carries the value (and any notes).
        return type(self), self.args, self.__dict__

    @property
    def message(self) -> str:
        """The message for people, without the code."""
        return str(self.args[0])


class RulesetError(SorryError):
    """A ruleset that is unknown, contradicts itself or does not allow what was asked of it."""

    code = "unsupported_ruleset"


class PositionError(SorryError):
    """A position that cannot be read, or that no game can be in."""

    code = "bad_position"


class MoveError(SorryError):
    """A move or an action that cannot be read, or that is not legal in its position."""

    code = "illegal_move"


class RequestError(SorryError):
    """A call, argument or command that makes no sense, whatever the position."""

    code = "bad_request"


class RecordError(SorryError):
    """A game record that cannot be read, or that does not follow from its own moves."""

    code = "bad_record"


class ConfigError(SorryError):
    """A configuration with an unknown key, a wrong type or a value out of range."""

    code = "bad_config"


class ModelError(SorryError):
    """A model file that cannot be read, or that does not fit the game it should play."""

    code = "bad_model"


class PeerError(SorryError):
    """A program that plays as a bot does not answer as the bot protocol says, or not in time."""

    code = "bad_peer"


class MissingExtraError(SorryError, ImportError):
    """An optional dependency is missing; the message names the extra to install."""

    code = "missing_extra"
