"""Resources of the machine: cores, memory, the user's data directory, a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from quincunx.errors import MissingExtra


def cores() -> int:
    """Returns the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory() -> int:
    """Returns the machine's memory in bytes; 8 GiB where it cannot be determined."""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 8 << 30


def data_home() -> Path:
    """Returns the directory for this user's data: solved tables, games, autosaves."""
    configured = os.environ.get("QUINCUNX_DATA")
    if configured:
        return Path(configured)
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return Path(home) / "quincunx"


@contextmanager
def ray_cluster(purpose: str) -> Iterator[ModuleType]:
    """Yields the ray module, connected to a cluster; raises MissingExtra without ray.

    Ray connects to RAY_ADDRESS or to a cluster running on this machine, else starts a local one.
    """
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("scale", purpose) from error
    started_here = not ray.is_initialized()
    if started_here:
        ray.init(logging_level="ERROR", log_to_driver=False)
    try:
        yield ray
    finally:
        if started_here:
            ray.shutdown()
