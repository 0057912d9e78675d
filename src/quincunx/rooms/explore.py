"""Positions besides the current one of a room: variations, analysis, hints, reviews of games.

Functions whose names begin with `encoded` return a message as JSON. They are called in other
processes, since drawing holds the interpreter's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TypeAlias
from zlib import crc32

from quincunx.analysis import PERFECT_PLAYER, ScoredMove, analyse
from quincunx.contract import WIN_OR_DRAW
from quincunx.draw.animation import MAX_EVENTS, Animation, Frame, Picture, page_picture
from quincunx.errors import IllegalMove, MoveSyntax
from quincunx.game import Game, State
from quincunx.rooms.answers import (
    ErrorFields,
    HintMessage,
    MistakeFields,
    OpinionFields,
    OpinionsMessage,
    PastPictureMessage,
    PositionMessage,
    PreviewMessage,
    ReasonMessage,
)
from quincunx.rooms.errors import RequestError, as_request_error
from quincunx.rooms.host import Encode
from quincunx.rooms.messages import Analyse, At, BoardRequest, Explain, Explore, Hint, Preview
from quincunx.rooms.reasons import why_illegal
from quincunx.rooms.room import GameRoom
from quincunx.rooms.views import LegalMoves, position_fields

FIRST_ANALYSIS_SECONDS = 0.2
ANALYSIS_GROWTH = 2.0  # each further analysis takes this many times as long
MAX_ANALYSED_MOVES = 12  # in a message
HINT_SECONDS = 0.5
PREVIEW_SEEDS = (1, 2)  # of two draws of what chance decides
MISTAKE_THRESHOLD = 0.15  # how much worse than the best move, with values from -1 to 1
REVIEW_SECONDS = 20.0  # for all moves of a game
REVIEW_MOVE_SECONDS = (0.03, 0.2)  # lowest and highest, for each move

Mistake: TypeAlias = MistakeFields | None  # None: the move is good enough


@dataclass(frozen=True)
class Variation:
    """A first position and moves from it."""

    first: State
    moves: tuple[str, ...]

    def positions(self) -> tuple[list[State], RequestError | None]:
        """Returns the positions up to the first move that cannot be played, and its error."""
        states = [self.first]
        for i, move in enumerate(self.moves):
            try:
                states.append(states[-1].play(move))
            except (MoveSyntax, IllegalMove) as cause:
                error = as_request_error(cause)
                return states, RequestError(error.code, error.text, f"moves.{i}")
        return states, None

    def last_position(self) -> State:
        """Returns the position after all moves; raises RequestError if one cannot be played."""
        states, error = self.positions()
        if error:
            raise error
        return states[-1]


def variation_of_game(game: Game, request: BoardRequest) -> Variation:
    """Returns the variation that a request describes, from a start or from a position text."""
    seed, start = request.seed, request.start
    first = game.read(start, seed) if start else game.start(seed)
    return Variation(first, request.moves)


def last_position_of_game(game: Game, request: BoardRequest) -> State:
    """Returns the last position of the variation that a request describes."""
    return variation_of_game(game, request).last_position()


@dataclass(frozen=True)
class PastPosition:
    """A position of a room: one that is kept, and the actions that lead from it, with seats.

    They are played in the process that draws the position.
    """

    kept: State
    way: tuple[tuple[int, int], ...]
    hide: str = ""  # the id of a room whose random events must not be looked up

    def state(self) -> State:
        """Returns the position."""
        state = self.kept
        for action, seat in self.way:
            state = state.apply(action, seat)
        if self.hide:
            # This seed repeats for the same position, and reveals nothing of the game's own seed.
            state = state.hidden(0, crc32(f"{self.hide}/{state.ply}".encode()))
        return state


def past_position(room: GameRoom, plies: int | None) -> PastPosition:
    """Returns the position of a room after `plies` moves, the last one by default."""
    if plies is not None and plies > room.plies:
        text = f"invalid plies {plies}: expected an integer from 0 to {room.plies}"
        raise RequestError("message", text, "plies")
    return PastPosition(*room.match.way_to(room.plies if plies is None else plies))


def first_of_variation(room: GameRoom, request: BoardRequest) -> PastPosition:
    """Returns the position of a room from which a request describes a variation.

    In a running game with chance, later random events are drawn again: nothing can be looked up.
    """
    past = past_position(room, request.plies)
    return past if room.reveals_seed else replace(past, hide=room.settings.id)


def last_position_of_room(past: PastPosition, request: BoardRequest) -> State:
    """Returns the last position of the variation that a request describes."""
    return Variation(past.state(), request.moves).last_position()


def seat_to_move(state: State, seat: int | None) -> int:
    """Returns the seat to move; where anyone may move, `seat` or else the first."""
    if seat is not None and seat >= state.game.seats:
        text = f"invalid seat {seat}: expected 0 to {state.game.seats - 1}"
        raise RequestError("seat", text, "seat")
    return state.turn if state.turn is not None else (seat or 0)


def encoded_past_picture(past: PastPosition, request: At, encode: Encode) -> str:
    """Returns the answer to `at`: an older position of a room, with its picture."""
    state = past.state()
    return encode(
        PastPictureMessage(
            ref=request.ref,
            room=request.room,
            plies=request.plies,
            picture=page_picture(state, request.flip),
            **position_fields(state),
        )
    )


def encoded_position_of_game(game: Game, request: Explore, encode: Encode) -> str:
    """Returns the answer to `explore` for a variation from a start or from a position text."""
    return encoded_position(variation_of_game(game, request), request, encode)


def encoded_position_of_room(past: PastPosition, request: Explore, encode: Encode) -> str:
    """Returns the answer to `explore` for a variation from a position of a room."""
    return encoded_position(Variation(past.state(), request.moves), request, encode)


def encoded_position(variation: Variation, request: Explore, encode: Encode) -> str:
    """Returns the answer to `explore`."""
    return encode(position_message(variation, request))


def position_message(variation: Variation, request: Explore) -> PositionMessage:
    """Returns the answer to `explore`: state, legal moves, picture and frames."""
    states, error = variation.positions()
    state, flip = states[-1], request.flip
    seat = seat_to_move(state, request.seat)
    before: Picture | None = None
    frames: list[Frame] | None = None
    if request.frames and len(states) > 1 and state.last:
        mover, move = state.last
        animation = Animation(states[-2], flip)
        before = animation.picture
        action = states[-2].action(move, mover)
        frames = animation.play(states[-2].apply_in_steps(action, mover, MAX_EVENTS))
    else:
        animation = Animation(state, flip)
    return PositionMessage(
        ref=request.ref,
        game=state.game.name,
        plies=len(states) - 1,
        seats=state.game.seats,
        **position_fields(state),
        winners=state.winners,
        ways=LegalMoves(state).tree(seat),
        picture=animation.picture,
        before=before,
        frames=frames,
        error=ErrorFields(**error.as_dict()) if error else None,
    )


def encoded_reason_in_game(game: Game, request: Explain, encode: Encode) -> str:
    """Returns the answer to `explain` for a variation from a start or from a position text."""
    return _encoded_reason(last_position_of_game(game, request), request, encode)


def encoded_reason_in_room(past: PastPosition, request: Explain, encode: Encode) -> str:
    """Returns the answer to `explain` for a variation from a position of a room."""
    return _encoded_reason(last_position_of_room(past, request), request, encode)


def _encoded_reason(state: State, request: Explain, encode: Encode) -> str:
    reason = why_illegal(state, seat_to_move(state, request.seat), request.clicks)
    return encode(ReasonMessage(ref=request.ref, reason=reason))


def encoded_preview_in_game(game: Game, request: Preview, encode: Encode) -> str:
    """Returns the answer to `preview` for a variation from a start or from a position text."""
    return _encoded_preview(last_position_of_game(game, request), request, encode)


def encoded_preview_in_room(past: PastPosition, request: Preview, encode: Encode) -> str:
    """Returns the answer to `preview` for a variation from a position of a room."""
    return _encoded_preview(last_position_of_room(past, request), request, encode)


def _encoded_preview(state: State, request: Preview, encode: Encode) -> str:
    seat = seat_to_move(state, request.seat)
    action, _ = state.resolve(request.move, seat)
    # What chance decides differs between two draws of it.
    one, other = (state.hidden(seat, seed).apply(action, seat) for seed in PREVIEW_SEEDS)
    picture = page_picture(one, request.flip) if one.text == other.text else None
    return encode(PreviewMessage(ref=request.ref, picture=picture))


# What answers each kind of request about a position: in a room, and in a game.
POSITION_ANSWERS: Mapping[str, tuple[Callable[..., str], Callable[..., str]]] = {
    Explore.type: (encoded_position_of_room, encoded_position_of_game),
    Explain.type: (encoded_reason_in_room, encoded_reason_in_game),
    Preview.type: (encoded_preview_in_room, encoded_preview_in_game),
}


def analysis_times(seconds: float) -> Iterator[float]:
    """Yields the seconds of each analysis, longer and longer, which add up to `seconds`."""
    step, remaining = FIRST_ANALYSIS_SECONDS, seconds
    while remaining > 0:
        # A remainder that is too short for the next step is added to this one.
        duration = remaining if remaining < step * (1 + ANALYSIS_GROWTH) else step
        yield duration
        remaining, step = remaining - duration, step * ANALYSIS_GROWTH


def opinions_message(
    state: State, seat: int, limit: float, spent: float, request: Analyse
) -> OpinionsMessage:
    """Returns the analysis by the best player within `limit`; `spent` is the time of all so far."""
    analysis = analyse(state, limit, seat)
    exact = analysis.by == PERFECT_PLAYER
    return OpinionsMessage(
        ref=request.ref,
        by=analysis.by,
        seat=analysis.seat,
        value=analysis.value,
        line=analysis.line,
        moves=[_opinion(state, seat, move) for move in analysis.moves[:MAX_ANALYSED_MOVES]],
        exact=exact,
        seconds=round(spent, 2),
        done=exact or spent >= request.seconds - 1e-6,
    )


def move_path(state: State, move: str, seat: int) -> tuple[str, ...]:
    """Returns the cells through which a piece moves from its first to its last click.

    Where the first step of a move has no such path, the clicks.
    """
    clicks = tuple(state.game.parts.layout.clicks(move))
    if len(clicks) < 2:
        return clicks
    cells = tuple(state.apply_in_steps(state.action(move, seat), seat, MAX_EVENTS)[0].cells)
    return cells if len(cells) > 2 and (cells[0], cells[-1]) == (clicks[0], clicks[-1]) else clicks


def expected_points(state: State, seat: int, scored: ScoredMove) -> float | None:
    """Returns the points that a move is expected to give; None in a game that is won or drawn.

    Of a solo game it is the score; of others the lead over the best opponent. Where a game does not
    know what its values are in points, they are counted after the expected moves.
    """
    game = state.game
    if game.traits.outcome == WIN_OR_DRAW:
        return None
    points = game.parts.rules.points(scored.value)
    if points is not None:
        return round(points, 1)
    after = state.hidden(seat, 0)  # as the expected moves were found
    with suppress(IllegalMove, MoveSyntax):
        for i, move in enumerate(scored.line):
            after = after.play(move, after.seat_to_move(seat, i))
    others = [score for other, score in enumerate(after.scores) if other != seat]
    return after.scores[seat] - max(others, default=0.0)


def _opinion(state: State, seat: int, scored: ScoredMove) -> OpinionFields:
    return OpinionFields(
        move=scored.move,
        clicks=state.game.parts.layout.clicks(scored.move),
        path=move_path(state, scored.move, seat),
        value=scored.value,
        points=expected_points(state, seat, scored),
        line=scored.line,
        plies=scored.plies,
        visits=scored.visits,
    )


def hint_message(state: State, number: int, request: Hint) -> HintMessage:
    """Returns the best move and its clicks; `number` is that of the room."""
    move = analyse(state, HINT_SECONDS, request.seat).moves[0].move
    return HintMessage(
        ref=request.ref,
        room=request.room,
        seat=request.seat,
        number=number,
        move=move,
        clicks=state.game.parts.layout.clicks(move),
        path=move_path(state, move, request.seat),
    )


def find_mistake(state: State, plies: int, seat: int, move: str, seconds: float) -> Mistake:
    """Returns the mistake if the move after `plies` is much worse than the best; else None."""
    analysis = analyse(state, seconds, seat)
    best = analysis.moves[0]
    played = next(scored for scored in analysis.moves if scored.move == move)
    if analysis.value - played.value < MISTAKE_THRESHOLD:
        return None
    return MistakeFields(
        plies=plies,
        seat=analysis.seat,
        move=move,
        path=move_path(state, move, seat),
        value=played.value,
        points=expected_points(state, seat, played),
        best=best.move,
        best_path=move_path(state, best.move, seat),
        best_value=best.value,
        best_points=expected_points(state, seat, best),
        clicks=state.game.parts.layout.clicks(best.move),
    )


def review_tasks(states: Iterable[State], plies: int) -> Iterator[Callable[[], Mistake]]:
    """Yields a function for each of a game's `plies` moves; it returns the mistake, or None."""
    low, high = REVIEW_MOVE_SECONDS
    seconds = min(high, max(low, REVIEW_SECONDS / max(1, plies)))
    for number, (before, after) in enumerate(pairwise(states)):
        assert after.last is not None
        yield partial(find_mistake, before, number, *after.last, seconds)
