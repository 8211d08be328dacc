"""The lines that a protocol's program reads, whatever comes, and how they end its searches."""

from __future__ import annotations

import io
import os
import re
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reversi import Engine
from reversi.protocols.gtp import Gtp
from reversi.protocols.lines import MAX_LINE, LineReader
from reversi.protocols.nboard import NBoard

SOON_S = 5.0


def read_all(reader: LineReader) -> list[str]:
    return list(iter(reader.next, None))


def pipe_of(data: bytes) -> int:
    """Return the end of a pipe that gives these bytes and then ends."""
    end, other = os.pipe()

    def write() -> None:
        with os.fdopen(other, "wb") as file:
            file.write(data)

    threading.Thread(target=write, daemon=True).start()
    return end


@given(st.lists(st.binary(max_size=20), max_size=10))
@settings(max_examples=50)
def test_lines_are_those_of_the_bytes(chunks):
    end, other = os.pipe()
    reader = LineReader(end, bool)
    for chunk in chunks:
        os.write(other, chunk)
    os.close(other)
    whole = b"".join(chunks)
    lines = whole.split(b"\n")
    if not lines[-1]:
        lines.pop()
    expected = [line.decode("utf-8", "replace").rstrip("\r") for line in lines]
    assert read_all(reader) == expected
    os.close(end)


def test_a_line_is_cut_where_it_is_too_long():
    data = b"a\n" + b"b" * MAX_LINE + b"\n" + b"c" * (3 * MAX_LINE + 5) + b"\nd\n" + b"e" * 7
    reader = LineReader(pipe_of(data), bool)
    assert [(line[:1], len(line)) for line in read_all(reader)] == [
        ("a", 1), ("b", MAX_LINE), ("c", MAX_LINE), ("d", 1), ("e", 7),
    ]  # fmt: skip


def test_more_than_is_kept_waits_in_the_pipe():
    line = b"x" * 100_000 + b"\n"
    reader = LineReader(pipe_of(line * 500), bool)
    assert sum(map(len, read_all(reader))) == 500 * 100_000


def test_a_command_stops_a_search_until_it_has_ended():
    end, other = os.pipe()
    reader = LineReader(end, str.isalpha)
    os.write(other, b"before\n")
    while not reader.waiting(9):
        time.sleep(0.001)
    calls = threading.Semaphore(0)
    with reader.searching(calls.release) as search:
        os.write(other, b"123\n")
        time.sleep(0.05)
        assert not search.stopped
        os.write(other, b"after\n")
        # A search that had not begun at the first call hears the next.
        assert all(calls.acquire(timeout=SOON_S) for _ in range(3))
        assert search.stopped
    with reader.searching(calls.release) as search:
        time.sleep(0.05)
        assert not search.stopped
    assert reader.waiting(9) == ["before", "after"]
    last_calls = threading.Semaphore(0)
    with reader.searching(last_calls.release):
        os.close(other)
        assert last_calls.acquire(timeout=SOON_S)
    assert reader.waiting(9) == ["before", "after", ""]
    assert read_all(reader) == ["before", "123", "after"]
    os.close(end)


ARGUMENTS = "1 22 -3 b w black WHITE f5 D6 pass a1 z9 PA # 0.5 nan 1e999 8 \t \r \0 é // ( ) ;"
GTP = (
    "play genmove reg_genmove undo boardsize clear_board komi time_left showboard known_command"
    " final_score set_game loadsgf gogui-rules_board gogui-rules_legal_moves what"
)
WORDS = st.sampled_from(ARGUMENTS.split(" "))
GTP_COMMANDS = st.sampled_from(GTP.split())
NBOARD_COMMANDS = st.sampled_from(
    ["move", "set", "set game", "set depth", "hint", "go", "analyze", "learn", "nboard", "what"]
)


def scripts(commands: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    chatter = st.text(max_size=10).filter(lambda text: "\n" not in text and "quit" not in text)
    line = st.tuples(commands, st.lists(WORDS, max_size=4)).map(
        lambda drawn: " ".join([drawn[0], *drawn[1]])
    )
    return st.lists(line | chatter, max_size=8)


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mb=1) as engine:
        yield engine


def conversation(made, script: list[str]) -> str:
    end = pipe_of("".join(f"{line}\n" for line in script).encode("utf-8", "replace"))
    answers = io.BytesIO()
    made(end, answers).run()
    os.close(end)
    return answers.getvalue().decode()


@given(scripts(GTP_COMMANDS))
@settings(max_examples=60)
def test_every_command_of_gtp_has_one_answer(engine, script):
    said = conversation(lambda end, file: Gtp(engine, end, file, level=1), [*script, "77 name"])
    answers = said.split("\n\n")
    assert answers.pop() == ""
    assert all(answer[0] in "=?" for answer in answers)
    assert answers[-1] == "=77 Reversi"
    texts = [re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line.split("#")[0]) for line in script]
    assert len(answers) == 1 + sum(bool(text.strip()) for text in texts)


@given(scripts(NBOARD_COMMANDS))
@settings(max_examples=60)
def test_whatever_nboard_says_is_survived(engine, script):
    depth = ["set depth 1"]
    said = conversation(lambda end, file: NBoard(engine, end, file), [*depth, *script, "learn"])
    lines = said.splitlines()
    assert lines[-1] == "learned"
    known = ("set myname", "status", "search", "nodestats", "===", "learned", "analysis", "pong")
    assert all(line.startswith(known) for line in lines)
    numbers = " ".join(line for line in lines if not line.startswith("status")).lower()
    assert "nan" not in numbers and "inf" not in numbers
