"""`sorry serve`: games for people and programs over HTTP and WebSocket, and the page itself.

From the inside out, each file reading those before it:

- `facts.py` (what a ruleset and its board are), `shown.py` (a game as a viewer may see it),
  `events.py` (what a move does, square by square): pure functions of a game;
- `roster.py` (the bots that are offered), `analysis.py` (what a bot thinks of a position);
- `setup.py` (what a new game is asked to be), `table.py` (one game with its seats and its past),
  `replay.py` (records move by move);
- `database.py`, `store.py`, `backup.py` (SQLite), `gathering.py` (people at a table), `room.py`
  (what they ask for, and the server's own moves), `hub.py` (all rooms);
- `limits.py`, `guard.py`, `prefix.py`, `body.py` (what requests may be), `api.py`, `live.py`,
  `protocol.py` (HTTP, WebSocket, the bot protocol), `schema.py`, `app.py`, `serve.py`.

Nothing that a client says names a file, a module or a command. Needs the extra `serve`.
"""
