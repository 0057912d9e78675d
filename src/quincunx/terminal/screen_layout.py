"""How the screen of a game is divided: columns of the side panel, labels of the buttons."""

from __future__ import annotations

from quincunx.draw.scene import Controls
from quincunx.terminal.panel import row_count

NARROW_COLUMNS = 64  # a narrower screen has no side panel
SIDE_PANEL_COLUMNS = ((110, 34), (0, 18))  # minimum width of the screen, width of the panel
MAX_LONG_LABEL_ROWS = 2  # if the buttons need more rows, they get short labels
ROWS_BELOW_BOARD = 2  # status line and footer


def side_panel_columns(width: int) -> int:
    """Returns the width of the side panel on a screen of this width."""
    if width < NARROW_COLUMNS:
        return 0
    return next(columns for min_width, columns in SIDE_PANEL_COLUMNS if width >= min_width)


def button_labels(controls: Controls, names: list[str], width: int) -> dict[str, str]:
    """Returns the game's labels of buttons, or their names if the labels need many rows."""
    long_labels = control_labels(controls)
    labels = {name: long_labels.get(name, name) for name in names}
    fits = row_count(list(labels.values()), width) <= MAX_LONG_LABEL_ROWS
    return labels if fits else {name: name for name in names}


def control_labels(controls: Controls) -> dict[str, str]:
    """Returns the labels that the game defines for its buttons, by name."""
    return {button.word: button.label for button in controls.buttons}
