"""Monte Carlo tree search: forced results, move values, tree reuse, hidden information."""

import itertools

import numpy as np
import pytest

import quincunx as qx
from quincunx.errors import BadOption
from quincunx.players import players_of
from tests.search.test_search import WIN_IN_ONE

# Every game, also with options that hide more or change the number of players.
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


def acting_seat(state):
    """Returns the seat to move; 0 where any seat may move."""
    return 0 if state.turn is None else state.turn


def test_a_forced_win_in_sphero_is_found():
    """With two placements left, it finds one that wins against every reply."""
    for state, outcomes in itertools.islice(sphero_endings(1), 5):
        wins = {move for move, worst in outcomes.items() if worst == 1.0}
        action = qx.player("mcts:sims=4000", state.game, seed=1).choose(state)
        assert action in wins, f"{state.move(action)}\n{state}"


def test_a_forced_loss_in_sphero_is_avoided():
    """With two placements left, it avoids those that a reply refutes."""
    for state, outcomes in itertools.islice(sphero_endings(0), 5):
        lost = {move for move, worst in outcomes.items() if worst == 0.0}
        action = qx.player("mcts:sims=4000", state.game, seed=1).choose(state)
        assert action not in lost, f"{state.move(action)}\n{state}"


def sphero_endings(worst_share):
    """Yields positions with two placements left, and each move's worst share of the win.

    Some of the moves, but not all, have `worst_share`.
    """
    rng = np.random.default_rng(3)
    for i in itertools.count(20):
        game = qx.game("sphero", players=2, order="turns", limit=20 + i % 12)
        state = game.start()
        while state.ply < game.options["limit"] - 2:
            state = state.act(int(rng.choice(state.actions())))
        seat = state.turn
        outcomes = {
            move: min(win_share(after.act(reply), seat) for reply in after.actions())
            for move in state.actions()
            if not (after := state.act(move)).over
        }
        matching = sum(worst == worst_share for worst in outcomes.values())
        if 0 < matching < len(outcomes):
            yield state, outcomes


def win_share(state, seat):
    """Returns a seat's share of the win, from 0 to 1."""
    return 1 / len(state.winners) if seat in state.winners else 0.0


@pytest.mark.parametrize(
    "text",
    [
        "(rrgr) perimeter:r-0,perimeter:g-0 1 1",
        "(rgbr) perimeter:r-0,perimeter:g-0 1 1",
        "(rgrb) blob:r-0,blob:g-0 1 1",
    ],
)
def test_the_last_move_of_blocky_is_one_of_the_best(text):
    """With one turn left, it plays a move with the greatest share of the win."""
    state = qx.game("blocky", depth=1, turns=1).read(text)
    outcomes = {move: win_share(state.act(move), state.turn) for move in state.actions()}
    action = qx.player("mcts:sims=500", state.game, seed=0).choose(state)
    assert outcomes[action] == max(outcomes.values()), f"{state.move(action)}\n{state}"


def test_a_forced_loss_in_blocky_is_avoided():
    """With one turn left for each seat, it avoids moves that a reply without chance refutes."""
    game, tested = qx.game("blocky", depth=2, turns=1), 0
    for seed in itertools.count():
        state = game.start(seed=seed)
        without_chance = [
            move for move in state.actions() if not state.move(move).startswith("smash")
        ]
        lost = {move for move in without_chance if 0.0 in shares_after_replies(state.act(move))}
        if 0 < len(lost) < len(without_chance):
            action = qx.player("mcts:sims=4000", game, seed=1).choose(state)
            assert action not in lost, f"{state.move(action)}\n{state}"
            tested += 1
        if tested == 2:
            return


def shares_after_replies(state):
    """Returns the first seat's shares of the win after the last moves that involve no chance."""
    return {
        win_share(state.act(reply), 0)
        for reply in state.actions()
        if not state.move(reply).startswith("smash")
    }


def test_every_move_has_a_value_and_the_best_is_chosen(variant):
    state = variant.start(seed=5)
    seat = acting_seat(state)
    moves = qx.player("mcts:sims=150", variant, seed=2).analyse_moves(state, seat)
    assert sorted(move.action for move in moves) == state.actions(seat)
    assert moves[0].action == qx.player("mcts:sims=150", variant, seed=2).choose(state, seat)
    assert sum(move.visits for move in moves) == 150
    visits = [move.visits for move in moves]
    assert visits == sorted(visits, reverse=True)
    for move in moves:
        assert -1.0 < move.value < 1.0
        assert move.line[0] == move.action
        assert move.plies is None


def test_visits_of_several_threads_are_added():
    quorum = qx.game("quorum")
    bot = qx.player("mcts:sims=400,threads=2", quorum, seed=2)
    visits = {move.action: move.visits for move in bot.analyse_moves(quorum.start())}
    first, second = (
        {node.action: node.visit_count for node in tree.children()} for tree in bot._trees
    )
    assert sum(first.values()) == sum(second.values()) == 200
    assert first != second, "the threads have different seeds"
    assert visits == {action: first[action] + second[action] for action in quorum.start().actions()}


def test_lines_are_legal():
    for name in ("quorum", "onoro"):
        state = qx.game(name).start()
        for move in qx.player("mcts:sims=2000", state.game, seed=1).analyse_moves(state):
            assert move.line[0] == move.action
            after = state
            for action in move.line:
                after = after.act(action)  # raises IllegalMove
            assert after.ply == state.ply + len(move.line)


def test_a_win_in_one_is_proven():
    state = qx.game("quorum").read(WIN_IN_ONE)
    best = qx.player("mcts:sims=3000", state.game, seed=1).analyse_moves(state)[0]
    assert (best.value, best.plies, len(best.line)) == (1.0, 1, 1)


def test_proofs_are_right_and_survive_the_next_moves():
    """In small Onoro, a proven win in three agrees with an exhaustive search."""
    game, rng, proven = qx.game("onoro", pawns=6), np.random.default_rng(8), 0
    while proven < 2:
        state = game.start()
        while not state.over and state.ply < 10:
            state = state.act(int(rng.choice(state.actions())))
        if state.over:
            continue
        bot = qx.player("mcts:sims=1000", game, seed=proven)
        best = bot.analyse_moves(state)[0]
        if best.plies != 3:
            continue
        proven += 1
        assert best.value == 1.0
        after = state.act(best.action)
        assert all(winning_moves(after.act(reply)) for reply in after.actions()), f"\n{state}"
        later = after.act(best.line[1])
        again = bot.analyse_moves(later)[0]
        assert (again.value, again.plies) == (1.0, 1)
        assert bot.sims == 0, "a proven position needs no simulation"


def winning_moves(state):
    """Returns the moves that win at once."""
    return [move for move in state.actions() if state.turn in state.act(move).winners]


def test_the_tree_is_reused_for_the_next_move():
    quorum = qx.game("quorum")
    state, bot = quorum.start(), qx.player("mcts:sims=3000", quorum, seed=1)
    best = bot.analyse_moves(state)[0]
    later = state.act(best.line[0]).act(best.line[1])
    moves = bot.analyse_moves(later)
    assert bot.sims == 3000, "new simulations are added to the reused ones"
    assert sum(move.visits for move in moves) > 3000
    # Going back to the earlier position starts with an empty tree.
    bot.analyse_moves(state)
    assert sum(move.visits for move in bot.analyse_moves(state)) == 6000


def test_the_reused_subtree_is_unchanged():
    onoro = qx.game("onoro")
    state, bot = onoro.start(), qx.player("mcts:sims=2000", onoro, seed=1)
    best = bot.analyse_moves(state)[0]
    tree = bot._trees[0]
    node = next(child for child in tree.children() if child.action == best.line[0])
    node = next(child for child in tree.children(node.first_child) if child.action == best.line[1])
    before = subtree(tree, node.first_child)
    tree.set_root(state.act(best.line[0]).act(best.line[1]), state.turn)
    assert subtree(tree) == before


def subtree(tree, first=None):
    """Returns sibling nodes and all their descendants as nested lists."""
    return [
        (
            node.action,
            node.visit_count,
            node.value_sum,
            node.proof,
            subtree(tree, node.first_child),
        )
        for node in tree.children(first)
    ]


def test_the_tree_is_not_reused_after_a_chance_event():
    blocky = qx.game("blocky", depth=2)
    state = blocky.read("(r(gbby)yb) blob:r-0,blob:b-0 0 0")
    bot = qx.player("mcts:sims=300", blocky, seed=1)
    bot.choose(state)
    rotated, smashed = (state.play(move).play("pass") for move in ("cw@1", "smash@0"))
    assert sum(move.visits for move in bot.analyse_moves(smashed)) == 300
    bot.choose(state)
    assert sum(move.visits for move in bot.analyse_moves(rotated)) >= 300


def test_the_tree_is_not_reused_for_another_game():
    """A position of another game is not taken for the last one, although its ply is the same."""
    quorum, rng = qx.game("quorum"), np.random.default_rng(1)
    bot = qx.player("mcts:sims=300", quorum, seed=1)
    for _ in range(3):
        state = quorum.start()
        for _ in range(6):
            state = state.act(int(rng.choice(state.actions())))
        assert sum(move.visits for move in bot.analyse_moves(state)) == 300


@pytest.mark.parametrize("kind", ["random", "greedy", "smart", "mcts:sims=60", "alphabeta:depth=1"])
def test_hidden_information_does_not_change_the_choice(variant, kind):
    """Different hidden futures give the same choice, now and in the following moves."""
    if kind.partition(":")[0] not in players_of(variant):
        pytest.skip(f"{kind} does not play {variant.name}")
    state, rng = variant.start(seed=2), np.random.default_rng(4)
    players = [qx.player(kind, variant, seed=3) for _ in range(3)]
    for _ in range(3):
        seat = acting_seat(state)
        futures = [state, *(state.hidden(seat, seed=future) for future in (1, 2))]
        choices = {p.choose(s, seat) for p, s in zip(players, futures, strict=True)}
        assert len(choices) == 1, f"\n{state}"
        state = state.act(choices.pop(), seat)
        for other in range(1, variant.seats):
            actor = other if state.turn is None else None
            state = state.act(int(rng.choice(state.actions(actor))), actor)


def test_a_full_tree_is_still_searched():
    quorum = qx.game("quorum")
    size = 2 * quorum.kernel.MAX_LEGAL
    bot = qx.player(f"mcts:sims=4000,tree_nodes={size}", quorum, seed=1)
    assert bot.choose(quorum.start()) in quorum.start().actions()
    assert bot.sims == 4000
    assert bot.nodes < visited_nodes(quorum, "mcts:sims=4000"), (
        "a larger tree is searched more deeply"
    )


def visited_nodes(game, text):
    """Returns the node visits of a search of the start position."""
    bot = qx.player(text, game, seed=1)
    bot.choose(game.start())
    return bot.nodes


def test_the_smallest_tree_holds_all_moves_of_the_root(any_game):
    state = any_game.start(seed=1)
    seat = acting_seat(state)
    moves = qx.player("mcts:sims=20,tree_nodes=2", any_game, seed=1).analyse_moves(state, seat)
    assert sorted(move.action for move in moves) == state.actions(seat)


@pytest.mark.parametrize("size", [1, 2**28 + 1, "many"])
def test_an_invalid_tree_size_is_rejected(size):
    with pytest.raises(BadOption, match=r"tree_nodes=.*an integer from 2 to 268435456"):
        qx.player(f"mcts:tree_nodes={size}", qx.game("quorum"))


def test_the_same_seeds_give_the_same_game():
    """This holds for players with one thread."""
    onoro = qx.game("onoro")

    def play_game():
        state, actions = onoro.start(), []
        players = [qx.player("mcts:sims=100", onoro, seed=seed) for seed in (2, 1)]
        while not state.over and state.ply < 20:
            actions.append(players[state.ply % 2].choose(state))
            state = state.act(actions[-1])
        return actions

    assert play_game() == play_game()
