"""What the best player of a game thinks of a position: every move's value, and the best line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, cast

from quincunx.errors import BadOption, BadTable
from quincunx.game import Game, State
from quincunx.options import parse_assignments
from quincunx.players import AnalysingPlayer, player

PERFECT_PLAYER = "perfect"

# Options of players that say when to stop; a limit takes their place.
LIMITS = ("time", "sims", "depth", "nodes")


@dataclass(frozen=True)
class ScoredMove:
    """A move, and what is thought of it, for the seat that would play it."""

    move: str
    value: float  # -1..1; exactly 1 or -1 only where `plies` is known
    line: tuple[str, ...]  # the best play that is expected, this move first
    visits: int  # simulations or nodes spent on it
    plies: int | None  # to the end of the game, where that is certain


@dataclass(frozen=True)
class Analysis:
    """What is thought of a position."""

    state: State
    seat: int
    by: str  # the player that thinks so
    moves: tuple[ScoredMove, ...]  # every legal move, the best first

    @property
    def value(self) -> float:
        """How good the position is for the seat: the value of its best move."""
        return self.moves[0].value

    @property
    def line(self) -> tuple[str, ...]:
        """The best play for all."""
        return self.moves[0].line

    def as_dict(self) -> dict[str, Any]:
        """For programs."""
        return {
            "game": self.state.game.name,
            "position": self.state.text,
            "seat": self.seat,
            "by": self.by,
            "value": self.value,
            "line": list(self.line),
            "moves": [asdict(judged) for judged in self.moves],
        }


def analyse(
    state: State, limit: float | str = 0.5, seat: int | None = None, seed: int = 0
) -> Analysis:
    """What the game's best player thinks of every legal move of a position that is not over.

    Where a solved table is there, values are exact: 1, 0 or -1, with the plies to the end.
    The limit is a number of seconds, or what the player takes, such as "depth=4" or
    "sims=2000"; with those the same seed gives the same analysis.
    """
    seat = state.acting_seat(seat)
    by = analysis_player(state.game, limit)
    thinker = cast(AnalysingPlayer, player(by, state.game, seed))
    # Nobody solved this game, or its table is not here or cannot be read.
    with suppress(BadOption, BadTable, OSError):
        thinker, by = (
            cast(AnalysingPlayer, player(PERFECT_PLAYER, state.game, seed)),
            PERFECT_PLAYER,
        )
    opinions = thinker.analyse_moves(state.hidden(seat, seed), seat)
    moves = tuple(
        ScoredMove(
            state.move(opinion.action),
            opinion.value,
            tuple(_told(state, seat, opinion.line)),
            opinion.visits,
            opinion.plies,
        )
        for opinion in opinions
    )
    return Analysis(state, seat, by, moves)


def analysis_player(game: Game, limit: float | str) -> str:
    """The text of the game's best player, with another limit."""
    kind, _, own = game.parts.rules.LEVELS[-1][1].partition(":")
    usual = parse_assignments(own.split(",") if own else ())
    options = {name: value for name, value in usual.items() if name not in LIMITS}
    given = f"time={limit}" if isinstance(limit, (int, float)) else limit
    options |= parse_assignments(given.split(","))
    return f"{kind}:{','.join(f'{name}={value}' for name, value in options.items())}"


def _told(state: State, seat: int, line: tuple[int, ...]) -> Iterator[str]:
    """The moves of a line as texts, as far as chance lets them be played."""
    state = state.hidden(seat, 0)
    for i, action in enumerate(line):
        if state.over:
            return
        mover = state.seat_to_move(seat, i)
        if action not in state.actions(mover):
            return
        yield state.move(action)
        state = state.act(action, mover)
