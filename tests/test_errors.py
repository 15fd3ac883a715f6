"""Errors: one base, one code per kind, and the offending value survives a copy."""

from __future__ import annotations

import copy
import pickle

import pytest

from sorry_env import errors
from sorry_env.errors import MissingExtraError, SorryError

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, SorryError)
]


def test_codes_are_distinct() -> None:
    assert len({kind.code for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_one_handler_catches_every_kind(kind: type[SorryError]) -> None:
    with pytest.raises(SorryError) as caught:
        raise kind("seat 7 must be 0 to 3", value=7)
    assert isinstance(caught.value, ValueError)
    assert caught.value.value == 7
    assert caught.value.message == str(caught.value) == "seat 7 must be 0 to 3"


@pytest.mark.parametrize("kind", KINDS)
def test_copies_keep_message_and_value(kind: type[SorryError]) -> None:
    error = kind("seat 7 must be 0 to 3", value=[7])
    for twin in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert type(twin) is kind
        assert (twin.message, twin.value) == (error.message, error.value)


def test_a_missing_extra_is_an_import_error() -> None:
    assert issubclass(MissingExtraError, ImportError)
