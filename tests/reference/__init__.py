"""A second, slow implementation of the game, written from the rules alone to check the fast one.

Read ``rules_data.py`` first, then ``board.py``, ``cards.py``, ``reading.py``, ``state.py`` and
``reference.py``; every edition that differs has a file that builds on these.
``express.py`` is the dice game, a world of its own. Nothing in this package imports the engine,
and it speaks only the project's text formats.
"""

from .reference import ReferenceGame

__all__ = ["ReferenceGame"]
