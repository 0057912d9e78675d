"""The base of the screens of the app."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.screen import Screen

if TYPE_CHECKING:
    from quincunx.terminal.app import QuincunxApp


class AppScreen(Screen[None]):
    """A screen that knows its app."""

    @property
    def quincunx_app(self) -> QuincunxApp:
        """The app, typed as QuincunxApp."""
        return cast("QuincunxApp", self.app)
