"""Random numbers of one game: splitmix64, eight bytes of state inside the game's record.

Every draw of a card takes exactly one number, so two games with equal seeds see the same cards
however they are played: that is what pairs the games of a match.
Source of the generator: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from sorry_env.engine.jit import wrapping
from sorry_env.errors import RequestError
from sorry_env.parsing import as_integer

#: The largest seed.
MAX_SEED = 2**64 - 1

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_S27 = np.uint64(27)
_S30 = np.uint64(30)
_S31 = np.uint64(31)
_S32 = np.uint64(32)


@wrapping
def mix(z: Any) -> Any:
    """uint64 -> uint64, a bijection whose every output bit depends on every input bit."""
    z = (z ^ (z >> _S30)) * _MIX_A
    z = (z ^ (z >> _S27)) * _MIX_B
    return z ^ (z >> _S31)


@wrapping
def advance(state: Any) -> Any:
    """The generator's next state (uint64)."""
    return state + _GAMMA


@wrapping
def below(state: Any, n: Any) -> Any:
    """A whole number from 0 to n - 1 (n < 2**31) out of a state; the state stays as it is.

    The top 32 bits are scaled, so a value's chance is off by less than n / 2**32.
    """
    return np.int64(((mix(state) >> _S32) * np.uint64(n)) >> _S32)


@wrapping
def unit(state: Any) -> Any:
    """A number from 0 (included) to 1 (not included) from a state, in steps of 2**-32."""
    return np.float64(np.int64(mix(state) >> _S32)) / 4294967296.0


def seed_state(seed: int, stream: int = 0) -> np.uint64:
    """First state for a seed and a stream number (both any int; taken modulo 2**64)."""
    mask = (1 << 64) - 1
    one = mix(np.uint64((seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & mask))
    return np.uint64(mix(np.uint64((int(one) + stream * 0xD1342543DE82EF95) & mask)))


def fresh_seed() -> int:
    """A seed from the operating system, for games that were given none."""
    return secrets.randbits(63)


def check_seed(seed: Any, name: str = "seed") -> int:
    """``seed`` as a plain int.

    seed: an integer of any type (Python, numpy, an array or tensor of no dimensions) from 0 to
          2**64 - 1; True and False are none
    name: what the message calls it
    Raises RequestError for anything else.
    """
    value = as_integer(seed)
    if value is None or not 0 <= value <= MAX_SEED:
        shown = repr(seed) if value is None or value.bit_length() < 200 else "a huge number"
        raise RequestError(
            f"{name} {shown[:100]} must be an integer from 0 to 2**64 - 1", value=seed
        )
    return value


def given_or_fresh_seed(seed: Any) -> int:
    """The seed that was given, checked by `check_seed`; for None one from the operating system."""
    return fresh_seed() if seed is None else check_seed(seed)
