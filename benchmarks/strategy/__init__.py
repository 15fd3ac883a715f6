"""Folk advice put to the test, for docs/strategy.md: `python -m benchmarks.strategy --help`.

Read `worth.py`, `moves.py`, `advice.py`, `decisions.py`, `squares.py`, `rollouts.py`, `examples.py`
and `matches.py` in this order; `__main__.py` is the command.
"""
