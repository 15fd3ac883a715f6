"""How kernels are compiled: `@kernel`, `@inner`, `@helper` (always inlined), `@wrapping` (uint64).

Kernels are plain Python functions on numpy arrays. With `NUMBA_DISABLE_JIT=1` the very same code
runs uncompiled and gives the same bytes. No kernel allocates, raises or prints, so that the same
functions can later be compiled for other targets. numba compiles a function anew
for every width of an int and for every constant among its arguments: kernels that are called from
several places are therefore given `np.int64(...)`. Read `state.py` next.
"""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


@functools.cache
def _cache_folder(package: Path) -> str:
    """Where the compiled kernels of a package are kept: a folder named by a hash of its sources.

    numba notices a change in a function's own file, not in a function it calls from another file;
    with the hash in the name, a change anywhere in the package or in the engine, from which others
    take kernels, starts an empty cache.
    """
    digest = hashlib.sha256()
    for folder in dict.fromkeys((Path(__file__).parent, package)):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.name.encode() + b"\0" + source.read_bytes())
    # Kernels compiled with and without bounds checks are not the same; numba would mix them up.
    name = f"numba-{digest.hexdigest()[:16]}" + ("-bounds" if numba.config.BOUNDSCHECK else "")
    roots = [
        os.environ.get("NUMBA_CACHE_DIR"),
        os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser(),
        tempfile.gettempdir(),
    ]
    for root in roots:
        if not root:
            continue
        folder = Path(root) / "sorry_env" / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue  # no such home, or one that cannot be written: the next place will do
        if os.access(folder, os.W_OK):
            return str(folder)
    raise OSError(f"no folder of {[r for r in roots if r]} can be written for compiled kernels")


_COMPILED = not numba.config.DISABLE_JIT


class _Inner(numba.core.registry.CPUDispatcher):  # type: ignore[misc]
    """A compiled function without an entry from Python; called from there it runs as written.

    The entries, which look at every argument, are a fifth of what there is to compile.
    """

    def __call__(self, *args: Any) -> Any:
        return self.py_func(*args)


def _compile(function: F, *, inline: bool = False, entry: bool = False) -> F:
    if not _COMPILED:
        return function
    # The folder is set for the moment of decoration only: other numba users keep theirs.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _cache_folder(Path(function.__code__.co_filename).parent)
    try:
        compiled = numba.njit(
            cache=True,
            nogil=True,
            error_model="numpy",
            forceinline=inline,
            # Kernels allocate nothing, so counting references to arrays would only cost time.
            _nrt=False,
            no_cpython_wrapper=not entry,
            no_cfunc_wrapper=True,
        )(function)
    finally:
        numba.config.CACHE_DIR = before
    if not entry:
        compiled.__class__ = _Inner
    return compiled  # type: ignore[no-any-return]


def kernel(function: F) -> F:
    """Compile with numba, without the interpreter lock and with a cache on disk."""
    return _compile(function, entry=True)


def inner(function: F) -> F:
    """As `kernel`, for functions that only compiled ones call; Python runs them as written."""
    return _compile(function)


def helper(function: F) -> F:
    """As `inner`, for small functions that are called all the time: always inlined.

    Left to itself the compiler keeps many of them as calls, which made masks 2.5 times slower.
    """
    return _compile(function, inline=True)


def wrapping(function: F) -> F:
    """As `helper`, for functions whose uint64 arithmetic is meant to wrap round.

    Compiled code wraps silently; numpy scalars wrap too but would warn.
    """
    if _COMPILED:
        return _compile(function, inline=True, entry=True)

    @functools.wraps(function)
    def quiet(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return quiet  # type: ignore[return-value]


def direct(function: F, *example: Any) -> F:
    """A kernel without numba's look at the types of its arguments, to be called with these alone.

    That look takes several times as long as one step of one game. Arguments of other types are a
    TypeError. Where numba does not show its entry point, this is the kernel itself.

    example: arguments of the types that it will always be called with
    """
    if not _COMPILED:
        return function
    kernel: Any = function
    types = tuple(numba.typeof(argument) for argument in example)
    kernel.compile(types)
    return getattr(kernel.overloads[types], "entry_point", function)
