"""The strength of the players: matches in the arena, and the results they must reach.

    python benchmarks/strength.py [NAME ...] [--games N] [--keep DIR]

Every match is balanced in seats and openings. With --keep the games are saved, and a run that
was stopped can be resumed.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import machine
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import quincunx
from quincunx import arena
from quincunx.arena.ratings import IntervalEstimate, wilson_interval
from quincunx.arena.results import Results
from quincunx.options import Value


@dataclass(frozen=True)
class Claim:
    """The share of a match that its first player must reach: of the points, or of won games.

    A shared win does not count as a won game; the table has a column for shared wins.
    """

    name: str
    game: str
    players: tuple[str, ...]  # the first is the one that is measured
    share: float
    games: int
    by_wins: bool = False
    options: Mapping[str, Value] = field(default_factory=dict)

    def reached(self, results: Results) -> IntervalEstimate:
        """Returns the share that the first player reached, with its interval."""
        row = results.rows[0]
        return wilson_interval(row.wins, row.games) if self.by_wins else row.share


MCTS = "mcts:time=0.1"
UNGUIDED_MCTS = "mcts:time=0.1,guided=no"  # random priors
CLAIMS = (
    Claim("onoro-mcts", "onoro", (MCTS, "greedy"), 0.95, 200),
    Claim("quorum-mcts", "quorum", (MCTS, "greedy"), 0.95, 200),
    Claim(
        "sphero-mcts",
        "sphero",
        (MCTS, "greedy", "greedy"),
        0.80,
        120,
        True,
        # A multiple of three: with an extra placement, the first seat would win ties.
        {"players": 3, "limit": 450},
    ),
    Claim("blocky-mcts", "blocky", (MCTS, "smart:difficulty=50"), 0.80, 200, True, {"depth": 4}),
    Claim("onoro-best", "onoro", ("alphabeta:time=0.1", UNGUIDED_MCTS), 0.75, 200),
    Claim("quorum-best", "quorum", ("alphabeta:time=0.1", UNGUIDED_MCTS), 0.75, 200),
)


def main() -> None:
    """Plays the given matches and prints their results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    names = [claim.name for claim in CLAIMS]
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"any of {', '.join(names)}; default: all"
    )
    parser.add_argument(
        "--games", type=int, help="games per match; default: the match's own number"
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="directory to save the games in")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.names) - set(names))
    if unknown:
        parser.error(f"unknown match '{unknown[0]}': the matches are {', '.join(names)}")
    table = Table(title=machine.heading("Strength"), box=SIMPLE_HEAD)
    titles = ("game", "player", "against", "games", "won", "shared", "lost", "reached", "95 %")
    for title in (*titles, "must", "holds"):
        table.add_column(
            title, justify="left" if title in ("game", "player", "against") else "right"
        )
    console = Console(width=None if Console().is_terminal else 120)
    for claim in CLAIMS:
        if not arguments.names or claim.name in arguments.names:
            _measure(claim, arguments.games or claim.games, arguments.keep, table)
    console.print(table)


def _measure(claim: Claim, games: int, keep: Path | None, table: Table) -> None:
    """Plays one match and adds its row to the table."""
    game = quincunx.game(claim.game, **claim.options)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(claim.name, total=games)
        results = arena.play(
            game,
            claim.players,
            games,
            seed=2026,
            out=keep / claim.name if keep else None,
            on_outcome=lambda outcome: progress.advance(bar),
        )
    share, row = claim.reached(results), results.rows[0]
    table.add_row(
        claim.game,
        claim.players[0],
        " and ".join(claim.players[1:]),
        f"{row.games}",
        f"{row.wins}",
        f"{row.draws}",
        f"{row.losses}",
        f"{share.value:.1%}",
        f"{share.low:.0%} to {share.high:.0%}",
        f"{claim.share:.0%} {'won' if claim.by_wins else 'of points'}",
        "yes" if share.value >= claim.share else "no",
    )


if __name__ == "__main__":
    main()
