"""Analysis of a position by the game's strongest player: a value and a line for every move."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass

from quincunx.errors import BadOption, BadTable
from quincunx.game import Game, State
from quincunx.options import parse_assignments
from quincunx.players import analysing_player

PERFECT_PLAYER = "perfect"

# Player options that limit a search; the limit of an analysis replaces them.
LIMIT_OPTIONS = ("time", "sims", "depth", "nodes")


@dataclass(frozen=True)
class ScoredMove:
    """A move with its value for the seat that would play it."""

    move: str
    value: float  # -1..1; exactly 1 or -1 only where `plies` is known
    line: tuple[str, ...]  # the principal variation, this move first
    visits: int  # simulations or nodes spent on it
    plies: int | None  # to the end of the game, where the result is proven


@dataclass(frozen=True)
class Analysis:
    """The values of all legal moves of a position."""

    state: State
    seat: int
    by: str  # the text of the analysing player
    moves: tuple[ScoredMove, ...]  # every legal move, the best first

    @property
    def value(self) -> float:
        """The value of the position for the seat: that of its best move."""
        return self.moves[0].value

    @property
    def line(self) -> tuple[str, ...]:
        """The principal variation: best play for all seats."""
        return self.moves[0].line

    def as_dict(self) -> dict[str, object]:
        """Returns the analysis as a dict that can be written as JSON."""
        return {
            "game": self.state.game.name,
            "position": self.state.text,
            "seat": self.seat,
            "by": self.by,
            "value": self.value,
            "line": list(self.line),
            "moves": [asdict(move) for move in self.moves],
        }


def analyse(
    state: State, limit: float | str = 0.5, seat: int | None = None, seed: int = 0
) -> Analysis:
    """Returns the values of all legal moves of an unfinished game, by its strongest player.

    Where a solved table is available, values are exact: 1, 0 or -1, with the plies to the end.
    The limit is a number of seconds, or options of the player, such as "depth=4" or
    "sims=2000"; with those the same seed gives the same analysis.
    """
    seat = state.acting_seat(seat)
    by = analysis_player(state.game, limit)
    analyser = analysing_player(by, state.game, seed)
    # If there is no solved table, or it cannot be read, `analyser` stays the strongest player.
    with suppress(BadOption, BadTable, OSError):
        analyser = analysing_player(PERFECT_PLAYER, state.game, seed)
        by = PERFECT_PLAYER
    move_values = analyser.analyse_moves(state.hidden(seat, seed), seat)
    moves = tuple(
        ScoredMove(
            state.move(move.action),
            move.value,
            tuple(_format_line(state, seat, move.line)),
            move.visits,
            move.plies,
        )
        for move in move_values
    )
    return Analysis(state, seat, by, moves)


def analysis_player(game: Game, limit: float | str) -> str:
    """Returns the text of the game's strongest player, with its limit replaced."""
    kind, _, options_text = game.parts.rules.LEVELS[-1][1].partition(":")
    level_options = parse_assignments(options_text.split(",") if options_text else ())
    options = {name: value for name, value in level_options.items() if name not in LIMIT_OPTIONS}
    limit_text = f"time={limit}" if isinstance(limit, (int, float)) else limit
    options |= parse_assignments(limit_text.split(","))
    return f"{kind}:{','.join(f'{name}={value}' for name, value in options.items())}"


def _format_line(state: State, seat: int, line: tuple[int, ...]) -> Iterator[str]:
    """Yields the moves of a line as texts, up to the first that a chance event makes illegal."""
    state = state.hidden(seat, 0)
    for i, action in enumerate(line):
        if state.over:
            return
        acting_seat = state.seat_to_move(seat, i)
        if action not in state.actions(acting_seat):
            return
        yield state.move(action)
        state = state.act(action, acting_seat)
