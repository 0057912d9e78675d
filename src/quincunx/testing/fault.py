"""The report of a fault: which function, in which position, what was found and expected."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill, indent
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from quincunx.game import Game
    from quincunx.state import State

MAX_LISTED = 12  # items of a list that a report shows
LINE_CHARS = 96


@dataclass(frozen=True)
class Situation:
    """A position as a report shows it; `replay` is Python code that leads to it."""

    text: str
    diagram: str
    status: str
    replay: str

    def __str__(self) -> str:
        position = indent(self.diagram.strip("\n"), "    ")
        replay = indent(self.replay, "    ")
        return (
            f"In this position ({self.status}):\n\n{position}\n\n"
            f"    text: {self.text}\n\nTo see it again:\n\n{replay}\n"
        )


class Fault(AssertionError):
    """A requirement on games that a game does not fulfil.

    `function` is the function, constant or field at fault: those of the kernel by name, those of
    other modules as `notation.read`. `found` and `expected` are sentences or "".
    """

    def __init__(
        self,
        game: str,
        function: str,
        problem: str,
        found: str = "",
        expected: str = "",
        situation: Situation | None = None,
    ) -> None:
        super().__init__(game, function, problem, found, expected, situation)
        self.game = game
        self.function = function
        self.problem = problem
        self.found = found
        self.expected = expected
        self.situation = situation

    @property
    def position(self) -> str:
        """The text of the position, or "" if the fault does not depend on one."""
        return self.situation.text if self.situation else ""

    def __str__(self) -> str:
        parts = [f"{self.game}: `{self.function}` {self.problem}."]
        if self.situation:
            parts.append(str(self.situation))
        for label, sentence in (("Found", self.found), ("Expected", self.expected)):
            if sentence:
                parts.append(_wrapped(f"{label + ':':9} {sentence}"))
        return "\n".join(parts)


class Context:
    """The position that is being checked, how it was reached, and the check's random choices."""

    def __init__(
        self, state: State, rng: Random, seed: int | None = None, moves: Sequence[str] = ()
    ) -> None:
        """`moves` lead to the position, from the start with a seed; without one, from its text."""
        self.state = state
        self.game = state.game
        self.rng = rng
        self._seed = seed
        self.moves = moves

    def after(self, move: str, state: State) -> Context:
        """Returns the context of the position after a move."""
        moves = () if self._seed is None else (*self.moves, move)
        return Context(state, self.rng, self._seed, moves)

    def played(self, action: int, seat: int) -> Context:
        """Returns the context of the position after an action."""
        prefix = f"{self.game.parts.rules.LETTERS[seat]}:" if self.state.turn is None else ""
        after = self.state.apply(action, seat)
        return self.after(prefix + (after.last or (seat, ""))[1], after)

    @property
    def origin(self) -> str:
        """The function that has made the position."""
        if self.state.last:
            return "apply"
        return "notation.read" if self._seed is None else "start"

    def fault(self, function: str, problem: str, found: str = "", expected: str = "") -> Fault:
        """Returns the report of a fault in this position."""
        return Fault(self.game.name, function, problem, found, expected, self._situation())

    def call(self, function: str, *arguments: Any) -> Any:
        """Calls an entry point of the kernel; an exception is a fault of that function."""
        try:
            return getattr(self.game.kernel, function)(*arguments)
        except Exception as error:
            raise self.fault(*raised(function, error)) from error

    def caught(self, error: Exception) -> Fault:
        """Returns the report of an exception that a module of the game has raised."""
        return self.fault(*raised(responsible(self.game, error), error))

    def _situation(self) -> Situation:
        state = self.state
        text = _attempt(lambda: state.text)
        return Situation(
            text,
            _attempt(lambda: str(state)),
            _attempt(lambda: state.status),
            f"state = {self.game!r}.read({text!r})"
            if self._seed is None
            else replay_code(self.game, self._seed, self.moves),
        )


def raised(function: str, error: Exception) -> tuple[str, str, str, str]:
    """Returns function, problem, found and expected of the report of an exception."""
    kind = type(error).__name__
    article = "an" if kind[0] in "AEIOU" else "a"
    found = ": ".join(part for part in (kind, str(error)) if part)
    return function, f"raises {article} {kind}", found, "no exception."


def responsible(game: Game, error: Exception) -> str:
    """Returns the game's function that was called when an exception arose."""
    functions = {
        getattr(getattr(value, "py_func", value), "__code__", None): (part, name)
        for part, module in vars(game.parts).items()
        for name, value in ((name, getattr(module, name, None)) for name in dir(module))
    }
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    for frame in frames:
        if frame.f_code in functions:
            part, name = functions[frame.f_code]
            return name if part == "kernel" else f"{part}.{name}"
    return frames[-1].f_code.co_name


def replay_code(game: Game, seed: int, moves: Sequence[str]) -> str:
    """Returns Python code that starts a game and plays moves."""
    lines = [f"state = {game!r}.start(seed={seed})"]
    if moves:
        played = fill(" ".join(moves), LINE_CHARS - 8, break_on_hyphens=False)
        quotes = '"""' if "\n" in played else '"'
        played = played.replace("\n", "\n        ")
        lines += [
            f"for move in {quotes}{played}{quotes}.split():",
            "    state = state.play(move)",
        ]
    return "\n".join(lines)


def listed(items: Iterable[object], separator: str = ", ") -> str:
    """Returns the items as a list in words: the first ones, and the number of the others."""
    texts = [str(item) for item in items]
    shown = separator.join(texts[:MAX_LISTED])
    more = len(texts) - MAX_LISTED
    return shown + (f" and {more} more" if more > 0 else "") if texts else "none"


def _wrapped(line: str) -> str:
    """Returns a long line as several, indented after the label of the first."""
    return "\n".join(
        fill(
            part,
            LINE_CHARS,
            initial_indent="" if number == 0 else " " * 10,
            subsequent_indent=" " * 10,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for number, part in enumerate(line.split("\n"))
    )


def _attempt(produce: Any) -> str:
    """Returns a text for a report, also where the game cannot produce it."""
    try:
        return str(produce())
    except Exception as error:
        return f"(not available: {type(error).__name__}: {error})"
