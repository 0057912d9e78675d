"""Pictures for the web client: stable keys, paths of moving shapes, and deltas."""

import json
import re
from collections.abc import Iterator
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quincunx.draw import animation as animation_module
from quincunx.draw.animation import (
    MAX_EVENTS,
    Animation,
    Picture,
    apply_delta,
    delta,
    page_picture,
)
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


def moves(
    name: str, options: dict[str, object], count: int = 30
) -> Iterator[tuple[State, list[Step]]]:
    """Yields the positions of a random game, and the steps of the move made in each."""
    rng, state = Random(5), game(name, **options).start(seed=5)
    while not state.over and state.ply < count:
        seat = rng.randrange(state.game.seats) if state.turn is None else None
        move = rng.choice(state.moves(seat))
        yield state, state.steps(move, seat)
        state = state.play(move, seat)


def positions(shown: Picture) -> dict[str, tuple[float, float]]:
    """Returns the middle of every shape that can move, by key."""
    middles = {}
    for key, text in shown["shapes"]:
        if match := re.match(r'<g transform="translate\((\S+) (\S+)\)"', text):
            middles[key] = (float(match[1]), float(match[2]))
        elif match := re.search(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"', text):
            x, y, w, h = map(float, match.groups())
            middles[key] = (x + w / 2, y + h / 2)
    return middles


@given(pictures, pictures)
def test_a_delta_turns_the_old_picture_into_the_new_one(old: Picture, new: Picture) -> None:
    change = json.loads(json.dumps(delta(old, new)))
    assert apply_delta(old, change) == new


def test_a_delta_without_changes_is_one_run() -> None:
    old = page_picture(game("quorum").start())
    assert delta(old, old)["shapes"] == [(0, len(old["shapes"]))]
    assert "box" not in delta(old, old)


@each_game
@pytest.mark.parametrize("flip", [False, True])
def test_frames_lead_from_picture_to_picture(
    name: str, options: dict[str, object], flip: bool
) -> None:
    animation = None
    for state, steps in moves(name, options):
        animation = animation or Animation(state, flip)
        shown = animation.picture
        before = positions(shown)
        for frame in animation.play(steps):
            shown = apply_delta(shown, frame["picture"])
            keys = [key for key, _ in shown["shapes"]]
            assert len(keys) == len(set(keys))
            now = positions(shown)
            for key, points in frame["ways"].items():
                assert points[0] == pytest.approx(before[key], abs=0.1)
                assert points[-1] == pytest.approx(now[key], abs=0.1)
            moved = {key for key in before.keys() & now if before[key] != now[key]}
            pieces = {key for key in moved if ":" not in key}
            assert pieces <= frame["ways"].keys(), "every moved piece has a path"
            before = now
        assert shown == animation.picture
        single = page_picture(steps[-1], flip)
        assert [text for _, text in shown["shapes"]] == [text for _, text in single["shapes"]]
        assert shown["status"] == single["status"] == steps[-1].status


@each_game
def test_every_shape_is_one_element_without_scripts_or_styles(
    name: str, options: dict[str, object]
) -> None:
    for state, _ in moves(name, options, 8):
        shown = page_picture(state)
        for text in (shown["defs"], *(text for _, text in shown["shapes"])):
            root = ElementTree.fromstring(text)
            for element in root.iter():
                assert element.tag not in ("script", "style", "title")
                assert not [a for a in element.attrib if a == "style" or a.startswith("on")]
                assert (element.get("id") is None) or element.tag == "radialGradient"
        used = set(re.findall(r"url\(#([^)]+)\)", json.dumps(shown["shapes"])))
        assert used <= set(re.findall(r'id="([^"]+)"', shown["defs"]))


def test_a_moved_piece_retains_its_key_and_a_new_one_gets_another() -> None:
    state = game("quorum").start()
    animation = Animation(state)
    for move in ("a1e3", "h8d6", "place"):
        animation.play(state.steps(move))
        state = state.play(move)
    keys = {key: text for key, text in animation.picture["shapes"] if 'class="piece"' in text}
    assert 'data-cell="e3"' in keys["a1"]
    assert 'data-cell="a1"' in keys["a1~2"]


def full_board(valence: int) -> State:
    """Returns a position of Sphero in which a move has thousands of events."""
    rows = (
        "".join(
            "A"
            if x == y == 0
            else "RYB"[(x * x + 3 * y) % 3]
            if abs(x) + abs(y) <= valence
            else "."
            for x in range(-valence, valence + 1)
        )
        for y in range(valence, -valence - 1, -1)
    )
    return game("sphero", players=3).read("/".join(rows))


def test_after_the_first_events_of_a_very_long_move_the_final_board_follows() -> None:
    state = full_board(19)
    action = state.actions(0)[0]
    steps = state.apply_in_steps(action, 0, MAX_EVENTS)
    assert [bool(step.event) for step in steps] == [True] * MAX_EVENTS + [False]
    assert steps[-1] == state.act(action, 0)
    animation = Animation(state)
    shown = animation.picture
    for frame in animation.play(steps):
        shown = apply_delta(shown, frame["picture"])
    assert shown == animation.picture
    assert [text for _, text in shown["shapes"]] == [
        text for _, text in page_picture(state.act(action, 0))["shapes"]
    ]


def test_a_limit_of_events_does_not_change_shorter_moves() -> None:
    for state, steps in moves("sphero", {}, 20):
        mover, move = steps[-1].last or (0, "")
        limited = state.apply_in_steps(state.action(move, mover), mover, len(steps) - 1)
        assert [(step.event, step.cells, step) for step in limited] == [
            (step.event, step.cells, step) for step in steps
        ]


def test_the_frames_of_a_long_move_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    state, steps = max(moves("sphero", {}, 80), key=lambda move: len(move[1]))
    assert len(steps) > 8
    monkeypatch.setattr(animation_module, "MAX_FRAMES", 3)
    animation = Animation(state)
    shown, before = animation.picture, positions(animation.picture)
    frames = animation.play(steps)
    assert len(frames) <= 3
    for frame in frames:
        shown = apply_delta(shown, frame["picture"])
        for key, points in frame["ways"].items():
            assert len(points) <= animation_module.MAX_POINTS_OF_JOINED_PATH
            assert points[-1] == pytest.approx(positions(shown)[key], abs=0.1)
            assert key not in before or points[0] == pytest.approx(before[key], abs=0.1)
        before = positions(shown)
    assert shown == animation.picture
