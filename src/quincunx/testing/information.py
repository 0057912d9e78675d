"""Checks that nothing hidden is shown, and that the traits are true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quincunx.contract import SCORE, SHARED_WIN, WIN_OR_DRAW
from quincunx.game import Game, State
from quincunx.testing.entry_points import differences
from quincunx.testing.fault import Context, Fault, listed

START_SEEDS = 16  # initial positions that are compared
TRIED_ACTIONS = 2  # actions of a position whose random consequences are compared


def check_traits(game: Game) -> None:
    """Checks that the declared traits are true of the initial positions and of other options."""
    traits, outcomes = game.traits, (WIN_OR_DRAW, SHARED_WIN, SCORE)
    if traits.outcome not in outcomes:
        expected = f"one of {', '.join(outcomes)}."
        raise Fault(
            game.name, "rules.traits", "has an unknown outcome", f"{traits.outcome!r}.", expected
        )
    if (traits.outcome == SCORE) != (game.seats == 1):
        found = f"outcome is {traits.outcome!r}, and the game has {game.seats} seats."
        expected = f"{SCORE!r} in solo games, and only there."
        raise Fault(game.name, "rules.traits", "has a wrong outcome", found, expected)
    starts = {game.start(seed=seed).text for seed in range(START_SEEDS)}
    if traits.random_start != (len(starts) > 1):
        found = f"random_start is {traits.random_start}, but {START_SEEDS} seeds give {len(starts)}"
        found += f" different initial positions: {listed(sorted(starts)[:2], '; ')}."
        expected = f"random_start={len(starts) > 1}."
        raise Fault(game.name, "rules.traits", "has a wrong random_start", found, expected)
    if game.configured(**traits.unattended).traits.simultaneous:
        found = f"with {dict(traits.unattended)}, which bots play, simultaneous is True."
        expected = "options in `unattended` with which the seats move in turn."
        raise Fault(game.name, "rules.traits", "has a wrong unattended", found, expected)
    live = game.parts.layout.CONTROLS.live
    if live and not game.configured(**dict([live])).traits.simultaneous:
        found = f"with {'='.join(live)} any seat may move, but simultaneous is False."
        raise Fault(game.name, "rules.traits", "has a wrong simultaneous", found)


def check_information(at: Context) -> None:
    """Checks a position against the traits, and that nothing hidden is shown."""
    state, traits = at.state, at.game.traits
    if not state.over and traits.simultaneous != (state.turn is None):
        found = f"simultaneous is {traits.simultaneous}, but turn is {int(state.position.turn)}."
        expected = "turn is ANYONE exactly in simultaneous games."
        raise at.fault("rules.traits", "has a wrong simultaneous", found, expected)
    for seat in range(at.game.seats):
        first, second = state.hidden(seat, 1), state.hidden(seat, 2)
        if not traits.hidden and not same_but_generator(first, second):
            raise at.fault(
                "hide",
                "changes more than the generator",
                f"hidden is False in the traits, but for seat {seat} and two seeds,"
                f" {differences(first.position, second.position)}.",
                "hidden=True, or a hide that only calls position.reseed.",
            )
        _check_views(at, seat, first)
        again, direct = first.hidden(seat, 5), state.hidden(seat, 5)
        if again.pack() != direct.pack():
            raise at.fault(
                "hide",
                "depends on hidden information",
                f"for seat {seat}, hiding twice or once:"
                f" {differences(again.position, direct.position)}.",
                "that everything hidden is drawn again, from the seed alone.",
            )
        if not (traits.chance or traits.hidden):
            _check_no_chance(at, seat, first, second)


def same_but_generator(first: State, second: State) -> bool:
    """Returns True if two positions differ at most in their random generators."""
    a, b = first.position.copy(), second.position.copy()
    a.rng = b.rng = 0
    return bool(a.tobytes() == b.tobytes())


def _check_views(at: Context, seat: int, hidden: State) -> None:
    """Checks that everything a seat sees is the same after its hidden information changed."""
    views: dict[str, Callable[[State], Any]] = {
        "notation.write": lambda state: state.text,
        "legal": lambda state: state.actions(seat),
        "observe": lambda state: state.observe(seat).tolist(),
        "evaluate": lambda state: state.evaluate(seat),
        "scores": lambda state: state.scores,
    }
    if at.game.traits.hidden or seat == 0:
        views |= {
            "rules.status": lambda state: state.status,
            "rules.progress": lambda state: state.progress,
            "layout.scene": lambda state: state.scene(),
        }
    for function, view in views.items():
        shown, other = view(at.state), view(hidden)
        if shown != other:
            values = f" ({shown!r}, then {other!r})" if len(repr(shown)) < 80 else ""
            raise at.fault(
                function,
                "shows hidden information",
                f"it changes{values} when what seat {seat} cannot know is drawn again by hide:"
                f" {differences(at.state.position, hidden.position)}.",
                "no difference: the seat cannot know what changed.",
            )


def _check_no_chance(at: Context, seat: int, first: State, second: State) -> None:
    for action in at.state.actions(seat)[:TRIED_ACTIONS]:
        after = [state.apply(action, seat) for state in (first, second)]
        if not same_but_generator(*after):
            raise at.fault(
                "rules.traits",
                "has a wrong chance",
                f"chance is False, but action {action} with two states of the generator leads to"
                f" different positions: {differences(after[0].position, after[1].position)}.",
                "chance=True.",
            )
