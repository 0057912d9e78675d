"""A check of a game's guide: its examples can be played, and its pictures can be drawn."""

from __future__ import annotations

from quincunx.guide import guide_path, guide_text
from quincunx.guide.examples import examples
from quincunx.guide.pictures import pictures
from quincunx.registry import game as game_named


def check_guide(name: str) -> None:
    """Raises AssertionError if a part of a game's guide is wrong; a missing guide is not."""
    path, text = guide_path(name), guide_text(name)
    if path is None or text is None:
        return
    title = game_named(name).title
    assert text.startswith(f"# {title}\n"), f"{path}: the first line must be '# {title}'"
    try:
        played = examples(name)
        drawn = pictures(name)
    except ValueError as error:
        raise AssertionError(f"{path}: {error}") from error
    for example in played:
        try:
            example.states()
        except ValueError as error:
            raise AssertionError(f"{path}: the example {example.caption!r}: {error}") from error
    for picture in drawn:
        assert picture.description, f"{path}: {picture.file} needs a description for screen readers"
        file = path.parent / picture.file
        assert file.is_file(), (
            f"{path}: {picture.file} is missing; to draw it: python -m quincunx.guide {name}"
        )
        try:
            current = not picture.boards or file.read_text(encoding="utf-8") == picture.svg()
        except (ValueError, LookupError) as error:
            raise AssertionError(f"{path}: {picture.file}: {error}") from error
        assert current, (
            f"{path}: {picture.file} is outdated; to draw it again: python -m quincunx.guide {name}"
        )
