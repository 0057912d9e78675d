"""The report of a tournament: its results as tables of text."""

from __future__ import annotations

from io import StringIO

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from quincunx.arena.ratings import IntervalEstimate
from quincunx.arena.results import Results, StandingsRow
from quincunx.phrases import quantity

REPORT_WIDTH = 200  # characters; wide enough that no table is wrapped
LAST_COLUMNS = ("ms/move", "forfeits")


def report(results: Results) -> RenderableType:
    """Returns standings, crosstable, points by seat, forfeits and notes for printing."""
    plan = results.plan
    parts: list[RenderableType] = [_solo_table(results) if plan.seats == 1 else _standings(results)]
    if len(plan.players) > 1:
        legend = (
            "seeds on which row beat column" if plan.seats == 1 else "points of row against column"
        )
        parts += [Text(), Text(f"Crosstable: {legend}", style="bold"), _crosstable(results)]
    lines = []
    if len(plan.players) == 2 and results.elo:
        first, second = plan.names
        difference = results.elo.difference(0, 1)
        lines.append(Text(f"{first} is {_signed(difference)} Elo above {second}."))
    if plan.seats > 1 and results.outcomes:
        names = plan.configured_game.parts.rules.SEAT_NAMES
        shares = (f"{names[seat]} {share.value:.1%}" for seat, share in enumerate(results.by_seat))
        lines.append(Text("Points by seat: " + ", ".join(shares)))
    lines += [Text(line, style="red") for line in _forfeit_lines(results)]
    lines += [Text(note, style="dim") for note in results.notes]
    return Group(*parts, *([Text(), *lines] if lines else []))


def show(results: Results, console: Console) -> None:
    """Prints the report without wrapping its lines."""
    wide = Console(
        file=console.file,
        width=REPORT_WIDTH,
        color_system=console.color_system,  # type: ignore[arg-type]
        force_terminal=console.is_terminal,
        highlight=False,
    )
    wide.print(Text(headline(results), style="bold"), report(results), sep="\n")


def text(results: Results) -> str:
    """Returns the report without colours."""
    file = StringIO()
    show(results, Console(file=file, width=REPORT_WIDTH, color_system=None, highlight=False))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def headline(results: Results) -> str:
    """Returns one line with the game, its options, the number of games and the seed."""
    plan, game = results.plan, results.plan.configured_game
    options = " ".join(f"{name}={value}" for name, value in game.changed_options.items())
    done = f"{len(results.outcomes):,} of {quantity(plan.total, 'game')}"
    return f"{game.title}{f' ({options})' if options else ''}: {done}, seed {plan.seed}"


def _table(*columns: str) -> Table:
    """Returns an empty table: rank and name aligned left, figures aligned right."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for i, name in enumerate(("#", "player", *columns)):
        table.add_column(name, justify="left" if i < 2 else "right", no_wrap=True)
    return table


def _standings(results: Results) -> Table:
    """Returns the table of players, strongest first."""
    kind = results.rating_kind
    rating_columns = (kind, "95 %") if kind else ()
    table = _table(
        *rating_columns,
        "points",
        "games",
        "share",
        "95 %",
        "won",
        "drawn",
        "lost",
        *LAST_COLUMNS,
    )
    for rank, player in enumerate(_strongest_first(results), 1):
        row, rating = results.rows[player], results.ratings[player]
        share = row.share
        table.add_row(
            str(rank),
            Text(row.name),
            *(
                [rating_text(rating, kind), _margin_text(rating, kind)]
                if rating
                else [""] * len(rating_columns)
            ),
            f"{round(row.points, 2):g}",
            str(row.games),
            f"{share.value:.1%}",
            f"{100 * share.low:.1f}–{100 * share.high:.1f}",
            str(row.wins),
            str(row.draws),
            str(row.losses),
            *_last_cells(row),
        )
    return table


def _solo_table(results: Results) -> Table:
    """Returns the table of players of solo games, best mean first."""
    statistics = ("95 %", "median", "P10")
    table = _table("seeds", "score", *statistics, "moves", *statistics, *LAST_COLUMNS)
    for rank, player in enumerate(_strongest_first(results), 1):
        row = results.rows[player]
        cells = []
        for distribution in results.solo_distributions.get(player, ()):
            cells += [
                f"{distribution.mean.value:,.1f}",
                f"{distribution.mean.low:,.1f}–{distribution.mean.high:,.1f}",
                f"{distribution.median.value:,.0f}",
                f"{distribution.p10.value:,.0f}",
            ]
        cells = cells or [""] * 2 * (1 + len(statistics))
        table.add_row(str(rank), Text(row.name), str(row.games), *cells, *_last_cells(row))
    return table


def _crosstable(results: Results) -> Table:
    """Returns the table of points and games of each pair, in the order of the standings."""
    points, games = results.crosstable
    order = _strongest_first(results)
    table = _table(*map(str, range(1, len(order) + 1)))
    for rank, player in enumerate(order, 1):
        cells = [
            "·" if player == other else f"{points[player, other]:g}/{games[player, other]:g}"
            for other in order
        ]
        table.add_row(str(rank), Text(results.plan.names[player]), *cells)
    return table


def _strongest_first(results: Results) -> list[int]:
    """Returns the players sorted by rating, or by share of points where there is none."""
    strengths = [
        rating.value if rating else row.share.value
        for rating, row in zip(results.ratings, results.rows, strict=True)
    ]
    return sorted(range(len(strengths)), key=lambda player: -strengths[player])


def _forfeit_lines(results: Results) -> list[str]:
    """Returns a line for each player who forfeited: the numbers by kind, and the first forfeit."""
    first_forfeits = {}
    for pairing, outcome in reversed(list(results.games())):
        if outcome.forfeit:
            seat, reason = outcome.forfeit
            first_forfeits[pairing.players[seat]] = (outcome.number, reason)
    lines = []
    for player, (number, reason) in sorted(first_forfeits.items()):
        kinds = results.rows[player].forfeits
        counts = ", ".join(f"{kind} {count}×" for kind, count in kinds.items())
        lines.append(f"{results.plan.names[player]} forfeited: {counts} (game {number}: {reason})")
    return lines


def rating_text(rating: IntervalEstimate, kind: str) -> str:
    """Returns the value of a rating of this kind."""
    return f"{rating.value:+,.0f}" if kind == "Elo" else f"{rating.value:,.1f}"


def _margin_text(rating: IntervalEstimate, kind: str) -> str:
    margin = (rating.high - rating.low) / 2
    return f"±{margin:.0f}" if kind == "Elo" else f"±{margin:.1f}"


def _signed(estimate: IntervalEstimate) -> str:
    return f"{estimate.value:+.0f} ({estimate.low:+.0f} to {estimate.high:+.0f})"


def _last_cells(row: StandingsRow) -> tuple[str, str]:
    return f"{1000 * row.seconds:.1f}", str(sum(row.forfeits.values()))
