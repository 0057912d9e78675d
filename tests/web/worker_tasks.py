"""Functions that the tests of worker processes call there; they import nothing of pytest."""

import os
import signal
import time


def process_id():
    return os.getpid()


def priority():
    return os.getpriority(os.PRIO_PROCESS, 0)


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_ever(file):
    """Writes its process id into a file, then never returns."""
    with open(file + "~", "w") as out:
        out.write(str(os.getpid()))
    os.rename(file + "~", file)
    while True:
        time.sleep(3600)


def allocate(size):
    return len(bytearray(size))


def write_output(text):
    print(text, flush=True)
    return text


def fail(error):
    raise error


class Unpicklable(Exception):
    def __init__(self, first, second):
        super().__init__(first)


def fail_unpicklably():
    raise Unpicklable("first", "second")


def text_of(state):
    return state.text
