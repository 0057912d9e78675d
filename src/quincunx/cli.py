"""The command line: parses words, calls the rooms."""

from __future__ import annotations

import json
import sys
import time
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.console import Console
from typer.core import TyperGroup

from quincunx import __version__
from quincunx.errors import MissingExtra
from quincunx.registry import GAMES

if TYPE_CHECKING:
    from quincunx.game import Game, State

FINE, FAILED, MISUSE = 0, 1, 2

# What the overview proposes.
COMMANDS = (
    ("play quorum", "play in the terminal, against a bot"),
    ("rules onoro", "read the rules"),
    ("draw wzlz -o board.svg", "draw a position (svg or png)"),
    ("replay game.qx --gif game.gif", "play a recorded game again"),
    ("perft quorum 4", "count positions, to check the rules"),
    ("bench", "measure random play"),
    ("warm", "compile everything now"),
)

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


class Commands(TyperGroup):
    """Commands in the order they are written; a wrong word gets the nearest right one."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands, as written below."""
        return list(self.commands)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names."""
        if args and args[0] not in self.commands:
            near = get_close_matches(args[0], [*self.commands, *GAMES], n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            if near and near[0] in GAMES:
                hint = f" To play it: quincunx play {near[0]}"
            ctx.fail(f"there is no command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(help=f"One of {', '.join(GAMES)}.", metavar="GAME")]
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
Seed = Annotated[int | None, typer.Option("--seed", "-s", help="The same game for the same seed.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


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
        out.print(f"  [bold cyan]{name:8}[/] {entry.sentence}")
    out.print("\n[bold]What you can do[/]\n")
    for words, what in COMMANDS:
        out.print(f"  quincunx {words:31} [dim]{what}[/]")
    out.print("\n[dim]quincunx COMMAND --help says more about each.[/]")


@app.command()
def play(
    name: Annotated[
        str | None,
        typer.Argument(help=f"One of {', '.join(GAMES)}; asked for if left out.", metavar="[GAME]"),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            "--against", "-a", help="The bot in the other seats, such as random or greedy."
        ),
    ] = "greedy",
    players: Annotated[
        str | None,
        typer.Option(help="Who sits where, with ; between: 'human; greedy; human:ada'."),
    ] = None,
    option: Options = None,
    seed: Seed = None,
    position: Position = None,
) -> None:
    """Play in the terminal: a board and a prompt, with undo, hint and save."""
    from quincunx.match import Match
    from quincunx.terminal.plain import Prompt

    game = _game(name or _ask_game(), option)
    if players is None:
        first = game.start(0).turn or 0
        seats = ["human" if seat == first else against for seat in range(game.seats)]
    else:
        seats = [part.strip() for part in players.split(";")]
    Prompt(Match(game, seats, seed, position or ""), out).run()


def _ask_game() -> str:
    """Asks which game to play."""
    for number, (name, entry) in enumerate(GAMES.items(), 1):
        out.print(f"  [bold cyan]{number} {name:8}[/] {entry.sentence}")
    names = list(GAMES)
    while True:
        try:
            word = out.input("\nWhich game? [dim](number or name)[/] ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            out.print("\nGoodbye.")
            raise typer.Exit(FINE) from None
        if word in names:
            return word
        if word in map(str, range(1, len(names) + 1)):
            return names[int(word) - 1]
        near = get_close_matches(word, names, n=1)
        err.print(
            f"Type a number from 1 to {len(names)} or a name"
            + (f", such as {near[0]}." if near else ".")
        )


@app.command()
def rules(name: GameName) -> None:
    """Read the rules of a game, its options and its texts."""
    from rich.markdown import Markdown

    from quincunx.pages import page

    _known(name)
    text = page(name)
    if out.is_terminal:
        # Pictures cannot be shown here.
        words = [line for line in text.splitlines() if not line.startswith("![")]
        out.print(Markdown("\n".join(words)))
    else:
        print(text)


@app.command()
def draw(
    name: GameName,
    position: Annotated[
        str | None, typer.Argument(help="The position's text; the first position if left out.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="A file ending in .svg or .png; the terminal if left out."
        ),
    ] = None,
    theme: Annotated[str, typer.Option(help="light, dark, contrast or auto (SVG only).")] = "light",
    marks: Annotated[str, typer.Option(help="Marks on pieces: strong, faint or none.")] = "faint",
    size: Annotated[int, typer.Option(help="Pixels of the longer side.")] = 720,
    coordinates: Annotated[bool, typer.Option(help="Names of the cells outside.")] = True,
    targets: Annotated[bool, typer.Option("--targets", help="Show where one can move.")] = False,
    picked: Annotated[str, typer.Option(help="Show where this piece can go.")] = "",
    flip: Annotated[bool, typer.Option("--flip", help="Turn the board around.")] = False,
    option: Options = None,
    seed: Seed = None,
) -> None:
    """Draw a position: as SVG or PNG, or in the terminal."""
    from quincunx.draw import picture
    from quincunx.files import write_whole

    game = _game(name, option)
    state = game.read(position, seed or 0) if position is not None else game.start(seed or 0)
    show: dict[str, Any] = {
        "coordinates": coordinates,
        "targets": targets,
        "picked": picked,
        "flip": flip,
    }
    look = {"theme": theme, "marks": marks, "size": size}
    if output is None:
        colour = "truecolor" if out.color_system else "none"
        out.file.write(picture(state, "text", colour=colour, **show) + "\n")
        return
    if output.suffix == ".svg":
        data = picture(state, "svg", **look, **show).encode()
    elif output.suffix == ".png":
        data = picture(state, "png", **look, **show)
    else:
        _misuse(f"{output}: the file must end in .svg or .png")
    write_whole(output, data)
    out.print(f"Wrote {output} ({len(data):,} bytes).")


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A .qx file of one or more games.")],
    number: Annotated[int, typer.Option("--game", help="Which game of the file, from 1.")] = 1,
    gif: Annotated[Path | None, typer.Option(help="Write a moving picture instead.")] = None,
    delay: Annotated[float, typer.Option(help="Seconds between moves.")] = 0.7,
    theme: Annotated[str, typer.Option(help="light, dark or contrast.")] = "light",
    size: Annotated[int, typer.Option(help="Pixels of the longer side of the GIF.")] = 480,
) -> None:
    """Play a recorded game again, in the terminal or as a GIF."""
    from quincunx.record import load

    records, problems = load(file)
    for problem in problems:
        err.print(f"{file}: {problem}", style="yellow", markup=False)
    if not records:
        _fail(f"{file}: no game could be read")
    if not 1 <= number <= len(records):
        _misuse(f"--game {number}: the file has games 1 to {len(records)}")
    record = records[number - 1]
    states = record.states()
    if gif is not None:
        from quincunx.draw.image import gif as moving
        from quincunx.files import write_whole

        data = moving([state.scene() for state in states], seconds=delay, size=size, theme=theme)
        write_whole(gif, data)
        out.print(f"Wrote {gif}: {len(states)} frames, {len(data):,} bytes.")
    else:
        _replay(states, dict(record.comments), delay)
    if problems:
        raise typer.Exit(FAILED)


def _replay(states: list[State], comments: dict[int, str], delay: float) -> None:
    """Shows position after position; waits between them in a terminal only."""
    from quincunx.draw import picture

    colour = "truecolor" if out.color_system else "none"
    for i, state in enumerate(states):
        if i:
            seat, move = state.last or (0, "")
            out.print(f"\n{i}. {state.game.parts.rules.SEAT_NAMES[seat]}: {move}", markup=False)
        out.file.write("\n" + picture(state, "text", colour=colour) + "\n")
        if i in comments:
            out.print(comments[i], style="italic", markup=False)
        if out.is_terminal and i < len(states) - 1:
            time.sleep(max(0.0, delay))
    out.print(f"\n{states[-1].status}", markup=False)


@app.command()
def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(min=1, max=64, help="How many plies.")],
    position: Position = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count per first move.")] = False,
    option: Options = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Count the ways to play on for some plies, to check the rules."""
    from rich.progress import track

    from quincunx.search import count_leaves

    game = _game(name, option)
    state = game.read(position, seed or 0) if position is not None else game.start(seed or 0)
    begin = time.perf_counter()
    counts = {}
    seat = 0 if state.turn is None else None
    for action in track(
        state.actions(seat), "counting", console=err, transient=True, disable=not err.is_terminal
    ):
        after = state.act(action, seat)
        counts[state.move(action)] = count_leaves(after, depth - 1)
    seconds = time.perf_counter() - begin
    total = sum(counts.values())
    if as_json:
        print(
            json.dumps(
                {
                    "game": name,
                    "position": state.text,
                    "depth": depth,
                    "leaves": total,
                    "moves": counts,
                }
            )
        )
        return
    if divide:
        for move, count in sorted(counts.items()):
            out.print(f"{move:12} {count:,}", markup=False)
    out.print(f"perft({depth}) = {total:,}  [dim]({total / max(seconds, 1e-9):,.0f} a second)[/]")


@app.command()
def warm(
    names: Annotated[
        list[str] | None, typer.Argument(help="Games; all if left out.", metavar="[GAME]...")
    ] = None,
) -> None:
    """Compile the games now, so that none has to wait later."""
    for name in names or []:
        _known(name)
    begin = time.perf_counter()
    for name in names or list(GAMES):
        _warm(_load(name), always=True)
    out.print(f"All compiled, in {time.perf_counter() - begin:.0f} s.")


@app.command()
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="Games; all if left out.", metavar="[GAME]...")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=600, help="Seconds per figure.")] = 2.0,
    as_json: Json = False,
) -> None:
    """Measure random play: moves per second on one core and on all."""
    from rich.progress import track
    from rich.table import Table

    from quincunx.bench import MEASURED, all_cores, random_play

    rows = []
    for name in track(
        names or list(GAMES), "measuring", console=err, transient=True, disable=not err.is_terminal
    ):
        game = _game(name, None).configured(**MEASURED.get(name, {}))
        rows.append([random_play(game, seconds, cores) for cores in (1, all_cores())])
    if as_json:
        print(json.dumps([[vars(speed) for speed in row] for row in rows]))
        return
    table = Table("game", "one core, moves/s", f"{all_cores()} cores, moves/s", "moves a game")
    for column in table.columns[1:]:
        column.justify = "right"
    for one, all_ in rows:
        table.add_row(
            one.game,
            f"{one.moves_per_second:,.0f}",
            f"{all_.moves_per_second:,.0f}",
            f"{one.moves / one.games:.0f}",
        )
    out.print(table)


def _known(name: str) -> None:
    """Stops with the nearest right name if there is no such game."""
    if name not in GAMES:
        near = get_close_matches(name.lower(), GAMES, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        _misuse(f"there is no game '{name}': {hint}the games are {', '.join(GAMES)}")


def _load(name: str) -> Game:
    from quincunx.registry import game

    return game(name)


def _game(name: str, options: list[str] | None) -> Game:
    """The game that the words name, compiled, with a message while that takes long."""
    _known(name)
    given = {}
    for part in options or []:
        key, equals, value = part.partition("=")
        if not equals:
            _misuse(f"-O {part}: write an option as name=value")
        given[key.strip()] = value.strip()
    found = _load(name).configured(**given)
    _warm(_load(name))
    return found


def _warm(game: Game, always: bool = False) -> None:
    """Compiles a game if it is not compiled yet, with a line that says so."""
    from quincunx.jit import is_warm, warm

    if is_warm(game.name) and not always:
        return
    with err.status(f"Compiling {game.title}, once …") as status:
        for part in warm(game):
            status.update(f"Compiling {game.title}, once: {part} …")


def _misuse(message: str) -> NoReturn:
    err.print(f"[bold red]error:[/] {_plain(message)}")
    raise typer.Exit(MISUSE)


def _fail(message: str) -> NoReturn:
    err.print(f"[bold red]error:[/] {_plain(message)}")
    raise typer.Exit(FAILED)


def _plain(message: str) -> str:
    from rich.markup import escape

    return escape(message)


def main() -> None:
    """Runs the command line; a mistake of the user's ends in one sentence, not in a traceback."""
    from quincunx import errors

    mistakes = (errors.BadOption, errors.BadPosition, errors.BadRecord, errors.MoveSyntax)
    try:
        app()
    except (*mistakes, errors.IllegalMove, MissingExtra) as error:
        err.print(f"[bold red]error:[/] {_plain(str(error))}")
        sys.exit(MISUSE)
    except OSError as error:
        err.print(f"[bold red]error:[/] {_plain(str(error.filename or ''))}: {error.strerror}")
        sys.exit(FAILED)
