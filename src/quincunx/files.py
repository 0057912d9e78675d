"""Files written whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path


def write_whole(path: str | Path, data: bytes) -> None:
    """Writes a file so that it never stands there half written: beside it first, then in place.

    A link stays a link, a file keeps its mode, and what is no file (a pipe, /dev/stdout) is
    written to as it is.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(path, "wb") as file:
            file.write(data)
        return
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(part, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            part.chmod(target.stat().st_mode & 0o777)
        os.replace(part, target)
    except OSError as error:
        part.unlink(missing_ok=True)
        if error.filename:
            error.filename = str(path)  # what the caller knows, not the part beside it
        raise
    except BaseException:
        part.unlink(missing_ok=True)
        raise
