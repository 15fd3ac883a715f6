"""A pytest plugin: a test may be skipped only for a reason of the list below, and only if it holds.

A skip that nobody notices is a test that nobody runs: rename a module that a test asks for by
``importorskip``, and the whole file disappears. Any other skip is a failure here, at the
collection of a file as well as in a test. Write what is not on the list as an import.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Callable, Generator
from typing import NamedTuple, TypeVar

import pytest

Report = TypeVar("Report", pytest.CollectReport, pytest.TestReport)


class Excuse(NamedTuple):
    """Why a test may be skipped.

    reason: pattern of the whole reason that pytest is given
    holds:  whether it is true on this machine
    """

    reason: str
    holds: Callable[[], bool]


def no_gpu() -> bool:
    if importlib.util.find_spec("torch") is None:
        return True
    import torch

    return not torch.cuda.is_available()


def plain_python() -> bool:
    import numba

    return bool(numba.config.DISABLE_JIT)


def no_autoreset_modes() -> bool:
    import gymnasium.vector

    return not hasattr(gymnasium.vector, "AutoresetMode")


def no_registry() -> bool:
    import pettingzoo

    return not hasattr(pettingzoo, "register")


def outside_ci() -> bool:
    """Continuous integration installs Node and Chromium: nothing is left out there."""
    return not os.environ.get("CI")


EXCUSES = (
    # What a machine may lack.
    Excuse("needs a GPU", no_gpu),
    Excuse("no Chromium at .*: install it with `make browser-deps`", outside_ci),
    Excuse("there is no Node here", lambda: outside_ci() and shutil.which("node") is None),
    Excuse("run `npm ci` in docs/examples/node", outside_ci),
    Excuse("looks for processes in /proc", lambda: sys.platform != "linux"),
    # make test-nojit: what compares compiled with plain code compares nothing there.
    Excuse("both sides would be plain Python", plain_python),
    Excuse("plain Python has no cache", plain_python),
    Excuse("plain Python compiles nothing", plain_python),
    # The oldest releases that are supported.
    Excuse("gymnasium 1.0 has no other mode", no_autoreset_modes),
    Excuse("gymnasium 1.0 knows no reset_mask", no_autoreset_modes),
    Excuse("this PettingZoo has no registry", no_registry),
)


def excused(reason: str) -> bool:
    """Whether the reason is on the list and true here."""
    return any(re.fullmatch(e.reason, reason, re.DOTALL) and e.holds() for e in EXCUSES)


def refuse_skip(report: Report) -> Report:
    """Turn a skip without an excuse into a failure; an expected failure is no skip."""
    if report.skipped and not hasattr(report, "wasxfail"):
        assert isinstance(report.longrepr, tuple)
        place, line, text = report.longrepr
        reason = str(text).removeprefix("Skipped: ")
        if not excused(reason):
            report.outcome = "failed"
            report.longrepr = (
                f"{place}:{line}: skipped without an excuse: {reason}\n"
                "Excuses are listed in tests/skips.py, with the condition that must hold."
            )
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return refuse_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return refuse_skip((yield))
