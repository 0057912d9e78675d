"""Arguments and options that several commands share."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from quincunx.commands.console import EXIT_INTERRUPTED
from quincunx.registry import names

if TYPE_CHECKING:
    from quincunx.game import Game, State


def without_types(params: list[Any]) -> list[Any]:
    """Removes the types that typer shows beside flags and arguments; returns the parameters."""
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""
        elif param.param_type_name == "argument":
            param.display_type_rich = lambda ctx: ""
    return params


class Command(TyperCommand):
    """A command whose help shows no types beside flags and arguments; Ctrl-C ends it with 130."""

    def invoke(self, ctx: Any) -> Any:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # older versions of typer exit with 1
            raise typer.Exit(EXIT_INTERRUPTED) from None

    def get_params(self, ctx: Any) -> list[Any]:
        """Returns the parameters as the help shows them."""
        return without_types(super().get_params(ctx))


def lowercase(value: str | list[str] | None) -> str | list[str] | None:
    """Returns one or several names of games in lower case, since any case is accepted."""
    if isinstance(value, str):
        return value.lower()
    return [name.lower() for name in value] if value else value


def completed_games(incomplete: str) -> list[str]:
    """Returns the names of games that a shell may complete a word to."""
    return [name for name in names() if name.startswith(incomplete)]


GAME_LIST = ", ".join(names())
GameName = Annotated[
    str,
    typer.Argument(
        help=f"One of {GAME_LIST}.",
        metavar="GAME",
        callback=lowercase,
        autocompletion=completed_games,
    ),
]
GameNames = Annotated[
    list[str] | None,
    typer.Argument(
        help=f"Any of {GAME_LIST}. Default: all.",
        metavar="GAME",
        callback=lowercase,
        autocompletion=completed_games,
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-O",
        metavar="NAME=VALUE",
        help="Set an option of the game, such as -O pawns=4. May be repeated.",
    ),
]
PositionArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="POSITION", help="The text of the position. Default: the first position."
    ),
]
Position = Annotated[
    str | None,
    typer.Option("--position", "-p", metavar="TEXT", help="Start from this position."),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        "-s",
        metavar="NUMBER",
        help="Set the seed of the random generator. The same seed gives the same game.",
    ),
]
Theme = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Use the colour theme light, dark or contrast; SVG also has auto. Default: dark in a "
        "terminal, otherwise light.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class Backend(str, Enum):
    """Where a long computation runs."""

    LOCAL = "local"
    RAY = "ray"


BackendOption = Annotated[
    Backend,
    typer.Option(
        "--on",
        help="Run on this machine (local) or on a Ray cluster (ray): that of RAY_ADDRESS, or one "
        "that Ray finds or starts.",
    ),
]


def configured_game(name: str, options: list[str] | None) -> Game:
    """Returns the game with options given as NAME=VALUE; compiles nothing; raises BadOption."""
    from quincunx.options import parse_assignments
    from quincunx.registry import game

    return game(name).configured(**parse_assignments(options or []))


def initial_state(game: Game, text: str | None, seed: int | None) -> State:
    """Returns the position that the text describes, or the start; the seed is 0 by default."""
    return game.start(seed or 0) if text is None else game.read(text, seed or 0)
