"""The text formats: squares, positions, moves and game records."""

from sorry_env.notation.moves import legal_texts, move_text, move_words, parse_move
from sorry_env.notation.position import read, write

__all__ = ["legal_texts", "move_text", "move_words", "parse_move", "read", "write"]
