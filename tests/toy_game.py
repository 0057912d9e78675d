"""A tiny game with nothing but what the contract requires: take one to three of seven stones.

`make_game` builds a module of its own for every game, so that tests can change one function.
"""

import re
from types import ModuleType, SimpleNamespace

import numpy as np

from quincunx.draw.scene import Controls, Disc, Rect, Scene
from quincunx.errors import BadPosition, MoveSyntax
from quincunx.game import Game, Parts
from quincunx.jit import jit
from quincunx.position import HEADER, NOBODY, init_header, mix

STATE = np.dtype([*HEADER, ("winner", "i1"), ("left", "i1")])


@jit
def start(s, options, seed):
    init_header(s, seed)
    s.winner = NOBODY
    s.left = 7


@jit
def legal(s, seat, out):
    n = 0
    if not s.over and seat == s.turn:
        n = min(3, s.left)
        for i in range(n):
            out[i] = i
    return n


@jit
def apply(s, seat, action):
    s.left -= action + 1
    s.turn = 1 - seat
    s.ply += 1
    if s.left == 0:
        s.over = 1
        s.winner = seat


@jit
def key(s):
    return mix(np.uint64(s.left) * np.uint64(2) + np.uint64(s.turn))


@jit
def observe(s, seat, planes):
    for i in range(7):
        planes[0, 0, i] = i < s.left


def read(game, text, s):
    match = re.fullmatch("([0-7]) ([wb])", text)
    if not match:
        raise BadPosition(text, "expected the number of stones, 0 to 7, and w or b")
    s.left, s.turn = int(match[1]), "wb".index(match[2])
    if s.left == 0:
        s.over, s.winner = 1, 1 - s.turn


def write(game, s):
    return f"{s.left} {'wb'[s.turn]}"


def parse_move(game, s, text):
    if not re.fullmatch("[1-3]", text.strip()):
        raise MoveSyntax(text, "1, 2 or 3")
    return int(text) - 1


def format_move(game, s, action):
    return str(action + 1)


def scene(state, view):
    cells = [Rect(i, 0, 1, 1, "board", "line", cell=str(i + 1), glyph="·") for i in range(7)]
    stones = [Disc(i + 0.5, 0.5, 0.3, "accent") for i in range(state.position.left)]
    return Scene(-0.1, -0.1, 7.2, 1.2, (*cells, *stones), state.game.title, state.status)


def kernel_names():
    return {
        "STATE": STATE,
        "ACTIONS": 3,
        "PLANES": (1, 1, 7),
        **{f.__name__: f for f in (start, legal, apply, key, observe)},
    }


def make_game(name="stones", module="", rules=None, without=(), **changes):
    """Returns the game; `changes` replace functions of its kernel, `without` leaves some out."""
    kernel = ModuleType(module or f"{name}_package.kernel")
    vars(kernel).update({**kernel_names(), **changes})
    for missing in without:
        delattr(kernel, missing)
    notation = SimpleNamespace(
        MOVE_FORM="1, 2 or 3",
        read=read,
        write=write,
        parse_move=parse_move,
        format_move=format_move,
    )
    layout = SimpleNamespace(
        CONTROLS=Controls(),
        scene=scene,
        clicks=lambda move: (move,),
        paths=lambda before, step, flip: [],
    )
    texts = {"NAME": name, "SUMMARY": "Take the last stone.", **(rules or {})}
    return Game(Parts(kernel, SimpleNamespace(**texts), notation, layout))
