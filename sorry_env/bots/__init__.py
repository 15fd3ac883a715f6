"""Players: what a bot is (`base.py`), the built-in ones, and their names (`registry.py`).

Each bot is a file of its own and is imported when it is used: this package imports none.
"""
