"""The values of options with which a game is checked, besides their defaults."""

from __future__ import annotations

from quincunx.errors import BadOption
from quincunx.game import Game
from quincunx.options import Option, Value


def variants(game: Game) -> list[Game]:
    """Returns the game by older rules, then with one option changed, for each value worth a check.

    These are all choices, both booleans, and the smallest and the largest number. Values that the
    rules reject together with the other options are left out. Choices come first.
    """
    found = [game.with_rules(version) for version in game.parts.rules.OLD_VERSIONS]
    options = game.parts.rules.OPTIONS
    for option in sorted(options, key=lambda option: _is_number(option)):
        for value in _values(option):
            try:
                variant = game.configured(**{option.name: value})
            except BadOption:
                continue
            if variant != game and variant not in found:
                found.append(variant)
    return found


def _is_number(option: Option) -> bool:
    return not option.choices and not isinstance(option.default, bool)


def _values(option: Option) -> tuple[Value, ...]:
    """Returns the values of an option that may differ most from its default."""
    if option.choices:
        return option.choices
    if isinstance(option.default, bool):
        return False, True
    kind = type(option.default)
    return *option.extra_values, kind(option.low), kind(option.high)
