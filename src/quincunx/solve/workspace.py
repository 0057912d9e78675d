"""The working directory of a run: how far it is, the moves, and what does not fit into memory.

A run that was stopped, or killed, leaves it behind, and the next one goes on from there.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quincunx.errors import BadOption
from quincunx.files import write_atomically
from quincunx.solve.retrograde import Moves

if sys.platform != "win32":
    import fcntl

MARK = "mark.json"
MOVES = {"starts": np.int64, "target": np.int32, "perm": np.uint64, "laid": np.uint8}


@dataclass(frozen=True)
class Mark:
    """How far a run is; all before it is on disk."""

    step: str
    at: int = 0  # the code of a round, or how many pawns are on the board
    done: int = 0  # shapes of this step that are done
    width: int = 1  # bytes of a code


class Workspace:
    """The working directory, held by one run at a time; to be closed."""

    def __init__(self, path: Path, wait: bool) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self._held = open(path / "held", "ab")  # noqa: SIM115
        if sys.platform != "win32":  # two runs at once are not kept apart there
            try:
                fcntl.flock(self._held, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError as error:
                self._held.close()
                raise BadOption("data", path, "another run is working there now") from error

    @property
    def mark(self) -> Mark | None:
        """How far the run was that left this directory; None if it had hardly begun."""
        file = self.path / MARK
        return Mark(**json.loads(file.read_bytes())) if file.exists() else None

    def put_mark(self, mark: Mark) -> None:
        """Notes how far the run is."""
        write_atomically(self.path / MARK, json.dumps(asdict(mark)).encode())

    def keep_shapes(self, cells: Any) -> None:
        """Keeps all shapes of one size."""
        written = io.BytesIO()
        np.save(written, cells)
        write_atomically(self._shapes(cells.shape[1]), written.getvalue())

    def shapes(self, n: int) -> Any | None:
        """The shapes of n cells, if they were kept."""
        return np.load(self._shapes(n)) if self._shapes(n).exists() else None

    def _shapes(self, n: int) -> Path:
        return self.path / f"shapes-{n}.npy"

    def room(self, name: str, shape: tuple[int, ...], dtype: Any) -> Any:
        """An array of zeros that lies in a file."""
        return np.memmap(self.path / name, dtype, "w+", shape=shape).view(np.ndarray)

    def moves(self) -> Moves:
        """The moves of all shapes, as they were written."""
        return Moves(
            *(
                np.memmap(self.path / name, kind, "c").view(np.ndarray)
                for name, kind in MOVES.items()
            )
        )

    def remove(self) -> None:
        """Removes the directory: the work is done."""
        self.close()
        shutil.rmtree(self.path, ignore_errors=True)

    def close(self) -> None:
        """Lets go of the directory."""
        self._held.close()


class MoveFiles:
    """The moves of shapes, written one after the other; goes on after the first `done` shapes."""

    def __init__(self, work: Workspace, done: int) -> None:
        paths = {name: work.path / name for name in MOVES}
        if not done:
            np.zeros(1, np.int64).tofile(paths["starts"])
        self._count = int(np.fromfile(paths["starts"], np.int64, 1, offset=8 * done)[0])
        lengths = {**dict.fromkeys(MOVES, self._count), "starts": done + 1}
        self._files = {name: open(path, "ab") for name, path in paths.items()}  # noqa: SIM115
        for name, file in self._files.items():
            file.truncate(lengths[name] * np.dtype(MOVES[name]).itemsize)

    def append(self, moves: Moves) -> None:
        """Writes the moves of the next shapes."""
        (moves.starts[1:] + self._count).tofile(self._files["starts"])
        for name in ("target", "perm", "laid"):
            getattr(moves, name).tofile(self._files[name])
        self._count += len(moves.target)

    def flush(self) -> None:
        """Returns when all that was written is on disk."""
        for file in self._files.values():
            file.flush()
            os.fsync(file.fileno())

    def close(self) -> None:
        """Closes the files."""
        for file in self._files.values():
            file.close()
