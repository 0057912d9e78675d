"""How strong the players are: matches in the arena, against what they must reach.

    python benchmarks/strength.py [NAME ...] [--games N] [--keep DIR]

Every match is balanced in seats and openings. With --keep the games are kept, and a run that
was stopped goes on where it was.
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
    """A player that must get a share of a match: of the points, or of the games it wins.

    A win that is shared with others does not count as won; the table shows how many there were.
    """

    name: str
    game: str
    players: tuple[str, ...]  # the first is the one that must
    share: float
    games: int
    by_wins: bool = False
    options: Mapping[str, Value] = field(default_factory=dict)

    def reached(self, results: Results) -> IntervalEstimate:
        """The share that the first player got, with its interval."""
        row = results.rows[0]
        return wilson_interval(row.wins, row.games) if self.by_wins else row.share


MCTS = "mcts:time=0.1"
PLAIN = "mcts:time=0.1,guided=no"  # tries moves in any order, whatever they look like
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
        # As many placements for everyone: with one more, a tie would be won by who sits first.
        {"players": 3, "order": "turns", "limit": 450},
    ),
    Claim("blocky-mcts", "blocky", (MCTS, "smart:difficulty=50"), 0.80, 200, True, {"depth": 4}),
    Claim("onoro-best", "onoro", ("alphabeta:time=0.1", PLAIN), 0.75, 200),
    Claim("quorum-best", "quorum", ("alphabeta:time=0.1", PLAIN), 0.75, 200),
)


def main() -> None:
    """Plays the matches that were asked for and prints what came out."""
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    names = [claim.name for claim in CLAIMS]
    words.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    words.add_argument("--games", type=int, help="of every match, instead of its own number")
    words.add_argument("--keep", type=Path, metavar="DIR", help="where the games are kept")
    given = words.parse_args()
    unknown = sorted(set(given.names) - set(names))
    if unknown:
        words.error(f"there is no match {unknown[0]}; there are {', '.join(names)}")
    table = Table(title=machine.heading("Strength"), box=SIMPLE_HEAD)
    titles = ("game", "player", "against", "games", "won", "shared", "lost", "reached", "95 %")
    for title in (*titles, "must", "holds"):
        table.add_column(
            title, justify="left" if title in ("game", "player", "against") else "right"
        )
    console = Console(width=None if Console().is_terminal else 120)
    for claim in CLAIMS:
        if not given.names or claim.name in given.names:
            _measure(claim, given.games or claim.games, given.keep, table)
    console.print(table)


def _measure(claim: Claim, games: int, keep: Path | None, table: Table) -> None:
    """Plays one match and adds its line."""
    rules = quincunx.game(claim.game, **claim.options)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(claim.name, total=games)
        results = arena.play(
            rules,
            claim.players,
            games,
            seed=2026,
            out=keep / claim.name if keep else None,
            on_outcome=lambda outcome: progress.advance(bar),
        )
    found, row = claim.reached(results), results.rows[0]
    table.add_row(
        claim.game,
        claim.players[0],
        " and ".join(claim.players[1:]),
        f"{row.games}",
        f"{row.wins}",
        f"{row.draws}",
        f"{row.losses}",
        f"{found.value:.1%}",
        f"{found.low:.0%} to {found.high:.0%}",
        f"{claim.share:.0%} {'won' if claim.by_wins else 'of points'}",
        "yes" if found.value >= claim.share else "no",
    )


if __name__ == "__main__":
    main()
