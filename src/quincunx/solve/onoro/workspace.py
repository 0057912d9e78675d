"""The working directory of a run: its checkpoint, the moves, and arrays too large for memory.

A run that was stopped or killed leaves it behind, and the next run continues from it.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from quincunx.errors import BadOption
from quincunx.files import write_atomically
from quincunx.solve.onoro.arrays import Bytes, Words
from quincunx.solve.onoro.retrograde import ShapeMoves

if sys.platform != "win32":
    import fcntl

CHECKPOINT_FILE = "mark.json"

# For each field of ShapeMoves, the name of its file and its type.
MOVE_FILES = {
    "starts": ("starts", np.int64),
    "target": ("target", np.int32),
    "perm": ("perm", np.uint64),
    "moved_cell": ("laid", np.uint8),
}


@dataclass(frozen=True)
class Checkpoint:
    """The progress of a run; all work before it is on disk. The fields are the keys of its file."""

    step: str
    at: int = 0  # the code of a round, or the number of pawns on the board
    done: int = 0  # the number of shapes of this step that are done
    width: int = 1  # bytes of a code


class Workspace:
    """The working directory, locked by one run at a time; must be closed."""

    def __init__(self, path: Path, wait: bool) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self._lock_file = open(path / "held", "ab")  # noqa: SIM115
        if sys.platform != "win32":  # without locks there
            try:
                fcntl.flock(self._lock_file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError as error:
                self._lock_file.close()
                raise BadOption("data", path, "another run is using this directory") from error

    def load_checkpoint(self) -> Checkpoint | None:
        """Returns the last checkpoint of an earlier run, or None."""
        file = self.path / CHECKPOINT_FILE
        return Checkpoint(**json.loads(file.read_bytes())) if file.exists() else None

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Writes a checkpoint, replacing the last one."""
        write_atomically(self.path / CHECKPOINT_FILE, json.dumps(asdict(checkpoint)).encode())

    def save_shapes(self, cells: Bytes) -> None:
        """Writes all shapes of one size."""
        buffer = io.BytesIO()
        np.save(buffer, cells)
        write_atomically(self._shapes_file(cells.shape[1]), buffer.getvalue())

    def load_shapes(self, n: int) -> Bytes | None:
        """Returns the shapes of n cells if they were saved, else None."""
        return np.load(self._shapes_file(n)) if self._shapes_file(n).exists() else None

    def _shapes_file(self, n: int) -> Path:
        return self.path / f"shapes-{n}.npy"

    def zero_words(self, name: str, shape: tuple[int, ...]) -> Words:
        """Returns an array of zeros that is mapped to a new file."""
        return np.memmap(self.path / name, np.uint64, "w+", shape=shape).view(np.ndarray)

    def load_moves(self) -> ShapeMoves:
        """Returns the moves that MoveFiles wrote, mapped to their files."""
        return ShapeMoves(
            *(
                np.memmap(self.path / name, dtype, "c").view(np.ndarray)
                for name, dtype in MOVE_FILES.values()
            )
        )

    def remove(self) -> None:
        """Removes the directory with all its files."""
        self.close()
        shutil.rmtree(self.path, ignore_errors=True)

    def close(self) -> None:
        """Unlocks the directory."""
        self._lock_file.close()


class MoveFiles:
    """Writes the moves of shapes in order, continuing after the first `done` shapes."""

    def __init__(self, workspace: Workspace, done: int) -> None:
        paths = {field: workspace.path / name for field, (name, _) in MOVE_FILES.items()}
        if not done:
            np.zeros(1, np.int64).tofile(paths["starts"])
        self._count = int(np.fromfile(paths["starts"], np.int64, 1, offset=8 * done)[0])
        lengths = {**dict.fromkeys(MOVE_FILES, self._count), "starts": done + 1}
        self._files = {field: open(path, "ab") for field, path in paths.items()}  # noqa: SIM115
        for field, (_, dtype) in MOVE_FILES.items():
            self._files[field].truncate(lengths[field] * np.dtype(dtype).itemsize)

    def append(self, moves: ShapeMoves) -> None:
        """Writes the moves of the next shapes."""
        (moves.starts[1:] + self._count).tofile(self._files["starts"])
        for field in ("target", "perm", "moved_cell"):
            getattr(moves, field).tofile(self._files[field])
        self._count += len(moves.target)

    def flush(self) -> None:
        """Returns when everything written is on disk."""
        for file in self._files.values():
            file.flush()
            os.fsync(file.fileno())

    def close(self) -> None:
        """Closes the files."""
        for file in self._files.values():
            file.close()
