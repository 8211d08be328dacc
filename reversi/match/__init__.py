"""Matches: engines, openings, games by a referee, what they come to. Prints nothing."""
