"""Players that do wrong, each in its own way, named as in `tests.arena.bad_players:Crash`."""

import ctypes
import os
import time


class Plain:
    """Plays the first legal action, and would be of no interest."""

    def __init__(self, game, seed):
        self.turns = 0

    def choose(self, state, seat=None):
        self.turns += 1
        return self.wrong(state, seat) if self.turns == 3 else state.actions(seat)[0]

    def wrong(self, state, seat):
        return state.actions(seat)[0]


class Crash(Plain):
    def wrong(self, state, seat):
        raise RuntimeError('out of "ideas"\nand of luck')


class Exit(Plain):
    def wrong(self, state, seat):
        raise SystemExit(3)


class Die(Plain):
    def wrong(self, state, seat):
        os._exit(7)


class Segfault(Plain):
    def wrong(self, state, seat):
        ctypes.string_at(0)


class Sleep(Plain):
    def wrong(self, state, seat):
        time.sleep(3600)


class Illegal(Plain):
    def wrong(self, state, seat):
        return 10**6


class Nothing(Plain):
    def wrong(self, state, seat):
        return None


class Unborn(Plain):
    def __init__(self, game, seed):
        raise ValueError("no")


class Slow(Plain):
    """Takes its time, and signs a book for every game."""

    def __init__(self, game, seed):
        super().__init__(game, seed)
        with open(os.environ["QUINCUNX_TEST_BOOK"], "a") as book:
            book.write(f"{seed}\n")

    def choose(self, state, seat=None):
        time.sleep(float(os.environ["QUINCUNX_TEST_PAUSE"]))
        return super().choose(state, seat)


class Chatter(Plain):
    """Prints a lot, and that is no crime."""

    def choose(self, state, seat=None):
        print('{"done": "ha"}', flush=True)
        os.write(1, b"more\n")
        return super().choose(state, seat)
