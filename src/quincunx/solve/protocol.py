"""What the solver of a game offers: a module with the functions of `Solver`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from quincunx.errors import MissingTable
    from quincunx.game import Game, State
    from quincunx.solve.verdict import Verdict

# The directory of the tables; None is the user's data directory.
Directory: TypeAlias = str | Path | None

# Called while a solver works, with a description of the work, the amount done and the total.
ProgressCallback: TypeAlias = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Resources:
    """What a solver may use, and how it reports its progress."""

    threads: int | None = None  # None: one per core
    memory: int | None = None  # in bytes; the rest is stored in files. None: no limit
    on: str = "local"  # or "ray": all nodes of a cluster share the work
    progress: ProgressCallback = lambda work, done, total: None


DEFAULT_RESOURCES = Resources()


@dataclass(frozen=True)
class Report:
    """What a solver found: the facts, which can be written as JSON, and lines for people."""

    facts: Mapping[str, object]
    lines: tuple[str, ...]

    def __add__(self, other: Report) -> Report:
        return Report({**self.facts, **other.facts}, (*self.lines, *other.lines))


class SolvedTable(Protocol):
    """The results of all positions of a game with some options.

    It knows positions, not their history: it does not count how often a position occurred, and so
    does not see draws by repetition.
    """

    def verdict(self, state: State) -> Verdict:
        """Returns the verdict of a position, with those of its moves, best first."""

    def action_verdicts(self, state: State) -> dict[int, Verdict]:
        """Returns the verdict of every legal action of an unfinished game, for the seat to move."""


class Solver(Protocol):
    """The functions of a solver module. All take the game with its options."""

    def available(self, game: Game, directory: Directory = None) -> bool:
        """Returns whether the table exists or can be built in seconds."""

    def missing_table(self, game: Game, directory: Directory = None) -> MissingTable:
        """Returns the error for a table that is not available; it says how to build it."""

    def open_table(self, game: Game, directory: Directory = None) -> SolvedTable:
        """Opens the table, and builds it first if that takes seconds; raises MissingTable."""

    def table_path(self, game: Game, directory: Directory = None) -> Path:
        """Returns the path of the table."""

    def describe(self, game: Game) -> str:
        """Returns the options that the table depends on, as words for people."""

    def infer_options(self, game: Game, position: str) -> Game:
        """Returns the game with those options that the text of a position determines."""

    def required_bytes(self, game: Game) -> dict[str, int]:
        """Returns the bytes that building needs: `memory`, working files (`work`) and `table`."""

    def build(
        self, game: Game, directory: Directory = None, resources: Resources = DEFAULT_RESOURCES
    ) -> Path:
        """Builds the table if there is none, or continues an earlier run; returns its path."""

    def report(self, game: Game, directory: Directory = None) -> Report:
        """Returns the result of the start position and the numbers of positions by result."""

    def verify(
        self, game: Game, directory: Directory = None, resources: Resources = DEFAULT_RESOURCES
    ) -> Report:
        """Checks every entry of the table; raises BadTable that names the first wrong one."""

    def estimate(
        self,
        game: Game,
        sample: int,
        directory: Directory = None,
        resources: Resources = DEFAULT_RESOURCES,
    ) -> Report:
        """Estimates the time to build the table, from a measurement on a sample of this size."""

    def search_placing(self, game: Game) -> Report:
        """Searches for a win that can be forced before all pieces are placed."""
