"""WTHOR: records made by hand, the files of names, every fault and limit, damaged files."""

from __future__ import annotations

import struct
import tracemalloc
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from formats_kit import MUST_PASS, passing_game, random_game, with_notes
from gametrees import check_damaged, damages
from hypothesis import given, settings
from hypothesis import strategies as st

from reversi import PASS, FormatError, Game, read_games, square_name, write_games
from reversi.formats import wthor
from reversi.formats.wthor_names import PLAYERS, TOURNAMENTS, Names, read_names

OVER = random_game(1)


def code(name: str) -> int:
    return 10 * int(name[1]) + "abcdefgh".index(name[0]) + 1


def record(game: Game, discs: int | None = None, theoretical: int = 0) -> bytes:
    """A record by the book: tournament 1, black 2, white 0."""
    names = [square_name(move) for move in game.moves if move != PASS]
    if discs is None:
        outcome = game.outcome()
        assert outcome is not None
        discs = 32 + outcome.tournament // 2
    moves = bytes(map(code, names)).ljust(60, b"\0")
    return struct.pack("<HHHBB", 1, 2, 0, discs, theoretical) + moves


def wtb(*records: bytes, **changes: int) -> bytes:
    fields = {
        "century": 20, "year": 26, "month": 3, "day": 14, "games": len(records), "names": 0,
        "games_year": 1999, "size": 8, "type": 0, "depth": 24, "reserved": 0,
    }  # fmt: skip
    return struct.pack("<BBBBiHHBBBB", *{**fields, **changes}.values()) + b"".join(records)


def names_file(names: list[str], length: int) -> bytes:
    header = struct.pack("<BBBBiHHBBBB", 20, 26, 3, 14, 0, len(names), 0, 0, 0, 0, 0)
    return header + b"".join(name.encode("latin-1").ljust(length, b"\0") for name in names)


def read(data: bytes, faults: list[FormatError] | None = None) -> list[Game]:
    on_error = None if faults is None else faults.append
    return list(wthor.read(BytesIO(data), "old.wtb", on_error))


def fault_of(data: bytes) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read(data)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    (tmp_path / "WTHOR.JOU").write_bytes(names_file(["???", "Ann", "José"], 20))
    (tmp_path / "Wthor.trn").write_bytes(names_file(["Others", "World Cup"], 26))
    path = tmp_path / "WTH_1999.wtb"
    path.write_bytes(wtb(record(OVER, theoretical=40), record(passing_game())))
    return path


# --- Reading --------------------------------------------------------------------------------------


def test_a_move_byte_is_ten_times_the_row_and_the_column() -> None:
    assert [code(name) for name in ("a1", "h1", "a8", "h8", "f5")] == [11, 18, 81, 88, 56]
    game = read(wtb(record(Game.from_transcript("f5d6"), discs=35)))[0]
    assert game.transcript() == "f5d6"


def test_records_with_names_year_and_scores(archive: Path) -> None:
    first, second = read_games(archive)
    assert first.moves == OVER.moves
    assert first.headers == {
        "black": "José", "white": "???", "event": "World Cup", "date": "1999",
        "result": OVER.headers["result"], "theoretical": "+16", "theoretical_empties": "24",
    }  # fmt: skip
    assert second.moves == passing_game().moves
    assert "theoretical" not in second.headers


def test_names_of_the_file_itself_come_first_and_others_may_be_given(archive: Path) -> None:
    other = archive.with_name("other.names")
    other.write_bytes(names_file(["Xaver", "Yves", "Zoe"], 20))
    with archive.open("rb") as file:
        games = list(wthor.read(file, players=other))
    assert [game.headers["black"] for game in games] == ["Zoe", "Zoe"]
    assert games[0].headers["event"] == "World Cup"
    archive.with_name("wth_1999.Jou").write_bytes(names_file(["Bob", "Cid", "Dan"], 20))
    assert [game.headers["black"] for game in read_games(archive)] == ["Dan", "Dan"]


def test_a_pipe_has_no_names_beside_it(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archive.parent)
    file = BytesIO(archive.read_bytes())
    assert [game.headers["black"] for game in wthor.read(file, "<stdin>")] == ["#2", "#2"]


def test_numbers_stand_for_names_that_are_not_there() -> None:
    [game] = read(wtb(record(OVER)))
    assert [game.headers[name] for name in ("black", "white", "event")] == ["#2", "#0", "#1"]


@pytest.mark.parametrize(("size", "depth", "empties"), [(0, 0, "22"), (8, 20, "20")])
def test_zeros_in_the_header_have_a_meaning(size: int, depth: int, empties: str) -> None:
    data = wtb(record(OVER, theoretical=32), size=size, depth=depth, games_year=0)
    headers = read(data)[0].headers
    assert (headers["theoretical"], headers["theoretical_empties"]) == ("+0", empties)
    assert "date" not in headers


def test_the_winner_has_the_empty_squares() -> None:
    wiped_out = Game.from_transcript("e6f4e3f6g5d6e7f5c5")
    assert read(wtb(record(wiped_out, discs=64)))[0].headers["result"] == "+64"
    assert fault_of(wtb(record(wiped_out, discs=13))).kind == "result"


def test_a_game_that_is_not_over_may_have_any_score() -> None:
    for discs in (0, 31, 64):
        [game] = read(wtb(record(Game.from_transcript("f5d6"), discs=discs)))
        assert game.headers["result"] == f"{2 * discs - 64:+d}"
    assert read(wtb(record(Game(), discs=32)))[0].moves == []


def test_an_empty_archive_has_no_games() -> None:
    assert read(wtb()) == []


# --- Faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        (b"", "truncated", "old.wtb: byte 0: 0 bytes; expected a header of 16"),
        (wtb()[:15], "truncated", "old.wtb: byte 0: 15 bytes; expected a header of 16"),
        (wtb(year=100), "syntax", "byte 1: not a WTHOR file: the year is 100"),
        (wtb(month=13), "syntax", "byte 2: not a WTHOR file: the month is 13; expected at most 12"),
        (wtb(day=32), "syntax", "byte 3: not a WTHOR file: the day is 32; expected at most 31"),
        (wtb(games=-1), "syntax", "byte 4: not a WTHOR file: -1 games; expected 0 or more"),
        (wtb(size=10), "unsupported", "byte 12: the boards' size is 10; expected 8, or 0 for 8"),
        (wtb(type=1), "unsupported", "byte 13: the type is 1, solitaires; expected 0, games"),
        (wtb(depth=61), "syntax", "byte 14: not a WTHOR file: scores from 61 empty squares on"),
        (b"(;GM[Othello]BO[8 --", "syntax", "not a WTHOR file"),
    ],
)
def test_a_file_that_is_none_is_an_error_in_any_case(data: bytes, kind: str, message: str) -> None:
    fault = fault_of(data)
    assert message in str(fault)
    assert (fault.kind, fault.game) == (kind, None)
    with pytest.raises(FormatError, match="old"):
        read(data, [])


def changed(data: bytes, at: int, value: int) -> bytes:
    return data[:at] + bytes([value]) + data[at + 1 :]


@pytest.mark.parametrize(
    ("bad", "kind", "message"),
    [
        (changed(record(OVER), 6, 65), "result", "game 2: byte 84: 65 black discs; expected 0 to"),
        (changed(record(OVER), 7, 99), "result", "game 2: byte 84: 99 black discs; expected 0 to"),
        (record(OVER, discs=1), "result", "game 2: byte 84: 1 black discs are stated; the moves"),
        (changed(record(OVER), 8, 57), "illegal move", "game 2: byte 84, move 1: g5 is not legal"),
        (
            changed(record(OVER), 8, 19),
            "syntax",
            "move 1: 19 is no move; expected 10 * row + colum",
        ),
        (changed(record(OVER), 9, 0), "syntax", "game 2: byte 84, move 2: 0 is no move; expected"),
        (changed(record(OVER), 67, 99), "syntax", "move 60: 99 is no move; expected 10 * row"),
    ],
)
def test_a_damaged_record_is_named_and_skipped(bad: bytes, kind: str, message: str) -> None:
    faults: list[FormatError] = []
    games = read(wtb(record(OVER), bad, record(OVER)), faults)
    assert [game.moves for game in games] == [OVER.moves] * 2
    [fault] = faults
    assert message in str(fault)
    assert (fault.kind, fault.game, fault.source) == (kind, 2, "old.wtb")
    assert str(fault_of(wtb(record(OVER), bad, record(OVER)))) == str(fault)


def test_missing_and_surplus_games_are_told_at_the_end() -> None:
    faults: list[FormatError] = []
    whole = wtb(record(OVER), record(OVER))
    assert len(read(whole[:-1], faults)) == 1
    assert len(read(wtb(record(OVER), games=3), faults)) == 1
    assert len(read(whole + b"\0", faults)) == 2
    assert [(fault.kind, str(fault)) for fault in faults] == [
        ("truncated", "old.wtb: game 2: byte 84: the file ends after 1 of 2 games"),
        ("truncated", "old.wtb: game 2: byte 84: the file ends after 1 of 3 games"),
        ("syntax", "old.wtb: byte 152: bytes after the 2 games that the header counts"),
    ]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("WTHOR.JOU", names_file(["Ann"], 20), "WTH_1999.wtb: game 1: byte 16: player 2; the file"),
        ("WTHOR.JOU", names_file(["Ann"] * 3, 20)[:-1], "WTHOR.JOU: byte 75: the file ends after"),
        ("WTHOR.JOU", names_file(["A"] * 3, 20) + b"x", "WTHOR.JOU: byte 76: more than the 3 play"),
        ("Wthor.trn", names_file(["A"] * 3, 20), "Wthor.trn: byte 76: the file ends after 2 of 3"),
        ("Wthor.trn", b"nonsense", "Wthor.trn: byte 0: 8 bytes; expected a header of 16"),
    ],
)
def test_damaged_files_of_names(archive: Path, name: str, data: bytes, message: str) -> None:
    archive.with_name(name).write_bytes(data)
    with pytest.raises(FormatError) as caught:
        list(read_games(archive))
    assert message in str(caught.value)


# --- Writing --------------------------------------------------------------------------------------


def test_games_and_names_are_written_together(tmp_path: Path) -> None:
    path = tmp_path / "games.wtb"
    games = [random_game(seed) for seed in range(20)]
    for number, game in enumerate(games):
        game.headers.update(event=f"Cup {number % 3}", date="2003")
    assert write_games(path, games) == 20
    assert list(read_games(path)) == games
    assert sorted(one.name for one in tmp_path.iterdir()) == ["games.jou", "games.trn", "games.wtb"]
    assert path.stat().st_size == 16 + 68 * 20
    assert path.with_suffix(".jou").stat().st_size == 16 + 20 * 12
    assert read_names(path.with_suffix(".trn"), TOURNAMENTS) == ["Cup 0", "Cup 1", "Cup 2"]


def test_what_is_written_is_what_was_read(archive: Path) -> None:
    copy = archive.with_name("copy.wtb")
    write_games(copy, read_games(archive))
    assert list(read_games(copy)) == list(read_games(archive))
    data = copy.read_bytes()
    assert data[4:16] == archive.read_bytes()[4:16]
    assert data[16 + 6 :][:62] == record(OVER, theoretical=40)[6:]


def test_a_compressed_archive_finds_its_names(archive: Path) -> None:
    copy = archive.with_name("copy.wtb.gz")
    write_games(copy, read_games(archive))
    assert copy.with_name("copy.jou").exists()
    assert list(read_games(copy)) == list(read_games(archive))


def test_the_year_is_written_where_all_agree() -> None:
    for dates, year in ((["2003.12.14", "2003"], 2003), (["2003", "2004"], 0), (["?", ""], 0)):
        file = BytesIO()
        wthor.write(file, [Game(headers={"date": date, "result": "+0"}) for date in dates])
        assert struct.unpack_from("<H", file.getvalue(), 10) == (year,)


def test_stated_results_are_kept_for_games_that_are_not_over() -> None:
    file = BytesIO()
    game = Game.from_transcript("f5d6", headers={"result": "-64:t"})
    wthor.write(file, [game])
    assert [one.headers["result"] for one in read(file.getvalue())] == ["-64"]


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Game(MUST_PASS, {"result": "+0"}), "the game begins with another board; WTHOR knows the"),
        (Game.from_transcript("f5"), "the game is not over and states no even result; expected"),
        (Game(headers={"result": "+5"}), "the game is not over and states no even result"),
        (Game(headers={"result": "+66"}), "the game is not over and states no even result"),
        (Game(headers={"result": "?"}), "the game is not over and states no even result"),
        (
            Game(headers={"black": "x" * 20, "result": "+0"}),
            "has 20 letters; WTHOR has room for 19",
        ),
        (
            Game(headers={"event": "x" * 26, "result": "+0"}),
            "has 26 letters; WTHOR has room for 25",
        ),
        (
            Game(headers={"white": "黒", "result": "+0"}),
            "player '黒' has letters that Latin-1 lacks",
        ),
        (Game(headers={"white": "a\0b", "result": "+0"}), "has a zero in it"),
    ],
)
def test_what_it_cannot_hold_is_refused(tmp_path: Path, game: Game, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        wthor.check(game)
    assert message in str(caught.value)
    assert caught.value.kind == "unsupported"
    with pytest.raises(FormatError, match="game 2: ") as caught:
        write_games(tmp_path / "games.wtb", [OVER, game])
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_names_need_a_folder() -> None:
    with pytest.raises(FormatError, match="WTHOR keeps names in files beside"):
        wthor.write(BytesIO(), [OVER])


def test_so_many_names_and_no_more() -> None:
    names = Names(PLAYERS)
    for number in range(65_535):
        names.number(str(number))
    assert names.number("65534") == 65_534
    with pytest.raises(FormatError, match="65535 players are there, and 'one more' is another one"):
        names.number("one more")
    assert len(names.pack()) == 16 + 20 * 65_535


def test_notes_and_variations_are_left_out(tmp_path: Path) -> None:
    game = with_notes(random_game(2), 2)
    game.add(game.root, next(move for move in game.start.legal_moves if move != game.moves[0]))
    write_games(tmp_path / "games.wtb", [game])
    assert list(read_games(tmp_path / "games.wtb")) == [random_game(2)]


# --- Whole files ----------------------------------------------------------------------------------


def test_a_long_file_takes_the_memory_of_some_games() -> None:
    data = record(Game.from_transcript("f5d6"), discs=32)

    class Endless(BytesIO):
        """A file of 20,000 games that is not held in memory itself."""

        def __init__(self) -> None:
            super().__init__(wtb(games=20_000))
            self.left = 20_000

        def read(self, size: int | None = -1) -> bytes:
            assert size is not None and size > 0
            if size == 16:
                return super().read(16)
            count = min(size // len(data), self.left)
            self.left -= count
            return data * count

    tracemalloc.start()
    games = sum(1 for _ in wthor.read(Endless()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert games == 20_000
    assert peak < 1_000_000


def test_chunks_may_end_anywhere() -> None:
    class Slow(BytesIO):
        """A file that gives few bytes at a time, as a pipe may."""

        def read(self, size: int | None = -1) -> bytes:
            assert size is not None
            return super().read(min(size, 7))

    data = wtb(*[record(random_game(seed)) for seed in range(5)])
    assert [game.moves for game in wthor.read(Slow(data))] == [
        random_game(seed).moves for seed in range(5)
    ]


@given(
    st.lists(st.integers(0, 10**6), min_size=1, max_size=4),
    st.sampled_from(["1999", "2026"]),
    st.booleans(),
    st.integers(-31, 32),
)
@settings(max_examples=40)
def test_any_games_survive(
    tmp_path_factory: pytest.TempPathFactory,
    seeds: list[int],
    date: str,
    with_theoretical: bool,
    discs: int,
) -> None:
    games = [random_game(seed, plies=200 if seed % 3 else seed % 60) for seed in seeds]
    for game in games:
        game.headers["date"] = date
        game.headers.setdefault("result", f"{2 * discs:+d}")
        if with_theoretical:
            game.headers.update(theoretical=f"{2 * discs:+d}", theoretical_empties="24")
        if game.moves[-1:] == [PASS]:  # without a move behind it no pass is written
            game.remove([*game.main_line()][-1])
    path = tmp_path_factory.mktemp("wthor") / "games.wtb"
    write_games(path, games)
    assert list(read_games(path)) == games


@given(st.integers(0, 10**6), damages())
@settings(max_examples=150)
def test_a_damaged_file_gives_faults_or_legal_games(
    seed: int, damage: Callable[[bytes], bytes]
) -> None:
    data = damage(wtb(*[record(random_game(seed + i)) for i in range(3)]))

    def reader(file: BytesIO, source: str, on_error: Callable | None) -> list[Game]:
        try:
            return list(wthor.read(file, source, on_error))
        except FormatError as error:  # no WTHOR file at all
            if on_error is None:
                raise
            on_error(error)
            return []

    check_damaged(reader, data)
    for game in reader(BytesIO(data), "damaged", lambda error: None):
        outcome = game.outcome()
        assert outcome is None or game.headers["result"] == f"{outcome.tournament:+d}"


@given(st.binary(max_size=300))
@settings(max_examples=60)
def test_no_bytes_break_the_reader(data: bytes) -> None:
    try:
        read(data, [])
    except FormatError as error:
        assert error.game is None
