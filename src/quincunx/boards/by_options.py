"""Boards whose size is an option of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from quincunx.boards.layout import BoardLayout
from quincunx.boards.notation import BoardNotation
from quincunx.contract import Position
from quincunx.draw.scene import ClickSequence, Controls, Path, Scene, ViewOptions
from quincunx.game import Game, State, Step
from quincunx.options import Value

Build: TypeAlias = Callable[..., tuple[BoardNotation, BoardLayout]]


def by_options(build: Build, **defaults: Value) -> tuple[OptionNotation, OptionLayout]:
    """Returns notation and layout of a game whose board depends on options.

    `defaults` are these options with their default values; `build` takes their values as keyword
    arguments and returns the notation and the layout for them.
    """
    cached = lru_cache(maxsize=2**6)(build)
    return OptionNotation(cached, defaults), OptionLayout(cached, defaults)


class OptionNotation:
    """The notation of a game whose board depends on options."""

    def __init__(self, build: Build, defaults: dict[str, Value]) -> None:
        self._build, self._names = build, tuple(defaults)
        self.MOVE_FORM = build(**defaults)[0].MOVE_FORM

    def of(self, game: Game) -> BoardNotation:
        """Returns the notation for the options of a game."""
        return self._build(**{name: game.options[name] for name in self._names})[0]

    def read(self, game: Game, text: str, s: Position) -> None:
        """Writes the position that a text describes into a started position; raises BadPosition."""
        self.of(game).read(game, text, s)

    def write(self, game: Game, s: Position) -> str:
        """Returns the text of a position."""
        return self.of(game).write(game, s)

    def parse_move(self, game: Game, s: Position, text: str) -> int:
        """Returns the action of a move text; raises MoveSyntax or IllegalMove."""
        return self.of(game).parse_move(game, s, text)

    def format_move(self, game: Game, s: Position, action: int) -> str:
        """Returns the move text of an action."""
        return self.of(game).format_move(game, s, action)


class OptionLayout:
    """The layout of a game whose board depends on options."""

    def __init__(self, build: Build, defaults: dict[str, Value]) -> None:
        self._build, self._names = build, tuple(defaults)
        # The clicks of a move follow from its text alone.
        self._default = build(**defaults)[1]
        self.CONTROLS = self._all_controls(defaults)

    def of(self, game: Game) -> BoardLayout:
        """Returns the layout for the options of a game."""
        return self._build(**{name: game.options[name] for name in self._names})[1]

    def controls(self, game: Game) -> Controls:
        """Returns the controls for the options of a game."""
        return self.of(game).CONTROLS

    def _all_controls(self, defaults: dict[str, Value]) -> Controls:
        """Returns the default controls, with the buttons that an option that is on or off adds."""
        buttons = {button.word: button for button in self._default.CONTROLS.buttons}
        for name, on in defaults.items():
            if isinstance(on, bool):
                _, layout = self._build(**{**defaults, name: not on})
                for button in layout.CONTROLS.buttons:
                    buttons.setdefault(button.word, button)
        return replace(self._default.CONTROLS, buttons=tuple(buttons.values()))

    def scene(self, state: State, view: ViewOptions) -> Scene:
        """Returns the picture of a position."""
        return self.of(state.game).scene(state, view)

    def clicks(self, move: str) -> ClickSequence:
        """Returns the names to click, in order, to make a move."""
        return self._default.clicks(move)

    def paths(self, before: State, step: Step, flip: bool) -> list[Path]:
        """Returns the path of a piece that moved from cell to cell."""
        return self.of(step.game).paths(before, step, flip)
