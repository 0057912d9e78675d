"""Draws the pictures of guides: `python -m quincunx.guide GAME ...`, by default of all games."""

import sys

from quincunx.guide.pictures import write_pictures
from quincunx.registry import games

for name in sys.argv[1:] or games():
    print("\n".join(write_pictures(name)))
