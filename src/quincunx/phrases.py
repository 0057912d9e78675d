"""Sentences for people as a code with fields; a table of texts renders them in a language.

A game's `status` and `reason` return a Phrase. `game.texts` is the English table; a table with
the same codes in another language renders the same phrases there. A plural, a list or a name is a
phrase of its own inside the fields, so that each language can form it in its own way.

Every IllegalMove that the package raises carries a phrase. MoveSyntax and BadPosition are English
only: they say what is wrong in a notation, to those who write it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

FieldValue: TypeAlias = "str | int | Phrase"

# A table may hold a second text for a status, under its code and this suffix, which is addressed
# to a seat that may move: "Your turn: ..." instead of "White to play: ...".
YOU = ".you"

# The phrases that all games share.
COMMON_TEXTS: Mapping[str, str] = {
    "and": "{first} and {next}",
    "comma": "{first}, {next}",
    # Statuses of games that have no others.
    "play": "{seat} to play",
    "play.you": "Your turn",
    "anyone": "Anyone may move",
    "anyone.you": "You may move",
    "wins": "{winner} wins",
    "share_win": "{winner} share the win",
    "draw": "Draw",
    "points": "Game over: {points} points",
    "one_point": "Game over: {points} point",
    # Reasons.
    "over": "the game is over",
    "name_seat": "anyone may move: name the seat, such as seat=0",
    "other_turn": "it is {name}'s turn (seat {seat})",
    "other_seat": "the move names seat {named}, but was played for seat {given}",
    "not_legal": "not a legal action",
    "no_move_at": "no legal move starts at {cell}",
    "no_move_between": "no legal move goes from {origin} to {target}",
    "not_legal_for": "not a legal action of seat {seat}",
    "not_legal_in": "not a legal action of seat {seat} in game {game} of the batch",
    "played_by": "{name} is played by {player}",
    "late": "it was made for position {number}, but the match is at position {current}",
    "undo": "{possible} can be undone, not {asked}",
    "redo": "{possible} can be redone, not {asked}",
    "one_move": "{count} move",
    "many_moves": "{count} moves",
}


@dataclass(frozen=True)
class Phrase:
    """A sentence, or a part of one, independent of the language."""

    code: str
    fields: Mapping[str, FieldValue] = field(default_factory=dict, hash=False)

    def as_dict(self) -> dict[str, Any]:
        """Returns the phrase as plain values, for messages."""
        return {
            "code": self.code,
            "fields": {
                name: value.as_dict() if isinstance(value, Phrase) else value
                for name, value in self.fields.items()
            },
        }


def render(phrase: Phrase, texts: Mapping[str, str]) -> str:
    """Returns the phrase in the language of a table; raises KeyError if the code has no text."""
    text = texts[phrase.code]
    if "{" not in text:
        return text
    return text.format_map(
        {
            name: render(value, texts) if isinstance(value, Phrase) else value
            for name, value in phrase.fields.items()
        }
    )


def addressed(phrase: Phrase, texts: Mapping[str, str]) -> Phrase:
    """Returns a status as addressed to a seat that may move, if the table has a text for that."""
    return Phrase(phrase.code + YOU, phrase.fields) if phrase.code + YOU in texts else phrase


@cache
def seat_name(seat: int) -> Phrase:
    """Returns the phrase of a seat's name."""
    return Phrase(f"seat.{seat}")


def seat_texts(names: Sequence[str]) -> dict[str, str]:
    """Returns the texts of the seats' names."""
    return {seat_name(seat).code: name for seat, name in enumerate(names)}


def move_count(count: int) -> Phrase:
    """Returns the phrase of a number of moves: "1 move", "2 moves"."""
    return Phrase("one_move" if count == 1 else "many_moves", {"count": count})


def quantity(count: float, noun: str, nouns: str = "") -> str:
    """Returns a number with its noun, in English: "1 move", "1,200 moves"."""
    number = f"{count:,}" if isinstance(count, int) else f"{count:g}"
    return f"{number} {noun if abs(count) == 1 else nouns or noun + 's'}"


def join(items: Sequence[Phrase], last: str = "and") -> Phrase:
    """Returns a list of phrases as one: "a, b and c"; `last` is the code before the last item."""
    joined = items[0]
    for i, item in enumerate(items[1:], 2):
        joined = Phrase(last if i == len(items) else "comma", {"first": joined, "next": item})
    return joined
