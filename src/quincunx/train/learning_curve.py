"""The learning curve of a training run as an SVG picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from quincunx.arena.rating_chart import frame, label, line, round_scale
from quincunx.draw.palette import THEMES

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 72, 24, 64, 44  # margins of the plot
MAX_POINTS = 200


def learning_curve(scores: np.ndarray[Any, Any], title: str, theme: str = "light") -> str:
    """Returns an SVG of the scores in the order of the games; each point is a mean of several."""
    colours = THEMES[theme]
    heading = [
        label(LEFT, 28, title, colours["ink"], 'font-size="15" font-weight="600"'),
        label(LEFT, 47, "mean score of the games, in their order", colours["quiet"]),
    ]
    lines = frame(WIDTH, HEIGHT, f"{title}: learning curve", colours) + heading
    if len(scores):
        groups = np.array_split(scores, min(MAX_POINTS, len(scores)))
        means = [float(group.mean()) for group in groups]
        low, high, step = round_scale(min(0.0, min(means)), max(means))
        bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        for tick in np.arange(low, high + step / 2, step):
            y = bottom - (bottom - TOP) * (tick - low) / (high - low)
            lines.append(line(LEFT, y, right, y, colours["line"], 1))
            lines.append(
                label(LEFT - 10, y + 4, f"{tick:,g}", colours["quiet"], 'text-anchor="end"')
            )
        for x, text, anchor in ((LEFT, "0", "start"), (right, f"{len(scores):,} games", "end")):
            lines.append(label(x, bottom + 20, text, colours["quiet"], f'text-anchor="{anchor}"'))
        xs = np.linspace(LEFT, right, len(means) + 1)[1:]
        points = " ".join(
            f"{x:.1f},{bottom - (bottom - TOP) * (mean - low) / (high - low):.1f}"
            for x, mean in zip(xs, means, strict=True)
        )
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{colours["accent"]}" '
            f'stroke-width="2.5" stroke-linejoin="round"/>'
        )
    return "\n".join([*lines, "</svg>", ""])
