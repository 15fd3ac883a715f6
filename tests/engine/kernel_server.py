"""Calls one tiny kernel in processes of their own, each as another user, in another environment.

    python tests/engine/kernel_server.py ROOT

Reads a request a line, an object of JSON: `folder` (where `tiny.py` is), `user` (-1: this one),
`limit` (bytes of the largest file, 0: none), `environment`, `out` and `err` (files for what the
process says); answers with the process's exit status. numba is loaded once; processes are forked
before anything of the project has run. The interpreter's own files may be out of another user's
reach, so all that is needed is loaded before.
"""

from __future__ import annotations

import grp  # noqa: F401
import importlib
import json
import os
import pickle
import pwd  # noqa: F401
import resource
import signal
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

import numba


def call_kernel(request: dict[str, Any]) -> None:
    """Become what the request asks for, then call the kernel and tell whence it came."""
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(request[name], os.O_WRONLY | os.O_CREAT, 0o666), number)
    os.environ.clear()
    os.environ.update(request["environment"])
    tempfile.tempdir = None
    if request["limit"]:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (request["limit"],) * 2)
    if request["user"] not in (-1, os.getuid()):
        os.setgroups([])
        os.setgid(request["user"])
        os.setuid(request["user"])
    sys.path.insert(0, request["folder"])
    tiny = importlib.import_module("tiny")
    if (tiny.add(1, 2), tiny.take(3, 1)) != (3, 2):
        raise ValueError("1 + 2 must be 3, and 3 - 1 must be 2")
    print(sum(tiny.add.stats.cache_hits.values()), tiny.add.stats.cache_path, flush=True)


def main() -> None:
    """Answer requests until the input ends."""
    root = Path(sys.argv[1])
    # The package without its `__init__`, which compiles the whole engine.
    package = types.ModuleType("sorry_env")
    package.__path__ = [str(root / "sorry_env")]
    sys.modules["sorry_env"] = package
    importlib.import_module("sorry_env.engine.jit")
    pickle.loads(pickle.dumps(numba.njit(lambda a, b: a + b)(1, 2)))
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            try:
                call_kernel(json.loads(line))
                os._exit(0)
            except BaseException:
                sys.excepthook(*sys.exc_info())
                sys.stderr.flush()
                os._exit(1)
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
