"""The examples of README.md, run in their order as one session of the interpreter."""

import doctest
import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def examples_alone(text: str) -> str:
    """Blank every line outside the blocks of Python, so that failures name the file's own line."""
    parts = re.split(r"^```(python)?\n", text, flags=re.MULTILINE)
    lines, inside = [], False
    for part, opened in zip(parts[::2], [*parts[1::2], None], strict=True):
        lines += part.splitlines(keepends=True) if inside else ["\n"] * part.count("\n")
        lines += ["\n"] if opened is not None else []
        inside = opened == "python"
    return "".join(lines)


def test_the_examples() -> None:
    text = README.read_text(encoding="utf-8")
    example = doctest.DocTestParser().get_doctest(
        examples_alone(text), {"__name__": "__main__"}, README.name, str(README), 0
    )
    assert len(example.examples) > 30
    results = doctest.DocTestRunner().run(example)
    assert results.failed == 0, "the differences are printed above"
