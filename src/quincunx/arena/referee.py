"""One game, played in this process: its opening, the players' clocks, and forfeits."""

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
from quincunx.arena.schedule import Pairing, Plan, pairing_at
from quincunx.contract import WIN_OR_DRAW
from quincunx.errors import IllegalMove
from quincunx.game import State
from quincunx.players import Player

# The kinds of forfeits: the reason of a forfeit starts with one of these words.
CRASHED, HUNG, ILLEGAL = "crashed", "hung", "illegal"

# Called before each call of a player, with its seat and the moves since the previous call.
TurnCallback = Callable[[int, Sequence[str]], None]


class Forfeit(Exception):
    """A seat loses the game for a reason outside the rules."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat
        self.reason = reason


@dataclass
class GameInProgress:
    """A game that is being played."""

    plan: Plan
    pairing: Pairing
    state: State
    moves: list[str]  # with those of the opening
    opening_plies: int
    turns: list[int] = field(default_factory=list)  # by seat, without the opening
    seconds: list[float] = field(default_factory=list)  # the thinking time by seat

    def outcome(self, forfeit: Forfeit | None = None) -> Outcome:
        """Returns the outcome of a game that ended by the rules, a forfeit or the ply limit."""
        ended = ""
        if not forfeit and not self.state.over:
            ended = f"ply limit {self.plan.ply_limit}"
        return Outcome(
            self.pairing.number,
            tuple(self.moves),
            self.opening_plies,
            _result(self.state, forfeit),
            tuple(self.turns),
            tuple(round(seconds, 3) for seconds in self.seconds),
            date.today().isoformat(),
            (forfeit.seat, forfeit.reason) if forfeit else None,
            ended,
        )


def play_game(plan: Plan, number: int, on_turn: TurnCallback = lambda seat, moves: None) -> Outcome:
    """Plays the game with this number to its end and returns its outcome.

    Information that a seat cannot know is drawn again at random before its player is called, so
    that players cannot use it.
    """
    game = _start(plan, number)
    reported = 0  # the number of moves that were passed to on_turn

    def call(seat: int, function: Callable[[], Any]) -> Any:
        """Returns the function's result, timed; raises Forfeit if it raises or takes too long."""
        nonlocal reported
        on_turn(seat, game.moves[reported:])
        reported = len(game.moves)
        start = perf_counter()
        try:
            result = function()
        except BaseException as error:  # players may raise anything, also SystemExit
            traceback.print_exc()
            raise Forfeit(seat, one_line(f"{CRASHED}: {type(error).__name__}: {error}")) from error
        seconds = perf_counter() - start
        game.seconds[seat] += seconds
        if seconds > plan.move_seconds:
            raise Forfeit(seat, timeout_reason(plan))
        return result

    def make_player(seat: int) -> Player:
        text = plan.players[game.pairing.players[seat]]
        return participants.make(text, plan.configured_game, game.pairing.player_seed(seat))

    try:
        players = [call(seat, partial(make_player, seat)) for seat in range(plan.seats)]
        game.seconds = [0.0] * plan.seats  # the time to create the players does not count
        hiding_rngs = [Random(game.pairing.player_seed(seat)) for seat in range(plan.seats)]
        while not game.state.over and not 0 < plan.ply_limit <= len(game.moves):
            seat = game.state.seat_to_move(0, len(game.moves))
            visible = game.state.hidden(seat, hiding_rngs[seat].getrandbits(63))
            chosen = call(seat, partial(players[seat].choose, visible, seat))
            game.turns[seat] += 1
            after = _play_action(game.state, seat, chosen)
            game.moves.append(move_text(game.state, after))
            game.state = after
    except Forfeit as forfeit:
        return game.outcome(forfeit)
    return game.outcome()


def forfeit_outcome(
    plan: Plan, number: int, moves: Sequence[str], seat: int, reason: str
) -> Outcome:
    """Returns the outcome of a game whose process ended, or was killed, after these moves.

    Its turns and thinking times are 0, since they are lost with the process.
    """
    game = _start(plan, number)
    game.state, game.moves = plan.configured_game.start(game.pairing.seed), list(moves)
    for move in moves:
        game.state = game.state.play(move)
    return game.outcome(Forfeit(seat, one_line(reason)))


def timeout_reason(plan: Plan) -> str:
    """Returns the reason of a forfeit by time."""
    return f"{HUNG}: no move within {plan.move_seconds:g} s"


def move_text(before: State, after: State) -> str:
    """Returns the move from one position to the next.

    Where anyone may move, it starts with the letter of its seat, as in `R:3,1`.
    """
    assert after.last is not None
    seat, move = after.last
    return f"{before.game.parts.rules.LETTERS[seat]}:{move}" if before.turn is None else move


def _start(plan: Plan, number: int) -> GameInProgress:
    """Returns a game after its opening."""
    pairing = pairing_at(plan, number)
    states = opening(plan, pairing.seed)
    moves = [move_text(*pair) for pair in pairwise(states)]
    turns, seconds = [0] * plan.seats, [0.0] * plan.seats
    return GameInProgress(plan, pairing, states[-1], moves, len(moves), turns, seconds)


def _play_action(state: State, seat: int, chosen: Any) -> State:
    """Returns the position after a player's choice; raises Forfeit if the choice is illegal."""
    try:
        action = index(chosen)
    except TypeError:
        raise Forfeit(seat, f"{ILLEGAL}: chose a {type(chosen).__name__}, not an action") from None
    try:
        return state.act(action, seat)
    except IllegalMove:
        raise Forfeit(seat, one_line(f"{ILLEGAL}: chose action {action} in {state.text}")) from None


def _result(state: State, forfeit: Forfeit | None) -> tuple[float, ...]:
    """Returns the result of each seat, also of a game that did not end by the rules.

    A forfeit makes the score of a solo game at most 0. In a game with draws, a forfeit is a win
    of the other seats, and the ply limit makes a draw. All other results are the scores.
    """
    scores, seats = state.scores, state.game.seats
    if seats == 1:
        return (min(0.0, *scores),) if forfeit else scores
    if state.over or state.game.traits.outcome != WIN_OR_DRAW:
        return scores
    if forfeit is None:
        return (1 / seats,) * seats
    return tuple(0.0 if seat == forfeit.seat else 1 / (seats - 1) for seat in range(seats))
