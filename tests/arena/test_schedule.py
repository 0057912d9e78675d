"""The schedule: every player has every seat equally often, with the same seeds."""

from collections import Counter

import pytest

import quincunx as qx
from quincunx.arena.schedule import Plan, code_digest, derive_seed, make_plan, pairing_at
from quincunx.errors import BadOption


def pairings(plan):
    return [pairing_at(plan, number) for number in range(plan.total)]


def test_two_players_swap_seats_within_a_round():
    plan = make_plan("quorum", ["greedy", "random"], games=6)
    assert [pairing.players for pairing in pairings(plan)] == [(0, 1), (1, 0)] * 3
    seeds = [pairing.seed for pairing in pairings(plan)]
    assert seeds[0::2] == seeds[1::2]
    assert len(set(seeds)) == 3
    assert len({p.player_seed(seat) for p in pairings(plan) for seat in (0, 1)}) == 12


def test_the_schedule_depends_on_the_seed_only():
    plan, same = (make_plan("quorum", ["greedy", "random"], seed=5) for _ in range(2))
    assert pairings(plan) == pairings(same)
    other = make_plan("quorum", ["greedy", "random"], seed=6)
    assert not {p.seed for p in pairings(plan)} & {p.seed for p in pairings(other)}
    assert derive_seed(5, "round", 0) == 761334914424583086


def test_a_tournament_plays_all_pairs_from_both_seats():
    plan = make_plan("quorum", ["greedy", "random", "greedy", "random"], games=4)
    assert plan.total == 24
    assert Counter(pairing.players for pairing in pairings(plan)) == {
        (i, j): 2 for i in range(4) for j in range(4) if i != j
    }
    assert plan.names == ("greedy", "random", "greedy #2", "random #2")


@pytest.mark.parametrize(("seats", "orders"), [(3, 2), (4, 6)])
def test_more_seats_rotate_and_use_every_order(seats, orders):
    players = [f"smart:difficulty={i + 1}" for i in range(seats)]
    plan = make_plan(qx.game("blocky", players=seats), players, games=seats * orders)
    all_rounds = pairings(plan)
    for start in range(0, len(all_rounds), seats):
        one_round = all_rounds[start : start + seats]
        for seat in range(seats):
            assert sorted(pairing.players[seat] for pairing in one_round) == list(range(seats))
    assert len({pairing.players for pairing in all_rounds}) == seats * orders


def test_more_players_than_seats_play_in_all_combinations():
    plan = make_plan(qx.game("blocky", players=3), ["random"] * 5, games=3)
    assert plan.total == 30
    games = Counter((seat, player) for p in pairings(plan) for seat, player in enumerate(p.players))
    assert set(games.values()) == {6}


def test_players_of_solo_games_get_the_same_seeds():
    plan = make_plan(qx.game("blocky", players=1), ["random", "greedy", "random"], games=4)
    assert plan.total == 12
    seeds = [[p.seed for p in pairings(plan) if p.players == (player,)] for player in range(3)]
    assert seeds[0] == seeds[1] == seeds[2]
    assert len(set(seeds[0])) == 4
    assert plan.ply_limit == 0


def test_games_are_rounded_up_to_whole_rounds():
    assert make_plan("quorum", ["greedy", "random"], games=5).games == 6


def test_sphero_is_played_in_turns_by_default():
    plan = make_plan("sphero", ["random", "random"])
    assert (plan.options["order"], plan.options["limit"], plan.seats) == ("turns", 1000, 2)
    plan = make_plan(qx.game("sphero", order="anytime", players=3), ["random"] * 3)
    assert (plan.options["order"], plan.options["limit"]) == ("anytime", 1000)


def test_a_plan_survives_json():
    plan = make_plan("sphero", ["random", "greedy"], seed=7)
    assert Plan.from_dict(plan.as_dict()) == plan
    assert plan.configured_game == Plan.from_dict(plan.as_dict()).configured_game


def test_the_code_digest_includes_custom_players(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "custom_bot.py"
    file.write_text("class Bot: pass\n")
    before = code_digest("quorum", ["custom_bot:Bot"])
    file.write_text("class Bot: ...\n")
    assert code_digest("quorum", ["custom_bot:Bot"]) != before


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (["greedy"], {}, "2 seats"),
        (["greedy", "gredy"], {}, "did you mean greedy"),
        (["greedy", "no_such_module:Bot"], {}, "module:Class"),
        (["greedy", "tests.arena.bad_players:Nobody"], {}, "no class Nobody"),
        (["greedy", "collections:Counter"], {}, "choose"),
        (["greedy", "random"], {"games": 0}, "at least 1"),
        (["greedy", "random"], {"opening_plies": -1}, "at least 0"),
        (["greedy", "random"], {"ply_limit": 3}, "plies of the opening"),
        (["greedy", "random"], {"move_seconds": 0.0}, "above 0"),
        ("greedy random", {}, "list"),
    ],
)
def test_invalid_plans_are_explained(players, options, message):
    with pytest.raises(BadOption, match=message):
        make_plan("quorum", players, **options)
