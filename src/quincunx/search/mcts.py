"""Monte Carlo tree search with proven wins and losses (MCTS-Solver): templates, compiled per game.

The tree is an array of NODE records. A node is a sequence of actions from the root, independent
of chance: the same node can be reached in different positions (open-loop search).
"""

import math
from typing import Any

import numpy as np

from quincunx.arithmetic import log
from quincunx.contract import Kernel, apply, evaluate, hide, key, legal
from quincunx.jit import jit, python_function
from quincunx.position import SPLITMIX_INCREMENT, mix
from quincunx.search.expectimax import one_ply_values
from quincunx.search.playout import sample, seat_to_move

# Node 0 is the root. The children of a node are a linked list in ascending order of their
# actions. Expansion adds children for all legal moves at once, and more later where chance
# makes other moves legal.
NODE = np.dtype(
    [
        ("action", "i4"),
        ("first_child", "i4"),  # or NO_NODE
        ("next_sibling", "i4"),  # or NO_NODE
        ("visit_count", "i4"),
        ("value_sum", "f8"),  # over the simulations, for the mover, 0 to 1 each
        ("prior_value", "f4"),  # for the mover, before any simulation, 0 to 1
        ("plies_to_end", "i2"),  # along the proof, where there is one
        ("mover", "i1"),  # the seat that played the action
        ("proof", "i1"),  # PROVEN_WIN or PROVEN_LOSS for the mover, or UNPROVEN
    ]
)
NO_NODE = -1
PROVEN_LOSS, UNPROVEN, PROVEN_WIN = -1, 0, 1

# This number of prior visits selects random priors, all above any real value. The weight is
# negligible once a move is visited, so every move is tried once, in random order, before any
# move is tried twice.
RANDOM_PRIOR_VISITS = 1e-9

SETTINGS = np.dtype(
    [
        ("exploration", "f8"),  # the exploration constant
        ("prior_visits", "f8"),  # the weight of a prior value, in simulations
        ("rollout_plies", "i8"),  # the longest rollout
        ("seats", "i8"),
        ("can_prove", "i8"),  # 1 where wins can be proven: two seats, no chance
    ]
)

MAX_TREE_DEPTH = 512  # plies
TWO_TO_MINUS_32 = 2.0**-32

# sqrt(log(n + 1)) for the visit counts of most nodes. The Python function of `log` gives the same
# bits as the compiled one, and nothing is compiled at import.
EXPLORATION_GROWTH = np.array([math.sqrt(python_function(log)(n + 1.0)) for n in range(256)])

SIGNATURES = {
    "clear_tree": "(tree: node[:]) -> void",
    "expand": "(tree: node[:], node_count: i64, parent: i64, mover: i64, moves: i32[:],"
    " prior_values: f64[:], n: i64) -> i64",
    "exploration_growth": "(visit_count: i64) -> f64",
    "select": "(tree: node[:], parent: i64, moves: i32[:], n: i64, bonus: f64,"
    " prior_visits: f64) -> i64",
    "backpropagate_proof": "(tree: node[:], path: i64[:], depth: i64,"
    " legal_counts: i64[:]) -> void",
    "mcts": "(tree: node[:], scratch: state[:], seat: i64, settings: settings,"
    " workspace: workspace, simulations: i64, seed: i64) -> void",
    "descend": "(tree: node[:], scratch: state[:], seat: i64, settings: settings,"
    " workspace: workspace) -> void",
    "expand_node": "(tree: node[:], node: i64, scratch: state[:], acting_seat: i64, n: i64,"
    " settings: settings, workspace: workspace) -> void",
    "prove_leaf": "(tree: node[:], s: state, workspace: workspace) -> void",
    "rollout": "(s: state, seat: i64, settings: settings, workspace: workspace) -> void",
    "evaluate_leaf": "(s: state, settings: settings, workspace: workspace) -> void",
    "backpropagate": "(tree: node[:], workspace: workspace) -> void",
    "find_descendant": "(tree: node[:], states: state[:], path: i64[:], plies: i64) -> i64",
    "copy_subtree": "(tree: node[:], root: i64, target: node[:]) -> i64",
    "total_visits": "(tree: node[:], node_count: i64) -> i64",
}


def workspace_type(max_legal: int, seats: int) -> np.dtype[Any]:
    """Returns the workspace of a search in a game: what it writes besides the tree."""
    return np.dtype(
        [
            ("random_bits", "u8"),  # the state of the generator
            ("node_count", "i8"),  # the number of nodes of the tree
            ("depth", "i8"),  # of the last node of the path
            ("path", "i8", (MAX_TREE_DEPTH,)),  # the nodes of a simulation, from the root
            ("legal_counts", "i8", (MAX_TREE_DEPTH,)),  # the legal moves at each node of the path
            ("prior_values", "f8", (max_legal,)),  # of the moves of a node that is expanded
            ("values", "f8", (seats,)),  # the result of a simulation for each seat, 0 to 1
            ("moves", "i4", (max_legal,)),  # the legal moves of a position
        ]
    )


def record_types(kernel: Kernel) -> dict[str, np.dtype[Any]]:
    """Returns the records that SIGNATURES names."""
    workspace = workspace_type(kernel.MAX_LEGAL, kernel.SEATS)
    return {"node": NODE, "settings": SETTINGS, "workspace": workspace}


@jit
def clear_tree(tree):
    """Reduces a tree to an unvisited root."""
    root = tree[0]
    root.action = NO_NODE
    root.first_child = NO_NODE
    root.next_sibling = NO_NODE
    root.visit_count = 0
    root.value_sum = 0.0
    root.prior_value = 0.0
    root.plies_to_end = 0
    root.mover = 0
    root.proof = UNPROVEN


@jit
def expand(tree, node_count, parent, mover, moves, prior_values, n):
    """Adds a child for each of the n moves, in ascending order, that has none.

    Returns the new number of nodes of the tree.
    """
    previous = NO_NODE
    child = tree[parent].first_child
    for i in range(n):
        while child != NO_NODE and tree[child].action < moves[i]:
            previous = child
            child = tree[child].next_sibling
        if child == NO_NODE or tree[child].action != moves[i]:
            node = tree[node_count]
            node.action = moves[i]
            node.first_child = NO_NODE
            node.next_sibling = child
            node.visit_count = 0
            node.value_sum = 0.0
            node.prior_value = 0.5 + 0.5 * prior_values[i]
            node.plies_to_end = 0
            node.mover = mover
            node.proof = UNPROVEN
            if previous == NO_NODE:
                tree[parent].first_child = node_count
            else:
                tree[previous].next_sibling = node_count
            previous = node_count
            node_count += 1
    return node_count


@jit
def exploration_growth(visit_count):
    """Returns the factor by which exploration grows with the visits of a node."""
    if visit_count < len(EXPLORATION_GROWTH):
        return EXPLORATION_GROWTH[visit_count]
    return math.sqrt(log(visit_count + 1.0))


@jit
def select(tree, parent, moves, n, bonus, prior_visits):
    """Returns the child to visit among the n legal moves, or NO_NODE to request expansion.

    The moves are in ascending order. Where chance makes other moves legal than before, expansion
    is requested only when the visit count of the parent has doubled. The bonus is that of a child
    without visits. The prior value weighs as much as `prior_visits` simulations. A proven loss is
    returned only when all moves are.
    """
    visit_count = tree[parent].visit_count
    has_doubled = visit_count & (visit_count - 1) == 0
    best_value = -1.0
    best_child = lost_child = np.int64(NO_NODE)
    child = np.int64(tree[parent].first_child)
    for i in range(n):
        while child != NO_NODE and tree[child].action < moves[i]:
            child = np.int64(tree[child].next_sibling)
        if child == NO_NODE or tree[child].action != moves[i]:
            if has_doubled:
                return np.int64(NO_NODE)
            continue
        node = tree[child]
        if node.proof == PROVEN_WIN:
            return child
        if node.proof == PROVEN_LOSS:
            lost_child = child
        else:
            value = (node.value_sum + prior_visits * node.prior_value) / (
                node.visit_count + prior_visits
            )
            value += bonus / math.sqrt(node.visit_count + 1.0)
            if value > best_value:
                best_value = value
                best_child = child
    return lost_child if best_child == NO_NODE else best_child


@jit
def backpropagate_proof(tree, path, depth, legal_counts):
    """Carries the proof of the last node of the path towards the root, as far as it holds.

    A node is a loss for its mover when the next mover has a winning child, and a win when every
    legal move of the next mover has a child that is a proven loss. legal_counts[d] is the number
    of legal moves at depth d of the path.
    """
    for d in range(depth - 1, -1, -1):
        node = tree[path[d]]
        if node.proof != UNPROVEN:
            return
        losing_children = 0
        shortest_win, longest_loss = 1 << 14, 0
        child = node.first_child
        while child != NO_NODE:
            if tree[child].proof == PROVEN_WIN:
                shortest_win = min(shortest_win, np.int64(tree[child].plies_to_end))
            elif tree[child].proof == PROVEN_LOSS:
                losing_children += 1
                longest_loss = max(longest_loss, np.int64(tree[child].plies_to_end))
            child = tree[child].next_sibling
        if shortest_win < 1 << 14:
            node.proof = PROVEN_LOSS
            node.plies_to_end = shortest_win + 1
        elif losing_children == legal_counts[d]:
            node.proof = PROVEN_WIN
            node.plies_to_end = longest_loss + 1
        else:
            return


def mcts(tree, scratch, seat, settings, workspace, simulations, seed):
    """Runs simulations from scratch[0] for a seat, and adds them to the tree.

    A simulation redraws everything that the seat cannot know, selects nodes down to one that was
    never visited, plays a random rollout and backpropagates the evaluation of the last position
    to every node of the path, each for its own mover. Stops early when the root is proven; a full
    tree is searched on without expansion. scratch[1] and scratch[2] are overwritten.
    """
    workspace.random_bits = np.uint64(seed)
    for _ in range(simulations):
        if tree[0].proof != UNPROVEN:
            return
        workspace.random_bits = mix(workspace.random_bits + SPLITMIX_INCREMENT)
        scratch[1] = scratch[0]
        hide(scratch[1], seat, np.int64(workspace.random_bits))
        descend(tree, scratch, seat, settings, workspace)
        if settings.can_prove and scratch[1].over:
            prove_leaf(tree, scratch[1], workspace)
        rollout(scratch[1], seat, settings, workspace)
        evaluate_leaf(scratch[1], settings, workspace)
        backpropagate(tree, workspace)


def descend(tree, scratch, seat, settings, workspace):
    """Selects and plays moves from the root on, in scratch[1], to a node never visited.

    Expands the nodes on the way where needed. Sets path, depth and legal_counts.
    """
    s = scratch[1]
    path = workspace.path[:]  # slices, because compiled code needs arrays of any length
    moves = workspace.moves[:]
    node = np.int64(0)
    depth = np.int64(0)
    path[0] = node
    while not s.over and depth < MAX_TREE_DEPTH - 1 and (depth == 0 or tree[node].visit_count):
        acting_seat = seat_to_move(s, seat, depth, np.int64(settings.seats))
        n = legal(s, acting_seat, moves)
        workspace.legal_counts[depth] = n
        bonus = settings.exploration * exploration_growth(np.int64(tree[node].visit_count))
        child = select(tree, node, moves, n, bonus, settings.prior_visits)
        if child == NO_NODE:
            if workspace.node_count + n > len(tree):
                break
            expand_node(tree, node, scratch, acting_seat, n, settings, workspace)
            child = select(tree, node, moves, n, bonus, settings.prior_visits)
        apply(s, acting_seat, np.int64(tree[child].action))
        node = child
        depth += 1
        path[depth] = node
    workspace.depth = depth


def expand_node(tree, node, scratch, acting_seat, n, settings, workspace):
    """Adds a child for each of the n legal moves of scratch[1], with its prior value."""
    moves = workspace.moves[:]
    prior_values = workspace.prior_values[:]
    if settings.prior_visits > RANDOM_PRIOR_VISITS:
        one_ply_values(scratch[1:], acting_seat, moves, prior_values)
    else:
        for i in range(n):
            workspace.random_bits += SPLITMIX_INCREMENT
            uniform = np.float64(mix(workspace.random_bits) >> np.uint64(32)) * TWO_TO_MINUS_32
            prior_values[i] = 9.0 + uniform
    workspace.node_count = expand(
        tree, np.int64(workspace.node_count), node, acting_seat, moves, prior_values, n
    )


def prove_leaf(tree, s, workspace):
    """Marks the last node of the path as proven, if its position is a win or a loss."""
    node = tree[workspace.path[workspace.depth]]
    value = evaluate(s, np.int64(node.mover))
    if value == 1.0 or value == -1.0:
        node.proof = PROVEN_WIN if value > 0.0 else PROVEN_LOSS
        path, legal_counts = workspace.path[:], workspace.legal_counts[:]
        backpropagate_proof(tree, path, np.int64(workspace.depth), legal_counts)


def rollout(s, seat, settings, workspace):
    """Plays random moves from the last position of the path."""
    moves = workspace.moves[:]
    seats = np.int64(settings.seats)
    random_bits = workspace.random_bits
    for ply in range(workspace.depth, workspace.depth + settings.rollout_plies):
        if s.over:
            break
        acting_seat = seat_to_move(s, seat, ply, seats)
        random_bits += SPLITMIX_INCREMENT
        apply(s, acting_seat, sample(s, acting_seat, moves, mix(random_bits) >> np.uint64(32)))
    workspace.random_bits = random_bits


def evaluate_leaf(s, settings, workspace):
    """Writes the evaluation of the last position for each seat."""
    for seat in range(settings.seats):
        workspace.values[seat] = 0.5 + 0.5 * evaluate(s, seat)


def backpropagate(tree, workspace):
    """Adds a visit and the values of the simulation to every node of the path."""
    tree[0].visit_count += 1
    for d in range(1, workspace.depth + 1):
        node = tree[workspace.path[d]]
        node.visit_count += 1
        node.value_sum += workspace.values[node.mover]


def find_descendant(tree, states, path, plies):
    """Returns the node `plies` below the root whose position equals states[plies + 1], by key.

    Returns NO_NODE if there is none. states[0] is the root's position; states[1] to
    states[plies] are overwritten, and end as the positions on the way to the node. Only nodes
    with children are compared, and only along moves that draw no random number.
    """
    target_key = key(states[plies + 1])
    if plies == 0:
        return 0 if key(states[0]) == target_key else NO_NODE
    path[0] = tree[0].first_child
    ply = 0
    while True:
        if path[ply] == NO_NODE:
            if ply == 0:
                return NO_NODE
            ply -= 1
        else:
            node = tree[path[ply]]
            if node.first_child != NO_NODE:
                states[ply + 1] = states[ply]
                s = states[ply + 1]
                apply(s, np.int64(node.mover), np.int64(node.action))
                if s.rng == states[0].rng:
                    if ply + 1 < plies:
                        ply += 1
                        path[ply] = node.first_child
                        continue
                    if key(s) == target_key:
                        return path[ply]
        path[ply] = tree[path[ply]].next_sibling


@jit
def copy_subtree(tree, root, target):
    """Copies a node and its descendants into `target` as node 0 and on; returns their number."""
    target[0] = tree[root]
    target[0].next_sibling = NO_NODE
    node_count = 1
    i = 0
    while i < node_count:
        child = target[i].first_child
        if child != NO_NODE:
            target[i].first_child = node_count
        while child != NO_NODE:
            target[node_count] = tree[child]
            child = tree[child].next_sibling
            node_count += 1
            target[node_count - 1].next_sibling = node_count if child != NO_NODE else NO_NODE
        i += 1
    return node_count


@jit
def total_visits(tree, node_count):
    """Returns the sum of the visit counts of the first nodes."""
    total = 0
    for i in range(node_count):
        total += tree[i].visit_count
    return total
