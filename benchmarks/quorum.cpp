// Quorum in C++: the reference for the speed of src/quincunx/games/quorum/kernel.py.
//
// Written for speed: sides and directions are template parameters, so that every shift and
// mask is a constant; earlier positions are stored per side to move, so that only half of
// them are compared. It plays the same games as quincunx.bench (same actions in the same
// order, same random generator, same choices):
//
//     quorum SECONDS      plays games 0, 1, 2, ... until the time is up
//     quorum --games N    plays games 0 .. N - 1
//
// Both print {"moves": .., "games": .., "seconds": .., "checksum": ".."}: seconds of
// processor time, so that other programs have no influence; the checksum is the sum, modulo
// 2^64, of the keys of the final positions.

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

constexpr int max_game_moves = 1000;  // quincunx.bench.MAX_GAME_MOVES
constexpr int directions = 24;
constexpr int place = directions * 64;  // the action that fills the home
constexpr int repetition_window = 64;   // plies of history for the repetition rule
constexpr int draw_at = 3;              // the third occurrence of a position is a draw

constexpr Board home[2] = {0x0000000000000303, 0xC0C0000000000000};
constexpr Board start_stones[2] = {0x000000000103070F, 0xF0E0C08000000000};
constexpr Board objective = 0x0000001818000000;
constexpr Board not_a_file = 0xFEFEFEFEFEFEFEFE;
constexpr Board not_h_file = 0x7F7F7F7F7F7F7F7F;

constexpr bool on_board(int file, int rank) {
    return 0 <= file && file < 8 && 0 <= rank && rank < 8;
}

// A direction is an index into the 5 x 5 square around the active stone, without its middle:
// 0 is two files left and two ranks down, 23 is two files right and two ranks up.
constexpr int step_file(int d) { return (d < 12 ? d : d + 1) % 5 - 2; }
constexpr int step_rank(int d) { return (d < 12 ? d : d + 1) / 5 - 2; }
constexpr int step(int d) { return step_rank(d) * 8 + step_file(d); }

// Returns the active squares whose target, two steps along d, is on the board.
constexpr Board active_mask(int d) {
    Board squares = 0;
    for (int q = 0; q < 64; ++q)
        if (on_board(q % 8 + 2 * step_file(d), q / 8 + 2 * step_rank(d))) squares |= Board{1} << q;
    return squares;
}

struct Geometry {
    Board neighbours[64] = {};
    Board convertible[64] = {};  // the neighbours with another square behind them
    int steps[directions] = {};
};

constexpr Geometry make_geometry() {
    Geometry s;
    for (int q = 0; q < 64; ++q)
        for (int rank = -1; rank <= 1; ++rank)
            for (int file = -1; file <= 1; ++file) {
                const int f = q % 8 + file, r = q / 8 + rank;
                if ((file == 0 && rank == 0) || !on_board(f, r)) continue;
                s.neighbours[q] |= Board{1} << (r * 8 + f);
                if (on_board(f + file, r + rank)) s.convertible[q] |= Board{1} << (r * 8 + f);
            }
    for (int d = 0; d < directions; ++d) s.steps[d] = step(d);
    return s;
}

constexpr Geometry geometry = make_geometry();

// Returns the lowest square of a set; 64 for the empty set.
inline int lowest(Board squares) {
#ifdef __BMI__
    return static_cast<int>(_tzcnt_u64(squares));  // g++ 12 compiles the other line to a branch
#else
    return squares ? __builtin_ctzll(squares) : 64;
#endif
}

constexpr std::uint64_t mix(std::uint64_t x) {  // the finalizer of splitmix64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

// Returns the squares from which a step of `shift` leads into a set.
template <int shift>
constexpr Board from(Board squares) {
    if constexpr (shift > 0)
        return squares >> shift;
    else
        return squares << -shift;
}

// Returns the stones that can move in direction d.
template <int d>
constexpr Board actives(Board own, Board empty) {
    constexpr Board mask = active_mask(d);
    return own & mask & from<step(d)>(own) & from<2 * step(d)>(empty);
}

// Returns a set of squares and all their neighbours.
constexpr Board with_neighbours(Board squares) {
    const Board row = squares | (squares & not_h_file) << 1 | (squares & not_a_file) >> 1;
    return row | row << 8 | row >> 8;
}

struct Position {
    Board stones[2];
    int ply;
    bool over;
    // seen[side to move][i]: keys of earlier positions; a side moves every other ply.
    std::array<std::array<std::uint64_t, repetition_window / 2>, 2> seen;

    void start() {
        stones[0] = start_stones[0];
        stones[1] = start_stones[1];
        ply = 0;
        over = false;
        for (auto& keys : seen) keys.fill(0);
        seen[0][0] = key();
    }

    int turn() const { return ply & 1; }

    std::uint64_t key() const {
        return mix(mix(mix(stones[0]) + stones[1]) + static_cast<Board>(turn()));
    }

    // Records the position; returns its number of occurrences within the last 64 plies.
    int record_repetition() {
        const std::uint64_t current = key();
        auto& keys = seen[turn()];
        std::uint64_t occurrences = 1;
        for (const std::uint64_t earlier : keys) occurrences += earlier == current;
        keys[ply / 2 % keys.size()] = current;
        return static_cast<int>(occurrences);
    }

    template <int... d>
    static int movements(Board own, Board empty, int* out, std::integer_sequence<int, d...>) {
        int* end = out;
        const auto write = [&end](Board stones, int direction) {
            // The first move is written unconditionally, since the branch would often be
            // mispredicted; if there is no move, the next one overwrites it.
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

    // Applies suffocation, then conversion, around the stone that has landed.
    template <int seat>
    void capture(int landed) {
        Board& own = stones[seat];
        Board& other = stones[1 - seat];
        const Board touched = geometry.neighbours[landed] & other;
        if (!touched) return;
        other ^= touched & ~with_neighbours(~(own | other));
        Board converted = 0;
        for (Board rest = geometry.convertible[landed] & other; rest; rest &= rest - 1) {
            const int victim = lowest(rest), behind = 2 * victim - landed;
            converted |= (own >> behind & 1) << victim;
        }
        other ^= converted;
        own ^= converted;
    }

    template <int seat>
    void apply(int action) {
        if (action == place) {
            stones[seat] |= home[seat] & ~stones[1 - seat];
        } else {
            const int active = action % 64, landed = active + 2 * geometry.steps[action / 64];
            stones[seat] ^= Board{1} << active | Board{1} << landed;
            capture<seat>(landed);
        }
        ++ply;
        const bool repeated = record_repetition() >= draw_at;
        over = (stones[seat] & objective) == objective || stuck<1 - seat>() || repeated;
    }
};

struct RandomGenerator {
    std::uint64_t state;

    // Returns a random integer from 0 to n - 1.
    int below(int n) {
        state += 0x9E3779B97F4A7C15;
        return static_cast<int>((mix(state) >> 32) * static_cast<std::uint64_t>(n) >> 32);
    }
};

template <int seat>
void play_random_move(Position& p, RandomGenerator& rng, int* moves) {
    const int n = p.legal<seat>(moves);
    p.apply<seat>(moves[rng.below(n)]);
}

// Plays random moves until the game ends or the limit is reached; returns their number.
int playout(Position& p, std::uint64_t seed) {
    int moves[place + 2];
    RandomGenerator rng{seed};
    while (!p.over && p.ply < max_game_moves) {
        if (p.turn() == 0)
            play_random_move<0>(p, rng, moves);
        else
            play_random_move<1>(p, rng, moves);
    }
    return p.ply;
}

}  // namespace

int main(int argc, char** argv) {
    const bool by_games = argc == 3 && !std::strcmp(argv[1], "--games");
    if (!by_games && argc != 2) {
        std::fprintf(stderr, "usage: quorum SECONDS | quorum --games N\n");
        return 2;
    }
    const long max_games = by_games ? std::atol(argv[2]) : 0;
    const double max_seconds = by_games ? 0 : std::atof(argv[1]);

    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::duration<double>(max_seconds);
    const std::clock_t start = std::clock();
    Position p;
    long moves = 0, games = 0;
    std::uint64_t checksum = 0;
    while (by_games ? games < max_games : games == 0 || Clock::now() < deadline) {
        p.start();
        moves += playout(p, std::uint64_t{1} << 32 | static_cast<std::uint64_t>(games));
        checksum += p.key();
        ++games;
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("{\"moves\": %ld, \"games\": %ld, \"seconds\": %.6f, \"checksum\": \"%016llx\"}\n",
                moves, games, seconds, static_cast<unsigned long long>(checksum));
}
