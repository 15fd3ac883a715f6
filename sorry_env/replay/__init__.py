"""Records looked at afterwards: what draws and moves changed, and picture stories of them.

`analysis.py` asks a bot what each decision was worth; `story.py`, `svg.py`, `gif.py` and `html.py`
draw a game as one file. Games of every family.
"""

from sorry_env.replay.analysis import Account, Analysis, Ply, Swing, analyse

__all__ = ["Account", "Analysis", "Ply", "Swing", "analyse"]
