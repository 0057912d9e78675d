"""Checks of a game's guide: its title, its examples and its pictures."""

from __future__ import annotations

from pathlib import Path

from quincunx import registry
from quincunx.game import Game
from quincunx.guide import guide_path
from quincunx.guide.examples import parse_examples
from quincunx.guide.pictures import GuidePicture, parse_pictures
from quincunx.testing.fault import Fault

FUNCTION = "guide.md"  # what a report names as being at fault


def check_guide(game: Game) -> None:
    """Checks the guide of a registered game, if it has one."""
    path = guide_path(game.name) if game.name in registry.names() else None
    if path is None:
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise Fault(game.name, FUNCTION, "is not UTF-8", f"{error}.", "UTF-8.") from error
    first, title = text.partition("\n")[0], f"# {game.title}"
    if first != title:
        problem = "does not begin with the title of the game"
        raise Fault(game.name, FUNCTION, problem, f"{first!r}.", f"{title!r}.")
    try:
        examples, pictures = parse_examples(game.name, text), parse_pictures(game.name, text)
    except ValueError as error:
        raise Fault(game.name, FUNCTION, "has a part that cannot be read", str(error)) from error
    for example in examples:
        try:
            example.states()
        except ValueError as error:
            problem = f"has an example that cannot be played ({example.caption!r})"
            raise Fault(game.name, FUNCTION, problem, str(error)) from error
    for picture in pictures:
        _check_picture(game, path, picture)


def _check_picture(game: Game, path: Path, picture: GuidePicture) -> None:
    """Checks that a picture has a description and a file, and that it can be drawn."""
    if not picture.description:
        expected = f"![DESCRIPTION]({picture.file}), for those who cannot see the picture."
        raise Fault(game.name, FUNCTION, "has a picture without description", "", expected)
    if picture.boards:
        try:
            picture.scene()
        except (ValueError, IndexError) as error:
            problem = f"has a picture that cannot be drawn ({picture.file})"
            raise Fault(game.name, FUNCTION, problem, str(error)) from error
    if not (path.parent / picture.file).is_file():
        expected = f"a file: `python -m quincunx.guide {game.name}` draws it."
        problem = f"has a picture that does not exist ({picture.file})"
        raise Fault(game.name, FUNCTION, problem, "", expected)
