"""What a page needs to offer a game: options, seats, bots and controls."""

from __future__ import annotations

from typing import Any

from quincunx.draw import palette
from quincunx.errors import BadOption
from quincunx.game import Game
from quincunx.options import Option, Presets
from quincunx.players.level import LEVEL_NAMES
from quincunx.registry import game as game_named
from quincunx.rooms.host import Pool
from quincunx.web.listings import log_once

# The bots that a page offers besides the eight levels where they play the game, and their titles.
OTHER_BOTS = {
    "random": "Random: plays any legal move",
    "smart:difficulty=50": "Smart: tries 50 random moves",
}


def game_offer(name: str, pool: Pool) -> dict[str, Any] | None:
    """Returns the fields of a game, or None if they fail, as they may in a game from outside."""
    try:
        return _game_fields(game_named(name), pool)
    except Exception as error:
        log_once(f"{name} cannot be offered: {type(error).__name__}: {error}")
        return None


def _game_fields(game: Game, pool: Pool) -> dict[str, Any]:
    """Returns what a page needs to offer a game, with the bots that the pool can run."""
    rules, names = game.parts.rules, game.parts.rules.SEAT_NAMES
    players = next((option for option in rules.OPTIONS if option.name == "players"), None)
    least, most = (int(players.low), int(players.high)) if players else (game.seats, game.seats)
    levels = [
        {"text": f"level:{number}", "title": name} for number, name in enumerate(LEVEL_NAMES, 1)
    ]
    return {
        "name": game.name,
        "title": game.title,
        "sentence": game.parts.rules.SUMMARY,
        "seats": {"least": least, "most": most},
        "solo": least == 1,
        "options": [_option_fields(option) for option in rules.OPTIONS],
        "presets": _preset_fields(rules.PRESETS),
        "levels": levels,
        "bots": [
            {"text": text, "title": title}
            for text, title in OTHER_BOTS.items()
            if _can_run(pool, text, game)
        ],
        "seat_names": list(names),
        "colours": [name.lower() if name.lower() in palette.PIECES else "" for name in names],
        "letters": rules.LETTERS,
        "rules": game.rules_version,
        "traits": game.traits.as_dict(),
        "controls": game.parts.layout.CONTROLS.as_dict(),
    }


def _can_run(pool: Pool, text: str, game: Game) -> bool:
    """True when the pool can run a bot for the game."""
    try:
        pool.check_bot(text, game)
    except BadOption:
        return False
    return True


def _preset_fields(choice: Presets | None) -> dict[str, Any] | None:
    if choice is None:
        return None
    presets = [
        {
            "name": preset.name,
            "about": preset.description,
            "options": dict(preset.options),
            "per_seat": dict(preset.per_seat),
        }
        for preset in choice.presets
    ]
    return {"name": choice.name, "selected": choice.selected, "presets": presets}


def _option_fields(option: Option) -> dict[str, Any]:
    kind = "choice" if option.choices else type(option.default).__name__
    fields: dict[str, Any] = {
        "name": option.name,
        "label": option.title,
        "kind": kind,
        "default": option.default,
        "about": option.description,
    }
    if option.choices:
        fields["choices"] = list(option.choices)
        fields["choice_labels"] = list(option.choice_titles)
    elif kind != "bool":
        fields |= {"low": option.low, "high": option.high, "also": list(option.extra_values)}
    return fields
