"""Hypothesis: no deadlines, since machines differ; the same examples every time in CI."""

import os

from hypothesis import settings

settings.register_profile("reversi", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("reversi")
