"""What the machine and its user give: cores, memory, a place for what is kept, a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quincunx.errors import MissingExtra


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory() -> int:
    """How many bytes of memory the machine has."""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 8 << 30


def data_home() -> Path:
    """Where what took long to make is kept for this user."""
    chosen = os.environ.get("QUINCUNX_DATA")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return Path(home) / "quincunx"


@contextmanager
def ray_cluster(purpose: str) -> Iterator[Any]:
    """Ray, connected to the cluster that it finds, or to a local one; MissingExtra.

    Ray finds a cluster as it always does: by RAY_ADDRESS, or the one that runs on this machine.
    """
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("scale", purpose) from error
    ours = not ray.is_initialized()
    if ours:
        ray.init(logging_level="ERROR", log_to_driver=False)
    try:
        yield ray
    finally:
        if ours:
            ray.shutdown()
