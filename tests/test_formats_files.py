"""Files of games by name: the choice of a format, compressed files, whole files or none, counts."""

from __future__ import annotations

import gzip
import io
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from formats_kit import MUST_PASS, passing_game, random_game, with_notes
from gametrees import damages
from hypothesis import given, settings
from hypothesis import strategies as st

from reversi import FormatError, Game, read_games, write_games
from reversi.formats import FORMATS, format_of
from reversi.formats.counts import Counts

# What a game keeps in each format, of headers and notes.
KEEPING_ALL = ("ggf", "sgf", "json")
WITH_ANY_START = ("transcript", "ggf", "sgf", "json", "obf")


def some_games(count: int = 10) -> list[Game]:
    return [random_game(seed) for seed in range(count)]


def without_headers(games: list[Game]) -> list[Game]:
    return [Game.from_moves(game.moves, game.start) for game in games]


# --- Choosing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("old.ggf", "ggf"),
        ("OLD.GGF", "ggf"),
        ("a.b/old.1999.ggf.gz", "ggf"),
        ("old.WTB.xz", "wthor"),
        ("old.sgf.bz2", "sgf"),
        ("old.json", "json"),
        ("old.jsonl", "json"),
        ("old.obf", "obf"),
        ("old.txt", "transcript"),
        ("openings.xot", "transcript"),
    ],
)
def test_the_ending_names_the_format(path: str, name: str) -> None:
    assert format_of(path).name == name
    assert format_of(Path(path)).name == name


@pytest.mark.parametrize("path", ["old", "old.gz", "old.pgn", "old.ggf.zip", ".ggf", "old.jou"])
def test_other_endings_name_none(path: str) -> None:
    with pytest.raises(FormatError, match="names no format; expected one of") as caught:
        format_of(path)
    assert caught.value.kind == "unsupported"


def test_unknown_and_missing_formats_are_errors_at_once() -> None:
    with pytest.raises(ValueError, match="no format 'pgn'; expected one of transcript, obf, ggf"):
        read_games("old.ggf", "pgn")
    with pytest.raises(ValueError, match="no format 'pgn'"):
        write_games("old.ggf", [], "pgn")
    with pytest.raises(ValueError, match="has to be stated"):
        read_games(io.BytesIO())
    with pytest.raises(FormatError, match="names no format"):
        read_games("old.pgn")


def test_what_is_no_file_and_no_game_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("f5d6\n")
    game = Game.from_transcript("f5d6")
    with pytest.raises(TypeError, match="on_error is 'skip'; expected a function"):
        read_games(path, on_error="skip")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"StringIO.*; expected a path or a file open for reading"):
        read_games(io.StringIO("f5d6"), "transcript")  # type: ignore[arg-type]
    with path.open() as file, pytest.raises(TypeError, match="expected a path or a file open for"):
        read_games(file)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"file is 5; expected a path"):
        read_games(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"games is <Game .*>; expected several, such as \[game\]"):
        write_games(path, game, overwrite=True)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="game 2 is 'f5d6'; expected a Game"):
        write_games(path, [game, "f5d6"], overwrite=True)  # type: ignore[list-item]
    assert path.read_text() == "f5d6\n"


def test_every_ending_belongs_to_one_format() -> None:
    suffixes = [suffix for one in FORMATS.values() for suffix in one.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert all(FORMATS[name].name == name for name in FORMATS)


# --- Reading and writing --------------------------------------------------------------------------


@pytest.mark.parametrize("compression", ["", ".gz", ".bz2", ".xz"])
@pytest.mark.parametrize("name", FORMATS)
def test_games_survive_a_file(tmp_path: Path, name: str, compression: str) -> None:
    games = some_games()
    if name == "wthor" and compression in (".bz2", ".xz"):
        games = [Game(moves.start, {"result": "+0"}) for moves in games]  # names have no place
    path = tmp_path / f"games{FORMATS[name].suffixes[0]}{compression}"
    assert write_games(path, games) == 10
    found = list(read_games(path))
    if name in KEEPING_ALL or (name == "wthor" and compression in ("", ".gz")):
        assert found == games
    elif name == "obf":
        assert [game.start for game in found] == [game.final_board() for game in games]
    else:
        assert without_headers(found) == without_headers(games)
    with path.open("rb") as file:
        assert list(read_games(file)) == found
    assert next(read_games(io.BytesIO(path.read_bytes()), name)).moves == found[0].moves


@pytest.mark.parametrize("name", WITH_ANY_START)
def test_the_board_that_must_pass_survives_every_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / "games"
    passed = Game(MUST_PASS)
    passed.push("pass")
    write_games(path, [Game(MUST_PASS), passed], name)
    before, after = read_games(path, name)
    assert str(before.final_board()).endswith("must pass")
    assert before.outcome() is None
    assert [*after.final_board().legal_moves] == [38, 47]


@given(st.integers(0, 10**6), st.sampled_from(KEEPING_ALL), st.sampled_from(KEEPING_ALL))
@settings(max_examples=30)
def test_games_survive_from_format_to_format(
    tmp_path_factory: pytest.TempPathFactory, seed: int, first: str, second: str
) -> None:
    folder = tmp_path_factory.mktemp("games")
    games = [with_notes(random_game(seed, seed % 70), seed), Game(MUST_PASS)]
    write_games(folder / "first", games, first)
    write_games(folder / "second", read_games(folder / "first", first), second)
    assert list(read_games(folder / "second", second)) == games


def test_a_file_is_read_as_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("f5d6\nnonsense\nc4\n")
    games = read_games(path)
    assert next(games).transcript() == "f5d6"
    with pytest.raises(FormatError, match="game 2: move 1, line 2, column 1"):
        next(games)
    faults: list[FormatError] = []
    assert len(list(read_games(path, on_error=faults.append))) == 2
    assert len(faults) == 1


def test_a_pipe_is_read(tmp_path: Path) -> None:
    for name, compress in (("ggf", False), ("wthor", False), ("json", True)):
        path = tmp_path / f"games.{name}"
        write_games(path, [Game(headers={"result": "+0"})] * 3, name)
        data = gzip.compress(path.read_bytes()) if compress else path.read_bytes()
        reader, writer = os.pipe()
        os.write(writer, data)
        os.close(writer)
        with open(reader, "rb") as file:  # noqa: PTH123  (a pipe has no path)
            assert len(list(read_games(file, name))) == 3


def test_what_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(read_games(tmp_path / "none.ggf"))
    with pytest.raises(FileNotFoundError, match="there is no such folder"):
        write_games(tmp_path / "none" / "games.ggf", some_games())


# --- Compressed files -----------------------------------------------------------------------------


@pytest.mark.parametrize("compression", [".gz", ".bz2", ".xz"])
def test_a_compressed_file_that_ends_too_early_gives_what_it_has(
    tmp_path: Path, compression: str
) -> None:
    path = tmp_path / f"games.txt{compression}"
    written = [random_game(seed, plies=12) for seed in range(1500)]
    write_games(path, written)
    path.write_bytes(path.read_bytes()[:-400])
    faults: list[FormatError] = []
    games = list(read_games(path, on_error=faults.append))
    assert without_headers(games) == without_headers(written[: len(games)])
    assert len(games) > 100 or compression == ".bz2"  # which is damaged as a whole
    assert faults[-1].kind == "truncated"
    assert str(faults[-1]) == f"{path}: the compressed file ends too early"
    with pytest.raises(FormatError):
        list(read_games(path))


@given(st.sampled_from([".gz", ".bz2", ".xz"]), damages())
@settings(max_examples=80)
def test_damaged_compressed_files_give_faults_or_games(
    tmp_path_factory: pytest.TempPathFactory, compression: str, damage: damages
) -> None:
    path = tmp_path_factory.mktemp("games") / f"games.ggf{compression}"
    write_games(path, some_games(3))
    path.write_bytes(damage(path.read_bytes()))
    for game in read_games(path, on_error=lambda fault: str(fault)):
        assert game.final_board().empties >= 0


# --- Whole or not there ---------------------------------------------------------------------------


def breaking_off(games: list[Game]) -> Iterator[Game]:
    yield from games
    raise RuntimeError("the games break off")


@pytest.mark.parametrize("name", FORMATS)
def test_an_error_leaves_the_file_as_it_was(tmp_path: Path, name: str) -> None:
    path = tmp_path / "games"
    with pytest.raises(RuntimeError):
        write_games(path, breaking_off(some_games()), name)
    assert list(tmp_path.iterdir()) == []
    path.write_text("precious")
    with pytest.raises(RuntimeError):
        write_games(path, breaking_off(some_games()), name, overwrite=True)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_as_the_folder_is_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mkdir = os.mkdir

    def interrupted(path: Path, mode: int = 0o777) -> None:
        mkdir(path, mode)
        assert list(tmp_path.iterdir())
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(os, "mkdir", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_games(tmp_path / "new.ggf", some_games())
    assert not list(tmp_path.iterdir())


def test_an_existing_file_is_replaced_only_when_told(tmp_path: Path) -> None:
    path = tmp_path / "games.ggf"
    path.write_text("precious")
    with pytest.raises(FileExistsError) as caught:
        write_games(path, some_games())
    assert caught.value.filename == str(path)
    assert path.read_text() == "precious"
    assert write_games(path, some_games(), overwrite=True) == 10
    assert list(read_games(path)) == some_games()


def test_files_of_names_are_not_replaced_either(tmp_path: Path) -> None:
    names = tmp_path / "games.jou"
    names.write_text("precious")
    with pytest.raises(FileExistsError) as caught:
        write_games(tmp_path / "games.wtb", some_games())
    assert caught.value.filename == str(names)
    assert [*tmp_path.iterdir()] == [names]
    assert write_games(tmp_path / "games.wtb", some_games(), overwrite=True) == 10
    assert names.read_text(errors="replace") != "precious"


def test_lines_may_end_in_any_way() -> None:
    faults: list[FormatError] = []
    file = io.BytesIO(b"f5d6\rc4\r\rf5f5\r\n\nc4e3\n")
    games = read_games(file, "transcript", faults.append)
    assert [game.transcript() for game in games] == ["f5d6", "c4", "c4e3"]
    assert [fault.place for fault in faults] == ["move 2, line 4, column 3"]


@pytest.mark.parametrize("name", ["transcript", "obf"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_text_in_utf_16_is_called_so(name: str, encoding: str) -> None:
    data = "\ufefff5d6\r\nc4\r\n".encode(encoding)
    faults: list[FormatError] = []
    assert list(read_games(io.BytesIO(data), name, faults.append)) == []
    [fault] = faults
    assert (str(fault), fault.kind) == ("the text is in UTF-16; expected UTF-8", "unsupported")
    with pytest.raises(FormatError, match="UTF-16"):
        list(read_games(io.BytesIO(data), name))


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
def test_names_stand_beside_a_compressed_file_too(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"games.wtb{suffix}"
    game = Game.from_transcript("f5d6", headers={"black": "Ann", "result": "+6"})
    write_games(path, [game])
    assert {one.name for one in tmp_path.iterdir()} == {path.name, "games.jou", "games.trn"}
    assert [one.headers["black"] for one in read_games(path)] == ["Ann"]


def test_a_file_may_be_rewritten_from_itself(tmp_path: Path) -> None:
    path = tmp_path / "games.ggf"
    write_games(path, some_games())
    assert write_games(path, read_games(path), overwrite=True) == 10
    assert list(read_games(path)) == some_games()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "games.ggf", tmp_path / "link.ggf"
    write_games(path, some_games(1))
    link.symlink_to(path)
    write_games(link, some_games(2), overwrite=True)
    assert link.is_symlink()
    assert len(list(read_games(path))) == 2


@pytest.mark.skipif(os.name != "posix", reason="has no /dev/null")
def test_a_device_is_written_to_and_not_replaced() -> None:
    assert write_games("/dev/null", some_games(), "ggf") == 10
    assert Path("/dev/null").is_char_device()


# --- Counts ---------------------------------------------------------------------------------------


def test_counts_are_of_games_moves_and_results() -> None:
    counts = Counts("games.ggf")
    games = [*some_games(20), random_game(3, plies=10), Game(MUST_PASS)]
    for game in games:
        counts.add(game)
    outcomes = [outcome for game in games if (outcome := game.outcome())]
    assert counts.games == 22
    assert counts.moves == sum(len(game) for game in games)
    assert counts.passes == sum(game.moves.count(64) for game in games) > 0
    assert counts.black_wins == sum(outcome.discs > 0 for outcome in outcomes)
    assert counts.draws == sum(outcome.discs == 0 for outcome in outcomes)
    assert counts.white_wins == sum(outcome.discs < 0 for outcome in outcomes)
    assert counts.unfinished == 2
    assert counts.faults == {}


@pytest.mark.parametrize(
    ("result", "differs"),
    [
        ("+13", False),  # the discs alone
        ("+64", False),  # with the empty squares
        ("+13.0", False),
        ("+12", True),
        ("-64", True),
        ("+0", True),
        ("-64:t", False),  # lost on time
        ("unknown", False),
        ("?", False),
    ],
)
def test_a_stated_result_is_compared_with_the_board(result: str, differs: bool) -> None:
    counts = Counts("games.ggf")
    counts.add(Game())
    counts.add(Game.from_transcript("e6f4e3f6g5d6e7f5c5", headers={"result": result}))
    assert counts.fault_count == differs
    if differs:
        assert counts.faults["result"].first == [
            f"games.ggf: game 2: the result is {result}; the moves lead to +13, and 51 squares are "
            "empty"
        ]
    counts = Counts()
    counts.add(Game.from_transcript("f5d6", headers={"result": result}))
    assert counts.fault_count == 0


def test_faults_number_games_as_the_file_does_and_the_first_are_kept() -> None:
    wrong = passing_game()
    wrong.headers["result"] = "+1"
    counts = Counts("games.ggf")
    counts.add(wrong)
    for number in range(2, 9):
        counts.add_fault(FormatError("bad", "syntax", "games.ggf", number, "line 1"))
    counts.add_fault(FormatError("bad end", "truncated", "games.ggf"))
    counts.add(wrong)
    assert counts.faults["syntax"].count == 7
    assert counts.faults["syntax"].first == [
        f"games.ggf: game {number}: line 1: bad" for number in (2, 3, 4)
    ]
    first, last = counts.faults["result"].first
    assert first.startswith("games.ggf: game 1: the result is +1; ")
    assert last.startswith("games.ggf: game 9: the result is +1; ")
    total = Counts()
    total.include(counts)
    total.include(counts)
    assert total.fault_count == 20
    assert total.record()["faults"]["syntax"] == {
        "count": 14,
        "first": counts.faults["syntax"].first,
    }
