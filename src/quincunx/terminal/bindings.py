"""The keys of the screen of a game."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from quincunx.terminal.panel import DIGIT_KEYS

GAME_BINDINGS: list[BindingType] = [
    Binding("slash", "open_input('move')", "move", key_display="/"),
    Binding("u", "undo", "undo"),
    Binding("ctrl+r,U", "redo", "redo", show=False),
    Binding("h", "hint", "hint"),
    Binding("a", "toggle_analysis", "analysis"),
    Binding("f", "flip", "flip"),
    Binding("s", "open_input('save')", "save"),
    Binding("o", "open_input('load')", "load a game", show=False),
    Binding("t", "toggle_targets", "show possible moves", show=False),
    Binding("p", "next_placing_seat", "next person places, where anyone may move", show=False),
    Binding("n", "app.new_game", "new"),
    Binding("question_mark", "app.show_keys", "keys", key_display="?"),
    Binding("r", "app.show_rules", "rules", show=False),
    Binding("left_square_bracket", "step_view(-1)", "previous move", show=False, key_display="["),
    Binding("right_square_bracket", "step_view(1)", "next move", show=False, key_display="]"),
    Binding("escape", "cancel", "cancel, close, back to the current position", show=False),
    *(Binding(key, f"press_button('{key}')", "press a button", show=False) for key in DIGIT_KEYS),
]
