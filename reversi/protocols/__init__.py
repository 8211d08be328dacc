"""Talking by lines: the engine as other programs drive it, and other engines as we drive them."""
