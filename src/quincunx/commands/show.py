"""The commands `rules`, `draw` and `replay`: to read and to look at."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quincunx.commands.arguments import (
    GameName,
    Options,
    Seed,
    Theme,
    configured,
    position_of,
)
from quincunx.commands.console import (
    FAILED,
    compiling,
    err,
    fail,
    harmless,
    misuse,
    out,
)
from quincunx.commands.files import complain, games_in
from quincunx.registry import GAMES

if TYPE_CHECKING:
    from quincunx.game import State
    from quincunx.record import Record


def rules(name: GameName) -> None:
    """Read the rules of a game, its options and its texts."""
    from quincunx.pages import show

    if name not in GAMES:  # a game need not be loaded to be read about
        configured(name, None)
    show(name, out)


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
    from quincunx.files import write_atomically
    from quincunx.terminal.plain_prompt import colour_mode

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
            drawn = picture(state, "text", colour=colour_mode(out), **look)
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
    write_atomically(output, data)
    out.print(f"Wrote {output} ({len(data):,} bytes).", markup=False)


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
    with compiling(games_in(file)):
        records, problems = load(file)
        complain(file, problems)
        if not records:
            fail(f"{file}: no game could be read")
        if not 1 <= number <= len(records):
            misuse(f"--game {number}: the file has games 1 to {len(records)}")
        record = records[number - 1]
        states = record.states()
    look = {} if theme is None else {"theme": theme}
    if gif is not None:
        from quincunx.draw.image import gif as moving
        from quincunx.files import write_atomically

        data = moving([state.scene() for state in states], seconds=delay, size=size, **look)
        write_atomically(gif, data)
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
    states: Sequence[State], comments: Mapping[int, str], delay: float, look: dict[str, str]
) -> None:
    """Shows position after position; waits between them in a terminal only."""
    from quincunx.draw import picture
    from quincunx.terminal.plain_prompt import colour_mode

    for i, state in enumerate(states):
        if i:
            seat, move = state.last or (0, "")
            out.print(f"\n{i}. {state.game.parts.rules.SEAT_NAMES[seat]}: {move}", markup=False)
        drawn = picture(state, "text", colour=colour_mode(out), **look)
        out.file.write(f"\n{drawn}\n")
        if i in comments:
            out.print(harmless(comments[i]), style="italic", markup=False)
        if out.is_terminal and i < len(states) - 1:
            time.sleep(delay)
    out.print(f"\n{states[-1].status}", markup=False)
