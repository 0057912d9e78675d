"""Requirements on every game, and robustness against arbitrary texts."""

import contextlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quincunx.errors import BadPosition, IllegalMove, MoveSyntax
from quincunx.registry import BUILT_IN, game
from quincunx.testing import check_game

VARIANTS = [
    *((name, {}) for name in BUILT_IN),
    ("sphero", {"players": 2, "order": "turns"}),
    ("sphero", {"players": 6, "limit": 40}),
    ("onoro", {"pawns": 3}),
    ("blocky", {"depth": 1, "players": 1}),
    ("blocky", {"depth": 6, "players": 4, "goals": "mixed", "turns": 3}),
    ("wzlz", {"show_next_balls": False}),
    ("wzlz", {"variant": "lines98"}),
    ("wzlz", {"rows": 16, "cols": 3, "match_length": 3, "colors_count": 3}),
    ("quorum", {"repetition": 0}),
]

# The characters of the games' texts, so that random strings resemble valid ones.
ALPHABET = "0123456789/.,-:;@>() \nrgbywRGBNMYCAWPOabcdefghplcesmhvk*"
MANY_STRINGS = 1_000_000


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_check_game_passes(name, options):
    # Options are tested by less play than the game itself.
    games, plies = (1, 25) if options else (2, 40)
    check_game(game(name, **options), games, plies)


@pytest.mark.modes
def test_check_game_passes_in_every_mode(any_game):
    check_game(any_game, games=1, plies=6, variants=0)  # uncompiled code is slow


@pytest.mark.parametrize("name", BUILT_IN)
@given(text=st.one_of(st.text(), st.text(ALPHABET), st.binary().map(lambda b: b.decode("latin1"))))
def test_any_text_is_read_or_rejected(name, text):
    feed(game(name), START[name], text)


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize(
    "strings", [MANY_STRINGS // 10, pytest.param(MANY_STRINGS, marks=pytest.mark.heavy)]
)
def test_random_strings(name, strings):
    rng = random.Random(name)
    the_game, state = game(name), START[name]
    seeds = [state.text, *state.moves(0 if state.turn is None else None)[:20]]
    for _ in range(strings // len(BUILT_IN) // 2):
        length = min(int(rng.expovariate(0.1)), 200)
        feed(the_game, state, "".join(rng.choices(ALPHABET, k=length)))
        feed(the_game, state, damaged(rng.choice(seeds), rng))


def damaged(text, rng):
    """Returns a valid text with a few characters changed, removed or doubled."""
    characters = list(text)
    for _ in range(rng.randint(1, 3)):
        i = rng.randrange(len(characters) + 1)
        characters[i : i + rng.randint(0, 2)] = rng.choices(ALPHABET, k=rng.randint(0, 2))
    return "".join(characters)


def feed(the_game, state, text):
    """Reads a text as a position and as a move; only the documented errors may be raised."""
    try:
        position = the_game.read(text)
    except BadPosition:
        pass
    else:
        assert the_game.read(position.text).text == position.text, text
        position.moves(0)
    with contextlib.suppress(MoveSyntax, IllegalMove):
        state.play(text, 0 if state.turn is None else None)


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize(
    "junk",
    ["(" * 10**6, "/" * 10**6, "9" * 10**6, "1," * 5 * 10**5, " " * 10**6, "R" * 10**6, "\0"],
)
def test_a_megabyte_of_junk_is_rejected(name, junk):
    with pytest.raises(BadPosition):
        game(name).read(junk)
    with pytest.raises((MoveSyntax, IllegalMove)):
        START[name].play(junk, 0 if START[name].turn is None else None)


class _Starts(dict):
    """Returns the initial position of a game, cached."""

    def __missing__(self, name):
        self[name] = game(name).start(seed=0)
        return self[name]


START = _Starts()
