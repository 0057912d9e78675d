"""Plays random games and checks every requirement on games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from quincunx.errors import SeveralPieces
from quincunx.game import Game, State
from quincunx.testing.actions import check_actions
from quincunx.testing.compiled import check_compiled
from quincunx.testing.declarations import check_declarations, check_levels, check_sizes
from quincunx.testing.entry_points import check_apply, check_entry_points, check_header
from quincunx.testing.evidence import Evidence
from quincunx.testing.fault import Context, Fault, raised, responsible
from quincunx.testing.guide import check_guide
from quincunx.testing.information import check_information, check_traits
from quincunx.testing.naive import Naive, check_naive_moves, check_naive_results
from quincunx.testing.pictures import check_clicks, check_highlights, check_paths, check_scene
from quincunx.testing.play import MAX_PLIES, RandomGame, check_record
from quincunx.testing.results import check_results
from quincunx.testing.texts import (
    check_cells,
    check_move_text,
    check_move_texts,
    check_play_after_reading,
    check_reading,
    check_texts,
    several_pieces,
)
from quincunx.testing.variants import variants as option_variants

PLAYED_ACTIONS = 8  # actions of each position that are played in every way

# Other values of options: how many are checked, and for how many plies. Boards may be huge.
MAX_VARIANTS = 12
VARIANT_PLIES = 4
MAX_VARIANT_PLIES = 300


def check_game(
    game: Game,
    games: int = 3,
    plies: int = 60,
    seed: int = 0,
    naive: Naive | None = None,
    variants: int = MAX_VARIANTS,
) -> None:
    """Plays random games and checks every requirement on a game; raises Fault at the first fault.

    Game i starts from seed + i. Its first `plies` positions and those at its end are checked.
    `naive`, if it is given, is a second implementation of the rules that the game is compared
    with: see `Naive`. If the game has default options, short games with at most `variants` other
    values of options follow.
    """
    for _ in Check(game, games, plies, seed, naive, variants).steps():
        pass


class Check:
    """One check of a game, in steps, and what it has left out."""

    def __init__(
        self,
        game: Game,
        games: int = 3,
        plies: int = 60,
        seed: int = 0,
        naive: Naive | None = None,
        variants: int = MAX_VARIANTS,
    ) -> None:
        """The arguments are those of `check_game`."""
        self.game = game
        self.games = games
        self.plies = plies
        self.seed = seed
        self.naive = naive
        self.ended = 0  # games that were played to their end
        is_default = not game.changed_options and game.rules_version == game.rules_versions[-1]
        others = option_variants(game) if is_default else []
        self.variants, self._unchecked = others[:variants], others[variants:]
        self._rng = Random(seed)

    def steps(self) -> Iterator[tuple[str, int, int]]:
        """Performs the check; yields before each step its subject, and the steps done of all."""
        game, count = self.game, self.games + len(self.variants) + 2
        yield "declarations", 0, count
        _run(game, check_declarations)
        _run(game, check_traits)
        _run(game, check_levels)  # whose players refuse games by their traits
        evidence = Evidence(game)
        for number in range(self.games):
            yield f"game {number + 1}", number + 1, count
            played = RandomGame(game, self.seed + number, self._rng, self.naive)
            for at in played.positions(self.plies, max(self.plies, MAX_PLIES)):
                _check_position(at, self.naive, evidence)
            self.ended += played.ended
        evidence.check_shown()
        for number, variant in enumerate(self.variants, self.games + 1):
            yield _changes(variant), number, count
            self._check_variant(variant)
        yield "compiled code", count - 1, count
        _run(game, check_compiled)
        check_guide(game)

    def left_out(self) -> list[str]:
        """Returns sentences about what was not checked, and how to check it."""
        sentences = []
        if not self.ended:
            bound = max(self.plies, MAX_PLIES)
            sentences.append(
                f"No game reached its end within {bound} plies, so the end was not checked:"
                " try --plies with a larger number, or options with which games end."
            )
        if self._unchecked:
            values = ", ".join(map(_changes, self._unchecked))
            sentences.append(f"Not checked: {values}. Check them by --option.")
        if self.naive is None:
            sentences.append(
                "The rules were not compared with a naive implementation: see --naive."
            )
        return sentences

    def _check_variant(self, variant: Game) -> None:
        """Checks a short game with other options."""
        try:
            _run(variant, check_sizes)
            _run(variant, check_traits)
        except Fault as fault:
            found = f"With {_changes(variant)}: {fault.found}"
            raise Fault(fault.game, fault.function, fault.problem, found, fault.expected) from fault
        evidence = Evidence(variant)
        played = RandomGame(variant, self.seed, self._rng)
        plies = min(self.plies, VARIANT_PLIES)
        for at in played.positions(plies, min(MAX_PLIES, MAX_VARIANT_PLIES)):
            _check_position(at, None, evidence)


def _changes(variant: Game) -> str:
    """Returns the changed options of a game as text, or its version of the rules."""
    if variant.rules_version != variant.rules_versions[-1]:
        return f"rules {variant.rules_version}"
    return " ".join(f"{name}={value}" for name, value in variant.changed_options.items())


def check_state(state: State, rng: Random | None = None, naive: Naive | None = None) -> None:
    """Checks every requirement that concerns one position; raises Fault at the first fault."""
    _check_position(Context(state, rng or Random(0)), naive)


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
        check_record(at)
        check_cells(at)
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
            after = at.played(action, seat)
            check_record(after)
            check_cells(after)
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


def _run(game: Game, check: Callable[[Game], None]) -> None:
    """Runs a check that needs no position; an exception of the game is a fault, too."""
    try:
        check(game)
    except Fault:
        raise
    except SeveralPieces as error:
        raise Fault(game.name, "start", *several_pieces(error)) from error
    except Exception as error:
        raise Fault(game.name, *raised(responsible(game, error), error)) from error
