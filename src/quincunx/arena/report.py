"""Results as tables for people."""

from __future__ import annotations

from io import StringIO

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from quincunx.arena.ratings import IntervalEstimate
from quincunx.arena.results import Results, Row

WIDTH = 200  # no table is folded before
LAST = ("ms/move", "forfeits")


def report(results: Results) -> RenderableType:
    """Everything worth seeing: standings, cross table, seats, forfeits and notes."""
    plan = results.plan
    parts: list[RenderableType] = [_alone(results) if plan.seats == 1 else _standings(results)]
    if len(plan.players) > 1:
        what = (
            "seeds on which row beat column" if plan.seats == 1 else "points of row against column"
        )
        parts += [Text(), Text(f"Cross table: {what}", style="bold"), _cross(results)]
    lines = []
    if len(plan.players) == 2 and results.elo:
        one, other = plan.names
        gap = results.elo.difference(0, 1)
        lines.append(Text(f"{one} is {_signed(gap)} Elo above {other}."))
    if plan.seats > 1 and results.outcomes:
        names = plan.rules.parts.rules.SEAT_NAMES
        shares = (f"{names[seat]} {share.value:.1%}" for seat, share in enumerate(results.by_seat))
        lines.append(Text("Points by seat: " + ", ".join(shares)))
    lines += [Text(line, style="red") for line in _forfeits(results)]
    lines += [Text(note, style="dim") for note in results.notes]
    return Group(*parts, *([Text(), *lines] if lines else []))


def show(results: Results, console: Console) -> None:
    """Prints the report; its lines are as long as they need to be."""
    wide = Console(
        file=console.file,
        width=WIDTH,
        color_system=console.color_system,  # type: ignore[arg-type]
        force_terminal=console.is_terminal,
        highlight=False,
    )
    wide.print(Text(headline(results), style="bold"), report(results), sep="\n")


def text(results: Results) -> str:
    """The report without colours."""
    file = StringIO()
    show(results, Console(file=file, width=WIDTH, color_system=None, highlight=False))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def headline(results: Results) -> str:
    """One line: which game, and how many games of how many."""
    plan = results.plan
    options = " ".join(f"{name}={value}" for name, value in plan.rules.changed_options.items())
    done = f"{len(results.outcomes):,} of {plan.total:,} games"
    return f"{plan.rules.title}{f' ({options})' if options else ''}: {done}, seed {plan.seed}"


def _table(*columns: str) -> Table:
    """A table of players: place and name to the left, figures to the right."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for i, name in enumerate(("#", "player", *columns)):
        table.add_column(name, justify="left" if i < 2 else "right", no_wrap=True)
    return table


def _standings(results: Results) -> Table:
    """The players, strongest first."""
    kind = results.rating_kind
    rated = (kind, "95 %") if kind else ()
    table = _table(*rated, "points", "games", "share", "95 %", "won", "drawn", "lost", *LAST)
    for place, player in enumerate(_order(results), 1):
        row, rating = results.rows[player], results.ratings[player]
        share = row.share
        table.add_row(
            str(place),
            Text(row.name),
            *([_figure(rating, kind), _interval(rating, kind)] if rating else [""] * len(rated)),
            f"{round(row.points, 2):g}",
            str(row.games),
            f"{share.value:.1%}",
            f"{100 * share.low:.1f}–{100 * share.high:.1f}",
            str(row.wins),
            str(row.draws),
            str(row.losses),
            *_last(row),
        )
    return table


def _alone(results: Results) -> Table:
    """Those who play alone, best mean first."""
    four = ("95 %", "median", "P10")
    table = _table("seeds", "score", *four, "moves", *four, *LAST)
    for place, player in enumerate(_order(results), 1):
        row = results.rows[player]
        cells = []
        for spread in results.solo_scores.get(player, ()):
            cells += [
                f"{spread.mean.value:,.1f}",
                f"{spread.mean.low:,.1f}–{spread.mean.high:,.1f}",
                f"{spread.median.value:,.0f}",
                f"{spread.p10.value:,.0f}",
            ]
        table.add_row(str(place), Text(row.name), str(row.games), *(cells or [""] * 8), *_last(row))
    return table


def _cross(results: Results) -> Table:
    """Who scored how much against whom, in the order of the standings."""
    points, games = results.cross
    order = _order(results)
    table = _table(*map(str, range(1, len(order) + 1)))
    for place, one in enumerate(order, 1):
        cells = [
            "·" if one == other else f"{points[one, other]:g}/{games[one, other]:g}"
            for other in order
        ]
        table.add_row(str(place), Text(results.plan.names[one]), *cells)
    return table


def _order(results: Results) -> list[int]:
    """The players, strongest first: by rating if there is one, else by share of points."""
    worth = [
        rating.value if rating else row.share.value
        for rating, row in zip(results.ratings, results.rows, strict=True)
    ]
    return sorted(range(len(worth)), key=lambda player: -worth[player])


def _forfeits(results: Results) -> list[str]:
    """A line for each player who forfeited: how often, for what, and an example."""
    examples = {}
    for game, outcome in reversed(list(results.games())):
        if outcome.forfeit:
            seat, reason = outcome.forfeit
            examples[game.seats[seat]] = (outcome.number, reason)
    lines = []
    for player, (number, reason) in sorted(examples.items()):
        kinds = results.rows[player].forfeits
        counts = ", ".join(f"{kind} {count}×" for kind, count in kinds.items())
        lines.append(f"{results.plan.names[player]} forfeited: {counts} (game {number}: {reason})")
    return lines


def _figure(rating: IntervalEstimate, kind: str) -> str:
    return f"{rating.value:+.0f}" if kind == "Elo" else f"{rating.value:.1f}"


def _interval(rating: IntervalEstimate, kind: str) -> str:
    half = (rating.high - rating.low) / 2
    return f"±{half:.0f}" if kind == "Elo" else f"±{half:.1f}"


def _signed(gap: IntervalEstimate) -> str:
    return f"{gap.value:+.0f} ({gap.low:+.0f} to {gap.high:+.0f})"


def _last(row: Row) -> tuple[str, str]:
    return f"{1000 * row.seconds:.1f}", str(sum(row.forfeits.values()))
