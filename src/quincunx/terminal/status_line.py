"""The line below everything: what is said, and where something is typed."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

# What can be asked for, and how.
ASKED = {"move": "a move", "save": "save to, such as game.qx", "load": "load from, such as game.qx"}


class StatusLine(Horizontal):
    """One sentence, and beside it, when it is asked for, a line to type in."""

    @dataclass
    class Answered(Message):
        """Something was typed."""

        asked: str
        text: str

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._asked = ""

    def compose(self) -> ComposeResult:
        """The line, closed, and the sentence."""
        yield Input(id="line", compact=True)
        yield Static(id="status")

    def say(self, text: str, tone: str = "") -> None:
        """Says a sentence: good, bad, a hint, or just so."""
        for status in self.query("#status").results(Static):
            status.set_classes(tone or "plain")
            # What is wrong is said to its end, in more rows if it needs them.
            status.update(Text(text, no_wrap=tone != "bad", overflow="ellipsis"))

    def ask(self, what: str) -> None:
        """Opens the line for one of what can be asked for."""
        self._asked = what
        line = self.query_one("#line", Input)
        line.value, line.placeholder = "", ASKED[what]
        line.add_class("-open")
        line.focus()

    def close(self) -> bool:
        """Closes the line; False if it was not open."""
        line = self.query_one("#line", Input)
        was = line.has_class("-open")
        line.remove_class("-open")
        return was

    @on(Input.Submitted, "#line")
    def submitted(self, event: Input.Submitted) -> None:
        """Passes on what was typed, if something was."""
        event.stop()
        typed = event.value.strip()
        if not typed:
            self.close()
        self.post_message(self.Answered(self._asked, typed))
