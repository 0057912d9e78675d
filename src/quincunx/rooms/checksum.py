"""The checksum of a position that is stored with some events of a room."""

from __future__ import annotations

from zlib import crc32

from quincunx.game import State


def position_checksum(state: State) -> int:
    """Returns a checksum of a position, also of the random generator, which decides what comes.

    It does not depend on how the game's record is laid out in memory: a later version may add a
    field to it without becoming unable to read stored games.
    """
    s = state.position
    header = [int(s[name]) for name in ("turn", "over", "stage", "ply", "rng")]
    return crc32(f"{state.text} {header}".encode("utf-8", "surrogatepass"))
