"""Atomic file writes."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path


def write_atomically(path: str | Path, data: bytes) -> None:
    """Writes a file atomically: to a temporary file in the same directory, then renames it.

    Follows symbolic links and preserves the file mode. Pipes and devices (/dev/stdout) are
    written to directly.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(path, "wb") as file:
            file.write(data)
        return
    temporary = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            temporary.chmod(target.stat().st_mode & 0o777)
        os.replace(temporary, target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        if error.filename:
            error.filename = str(path)  # report the path the caller passed, not the temporary one
        raise
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
