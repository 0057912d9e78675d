"""Search, written once over the kernel contract and compiled per game by `jit.specialise`."""

import math

import numpy as np

from quincunx.contract import apply, evaluate, hide, key, legal, start
from quincunx.position import mix


def sample(s, seat, out, dice):
    """A legal action, by dice of 32 bits; `out` is room for MAX_LEGAL actions."""
    n = legal(s, seat, out)
    return np.int64(out[np.uint64(dice) * np.uint64(n) >> np.uint64(32)])


def playout(s, seats, moves, limit, seed):
    """Plays random legal actions until the end, or `limit` of them; returns how many.

    Where anyone may move, the seats take turns. `moves` is room for MAX_LEGAL actions.
    """
    dice = np.uint64(seed)
    for played in range(limit):
        if s.over:
            return played
        seat = np.int64(s.turn) if s.turn >= 0 else np.int64(s.ply) % seats
        dice += np.uint64(0x9E3779B97F4A7C15)
        apply(s, seat, sample(s, seat, moves, mix(dice) >> np.uint64(32)))
    return limit


def playouts(s, options, seats, moves, limit, seed, enough):
    """Plays whole random games until they have `enough` moves; how many moves and games.

    Game i is started and played from seed + i.
    """
    played = games = 0
    while played < enough:
        start(s, options, seed + games)
        played += playout(s, seats, moves, limit, seed + games)
        games += 1
    return played, games


def perft(states, seats, moves, depth):
    """How many ways there are to play `depth` plies from states[0].

    `states` is room for depth positions and `moves` for depth rows of actions:
    row i holds the actions of states[i], which is depth-first search without recursion.
    """
    count = np.zeros(depth, np.int64)
    tried = np.zeros(depth, np.int64)
    leaves = 0
    ply = 0
    while ply >= 0:
        s = states[ply]
        seat = s.turn if s.turn >= 0 else s.ply % seats
        if tried[ply] == 0:
            count[ply] = legal(s, seat, moves[ply])
        if ply == depth - 1:
            leaves += count[ply]
        elif tried[ply] < count[ply]:
            action = moves[ply, tried[ply]]
            tried[ply] += 1
            states[ply + 1] = s
            apply(states[ply + 1], seat, action)
            ply += 1
            tried[ply] = 0
            continue
        ply -= 1
    return leaves


def glance(room, seat, moves, values):
    """Writes every legal action of room[0] and how good the position is after it; how many.

    `room` holds two positions; the second is scratch.
    """
    n = legal(room[0], seat, moves)
    for i in range(n):
        room[1] = room[0]
        apply(room[1], seat, moves[i])
        values[i] = evaluate(room[1], seat)
    return n


def foresee(room, seat, seats, moves, values, action, futures, seed):
    """What an action of room[0] is worth to a seat, summed over so many futures.

    In each future all that the seat cannot know is drawn anew, the action is played, and
    whoever is next plays what looks best at a glance. The same seed gives every action the
    same futures. room[1] to room[3] are scratch; `moves` and `values` as for `glance`.
    """
    total = 0.0
    dice = np.uint64(seed)
    for _ in range(futures):
        dice += np.uint64(0x9E3779B97F4A7C15)
        room[3] = room[0]
        hide(room[3], seat, mix(dice) >> np.uint64(1))
        apply(room[3], seat, action)
        s = room[3]
        if s.over:
            total += evaluate(s, seat)
            continue
        mover = np.int64(s.turn) if s.turn >= 0 else (seat + 1) % seats
        room[1] = s
        n = glance(room[1:3], mover, moves, values)
        best = 0
        for i in range(1, n):
            if values[i] > values[best]:
                best = i
        if mover == seat:
            total += values[best]
        else:
            apply(s, mover, moves[best])
            total += evaluate(s, seat)
    return total


# A node stands for a sequence of actions from the root, whatever chance brought in between.
# Node 0 is the root; the children of a node are a list in the order of their actions.
NODE = np.dtype(
    [
        ("action", "i4"),
        ("child", "i4"),  # the first one, or NONE
        ("next", "i4"),  # the next child of the same parent, or NONE
        ("visits", "i4"),
        ("worth", "f8"),  # the sum of what the simulations brought the mover, 0 to 1 each
        ("mover", "i1"),  # the seat that chose the action
        ("proof", "i1"),  # WON or LOST for the mover, where that is certain
    ]
)
NONE = -1
LOST, OPEN, WON = -1, 0, 1


def grow(tree, used, parent, before, action, mover):
    """Adds node `used` as a child, after its sibling `before` or first if that is NONE."""
    node = tree[used]
    node.action = action
    node.child = NONE
    node.visits = 0
    node.worth = 0.0
    node.mover = mover
    node.proof = OPEN
    if before == NONE:
        node.next = tree[parent].child
        tree[parent].child = used
    else:
        node.next = tree[before].next
        tree[before].next = used


def select(tree, node, moves, n, explore, urgency, dice):
    """The child to go to among the n legal moves, and what is needed to make a new one.

    Returns (child, before, action): child is NONE when a move without a child is tried, and
    then the new node belongs after `before`. Legal moves and children are both ascending, so
    one walk over both finds which moves have a child. A child that is proven lost is chosen
    only when there is no other; then all moves lose.
    """
    total = math.log(tree[node].visits + 1.0)
    best = -1.0
    chosen = lost = NONE
    untried = 0
    new_action = new_before = NONE
    before = NONE
    child = tree[node].child
    for i in range(n):
        action = moves[i]
        while child != NONE and tree[child].action < action:
            before = child
            child = tree[child].next
        if child != NONE and tree[child].action == action:
            if tree[child].proof == WON:
                return child, NONE, action
            if tree[child].proof == LOST:
                lost = child
            else:
                visits = tree[child].visits
                value = tree[child].worth / visits + explore * math.sqrt(total / visits)
                if value > best:
                    best = value
                    chosen = child
        else:
            untried += 1
            dice += np.uint64(0x9E3779B97F4A7C15)
            if (mix(dice) >> np.uint64(32)) * np.uint64(untried) >> np.uint64(32) == np.uint64(0):
                new_action = action
                new_before = before
    if untried and (chosen == NONE or urgency > best):
        return np.int64(NONE), np.int64(new_before), np.int64(new_action)
    if chosen == NONE:
        chosen = lost
    return np.int64(chosen), np.int64(NONE), np.int64(tree[chosen].action)


def settle_proofs(tree, path, depth, complete):
    """Carries a proof from the last node of the path towards the root as far as it holds.

    A node is lost for its mover when the next mover has a won child, and won when all
    moves of the next mover are known (complete[d]: legal moves at depth d) and lost.
    """
    for d in range(depth - 1, -1, -1):
        node = path[d]
        known = 0
        proof = OPEN
        child = tree[node].child
        while child != NONE:
            if tree[child].proof == WON:
                proof = LOST
                break
            known += tree[child].proof == LOST
            child = tree[child].next
        if proof == OPEN and known == complete[d]:
            proof = WON
        if proof == OPEN or tree[node].proof != OPEN:
            return
        tree[node].proof = proof


def mcts(tree, used, room, seat, seats, moves, path, widths, sims, tuning, seed):
    """Runs simulations from room[0] for a seat; returns how many nodes the tree has then.

    Each simulation redraws what the seat cannot know, follows the tree to a new node, plays
    on at random for some plies and adds what the position is then worth to every seat on the
    way. room[1] is scratch; `path` and `widths` have room for the depth of the tree;
    `tuning` is explore, urgency, horizon and whether wins can be proven (no chance, two seats).
    Stops early when the root is decided or the tree is full.
    """
    explore, urgency, horizon, exact = tuning[0], tuning[1], np.int64(tuning[2]), tuning[3] > 0
    dice = np.uint64(seed)
    for _ in range(sims):
        if tree[0].proof != OPEN or used >= len(tree):
            return used
        dice = mix(dice + np.uint64(0x9E3779B97F4A7C15))
        room[1] = room[0]
        s = room[1]
        hide(s, seat, dice)
        node = 0
        path[0] = 0
        depth = 0
        while not s.over and depth < len(path) - 1:
            mover = np.int64(s.turn) if s.turn >= 0 else (seat + depth) % seats
            n = legal(s, mover, moves)
            widths[depth] = n
            dice = mix(dice + np.uint64(1))
            child, before, action = select(tree, node, moves, n, explore, urgency, dice)
            fresh = child == NONE
            if fresh:
                child = np.int64(used)
                grow(tree, used, node, before, action, mover)
                used += 1
            apply(s, mover, action)
            node = child
            depth += 1
            path[depth] = node
            if fresh:
                break
        if exact and s.over:
            value = evaluate(s, np.int64(tree[node].mover))
            if value == 1.0 or value == -1.0:
                tree[node].proof = WON if value > 0.0 else LOST
                settle_proofs(tree, path, depth, widths)
        for _ in range(horizon):
            if s.over:
                break
            mover = np.int64(s.turn) if s.turn >= 0 else np.int64(s.ply) % seats
            dice += np.uint64(0x9E3779B97F4A7C15)
            apply(s, mover, sample(s, mover, moves, mix(dice) >> np.uint64(32)))
        tree[0].visits += 1
        for d in range(1, depth + 1):
            tree[path[d]].visits += 1
            tree[path[d]].worth += 0.5 + 0.5 * evaluate(s, np.int64(tree[path[d]].mover))
    return used


# An entry of the transposition table. A value is for the side to move, as seen from the
# entry's own position: distances to the end count from there.
ENTRY = np.dtype(
    [("key", "u8"), ("action", "i4"), ("value", "i4"), ("depth", "i2"), ("bound", "i2")]
)
AT_LEAST, EXACTLY, AT_MOST = 1, 2, 3

# Values are whole numbers: evaluations up to UNIT, an end of the game MATE less its distance.
UNIT = 10_000
MATE = 30_000
MATES = 29_000  # values beyond this are distances to the end
DEEPEST = 64

# What alphabeta keeps for each ply of the line it looks at.
FRAME = np.dtype(
    [
        ("alpha", "i4"),
        ("beta", "i4"),
        ("best", "i4"),
        ("action", "i4"),  # the best one so far
        ("next", "i4"),  # how many moves were tried
        ("count", "i4"),
        ("key", "u8"),
        ("alpha_first", "i4"),
        ("killer", "i4", (2,)),  # moves that refuted others at this ply
    ]
)


def worth(s, ply):
    """The value of a position for the side to move: at the end, or by evaluation."""
    value = evaluate(s, np.int64(s.turn))
    if not s.over:
        return np.int64(value * UNIT)
    if value == 0.0:
        return np.int64(0)
    return np.int64(MATE - ply if value > 0.0 else ply - MATE)


def urge(frame, first, action, history):
    """How early a move is tried: the table's first, then killers, then by success elsewhere."""
    if action == first:
        return np.int64(1 << 40)
    if action == frame.killer[0]:
        return np.int64(1 << 39)
    if action == frame.killer[1]:
        return np.int64(1 << 38)
    return np.int64(history[action])


def alphabeta(states, frames, moves, urges, table, history, depth, alpha, beta, budget):
    """The value of states[0] for the side to move, searched `depth` plies deep.

    Returns (value, nodes); nodes is above the budget when the search was given up, and
    the value then means nothing. frames[0].action is the best move. Depth first without
    recursion: states[i], frames[i] and row i of moves and urges belong to ply i.
    """
    nodes = 1
    ply = 0
    value = np.int64(0)
    enter = True
    frames[0].alpha = alpha
    frames[0].beta = beta
    while True:
        frame = frames[ply]
        s = states[ply]
        if enter:
            leave = s.over or ply == depth
            if leave:
                value = worth(s, ply)
            else:
                frame.key = key(s)
                entry = table[frame.key & np.uint64(len(table) - 1)]
                first = np.int64(-1)
                if entry.key == frame.key:
                    first = np.int64(entry.action)
                    value = np.int64(entry.value)
                    if value > MATES:
                        value -= ply
                    elif value < -MATES:
                        value += ply
                    if ply > 0 and entry.depth >= depth - ply:
                        leave = (
                            entry.bound == EXACTLY
                            or (entry.bound == AT_LEAST and value >= frame.beta)
                            or (entry.bound == AT_MOST and value <= frame.alpha)
                        )
            if not leave:
                seat = np.int64(s.turn)
                n = legal(s, seat, moves[ply])
                for i in range(n):
                    urges[ply, i] = urge(frame, first, moves[ply, i], history)
                frame.count = n
                frame.next = 0
                frame.best = -MATE - 1
                frame.action = moves[ply, 0]
                frame.alpha_first = frame.alpha
        else:
            # A move of this ply has been searched: `value` is the other side's.
            value = -value
            action = moves[ply, frame.next - 1]
            if value > frame.best:
                frame.best = value
                frame.action = action
                if value > frame.alpha:
                    frame.alpha = value
            leave = False
            if frame.alpha >= frame.beta:
                left = depth - ply
                history[action] += left * left
                if frame.killer[0] != action:
                    frame.killer[1] = frame.killer[0]
                    frame.killer[0] = action
                leave = True
            elif frame.next == frame.count:
                leave = True
            if leave:
                value = np.int64(frame.best)
                entry = table[frame.key & np.uint64(len(table) - 1)]
                entry.key = frame.key
                entry.action = frame.action
                entry.depth = depth - ply
                entry.value = value
                if value > MATES:
                    entry.value += ply
                elif value < -MATES:
                    entry.value -= ply
                if value >= frame.beta:
                    entry.bound = AT_LEAST
                elif value > frame.alpha_first:
                    entry.bound = EXACTLY
                else:
                    entry.bound = AT_MOST
        if leave:
            if ply == 0:
                return value, nodes
            ply -= 1
            enter = False
            continue
        if nodes > budget:
            return np.int64(0), nodes
        # Try the most urgent of the moves left.
        best = frame.next
        for i in range(frame.next + 1, frame.count):
            if urges[ply, i] > urges[ply, best]:
                best = i
        i = frame.next
        moves[ply, i], moves[ply, best] = moves[ply, best], moves[ply, i]
        urges[ply, i], urges[ply, best] = urges[ply, best], urges[ply, i]
        frame.next += 1
        states[ply + 1] = s
        apply(states[ply + 1], np.int64(s.turn), np.int64(moves[ply, i]))
        frames[ply + 1].alpha = -frame.beta
        frames[ply + 1].beta = -frame.alpha
        nodes += 1
        ply += 1
        enter = True
