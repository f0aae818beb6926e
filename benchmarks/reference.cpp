// A reference for the benchmarks, written from the model alone (sections 4 of the design, equations of the fluid
// model): every event looks at every queue, and nothing is kept from one event to the next but the state itself.
//
// State: lengths q_i, and on which side of its threshold each queue is. T_i = r_i + min(a_i F + b_i, cap_i), where F is
// the pool less what lies beyond the reserves r_i. Between events every length is a straight line, and F' solves
// F' + sum of q_i' = 0, whose left side increases with F'.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr double close_to = 1e-12;

enum Kind { plain = 0, edt = 1, complete = 2 };

struct Queue {
    double rate, slope, offset, cap, reserve, length;
    const double *times, *rates;
    int pieces, next = 0;
    double offered = 0, low = 0, high = 0, grows = 0, lost = 0, dropped = 0, first = std::nan("");
    int side = 0;   // of its threshold: -1 below, 0 on it, 1 above
    int beyond = 0; // the same for its reserve
    bool uncontrolled = false;
    double c2 = 0, tm1 = endless, tm2 = endless;
};

struct Run {
    int kind;
    double buffer, cn2, tm1, tm2, until;
    std::vector<Queue> queues;
    double now = 0, free = 0, falls = 0, share = 1;
    bool full = false;
    int freed = 0; // uncontrolled queues
    std::int64_t events = 0;

    double slope_of(const Queue &q) const { return q.uncontrolled ? 0 : q.slope; }
    double offset_of(const Queue &q) const { return q.uncontrolled ? buffer / freed : q.offset; }

    // ---- thresholds

    double threshold(const Queue &q) const {
        if (kind == complete) return endless;
        return q.reserve + std::min(slope_of(q) * free + offset_of(q), q.uncontrolled ? endless : q.cap);
    }

    bool capped(const Queue &q) const {
        return !q.uncontrolled && q.slope * free + q.offset > q.cap * (1 + close_to);
    }

    bool at_corner(const Queue &q) const {
        return !q.uncontrolled && q.cap < endless && std::abs(q.slope * free + q.offset - q.cap) <= close_to * q.cap;
    }

    // The derivative of the threshold while F' = x.
    double moves(const Queue &q, double x) const {
        if (capped(q)) return 0;
        return at_corner(q) ? std::min(q.slope * x, 0.0) : slope_of(q) * x;
    }

    // F from the lengths of queues off their thresholds, so that those on them do not add up their rounding errors.
    void settle() {
        for (int turn = 0; turn < 3; ++turn) {
            double left = buffer, slopes = 1;
            for (const Queue &q : queues) {
                if (q.side != 0 || kind == complete) left -= std::max(q.length - q.reserve, 0.0);
                else if (capped(q)) left -= q.cap;
                else left -= offset_of(q), slopes += slope_of(q);
            }
            free = left / slopes;
        }
        full = free <= close_to * buffer;
        if (full) free = 0;
        if (kind == complete) return;
        for (Queue &q : queues)
            if (q.side == 0) q.length = std::max(threshold(q), 0.0);
    }

    void place(Queue &q) const {
        double gap = q.length - threshold(q);
        q.side = std::abs(gap) <= close_to * buffer ? 0 : gap > 0 ? 1 : -1;
        double over = q.length - q.reserve;
        q.beyond = std::abs(over) <= close_to * buffer ? 0 : over > 0 ? 1 : -1;
    }

    void place_all() {
        free = buffer;
        for (const Queue &q : queues) free -= std::max(q.length - q.reserve, 0.0);
        full = free <= close_to * buffer;
        if (full) free = 0;
        for (Queue &q : queues) place(q);
    }

    // ---- one phase

    double counted(const Queue &q, double grows) const { // the part of q' that takes free buffer
        return q.beyond > 0 ? grows : q.beyond == 0 ? std::max(grows, 0.0) : 0.0;
    }

    double slope_at(const Queue &q, double x) const {
        if (q.side < 0) return q.high;
        return q.side > 0 ? q.low : std::clamp(moves(q, x), q.low, q.high);
    }

    double balance(double x) const {
        double sum = x;
        for (const Queue &q : queues) sum += counted(q, slope_at(q, x));
        return sum;
    }

    // The root of the balance, which increases and is linear between kinks: Newton's step within a bracket.
    double root() const {
        double low = 0, high = 0, x = 0;
        for (const Queue &q : queues) low -= std::max(q.high, 0.0), high -= std::min(q.low, 0.0);
        low -= 1, high += 1;
        for (int turn = 0; turn < 200; ++turn) {
            double value = x, slopes = 1, scale = std::abs(x);
            for (const Queue &q : queues) {
                double grows = slope_at(q, x), part = counted(q, grows);
                value += part, scale += std::abs(part);
                if (q.side == 0 && part != 0 && grows > q.low && grows < q.high && x != 0) slopes += moves(q, x) / x;
            }
            if (std::abs(value) <= 1e-15 * scale) break;
            (value > 0 ? high : low) = x;
            double step = x - value / slopes;
            if (!(step > low && step < high)) step = (low + high) / 2;
            if (step == x) break;
            x = step;
        }
        return x;
    }

    // The largest fraction of all arrivals with which a full buffer does not grow: convex, so Newton falls to it.
    double fraction() const {
        double p = 1;
        for (int turn = 0; turn < 200; ++turn) {
            double value = 0, slopes = 0;
            for (const Queue &q : queues) {
                double grows = p * q.offered - q.rate;
                if (q.length > 0 || grows > 0) value += grows, slopes += q.offered;
            }
            if (value <= 0 || slopes == 0) break;
            double step = p - value / slopes;
            if (step == p) break;
            p = step;
        }
        return std::max(p, 0.0);
    }

    void phase() {
        share = 1;
        for (Queue &q : queues) {
            bool empty = q.length <= 0;
            q.low = empty ? 0 : -q.rate;
            q.high = empty ? std::max(q.offered - q.rate, 0.0) : q.offered - q.rate;
        }
        if (kind == complete) {
            if (full) share = fraction();
            falls = 0;
            for (Queue &q : queues) {
                double in = share * q.offered - q.rate;
                q.grows = q.length <= 0 ? std::max(in, 0.0) : in;
                q.lost = (1 - share) * q.offered;
                falls -= q.grows;
            }
            if (full && share < 1) falls = 0;
            return;
        }
        falls = root();
        for (Queue &q : queues) {
            q.grows = slope_at(q, falls);
            q.lost = q.side > 0 ? q.offered : std::max(q.high - q.grows, 0.0);
            if (q.lost <= close_to * q.offered) q.lost = 0;
        }
    }

    // ---- EDT: the events of one instant, in their order

    void memory() {
        bool changed = false;
        auto controls = [&](Queue &q) { q.uncontrolled = false, q.tm2 = endless, --freed, changed = true; };
        for (Queue &q : queues)
            if (q.uncontrolled && q.offered < q.rate) controls(q);
        for (Queue &q : queues)
            if (q.uncontrolled && q.tm2 <= now) controls(q);
        for (Queue &q : queues)
            if (!q.uncontrolled && q.c2 >= cn2 && q.offered > q.rate) {
                q.uncontrolled = true, q.c2 = 0, q.tm1 = endless, q.tm2 = now + tm2;
                ++freed, changed = true;
            }
        for (Queue &q : queues)
            if (q.tm1 <= now) q.c2 = 0, q.tm1 = endless;
        if (changed) place_all();
    }

    bool overflows() const {
        if (!full || freed == 0) return false;
        double sum = 0, scale = 0;
        bool loses = false;
        for (const Queue &q : queues) {
            sum += q.grows, scale += std::abs(q.grows);
            loses = loses || (q.uncontrolled && q.lost > 0);
        }
        return loses || sum > close_to * scale;
    }

    void overflow() {
        freed = 0;
        for (Queue &q : queues)
            if (q.uncontrolled) {
                q.uncontrolled = false, q.tm2 = endless;
                if (std::isnan(q.first)) q.first = now;
            }
        place_all();
        phase();
    }

    void count(Queue &q, double &step) {
        if (q.uncontrolled) q.c2 = 0;
        else if (q.lost > 0) q.c2 = 0, q.tm1 = endless;
        else {
            if (q.c2 == 0 && q.grows <= 0) q.tm1 = endless;
            else if (q.tm1 == endless && q.c2 == 0) q.tm1 = now + tm1;
            if (q.grows > 0 && q.c2 < cn2) step = std::min(step, (cn2 - q.c2) / q.grows);
            if (q.grows < 0 && q.c2 > 0) step = std::min(step, q.c2 / -q.grows);
        }
        step = std::min({step, q.tm1 - now, q.tm2 - now});
    }

    // ---- the next event

    static void within(double gap, double speed, double &step) { // a gap that closes, or has closed by rounding
        if (speed > 0) step = std::min(step, std::max(gap, 0.0) / speed);
    }

    double wait() {
        double step = until - now;
        for (Queue &q : queues) {
            if (q.next < q.pieces) step = std::min(step, q.times[q.next] - now);
            if (q.length > 0) within(q.length, -q.grows, step);
            if (q.reserve > 0 && q.beyond != 0) within(q.beyond * (q.length - q.reserve), -q.beyond * q.grows, step);
            if (kind == complete) continue;
            double closing = q.grows - moves(q, falls), gap = q.length - threshold(q);
            if (q.side != 0) within(q.side * gap, -q.side * closing, step);
            if (q.slope > 0 && q.cap < endless && !q.uncontrolled && !at_corner(q)) {
                double corner = (q.cap - q.offset) / q.slope - free;
                if (corner * falls > 0) step = std::min(step, corner / falls);
            }
            if (kind == edt) count(q, step);
        }
        if (!full) within(free, -falls, step);
        return std::max(step, 0.0);
    }

    void pass(double step) {
        double small = close_to * buffer;
        for (Queue &q : queues) {
            if (q.lost > 0 && std::isnan(q.first)) q.first = now;
            q.dropped += q.lost * step;
            double gap = q.length - threshold(q), closing = q.grows - moves(q, falls);
            if (kind != complete) {
                if (q.side != 0 && q.side * closing < 0 && q.side * (gap + closing * step) <= small) q.side = 0;
                else if (q.side == 0 && std::abs(closing) > close_to * (q.rate + q.offered)) q.side = closing > 0 ? 1 : -1;
            }
            q.length += q.grows * step;
            if (q.length <= small && q.grows < 0) q.length = 0;
            double over = q.length - q.reserve;
            q.beyond = std::abs(over) <= small ? 0 : over > 0 ? 1 : -1;
            if (kind == edt && !q.uncontrolled && q.lost == 0) {
                q.c2 = std::max(q.c2 + q.grows * step, 0.0);
                if (q.c2 <= small && q.grows < 0) q.c2 = 0;
                if (std::abs(q.c2 - cn2) <= small) q.c2 = cn2;
            }
        }
        free += falls * step;
        now += step;
        settle();
    }

    void offer() {
        for (Queue &q : queues)
            while (q.next < q.pieces && q.times[q.next] <= now * (1 + 1e-15)) q.offered = q.rates[q.next++];
    }

    bool go(std::int64_t most) {
        place_all();
        settle();
        while (now < until && events < most) {
            offer();
            if (kind == edt) memory();
            phase();
            if (kind == edt && overflows()) overflow();
            pass(wait());
            ++events;
        }
        return now >= until;
    }
};

} // namespace

// Run scenarios one after the other; queue and piece arrays have `begins` as in a ragged array. Returns all events, or -1
// if one run needs more than `most` events.
extern "C" std::int64_t reference_run(
    std::int64_t count, std::int64_t most, const std::int64_t *queue_begin, const std::int64_t *piece_begin,
    const std::int32_t *kind, const double *of_run, const double *of_queue, const double *times, const double *rates,
    double *first, double *dropped, double *length) {
    std::int64_t events = 0;
    for (std::int64_t at = 0; at < count; ++at) {
        const double *own = of_run + 5 * at;
        Run run{kind[at], own[0], own[1], own[2], own[3], own[4], {}};
        for (std::int64_t i = queue_begin[at]; i < queue_begin[at + 1]; ++i) {
            const double *q = of_queue + 6 * i;
            std::int64_t begin = piece_begin[i], pieces = piece_begin[i + 1] - begin;
            run.queues.push_back(
                Queue{q[0], q[1], q[2], q[3], q[4], q[5], times + begin, rates + begin, static_cast<int>(pieces)});
        }
        if (!run.go(most)) return -1;
        events += run.events;
        for (std::size_t i = 0; i < run.queues.size(); ++i) {
            const Queue &q = run.queues[i];
            std::int64_t place = queue_begin[at] + static_cast<std::int64_t>(i);
            first[place] = q.first, dropped[place] = q.dropped, length[place] = q.length;
        }
    }
    return events;
}
