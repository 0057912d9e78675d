"""The entries of lists that are made from results."""

from quincunx.rooms.events import RoomResult
from quincunx.web.listings import MAX_RATED_PLAYERS, PEOPLE, ratings


def result(number, bot):
    """Returns a game that a person has won against a bot."""
    players, names = ("human", bot), ("Ann", bot)
    return RoomResult(
        f"r{number}", "onoro", {}, number, players, names, (1.0, 0.0), (0,), True, True, number
    )  # fmt: skip


def test_bots_that_played_once_do_not_make_ratings_impossible():
    """Whoever creates rooms can name a new bot in each."""
    known = [result(i, f"level:{1 + i % 4}") for i in range(40)]
    once = [result(i, f"mcts:sims={i}") for i in range(40, 2000)]
    rows = ratings([*once, *known])
    assert len(rows) == MAX_RATED_PLAYERS
    games = {row["player"]: row["games"] for row in rows}
    assert [games[f"level:{level}"] for level in (1, 2, 3, 4)] == [10] * 4
    assert games[PEOPLE] == 40 + MAX_RATED_PLAYERS - 5
