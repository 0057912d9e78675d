"""The commands `rules`, `draw` and `replay`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx.commands.arguments import (
    GameName,
    Options,
    PositionArgument,
    Seed,
    Theme,
    configured_game,
    initial_state,
)
from quincunx.commands.console import (
    EXIT_FAILED,
    colour_mode,
    compiling,
    err,
    fail,
    fail_usage,
    out,
    printable,
)
from quincunx.commands.files import games_in, print_problems
from quincunx.phrases import quantity
from quincunx.registry import names

if TYPE_CHECKING:
    from quincunx.game import State
    from quincunx.record import Record


def rules(name: GameName) -> None:
    """Show the rules of a game, its options and its text formats."""
    from quincunx.commands.rules_page import print_rules

    if name not in names():  # raises an error with the nearest name
        configured_game(name, None)
    print_rules(name, out)


OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file, which ends in .svg or .png. Default: the terminal.",
    ),
]
Marks = Annotated[
    str, typer.Option(metavar="NAME", help="Draw strong, faint or no marks (none) on pieces.")
]
PictureSize = Annotated[
    int, typer.Option(metavar="PIXELS", help="Draw the longer side with this number of pixels.")
]
Coordinates = Annotated[bool, typer.Option(help="Write coordinates beside the board.")]
Targets = Annotated[
    bool,
    typer.Option(
        "--targets",
        help="Mark the cells where moves start (without colours by *), or the targets of moves "
        "of one cell.",
    ),
]
Picked = Annotated[
    str, typer.Option(metavar="CELL", help="Mark the targets of the piece on this cell.")
]
Flip = Annotated[bool, typer.Option("--flip", help="Turn the board around.")]


def draw(
    name: GameName,
    position: PositionArgument = None,
    output: OutputFile = None,
    theme: Theme = None,
    marks: Marks = "faint",
    size: PictureSize = 720,
    coordinates: Coordinates = True,
    targets: Targets = False,
    picked: Picked = "",
    flip: Flip = False,
    option: Options = None,
    seed: Seed = None,
) -> None:
    """Draw a position as SVG or PNG, or in the terminal."""
    from quincunx.draw import picture
    from quincunx.files import write_atomically

    kind = "text" if output is None else output.suffix.lower()[1:]
    if kind not in ("text", "svg", "png"):
        fail_usage(f"{output}: the file must end in .svg or .png")
    game = configured_game(name, option)
    with compiling([game.name]):
        state = initial_state(game, position, seed)
        options: dict[str, object] = {
            "coordinates": coordinates,
            "targets": targets,
            "picked": picked,
            "flip": flip,
        }
        if theme is not None:
            options["theme"] = theme
        drawn: str | bytes
        if output is None:
            drawn = picture(state, "text", colour=colour_mode(out), **options)
        else:
            options |= {"marks": marks, "size": size}
            drawn = picture(state, "svg" if kind == "svg" else "png", **options)
        pickable = {game.parts.layout.clicks(move)[0] for move in state.moves()}
    if picked and picked not in pickable:
        examples = f"; possible: {', '.join(sorted(pickable)[:6])}" if pickable else ""
        err.print(f"note: {picked} cannot be picked here{examples}", markup=False)
    data = drawn.encode() if isinstance(drawn, str) else drawn
    if output is None:
        out.file.write(data.decode() + "\n")
        return
    write_atomically(output, data)
    out.print(f"Wrote {output} ({len(data):,} bytes).", markup=False)


def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A .qx file with one or more games.")
    ],
    number: Annotated[
        int,
        typer.Option(
            "--game", metavar="NUMBER", help="Replay this game of the file, counted from 1."
        ),
    ] = 1,
    gif: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write an animated GIF to this file instead."),
    ] = None,
    delay: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Wait this long between moves.")
    ] = 0.7,
    theme: Theme = None,
    size: Annotated[
        int,
        typer.Option(
            metavar="PIXELS", help="Draw the longer side of the GIF with this number of pixels."
        ),
    ] = 480,
) -> None:
    """Replay a recorded game in the terminal or as a GIF."""
    from quincunx.record import load

    if gif is not None and gif.suffix.lower() != ".gif":
        fail_usage(f"--gif {gif}: the file must end in .gif")
    with compiling(games_in(file)):
        records, problems = load(file)
        print_problems(file, problems)
        if not records:
            fail(f"{file}: no readable game in this file")
        if not 1 <= number <= len(records):
            fail_usage(f"--game {number}: the file has games 1 to {len(records)}")
        record = records[number - 1]
        states = record.states()
    options = {} if theme is None else {"theme": theme}
    if gif is not None:
        from quincunx.draw.image import gif as draw_gif
        from quincunx.files import write_atomically

        data = draw_gif([state.scene() for state in states], seconds=delay, size=size, **options)
        write_atomically(gif, data)
        out.print(
            f"Wrote {gif}: {quantity(len(states), 'frame')}, {len(data):,} bytes.", markup=False
        )
    else:
        for line in _heading(record):
            out.print(printable(line), markup=False)
        _replay(states, record.comments, delay, options)
    if problems:
        raise typer.Exit(EXIT_FAILED)


def _heading(record: Record) -> Iterator[str]:
    """Yields the lines above a replayed game: game, players, date and result."""
    names = record.game.parts.rules.SEAT_NAMES[: record.game.seats]
    options = ", ".join(f"{name}={value}" for name, value in record.game.changed_options.items())
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
    states: Sequence[State], comments: Mapping[int, str], delay: float, options: dict[str, str]
) -> None:
    """Prints one position after the other; waits between them only in a terminal."""
    from quincunx.draw import picture

    for i, state in enumerate(states):
        if i:
            seat, move = state.last or (0, "")
            out.print(f"\n{i}. {state.game.parts.rules.SEAT_NAMES[seat]}: {move}", markup=False)
        drawn = picture(state, "text", colour=colour_mode(out), **options)
        out.file.write(f"\n{drawn}\n")
        if i in comments:
            out.print(printable(comments[i]), style="italic", markup=False)
        if out.is_terminal and i < len(states) - 1:
            time.sleep(delay)
    out.print(f"\n{states[-1].status}", markup=False)
