"""Pictures on the wire: keys that stay, ways that fit, deltas that can be undone."""

import json
import re
from collections.abc import Iterator
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quincunx.draw import animation as animation_module
from quincunx.draw.animation import Animation, Picture, delta, patched, picture
from quincunx.game import State, Step
from quincunx.registry import game, games

shapes = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(["<g/>", "<path/>", "<g></g>"])),
    unique_by=lambda shape: shape[0],
)
pictures = st.builds(
    lambda box, shapes, status: {
        "box": [box],
        "defs": "",
        "shapes": [list(shape) for shape in shapes],
        "title": "A game",
        "status": status,
    },
    st.integers(0, 1),
    shapes,
    st.text(max_size=3),
)

GAMES = [
    *((name, {}) for name in games()),
    ("sphero", {"players": 2, "order": "turns"}),
    ("onoro", {"pawns": 3}),
    ("blocky", {"depth": 2, "players": 1}),
    ("blocky", {"depth": 5, "players": 4, "goals": "mixed"}),
    ("wzlz", {"variant": "lines98"}),
    ("wzlz", {"rows": 3, "cols": 12, "show_next_balls": False, "initial_balls": 4}),
]
each_game = pytest.mark.parametrize(
    ("name", "options"), GAMES, ids=[" ".join((n, *map(str, o.values()))) for n, o in GAMES]
)


def plays(
    name: str, options: dict[str, object], count: int = 30
) -> Iterator[tuple[State, list[Step]]]:
    """The positions of a random game, and the steps of the play made in each."""
    dice, state = Random(5), game(name, **options).start(seed=5)
    while not state.over and state.ply < count:
        seat = dice.randrange(state.game.seats) if state.turn is None else None
        move = dice.choice(state.moves(seat))
        yield state, state.steps(move, seat)
        state = state.play(move, seat)


def places(seen: Picture) -> dict[str, tuple[float, float]]:
    """The middle of every shape that can have a way."""
    found = {}
    for key, text in seen["shapes"]:
        if at := re.match(r'<g transform="translate\((\S+) (\S+)\)"', text):
            found[key] = (float(at[1]), float(at[2]))
        elif at := re.search(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"', text):
            x, y, w, h = map(float, at.groups())
            found[key] = (x + w / 2, y + h / 2)
    return found


@given(pictures, pictures)
def test_a_delta_makes_the_new_picture_of_the_old_one(old: Picture, new: Picture) -> None:
    change = json.loads(json.dumps(delta(old, new)))
    assert patched(old, change) == new


def test_a_delta_of_little_change_is_small() -> None:
    old = picture(game("quorum").start())
    assert delta(old, old)["shapes"] == [[0, len(old["shapes"])]]
    assert "box" not in delta(old, old)


@each_game
@pytest.mark.parametrize("flip", [False, True])
def test_frames_lead_from_picture_to_picture(
    name: str, options: dict[str, object], flip: bool
) -> None:
    animation = None
    for state, steps in plays(name, options):
        animation = animation or Animation(state, flip)
        before = seen = animation.picture
        standing = places(before)
        for frame in animation.play(steps):
            seen = patched(seen, frame["picture"])
            keys = [key for key, _ in seen["shapes"]]
            assert len(keys) == len(set(keys))
            now = places(seen)
            for key, way in frame["ways"].items():
                assert way[0] == pytest.approx(standing[key], abs=0.1)
                assert way[-1] == pytest.approx(now[key], abs=0.1)
            moved = {key for key in standing.keys() & now if standing[key] != now[key]}
            pieces = {key for key in moved if ":" not in key}
            assert pieces <= frame["ways"].keys(), "pieces never jump without a way"
            standing = now
        assert seen == animation.picture
        by_itself = picture(steps[-1], flip)
        assert [text for _, text in seen["shapes"]] == [text for _, text in by_itself["shapes"]]
        assert seen["status"] == by_itself["status"] == steps[-1].status


@each_game
def test_every_shape_is_one_element_fit_for_a_strict_page(
    name: str, options: dict[str, object]
) -> None:
    for state, _ in plays(name, options, 8):
        seen = picture(state)
        for text in (seen["defs"], *(text for _, text in seen["shapes"])):
            root = ElementTree.fromstring(text)
            for element in root.iter():
                assert element.tag not in ("script", "style", "title")
                assert not [a for a in element.attrib if a == "style" or a.startswith("on")]
                assert (element.get("id") is None) or element.tag == "radialGradient"
        used = set(re.findall(r"url\(#([^)]+)\)", json.dumps(seen["shapes"])))
        assert used <= set(re.findall(r'id="([^"]+)"', seen["defs"]))


def test_a_piece_keeps_its_key_and_a_new_one_has_its_own() -> None:
    state = game("quorum").start()
    animation = Animation(state)
    for move in ("a1e3", "h8d6", "place"):
        animation.play(state.steps(move))
        state = state.play(move)
    keys = {key: text for key, text in animation.picture["shapes"] if 'class="piece"' in text}
    assert 'data-cell="e3"' in keys["a1"]
    assert 'data-cell="a1"' in keys["a1~2"]


def test_a_long_play_is_told_in_few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    state, steps = max(plays("sphero", {}, 80), key=lambda play: len(play[1]))
    assert len(steps) > 8
    monkeypatch.setattr(animation_module, "MOST", 3)
    animation = Animation(state)
    seen, standing = animation.picture, places(animation.picture)
    told = animation.play(steps)
    assert len(told) <= 3
    for frame in told:
        seen = patched(seen, frame["picture"])
        for key, way in frame["ways"].items():
            assert len(way) <= animation_module.TURNS
            assert way[-1] == pytest.approx(places(seen)[key], abs=0.1)
            assert key not in standing or way[0] == pytest.approx(standing[key], abs=0.1)
        standing = places(seen)
    assert seen == animation.picture
