"""Making a move by clicks: the names clicked so far, and the moves they can still become."""

from __future__ import annotations

from dataclasses import replace

from quincunx.draw.scene import ClickSequence, Scene, ViewOptions
from quincunx.game import State

ACTION_ROLE = "action"  # role of shapes that are buttons; the terminal has its own buttons
CLICK_ONLY_ROLES = {"target", ACTION_ROLE}  # roles of shapes that exist only to be clicked


class Selection:
    """The moves of a seat as sequences of clicked names, and the clicks made so far."""

    def __init__(self, state: State, seat: int | None) -> None:
        clicks = state.game.parts.layout.clicks
        moves = [] if seat is None else state.moves(seat)
        self.click_sequences: dict[str, ClickSequence] = {move: clicks(move) for move in moves}
        self.picked: ClickSequence = ()

    @property
    def next_names(self) -> set[str]:
        """The names that can be clicked after the picked ones."""
        count = len(self.picked)
        return {
            sequence[count]
            for sequence in self.click_sequences.values()
            if len(sequence) > count and sequence[:count] == self.picked
        }

    @property
    def first_names(self) -> set[str]:
        """The names that a move can start with."""
        return {sequence[0] for sequence in self.click_sequences.values()}

    def click(self, name: str) -> str | None:
        """Adds a name and returns the move once it is complete; raises KeyError if none fits.

        Clicking a picked name again clears the selection; clicking another first name replaces it.
        """
        if name in self.picked:
            self.clear()
            return None
        if name not in self.next_names:
            if name not in self.first_names:
                raise KeyError(name)
            self.clear()
        clicked = (*self.picked, name)
        for move, sequence in self.click_sequences.items():
            if sequence == clicked:
                self.clear()
                return move
        self.picked = clicked
        return None

    def clear(self) -> bool:
        """Removes all picked names; returns whether there were any."""
        had_picked = bool(self.picked)
        self.picked = ()
        return had_picked

    def buttons(self, scene: Scene) -> list[str]:
        """Returns the names that can be clicked now but are not on the board."""
        return [name for name in self.all_buttons(scene) if name in self.next_names]

    def all_buttons(self, scene: Scene) -> list[str]:
        """Returns all names in moves that are not on the board."""
        on_board = {
            name
            for shape in scene.shapes
            if not CLICK_ONLY_ROLES & set(shape.role.split())
            for name in shape.cell.split()
        }
        names = dict.fromkeys(
            name for sequence in self.click_sequences.values() for name in sequence
        )
        return [name for name in names if name not in on_board]

    def view_options(self, view: ViewOptions) -> ViewOptions:
        """Returns the options with the picked name set, so that its targets are shown.

        If nothing is picked and every move is a single click, all targets are shown.
        """
        if self.picked:
            return replace(view, picked=self.picked[0], targets=False)
        sequences = self.click_sequences.values()
        single_click = bool(sequences) and all(len(sequence) == 1 for sequence in sequences)
        return replace(view, picked="", targets=view.targets or single_click)


def without_buttons(scene: Scene) -> Scene:
    """Returns the scene without the shapes that are buttons."""
    shapes = tuple(shape for shape in scene.shapes if ACTION_ROLE not in shape.role.split())
    return replace(scene, shapes=shapes)


def shape_titles(scene: Scene) -> dict[str, str]:
    """Returns the titles of the shapes that have one, by name."""
    return {
        shape.cell.split()[0]: shape.title
        for shape in scene.shapes
        if shape.cell.strip() and shape.title
    }
