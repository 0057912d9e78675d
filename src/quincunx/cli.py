"""The command line: parses words, calls the rooms."""

from __future__ import annotations

import io
import json
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from quincunx import __version__
from quincunx.arena.commands import match, tournament
from quincunx.errors import BadOption, MissingExtra, did_you_mean
from quincunx.registry import GAMES
from quincunx.solve.commands import probe, solve
from quincunx.terminal.console import (
    FAILED,
    FINE,
    MISUSE,
    beside,
    compile_whole,
    compiling,
    err,
    fail,
    harmless,
    misuse,
    out,
    print_error,
    spell_out,
)
from quincunx.terminal.words import (
    KNOWN,
    Command,
    GameName,
    GameNames,
    Json,
    Options,
    Position,
    Seed,
    Theme,
    configured,
    for_people,
    lower,
    position_of,
)

if TYPE_CHECKING:
    from quincunx.game import Game, State
    from quincunx.match import Match
    from quincunx.record import Record

# What the overview proposes.
COMMANDS = (
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
        out.print(f"  [bold cyan]{name:8}[/] {entry.sentence}")
    out.print("\n[bold]What you can do[/]\n")
    for words, what in COMMANDS:
        out.print(f"  quincunx {words:31} [dim]{what}[/]")
    out.print("\n[dim]quincunx COMMAND --help says more about each.[/]")


@app.command(cls=Command)
def play(
    name: Annotated[
        str | None,
        typer.Argument(
            help=f"One of {KNOWN}; asked for if left out.", metavar="GAME", callback=lower
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            "-a",
            metavar="BOT",
            help="The bot in the other seats: level:1 to level:8, or another player.",
        ),
    ] = "level:3",
    players: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Who sits where, with ; between: 'human; greedy; human:ada'."
        ),
    ] = None,
    option: Options = None,
    seed: Seed = None,
    position: Position = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a game saved in a .qx file.")
    ] = None,
) -> None:
    """Play in the terminal: a board and a prompt, with undo, hint and save."""
    from quincunx.match import Match
    from quincunx.terminal.plain import Prompt

    if resume is not None:
        if option or seed is not None or position is not None:
            misuse("--resume: the file has options, seed and start; leave out -O, -s and -p")
        record, sound = _resumed(resume)
        if name is not None and name != record.game.name:
            misuse(f"--resume: {resume} is a game of {record.game.name}, not of {name}")
        game, begun = record.game, 0 if record.seed is None else record.seed
        resumed = Match(game, _seated(game, against, players), begun, record.start)
        _play_again(resumed, record)
        Prompt(resumed, out, record=record, file=resume if sound else None).run()
        return
    game = configured(name or _ask_game(), option)
    seats = _seated(game, against, players)
    Prompt(Match(game, seats, seed, position or ""), out).run()


def _seated(game: Game, against: str, players: str | None) -> list[str]:
    """Who sits where, checked before anything is compiled; the game is compiled then."""
    from quincunx.match import HUMAN, is_human
    from quincunx.players import parsed

    seats = [HUMAN] + [against] * (game.seats - 1)
    if players is not None:
        seats = [part.strip() for part in players.split(";")]
    if len(seats) != game.seats:
        raise BadOption("players", players, f"{game.title} needs {game.seats} of them here")
    for text in seats:
        if not is_human(text):
            parsed(text)
    compile_whole(game)
    first = game.start(0).turn or 0
    if players is None and first:
        seats[0], seats[first] = seats[first], seats[0]
    return seats


def _resumed(file: Path) -> tuple[Record, bool]:
    """The game to go on with, and whether the file holds that game and nothing else."""
    from quincunx.record import load

    with compiling(_games_in(file)):
        records, problems = load(file)
    _complain(file, problems)
    if not records:
        fail(f"{file}: no game could be read")
    if len(records) > 1:
        err.print(f"{file} has {len(records)} games; this is the first.", markup=False)
    return records[0], len(records) == 1 and not problems


def _play_again(match: Match, record: Record) -> None:
    """Plays the moves of a record in a match that has just begun."""
    for move in record.moves:
        match.play(move)
    match.date = record.date or match.date


def _ask_game() -> str:
    """Asks which game to play."""
    for number, (name, entry) in enumerate(GAMES.items(), 1):
        out.print(f"  [bold cyan]{number} {name:8}[/] {entry.sentence}")
    out.print()
    names = list(GAMES)
    while True:
        try:
            word = input("Which game? (number or name) ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            out.print("\nGoodbye.")
            raise typer.Exit(FINE) from None
        if word in names:
            return word
        if word in map(str, range(1, len(names) + 1)):
            return names[int(word) - 1]
        hint = did_you_mean(word, names).strip()
        err.print(f"Type a number from 1 to {len(names)} or a name{'; ' if hint else '.'}{hint}")


@app.command(cls=Command)
def rules(name: GameName) -> None:
    """Read the rules of a game, its options and its texts."""
    from quincunx.pages import show

    if name not in GAMES:  # a game need not be loaded to be read about
        configured(name, None)
    show(name, out)


@app.command(cls=Command)
def draw(
    name: GameName,
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION", help="The position's text; the first position if left out."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="A file ending in .svg or .png; the terminal if left out.",
        ),
    ] = None,
    theme: Theme = None,
    marks: Annotated[
        str, typer.Option(metavar="NAME", help="Marks on pieces: strong, faint or none.")
    ] = "faint",
    size: Annotated[int, typer.Option(metavar="PIXELS", help="The longer side.")] = 720,
    coordinates: Annotated[bool, typer.Option(help="Names of the cells outside.")] = True,
    targets: Annotated[bool, typer.Option("--targets", help="Show where one can move.")] = False,
    picked: Annotated[
        str, typer.Option(metavar="CELL", help="Show where the piece on it can go.")
    ] = "",
    flip: Annotated[bool, typer.Option("--flip", help="Turn the board around.")] = False,
    option: Options = None,
    seed: Seed = None,
) -> None:
    """Draw a position: as SVG or PNG, or in the terminal."""
    from quincunx.draw import picture
    from quincunx.files import write_whole
    from quincunx.terminal.plain import colours

    kind = "text" if output is None else output.suffix.lower()[1:]
    if kind not in ("text", "svg", "png"):
        misuse(f"{output}: the file must end in .svg or .png")
    game = configured(name, option)
    with compiling([game.name]):
        state = position_of(game, position, seed)
        look: dict[str, Any] = {
            "coordinates": coordinates,
            "targets": targets,
            "picked": picked,
            "flip": flip,
        }
        if theme is not None:
            look["theme"] = theme
        drawn: str | bytes
        if output is None:
            drawn = picture(state, "text", colour=colours(out), **look)
        else:
            look |= {"marks": marks, "size": size}
            drawn = picture(state, "svg" if kind == "svg" else "png", **look)
        pickable = {game.parts.layout.clicks(move)[0] for move in state.moves()}
    if picked and picked not in pickable:
        such = f", but {', '.join(sorted(pickable)[:6])}" if pickable else ""
        err.print(f"note: {picked} is nothing that can be picked here{such}", markup=False)
    data = drawn.encode() if isinstance(drawn, str) else drawn
    if output is None:
        out.file.write(data.decode() + "\n")
        return
    write_whole(output, data)
    out.print(f"Wrote {output} ({len(data):,} bytes).", markup=False)


@app.command(cls=Command)
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .qx file of one or more games.")],
    number: Annotated[
        int, typer.Option("--game", metavar="NUMBER", help="Which game of the file, from 1.")
    ] = 1,
    gif: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a moving picture instead.")
    ] = None,
    delay: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Time between moves.")
    ] = 0.7,
    theme: Theme = None,
    size: Annotated[
        int, typer.Option(metavar="PIXELS", help="The longer side of the moving picture.")
    ] = 480,
) -> None:
    """Play a recorded game again, in the terminal or as a GIF."""
    from quincunx.record import load

    if gif is not None and gif.suffix.lower() != ".gif":
        misuse(f"--gif {gif}: the file must end in .gif")
    with compiling(_games_in(file)):
        records, problems = load(file)
        _complain(file, problems)
        if not records:
            fail(f"{file}: no game could be read")
        if not 1 <= number <= len(records):
            misuse(f"--game {number}: the file has games 1 to {len(records)}")
        record = records[number - 1]
        states = record.states()
    look = {} if theme is None else {"theme": theme}
    if gif is not None:
        from quincunx.draw.image import gif as moving
        from quincunx.files import write_whole

        data = moving([state.scene() for state in states], seconds=delay, size=size, **look)
        write_whole(gif, data)
        out.print(f"Wrote {gif}: {len(states)} frames, {len(data):,} bytes.", markup=False)
    else:
        for line in _heading(record):
            out.print(harmless(line), markup=False)
        _replay(states, record.comments, delay, look)
    if problems:
        raise typer.Exit(FAILED)


def _heading(record: Record) -> Iterator[str]:
    """What is worth knowing of a game before it is shown."""
    names = record.game.parts.rules.SEAT_NAMES[: record.game.seats]
    options = ", ".join(f"{name}={value}" for name, value in record.game.changed.items())
    yield record.game.title + (f" ({options})" if options else "")
    if record.players:
        pairs = zip(names, record.players, strict=False)
        yield "Players: " + ", ".join(f"{seat} {name}" for seat, name in pairs)
    if record.date:
        yield f"Date: {record.date}"
    if record.result is None:
        yield "Result: unfinished"
    else:
        scores = zip(names, record.result, strict=True)
        yield "Result: " + ", ".join(f"{seat} {score:g}" for seat, score in scores)


def _replay(
    states: Sequence[State], comments: Mapping[int, str], delay: float, look: dict[str, str]
) -> None:
    """Shows position after position; waits between them in a terminal only."""
    from quincunx.draw import picture
    from quincunx.terminal.plain import colours

    for i, state in enumerate(states):
        if i:
            seat, move = state.last or (0, "")
            out.print(f"\n{i}. {state.game.parts.rules.SEAT_NAMES[seat]}: {move}", markup=False)
        drawn = picture(state, "text", colour=colours(out), **look)
        out.file.write(f"\n{drawn}\n")
        if i in comments:
            out.print(harmless(comments[i]), style="italic", markup=False)
        if out.is_terminal and i < len(states) - 1:
            time.sleep(delay)
    out.print(f"\n{states[-1].status}", markup=False)


@app.command(cls=Command)
def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(min=1, max=64, metavar="DEPTH", help="How many plies.")],
    position: Position = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count per first move.")] = False,
    option: Options = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Count the ways to play on for some plies, to check the rules."""
    from quincunx.search import count_leaves

    game = configured(name, option)
    compile_whole(game)
    state = position_of(game, position, seed)
    begin = time.perf_counter()
    counts: dict[str, int] = {}
    seat = 0 if state.turn is None else None
    try:
        with err.status("Counting …") as status:
            for action in state.actions(seat):
                after = state.act(action, seat)
                counts[state.move(action)] = beside(partial(count_leaves, after, depth - 1))
                status.update(f"Counting … {sum(counts.values()):,}")
    except KeyboardInterrupt:
        fail(f"stopped after counting {sum(counts.values()):,}")
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


@app.command(cls=Command)
def analyse(
    name: GameName,
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION", help="The position's text; the first position if left out."
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--time", "-t", min=0.01, max=3600, metavar="SECONDS", help="To think.")
    ] = 1.0,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="A limit of the player's own instead, such as depth=4 or sims=2000: the same "
            "analysis every time.",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Who thinks, from 0, where anyone may move."),
    ] = None,
    top: Annotated[int, typer.Option(min=1, metavar="NUMBER", help="How many moves to show.")] = 10,
    option: Options = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Ask the game's best player what it thinks of a position: values and best lines."""
    from quincunx.analysis import analyse as think
    from quincunx.draw import picture
    from quincunx.terminal.plain import colours
    from quincunx.terminal.thoughts import show_analysis

    game = configured(name, option)
    compile_whole(game)
    state = position_of(game, position, seed)
    if state.over:
        misuse(f"the game is over in this position: {state.status}")
    if seat is None and state.turn is None:
        seat = 0
    with err.status("Thinking …"):
        found = beside(partial(think, state, limit or seconds, seat, seed or 0))
    if as_json:
        print(json.dumps(found.as_dict()))
        return
    out.file.write(picture(state, "text", colour=colours(out)) + "\n\n")
    show_analysis(found, out, top)


@app.command(cls=Command)
def players(name: GameName) -> None:
    """List the players of a game, their options, and the eight levels."""
    from quincunx.terminal.thoughts import show_players

    game = configured(name, None)
    compile_whole(game)
    show_players(game, out)


app.command(cls=Command)(match)
app.command(cls=Command)(tournament)
app.command(cls=Command)(solve)
app.command(cls=Command)(probe)


@app.command(cls=Command)
def bench(
    names: GameNames = None,
    seconds: Annotated[
        float, typer.Option(min=0.1, max=600, metavar="SECONDS", help="Time for each figure.")
    ] = 2.0,
    signature: Annotated[
        bool,
        typer.Option("--signature", help="Print what fixed searches visit instead: no clock."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure random play: moves per second on one core and on all."""
    from rich.progress import track
    from rich.table import Table

    from quincunx.bench import MEASURED, all_cores, random_play

    games = [configured(name, None) for name in names or GAMES]
    for game in games:
        compile_whole(game)
    if signature:
        _signatures(games, as_json)
        return
    rows = []
    try:
        for game in track(
            games, "measuring", console=err, transient=True, disable=not err.is_terminal
        ):
            measured = game.configured(**MEASURED.get(game.name, {}))
            rows.append([random_play(measured, seconds, cores) for cores in (1, all_cores())])
    except KeyboardInterrupt:
        fail(f"stopped after {len(rows)} of {len(games)} games")
    if as_json:
        print(json.dumps([vars(speed) for row in rows for speed in row]))
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


def _signatures(games: Sequence[Game], as_json: bool) -> None:
    """Prints the fixed searches and how many nodes they visit, as they are kept in a file."""
    from quincunx.bench import signature

    found = {}
    for game in games:
        for text, nodes in signature(game):
            found[f"{game.name} {text}"] = nodes
            if not as_json:
                out.print(f"{game.name:8}{text:24}{nodes:>12}", markup=False)
    if as_json:
        print(json.dumps(found))


@app.command(cls=Command)
def warm(names: GameNames = None) -> None:
    """Compile the games now, so that none has to wait later."""
    games = [configured(name, None) for name in names or GAMES]
    begin = time.perf_counter()
    for game in games:
        compile_whole(game, always=True)
    out.print(f"All compiled, in {time.perf_counter() - begin:.0f} s.")


def _games_in(file: Path) -> list[str]:
    """The names of the games in a file, found without playing them."""
    if not file.is_file():  # what comes through a pipe can be read once only
        return []
    text = file.read_bytes().decode("utf-8", errors="replace")
    named = re.findall(r'^\s*\[\s*Game\s+"(\w+)"', text, re.MULTILINE)
    return [name for name in GAMES if name in named]


def _complain(file: Path, problems: Sequence[Exception]) -> None:
    """Prints what was wrong with a file."""
    for problem in problems:
        err.print(f"{file}: {problem}", style="yellow", markup=False)


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
