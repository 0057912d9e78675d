"""Probing agrees with the game's rules; the player `perfect` never worsens its position."""

import pickle
import random

import pytest

import quincunx as qx
from quincunx import solve
from quincunx.errors import BadOption, MissingTable
from quincunx.games.onoro.rules import pawns as pawns_of
from quincunx.solve.onoro.forced import ForcedWinSearch, winner_within
from quincunx.solve.onoro.verification import longest_win
from tests.naive import onoro_solver
from tests.solve.tables import small_table

# All in one pytest-xdist worker, so that the solver is compiled once.
pytestmark = pytest.mark.xdist_group("solver")

PAWNS = [3, 4, 5]


def random_states(pawns, games, seed):
    onoro, rng = qx.game("onoro", pawns=pawns, repetition=0), random.Random(seed)
    for _ in range(games):
        state = onoro.start(seed=0)
        while state.ply < 40:
            yield state
            if state.over:
                break
            state = state.play(rng.choice(state.moves()))


@pytest.mark.parametrize("pawns", PAWNS)
def test_a_verdict_agrees_with_the_verdicts_after_each_move(pawns):
    for state in random_states(pawns, 8, seed=pawns):
        verdict = solve.probe(state)
        assert set(verdict.moves) == set(state.moves())
        if state.over:
            assert (verdict.value, verdict.distance) == ("loss", 0)
            continue
        best = next(iter(verdict.moves.values()))
        assert (best.value, best.distance) == (verdict.value, verdict.distance)
        for move, move_verdict in verdict.moves.items():
            after = solve.probe(state.play(move))
            value = {"win": "loss", "draw": "draw", "loss": "win"}[after.value]
            plies = None if after.distance is None else after.distance + 1
            assert (move_verdict.value, move_verdict.distance) == (value, plies), f"{move}\n{state}"


@pytest.mark.parametrize("pawns", PAWNS)
def test_verdicts_agree_with_an_independent_search(pawns):
    search, plies = ForcedWinSearch(5), 5
    for state in random_states(pawns, 4, seed=10 + pawns):
        if state.over:
            continue
        verdict = solve.probe(state)
        for seat in range(2):
            wins = verdict.value == ("win" if seat == state.turn else "loss")
            for depth in range(1, plies + 1):
                expected = wins and verdict.distance <= depth
                assert search.can_force(state, seat, depth) == expected, f"{depth}\n{state}"


@pytest.mark.parametrize("pawns", [3, 4, 5, 6, 7, 8])
def test_no_side_can_force_a_win_by_placing_alone(pawns):
    assert winner_within(qx.game("onoro", pawns=pawns).start(0), 2 * pawns - 3) is None


def test_a_finished_draw_by_repetition_is_a_draw():
    state = qx.game("onoro", pawns=3, repetition=2).read("WBB/WW./B.. b")
    rng = random.Random(0)
    while not state.over:
        state = state.play(rng.choice(state.moves()))
        if state.over and state.winners:
            state = qx.game("onoro", pawns=3, repetition=2).read("WBB/WW./B.. b")
    assert solve.probe(state).value == "draw"
    assert solve.probe(state).moves == {}


def test_a_missing_table_is_reported_with_the_command_that_builds_it(tmp_path, monkeypatch):
    monkeypatch.setenv("QUINCUNX_DATA", str(tmp_path))
    with pytest.raises(MissingTable, match="quincunx solve onoro --pawns 8") as raised:
        solve.probe(qx.game("onoro").start())
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_only_onoro_is_solved():
    with pytest.raises(BadOption, match="only onoro"):
        solve.probe(qx.game("quorum").start())
    with pytest.raises(BadOption, match="have a solver, not"):
        qx.player("perfect", qx.game("quorum"))


@pytest.mark.parametrize("pawns", [4, 5])
@pytest.mark.parametrize("other", ["mcts:sims=60", "alphabeta:depth=3", "random"])
@pytest.mark.parametrize("seat", [0, 1])
def test_perfect_never_worsens_its_position(pawns, other, seat):
    onoro = qx.game("onoro", pawns=pawns)
    half_points = {"loss": 0, "draw": 1, "win": 2}
    for seed in range(2):
        players = [qx.player(kind, onoro, seed) for kind in ("perfect", other)]
        state, before = onoro.start(0), 1
        while not state.over and state.ply < 120:
            is_perfect = state.turn == seat
            state = state.play(players[0 if is_perfect else 1].choose(state))
            if is_perfect and not state.over:
                now = 2 - half_points[solve.probe(state).value]
                assert now >= before, f"\n{state}"
                before = now
        assert state.winners in ((), (seat,))


def test_perfect_analyses_every_move():
    state = longest_win(small_table(4)).initial_state()
    analysed = qx.player("perfect", state.game, seed=0).analyse_moves(state)
    verdict = solve.probe(state)
    assert {move.action for move in analysed} == set(state.actions())
    for move in analysed:
        expected = verdict.moves[state.move(move.action)]
        assert move.plies == expected.distance
        assert move.value == {"win": 1, "draw": 0, "loss": -1}[expected.value]
        after = state
        for action in move.line:
            after = after.act(action)
    assert analysed[0].value == 1


@pytest.mark.parametrize("pawns", PAWNS)
def test_longest_win_returns_a_won_game_of_that_length(pawns):
    table = small_table(pawns)
    record = longest_win(table)
    states = record.states()
    assert len(record.moves) == max(counts["longest"] for counts in table.counts.values())
    assert states[-1].over
    assert states[-1].winners == (states[0].turn,)
    assert qx.Record.read(record.text).moves == record.moves


@pytest.mark.modes
def test_probing_agrees_with_the_naive_solver():
    state = qx.game("onoro", pawns=3).start(seed=0)
    naive = onoro_solver.solve(3) | onoro_solver.solve_placing(3)
    while state.ply < 5:
        verdict = solve.probe(state)
        sides = [
            frozenset(cell for cell, seat in pawns_of(state.position).items() if seat == side)
            for side in (state.turn, 1 - state.turn)
        ]
        assert (verdict.value, verdict.distance) == naive[onoro_solver.key(tuple(sides))]
        state = state.play(state.moves()[-1])


@pytest.mark.parametrize(
    ("kind", "min_proofs"), [("alphabeta:nodes=2000", 20), ("mcts:sims=400", 3)]
)
def test_results_proven_by_search_agree_with_the_table(kind, min_proofs):
    onoro, rng, proofs = qx.game("onoro", pawns=5, repetition=0), random.Random(3), 0
    for _ in range(12):
        state = onoro.start(0)
        for _ in range(rng.randrange(4, 12)):
            if not state.over:
                state = state.act(rng.choice(state.actions()))
        if state.over:
            continue
        verdict = solve.probe(state)
        for move in qx.player(kind, onoro, seed=0).analyse_moves(state):
            if move.plies is not None:
                exact = verdict.moves[state.move(move.action)]
                assert exact.value == ("win" if move.value > 0 else "loss"), f"\n{state}"
                assert exact.distance <= move.plies
                proofs += 1
    assert proofs >= min_proofs
