"""The command line: parses words, calls the rooms."""

from __future__ import annotations

import io
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from quincunx import __version__
from quincunx.commands.arena import match, tournament
from quincunx.commands.arguments import (
    Command,
    for_people,
)
from quincunx.commands.console import (
    FAILED,
    MISUSE,
    out,
    print_error,
    spell_out,
)
from quincunx.commands.measure import bench, perft, warm
from quincunx.commands.play import play
from quincunx.commands.serve import serve
from quincunx.commands.show import draw, replay, rules
from quincunx.commands.solve import probe, solve
from quincunx.commands.think import analyse, players
from quincunx.commands.tune import tune
from quincunx.errors import MissingExtra, did_you_mean
from quincunx.registry import GAMES

# What the overview proposes.
COMMANDS = (
    ("serve --open", "play in the browser"),
    ("play quorum", "play in the terminal, against a bot"),
    ("rules onoro", "read the rules"),
    ("draw wzlz -o board.svg", "draw a position (svg or png)"),
    ("replay game.qx --gif game.gif", "play a recorded game again"),
    ("analyse quorum", "ask the best player what it thinks"),
    ("players onoro", "see who plays: bots, their options, eight levels"),
    ("match quorum greedy random", "let bots play each other"),
    ("tournament onoro random greedy", "let every bot play every other, with ratings"),
    ("solve onoro --pawns 5", "solve a small Onoro: who wins every position"),
    ('probe ".W/BB w" -O pawns=5', "look a position up in what was solved"),
    ("perft quorum 4", "count positions, to check the rules"),
    ("bench", "measure random play"),
    ("tune wzlz --games 1000", "let a game's evaluation learn from play"),
    ("warm", "compile everything now"),
)


class Commands(TyperGroup):
    """Commands in the order they are written; a wrong word gets the nearest right one."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters as the help shows them."""
        return for_people(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands, as written below."""
        return list(self.commands)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names."""
        if args and args[0] not in self.commands:
            word = args[0].lower()
            hint = did_you_mean(word, [*self.commands, *GAMES]).strip()
            if word in GAMES:
                hint = f"to play it: quincunx play {word}"
            ctx.fail(f"there is no command '{args[0]}'" + (f"; {hint}" if hint else "."))
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def overview(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Five abstract games, one engine: play, draw, replay, measure."""
    if version:
        out.print(f"quincunx {__version__}")
    elif ctx.invoked_subcommand is None:
        _overview()


def _overview() -> None:
    """Lists the games and what one can do."""
    out.print("[bold]Quincunx[/]: five abstract games, one engine.\n")
    for name, entry in GAMES.items():
        out.print(f"  [bold cyan]{name:8}[/] {entry.summary}")
    out.print("\n[bold]What you can do[/]\n")
    for words, what in COMMANDS:
        out.print(f"  quincunx {words:31} [dim]{what}[/]")
    out.print("\n[dim]quincunx COMMAND --help says more about each.[/]")


# In the order of the help.
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
):
    app.command(cls=Command)(command)


def main() -> None:
    """Runs the command line; a mistake of the user's ends in one sentence, not in a traceback."""
    from quincunx import errors

    spell_out(sys.stdout, sys.stderr)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    mistakes = (errors.BadOption, errors.BadPosition, errors.BadRecord, errors.MoveSyntax)
    try:
        app()
    except (*mistakes, errors.IllegalMove, MissingExtra) as error:
        print_error(str(error))
        sys.exit(MISUSE)
    except errors.BadTable as error:
        print_error(str(error))
        sys.exit(FAILED)
    except OSError as error:
        print_error(": ".join(str(part) for part in (error.filename, error.strerror) if part))
        sys.exit(FAILED)
