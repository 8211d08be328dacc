"""Signals that ask a command to end. Knows no command."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """Let a polite end of the process, or of its terminal, end the work as Ctrl-C does: what there
    is gets written, and what was started is ended.

    Signals that are ignored, as with nohup, stay so.

    >>> with ended_like_ctrl_c():
    ...     signal.getsignal(signal.SIGTERM) is signal.default_int_handler
    True
    """
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    taken = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
