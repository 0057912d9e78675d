"""The machine that figures are measured on."""

from __future__ import annotations

import platform
from datetime import date
from pathlib import Path

from quincunx.machine import cores


def heading(subject: str) -> str:
    """Returns the title of a table of figures: subject, date, cores and processor."""
    return f"{subject}, {date.today()}, {cores()} cores, {processor()}"


def processor() -> str:
    """Returns the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
