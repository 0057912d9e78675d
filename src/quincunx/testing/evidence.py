"""Checks that need several positions: keys, moves of other positions, and evidence for traits."""

from __future__ import annotations

from quincunx.contract import WIN_OR_DRAW
from quincunx.game import Game, State
from quincunx.testing.fault import Context, Fault
from quincunx.testing.information import same_but_generator
from quincunx.testing.repetition import check_repetition
from quincunx.testing.texts import check_reasons

FOREIGN_MOVES = 6  # moves of other positions that are tried in each position
SEEDS = (1, 2, 3)  # of the generators whose effects are compared

# A trait is reported as false if it has shown no effect in this number of positions.
MIN_POSITIONS = 30


# `evaluate` is reported as ignoring the seat if it has done so in this number of positions.
MIN_EVALUATIONS = 20


class Evidence:
    """What the positions of several games have shown."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._keys: dict[str, int] = {}  # by position text
        # By key: what equal positions have in common, and the text of one of them.
        self._positions_by_key: dict[int, tuple[tuple[object, ...], str]] = {}
        self._moves: list[str] = []
        self._positions = 0
        self._chance = self._hidden = self._repeated = False
        self._same_values, self._different_values = 0, False  # of evaluate, for both seats

    def check(self, at: Context) -> None:
        """Checks a position against the earlier ones."""
        self._positions += 1
        self._check_key(at)
        known = at.rng.sample(self._moves, min(FOREIGN_MOVES, len(self._moves)))
        if not at.state.over:
            check_reasons(at, known)
            self._gather(at)
            self._compare_seats(at.state)
        self._repeated = self._repeated or check_repetition(at)

    def check_shown(self) -> None:
        """Checks that `evaluate` has distinguished the seats, and that traits had an effect.

        With some options traits may have none.
        """
        if self._same_values >= MIN_EVALUATIONS and not self._different_values:
            found = f"in all {self._same_values} positions where it is not 0, it is the same for"
            raise Fault(
                self._game.name,
                "evaluate",
                "ignores the seat",
                f"{found} both seats.",
                "what is good for one seat is bad for the other: a positive and a negative value.",
            )
        if self._positions < MIN_POSITIONS or self._game.changed_options:
            return
        for trait, shown, effect in (
            ("chance", self._chance, "no move that was tried had random consequences"),
            ("hidden", self._hidden, "hide has changed only the generator"),
        ):
            if getattr(self._game.traits, trait) and not shown:
                found = f"{trait} is True, but in {self._positions} positions {effect}."
                raise Fault(
                    self._game.name,
                    "rules.traits",
                    f"has a wrong {trait}",
                    found,
                    f"{trait}=False.",
                )

    def _check_key(self, at: Context) -> None:
        """Checks that equal positions have equal keys, and different ones different keys."""
        text, key = at.state.text, int(at.game.kernel.key(at.state.position))
        if self._keys.setdefault(text, key) != key:
            raise at.fault(
                "key",
                "differs for equal positions",
                f"{key:#x}, but {self._keys[text]:#x} when a position with the same text was"
                " reached by other moves.",
                "a hash of the board and the turn, without ply, generator and history.",
            )
        if at.state.over:
            return  # it may have ended by its history
        values = _values(at.state)
        others, other_text = self._positions_by_key.setdefault(key, (values, text))
        if others != values:
            raise at.fault(
                "key",
                "is the same for different positions",
                f"{key:#x}, as in {other_text!r}. Turn, numbers of moves and evaluations are"
                f" {values} here and {others} there.",
                "a hash of everything that distinguishes positions.",
            )

    def _compare_seats(self, state: State) -> None:
        """Notes whether the evaluation is the same for both seats, one of which must lose."""
        if self._game.seats == 2 and self._game.traits.outcome == WIN_OR_DRAW:
            first, second = state.evaluate(0), state.evaluate(1)
            self._same_values += first == second != 0.0
            self._different_values = self._different_values or first != second

    def _gather(self, at: Context) -> None:
        """Remembers a move, and whether chance and hidden information have had an effect."""
        state, traits = at.state, at.game.traits
        seat = state.turn or 0
        actions = state.actions(seat)
        self._moves.append(state.move(at.rng.choice(actions)))
        drawn = [state.hidden(seat, seed) for seed in SEEDS]
        if traits.hidden and not self._hidden:
            self._hidden = not all(same_but_generator(drawn[0], other) for other in drawn[1:])
        if traits.chance and not self._chance:
            for action in at.rng.sample(actions, min(len(SEEDS), len(actions))):
                after = {other.apply(action, seat).text for other in drawn}
                self._chance = self._chance or len(after) > 1


def _values(state: State) -> tuple[object, ...]:
    """Returns turn, numbers of legal actions, and evaluations, which a key must determine.

    Texts may differ: where a board has symmetries, its key may ignore them.
    """
    seats = range(state.game.seats)
    counts = tuple(len(state.actions(seat)) for seat in seats)
    return state.turn, counts, tuple(state.evaluate(seat) for seat in seats)
