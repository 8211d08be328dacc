"""File formats: one room each, and ``files`` that chooses among them. Knows no engine."""

from reversi.formats.files import FORMATS, format_of, read_games, write_games

__all__ = ["FORMATS", "format_of", "read_games", "write_games"]
