"""Matches between bots, with intervals: `play_match` in `match.py`, its result in `result.py`."""

from sorry_env.arena.match import play_match
from sorry_env.arena.result import MatchResult
from sorry_env.arena.stats import wilson

__all__ = ["MatchResult", "play_match", "wilson"]
