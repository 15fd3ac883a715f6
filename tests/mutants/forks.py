"""The process that runs tests on mutants: it imports the libraries once and forks for every run.

    python -P tests/mutants/forks.py numpy numba ...

It runs in the copy of the repository. Each line that it reads is one JSON object, a request:
`tests` (arguments of pytest), `cpu` and `wall` (limits in seconds), `log` (a file for the output).
For each it writes a line: `passed`, `timed_out`, `cpu` (seconds used).
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import time
from typing import Any


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Run pytest in a child; kill it and all its children when it takes too long."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        _become_pytest(request)
    until = time.monotonic() + request["wall"]
    parent = os.getppid()
    timed_out = False
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            break
        timed_out = timed_out or time.monotonic() > until
        if timed_out or os.getppid() != parent:  # nobody waits for an answer any more
            _end_group(child)
        time.sleep(0.02)
    _end_group(child)  # what it left running
    timed_out = timed_out or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
    cpu = usage.ru_utime + usage.ru_stime
    return {"passed": status == 0, "timed_out": timed_out, "cpu": round(cpu, 2)}


def _end_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def _become_pytest(request: dict[str, Any]) -> None:
    """Run the tests in this process, a group of its own, and end it."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (request["cpu"], request["cpu"] + 10))
    log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    code = 1
    try:
        import pytest

        code = int(
            pytest.main(
                ["-x", "-q", "--disable-warnings", "-p", "no:cacheprovider", *request["tests"]]
            )
        )
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    """Import what is named, say so, then answer requests until there are no more."""
    for name in sys.argv[1:]:
        importlib.import_module(name)
    ours = sorted(n for n in sys.modules if n.partition(".")[0] in ("sorry_env", "sorry_training"))
    print(json.dumps({"ready": True, "loaded": ours}), flush=True)
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
