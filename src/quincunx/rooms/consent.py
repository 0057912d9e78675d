"""What one person asks the others in a room, and all of them must agree to: a takeback, a pause.

One question is open at a time. A person's move declines it, and so does resigning or running out
of time. The move of a bot declines a takeback, because the board has changed, but not a pause.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from quincunx.rooms.events import Event

UNDO = "undo"
PAUSE = "pause"
ASKED = {"asked": UNDO, "pause_asked": PAUSE}  # what is asked, by the kind of the event
ANSWERED = {"answer": UNDO, "pause_answer": PAUSE}
NAMES = {UNDO: "takeback", PAUSE: "pause"}


@dataclass(frozen=True)
class Question:
    """A takeback or a pause that a seat has requested, and who has agreed so far."""

    kind: str
    by: int
    number: int  # of the event by which it was requested
    agreed: frozenset[int] = frozenset()


def question_after(question: Question | None, event: Event, by_bot: bool) -> Question | None:
    """Returns the question that is open after an event; `by_bot` when a bot moved the seat."""
    kind, seat = event.kind, event.seat or 0
    if kind in ASKED:
        return Question(ASKED[kind], seat, event.number)
    if question is None:
        return None
    if kind in ANSWERED and event.text == "yes":
        return replace(question, agreed=question.agreed | {seat})
    if kind == "play" and by_bot and question.kind == PAUSE:
        return question
    is_closed = kind in ("play", "undo", "resign", "flag", *ANSWERED) or kind == question.kind
    return None if is_closed else question
