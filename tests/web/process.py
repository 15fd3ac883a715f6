"""`sorry serve` as a process: started, asked, ended by force."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType

SORRY = [sys.executable, "-c", "import sys; from sorry_env.cli import main; sys.exit(main())"]


class Served:
    """A server with its games in a file.

    address: where it answers, from `start` on
    """

    def __init__(self, db: Path, *options: str) -> None:
        self.db = db
        self.options = options
        self.address = ""
        self._log = db.with_suffix(".log")
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [*SORRY, "serve", "--no-browser", "--port", "0", "--db", str(self.db)]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, *self.options], stdout=subprocess.PIPE, stderr=log, text=True,
                env=os.environ | {"OMP_NUM_THREADS": "1"},
            )  # fmt: skip
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + self.log()
        self.address = found.group()

    def kill(self) -> None:
        """End it by force, at once."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._ended(20)

    def stop(self) -> int:
        """End it as people do; the exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return self._ended(20)

    def _ended(self, seconds: float) -> int:
        assert self._process is not None and self._process.stdout is not None
        status = self._process.wait(seconds)
        self._process.stdout.close()
        return status

    @property
    def pid(self) -> int:
        """The process's number."""
        assert self._process is not None
        return self._process.pid

    def log(self) -> str:
        """All that it wrote to standard error."""
        return self._log.read_text()

    def __enter__(self) -> Served:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._ended(10)
            except subprocess.TimeoutExpired:
                self.kill()
