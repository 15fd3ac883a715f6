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
import logging
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
import numba.core.caching
import numpy as np

from sorry_env.folders import OWN, cache_folder, is_private, make_private, temporary_folder

_log = logging.getLogger(__name__)

F = TypeVar("F", bound=Callable[..., Any])


@functools.cache
def _cache_folder(package: Path) -> str | None:
    """Where the compiled kernels of a package are kept: a folder named by a hash of its sources.

    numba notices a change in a function's own file, not in a function it calls from another file;
    with the hash in the name, a change anywhere in the package or in the engine, from which others
    take kernels, starts an empty cache.

    None where there is no folder that can be written and that is safe from other users: the cache
    holds pickles, and whoever can write them can run code in this process.
    """
    digest = hashlib.sha256()
    for folder in dict.fromkeys((Path(__file__).parent, package)):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.name.encode() + b"\0" + source.read_bytes())
    # Kernels compiled with and without bounds checks are not the same; numba would mix them up.
    name = f"numba-{digest.hexdigest()[:16]}" + ("-bounds" if numba.config.BOUNDSCHECK else "")
    refused: list[str] = []
    for root in _cache_roots():
        folder = Path(os.path.realpath(root / name))
        try:
            make_private(folder)
        except OSError as error:
            refused.append(f"{folder} ({error.strerror})")
            continue
        if not os.access(folder, os.W_OK):
            refused.append(f"{folder} (cannot be written)")
        elif not is_private(folder):
            refused.append(f"{folder} (other users can write there)")
        else:
            return str(folder)
    places = ", ".join(refused) or "there is no home directory"
    _tell_once(f"Compiled kernels cannot be kept in a folder: {places}")
    return None


def _cache_roots() -> Iterator[Path]:
    """Our folders for caches, the best first."""
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(named).absolute() / OWN
    if (usual := cache_folder()) is not None:
        yield usual
    if (temporary := temporary_folder()) is not None:
        yield temporary


#: What has been told of the cache in this process: the first trouble stands for all kernels.
_told: list[str] = []


def _tell_once(what: str) -> None:
    if _told:
        return
    _told.append(what)
    _log.warning(
        "%s. Kernels are compiled anew in each process, which takes some twenty seconds; "
        "NUMBA_CACHE_DIR may name a folder of your own for them.",
        what,
    )


_COMPILED = not numba.config.DISABLE_JIT


class _CacheFiles(numba.core.caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Where numba keeps a kernel: in our folder, and never in ``__pycache__`` for want of it."""

    _locator_classes = numba.core.caching.CompileResultCacheImpl._locator_classes[:1]


class _Cache(numba.core.caching.FunctionCache):  # type: ignore[misc]
    """numba's cache of one kernel. It only saves time: when it fails, the kernel is compiled.

    What fails: a file cut short by a full disk, one of another version, a folder that went away.
    """

    _impl_class = _CacheFiles

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None where there is none that can be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # unpickling what is broken raises errors of any kind
            _log.debug("%s is compiled anew: %r", self._name, error)
            # Without its index, what is broken is written anew.
            Path(self._cache_file._index_path).unlink(missing_ok=True)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel for other processes, if that can be done."""
        try:
            super().save_overload(sig, data)
        except (OSError, EOFError, pickle.PickleError) as error:
            _tell_once(f"Compiled kernels cannot be kept in {self.cache_path}: {error}")


class _Inner(numba.core.registry.CPUDispatcher):  # type: ignore[misc]
    """A compiled function without an entry from Python; called from there it runs as written.

    The entries, which look at every argument, are a fifth of what there is to compile.
    """

    def __call__(self, *args: Any) -> Any:
        return self.py_func(*args)


def _compile(function: F, *, inline: bool = False, entry: bool = False) -> F:
    if not _COMPILED:
        return function
    compiled = numba.njit(
        nogil=True,
        error_model="numpy",
        forceinline=inline,
        # Kernels allocate nothing, so counting references to arrays would only cost time.
        _nrt=False,
        no_cpython_wrapper=not entry,
        no_cfunc_wrapper=True,
    )(function)
    if (cache := _open_cache(function)) is not None:
        compiled._cache = cache
    if not entry:
        compiled.__class__ = _Inner
    return compiled  # type: ignore[no-any-return]


def _open_cache(function: Callable[..., Any]) -> _Cache | None:
    """The kept kernels of a function, or None where they cannot be kept safely."""
    folder = _cache_folder(Path(function.__code__.co_filename).parent)
    if folder is None:
        return None
    # The folder is set for this moment only: other numba users keep theirs.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = folder
    try:
        cache = _Cache(function)
    except (OSError, RuntimeError) as error:  # RuntimeError: numba could not write there
        _tell_once(f"Compiled kernels cannot be kept in {folder}: {error}")
        return None
    finally:
        numba.config.CACHE_DIR = before
    if not _is_private(cache.cache_path):
        _tell_once(f"Other users can write to {cache.cache_path}: compiled kernels are not kept")
        return None
    return cache


@functools.cache
def _is_private(folder: str) -> bool:
    return is_private(Path(folder))


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
