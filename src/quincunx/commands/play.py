"""The command `play`: a board and a prompt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx.commands.files import complain, games_in
from quincunx.errors import BadOption, did_you_mean
from quincunx.registry import GAMES
from quincunx.terminal.console import (
    FINE,
    compile_whole,
    compiling,
    err,
    fail,
    misuse,
    out,
)
from quincunx.terminal.words import (
    KNOWN,
    Options,
    Position,
    Seed,
    configured,
    lower,
)

if TYPE_CHECKING:
    from quincunx.game import Game
    from quincunx.match import Match
    from quincunx.record import Record


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
    ] = "level:2",
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

    with compiling(games_in(file)):
        records, problems = load(file)
    complain(file, problems)
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
