"""``python -m sorry_env`` is the command ``sorry``."""

import sys

from sorry_env.cli import main

if __name__ == "__main__":
    sys.exit(main())
