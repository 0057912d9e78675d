"""What the machine and its user give: cores, and a place for what is kept."""

from __future__ import annotations

import os
from pathlib import Path


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def data_home() -> Path:
    """Where what took long to make is kept for this user."""
    chosen = os.environ.get("QUINCUNX_DATA")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return Path(home) / "quincunx"
