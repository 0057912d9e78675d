"""What a figure was measured on."""

from __future__ import annotations

import platform
from datetime import date
from pathlib import Path

from quincunx.machine import cores


def heading(what: str) -> str:
    """The title of a table of figures: what, when, and on which machine."""
    return f"{what}, {date.today()}, {cores()} cores, {processor()}"


def processor() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
