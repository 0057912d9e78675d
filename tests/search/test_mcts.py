"""Monte Carlo tree search: forced ends, opinions, the tree that is kept, and nothing peeked at."""

import itertools

import numpy as np
import pytest

import quincunx as qx
from quincunx.players import mcts, players_of
from tests.search.test_search import WIN_IN_ONE

# Every game, and the options under which it hides more or is played otherwise.
VARIANTS = [
    ("sphero", {}),
    ("sphero", {"players": 3, "order": "turns"}),
    ("onoro", {}),
    ("blocky", {"depth": 2}),
    ("blocky", {"depth": 2, "players": 3, "goals": "mixed"}),
    ("wzlz", {}),
    ("wzlz", {"show_next_balls": False}),
    ("quorum", {}),
]


@pytest.fixture(params=VARIANTS, ids=str)
def variant(request):
    name, options = request.param
    return qx.game(name, **options)


def mover(state):
    """The seat to name when moving: 0 where anyone may move."""
    return 0 if state.turn is None else state.turn


def test_it_wins_sphero_by_force():
    """With two placements to go, it finds the first that wins against every second."""
    for state, outcomes in itertools.islice(sphero_endings(1), 5):
        wins = {move for move, worst in outcomes.items() if worst == 1.0}
        chosen = qx.player("mcts:sims=4000", state.game, seed=1).choose(state)
        assert chosen in wins, f"{state.move(chosen)}\n{state}"


def test_it_does_not_lose_sphero_by_force():
    """With two placements to go, it keeps clear of those that a second one punishes."""
    for state, outcomes in itertools.islice(sphero_endings(0), 5):
        lost = {move for move, worst in outcomes.items() if worst == 0.0}
        chosen = qx.player("mcts:sims=4000", state.game, seed=1).choose(state)
        assert chosen not in lost, f"{state.move(chosen)}\n{state}"


def sphero_endings(sought):
    """Positions with two placements to go where some moves, not all, have this as their worst."""
    dice = np.random.default_rng(3)
    for plies in itertools.count(20):
        game = qx.game("sphero", players=2, order="turns", limit=20 + plies % 12)
        state = game.start()
        while state.ply < game.options["limit"] - 2:
            state = state.act(int(dice.choice(state.actions())))
        seat = state.turn
        outcomes = {
            move: min(share(after.act(reply), seat) for reply in after.actions())
            for move in state.actions()
            if not (after := state.act(move)).over
        }
        found = sum(worst == sought for worst in outcomes.values())
        if 0 < found < len(outcomes):
            yield state, outcomes


def share(state, seat):
    """What a seat has of the win."""
    return 1 / len(state.winners) if seat in state.winners else 0.0


@pytest.mark.parametrize(
    "text",
    [
        "(rrgr) perimeter:r-0,perimeter:g-0 1 1",
        "(rgbr) perimeter:r-0,perimeter:g-0 1 1",
        "(rgrb) blob:r-0,blob:g-0 1 1",
    ],
)
def test_it_ends_blocky_well(text):
    """With one turn to go it plays one of the moves that bring the seat most of the win."""
    state = qx.game("blocky", depth=1, turns=1).read(text)
    outcomes = {move: share(state.act(move), state.turn) for move in state.actions()}
    chosen = qx.player("mcts:sims=500", state.game, seed=0).choose(state)
    assert outcomes[chosen] == max(outcomes.values()), f"{state.move(chosen)}\n{state}"


def test_it_does_not_lose_blocky_by_force():
    """With a turn each to go, it keeps clear of moves that a sure reply punishes."""
    game, found = qx.game("blocky", depth=2, turns=1), 0
    for seed in itertools.count():
        state = game.start(seed=seed)
        sound = [move for move in state.actions() if not state.move(move).startswith("smash")]
        lost = {move for move in sound if 0.0 in sure_replies(state.act(move))}
        if 0 < len(lost) < len(sound):
            chosen = qx.player("mcts:sims=4000", game, seed=1).choose(state)
            assert chosen not in lost, f"{state.move(chosen)}\n{state}"
            found += 1
        if found == 2:
            return


def sure_replies(state):
    """What the first seat has of the win after each last move that leaves nothing to chance."""
    return {
        share(state.act(reply), 0)
        for reply in state.actions()
        if not state.move(reply).startswith("smash")
    }


def test_an_opinion_on_every_move(variant):
    """All legal moves, the best first, and that is the one it plays."""
    state = variant.start(seed=5)
    seat = mover(state)
    opinions = qx.player("mcts:sims=150", variant, seed=2).analyse_moves(state, seat)
    assert sorted(opinion.action for opinion in opinions) == state.actions(seat)
    assert opinions[0].action == qx.player("mcts:sims=150", variant, seed=2).choose(state, seat)
    assert sum(opinion.visits for opinion in opinions) == 150
    visits = [opinion.visits for opinion in opinions]
    assert visits == sorted(visits, reverse=True)
    for opinion in opinions:
        assert -1.0 < opinion.value < 1.0
        assert opinion.line[0] == opinion.action
        assert opinion.plies is None


def test_opinions_of_many_threads_are_added_up():
    quorum = qx.game("quorum")
    opinions = qx.player("mcts:sims=400,threads=2", quorum, seed=2).analyse_moves(quorum.start())
    assert sum(opinion.visits for opinion in opinions) == 400
    assert [opinion.action for opinion in opinions[:1]] == [opinions[0].line[0]]


def test_lines_can_be_played():
    for name in ("quorum", "onoro"):
        state = qx.game(name).start()
        for opinion in qx.player("mcts:sims=2000", state.game, seed=1).analyse_moves(state):
            after = state
            for action in opinion.line:
                after = after.act(action)


def test_a_win_in_one_is_certain():
    state = qx.game("quorum").read(WIN_IN_ONE)
    best = qx.player("mcts:sims=3000", state.game, seed=1).analyse_moves(state)[0]
    assert (best.value, best.plies, len(best.line)) == (1.0, 1, 1)


def test_what_is_proven_is_so_and_stays():
    """In small Onoro, proofs agree with looking at everything, and outlive the moves."""
    game, dice, proven = qx.game("onoro", pawns=6), np.random.default_rng(8), 0
    while proven < 2:
        state = game.start()
        while not state.over and state.ply < 10:
            state = state.act(int(dice.choice(state.actions())))
        if state.over:
            continue
        thinker = qx.player("mcts:sims=1000", game, seed=proven)
        best = thinker.analyse_moves(state)[0]
        if best.plies != 3:
            continue
        proven += 1
        assert best.value == 1.0
        after = state.act(best.action)
        assert all(winning_moves(after.act(reply)) for reply in after.actions()), f"\n{state}"
        later = after.act(best.line[1])
        again = thinker.analyse_moves(later)[0]
        assert (again.value, again.plies) == (1.0, 1)
        assert thinker.sims == 0, "what is certain needs no simulation"


def winning_moves(state):
    """The moves that win at once."""
    return [move for move in state.actions() if state.turn in state.act(move).winners]


def test_the_tree_is_kept_from_move_to_move():
    quorum = qx.game("quorum")
    state, thinker = quorum.start(), qx.player("mcts:sims=3000", quorum, seed=1)
    best = thinker.analyse_moves(state)[0]
    later = state.act(best.line[0]).act(best.line[1])
    opinions = thinker.analyse_moves(later)
    assert thinker.sims == 3000, "simulations are added"
    assert sum(opinion.visits for opinion in opinions) > 3000
    # The position before, once more: nothing below it is there any more.
    thinker.analyse_moves(state)
    assert sum(opinion.visits for opinion in thinker.analyse_moves(state)) == 6000


def test_the_kept_tree_is_what_grew_there():
    onoro = qx.game("onoro")
    state, thinker = onoro.start(), qx.player("mcts:sims=2000", onoro, seed=1)
    best = thinker.analyse_moves(state)[0]
    tree = thinker._trees[0]
    node = next(child for child in tree.children() if child.action == best.line[0])
    node = next(child for child in tree.children(node.child) if child.action == best.line[1])
    grown = shape(tree, node.child)
    tree.plant(state.act(best.line[0]).act(best.line[1]), state.turn)
    assert shape(tree) == grown


def shape(tree, first=None):
    """Sibling nodes and all below them, as a value."""
    return [
        (node.action, node.visits, node.worth, node.proof, shape(tree, node.child))
        for node in tree.children(first)
    ]


def test_what_was_left_to_chance_begins_anew():
    blocky = qx.game("blocky", depth=2)
    state = blocky.read("(r(gbby)yb) blob:r-0,blob:b-0 0 0")
    thinker = qx.player("mcts:sims=300", blocky, seed=1)
    thinker.choose(state)
    sure, smashed = (state.play(move).play("pass") for move in ("cw@1", "smash@0"))
    assert sum(opinion.visits for opinion in thinker.analyse_moves(smashed)) == 300
    thinker.choose(state)
    assert sum(opinion.visits for opinion in thinker.analyse_moves(sure)) >= 300


def test_another_game_begins_anew():
    """A position of the same ply that does not follow from the last one is not mixed up."""
    quorum, dice = qx.game("quorum"), np.random.default_rng(1)
    thinker = qx.player("mcts:sims=300", quorum, seed=1)
    for _ in range(3):
        state = quorum.start()
        for _ in range(6):
            state = state.act(int(dice.choice(state.actions())))
        assert sum(opinion.visits for opinion in thinker.analyse_moves(state)) == 300


@pytest.mark.parametrize("kind", ["random", "greedy", "smart", "mcts:sims=60", "alphabeta:depth=1"])
def test_nobody_peeks(variant, kind):
    """Another hidden future gives the same choice, now and in the moves that follow."""
    if kind.partition(":")[0] not in players_of(variant):
        return
    state, dice = variant.start(seed=2), np.random.default_rng(4)
    players = [qx.player(kind, variant, seed=3) for _ in range(3)]
    for _ in range(3):
        seat = mover(state)
        futures = [state, *(state.hidden(seat, seed=future) for future in (1, 2))]
        chosen = {p.choose(s, seat) for p, s in zip(players, futures, strict=True)}
        assert len(chosen) == 1, f"\n{state}"
        state = state.act(chosen.pop(), seat)
        for other in range(1, variant.seats):
            actor = other if state.turn is None else None
            state = state.act(int(dice.choice(state.actions(actor))), actor)


def test_a_full_tree_goes_on(monkeypatch):
    monkeypatch.setattr(mcts, "NODES", 200)
    quorum = qx.game("quorum")
    thinker = qx.player("mcts:sims=2000", quorum, seed=1)
    assert thinker.choose(quorum.start()) in quorum.start().actions()
    assert thinker.sims == 2000


def test_the_same_positions_give_the_same_choices():
    """With one thread and a seed, a whole game is the same twice."""
    onoro = qx.game("onoro")

    def played():
        state, moves = onoro.start(), []
        thinker, other = (qx.player("mcts:sims=100", onoro, seed=seed) for seed in (1, 2))
        while not state.over and state.ply < 20:
            moves.append((thinker if state.ply % 2 else other).choose(state))
            state = state.act(moves[-1])
        return moves

    assert played() == played()
