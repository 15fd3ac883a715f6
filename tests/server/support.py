"""What the tests of the bot protocol share: asking a session, and our bots as programs."""

from __future__ import annotations

import json
import sys
from typing import Any

from sorry_env.server.session import Session

#: `sorry` of the environment that runs the tests.
SORRY = [sys.executable, "-c", "import sys; from sorry_env.cli import main; sys.exit(main())"]


def ask(session: Session, kind: str, **fields: Any) -> dict[str, Any]:
    """A request's answer, through lines in both directions."""
    line = json.dumps({"id": 5, "type": kind, **fields}).encode()
    text = session.answer_line(line)
    assert text.isascii() and "\n" not in text
    answer: dict[str, Any] = json.loads(text)
    assert answer["id"] == 5
    return answer


def code(session: Session, kind: str, **fields: Any) -> str:
    """The code of the error that answers a request."""
    answer = ask(session, kind, **fields)
    assert answer["type"] == "error" and answer["message"], answer
    return str(answer["code"])
