"""Checks that repeated positions are recognised, by playing back and forth."""

from __future__ import annotations

from random import Random

from quincunx.game import State
from quincunx.position import REPETITION_WINDOW
from quincunx.testing.fault import Context

TRIES = 4  # rounds of moves that are tried to be taken back, in one position
MAX_ROUNDS_BACK = 400  # rounds that may take them back, which are tried at most


def check_seen(at: Context) -> None:
    """Checks that `seen`, where a position has it, holds the key of the position."""
    s = at.state.position
    if "seen" in (at.game.kernel.STATE.names or ()):
        entry = int(s.ply) % REPETITION_WINDOW
        key, found = int(at.game.kernel.key(s)), int(s.seen[entry])
        if key == 0:
            expected = "another number: 0 in seen is a ply that has not been played."
            raise at.fault("key", "is 0", "mix(0) is 0; add a constant before mixing.", expected)
        if found != key:
            raise at.fault(
                "seen",
                "does not hold the key of the position",
                f"seen[ply % {REPETITION_WINDOW}] = seen[{entry}] is {found:#x}.",
                f"key(s), which is {key:#x}; position.record_repetition writes it.",
            )


def check_repetition(at: Context) -> bool:
    """Checks that going back and forth ends the game; returns False if no way back was found."""
    state, traits = at.state, at.game.traits
    if state.over or traits.chance or traits.simultaneous or not traits.repetition:
        return False
    cycle = _way_back(state, at.rng)
    if not cycle:
        return False
    times = at.game.options.get("repetition")
    most = REPETITION_WINDOW // len(cycle) + 1
    if isinstance(times, int) and times > most:
        return False  # the window is too short for this cycle
    state, moves = at.game.read(state.text), _texts(state, cycle)
    key = int(at.game.kernel.key(state.position))
    for occurrences in range(2, most + 1):
        for number, action in enumerate(cycle, 1):
            state = state.act(action)
            if state.over and (number < len(cycle) or occurrences != (times or occurrences)):
                raise at.fault(
                    "over",
                    "ends the game too early by repetition",
                    f"{moves} leads back to this position; from its text, the game is over when it"
                    f" has occurred {occurrences - (number < len(cycle))} times.",
                    f"the end at {times or 'a later'} occurrences, the option repetition.",
                )
        if state.over:
            return True
        if int(at.game.kernel.key(state.position)) != key:
            found = f"{moves} leads back to this position, which then has another key."
            expected = "a hash of the board and the turn, without ply, generator and history."
            raise at.fault("key", "differs for equal positions", found, expected)
        if occurrences == times:
            break
    raise at.fault(
        "over",
        "does not count repetitions",
        f"{moves} leads back to this position; from its text, it has occurred {occurrences} times,"
        " and the game goes on.",
        f"the end at {times} occurrences, as the option repetition says."
        if times
        else "the end, because traits.repetition is True.",
    )


def _way_back(state: State, rng: Random) -> list[int]:
    """Returns actions that lead back to the same position, or none if no short way is found."""
    rounds = state.game.seats
    for _ in range(TRIES):
        played, later = [], state
        for _ in range(rounds):
            if later.over:
                break
            played.append(rng.choice(later.actions()))
            later = later.act(played[-1])
        back = _actions_to(later, state.text, rounds)
        if back:
            return [*played, *back]
    return []


def _actions_to(state: State, text: str, plies: int) -> list[int]:
    """Returns `plies` actions that lead to the position with a text, or none."""
    paths: list[tuple[list[int], State]] = [([], state)]
    for _ in range(plies):
        paths = [
            ([*actions, action], before.act(action))
            for actions, before in paths
            if not before.over
            for action in before.actions()
        ][:MAX_ROUNDS_BACK]
    return next((actions for actions, after in paths if after.text == text), [])


def _texts(state: State, actions: list[int]) -> str:
    """Returns the moves of actions that are played one after the other."""
    moves = []
    for action in actions:
        moves.append(state.move(action))
        state = state.act(action)
    return " ".join(moves)
