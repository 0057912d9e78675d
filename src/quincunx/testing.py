"""What every game must do, as one check: for the games there are, and for new ones."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any, cast

import numpy as np

import quincunx
from quincunx import search
from quincunx.contract import NAMES
from quincunx.draw.scene import ViewOptions
from quincunx.errors import BadOption, IllegalMove, MoveSyntax
from quincunx.game import Game, State, Step


def check_game(game: Game, games: int = 3, plies: int = 60, seed: int = 0) -> None:
    """Plays random games and asserts everything that must hold in any game.

    Raises AssertionError with the position's text and what does not hold.
    """
    _check_parts(game)
    dice = Random(seed)
    for number in range(games):
        first = game.start(seed=number)
        _must(first == game.start(seed=number), first, "the same seed gives the same start")
        for state in _random_game(first, plies, dice):
            check_state(state, dice)


def check_state(state: State, dice: Random | None = None) -> None:
    """Asserts everything that must hold in any position."""
    dice = dice or Random(0)
    _check_value(state)
    _check_scores(state)
    _check_picture(state)
    seat = _mover(state, dice)
    actions = state.actions(seat)
    _must(actions == sorted(set(actions)), state, "actions ascend, none twice")
    _must(bool(actions) != state.over, state, "there are legal actions until the game is over")
    _must(len(actions) <= state.game.kernel.MAX_LEGAL, state, "MAX_LEGAL is enough")
    _must(all(0 <= a < state.game.actions for a in actions), state, "actions are in the space")
    if actions:
        _check_sample(state, actions, 0 if seat is None and state.turn is None else seat, dice)
    moves = state.moves(seat)
    _must(moves == sorted(moves) and len(set(moves)) == len(actions), state, "a text per action")
    _check_clicks(state, moves)
    for action in dice.sample(actions, min(8, len(actions))):
        _check_action(state, action, seat)
    _check_refusals(state, seat)


def _check_parts(game: Game) -> None:
    """The kernel gives all names of the contract, and its constants fit each other."""
    for name in NAMES:
        assert hasattr(game.kernel, name), f"{game.name}: the kernel lacks {name}"
    kernel = game.kernel
    header = ("turn", "over", "stage", "ply", "rng")
    assert (kernel.STATE.names or ())[:5] == header, f"{game.name}: the header comes first"
    for name in kernel.STATE.names or ():
        # Uncompiled, a field of this name would be hidden by the method.
        assert not hasattr(np.record, name), f"{game.name}: numpy records have a method {name}"
    assert 1 <= game.seats <= kernel.SEATS, f"{game.name}: SEATS is the most seats"
    assert game.actions <= kernel.ACTIONS, f"{game.name}: ACTIONS is the largest action space"
    assert game.planes[0] <= kernel.PLANES[0], f"{game.name}: PLANES is the largest shape"
    rules = game.parts.rules
    assert len(rules.SEAT_NAMES) >= game.seats, f"{game.name}: every seat has a name"
    assert len(rules.LETTERS) >= game.seats, f"{game.name}: every seat has a letter"
    for option in rules.OPTIONS:
        assert option.description, f"{game.name}: option {option.name} says what it is"
        try:
            game.configured(**{option.name: "?"})
        except BadOption:
            continue
        raise AssertionError(f"{game.name}: option {option.name} takes any value")
    buttons = game.parts.layout.CONTROLS.buttons
    for part in ("word", "label", "key"):
        said = [getattr(button, part) for button in buttons]
        assert all(said), f"{game.name}: every button has a {part}"
        assert len(set(said)) == len(said), f"{game.name}: every button has its own {part}"
    assert all(button.about for button in buttons), f"{game.name}: every button says what it does"


def _random_game(state: State, plies: int, dice: Random) -> Iterator[State]:
    """The positions of a random game."""
    yield state
    while not state.over and state.ply < plies:
        seat = _mover(state, dice)
        state = state.act(dice.choice(state.actions(seat)), seat)
        yield state


def _mover(state: State, dice: Random) -> int | None:
    """The seat to name when moving: none where it is clear, any where anyone may move."""
    return dice.randrange(state.game.seats) if state.turn is None and not state.over else None


def _check_value(state: State) -> None:
    """A state is a value: text, bytes, copies and pickles give it back."""
    game = state.game
    _must(game.read(state.text).text == state.text, state, "the text reads back")
    packed = game.unpack(state.pack())
    _must(packed == state and packed.pack() == state.pack(), state, "the bytes read back")
    _must(pickle.loads(pickle.dumps(state)).pack() == state.pack(), state, "it pickles")
    _must(copy.deepcopy(state) == state == copy.copy(state), state, "it copies")
    _must(hash(copy.deepcopy(state)) == hash(state), state, "equal states hash alike")
    _must(eval(repr(state), {"quincunx": quincunx}) == state, state, "repr rebuilds it")
    _must(
        game.kernel.key(state._s) == game.kernel.key(packed._s), state, "equal states, equal keys"
    )


def _check_scores(state: State) -> None:
    """Turn, scores, winners and the evaluation agree with each other."""
    game, scores = state.game, state.scores
    _must(len(scores) == game.seats, state, "a score per seat")
    _must(state.turn is None or state.turn in range(game.seats), state, "turn is a seat")
    _must(not (state.over and state.turn is not None), state, "nobody's turn when over")
    if state.winners:
        _must(state.over and game.seats > 1, state, "winners only at the end, not in solo games")
        _must(all(scores[w] == max(scores) for w in state.winners), state, "winners score best")
    for seat in range(game.seats):
        value = state.evaluate(seat)
        _must(-1.0 <= value <= 1.0, state, f"the evaluation {value} is within -1..1")
        hidden = state.hidden(seat, seed=1)
        _must(hidden.text == state.hidden(seat, seed=2).text, state, "hide keeps what is seen")
        _must(
            hidden.hidden(seat, 5).pack() == state.hidden(seat, 5).pack(), state, "hide hides all"
        )
        planes = state.observe(seat)
        _must(bool(np.isfinite(planes).all()), state, "observations are finite")
        _must(bool((planes == hidden.observe(seat)).all()), state, "nothing hidden is observed")
        _must(hidden.evaluate(seat) == value, state, "nothing hidden is evaluated")


def _check_picture(state: State) -> None:
    """The scene is sound, and shows the last move only when asked to."""
    scene = state.scene()
    _must(bool(scene.shapes) and scene.w > 0 and scene.h > 0, state, "there is a picture")
    _must(bool(state.status), state, "there is a line of status")
    without = State(state.game, state._s).scene()
    _must(
        state.scene(ViewOptions(last=False)).shapes == without.shapes,
        state,
        "without the last move the picture is that of the position",
    )


def _check_action(state: State, action: int, seat: int | None) -> None:
    """An action and its text are the same move; playing it leaves the state as it was."""
    before = state.pack()
    text = state.move(action)
    _must(state.action(text, seat) == action, state, f"{text!r} reads back as {action}")
    after = state.act(action, seat)
    _must(state.pack() == before, state, "playing does not change the state")
    _must(after.ply == state.ply + 1, state, "a play is one ply")
    _must(after.pack() == state.play(text, seat).pack(), state, "act and play agree")
    steps: list[Step] = state.steps(text, seat)
    _must(steps[-1].pack() == after.pack(), state, f"the steps of {text!r} end where play ends")
    _must(all(step.event for step in steps[:-1]), state, "every step says what happened")
    _must(not any(step.actions(0) for step in steps[:-1]), state, "nobody moves in between")
    _check_ways(state, steps)
    first, *more = state.game.parts.layout.clicks(text)
    _must(first in _clickable(state, ViewOptions(targets=True)), state, f"{first!r} can be clicked")
    picked = _clickable(state, ViewOptions(picked=first))
    _must(all(name in picked for name in more), state, f"{text!r} can be clicked to its end")


def _check_ways(state: State, steps: list[Step]) -> None:
    """What moves in a play is there before and after it moved."""
    for before, step in zip([state, *steps], steps, strict=False):
        ways = state.game.parts.layout.paths(before, step, flip=False)
        if ways:
            there, then = _ids(before), _ids(step)
            _must(all(way.old_id in there for way in ways), state, "what moves was there")
            _must(all(way.new_id in then for way in ways), state, "what moved is still there")


def _ids(state: State) -> set[str]:
    """What tells the shapes of a picture apart."""
    ids = [shape.id for shape in state.scene(ViewOptions(side_panel=False)).shapes if shape.id]
    _must(len(ids) == len(set(ids)), state, "no two shapes have one id")
    return set(ids)


def _check_clicks(state: State, moves: list[str]) -> None:
    """On a page every click of every move is a shape or, as controls say, a button."""
    layout = state.game.parts.layout
    buttons = {button.word: button.after for button in layout.CONTROLS.buttons}
    shapes = _clickable(state, ViewOptions(side_panel=False))
    for move in moves:
        for place, name in enumerate(layout.clicks(move)):
            there = buttons[name] == (place > 0) if name in buttons else name in shapes
            _must(there, state, f"{name!r} of {move!r} can be clicked on a page")


def _clickable(state: State, view: ViewOptions) -> set[str]:
    """The names that can be clicked in a picture."""
    return {name for shape in state.scene(view).shapes for name in shape.cell.split()}


def _check_sample(state: State, actions: list[int], seat: int | None, dice: Random) -> None:
    """Where dice fall among the legal actions, search finds the same action."""
    kernel = state.game.kernel
    room = np.empty(kernel.MAX_LEGAL, np.int32)
    sample = search.compiled(cast(ModuleType, kernel)).sample
    for fallen in (0, 2**32 - 1, dice.getrandbits(32)):
        found = sample(state._s, state.acting_seat(seat), room, np.uint64(fallen))
        right = actions[fallen * len(actions) >> 32]
        _must(found == right, state, f"dice of {fallen} find {found} instead of {right}")


def _check_refusals(state: State, seat: int | None) -> None:
    """Nonsense and illegal actions are refused with the right error."""
    _refuses(state, MoveSyntax, lambda: state.play("?!", seat), "nonsense is MoveSyntax")
    _refuses(state, IllegalMove, lambda: state.act(-1, seat), "no action is below 0")
    _refuses(state, BadOption, lambda: state.moves(state.game.seats), "no seat beyond the last")
    if state.turn is not None and state.game.seats > 1:
        other = (state.turn + 1) % state.game.seats
        _must(state.moves(other) == [], state, "only whose turn it is may move")
        move = state.moves()[0]
        _refuses(state, IllegalMove, lambda: state.play(move, other), "others may not move")


def _refuses(state: State, error: type[Exception], call: Any, what: str) -> None:
    try:
        call()
    except error:
        return
    _must(False, state, what)


def _must(holds: bool, state: State, what: str) -> None:
    if not holds:
        raise AssertionError(f"{state.game!r}: {what}\n{state.text}\n\n{state}")
