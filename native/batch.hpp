// What the native core reads and answers: scenarios one after the other in flat arrays.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

extern "C" {

// What belongs to queues, pieces of traffic and samples stands in arrays of their own, and `*_begin` says where those of
// a scenario or a queue begin, and in the end where the last end.
struct dtmodel_batch {
    std::int64_t scenarios, queues, pieces, samples, lengths, numbers, max_events;
    const std::int64_t *queue_begin, *piece_begin, *sample_begin, *length_begin;
    const double *buffer, *tick;
    const std::int64_t *until;
    const double *rate, *slope, *offset, *initial, *count;
    const std::uint8_t *steady;
    const std::int64_t *piece_time;
    const double *piece_rate;
    const std::int64_t *sample_time;
    const std::int32_t *form;                // of each scenario: a Form
    const double *counting, *growth, *hold;  // of each: cn2, TM1 and TM2 of EDT; a timer that never expires is infinite
    const double *reserve, *cap;             // of each queue; a cap bounds the whole threshold, and is infinite if nothing does
    // Of scenarios that may be run again, with ties decided, all numbers (number.hpp): buffer, end, cn2, TM1, TM2; of each
    // queue rate, slope, offset, initial length, reserve, cap and count; of each piece time and rate.
    const std::int64_t *number_begin;
    const double *high, *low;
    const std::int64_t *residue;
    std::int32_t *status;
    std::int64_t *events;
    double *bound, *first_drop, *free_at_first_drop, *dropped, *drained, *length;
};

}  // extern "C"

namespace {

using Tick = std::int64_t;
constexpr double INF = std::numeric_limits<double>::infinity();
constexpr double MOST = std::numeric_limits<double>::max();  // a border beyond it would let in places without a queue
constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
constexpr Tick NEVER = std::numeric_limits<Tick>::max();
constexpr double TOLERANCE = 1e-9;  // what an answer may be off by, relatively: ERROR_BOUND in simulation.py

enum Form : std::int32_t { AFFINE = 0, COUNTERS = 1, COMPLETE = 2, POOL = 3 };
enum Status : std::int32_t {
    DONE = 0, OVER_BUDGET = 1, REFUSED = 2, NO_MEMORY = 3,
    // What rounding cannot decide: when a queue first loses something, whether it does, what the next event is; or the
    // bound of lengths, or that of losses, is larger than TOLERANCE.
    UNDECIDED_WHEN = 4, UNDECIDED_WHETHER = 5, UNDECIDED_NEXT = 6, TOO_FAR = 7, LOSS_TOO_FAR = 8
};
struct Undecided {
    Status status;
};
enum Where : std::uint8_t { EMPTY, BELOW, ON, ABOVE, RESERVE };

// The trajectories of one scenario, in rows: of F instants and values; of each queue how it moves from an instant on, as in
// trajectory.py (length, slope, loss, drain, 1 if it is on its threshold, and the a and b of that), and its thresholds (a, b).
struct Kept {
    std::vector<std::array<double, 2>> free;
    std::vector<std::vector<std::array<double, 8>>> segments;
    std::vector<std::vector<std::array<double, 3>>> limits;

    void clear(std::int32_t queues) {
        segments.assign(static_cast<std::size_t>(queues), {}), limits.assign(static_cast<std::size_t>(queues), {}), free.clear();
    }

    // Rows that begin at one instant replace each other, unless time passed that doubles do not tell.
    template <class Row>
    static void put(std::vector<Row> &rows, const Row &row, bool passed = false) {
        if (!passed && !rows.empty() && rows.back()[0] == row[0]) rows.pop_back();
        rows.push_back(row);
    }
};

// The bytes that a queue is offered up to an instant.
inline double offered_to(const dtmodel_batch &in, std::int64_t queue, Tick until, double tick) {
    double total = 0;
    for (std::int64_t k = in.piece_begin[queue]; k < in.piece_begin[queue + 1]; ++k) {
        const Tick begin = in.piece_time[k], end = k + 1 < in.piece_begin[queue + 1] ? std::min(in.piece_time[k + 1], until) : until;
        if (begin < end) total += in.piece_rate[k] * (static_cast<double>(end - begin) * tick);
    }
    return total;
}

inline bool is_size(double value) { return value >= 0 && value < INF; }

inline bool sound_traffic(const dtmodel_batch &in, std::int64_t queue) {
    Tick before = -1;
    for (std::int64_t k = in.piece_begin[queue]; k < in.piece_begin[queue + 1]; before = in.piece_time[k++])
        if (in.piece_time[k] <= before || !is_size(in.piece_rate[k])) return false;
    return true;
}

inline bool sound_queue(const dtmodel_batch &in, std::int64_t queue) {
    if (!(in.rate[queue] > 0 && in.rate[queue] < INF && in.count[queue] >= 1 && in.count[queue] < INF)) return false;
    if (!is_size(in.slope[queue]) || !is_size(in.offset[queue]) || !is_size(in.initial[queue])) return false;
    return is_size(in.reserve[queue]) && in.cap[queue] > 0 && sound_traffic(in, queue);
}

inline bool replays(const dtmodel_batch &in, std::int64_t scenario) {
    return in.number_begin[scenario] < in.number_begin[scenario + 1];
}

// Whether the numbers of a scenario are what they are said to be.
inline bool sound(const dtmodel_batch &in, std::int64_t scenario) {
    const double buffer = in.buffer[scenario], tick = in.tick[scenario];
    const Tick until = in.until[scenario];
    if (!(buffer > 0 && buffer < INF && tick > 0 && tick < INF && until > 0 && until < NEVER / 2)) return false;
    const std::int64_t first = in.sample_begin[scenario], last = in.sample_begin[scenario + 1];
    for (std::int64_t k = first; k < last; ++k)
        if (in.sample_time[k] < (k > first ? in.sample_time[k - 1] : 0) || in.sample_time[k] > until) return false;
    for (std::int64_t queue = in.queue_begin[scenario]; queue < in.queue_begin[scenario + 1]; ++queue)
        if (!sound_queue(in, queue)) return false;
    if (in.form[scenario] < AFFINE || in.form[scenario] > POOL) return false;
    const std::int64_t begin = in.queue_begin[scenario], end = in.queue_begin[scenario + 1];
    const std::int64_t numbers = 5 + 7 * (end - begin) + 2 * (in.piece_begin[end] - in.piece_begin[begin]);
    if (replays(in, scenario) && in.number_begin[scenario + 1] - in.number_begin[scenario] != numbers) return false;
    if (in.form[scenario] != COUNTERS) return true;
    return in.counting[scenario] > 0 && in.counting[scenario] < INF && in.growth[scenario] > 0 && in.hold[scenario] > 0;
}

}  // namespace
