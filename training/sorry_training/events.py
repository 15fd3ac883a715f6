"""Scalars for TensorBoard, written to an event file as they come.

torch's SummaryWriter writes from a thread of its own: what goes wrong there (a full disk) becomes a
traceback, and half a record may stay. Here each update is one write, whole or not at all.
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sorry_env.files import append_file


class EventFile:
    """An event file in ``folder``; needs the package tensorboard.

    first: the step it goes on with; TensorBoard forgets what earlier files have from there on
    """

    def __init__(self, folder: Path, first: int) -> None:
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog

        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"events.out.tfevents.{time.time():017.6f}.{os.getpid()}.sorry_env"
        self._append(
            Event(wall_time=time.time(), file_version="brain.Event:2"),
            Event(wall_time=time.time(), step=first,
                  session_log=SessionLog(status=SessionLog.START)),
        )  # fmt: skip

    def add(self, step: int, scalars: Mapping[str, float]) -> None:
        """Write the scalars of a step, by their tags."""
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary

        values = [Summary.Value(tag=tag, simple_value=value) for tag, value in scalars.items()]
        self._append(Event(wall_time=time.time(), step=step, summary=Summary(value=values)))

    def _append(self, *events: Any) -> None:
        from tensorboard.summary.writer.record_writer import RecordWriter

        records = io.BytesIO()
        writer = RecordWriter(records)
        for event in events:
            writer.write(event.SerializeToString())
        append_file(self.path, records.getvalue())
