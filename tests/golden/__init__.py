"""Golden transcripts: a whole game of every ruleset and number of seats, as text.

They show in a diff what a change of the engine changes. `python -m tests.golden` writes them anew,
and refuses where the independent reference disagrees: a mistake of the engine is never frozen.
Read ``transcript.py`` first.
"""
