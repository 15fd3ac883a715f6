"""Bodies of requests: of the right kind, not too large, not too slow; and answers in JSON.

Read `guard.py` before and `api.py` after this file.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from sorry_env.errors import SorryError
from sorry_env.json_text import write_json
from sorry_env.server import protocol
from sorry_env.web.limits import Refusal, error_row, status_of

JSON: Final = ("application/json",)
RECORDS: Final = ("application/json", "application/x-ndjson", "text/plain")


class Json(Response):
    """An answer as ASCII JSON, whatever texts are in it."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """See `Response`."""
        return write_json(content, compact=True).encode()


def refused(error: SorryError) -> Json:
    """An error as an answer; what is left of its body is not read."""
    status = status_of(error.code)
    headers = {"connection": "close"} if error.code in ("too_large", "timeout") else None
    return Json(error_row(error), status, headers)


async def read_body(
    request: Request, most: int, seconds: float, kinds: tuple[str, ...] = JSON
) -> bytes:
    """The whole body. Refusal where it is of another kind, too large or too slow."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in kinds:
        raise Refusal("bad_media_type", f"content-type must be {' or '.join(kinds)}", value=kind)
    too_large = Refusal("too_large", f"a body has at most {most} bytes")
    length = request.headers.get("content-length", "")
    # Other digits than ASCII's are no length; the server beneath refuses them in words.
    if length.isascii() and length.isdigit() and (len(length) > 18 or int(length) > most):
        raise too_large
    parts, size = [], 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise too_large
                parts.append(part)
    except TimeoutError:
        raise Refusal("timeout", f"the body did not arrive within {seconds:g} s") from None
    except ClientDisconnect:
        raise Refusal("timeout", "the body did not arrive as a whole") from None
    return b"".join(parts)


async def read_json(request: Request, most: int, seconds: float) -> dict[str, Any]:
    """The JSON object of a body; Refusal or RequestError for anything else."""
    return protocol.read_object(await read_body(request, most, seconds))
