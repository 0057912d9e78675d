// Quorum in C++: the twin of src/quincunx/games/quorum/kernel.py that its speed is measured by.
//
// Written for speed, as a C++ programmer would: sides and directions are template
// parameters, so that every shift and mask is a constant; positions are remembered per
// side to move, so that only half of them are compared. It plays the very games that
// quincunx.bench plays (same actions in the same order, same generator, same choice):
//
//     quorum SECONDS      plays games 0, 1, 2, ... until the time is up
//     quorum --games N    plays games 0 .. N - 1
//
// Both print {"moves": .., "games": .., "seconds": .., "checksum": ".."}: seconds of
// processor time, so that other programs do not count; the checksum is the sum, modulo 2^64,
// of the keys of the last positions.

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#ifdef __BMI__
#include <immintrin.h>
#endif

namespace {

using Board = std::uint64_t;  // a1 = bit 0, b1 = bit 1, ... h8 = bit 63

constexpr int longest = 1000;  // quincunx.bench.MAX_GAME_MOVES
constexpr int directions = 24;
constexpr int place = directions * 64;  // the action that fills the home
constexpr int remembered = 64;          // plies that the repetition rule looks back at
constexpr int draw_at = 3;              // the third time that a position stands

constexpr Board home[2] = {0x0000000000000303, 0xC0C0000000000000};
constexpr Board first[2] = {0x000000000103070F, 0xF0E0C08000000000};
constexpr Board objective = 0x0000001818000000;
constexpr Board not_a_file = 0xFEFEFEFEFEFEFEFE;
constexpr Board not_h_file = 0x7F7F7F7F7F7F7F7F;

constexpr bool on_board(int file, int rank) {
    return 0 <= file && file < 8 && 0 <= rank && rank < 8;
}

// A direction is its place in the square of 5 x 5 round the active stone, less one past
// the middle: 0 is two files left and two ranks down, 23 two files right and two ranks up.
constexpr int step_file(int d) { return (d < 12 ? d : d + 1) % 5 - 2; }
constexpr int step_rank(int d) { return (d < 12 ? d : d + 1) / 5 - 2; }
constexpr int step(int d) { return step_rank(d) * 8 + step_file(d); }

// The active squares whose target, two steps along d, is on the board.
constexpr Board reach(int d) {
    Board squares = 0;
    for (int q = 0; q < 64; ++q)
        if (on_board(q % 8 + 2 * step_file(d), q / 8 + 2 * step_rank(d))) squares |= Board{1} << q;
    return squares;
}

struct Surroundings {
    Board neighbours[64] = {};
    Board backed[64] = {};  // the neighbours behind which, seen from here, the board goes on
    int steps[directions] = {};
};

constexpr Surroundings survey() {
    Surroundings s;
    for (int q = 0; q < 64; ++q)
        for (int rank = -1; rank <= 1; ++rank)
            for (int file = -1; file <= 1; ++file) {
                const int f = q % 8 + file, r = q / 8 + rank;
                if ((file == 0 && rank == 0) || !on_board(f, r)) continue;
                s.neighbours[q] |= Board{1} << (r * 8 + f);
                if (on_board(f + file, r + rank)) s.backed[q] |= Board{1} << (r * 8 + f);
            }
    for (int d = 0; d < directions; ++d) s.steps[d] = step(d);
    return s;
}

constexpr Surroundings around = survey();

// The lowest square of a set; 64 for the empty one.
inline int lowest(Board squares) {
#ifdef __BMI__
    return static_cast<int>(_tzcnt_u64(squares));  // from the line below g++ 12 makes a branch
#else
    return squares ? __builtin_ctzll(squares) : 64;
#endif
}

constexpr std::uint64_t mix(std::uint64_t x) {  // the finaliser of splitmix64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

template <int shift>
constexpr Board from(Board squares) {
    if constexpr (shift > 0)
        return squares >> shift;
    else
        return squares << -shift;
}

// The stones that can move in direction d.
template <int d>
constexpr Board actives(Board own, Board empty) {
    constexpr Board within = reach(d);
    return own & within & from<step(d)>(own) & from<2 * step(d)>(empty);
}

constexpr Board beside(Board squares) {
    const Board row = squares | (squares & not_h_file) << 1 | (squares & not_a_file) >> 1;
    return row | row << 8 | row >> 8;
}

struct Position {
    Board stones[2];
    int ply;
    bool over;
    // seen[side to move][i]: keys of the positions that stood; the side moves every other ply.
    std::array<std::array<std::uint64_t, remembered / 2>, 2> seen;

    void start() {
        stones[0] = first[0];
        stones[1] = first[1];
        ply = 0;
        over = false;
        for (auto& keys : seen) keys.fill(0);
        seen[0][0] = key();
    }

    int turn() const { return ply & 1; }

    std::uint64_t key() const {
        return mix(mix(mix(stones[0]) + stones[1]) + static_cast<Board>(turn()));
    }

    // How often this position has stood, now and within the last 64 plies; remembers it.
    int stand() {
        const std::uint64_t now = key();
        auto& keys = seen[turn()];
        std::uint64_t times = 1;
        for (const std::uint64_t then : keys) times += then == now;
        keys[ply / 2 % keys.size()] = now;
        return static_cast<int>(times);
    }

    template <int... d>
    static int movements(Board own, Board empty, int* out, std::integer_sequence<int, d...>) {
        int* end = out;
        const auto write = [&end](Board stones, int direction) {
            // The first is written without asking whether there is one, for the processor
            // guesses that wrong too often; the next move is written over it if not.
            *end = direction * 64 + lowest(stones);
            end += stones != 0;
            for (stones &= stones - 1; stones; stones &= stones - 1)
                *end++ = direction * 64 + lowest(stones);
        };
        (write(actives<d>(own, empty), d), ...);
        return static_cast<int>(end - out);
    }

    template <int... d>
    static bool can_move(Board own, Board empty, std::integer_sequence<int, d...>) {
        return (actives<d>(own, empty) || ...);
    }

    template <int seat>
    int legal(int* out) const {
        const Board empty = ~(stones[0] | stones[1]);
        int n = movements(stones[seat], empty, out, std::make_integer_sequence<int, directions>{});
        if (empty & home[seat]) out[n++] = place;
        return n;
    }

    template <int seat>
    bool stuck() const {
        const Board empty = ~(stones[0] | stones[1]);
        return !(empty & home[seat]) &&
               !can_move(stones[seat], empty, std::make_integer_sequence<int, directions>{});
    }

    // Suffocation, then conversion, round the stone that has landed.
    template <int seat>
    void take(int landed) {
        Board& own = stones[seat];
        Board& other = stones[1 - seat];
        const Board touched = around.neighbours[landed] & other;
        if (!touched) return;
        other ^= touched & ~beside(~(own | other));
        Board turned = 0;
        for (Board left = around.backed[landed] & other; left; left &= left - 1) {
            const int victim = lowest(left), behind = 2 * victim - landed;
            turned |= (own >> behind & 1) << victim;
        }
        other ^= turned;
        own ^= turned;
    }

    template <int seat>
    void apply(int action) {
        if (action == place) {
            stones[seat] |= home[seat] & ~stones[1 - seat];
        } else {
            const int active = action % 64, landed = active + 2 * around.steps[action / 64];
            stones[seat] ^= Board{1} << active | Board{1} << landed;
            take<seat>(landed);
        }
        ++ply;
        const bool repeated = stand() >= draw_at;
        over = (stones[seat] & objective) == objective || stuck<1 - seat>() || repeated;
    }
};

struct Dice {
    std::uint64_t state;

    int roll(int n) {
        state += 0x9E3779B97F4A7C15;
        return static_cast<int>((mix(state) >> 32) * static_cast<std::uint64_t>(n) >> 32);
    }
};

template <int seat>
void play_one(Position& p, Dice& dice, int* moves) {
    const int n = p.legal<seat>(moves);
    p.apply<seat>(moves[dice.roll(n)]);
}

// Plays random moves to the end, or to the limit; returns how many.
int playout(Position& p, std::uint64_t seed) {
    int moves[place + 2];
    Dice dice{seed};
    while (!p.over && p.ply < longest) {
        if (p.turn() == 0)
            play_one<0>(p, dice, moves);
        else
            play_one<1>(p, dice, moves);
    }
    return p.ply;
}

}  // namespace

int main(int count, char** words) {
    const bool by_number = count == 3 && !std::strcmp(words[1], "--games");
    if (!by_number && count != 2) {
        std::fprintf(stderr, "usage: quorum SECONDS | quorum --games N\n");
        return 2;
    }
    const long wanted = by_number ? std::atol(words[2]) : 0;
    const double allowed = by_number ? 0 : std::atof(words[1]);

    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(allowed);
    const std::clock_t begin = std::clock();
    Position p;
    long moves = 0, games = 0;
    std::uint64_t checksum = 0;
    while (by_number ? games < wanted : games == 0 || Clock::now() < end) {
        p.start();
        moves += playout(p, std::uint64_t{1} << 32 | static_cast<std::uint64_t>(games));
        checksum += p.key();
        ++games;
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("{\"moves\": %ld, \"games\": %ld, \"seconds\": %.6f, \"checksum\": \"%016llx\"}\n",
                moves, games, seconds, static_cast<unsigned long long>(checksum));
}
