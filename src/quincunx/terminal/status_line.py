"""The bottom of a screen: the status line, with an input field that opens on request; the keys."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Footer, Input, Static

# What the input field can be opened for, with its placeholder.
PLACEHOLDERS = {
    "move": "a move",
    "save": "save to, such as game.qx",
    "load": "load from, such as game.qx",
}


class StatusLine(Horizontal):
    """A message, and to its left an input field that is hidden until it is opened."""

    @dataclass
    class Submitted(Message):
        """Enter was pressed in the input field; `purpose` is what it was opened for."""

        purpose: str
        text: str

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._purpose = ""

    def compose(self) -> ComposeResult:
        """Yields the hidden input field and the message."""
        yield Input(id="status-input", compact=True)
        yield Static(id="status")

    def show(self, text: str, kind: str = "") -> None:
        """Shows a message; `kind` is its CSS class: success, error, hint or empty."""
        for status in self.query("#status").results(Static):
            status.set_classes(kind or "plain")
            # Errors are shown in full, on several rows if needed; other messages are cut.
            status.update(Text(text, no_wrap=kind != "error", overflow="ellipsis"))

    def open_input(self, purpose: str) -> None:
        """Opens the empty input field for one of the PLACEHOLDERS."""
        self._purpose = purpose
        field = self.query_one("#status-input", Input)
        field.value, field.placeholder = "", PLACEHOLDERS[purpose]
        field.add_class("-open")
        field.focus()

    def close_input(self) -> bool:
        """Hides the input field; returns whether it was open."""
        field = self.query_one("#status-input", Input)
        was_open = field.has_class("-open")
        field.remove_class("-open")
        return was_open

    @on(Input.Submitted, "#status-input")
    def input_submitted(self, event: Input.Submitted) -> None:
        """Posts the text to the screen; an empty one also closes the input field."""
        event.stop()
        text = event.value.strip()
        if not text:
            self.close_input()
        self.post_message(self.Submitted(self._purpose, text))


def compact_footer() -> Footer:
    """Returns the line of keys below the status line."""
    footer = Footer(show_command_palette=False)
    footer.compact = True
    return footer
