"""Results as tables for people."""

from __future__ import annotations

from collections import Counter
from io import StringIO

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from quincunx.arena.ratings import Estimate
from quincunx.arena.results import Results

WIDTH = 110
REASONS = 5  # so many different reasons of forfeits are told


def report(results: Results) -> RenderableType:
    """Everything worth seeing: standings, cross table, seats, forfeits and notes."""
    plan = results.plan
    parts: list[RenderableType] = [_alone(results) if plan.seats == 1 else _standings(results)]
    if len(plan.players) > 1:
        parts.append(_cross(results))
    if len(plan.players) == 2 and results.elo:
        one, other = plan.names
        gap = results.elo.difference(0, 1)
        parts.append(Text(f"{one} against {other}: {_signed(gap)} Elo"))
    if plan.seats > 1 and results.outcomes:
        names = plan.rules.parts.rules.SEAT_NAMES
        shares = (f"{names[seat]} {_percent(share)}" for seat, share in enumerate(results.by_seat))
        parts.append(Text("Points by seat: " + ", ".join(shares)))
    parts += [Text(line, style="red") for line in _forfeits(results)]
    parts += [Text(note, style="dim") for note in results.notes]
    return Group(*parts)


def text(results: Results, width: int = WIDTH) -> str:
    """The report without colours."""
    file = StringIO()
    console = Console(file=file, width=width, color_system=None, highlight=False)
    console.print(headline(results))
    console.print(report(results))
    return file.getvalue().rstrip("\n")


def headline(results: Results) -> str:
    """One line: which game, and how many games of how many."""
    plan = results.plan
    options = " ".join(f"{name}={value}" for name, value in plan.rules.changed.items())
    done = f"{len(results.outcomes):,} of {plan.total:,} games"
    return f"{plan.rules.title}{f' ({options})' if options else ''}: {done}, seed {plan.seed}"


def _standings(results: Results) -> Table:
    """The players, strongest first."""
    kind = results.rating_kind
    table = Table("#", "player", box=None, header_style="bold", padding=(0, 2, 0, 0))
    if kind:
        table.add_column(kind, justify="right")
        table.add_column("95 %", justify="right")
    for name in ("points", "games", "share", "95 %", "won", "drawn", "lost", "ms/move", "forfeits"):
        table.add_column(name, justify="right")
    for place, player in enumerate(_order(results), 1):
        row, rating = results.rows[player], results.ratings[player]
        rated = [_figure(rating, kind), _interval(rating, kind)] if rating else ["", ""]
        table.add_row(
            str(place),
            Text(row.name),
            *(rated if kind else []),
            f"{row.points:g}" if row.points == round(row.points, 1) else f"{row.points:.1f}",
            str(row.games),
            f"{row.share.value:.1%}",
            f"{row.share.low:.1%} to {row.share.high:.1%}",
            str(row.wins),
            str(row.draws),
            str(row.losses),
            f"{1000 * row.seconds:.1f}",
            str(sum(row.forfeits.values())),
        )
    return table


def _alone(results: Results) -> Table:
    """Those who play alone, best mean first."""
    table = Table("#", "player", "seeds", box=None, header_style="bold", padding=(0, 2, 0, 0))
    for what in ("score", "moves"):
        for name in (f"mean {what}", "95 %", "median", "P10"):
            table.add_column(name, justify="right")
    table.add_column("ms/move", justify="right")
    table.add_column("forfeits", justify="right")
    for place, player in enumerate(_order(results), 1):
        row = results.rows[player]
        cells = []
        for spread in results.spreads.get(player, ()):
            cells += [
                f"{spread.mean.value:,.1f}",
                f"{spread.mean.low:,.1f} to {spread.mean.high:,.1f}",
                f"{spread.median.value:,.0f}",
                f"{spread.p10.value:,.0f}",
            ]
        table.add_row(
            str(place),
            Text(row.name),
            str(row.games),
            *(cells or [""] * 8),
            f"{1000 * row.seconds:.1f}",
            str(sum(row.forfeits.values())),
        )
    return table


def _cross(results: Results) -> Table:
    """Who scored how much against whom, in the order of the standings."""
    points, games = results.cross
    order = _order(results)
    on = "on the same seed" if results.plan.seats == 1 else "points of row against column"
    table = Table(
        "#", "player", box=None, header_style="bold", padding=(0, 2, 0, 0), title_justify="left"
    )
    table.title = f"\nCross table ({on})"
    for place in range(1, len(order) + 1):
        table.add_column(str(place), justify="right")
    for place, one in enumerate(order, 1):
        cells = [
            "·" if one == other else f"{points[one, other]:g}/{games[one, other]:g}"
            for other in order
        ]
        table.add_row(str(place), Text(results.plan.names[one]), *cells)
    return table


def _order(results: Results) -> list[int]:
    """The players, strongest first: by rating if there is one, else by share of points."""
    ratings, rows = results.ratings, results.rows
    return sorted(
        range(len(rows)),
        key=lambda p: (-(ratings[p].value if ratings[p] else rows[p].share.value), p),  # type: ignore[union-attr]
    )


def _forfeits(results: Results) -> list[str]:
    """The players who forfeited, each with its reasons, the most frequent first."""
    told: Counter[str] = Counter()
    for game, outcome in results.games():
        if outcome.forfeit:
            seat, reason = outcome.forfeit
            told[f"{results.plan.names[game.seats[seat]]} forfeited: {reason}"] += 1
    lines = [f"{line} ({count}×)" for line, count in told.most_common(REASONS)]
    if len(told) > REASONS:
        lines.append(f"… and {len(told) - REASONS} other reasons; see the records.")
    return lines


def _figure(rating: Estimate, kind: str) -> str:
    return f"{rating.value:+.0f}" if kind == "Elo" else f"{rating.value:.1f}"


def _interval(rating: Estimate, kind: str) -> str:
    half = (rating.high - rating.low) / 2
    return f"±{half:.0f}" if kind == "Elo" else f"±{half:.1f}"


def _signed(gap: Estimate) -> str:
    return f"{gap.value:+.0f} ({gap.low:+.0f} to {gap.high:+.0f})"


def _percent(share: Estimate) -> str:
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"
