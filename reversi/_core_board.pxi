# The position for Python: legal moves as a lazy sequence, and the base class of reversi.Board.
# Part of _core.pyx, whose names it uses.

@cython.freelist(32)
@cython.final
cdef class LegalMoves:
    """The legal moves of a position in the order of the squares; a forced pass is the one move 64.

    A snapshot: it does not follow the board. `mask` has the squares as a bitboard, without a pass.
    """
    cdef readonly uint64_t mask
    cdef bint passing

    def __len__(self):
        return popcount(self.mask) + self.passing

    def __bool__(self):
        return self.mask != 0 or self.passing

    def __contains__(self, move):
        cdef int sq
        try:
            sq = _as_move(move)
        except InvalidMoveError:
            return False
        return self.passing if sq == PASS else self.mask & bit(sq) != 0

    def __getitem__(self, index):
        cdef uint64_t left = self.mask
        cdef Py_ssize_t i, count
        if isinstance(index, slice):
            return self._list()[index]
        count = popcount(left) + self.passing
        try:
            i = index
        except OverflowError:
            i = count
        if i < 0:
            i += count
        if not 0 <= i < count:
            raise IndexError(f"move {index} of {count} legal moves")
        if self.passing:
            return PASS
        while i > 0:
            left = rest(left)
            i -= 1
        return lowest(left)

    cdef list _list(self):
        cdef uint64_t left = self.mask
        cdef list out = [PASS] if self.passing else []
        while left:
            out.append(lowest(left))
            left = rest(left)
        return out

    def __iter__(self):
        return iter(self._list())

    def __eq__(self, other):
        if not isinstance(other, LegalMoves):
            return NotImplemented
        return (self.mask == (<LegalMoves>other).mask
                and self.passing == (<LegalMoves>other).passing)

    def __hash__(self):
        return hash((self.mask, self.passing))

    def __repr__(self):
        return f"<LegalMoves {' '.join(map(square_name, self._list())) or 'none'}>"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        # A plain list: the class belongs to one build of the core.
        return list, (self._list(),)


cdef int _as_move(move) except -1:
    cdef int sq
    if PyLong_CheckExact(move) and 0 <= move <= PASS:
        sq = move
        return sq
    return parse_move(move)


cdef struct Step:
    uint64_t own, opp
    int move
    bint black_to_move


cdef class BoardBase:
    """A position and the moves that led to it. Equality and hash see the discs and the side to
    move, not the history. Not to be changed by two threads at once."""
    cdef readonly uint64_t own, opp
    cdef readonly bint black_to_move
    cdef Step *steps
    cdef int step_count, step_capacity

    def __cinit__(self, *args, **kwargs):
        self.steps = NULL
        self.step_count = self.step_capacity = 0

    def __init__(self, black=START_BLACK, white=START_WHITE, bint black_to_move=True):
        cdef uint64_t black_discs = _as_bitboard("black", black)
        cdef uint64_t white_discs = _as_bitboard("white", white)
        _check_discs(black_discs, white_discs)
        self.own = black_discs if black_to_move else white_discs
        self.opp = white_discs if black_to_move else black_discs
        self.black_to_move = black_to_move
        self.step_count = 0

    def __dealloc__(self):
        free(self.steps)

    cdef int _remember(self, int move) except -1:
        cdef Step *grown
        if self.step_count == self.step_capacity:
            # A game fits in the first piece of memory.
            grown = <Step *>realloc(self.steps, (self.step_capacity + 64) * sizeof(Step))
            if grown == NULL:
                raise MemoryError(f"no memory for {self.step_capacity + 64} moves of history")
            self.steps = grown
            self.step_capacity += 64
        self.steps[self.step_count] = Step(self.own, self.opp, move, self.black_to_move)
        self.step_count += 1
        return 0

    cdef BoardBase _new(self, uint64_t own, uint64_t opp):
        cdef type cls = type(self)
        cdef BoardBase made = cls.__new__(cls)
        made.own = own
        made.opp = opp
        made.black_to_move = self.black_to_move
        return made

    @property
    def black(self) -> int:
        """Black's discs, a bitboard."""
        return self.own if self.black_to_move else self.opp

    @property
    def white(self) -> int:
        """White's discs, a bitboard."""
        return self.opp if self.black_to_move else self.own

    @property
    def empty(self) -> int:
        """The empty squares, a bitboard."""
        return ~(self.own | self.opp)

    @property
    def empties(self) -> int:
        """The number of empty squares."""
        return 64 - popcount(self.own | self.opp)

    @property
    def zobrist(self) -> int:
        """The 64-bit Zobrist key of the discs and the side to move."""
        return zobrist_key(self.black, self.white, self.black_to_move)

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves; a forced pass is the one move 64, a finished game has none."""
        cdef LegalMoves found = LegalMoves.__new__(LegalMoves)
        found.mask = board.moves(self.own, self.opp)
        found.passing = found.mask == 0 and board.moves(self.opp, self.own) != 0
        return found

    @property
    def move_stack(self) -> list:
        """The moves played on this board, passes (64) among them, oldest first."""
        return [self.steps[i].move for i in range(self.step_count)]

    def is_legal(self, move) -> bool:
        """Whether the move may be played here; what is no move at all is not legal either.

        >>> from reversi import Board
        >>> Board().is_legal("f5"), Board().is_legal("a1")
        (True, False)
        """
        return move in self.legal_moves

    def is_game_over(self) -> bool:
        """Whether neither side has a move.

        >>> from reversi import Board
        >>> Board().is_game_over(), Board.from_transcript("e6f4e3f6g5d6e7f5c5").is_game_over()
        (False, True)
        """
        return not board.moves(self.own, self.opp) and not board.moves(self.opp, self.own)

    def flipped(self, move) -> int:
        """The discs that the move turns, a bitboard; IllegalMoveError where it is not legal.

        >>> from reversi import Board
        >>> Board().flipped("f5") == 1 << 36  # e5
        True
        """
        cdef int sq = _as_move(move)
        return self._flips_of(sq)

    cdef uint64_t _flips_of(self, int sq) except? 0:
        cdef uint64_t flipped = 0
        if sq == PASS:
            if board.moves(self.own, self.opp):
                raise IllegalMoveError("pass is not legal: the side to move has a move")
            if not board.moves(self.opp, self.own):
                raise IllegalMoveError("pass is not legal: the game is over")
            return 0
        if not (self.own | self.opp) & bit(sq):
            flipped = board.flips(self.own, self.opp, sq)
        if flipped == 0:
            raise IllegalMoveError(self._why_not(sq))
        return flipped

    cdef str _why_not(self, int sq):
        cdef str side = "black" if self.black_to_move else "white"
        cdef str name = square_name(sq)
        if (self.own | self.opp) & bit(sq):
            return f"{name} is not legal: the square holds a disc"
        moves = self.legal_moves
        names = " ".join(map(square_name, moves)) or "none, the game is over"
        return f"{name} is not legal: {side} would turn no disc; legal: {names}"

    def push(self, move) -> None:
        """Plays a move: a square (0 to 63 or a name), or a forced pass (64).

        InvalidMoveError for what is no move at all, IllegalMoveError for one that is not legal
        here; the board is then unchanged.

        >>> from reversi import Board
        >>> board = Board()
        >>> board.push("f5")
        >>> board.move_stack
        [37]
        """
        cdef int sq = _as_move(move)
        cdef uint64_t flipped = self._flips_of(sq)
        cdef uint64_t own = self.own
        self._remember(sq)
        self.own = self.opp ^ flipped
        self.opp = own ^ flipped
        if sq != PASS:
            self.opp |= bit(sq)
        self.black_to_move = not self.black_to_move

    def pop(self) -> int:
        """Takes back the last move and returns it; IndexError where there is none.

        >>> from reversi import Board
        >>> board = Board.from_transcript("f5d6")
        >>> board.pop(), board.transcript()
        (43, 'f5')
        """
        cdef Step step
        if self.step_count == 0:
            raise IndexError("no move to take back")
        self.step_count -= 1
        step = self.steps[self.step_count]
        self.own = step.own
        self.opp = step.opp
        self.black_to_move = step.black_to_move
        return step.move

    def copy(self):
        """A board of the same class with the same history.

        >>> from reversi import Board
        >>> board = Board.from_transcript("f5")
        >>> board.copy() == board, board.copy().move_stack
        (True, [37])
        """
        cdef BoardBase made = self._new(self.own, self.opp)
        if self.step_count:
            made.steps = <Step *>malloc(self.step_count * sizeof(Step))
            if made.steps == NULL:
                raise MemoryError(f"no memory for {self.step_count} moves of history")
            memcpy(made.steps, self.steps, self.step_count * sizeof(Step))
            made.step_count = made.step_capacity = self.step_count
        return made

    def transformed(self, int i):
        """Symmetry `i` (0 to 7, 0 the identity) of the position, without history.

        >>> from reversi import Board
        >>> Board.from_transcript("f5").transformed(7) == Board.from_transcript("d3")
        True
        """
        _check_symmetry(i)
        return self._new(board.transform(self.own, i), board.transform(self.opp, i))

    def canonical(self):
        """The smallest of the position's eight symmetric pictures, without history.

        >>> from reversi import Board
        >>> Board.from_transcript("f5").canonical() == Board.from_transcript("e6").canonical()
        True
        """
        return self.transformed(board.canonical_transform(self.own, self.opp))

    def stable(self, bint black) -> int:
        """The stable discs of black or white, a bitboard.

        >>> from reversi import Board
        >>> Board.from_obf("XX" + "-" * 61 + "O X").stable(True)
        3
        """
        return stable_discs(self.own, self.opp) if black == self.black_to_move \
            else stable_discs(self.opp, self.own)

    def perft(self, depth, bint pass_is_ply=True) -> int:
        """The leaves `depth` (0 to 60) plies below; a finished game counts once.

        >>> from reversi import Board
        >>> Board().perft(5)
        1396
        """
        return perft(self.own, self.opp, depth, pass_is_ply)

    def __eq__(self, other):
        if not isinstance(other, BoardBase):
            return NotImplemented
        cdef BoardBase that = other
        return (self.own == that.own and self.opp == that.opp
                and self.black_to_move == that.black_to_move)

    def __hash__(self):
        return hash((self.own, self.opp, self.black_to_move))


cdef uint64_t _as_bitboard(str name, value) except? 0:
    try:
        return operator.index(value)
    except (TypeError, OverflowError):
        raise InvalidBoardError(
            f"{name} is {value!r}; expected a bitboard, 0 to 2**64 - 1"
        ) from None


def replay(BoardBase start, const unsigned char[::1] moves) -> tuple[bytes, int]:
    """The line that `moves` (0 to 64 each; forced passes may be left out) plays from a board, with
    its passes, and how many of them could be played: fewer than all where the next is not legal."""
    # A pass is followed by a move, so there are at most 64 of each.
    cdef unsigned char line[130]
    cdef uint64_t own = start.own, opp = start.opp, flipped, before
    cdef Py_ssize_t played = 0, length = 0, passes
    cdef int sq
    while played < moves.shape[0]:
        sq = moves[played]
        flipped = passes = 0
        if not board.moves(own, opp) and board.moves(opp, own):
            passes = 1
        if sq < PASS:
            if passes:
                own, opp = opp, own
                line[length] = PASS
            if not (own | opp) & bit(sq):
                flipped = board.flips(own, opp, sq)
            if flipped == 0:
                break
            flipped |= bit(sq)
            length += passes
        elif sq > PASS or not passes:
            break
        before = own
        own = opp & ~flipped
        opp = before | flipped
        line[length] = sq
        length += 1
        played += 1
    return line[:length], played
