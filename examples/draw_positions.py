"""Draws a position as SVG and PNG, and a whole game as a GIF.

PNG and GIF need the extra `image`: pip install 'quincunx[image]'
"""

from pathlib import Path

import quincunx as qx
from quincunx.draw.image import gif, png

onoro = qx.game("onoro")
state = onoro.read(".BWWWB/.W.BW./B..B../BWWB../.WB... w -2,-3")

Path("onoro.svg").write_text(state.svg(picked="0,0"))  # with the targets of one pawn
Path("onoro.png").write_bytes(png(state, size=600, theme="dark"))

match = qx.Match(onoro, ["greedy", "greedy"], seed=4)
while not match.state.over and len(match.moves) < 60:
    match.reply()
frames = match.states
seconds = [0.6] * (len(frames) - 1) + [3.0]  # show the last position longer
Path("onoro.gif").write_bytes(gif(frames, seconds, size=360))

for name in ("onoro.svg", "onoro.png", "onoro.gif"):
    print(f"{name}: {Path(name).stat().st_size:,} bytes")
