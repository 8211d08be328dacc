"""docs/formats.md: its examples run, and its samples of files are what it says they are."""

import doctest
import re
from pathlib import Path

from reversi import parse_any
from reversi.formats import FORMATS
from reversi.formats.counts import Counts

PAGE = Path(__file__).parents[1] / "docs" / "formats.md"


def test_the_examples() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert results.attempted > 5
    assert results.failed == 0, "the differences are printed above"


def test_the_samples() -> None:
    samples = re.findall(r"(?:^    .*\n)+", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    formats = [parse_any(sample).format for sample in samples]
    assert formats == ["transcript", "obf", "ggf", "sgf", "json", "json"]


def test_the_table_has_every_format_with_its_endings() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for format in FORMATS.values():
        row = re.search(rf"^\| \[.*\| `{format.name}` \| (.*?) \|", text, re.MULTILINE)
        assert row is not None, format.name
        for suffix in format.suffixes:
            assert f"`{suffix}`" in row[1]


def test_the_table_of_counts_has_every_key() -> None:
    counts = PAGE.read_text(encoding="utf-8").partition("## Counts of an archive")[2]
    rows = re.findall(r"^\| (`.*?`) \|", counts, re.MULTILINE)
    assert [key for row in rows for key in re.findall(r"`(\w+)`", row)] == [
        "file",
        *Counts().record(),
    ]
