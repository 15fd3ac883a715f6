"""`python -m sorry_env` is the command `sorry`, under the same name in its messages."""

from __future__ import annotations

import sys

from sorry_env.cli import main

if __name__ == "__main__":
    sys.exit(main())
