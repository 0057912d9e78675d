"""A conformance check for games: everything the package requires of a game."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

import quincunx
from quincunx.contract import SCORE, SHARED_WIN, WIN_OR_DRAW
from quincunx.draw.scene import ViewOptions
from quincunx.errors import BadOption, IllegalMove, MoveSyntax
from quincunx.game import Game, State, Step
from quincunx.kernel_checks import check_compiled, check_kernel, violations
from quincunx.phrases import YOU


def check_game(game: Game, games: int = 3, plies: int = 60, seed: int = 0) -> None:
    """Plays random games and checks every requirement of the contract.

    Raises AssertionError with the violated requirement and the position.
    """
    _check_parts(game)
    _check_traits(game)
    rng = Random(seed)
    for number in range(games):
        first = game.start(seed=number)
        _must(
            first == game.start(seed=number), first, "the same seed gives the same initial position"
        )
        for state in _random_game(first, plies, rng):
            check_state(state, rng)
    check_compiled(game)


def check_state(state: State, rng: Random | None = None) -> None:
    """Checks every requirement that concerns one position."""
    rng = rng or Random(0)
    _check_value(state)
    _check_scores(state)
    _check_declared_absent(state)
    _check_phrases(state)
    _check_picture(state)
    seat = _seat_argument(state, rng)
    actions = state.actions(seat)
    _must(actions == sorted(set(actions)), state, "actions are ascending and unique")
    _must(bool(actions) != state.over, state, "legal actions exist exactly until the game is over")
    _must(len(actions) <= state.game.kernel.MAX_LEGAL, state, "MAX_LEGAL is not exceeded")
    _must(
        all(0 <= a < state.game.actions for a in actions), state, "actions are in the action space"
    )
    for requirement in violations(state, rng):
        _must(False, state, requirement)
    moves = state.moves(seat)
    _must(
        moves == sorted(moves) and len(set(moves)) == len(actions),
        state,
        "every action has a unique move text",
    )
    _check_clicks(state, moves)
    for action in rng.sample(actions, min(8, len(actions))):
        _check_action(state, action, seat)
    _check_errors(state, seat)


def _check_parts(game: Game) -> None:
    """Checks the kernel, the seats, the options and the buttons."""
    check_kernel(game)
    rules = game.parts.rules
    assert len(rules.SEAT_NAMES) >= game.seats, f"{game.name}: every seat needs a name"
    assert len(rules.LETTERS) >= game.seats, f"{game.name}: every seat needs a letter"
    for option in rules.OPTIONS:
        assert option.description, f"{game.name}: option {option.name} needs a description"
        try:
            game.configured(**{option.name: "?"})
        except BadOption:
            continue
        raise AssertionError(f"{game.name}: option {option.name} must reject invalid values")
    buttons = game.parts.layout.CONTROLS.buttons
    for field in ("word", "label", "key"):
        values = [getattr(button, field) for button in buttons]
        assert all(values), f"{game.name}: every button needs a {field}"
        assert len(set(values)) == len(values), f"{game.name}: {field} of buttons must be unique"
    assert all(button.about for button in buttons), f"{game.name}: every button needs a description"


def _check_traits(game: Game) -> None:
    """Checks that the declared traits are true of the initial positions and of other options."""
    traits, outcomes = game.traits, (WIN_OR_DRAW, SHARED_WIN, SCORE)
    assert traits.outcome in outcomes, (
        f"{game.name}: outcome {traits.outcome!r}; expected one of {', '.join(outcomes)}"
    )
    assert (traits.outcome == SCORE) == (game.seats == 1), (
        f"{game.name}: the outcome is SCORE in solo games and only there"
    )
    starts = {game.start(seed=seed).text for seed in range(16)}
    assert traits.random_start == (len(starts) > 1), (
        f"{game.name}: random_start is {traits.random_start}, "
        f"but 16 seeds give {len(starts)} initial positions"
    )
    unattended = game.configured(**traits.unattended).traits
    assert not unattended.simultaneous, f"{game.name}: in unattended play, seats move in turn"
    if live := game.parts.layout.CONTROLS.live:
        assert game.configured(**dict([live])).traits.simultaneous, (
            f"{game.name}: with {'='.join(live)} any seat may move, so it must be simultaneous"
        )


def _check_declared_absent(state: State) -> None:
    """Checks that a position has nothing that the traits exclude, and a turn if they say so."""
    game, traits = state.game, state.game.traits
    _must(
        state.over or traits.simultaneous == (state.turn is None),
        state,
        "anyone may move exactly where the game is simultaneous",
    )
    if state.over and traits.outcome == WIN_OR_DRAW:
        results = (1.0, *[0.0] * (game.seats - 1)), (1 / game.seats,) * game.seats
        _must(
            tuple(sorted(state.scores, reverse=True)) in results,
            state,
            "the result is a win or a draw",
        )
    for seat in range(game.seats):
        first, second = (state.hidden(seat, seed) for seed in (1, 2))
        _must(
            traits.hidden or _same_but_generator(first, second),
            state,
            "only the generator is hidden if the game has no hidden information",
        )
        if traits.chance or traits.hidden:
            continue
        for action in state.actions(seat)[:2]:
            _must(
                _same_but_generator(first.apply(action, seat), second.apply(action, seat)),
                state,
                f"action {action} has no random consequences in a game without chance",
            )


def _same_but_generator(first: State, second: State) -> bool:
    """Returns True if two positions differ at most in their random generators."""
    a, b = first.position.copy(), second.position.copy()
    a.rng = b.rng = 0
    return bool(a.tobytes() == b.tobytes())


def _check_phrases(state: State) -> None:
    """Checks that the status has texts, also for the seat to move, and that passing is legal."""
    game, phrase = state.game, state.status_phrase
    _must(bool(state.status), state, "the status is not empty")
    _must(
        state.over or phrase.code + YOU in game.texts,
        state,
        f"the status {phrase.code!r} has a text {phrase.code + YOU!r} for the seat to move",
    )
    passing = game.parts.rules.PASS
    _must(
        state.over or passing is None or passing in state.actions(), state, "PASS is always legal"
    )


def _random_game(state: State, plies: int, rng: Random) -> Iterator[State]:
    """Yields the positions of a random game."""
    yield state
    while not state.over and state.ply < plies:
        seat = _seat_argument(state, rng)
        state = state.act(rng.choice(state.actions(seat)), seat)
        yield state


def _seat_argument(state: State, rng: Random) -> int | None:
    """Returns the seat to pass to `act` or `play`: random where anyone may move, else None."""
    return rng.randrange(state.game.seats) if state.turn is None and not state.over else None


def _check_value(state: State) -> None:
    """Checks that a state survives text, bytes, copies and pickles unchanged."""
    game = state.game
    _must(game.read(state.text).text == state.text, state, "reading the text gives the same text")
    packed = game.unpack(state.pack())
    _must(
        packed == state and packed.pack() == state.pack(),
        state,
        "unpacking the bytes gives the same state",
    )
    _must(
        pickle.loads(pickle.dumps(state)).pack() == state.pack(),
        state,
        "pickling preserves the state",
    )
    _must(copy.deepcopy(state) == state == copy.copy(state), state, "copies are equal")
    _must(hash(copy.deepcopy(state)) == hash(state), state, "equal states have equal hashes")
    _must(
        eval(repr(state), {"quincunx": quincunx}) == state,
        state,
        "evaluating repr gives an equal state",
    )
    _must(
        game.kernel.key(state.position) == game.kernel.key(packed.position),
        state,
        "equal states have equal keys",
    )


def _check_scores(state: State) -> None:
    """Checks that turn, scores, winners and evaluation are consistent."""
    game, scores = state.game, state.scores
    _must(len(scores) == game.seats, state, "there is one score per seat")
    _must(state.turn is None or state.turn in range(game.seats), state, "turn is a valid seat")
    _must(not (state.over and state.turn is not None), state, "turn is None when the game is over")
    if state.winners:
        _must(
            state.over and game.seats > 1,
            state,
            "there are winners only at the end and not in solo games",
        )
        _must(
            all(scores[w] == max(scores) for w in state.winners),
            state,
            "winners have the best score",
        )
    for seat in range(game.seats):
        value = state.evaluate(seat)
        _must(-1.0 <= value <= 1.0, state, f"the evaluation {value} is within -1..1")
        hidden = state.hidden(seat, seed=1)
        _must(
            hidden.text == state.hidden(seat, seed=2).text,
            state,
            "hide does not change visible information",
        )
        _must(
            hidden.hidden(seat, 5).pack() == state.hidden(seat, 5).pack(),
            state,
            "hide depends on visible information only",
        )
        planes = state.observe(seat)
        _must(bool(np.isfinite(planes).all()), state, "observations are finite")
        _must(
            bool((planes == hidden.observe(seat)).all()),
            state,
            "observations contain no hidden information",
        )
        _must(hidden.evaluate(seat) == value, state, "the evaluation uses no hidden information")


def _check_picture(state: State) -> None:
    """Checks the scene, and that it marks the last move only on request."""
    scene = state.scene()
    _must(
        bool(scene.shapes) and scene.w > 0 and scene.h > 0, state, "the scene has shapes and a size"
    )
    without_last = State(state.game, state.position).scene()
    _must(
        state.scene(ViewOptions(last=False)).shapes == without_last.shapes,
        state,
        "with last=False the scene depends on the position only",
    )


def _check_action(state: State, action: int, seat: int | None) -> None:
    """Checks that an action and its text are the same move, and its steps, paths and clicks."""
    before = state.pack()
    text = state.move(action)
    _must(state.action(text, seat) == action, state, f"parsing {text!r} gives action {action}")
    after = state.act(action, seat)
    _must(state.pack() == before, state, "playing does not modify the state")
    _must(after.ply == state.ply + 1, state, "a move increments ply by one")
    _must(after.pack() == state.play(text, seat).pack(), state, "act and play agree")
    steps: list[Step] = state.steps(text, seat)
    _must(
        steps[-1].pack() == after.pack(), state, f"the last step of {text!r} is what play returns"
    )
    _must(all(step.event for step in steps[:-1]), state, "every step but the last has an event")
    _must(
        not any(step.actions(seat) for step in steps[:-1] for seat in range(state.game.seats)),
        state,
        "no seat can move between steps",
    )
    _check_paths(state, steps)
    first, *more = state.game.parts.layout.clicks(text)
    buttons = {button.word for button in state.game.parts.layout.CONTROLS.buttons}
    clickable = _clickable(state, ViewOptions(targets=True)) | buttons
    _must(first in clickable, state, f"{first!r} can be clicked")
    picked = _clickable(state, ViewOptions(picked=first))
    _must(all(name in picked for name in more), state, f"all clicks of {text!r} are possible")


def _check_paths(state: State, steps: list[Step]) -> None:
    """Checks that shapes with a path exist before and after they moved."""
    for before, step in zip([state, *steps], steps, strict=False):
        paths = state.game.parts.layout.paths(before, step, flip=False)
        if paths:
            ids_before, ids_after = _ids(before), _ids(step)
            _must(all(path.old_id in ids_before for path in paths), state, "moved shapes existed")
            _must(
                all(path.new_id in ids_after for path in paths), state, "moved shapes still exist"
            )


def _ids(state: State) -> set[str]:
    """Returns the ids of a picture's shapes."""
    ids = [shape.id for shape in state.scene(ViewOptions(side_panel=False)).shapes if shape.id]
    _must(len(ids) == len(set(ids)), state, "shape ids are unique")
    return set(ids)


def _check_clicks(state: State, moves: list[str]) -> None:
    """Checks that every click of every move is on a shape or a button of the page."""
    layout = state.game.parts.layout
    buttons = {button.word: button.after for button in layout.CONTROLS.buttons}
    shapes = _clickable(state, ViewOptions(side_panel=False))
    for move in moves:
        for i, name in enumerate(layout.clicks(move)):
            # A button is the first click or a later one, according to its field `after`.
            exists = buttons[name] == (i > 0) if name in buttons else name in shapes
            _must(exists, state, f"{name!r} of {move!r} can be clicked on a page")


def _clickable(state: State, view: ViewOptions) -> set[str]:
    """Returns the names that can be clicked in a picture."""
    return {name for shape in state.scene(view).shapes for name in shape.cell.split()}


def _check_errors(state: State, seat: int | None) -> None:
    """Checks that invalid input raises the right errors."""
    _must_raise(state, MoveSyntax, lambda: state.play("?!", seat), "invalid text raises MoveSyntax")
    _must_raise(
        state, IllegalMove, lambda: state.act(-1, seat), "a negative action raises IllegalMove"
    )
    _must_raise(
        state, BadOption, lambda: state.moves(state.game.seats), "an invalid seat raises BadOption"
    )
    if state.turn is not None and state.game.seats > 1:
        other = (state.turn + 1) % state.game.seats
        _must(state.moves(other) == [], state, "a seat that is not to move has no moves")
        move = state.moves()[0]
        _must_raise(
            state,
            IllegalMove,
            lambda: state.play(move, other),
            "playing for a seat that is not to move raises IllegalMove",
        )


def _must_raise(state: State, error: type[Exception], call: Any, requirement: str) -> None:
    try:
        call()
    except error:
        return
    _must(False, state, requirement)


def _must(holds: bool, state: State, requirement: str) -> None:
    if not holds:
        raise AssertionError(f"{state.game!r}: violated: {requirement}\n{state.text}\n\n{state}")
