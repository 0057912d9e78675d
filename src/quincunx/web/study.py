"""Positions away from the board: variations, analysis, hints, and the mistakes of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from zlib import crc32

from quincunx.analysis import PERFECT_PLAYER, Analysis, ScoredMove, analyse
from quincunx.draw.animation import Animation
from quincunx.errors import IllegalMove, MoveSyntax
from quincunx.game import Game, State
from quincunx.web.rooms import Room, chance
from quincunx.web.wire import Message, Refused, refusal

FIRST = 0.2  # seconds that the first opinion takes
LONGER = 2.0  # each further one takes so many times as long
SHOWN = 12  # moves of an opinion that are told
HINT = 0.5  # seconds
MISTAKE = 0.15  # so much worse than the best move, of values from -1 to 1
REVIEW = 20.0  # seconds for all moves of a game together,
REVIEW_EACH = (0.03, 0.2)  # and for each of them


@dataclass(frozen=True)
class Study:
    """A first position and moves from it."""

    first: State
    moves: tuple[str, ...]

    def played(self) -> tuple[list[State], Refused | None]:
        """The positions as far as the moves can be played, and why no further."""
        states = [self.first]
        for i, move in enumerate(self.moves):
            try:
                states.append(states[-1].play(move))
            except (MoveSyntax, IllegalMove) as error:
                refused = refusal(error)
                return states, Refused(refused.word, refused.text, f"moves.{i}")
        return states, None

    def last(self) -> State:
        """The position after all moves; Refused if one cannot be played."""
        states, refused = self.played()
        if refused:
            raise refused
        return states[-1]


def of_game(game: Game, message: Message) -> Study:
    """What a message asks about, from a game's first position or from a text."""
    seed, start = message.get("seed", 0), message.get("start", "")
    first = game.read(start, seed) if start else game.start(seed)
    return Study(first, tuple(message.get("moves", ())))


def of_room(room: Room, message: Message) -> Study:
    """What a message asks about, from a position of a room; what is yet to come is redrawn."""
    first = position_of(room, message.get("plies"))
    if not room.over and chance(room.game):
        # The same every time, and nothing that the game's own seed could be told from.
        first = first.hidden(0, crc32(f"{room.card.id}/{first.ply}".encode()))
    return Study(first, tuple(message.get("moves", ())))


def position_of(room: Room, plies: int | None) -> State:
    """A position of a room, the last one by default; Refused if there were not so many moves."""
    if plies is not None and plies > room.plies:
        raise Refused("message", f"plies: an integer from 0 to {room.plies}", "plies")
    return room.match._states[room.plies if plies is None else plies]


def seat_to_move(state: State, seat: int | None) -> int:
    """Who is to move: where anyone may, the seat that is asked for, or the first."""
    if seat is not None and seat >= state.game.seats:
        raise Refused("seat", "there is no such seat", "seat")
    return state.turn if state.turn is not None else (seat or 0)


def explored(study: Study, message: Message) -> dict[str, Any]:
    """A position for the analysis board: picture, legal moves, and frames of the last move."""
    states, refused = study.played()
    state, flip = states[-1], message.get("flip", False)
    seat = seat_to_move(state, message.get("seat"))
    clicks = state.game.parts.layout.clicks
    told: dict[str, Any] = {
        "game": state.game.name,
        "plies": len(states) - 1,
        "seats": state.game.seats,
        "turn": state.turn,
        "over": state.over,
        "status": state.status,
        "text": state.text,
        "scores": state.scores,
        "winners": state.winners,
        "ways": [(move, *clicks(move)) for move in state.moves(seat)],
    }
    if refused:
        told["error"] = refused.as_dict()
    if message.get("frames") and len(states) > 1 and state.last:
        mover, move = state.last
        animation = Animation(states[-2], flip)
        told["before"] = animation.picture
        told["frames"] = animation.play(states[-2].steps(move, mover))
    else:
        animation = Animation(state, flip)
    return {**told, "picture": animation.picture}


def limits(seconds: float) -> Iterator[float]:
    """How long each opinion takes, until they have taken so many seconds together."""
    step, left = FIRST, seconds
    while left > 0:
        # No crumbs: what would be left for a last short thought goes to this one.
        now = left if left < step * (1 + LONGER) else step
        yield now
        left, step = left - now, step * LONGER


def opinion(state: State, seat: int, seconds: float) -> dict[str, Any]:
    """What the best player thinks, for the wire."""
    found = analyse(state, seconds, seat)
    return {
        "by": found.by,
        "seat": found.seat,
        "value": found.value,
        "line": found.line,
        "moves": [_judged(state, judged) for judged in found.moves[:SHOWN]],
        "exact": found.by == PERFECT_PLAYER,
    }


def _judged(state: State, judged: ScoredMove) -> dict[str, Any]:
    return {
        "move": judged.move,
        "clicks": state.game.parts.layout.clicks(judged.move),
        "value": judged.value,
        "line": judged.line,
        "plies": judged.plies,
        "visits": judged.visits,
    }


def hint(state: State, seat: int) -> dict[str, Any]:
    """The best move, and its clicks."""
    move = analyse(state, HINT, seat).moves[0].move
    return {"move": move, "clicks": state.game.parts.layout.clicks(move)}


def mistake(state: State, seat: int, move: str, seconds: float) -> dict[str, Any] | None:
    """What was wrong with a move, if something was."""
    found = analyse(state, seconds, seat)
    value = next(judged.value for judged in found.moves if judged.move == move)
    if found.value - value < MISTAKE:
        return None
    return _mistake(state, found, move, value)


def _mistake(state: State, found: Analysis, move: str, value: float) -> dict[str, Any]:
    best = found.moves[0]
    return {
        "seat": found.seat,
        "move": move,
        "value": value,
        "best": best.move,
        "best_value": best.value,
        "clicks": state.game.parts.layout.clicks(best.move),
    }


def review(states: Sequence[State]) -> Iterator[Callable[[], dict[str, Any] | None]]:
    """A piece of work for every move of a game: each finds what was wrong with it."""
    low, high = REVIEW_EACH
    seconds = min(high, max(low, REVIEW / max(1, len(states) - 1)))
    for plies, (before, after) in enumerate(pairwise(states)):
        assert after.last is not None
        seat, move = after.last

        def work(
            before: State = before, seat: int = seat, move: str = move, plies: int = plies
        ) -> dict[str, Any] | None:
            found = mistake(before, seat, move, seconds)
            return found and {"plies": plies, **found}

        yield work
