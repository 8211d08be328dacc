"""The examples of the docstrings, those of the command among them."""

import doctest
import pkgutil
from importlib import import_module
from importlib.util import find_spec

import pytest

import reversi
from reversi._load import core

# Rooms for those who have an extra, each with a module that it brings.
EXTRAS = (("reversi.training", "matplotlib"), ("reversi.web", "fastapi"))


def docstrings() -> list[doctest.DocTest]:
    """Collect the examples of every module in Python, and of the core that runs here."""
    found = []
    for module in pkgutil.walk_packages(reversi.__path__, "reversi."):
        # Builds of the core are for some processors only; __main__ runs the command.
        name = module.name.rpartition(".")[2]
        foreign = name.startswith(("_core", "_cpu", "__main__"))
        needed = next((extra for room, extra in EXTRAS if module.name.startswith(room)), "reversi")
        if not foreign and find_spec(needed):
            found += doctest.DocTestFinder(exclude_empty=True).find(import_module(module.name))
    found += doctest.DocTestFinder(exclude_empty=True).find(reversi)
    found += doctest.DocTestFinder(exclude_empty=True).find(core)
    return [example for example in found if example.examples]


@pytest.mark.parametrize("example", docstrings(), ids=lambda example: example.name)
def test_the_example(example: doctest.DocTest) -> None:
    results = doctest.DocTestRunner().run(example)
    assert results.failed == 0, "the differences are printed above"
