"""Monte Carlo tree search with proven wins and losses (MCTS-Solver): templates, compiled per game.

The tree is an array of NODE records. A node is a sequence of actions from the root, independent
of chance: the same node can be reached in different positions (open-loop search).
"""

import math

import numpy as np

from quincunx.contract import apply, evaluate, hide, key, legal
from quincunx.jit import jit
from quincunx.position import mix
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
def select(tree, parent, moves, n, exploration, prior_visits):
    """Returns the child to visit among the n legal moves, or NO_NODE to request expansion.

    The moves are in ascending order. Where chance makes other moves legal than before, expansion
    is requested only when the visit count of the parent has doubled. The prior value weighs as
    much as `prior_visits` simulations. A proven loss is returned only when all moves are.
    """
    visit_count = tree[parent].visit_count
    has_doubled = visit_count & (visit_count - 1) == 0
    bonus = exploration * math.sqrt(math.log(visit_count + 1.0))
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


def mcts(
    tree,
    node_count,
    scratch,
    seat,
    seats,
    moves,
    prior_values,
    path,
    legal_counts,
    simulations,
    settings,
    seed,
):
    """Runs simulations from scratch[0] for a seat; returns the new number of nodes of the tree.

    A simulation redraws everything that the seat cannot know, selects nodes down to one that was
    never visited, plays a random rollout and backpropagates the evaluation of the last position
    to every node of the path, each for its own mover. `settings` holds exploration, prior
    visits, rollout plies, and 1 where wins can be proven (two seats, no chance). Stops early when
    the root is proven; a full tree is searched on without expansion. scratch[1] and scratch[2]
    are overwritten; `path` and `legal_counts` are buffers as long as the tree may be deep.
    """
    exploration, prior_visits = settings[0], settings[1]
    rollout_plies, can_prove = np.int64(settings[2]), settings[3] > 0
    values = np.empty(seats)
    random_bits = np.uint64(seed)
    for _ in range(simulations):
        if tree[0].proof != UNPROVEN:
            return node_count
        random_bits = mix(random_bits + np.uint64(0x9E3779B97F4A7C15))
        scratch[1] = scratch[0]
        s = scratch[1]
        hide(s, seat, np.int64(random_bits))
        node = 0
        path[0] = 0
        depth = 0
        while not s.over and depth < len(path) - 1 and (depth == 0 or tree[node].visit_count):
            acting_seat = seat_to_move(s, seat, depth, seats)
            n = legal(s, acting_seat, moves)
            legal_counts[depth] = n
            child = select(tree, node, moves, n, exploration, prior_visits)
            if child == NO_NODE:
                if node_count + n > len(tree):
                    break
                if prior_visits > RANDOM_PRIOR_VISITS:
                    one_ply_values(scratch[1:], acting_seat, moves, prior_values)
                else:
                    for i in range(n):
                        random_bits += np.uint64(0x9E3779B97F4A7C15)
                        uniform = np.float64(mix(random_bits) >> np.uint64(32)) * 2.0**-32
                        prior_values[i] = 9.0 + uniform
                node_count = expand(tree, node_count, node, acting_seat, moves, prior_values, n)
                child = select(tree, node, moves, n, exploration, prior_visits)
            apply(s, acting_seat, np.int64(tree[child].action))
            node = child
            depth += 1
            path[depth] = node
        if can_prove and s.over:
            value = evaluate(s, np.int64(tree[node].mover))
            if value == 1.0 or value == -1.0:
                tree[node].proof = PROVEN_WIN if value > 0.0 else PROVEN_LOSS
                backpropagate_proof(tree, path, depth, legal_counts)
        for rollout_ply in range(rollout_plies):
            if s.over:
                break
            acting_seat = seat_to_move(s, seat, depth + rollout_ply, seats)
            random_bits += np.uint64(0x9E3779B97F4A7C15)
            action = sample(s, acting_seat, moves, mix(random_bits) >> np.uint64(32))
            apply(s, acting_seat, action)
        for i in range(seats):
            values[i] = 0.5 + 0.5 * evaluate(s, i)
        tree[0].visit_count += 1
        for d in range(1, depth + 1):
            tree[path[d]].visit_count += 1
            tree[path[d]].value_sum += values[tree[path[d]].mover]
    return node_count


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
