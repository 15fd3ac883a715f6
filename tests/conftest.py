"""Settings for all tests: how hypothesis chooses its examples.

`dev` looks at new examples each time, `ci` at the same ones, so that a commit passes or fails for
what is in it. HYPOTHESIS_PROFILE names another. Timings are no part of any test: no deadlines.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("thorough", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

# Skips must be excused; pytester runs pytest inside a test.
pytest_plugins = ["tests.skips", "pytester"]
