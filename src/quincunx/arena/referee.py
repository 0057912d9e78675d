"""One game, played in this process: openings, clocks, and forfeits of those who do wrong."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import pairwise
from operator import index
from random import Random
from time import perf_counter
from typing import Any

from quincunx.arena import participants
from quincunx.arena.openings import opening
from quincunx.arena.outcome import Outcome, one_line
from quincunx.arena.schedule import Pairing, Plan, pairing
from quincunx.errors import IllegalMove
from quincunx.game import State
from quincunx.players import Player

CRASHED, HUNG, ILLEGAL = "crashed", "hung", "illegal"

# Told before a seat begins to think: which one, and the moves since the last time.
Tell = Callable[[int, Sequence[str]], None]


class Forfeit(Exception):
    """A seat loses the game, for this reason."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat
        self.reason = reason


@dataclass
class GameInProgress:
    """A game under way."""

    plan: Plan
    pairing: Pairing
    state: State
    moves: list[str]
    opening: int
    turns: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def outcome(self, forfeit: Forfeit | None = None) -> Outcome:
        """How the game ended: by the rules, by a forfeit, or at the limit of plies."""
        ended = ""
        if not forfeit and not self.state.over:
            ended = f"ply limit {self.plan.ply_limit}"
        return Outcome(
            self.pairing.number,
            tuple(self.moves),
            self.opening,
            _result(self.state, forfeit),
            tuple(self.turns),
            tuple(round(seconds, 3) for seconds in self.seconds),
            date.today().isoformat(),
            (forfeit.seat, forfeit.reason) if forfeit else None,
            ended,
        )


def play_game(plan: Plan, number: int, tell: Tell = lambda seat, moves: None) -> Outcome:
    """Plays the game of that number to its end.

    What a seat cannot know is drawn anew before it is asked, so that no player can peek.
    """
    board = _begin(plan, number)
    told = 0

    def asked(seat: int, what: Callable[[], Any]) -> Any:
        """What a seat answers, timed; Forfeit if it crashes or takes too long."""
        nonlocal told
        tell(seat, board.moves[told:])
        told = len(board.moves)
        begin = perf_counter()
        try:
            answer = what()
        except BaseException as error:  # whatever a player raises is the player's
            traceback.print_exc()
            raise Forfeit(seat, one_line(f"{CRASHED}: {type(error).__name__}: {error}")) from error
        passed = perf_counter() - begin
        board.seconds[seat] += passed
        if passed > plan.move_seconds:
            raise Forfeit(seat, hung(plan))
        return answer

    def seated(seat: int) -> Player:
        text = plan.players[board.pairing.seats[seat]]
        return participants.make(text, plan.rules, board.pairing.player_seed(seat))

    try:
        players = [asked(seat, partial(seated, seat)) for seat in range(plan.seats)]
        board.seconds = [0.0] * plan.seats  # making a player is not thinking
        veil = [Random(board.pairing.player_seed(seat)) for seat in range(plan.seats)]
        while not board.state.over and not 0 < plan.ply_limit <= len(board.moves):
            seat = board.state.seat_to_move(0, len(board.moves))
            known = board.state.hidden(seat, veil[seat].getrandbits(63))
            chosen = asked(seat, partial(players[seat].choose, known, seat))
            board.turns[seat] += 1
            after = _played(board.state, seat, chosen)
            board.moves.append(written(board.state, after))
            board.state = after
    except Forfeit as forfeit:
        return board.outcome(forfeit)
    return board.outcome()


def forfeited(plan: Plan, number: int, moves: Sequence[str], seat: int, reason: str) -> Outcome:
    """The outcome of a game whose process had to be ended, or ended by itself, after moves."""
    board = _begin(plan, number)
    board.state, board.moves = plan.rules.start(board.pairing.seed), list(moves)
    for move in moves:
        board.state = board.state.play(move)
    return board.outcome(Forfeit(seat, one_line(reason)))


def hung(plan: Plan) -> str:
    """Why a seat forfeits that took too long."""
    return f"{HUNG}: no move within {plan.move_seconds:g} s"


def written(before: State, after: State) -> str:
    """The move between two positions, with the seat's letter where anyone may move."""
    assert after.last is not None
    seat, move = after.last
    return f"{before.game.parts.rules.LETTERS[seat]}:{move}" if before.turn is None else move


def _begin(plan: Plan, number: int) -> GameInProgress:
    game = pairing(plan, number)
    states = opening(plan, game.seed)
    moves = [written(*pair) for pair in pairwise(states)]
    board = GameInProgress(plan, game, states[-1], moves, len(moves))
    board.turns, board.seconds = [0] * plan.seats, [0.0] * plan.seats
    return board


def _played(state: State, seat: int, chosen: Any) -> State:
    """The position after what a player chose; Forfeit if that is no legal action."""
    try:
        action = index(chosen)
    except TypeError:
        raise Forfeit(seat, f"{ILLEGAL}: chose a {type(chosen).__name__}, not an action") from None
    try:
        return state.act(action, seat)
    except IllegalMove:
        raise Forfeit(seat, one_line(f"{ILLEGAL}: chose {action} in {state.text}")) from None


def _result(state: State, forfeit: Forfeit | None) -> tuple[float, ...]:
    """The scores as they stand; in games of win and draw, the win or the draw that follows."""
    scores, seats = state.scores, state.game.seats
    if seats == 1:
        return (min(0.0, *scores),) if forfeit else scores
    if state.over or not state.game.parts.rules.DRAWS:
        return scores
    if forfeit is None:
        return (1 / seats,) * seats
    return tuple(0.0 if seat == forfeit.seat else 1 / (seats - 1) for seat in range(seats))
