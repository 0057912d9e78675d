"""Search, written once over the kernel contract and compiled per game by `jit.specialise`."""

import math

import numpy as np

from quincunx.contract import apply, evaluate, hide, key, legal, start
from quincunx.jit import jit
from quincunx.position import REPETITION_WINDOW, mix


def sample(s, seat, out, random_bits):
    """A legal action, by random_bits of 32 bits; `out` is room for MAX_LEGAL actions."""
    n = legal(s, seat, out)
    return np.int64(out[np.uint64(random_bits) * np.uint64(n) >> np.uint64(32)])


def mover(s, first, plies, seats):
    """The seat that moves; where anyone may, they take turns, the first one so many plies ago."""
    return np.int64(s.turn) if s.turn >= 0 else (np.int64(first) + plies) % seats


def playout(s, seats, moves, limit, seed):
    """Plays random legal actions until the end, or `limit` of them; returns how many.

    `moves` is room for MAX_LEGAL actions.
    """
    random_bits = np.uint64(seed)
    for played in range(limit):
        if s.over:
            return played
        seat = mover(s, 0, np.int64(s.ply), seats)
        random_bits += np.uint64(0x9E3779B97F4A7C15)
        apply(s, seat, sample(s, seat, moves, mix(random_bits) >> np.uint64(32)))
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
        seat = mover(s, 0, np.int64(s.ply), seats)
        if tried[ply] == 0:
            count[ply] = legal(s, seat, moves[ply])
        if ply == depth - 1:
            leaves += count[ply]
        elif tried[ply] < count[ply]:
            action = np.int64(moves[ply, tried[ply]])
            tried[ply] += 1
            states[ply + 1] = s
            apply(states[ply + 1], seat, action)
            ply += 1
            tried[ply] = 0
            continue
        ply -= 1
    return leaves


def one_ply_values(room, seat, moves, values):
    """Writes every legal action of room[0] and how good the position is after it; how many.

    `room` holds two positions; the second is scratch.
    """
    n = legal(room[0], seat, moves)
    for i in range(n):
        room[1] = room[0]
        apply(room[1], seat, np.int64(moves[i]))
        values[i] = evaluate(room[1], seat)
    return n


def expectimax(room, seat, seats, moves, values, action, futures, seed):
    """What an action of room[0] is worth to a seat, summed over so many futures; and how many
    positions were looked at.

    In each future all that the seat cannot know is drawn anew, the action is played, and
    whoever is next plays what looks best at a glance. The same seed gives every action the
    same futures. room[1] to room[3] are scratch; `moves` and `values` as for `glance`.
    """
    total = 0.0
    nodes = 0
    random_bits = np.uint64(seed)
    for _ in range(futures):
        random_bits += np.uint64(0x9E3779B97F4A7C15)
        room[3] = room[0]
        hide(room[3], seat, mix(random_bits) >> np.uint64(1))
        apply(room[3], seat, action)
        s = room[3]
        nodes += 1
        if s.over:
            total += evaluate(s, seat)
            continue
        other = mover(s, seat, 1, seats)
        room[1] = s
        n = one_ply_values(room[1:3], other, moves, values)
        nodes += n
        best = 0
        for i in range(1, n):
            if values[i] > values[best]:
                best = i
        if other == seat:
            total += values[best]
        else:
            apply(s, other, np.int64(moves[best]))
            total += evaluate(s, seat)
    return total, nodes


# A node stands for a sequence of actions from the root, whatever chance brought in between.
# Node 0 is the root; the children of a node are a list in the order of their actions. A node
# gets children for all legal moves at once, and more where chance makes others legal later.
NODE = np.dtype(
    [
        ("action", "i4"),
        ("child", "i4"),  # the first one, or NONE
        ("next", "i4"),  # the next child of the same parent, or NONE
        ("visits", "i4"),
        ("worth", "f8"),  # the sum of what the simulations brought the mover, 0 to 1 each
        ("promise", "f4"),  # what it looked like before any simulation, 0 to 1
        ("plies", "i2"),  # to the end of the game, along the proof
        ("mover", "i1"),  # the seat that chose the action
        ("proof", "i1"),  # WON or LOST for the mover, where that is certain
    ]
)
NONE = -1
LOST, OPEN, WON = -1, 0, 1
BLIND = 1e-9  # the trust in promises that are drawn by chance, above what any move is worth:
# so that all moves are tried, in any order, before one is tried twice


@jit
def expand(tree, used, parent, mover, moves, promises, n):
    """Adds a child for each of the n ascending moves that has none; how many nodes there are."""
    before = NONE
    child = tree[parent].child
    for i in range(n):
        while child != NONE and tree[child].action < moves[i]:
            before = child
            child = tree[child].next
        if child == NONE or tree[child].action != moves[i]:
            node = tree[used]
            node.action = moves[i]
            node.child = NONE
            node.next = child
            node.visits = 0
            node.worth = 0.0
            node.promise = 0.5 + 0.5 * promises[i]
            node.plies = 0
            node.mover = mover
            node.proof = OPEN
            if before == NONE:
                tree[parent].child = used
            else:
                tree[before].next = used
            before = used
            used += 1
    return used


@jit
def select(tree, parent, moves, n, explore, trust):
    """The child to go to among the n ascending legal moves; NONE when more are to be made.

    That is when no move has a child and, where chance has made other moves legal than
    before, whenever the visits have doubled. A promise counts as much as `trust`
    simulations. A child that is proven lost is chosen only when there is no other; then
    all moves lose.
    """
    visits = tree[parent].visits
    doubled = visits & (visits - 1) == 0
    bonus = explore * math.sqrt(math.log(visits + 1.0))
    best = -1.0
    chosen = lost = np.int64(NONE)
    child = np.int64(tree[parent].child)
    for i in range(n):
        while child != NONE and tree[child].action < moves[i]:
            child = np.int64(tree[child].next)
        if child == NONE or tree[child].action != moves[i]:
            if doubled:
                return np.int64(NONE)
            continue
        node = tree[child]
        if node.proof == WON:
            return child
        if node.proof == LOST:
            lost = child
        else:
            value = (node.worth + trust * node.promise) / (node.visits + trust)
            value += bonus / math.sqrt(node.visits + 1.0)
            if value > best:
                best = value
                chosen = child
    return lost if chosen == NONE else chosen


@jit
def settle_proofs(tree, path, depth, complete):
    """Carries a proof from the last node of the path towards the root as far as it holds.

    A node is lost for its mover when the next mover has a won child, and won when all
    moves of the next mover are known (complete[d]: legal moves at depth d) and lost.
    """
    for d in range(depth - 1, -1, -1):
        node = tree[path[d]]
        if node.proof != OPEN:
            return
        known = 0
        nearest, furthest = 1 << 14, 0
        child = node.child
        while child != NONE:
            if tree[child].proof == WON:
                nearest = min(nearest, np.int64(tree[child].plies))
            elif tree[child].proof == LOST:
                known += 1
                furthest = max(furthest, np.int64(tree[child].plies))
            child = tree[child].next
        if nearest < 1 << 14:
            node.proof = LOST
            node.plies = nearest + 1
        elif known == complete[d]:
            node.proof = WON
            node.plies = furthest + 1
        else:
            return


def mcts(tree, used, room, seat, seats, moves, promises, path, widths, sims, tuning, seed):
    """Runs simulations from room[0] for a seat; returns how many nodes the tree has then.

    Each simulation redraws what the seat cannot know, follows the tree to a node that was
    never visited, plays on at random for some plies and adds what the position is then worth
    to every seat on the way. room[1] and room[2] are scratch; `path` and `widths` have room for
    the depth of the tree; `tuning` is explore, trust, horizon and whether wins can be proven
    (no chance, two seats). Stops early when the root is decided; a full tree grows no more.
    """
    explore, trust, horizon, exact = tuning[0], tuning[1], np.int64(tuning[2]), tuning[3] > 0
    worths = np.empty(seats)
    random_bits = np.uint64(seed)
    for _ in range(sims):
        if tree[0].proof != OPEN:
            return used
        random_bits = mix(random_bits + np.uint64(0x9E3779B97F4A7C15))
        room[1] = room[0]
        s = room[1]
        hide(s, seat, random_bits)
        node = 0
        path[0] = 0
        depth = 0
        while not s.over and depth < len(path) - 1 and (depth == 0 or tree[node].visits):
            acting = mover(s, seat, depth, seats)
            n = legal(s, acting, moves)
            widths[depth] = n
            child = select(tree, node, moves, n, explore, trust)
            if child == NONE:
                if used + n > len(tree):
                    break
                if trust > BLIND:
                    one_ply_values(room[1:], acting, moves, promises)
                else:
                    for i in range(n):
                        random_bits += np.uint64(0x9E3779B97F4A7C15)
                        promises[i] = 9.0 + np.float64(mix(random_bits) >> np.uint64(32)) * 2.0**-32
                used = expand(tree, used, node, acting, moves, promises, n)
                child = select(tree, node, moves, n, explore, trust)
            apply(s, acting, np.int64(tree[child].action))
            node = child
            depth += 1
            path[depth] = node
        if exact and s.over:
            value = evaluate(s, np.int64(tree[node].mover))
            if value == 1.0 or value == -1.0:
                tree[node].proof = WON if value > 0.0 else LOST
                settle_proofs(tree, path, depth, widths)
        for further in range(horizon):
            if s.over:
                break
            acting = mover(s, seat, depth + further, seats)
            random_bits += np.uint64(0x9E3779B97F4A7C15)
            apply(s, acting, sample(s, acting, moves, mix(random_bits) >> np.uint64(32)))
        for i in range(seats):
            worths[i] = 0.5 + 0.5 * evaluate(s, i)
        tree[0].visits += 1
        for d in range(1, depth + 1):
            tree[path[d]].visits += 1
            tree[path[d]].worth += worths[tree[path[d]].mover]
    return used


def trace(tree, states, path, plies):
    """The node that many plies below the root whose position has the key of the last state.

    NONE if there is none. states[0] is the root's position; there is room for one for each
    ply and the last. Only nodes with children are looked at, and only as far as nothing is
    left to chance.
    """
    wanted = key(states[plies + 1])
    if plies == 0:
        return 0 if key(states[0]) == wanted else NONE
    path[0] = tree[0].child
    ply = 0
    while True:
        if path[ply] == NONE:
            if ply == 0:
                return NONE
            ply -= 1
        else:
            node = tree[path[ply]]
            if node.child != NONE:
                states[ply + 1] = states[ply]
                s = states[ply + 1]
                apply(s, np.int64(node.mover), np.int64(node.action))
                if s.rng == states[0].rng:
                    if ply + 1 < plies:
                        ply += 1
                        path[ply] = node.child
                        continue
                    if key(s) == wanted:
                        return path[ply]
        path[ply] = tree[path[ply]].next


@jit
def transplant(tree, root, bed):
    """Copies a node and all that grows from it into `bed`, where it is node 0; how many."""
    bed[0] = tree[root]
    bed[0].next = NONE
    used = 1
    i = 0
    while i < used:
        child = bed[i].child
        if child != NONE:
            bed[i].child = used
        while child != NONE:
            bed[used] = tree[child]
            child = tree[child].next
            used += 1
            bed[used - 1].next = used if child != NONE else NONE
        i += 1
    return used


# An entry of the transposition table. A value is for the side to move, as seen from the
# entry's own position: distances to the end count from there.
ENTRY = np.dtype(
    [
        ("key", "u8"),
        ("action", "i4"),
        ("value", "i4"),
        ("left", "i2"),  # how deeply it was looked at
        ("bound", "i1"),
        ("age", "i1"),  # how often another position wanted its place since
    ]
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
        ("key", "u8"),
        ("alpha", "i4"),
        ("beta", "i4"),
        ("low", "i4"),  # alpha as it was at first
        ("left", "i4"),  # plies to look ahead
        ("best", "i4"),
        ("action", "i4"),  # the best one so far
        ("count", "i4"),
        ("next", "i4"),  # how many moves were tried
        ("spared", "i4"),  # plies by which the move under search is looked at less deeply
        ("narrow", "i4"),  # 1 while it is only asked whether that move is better than alpha
        ("killer", "i4", (2,)),  # moves that refuted others at this ply
    ]
)

# Where a search stands: it can stop before any node, and go on.
SEARCH = np.dtype(
    [
        ("root", "i4"),  # the ply from which it looks
        ("ply", "i4"),
        ("value", "i4"),  # of the position at the root, when it is done
        ("exact", "i4"),  # 1 when nothing may be spared
        ("nodes", "i8"),
    ]
)

# What looks this much better than needed, for each ply left, is not looked at.
MARGIN = 600
MARGIN_PLIES = 4
# Who looks this badly off at the end of a line may have an answer: so much longer it is made.
THREATENED = -7000
LONGER = 4


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


def repeats(frames, ply):
    """True when the position of a ply has stood on the way to it, which is as good as a draw."""
    found = False
    for earlier in range(ply - 4, -1, -2):
        found |= frames[earlier].key == frames[ply].key
    return found


def recall(table, key):
    """The place of a position in the table, if it is there."""
    i = np.int64(key & np.uint64(len(table) - 2))
    return i + 1 if table[i + 1].key == key else i


def remember(table, frame, value, ply):
    """Writes into the table what was found out about a position.

    There are two places for it; the first keeps what was looked at more deeply, for a while.
    """
    i = np.int64(frame.key & np.uint64(len(table) - 2))
    if table[i].key != frame.key and table[i].left - table[i].age > frame.left:
        table[i].age += 1
        i += 1
    entry = table[i]
    entry.age = 0
    entry.key = frame.key
    entry.action = frame.action
    entry.left = frame.left
    entry.value = value
    if value > MATES:
        entry.value += ply
    elif value < -MATES:
        entry.value -= ply
    if value >= frame.beta:
        entry.bound = AT_LEAST
    elif value > frame.low:
        entry.bound = EXACTLY
    else:
        entry.bound = AT_MOST


def answer(table, frame, exact, ply):
    """What the table knows of a position: (the best move or -1, whether it settles what is
    asked, the value).
    """
    entry = table[recall(table, frame.key)]
    if entry.key != frame.key:
        return np.int64(-1), False, np.int64(0)
    value = np.int64(entry.value)
    if value > MATES:
        value -= ply
    elif value < -MATES:
        value += ply
    deep = entry.left == frame.left or (entry.left > frame.left and not exact)
    settled = deep and (
        entry.bound == EXACTLY
        or (entry.bound == AT_LEAST and value >= frame.beta)
        or (entry.bound == AT_MOST and value <= frame.alpha)
    )
    return np.int64(entry.action), settled, value


def asks_little(frame):
    """True when it is only asked whether a value is above another, neither close to the end."""
    return frame.beta - frame.alpha == 1 and -MATES < frame.beta < MATES


def follow(s, action, table, moves, line):
    """Plays an action and then what the table expects, for as long as it knows and nothing
    repeats; writes what was played into the line, and returns how many actions.
    """
    n = 0
    while True:
        line[n] = action
        n += 1
        apply(s, np.int64(s.turn), action)
        now = s.seen[s.ply % REPETITION_WINDOW]
        entry = table[recall(table, now)]
        times = 0
        for i in range(REPETITION_WINDOW):
            times += s.seen[i] == now
        action = np.int64(entry.action)
        known = False
        if entry.key == now and entry.bound != AT_MOST and times == 1 and n < len(line):
            for i in range(legal(s, np.int64(s.turn), moves)):
                known |= moves[i] == action
        if not known:
            return n


def most_urgent(moves, urges, i, n):
    """Brings the most urgent of the moves from i on to place i."""
    best = i
    for j in range(i + 1, n):
        if urges[j] > urges[best]:
            best = j
    moves[i], moves[best] = moves[best], moves[i]
    urges[i], urges[best] = urges[best], urges[i]
    return np.int64(moves[i])


def spare(left, i):
    """How many plies less a move is worth that comes i-th, counted from 0, with `left` to look."""
    if left < 2 or i < 3:
        return np.int64(0)
    return np.int64(min(math.log(left) * math.log(i) / 2.0 + 0.5, left - 1.0))


def alphabeta(states, frames, moves, urges, table, history, search, budget):
    """Goes on with a search for at most `budget` nodes; True when it is done.

    The search begins at ply search.root, and the frame there says by alpha, beta and left what
    is asked. At the end search.value is the value of that position for the side to move, and
    the frame's action the best move. Depth first without recursion: states[i], frames[i] and
    row i of moves and urges belong to ply i. Where a line is looked at less deeply or left out,
    it is so only for the side that looks better: a distance to the end is always proven.
    """
    root = np.int64(search.root)
    ply = np.int64(search.ply)
    exact = search.exact == 1
    value = np.int64(0)
    nodes = 0
    enter = True
    while True:
        frame = frames[ply]
        s = states[ply]
        leave = False
        if enter:
            if nodes == budget:
                search.ply = ply
                search.nodes += nodes
                return False
            nodes += 1
            frame.key = s.seen[s.ply % REPETITION_WINDOW]
            left = np.int64(frame.left)
            first = np.int64(-1)
            if s.over:
                value = worth(s, ply)
                leave = True
            elif repeats(frames, ply):
                value = np.int64(0)
                leave = True
            elif left <= 0:
                value = worth(s, ply)
                leave = exact or left <= -LONGER or value > THREATENED
            if not leave:
                first, leave, value = answer(table, frame, exact, ply)
                leave = leave and ply > root
            if not leave and not exact and 0 < left <= MARGIN_PLIES and asks_little(frame):
                value = worth(s, ply)
                leave = value - MARGIN * left >= frame.beta
            if not leave:
                frame.count = legal(s, np.int64(s.turn), moves[ply])
                for i in range(frame.count):
                    urges[ply, i] = urge(frame, first, moves[ply, i], history)
                frame.next = 0
                frame.low = frame.alpha
                frame.best = -MATE - 1
        else:
            # A move of this ply has been looked at: `value` is the other side's.
            value = -value
            if value > frame.alpha and (frame.spared or (frame.narrow and value < frame.beta)):
                # It is better than was thought, so look again: more deeply, then more widely.
                if not frame.spared:
                    frame.narrow = 0
                frame.spared = 0
                frames[ply + 1].alpha = -frame.alpha - 1 if frame.narrow else -frame.beta
                frames[ply + 1].beta = -frame.alpha
                frames[ply + 1].left = frame.left - 1
                ply += 1
                enter = True
                continue
            action = moves[ply, frame.next - 1]
            if value > frame.best:
                frame.best = value
                frame.action = action
                frame.alpha = max(frame.alpha, value)
            leave = frame.next == frame.count
            if frame.alpha >= frame.beta:
                history[action] += max(frame.left, 1) ** 2
                if frame.killer[0] != action:
                    frame.killer[1] = frame.killer[0]
                    frame.killer[0] = action
                leave = True
            if leave:
                value = np.int64(frame.best)
                remember(table, frame, value, ply)
        if leave:
            if ply == root:
                search.value = value
                search.nodes += nodes
                return True
            ply -= 1
            enter = False
            continue
        i = np.int64(frame.next)
        action = most_urgent(moves[ply], urges[ply], i, np.int64(frame.count))
        frame.next = i + 1
        frame.narrow = i > 0
        frame.spared = 0 if exact else spare(np.int64(frame.left), i)
        states[ply + 1] = s
        apply(states[ply + 1], np.int64(s.turn), action)
        frames[ply + 1].alpha = -frame.alpha - 1 if frame.narrow else -frame.beta
        frames[ply + 1].beta = -frame.alpha
        frames[ply + 1].left = frame.left - 1 - frame.spared
        ply += 1
        enter = True
