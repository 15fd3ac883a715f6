"""uvicorn's protocols with what they leave open: slow requests end, text that is none is answered.

Read `guard.py` before and `serve.py` after this file.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

#: Seconds for the head of a request to arrive in.
HEAD_SECONDS: Final = 10.0


class Http(H11Protocol):
    """HTTP/1.1; a connection on which no whole head of a request comes in time is closed."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._wait()
        else:
            self._stop()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """See uvicorn."""
        self._stop()
        super().handle_websocket_upgrade(event)

    def _wait(self) -> None:
        if self._timer is None and not self.transport.is_closing():
            upgraded = self not in self.connections
            if not upgraded:
                self._timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class WebSocket(WebSocketsSansIOProtocol):
    """WebSocket; text is handed on as bytes, so that what is no UTF-8 is told so like all else."""

    def send_receive_event_to_app(self) -> None:
        """See uvicorn."""
        self.curr_msg_data_type: Any = "bytes"
        super().send_receive_event_to_app()
