"""Plays random games and checks every requirement on games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from quincunx.game import Game, State
from quincunx.testing.actions import check_actions
from quincunx.testing.compiled import check_compiled
from quincunx.testing.declarations import check_declarations
from quincunx.testing.entry_points import check_apply, check_entry_points, check_header
from quincunx.testing.evidence import Evidence
from quincunx.testing.fault import Context, Fault, raised, responsible
from quincunx.testing.guide import check_guide
from quincunx.testing.information import check_information, check_traits
from quincunx.testing.naive import Naive, check_naive_moves, check_naive_results
from quincunx.testing.pictures import check_clicks, check_highlights, check_paths, check_scene
from quincunx.testing.repetition import check_seen
from quincunx.testing.results import check_results, check_winner
from quincunx.testing.texts import (
    check_move_text,
    check_move_texts,
    check_play_after_reading,
    check_reading,
    check_texts,
)

PLAYED_ACTIONS = 8  # actions of each position that are played in every way


def check_game(
    game: Game, games: int = 3, plies: int = 60, seed: int = 0, naive: Naive | None = None
) -> None:
    """Plays random games and checks every requirement on a game; raises Fault at the first fault.

    Game i starts from seed + i and is played for at most `plies` moves. `naive`, if it is given,
    is a second implementation of the rules that the game is compared with: see `Naive`.
    """
    for _ in checking(game, games, plies, seed, naive):
        pass


def checking(
    game: Game, games: int = 3, plies: int = 60, seed: int = 0, naive: Naive | None = None
) -> Iterator[tuple[str, int, int]]:
    """Performs `check_game` in steps; yields before each its subject, and the steps done of all."""
    steps = games + 2
    yield "declarations", 0, steps
    _blaming(game, check_declarations)
    _blaming(game, check_traits)
    evidence, rng = Evidence(game), Random(seed)
    for number in range(games):
        yield f"game {number + 1}", number + 1, steps
        for at in _random_game(game, seed + number, plies, rng):
            _check_position(at, naive, evidence)
    evidence.check_shown()
    yield "compiled code", games + 1, steps
    _blaming(game, check_compiled)
    check_guide(game)


def check_state(state: State, rng: Random | None = None, naive: Naive | None = None) -> None:
    """Checks every requirement that concerns one position; raises Fault at the first fault."""
    _check_position(Context(state, rng or Random(0)), naive)


def _random_game(game: Game, seed: int, plies: int, rng: Random) -> Iterator[Context]:
    """Yields the positions of a random game."""
    at = _start(game, seed, rng)
    yield at
    while not at.state.over and at.state.ply < plies:
        seat = rng.randrange(game.seats) if at.state.turn is None else at.state.turn
        try:
            following = _after(at, rng.choice(at.state.actions(seat)), seat)
        except Exception as error:  # only some of the actions have been checked
            raise at.caught(error) from error
        at = following
        yield at


def _after(at: Context, action: int, seat: int) -> Context:
    """Returns the context of the position after an action."""
    prefix = f"{at.game.parts.rules.LETTERS[seat]}:" if at.state.turn is None else ""
    after = at.state.apply(action, seat)
    return at.after(prefix + (after.last or (seat, ""))[1], after)


def _start(game: Game, seed: int, rng: Random) -> Context:
    """Returns an initial position, after checking that its seed decides about it."""
    first, second = game.start(seed=seed), game.start(seed=seed)
    at = Context(first, rng, seed)
    if first.pack() != second.pack():
        found = f"two calls with seed {seed} give different positions."
        expected = "the same bytes: everything random comes from the generator s.rng."
        raise at.fault("start", "does not depend on the seed alone", found, expected)
    if first.ply or first.over:
        check_seen(at)  # a key of 0 ends a game by repetition
        found = f"ply is {first.ply}, and over is {int(first.over)}."
        raise at.fault("start", "does not begin a game", found, "both are 0.")
    return at


def _check_position(at: Context, naive: Naive | None, evidence: Evidence | None = None) -> None:
    """Checks one position; an exception of the game is a fault, too.

    Each check relies on what those before it have found to be right.
    """
    seat = at.state.turn
    if seat is None:
        seat = at.rng.randrange(at.game.seats)
    try:
        check_header(at)
        check_entry_points(at)
        _check_record(at)
        check_reading(at)
        actions = at.state.actions(seat)
        moves = check_move_texts(at, actions, seat)
        played = at.rng.sample(actions, min(PLAYED_ACTIONS, len(actions)))
        for action in played:
            check_move_text(at, action)
        if naive is not None:
            check_naive_moves(at, naive)
        check_actions(at)
        for action in played:
            check_apply(at, action, seat)
            _check_record(_after(at, action, seat))
        check_results(at)
        check_texts(at)
        check_information(at)
        check_play_after_reading(at)
        if naive is not None:
            check_naive_results(at, naive)
        check_scene(at)
        check_clicks(at, moves)
        check_highlights(at, [_check_move(at, action, seat) for action in played])
        if evidence:
            evidence.check(at)
    except Fault:
        raise
    except Exception as error:
        raise at.caught(error) from error


def _check_record(at: Context) -> None:
    """Checks the fields that have a meaning in every game."""
    check_header(at)
    check_winner(at)
    check_seen(at)


def _check_move(at: Context, action: int, seat: int) -> str:
    """Checks that an action and its text are the same move, and its steps; returns the text."""
    state, before = at.state, at.state.pack()
    text = check_move_text(at, action)
    after, steps = state.act(action, seat), state.steps(text, seat)
    if after.pack() != state.play(text, seat).pack() or steps[-1].pack() != after.pack():
        found = f"{text!r} and action {action} lead to different positions."
        raise at.fault("notation.parse_move", "means another move than the action", found)
    if state.pack() != before:
        raise at.fault("apply", "changes other positions than its own", f"after {text}.")
    check_paths(at, steps)
    return text


def _blaming(game: Game, check: Callable[[Game], None]) -> None:
    """Runs a check that needs no position; an exception of the game is a fault, too."""
    try:
        check(game)
    except Fault:
        raise
    except Exception as error:
        raise Fault(game.name, *raised(responsible(game, error), error)) from error
