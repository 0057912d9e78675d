"""The command line: the list of commands, and the exit codes of errors."""

from __future__ import annotations

import io
import sys
import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from quincunx import __version__
from quincunx.commands.admin import app as admin
from quincunx.commands.analyse import analyse, players
from quincunx.commands.arena import match, tournament
from quincunx.commands.arguments import Command, without_types
from quincunx.commands.check import check
from quincunx.commands.console import (
    EXIT_FAILED,
    EXIT_USAGE,
    err,
    out,
    print_error,
    print_games,
    replace_unencodable,
)
from quincunx.commands.measure import bench, perft, warm
from quincunx.commands.new_game import new_game
from quincunx.commands.play import play
from quincunx.commands.serve import serve
from quincunx.commands.show import draw, replay, rules
from quincunx.commands.solve import probe, solve
from quincunx.commands.tune import tune
from quincunx.errors import MissingExtra, did_you_mean
from quincunx.registry import GameWarning, games, names

# Examples that the overview lists.
EXAMPLES = (
    ("serve --open", "play in the browser"),
    ("play GAME", "play in the terminal, against a bot"),
    ("rules GAME", "read the rules"),
    ("draw GAME -o board.svg", "draw a position (svg or png)"),
    ("replay game.qx --gif game.gif", "replay a recorded game"),
    ("analyse GAME", "analyse a position with the best player"),
    ("players GAME", "list the bots, their options and the eight levels"),
    ("match GAME greedy random", "let bots play each other"),
    ("tournament GAME random greedy", "let every bot play every other, and rate them"),
    ("solve GAME", "compute the result of every position"),
    ("probe POSITION", "look up a position in the solved table"),
    ("perft GAME 4", "count move sequences, to check the rules"),
    ("bench", "measure the speed of random play"),
    ("tune GAME --games 1000", "train the evaluation of a game by playing it"),
    ("warm", "compile everything now"),
    ("new-game my_game", "write a game of your own"),
    ("check my_game", "check that it does all that the rest relies on"),
)


class CommandGroup(TyperGroup):
    """Lists commands in the order of their definition; suggests the most similar one for a typo."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Returns the parameters as the help shows them."""
        return without_types(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        """Returns the names of the commands in the order of their definition."""
        return list(self.commands)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Returns the command that the first argument names; fails if there is none."""
        if args and args[0] not in self.commands:
            name = args[0].lower()
            hint = did_you_mean(name, [*self.commands, *names()]).strip()
            if name in names():
                hint = f"to play it: quincunx play {name}"
            ctx.fail(f"unknown command '{args[0]}'" + (f"; {hint}" if hint else "."))
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=CommandGroup,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def overview(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Play, draw, replay, analyse and solve abstract games."""
    if version:
        out.print(f"quincunx {__version__}")
    elif ctx.invoked_subcommand is None:
        _print_overview()


def _print_overview() -> None:
    """Prints the games and an example of every command."""
    out.print("[bold]Quincunx[/]: abstract games, one engine.\n")
    print_games(games())
    out.print("\n[bold]Examples[/]\n")
    for example, purpose in EXAMPLES:
        out.print(f"  quincunx {example:31} [dim]{purpose}[/]")
    out.print("\n[dim]quincunx COMMAND --help describes a command.[/]")


# The help lists them in this order.
for command in (
    serve,
    play,
    rules,
    draw,
    replay,
    analyse,
    players,
    match,
    tournament,
    solve,
    probe,
    perft,
    bench,
    tune,
    warm,
    new_game,
    check,
):
    app.command(cls=Command)(command)


app.add_typer(admin, name="admin", cls=CommandGroup)


def _show_warning(message: Warning | str, category: type[Warning], *args: Any) -> None:
    """Prints a game that cannot be used as one line; other warnings as Python does."""
    if issubclass(category, GameWarning):
        err.print(f"Warning: {message}", style="yellow", markup=False, soft_wrap=True)
    else:
        _python_showwarning(message, category, *args)


_python_showwarning = warnings.showwarning


def main() -> None:
    """Runs the command line; errors in the user's input are printed without a traceback."""
    from quincunx import errors

    replace_unencodable(sys.stdout, sys.stderr)
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    input_errors = (errors.BadOption, errors.BadPosition, errors.BadRecord, errors.MoveSyntax)
    try:
        app()
    except (*input_errors, errors.IllegalMove, MissingExtra) as error:
        print_error(errors.message_for_people(error))
        sys.exit(EXIT_USAGE)
    except errors.BadTable as error:
        print_error(str(error))
        sys.exit(EXIT_FAILED)
    except OSError as error:
        print_error(": ".join(str(text) for text in (error.filename, error.strerror) if text))
        sys.exit(EXIT_FAILED)
    except Exception as error:
        if not _is_of_the_compiler(error):
            raise
        reason = str(error).strip().partition("\n")[0]
        print_error(
            f"a game does not compile: {type(error).__name__}: {reason}; "
            "quincunx check GAME says which function it is"
        )
        sys.exit(EXIT_FAILED)


def _is_of_the_compiler(error: Exception) -> bool:
    """Returns True if an error was raised while a game from outside was compiled."""
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_globals.get("__name__", "").startswith("numba."):
            return True
        traceback = traceback.tb_next
    return False
