"""The main loop of a worker process (see `workers`): pickled calls in, pickled results out.

Each message is preceded by its length, eight bytes. In: (seconds, function, arguments). Out:
(True, result) or (False, exception). Before the first call, one byte says that it is ready.
"""

from __future__ import annotations

import os
import pickle
import signal
from contextlib import suppress
from typing import IO, Any

NICENESS = 5  # moves come before pictures
MAX_TASK_BYTES = 1 << 30  # the memory that tasks may add to that of the started process
READY = b"+"
ALARM_GRACE_SECONDS = 10


def main() -> None:
    """Does what is asked until the server closes the pipe."""
    # Results go to a copy of standard output; what a game prints goes to standard error.
    source, output = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    import quincunx.game
    import quincunx.jit  # noqa: F401  imported once, and not in the time of the first task

    _lower_priority()
    _limit_memory()
    output.write(READY)
    output.flush()
    while (request := read_message(source)) is not None:
        write_message(output, _answer(request))


def read_message(source: IO[bytes]) -> bytes | None:
    """Returns the next message, or None at the end."""
    header = source.read(8)
    if len(header) < 8:
        return None
    size = int.from_bytes(header, "big")
    message = source.read(size)
    return message if len(message) == size else None


def write_message(target: IO[bytes], message: bytes) -> None:
    """Writes a message with its length."""
    target.write(len(message).to_bytes(8, "big"))
    target.write(message)
    target.flush()


def _answer(request: bytes) -> bytes:
    """Returns the pickled result of a call, or its error."""
    try:
        seconds, function, arguments = pickle.loads(request)
        _end_process_after(seconds + ALARM_GRACE_SECONDS)
        answer: tuple[bool, Any] = (True, function(*arguments))
        return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return _pickled_error(error)
    finally:
        _end_process_after(0)


def _pickled_error(error: Exception) -> bytes:
    """Returns an error as it is, if it can be read again, or else its description."""
    with suppress(Exception):
        pickled = pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
        pickle.loads(pickled)
        return pickled
    return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))


def _end_process_after(seconds: float) -> None:
    """Lets the system end this process, for the case that the server has died; 0 for not at all.

    The server itself kills a process whose task takes too long.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _lower_priority() -> None:
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)


def _limit_memory() -> None:
    """Limits the address space, so that a task that needs too much fails alone."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        with open("/proc/self/statm") as statistics:
            used = int(statistics.read().split()[0]) * resource.getpagesize()
        _, hard_limit = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (used + MAX_TASK_BYTES, hard_limit))


if __name__ == "__main__":
    main()
