"""The learning curve as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from quincunx.arena.picture import frame, label, line, round_scale
from quincunx.draw.palette import THEMES

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 72, 24, 64, 44
POINTS = 200  # of the curve, at most


def curve(scores: np.ndarray[Any, Any], title: str, theme: str = "light") -> str:
    """The mean score over the games, as SVG; each point is a share of the games."""
    colours = THEMES[theme]
    heads = [
        label(LEFT, 28, title, colours["ink"], 'font-size="15" font-weight="600"'),
        label(LEFT, 47, "mean score of the games, in their order", colours["quiet"]),
    ]
    lines = frame(WIDTH, HEIGHT, f"{title}: learning curve", colours) + heads
    if len(scores):
        shares = np.array_split(scores, min(POINTS, len(scores)))
        means = [float(share.mean()) for share in shares]
        low, high, step = round_scale(min(0.0, min(means)), max(means))
        bottom = HEIGHT - BOTTOM
        for tick in np.arange(low, high + step / 2, step):
            y = bottom - (bottom - TOP) * (tick - low) / (high - low)
            lines.append(line(LEFT, y, WIDTH - RIGHT, y, colours["line"], 1))
            lines.append(
                label(LEFT - 10, y + 4, f"{tick:,g}", colours["quiet"], 'text-anchor="end"')
            )
        right = WIDTH - RIGHT
        for x, text, anchor in ((LEFT, "0", "start"), (right, f"{len(scores):,} games", "end")):
            lines.append(label(x, bottom + 20, text, colours["quiet"], f'text-anchor="{anchor}"'))
        across = np.linspace(LEFT, right, len(means) + 1)[1:]
        path = " ".join(
            f"{x:.1f},{bottom - (bottom - TOP) * (mean - low) / (high - low):.1f}"
            for x, mean in zip(across, means, strict=True)
        )
        lines.append(
            f'<polyline points="{path}" fill="none" stroke="{colours["accent"]}" '
            f'stroke-width="2.5" stroke-linejoin="round"/>'
        )
    return "\n".join([*lines, "</svg>", ""])
