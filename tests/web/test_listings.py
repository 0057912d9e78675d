"""The entries of lists that are made from results."""

from quincunx.rooms.events import RoomResult
from quincunx.web.listings import MAX_RATED_PLAYERS, ratings


def result(number, bot, name="Ann"):
    """Returns a game that a person has won against a bot."""
    players, names = ("human", bot), (name, bot)
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
    assert games["Ann"] == 40 + MAX_RATED_PLAYERS - 5


def test_people_are_rated_by_their_names_and_not_without():
    rows = ratings([result(1, "greedy"), result(2, "greedy", "Bob"), result(3, "greedy", "")])
    assert {(row["kind"], row["player"], row["games"]) for row in rows} == {
        ("human", "Ann", 1),
        ("human", "Bob", 1),
        ("bot", "greedy", 2),
    }


def test_a_person_with_the_name_of_a_bot_is_another_player():
    rows = ratings([result(1, "greedy", "greedy")])
    assert [(row["kind"], row["points"]) for row in rows] == [("human", 1.0), ("bot", 0.0)]
