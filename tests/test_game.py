"""The game: its tree against a plain twin, its place, copies, pickles and what it refuses."""

from __future__ import annotations

import copy
import pickle
import sys
from dataclasses import dataclass, field

import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from reference import Position
from strategies import few_empties, games, positions

from reversi.board import Board
from reversi.errors import IllegalMoveError, InvalidMoveError
from reversi.game import Game
from reversi.node import Node
from reversi.squares import BLACK, PASS, WHITE, Color

# X has no move and passes; black has none after the eight moves.
MUST_PASS = Board.from_obf("OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X")
TO_A_PASS = "d3c3b3b2f5a3a1c1"
OVER = Board.from_obf("X" * 40 + "O" * 24 + " X")
EMPTY_BOARD = Board.from_bitboards(0, 0)


def board_of(position: Position) -> Board:
    cells, turn = position
    return Board.from_cells(cells, Color(turn))


# --- The twin -----------------------------------------------------------------------------------


@dataclass
class Twin:
    """A node of the plain tree: what it says, and what follows."""

    move: int | None = None
    parent: Twin | None = None
    value: float | None = None
    seconds: float | None = None
    comment: str = ""
    children: list[Twin] = field(default_factory=list)

    def path(self) -> list[int]:
        return [] if self.parent is None else [*self.parent.path(), self.move]

    def all(self) -> list[Twin]:
        return [self, *(below for child in self.children for below in child.all())]

    def child(self, move: int) -> Twin:
        for child in self.children:
            if child.move == move:
                return child
        self.children.append(Twin(move, self))
        return self.children[-1]

    def says(self) -> tuple[object, ...]:
        children = [child.says() for child in self.children]
        return self.move, self.value, self.seconds, self.comment, children

    def main_moves(self) -> list[int]:
        return [self.children[0].move, *self.children[0].main_moves()] if self.children else []


def says(node: Node) -> tuple[object, ...]:
    children = [says(child) for child in node.children]
    assert all(child.parent is node for child in node.children)
    return node.move, node.value, node.seconds, node.comment, children


def cells_after(position: Position, moves: list[int]) -> Position:
    cells, turn = position
    for move in moves:
        cells, turn = reference.play(cells, turn, move)
    return cells, turn


numbers = st.integers(0, 10**6)
values = st.none() | st.floats(-64, 64)
times = st.none() | st.floats(0, 1e6)
comments = st.sampled_from(["", "hm", "a ] b"])
starts = st.one_of(st.just((reference.START, BLACK)), positions(), few_empties(0, 5))


class GameAgainstTwin(RuleBasedStateMachine):
    """Does to a game and to its twin the same things; they must say the same all the time."""

    @initialize(start=starts, choices=st.lists(numbers, max_size=12))
    def begin(self, start: Position, choices: list[int]) -> None:
        self.start = start
        self.root = self.place = Twin()
        moves = []
        cells, turn = start
        for choice in choices:
            legal = reference.legal(cells, turn)
            if legal:
                moves.append(legal[choice % len(legal)])
                cells, turn = reference.play(cells, turn, moves[-1])
        for move in moves:
            self.place = self.place.child(move)
        self.undone: list[Twin] = []
        self.game = Game.from_moves(moves, board_of(start))

    def legal(self, twin: Twin) -> list[int]:
        return reference.legal(*cells_after(self.start, twin.path()))

    def node_of(self, twin: Twin) -> Node:
        node = self.game.root
        for move in twin.path():
            node = next(child for child in node.children if child.move == move)
        return node

    def any_twin(self, number: int) -> Twin:
        twins = self.root.all()
        return twins[number % len(twins)]

    @rule(number=numbers, value=values, seconds=times, comment=comments)
    def push(self, number: int, value: float | None, seconds: float | None, comment: str) -> None:
        legal = self.legal(self.place)
        if not legal:
            return
        move = legal[number % len(legal)]
        node = self.game.push(move, value, seconds, comment)
        self.place = self.place.child(move)
        self.place.value = self.place.value if value is None else value
        self.place.seconds = self.place.seconds if seconds is None else seconds
        self.place.comment = comment or self.place.comment
        self.undone = []
        assert node is self.game.node

    @rule(move=st.integers(0, 64))
    def push_anything(self, move: int) -> None:
        if move in self.legal(self.place):
            return
        with pytest.raises(IllegalMoveError):
            self.game.push(move, 1.0, 1.0, "no")

    @rule(number=numbers, choice=numbers)
    def add(self, number: int, choice: int) -> None:
        at = self.any_twin(number)
        legal = self.legal(at)
        if not legal:
            return
        move = legal[choice % len(legal)]
        assert self.game.add(self.node_of(at), move).move == at.child(move).move

    @rule()
    def undo(self) -> None:
        node = self.game.undo()
        if self.place.parent is None:
            assert node is None
        else:
            assert node is not None
            assert node.move == self.place.move
            self.undone.append(self.place)
            self.place = self.place.parent

    @rule()
    def redo(self) -> None:
        node = self.game.redo()
        if self.undone:
            self.place = self.undone.pop()
        elif self.place.children:
            self.place = self.place.children[0]
        else:
            assert node is None
            return
        assert node is not None
        assert node.move == self.place.move

    @rule(variation=st.integers(-1, 3))
    def redo_variation(self, variation: int) -> None:
        node = self.game.redo(variation)
        if 0 <= variation < len(self.place.children):
            self.place = self.place.children[variation]
            self.undone = []
            assert node is self.game.node
        else:
            assert node is None

    @rule(number=numbers)
    def go_to(self, number: int) -> None:
        self.place = self.any_twin(number)
        self.undone = []
        self.game.go_to(self.node_of(self.place))

    @rule()
    def go_to_end(self) -> None:
        self.game.go_to_end()
        if self.place.children:
            self.undone = []
        while self.place.children:
            self.place = self.place.children[0]

    @rule(number=numbers)
    def promote(self, number: int) -> None:
        twin = self.any_twin(number)
        self.game.promote(self.node_of(twin))
        while twin.parent is not None:
            twin.parent.children.sort(key=lambda child, first=twin: child is not first)
            twin = twin.parent

    @rule(number=numbers)
    def remove(self, number: int) -> None:
        twin = self.any_twin(number)
        node = self.node_of(twin)
        if twin.parent is None:
            with pytest.raises(ValueError, match="the root of a game cannot be removed"):
                self.game.remove(node)
            return
        self.game.remove(node)
        if self.place in twin.all():
            self.place = twin.parent
        twin.parent.children.remove(twin)
        self.undone = []
        with pytest.raises(ValueError, match="is not in this game"):
            self.game.go_to(node)

    @rule(number=numbers, value=values, seconds=times, comment=comments)
    def note(self, number: int, value: float | None, seconds: float | None, comment: str) -> None:
        twin = self.any_twin(number)
        node = self.node_of(twin)
        node.value, node.seconds, node.comment = value, seconds, comment
        twin.value, twin.seconds, twin.comment = value, seconds, comment

    @rule(way=st.sampled_from([Game.copy, copy.deepcopy, copy.copy, lambda game: game]))
    def take_a_copy(self, way) -> None:
        made = way(self.game)
        assert made == self.game
        if made is not self.game:
            self.undone = []
        self.game = made

    @rule(protocol=st.integers(0, pickle.HIGHEST_PROTOCOL))
    def pickled(self, protocol: int) -> None:
        self.game = pickle.loads(pickle.dumps(self.game, protocol))
        self.undone = []

    @precondition(lambda self: hasattr(self, "game"))
    @invariant()
    def says_the_same(self) -> None:
        game = self.game
        moves = self.root.main_moves()
        # First what can be told without the tree.
        assert (game.moves, len(game), bool(game)) == (moves, len(moves), True)
        assert (game.final_board().cells(), game.final_board().turn) == cells_after(
            self.start, moves
        )
        assert game.start == board_of(self.start)
        cells, turn = cells_after(self.start, self.place.path())
        assert (game.board.cells(), game.board.turn) == (cells, turn)
        assert (game.turn, list(game.legal_moves)) == (turn, reference.legal(cells, turn))
        assert game.board.move_stack == self.place.path()
        noted = any(
            len(twin.children) > 1 or twin.says()[1:4] != (None, None, "")
            for twin in self.root.all()
        )
        assert game.has_notes() == noted
        assert says(game.root) == self.root.says()
        assert [node.move for node in game.node.path()] == self.place.path()
        assert [node.move for node in game.main_line()] == moves


TestGameAgainstTwin = GameAgainstTwin.TestCase
TestGameAgainstTwin.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)


# --- A tree that was not made yet is not seen -----------------------------------------------------


QUESTIONS = {
    "moves": lambda game: game.moves,
    "len": len,
    "transcript": lambda game: game.transcript(passes=True),
    "final": lambda game: game.final_board().obf(),
    "outcome": Game.outcome,
    "boards": lambda game: [board.obf() for board in game.boards()],
    "board": lambda game: (game.board.obf(), game.board.move_stack),
    "turn": lambda game: game.turn,
    "legal": lambda game: list(game.legal_moves),
    "node": lambda game: [node.move for node in game.node.path()],
    "notes": Game.has_notes,
    "says": lambda game: says(game.root),
    "undo": lambda game: [repr(game.undo()), game.board.obf()],
    "redo": lambda game: repr(game.redo()),
    "copy": lambda game: says(game.copy().root),
    "pickle": lambda game: says(pickle.loads(pickle.dumps(game)).root),
    "repr": repr,
}


@given(games(), st.sampled_from(sorted(QUESTIONS)))
@settings(max_examples=60)
def test_whether_the_tree_was_made_is_not_seen(moves: list[int], question: str) -> None:
    unmade, made = Game.from_moves(moves), Game.from_moves(moves)
    assert made.root is made.root
    for ask in (QUESTIONS[question], *QUESTIONS.values()):
        assert ask(unmade) == ask(made)
    assert unmade == made


@given(games(), games())
@settings(max_examples=40)
def test_equality_does_not_see_it_either(one: list[int], other: list[int]) -> None:
    made = Game.from_moves(other)
    assert made.root.move is None
    for game in (Game.from_moves(other), made):
        assert (Game.from_moves(one) == game) == (one == other)
        assert (game == Game.from_moves(one)) == (one == other)


# --- Starts -------------------------------------------------------------------------------------


@given(positions(), st.lists(numbers, max_size=5))
@settings(max_examples=60)
def test_a_game_starts_from_any_board(position: Position, choices: list[int]) -> None:
    cells, turn = position
    start = board_of(position)
    game = Game(start)
    for choice in choices:
        legal = reference.legal(cells, turn)
        assert list(game.legal_moves) == legal
        if not legal:
            break
        game.push(legal[choice % len(legal)])
        cells, turn = reference.play(cells, turn, legal[choice % len(legal)])
    assert (game.board.cells(), game.board.turn) == (cells, turn)
    assert Game.from_board(game.board) == game
    assert Game.from_moves(game.moves, start) == game


def test_the_start_is_a_board_without_a_past_and_cannot_be_changed_from_outside() -> None:
    start = Board.from_transcript("f5d6")
    game = Game(start)
    start.push("c3")
    game.start.push("c3")
    game.board.push("c3")
    assert game.start == game.board == Board.from_transcript("f5d6")
    assert game.start.move_stack == []
    assert game.moves == []


def test_a_side_that_must_pass_at_the_start_passes() -> None:
    assert Game.from_moves(["g5"], MUST_PASS).moves == [PASS, 38]
    assert Game.from_transcript("g5", MUST_PASS).transcript(passes=True) == "pag5"
    assert Game.from_moves([], MUST_PASS).outcome() is None
    game = Game(MUST_PASS)
    with pytest.raises(IllegalMoveError):
        game.push("g5")
    game.push("pass")
    assert game.push("g5").name == "g5"


@pytest.mark.parametrize("start", [OVER, EMPTY_BOARD])
def test_a_game_that_is_over_at_the_start_has_no_moves(start: Board) -> None:
    game = Game(start)
    assert game.outcome() == start.outcome()
    assert list(game.legal_moves) == []
    for move in (0, PASS):
        with pytest.raises(IllegalMoveError):
            game.push(move)
        with pytest.raises(IllegalMoveError, match="move 1: "):
            Game.from_moves([move], start)
    assert game.moves == []


# --- Entry --------------------------------------------------------------------------------------


def test_passes_may_be_left_out_or_written_where_they_are_forced() -> None:
    white_passes = TO_A_PASS + "e3"
    assert list(Game.from_transcript(TO_A_PASS).legal_moves) == [PASS]
    short = Game.from_transcript(white_passes)
    assert Game.from_transcript(TO_A_PASS + "pae3") == short
    assert PASS in short.moves
    assert short.transcript() == white_passes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f5f6 g6", "move 3, column 6: g6 is not legal: black would turn no disc; legal: "),
        ("f5 pass", "move 2, column 4: pass is not legal"),
        ("f5 f5", "move 2, column 4: f5 is not legal"),
    ],
)
def test_an_illegal_move_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        Game.from_transcript(text)


def test_what_is_no_move_is_refused() -> None:
    for moves in (["z9"], [65], [-1], [2.5], [None]):
        with pytest.raises(InvalidMoveError):
            Game.from_moves(moves)  # type: ignore[arg-type]
    with pytest.raises(InvalidMoveError, match="did you mean 'f5'"):
        Game.from_transcript("5f")
    with pytest.raises(IllegalMoveError, match="move 2: a1 is not legal"):
        Game.from_moves(["f5", "a1"])


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_value_or_time_that_is_no_number_is_refused_and_changes_nothing(number: float) -> None:
    game = Game.from_transcript("f5d6")
    before = game.copy()
    for notes in ({"value": number}, {"seconds": number}):
        with pytest.raises(ValueError, match="expected a finite number"):
            game.push("c3", **notes)
    assert game == before
    assert game.board == before.board
    with pytest.raises(ValueError, match="a value of"):
        game.node.value = number
    with pytest.raises(ValueError, match="a time of"):
        game.node.seconds = number
    assert game == before


def test_a_node_of_another_game_is_refused() -> None:
    game, other = Game.from_transcript("f5d6"), Game.from_transcript("f5d6")
    before = other.copy()
    node = other.root.children[0]
    for call in (game.go_to, game.promote, game.remove, game.board_at):
        with pytest.raises(ValueError, match="is not in this game"):
            call(node)
    with pytest.raises(ValueError, match="is not in this game"):
        game.add(node, "f6")
    assert other == game == before


# --- Undo and redo --------------------------------------------------------------------------------


def test_redo_brings_back_what_undo_took_even_from_a_variation() -> None:
    game = Game.from_transcript("f5d6")
    game.undo()
    game.push("f6")
    game.push("e6")
    for _ in range(5):
        game.undo()
    assert [game.redo().name for _ in range(3)] == ["f5", "f6", "e6"]
    assert game.redo() is None
    game.go_to(game.root)
    game.go_to_end()
    assert game.board.transcript() == "f5d6"


@pytest.mark.parametrize(
    "change",
    [
        lambda game: game.push("f4"),
        lambda game: game.go_to(game.node),
        lambda game: game.remove(game.node.children[1]),
        lambda game: game.redo(0) and game.undo() and game.redo(0),
    ],
)
def test_what_was_undone_is_forgotten_when_the_game_goes_another_way(change) -> None:
    game = Game.from_transcript("f5d6")
    game.undo()
    game.push("f6")
    game.undo()
    change(game)
    again = game.redo()
    assert again is None or again.name != "f6"


# --- Equality, copies, pickles --------------------------------------------------------------------


def test_what_makes_games_differ() -> None:
    def game() -> Game:
        made = Game.from_transcript("f5d6c3", headers={"black": "Ann"})
        made.add(made.root, "c4")
        return made

    def differs(change) -> bool:
        changed = game()
        change(changed)
        return changed != game() and game() != changed

    assert game() == game()
    assert not differs(lambda one: one.go_to(one.root))
    assert differs(lambda one: one.push("d3"))
    assert differs(lambda one: one.headers.update(white="Bob"))
    assert differs(lambda one: one.headers.clear())
    assert differs(lambda one: one.promote(one.root.children[1]))
    assert differs(lambda one: one.remove(one.root.children[1]))
    assert differs(lambda one: setattr(one.node, "value", 0.0))
    assert differs(lambda one: setattr(one.node, "seconds", 0.0))
    assert differs(lambda one: setattr(one.root, "comment", "hm"))
    assert Game() != Game(Board.from_bitboards(Board().black, Board().white, WHITE))
    assert Game() != "f5"
    with pytest.raises(TypeError, match="unhashable"):
        hash(Game())


class Tournament(Game):
    """A user's own kind of game, with more to make it from and more to say."""

    def __init__(self, table: int) -> None:
        super().__init__(headers={"event": "Open"})
        self.table = table


@pytest.mark.parametrize(
    "way", [Game.copy, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]
)
def test_a_copy_is_its_own(way) -> None:
    game = Tournament(7)
    game.push("f5", 0.5, 1.5, "hm")
    made = way(game)
    assert (type(made), made.table) == (Tournament, 7)
    assert made == game
    assert made.node is not game.node
    made.push("d6")
    made.headers["event"] = "Closed"
    made.root.children[0].comment = "oh"
    assert (game.transcript(), game.headers["event"], game.node.comment) == ("f5", "Open", "hm")
    assert game.board == Board.from_transcript("f5")


def test_pickling_a_long_game_needs_no_deep_recursion() -> None:
    board = Board()
    while not board.is_game_over():
        board.push(next(iter(board.legal_moves)))
    game = Game.from_board(board)
    for node in list(game.main_line()):
        for move in game.board_at(node).legal_moves:
            game.add(node, move)
    depth = 0
    frame = sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(depth + 40)
        made = pickle.loads(pickle.dumps(game))
        copied = copy.deepcopy(game)
    finally:
        sys.setrecursionlimit(limit)
    assert made == copied == game
    assert len(game) > 50


def test_what_a_game_says_of_itself() -> None:
    game = Game.from_transcript("f5d6", headers={"black": "Ann"})
    assert repr(game) == "<Game Ann - ?, 2 moves>"
    assert repr(game.root) == "<Node root, 1 next>"
    assert repr(game.node) == "<Node d6, 0 next>"
    assert (game.root.name, game.root.is_main, game.node.is_main) == ("", True, True)
    assert [node.name for node in game.root.tree()] == ["f5", "d6"]
