"""The words that commands share: what a game, an option, a position is called and means."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from quincunx.registry import GAMES

if TYPE_CHECKING:
    from quincunx.game import Game, State


def for_people(params: list[Any]) -> list[Any]:
    """The parameters without the types that typer writes beside flags and arguments."""
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""
        elif param.param_type_name == "argument":
            param.display_type_rich = lambda ctx: ""
    return params


class Command(TyperCommand):
    """A command whose help is for people."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters as the help shows them."""
        return for_people(super().get_params(ctx))


def lower(given: Any) -> Any:
    """Names of games may be written in any case."""
    if isinstance(given, str):
        return given.lower()
    return [name.lower() for name in given] if given else given


KNOWN = ", ".join(GAMES)
GameName = Annotated[str, typer.Argument(help=f"One of {KNOWN}.", metavar="GAME", callback=lower)]
GameNames = Annotated[
    list[str] | None,
    typer.Argument(help=f"Of {KNOWN}; all if left out.", metavar="GAME", callback=lower),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-O",
        metavar="NAME=VALUE",
        help="An option of the game, such as -O pawns=4; may be given again.",
    ),
]
Position = Annotated[
    str | None, typer.Option("--position", "-p", metavar="TEXT", help="Start from this position.")
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", "-s", metavar="NUMBER", help="The same game for the same seed."),
]
Theme = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="light, dark or contrast; for SVG also auto. Dark by default on a terminal, "
        "else light.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


class Place(str, Enum):
    """Where long work is done."""

    LOCAL = "local"
    RAY = "ray"


On = Annotated[
    Place,
    typer.Option(
        "--on", help="local, or ray: the Ray cluster that RAY_ADDRESS or Ray itself finds."
    ),
]


def configured(name: str, options: list[str] | None) -> Game:
    """The game that the words name, not compiled yet."""
    from quincunx.options import parse_assignments
    from quincunx.registry import game

    return game(name).configured(**parse_assignments(options or []))


def position_of(game: Game, text: str | None, seed: int | None) -> State:
    """The position of a text, or the first one; the same every time without a seed."""
    return game.start(seed or 0) if text is None else game.read(text, seed or 0)
