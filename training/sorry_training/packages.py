"""The packages of the extra ``train``: which are needed for what, asked before any work starts."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from typing import Final

from sorry_env.errors import MissingExtraError

INSTALL: Final = "pip install 'sorry_env[train]'"
#: Packages that can be done without, and what is then missing.
OPTIONAL: Final = {
    "matplotlib": "no curve.png is drawn",
    "tensorboard": "no figures are written for TensorBoard",
    "tqdm": "no progress bar is shown",
}


def is_installed(package: str) -> bool:
    """Whether a package can be imported; imports it."""
    return _why_not(package) is None


def require(*packages: str) -> None:
    """Raise MissingExtraError, naming all of the packages that cannot be imported."""
    missing = {name: why for name in packages if (why := _why_not(name)) is not None}
    if missing:
        names = " and ".join(missing)
        broken = "".join(f"; {name}: {why}" for name, why in missing.items() if why)
        raise MissingExtraError(f"training needs {names}: {INSTALL}{broken}", value=list(missing))


def what_is_missing(packages: Sequence[str] = tuple(OPTIONAL)) -> Iterator[str]:
    """A line for each package of OPTIONAL that is not there."""
    for name in packages:
        if (why := _why_not(name)) is not None:
            reason = f" ({why})" if why else ""
            yield f"{name} is not installed{reason}: {OPTIONAL[name]}; to have it: {INSTALL}"


def _why_not(package: str) -> str | None:
    """Why a package cannot be imported; empty where it is just not there, None where it can."""
    try:
        importlib.import_module(package)
    except ModuleNotFoundError as error:
        return "" if error.name in (package, None) else str(error)
    except ImportError as error:
        return str(error)
    return None
