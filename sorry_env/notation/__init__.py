"""The text formats: squares, positions, moves and game records."""

from sorry_env.notation.moves import legal_texts, move_text, move_words, parse_move
from sorry_env.notation.position import read, write
from sorry_env.notation.record import Record, Recorder, read_records, write_record
from sorry_env.notation.views import read_view

__all__ = [
    "Record",
    "Recorder",
    "legal_texts",
    "move_text",
    "move_words",
    "parse_move",
    "read",
    "read_records",
    "read_view",
    "write",
    "write_record",
]
