"""Matches and leagues between bots, with intervals.

`play_match` in `match.py`, its result in `result.py`, when it may stop in `stopping.py`;
`play_league` in `league.py`, its result in `league_result.py`, its ratings in `rating.py`; files
and pictures in `export.py`.
"""

from sorry_env.arena.export import save
from sorry_env.arena.league import play_league
from sorry_env.arena.league_result import LeagueResult
from sorry_env.arena.match import play_match
from sorry_env.arena.result import MatchResult
from sorry_env.arena.stats import wilson
from sorry_env.arena.stopping import HalfWidth, Sprt, Verdict

__all__ = [
    "HalfWidth",
    "LeagueResult",
    "MatchResult",
    "Sprt",
    "Verdict",
    "play_league",
    "play_match",
    "save",
    "wilson",
]
