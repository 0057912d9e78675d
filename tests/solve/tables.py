"""Tables that tests share."""

import quincunx as qx
from quincunx.solve import onoro


def small_table(pawns):
    """Returns Onoro's table for a few pawns a side, which is built when it is first needed."""
    return onoro.open_table(qx.game("onoro", pawns=pawns)).table
