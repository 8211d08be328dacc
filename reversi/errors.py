"""The exceptions of the package. Each message says what came, where, and what was expected."""

__all__ = [
    "IllegalMoveError",
    "InvalidBoardError",
    "InvalidMoveError",
    "SearchStopped",
    "TrainingError",
    "WeightsError",
]


class InvalidMoveError(ValueError):
    """What was given is no move on any board: ``'z9'``, ``65``, ``-1``, a value of a wrong type.

    >>> issubclass(InvalidMoveError, ValueError)
    True
    """


class IllegalMoveError(ValueError):
    """A square or a pass that is well formed, but not allowed in this position.

    >>> issubclass(IllegalMoveError, ValueError)
    True
    """


class InvalidBoardError(ValueError):
    """Text, cells or bitboards that describe no board; the message names the offending place.

    >>> issubclass(InvalidBoardError, ValueError)
    True
    """


class WeightsError(ValueError):
    """A file of weights that cannot be used; the message names the file and what is wrong with it.

    >>> issubclass(WeightsError, ValueError)
    True
    """


class TrainingError(ValueError):
    """A step of training that cannot go on; the message names the file or setting at fault.

    >>> issubclass(TrainingError, ValueError)
    True
    """


class SearchStopped(RuntimeError):  # noqa: N818  (an order that was followed, not an error)
    """A solve was ended by ``Engine.stop()`` before it had an answer.

    >>> issubclass(SearchStopped, RuntimeError)
    True
    """
