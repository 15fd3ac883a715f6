"""Bots for other programs, and other programs as bots: bot protocol 1.

`protocol.py` (lines and requests), `positions.py` (what a position's line allows), `session.py`
(requests in, answers out) and `stdio.py` serve our bots; `peer.py` and `client.py` play with
foreign ones. Start with `protocol.py`.
"""
