"""Players that misbehave in their third turn, used as `tests.arena.bad_players:Crash`."""

import ctypes
import os
import time


class Plain:
    """Plays the first legal action and does not misbehave; the others derive from it."""

    def __init__(self, game, seed):
        self.turns = 0

    def choose(self, state, seat=None):
        self.turns += 1
        return self.third_choice(state, seat) if self.turns == 3 else state.actions(seat)[0]

    def third_choice(self, state, seat):
        return state.actions(seat)[0]


class Crash(Plain):
    def third_choice(self, state, seat):
        raise RuntimeError('out of "ideas"\nand of luck')


class Exit(Plain):
    def third_choice(self, state, seat):
        raise SystemExit(3)


class Die(Plain):
    def third_choice(self, state, seat):
        os._exit(7)


class Segfault(Plain):
    def third_choice(self, state, seat):
        ctypes.string_at(0)


class Sleep(Plain):
    def third_choice(self, state, seat):
        time.sleep(3600)


class Illegal(Plain):
    def third_choice(self, state, seat):
        return 10**6


class Nothing(Plain):
    def third_choice(self, state, seat):
        return None


class CrashInInit(Plain):
    def __init__(self, game, seed):
        raise ValueError("no")


class Slow(Plain):
    """Sleeps before each move, and writes a line to a log for every game."""

    def __init__(self, game, seed):
        super().__init__(game, seed)
        with open(os.environ["QUINCUNX_TEST_LOG"], "a") as log:
            log.write(f"{seed}\n")

    def choose(self, state, seat=None):
        time.sleep(float(os.environ["QUINCUNX_TEST_PAUSE"]))
        return super().choose(state, seat)


class Chatter(Plain):
    """Prints to standard output, which is allowed."""

    def choose(self, state, seat=None):
        print('{"done": "ha"}', flush=True)
        os.write(1, b"more\n")
        return super().choose(state, seat)
