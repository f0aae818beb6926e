// The native core of the fluid model: runs of queues whose thresholds are affine in the free buffer, in doubles.
//
// The model is that of dtmodel/fluid/engine.py: queue i is served at C_i, offered R_i, and has the threshold a_i F + b_i.
// Time is counted in whole ticks of 2^-k seconds, so that differences of instants are exact.
//
// Why ties need no care, and what the bound is. Take two states of one switch and the same traffic. With s = sign of a
// difference, d/dt (|dF| + sum |dQ_i|) = sum (s_i - s_F) dQ_i', as F' = -sum Q_i'. Where s_i differs from s_F, the queue
// that is longer is nearer to its threshold or further above it, so that no more of it is admitted and no less of it is
// sent: no term is positive, and |dF| + sum |dQ_i| never grows. A run in doubles is the exact run of a switch whose
// state jumps a little at every event, by what is rounded there; so it is never further from the exact run than these
// jumps together, in whatever order events that nearly coincide are taken. `off` adds them up.
//
// What rounding can hide is whether, and when, a queue first loses something. A queue certainly loses nothing while its
// room to the threshold exceeds the bound (1 + a), and certainly has lost something once its losses exceed what they can
// be wrong by. Between the two instants lies its first drop: are they further apart than TOLERANCE of the run, or does
// the second never come, then the run ends as undecided and somebody else has to run it exactly.

#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "memory.hpp"

namespace {

constexpr double EACH = 0x1p-51;  // four roundings

// A sum of doubles from which terms are taken away again, with the rounding of each addition kept beside it.
class Sum {
   public:
    void add(double term) {
        const double total = high_ + term, part = total - high_;
        low_ += (high_ - (total - part)) + (term - part);
        high_ = total;
    }
    void clear() { high_ = low_ = 0; }
    double value() const { return high_ + low_; }

   private:
    double high_ = 0, low_ = 0;
};

struct Queue {
    double rate, a, b, count;      // C, the threshold a F + b, how many identical queues this one stands for
    double offered, growth;        // R, R - C
    double lost, sent;             // before `begin`
    double begin_length, begin_free, free_first;
    double steepest;               // |F'| since `doubt`, at most
    Tick begin;                    // when the queue, or what it is offered, last changed
    Tick left;                     // when it last left its threshold because it could not follow it
    Tick doubt, first;             // when it may first have lost something, and when it did
    std::int64_t piece, pieces_begin, pieces_end;
    std::int32_t place;            // in the list of those that move, or of those on their thresholds
    Where where;
    bool decided;                  // its first drop is certain
};

// The three loops over all queues that move. A processor with wider registers gets code of its own for them; the
// additions are in the same order nowhere, but every order is within the bound.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define WIDE
#endif

WIDE double move_on(int number, double span, const double *__restrict slope, const double *__restrict count,
                    double *__restrict length) {
    double held = 0;
#pragma omp simd reduction(+ : held)
    for (int k = 0; k < number; ++k) {
        length[k] += slope[k] * span;
        held += count[k] * length[k];
    }
    return held;
}

struct Flows {
    double slopes, speeds;
};

WIDE Flows flows(int number, const double *__restrict slope, const double *__restrict count,
                 const double *__restrict speed) {
    double slopes = 0, speeds = 0;
#pragma omp simd reduction(+ : slopes, speeds)
    for (int k = 0; k < number; ++k) {
        slopes += count[k] * slope[k];
        speeds += speed[k];
    }
    return {slopes, speeds};
}

// How long each queue takes to be empty or to meet its threshold, the least of it, and the least room beyond the slack.
struct Nearest {
    double wait, spare;
};

WIDE Nearest look(int number, double free, double fall, double slack, const double *__restrict length,
                  const double *__restrict slope, const double *__restrict a, const double *__restrict b,
                  const double *__restrict side, const double *__restrict alert, double *__restrict wait) {
    double nearest = INF, least = INF;
#pragma omp simd reduction(min : nearest, least)
    for (int k = 0; k < number; ++k) {
        const double gap = a[k] * free + b[k] - length[k], closing = slope[k] - a[k] * fall;
        const double meet = side[k] * closing > 0 ? gap / closing : INF;
        const double zero = slope[k] < 0 ? length[k] / -slope[k] : INF;
        const double sooner = meet < zero ? meet : zero, first = sooner > 0 ? sooner : 0;
        wait[k] = first;
        nearest = first < nearest ? first : nearest;
        const double spare = gap - slack * alert[k];
        least = spare < least ? spare : least;
    }
    return {nearest, least};
}

class Run {
   public:
    bool keeps = false;
    Kept kept;

    Status run(const dtmodel_batch &batch, std::int64_t index) {
        batch_ = &batch;
        scenario_ = index;
        if (!read()) return REFUSED;
        const Status status = simulate();
        return status == DONE ? finish() : status;
    }

    std::int64_t events() const { return events_; }
    double bound() const { return off_; }  // for F and for each Q_i: half of the sum above, as F + sum Q = B

   private:
    const dtmodel_batch *batch_ = nullptr;
    std::int64_t scenario_ = 0, first_queue_ = 0, events_ = 0;
    std::int32_t number_ = 0;
    double buffer_ = 0, tick_ = 0, per_tick_ = 0, scale_ = 0;  // seconds a tick, and what free and offsets are computed from
    Tick until_ = 0, now_ = 0, before_ = 0;
    double free_ = 0, free_slope_ = 0, slope_before_ = 0, held_ = 0, rough_ = 0, off_ = 0, speed_ = 0;
    double least_a_ = 0, least_b_ = 0, most_a_ = 0, nearest_ = INF;
    std::int64_t sample_ = 0, sample_end_ = 0;
    double *lengths_ = nullptr;
    std::vector<Queue> queues_;
    // Those that move: lengths, slopes, thresholds, how many, their speeds, 1 below and -1 above the threshold, and 1 + a
    // where nothing may be lost unnoticed.
    std::vector<double> length_, slope_, a_, b_, count_, speeds_, side_, alert_, wait_;
    std::vector<std::int32_t> moving_;
    std::int32_t moves_ = 0;
    // Those on their thresholds, and the values of F' at which they fall behind and are left behind.
    std::vector<double> fall_, rise_;
    std::vector<std::int32_t> on_;
    Sum weights_, offsets_, busy_;
    double inverse_ = 1;  // 1 / (1 + sum of a)
    double least_fall_ = INF, least_rise_ = INF;
    bool unsure_ = false;
    std::vector<std::int32_t> low_, high_, hits_, pending_, parallel_, dirty_;
    std::vector<std::pair<Tick, std::int32_t>> changes_;

    double seconds(Tick ticks) const { return static_cast<double>(ticks) * tick_; }
    double threshold(const Queue &queue) const { return queue.a * free_ + queue.b; }

    // ---- the beginning

    bool read() {
        const dtmodel_batch &in = *batch_;
        first_queue_ = in.queue_begin[scenario_];
        number_ = static_cast<std::int32_t>(in.queue_begin[scenario_ + 1] - first_queue_);
        buffer_ = in.buffer[scenario_];
        tick_ = in.tick[scenario_];
        per_tick_ = 1 / tick_;
        until_ = in.until[scenario_];
        sample_ = in.sample_begin[scenario_];
        sample_end_ = in.sample_begin[scenario_ + 1];
        lengths_ = in.length + in.length_begin[scenario_];
        make_room();
        for (std::int32_t i = 0; i < number_; ++i)
            if (!read_queue(i)) return false;
        return true;
    }

    void make_room() {
        const auto n = static_cast<std::size_t>(number_);
        if (queues_.size() < n) {
            queues_.resize(n);
            for (auto *each : {&length_, &slope_, &a_, &b_, &count_, &speeds_, &side_, &alert_, &wait_}) each->resize(n);
            moving_.resize(n);
        }
        if (keeps) kept.clear(number_);
        fall_.clear(), rise_.clear(), on_.clear(), pending_.clear(), parallel_.clear(), dirty_.clear(), changes_.clear();
        weights_.clear(), offsets_.clear(), busy_.clear();
        inverse_ = 1;
        least_fall_ = least_rise_ = INF;
        moves_ = 0, now_ = before_ = 0, events_ = 0;
        off_ = speed_ = held_ = rough_ = free_slope_ = slope_before_ = most_a_ = 0;
        least_a_ = least_b_ = nearest_ = INF;
        scale_ = buffer_;
        unsure_ = false;
    }

    bool read_queue(std::int32_t i) {
        const dtmodel_batch &in = *batch_;
        const std::int64_t at = first_queue_ + i;
        Queue &queue = queues_[i];
        queue.rate = in.rate[at], queue.a = in.slope[at], queue.b = in.offset[at], queue.count = in.count[at];
        queue.pieces_begin = queue.piece = in.piece_begin[at];
        queue.pieces_end = in.piece_begin[at + 1];
        queue.begin_length = in.initial[at];
        double most = 0;
        for (std::int64_t k = queue.piece; k < queue.pieces_end; ++k) most = std::max(most, in.piece_rate[k]);
        queue.offered = 0;
        if (queue.piece < queue.pieces_end && in.piece_time[queue.piece] == 0) queue.offered = in.piece_rate[queue.piece++];
        if (queue.piece < queue.pieces_end) changes_.emplace_back(in.piece_time[queue.piece], i);
        queue.growth = queue.offered - queue.rate;
        queue.lost = queue.sent = 0;
        queue.begin = 0, queue.left = queue.doubt = queue.first = NEVER;
        queue.decided = false, queue.steepest = 0;
        queue.where = EMPTY;
        queue.begin_free = queue.free_first = NONE;
        speed_ += queue.count * (queue.rate + most);
        scale_ += queue.count * queue.b;
        least_a_ = std::min(least_a_, queue.a), least_b_ = std::min(least_b_, queue.b);
        most_a_ = std::max(most_a_, queue.a);
        return speed_ < INF && scale_ < INF;
    }

    bool begin() {
        std::make_heap(changes_.begin(), changes_.end(), std::greater<>());
        const std::uint8_t *steady = batch_->steady + first_queue_;
        for (std::int32_t i = 0; i < number_; ++i) {
            Queue &queue = queues_[i];
            if (steady[i]) {
                weights_.add(queue.count * queue.a);
                offsets_.add(queue.count * queue.b);
            } else {
                held_ += queue.count * queue.begin_length;
            }
        }
        off_ = EACH * scale_ * (2 + number_ / 8.0);
        free_ = (buffer_ - held_ - offsets_.value()) / (1 + weights_.value());
        if (free_ < -bound()) return false;
        free_ = std::max(free_, 0.0);
        weights_.clear(), offsets_.clear();
        held_ = 0;
        for (std::int32_t i = 0; i < number_; ++i) {
            const double length = steady[i] ? threshold(queues_[i]) : queues_[i].begin_length;
            place(i, length, steady[i] != 0);
            if (keeps) kept.limits[static_cast<std::size_t>(i)].push_back({0, queues_[i].a, queues_[i].b});
        }
        return true;
    }

    // ---- events

    Status simulate() {
        if (!begin()) return REFUSED;
        std::int64_t idle = 0;
        while (true) {
            settle();
            keep();
            if (now_ >= until_) return DONE;
            look_ahead();
            const Tick change = changes_.empty() ? NEVER : changes_.front().first;
            const double ticks = nearest_ * per_tick_;
            const Tick meet = ticks < static_cast<double>(until_) ? now_ + std::llrint(ticks) : NEVER;
            const Tick next = std::min({change, meet, until_});
            idle = next == now_ ? idle + 1 : 0;
            if (idle > 8 * static_cast<std::int64_t>(number_) + 64) return UNDECIDED_NEXT;
            note_hits(meet <= next);
            advance(next);
            if (free_ < -bound()) return UNDECIDED_NEXT;
            if (unsure_) return UNDECIDED_WHEN;
            if (now_ >= until_) {
                watch_all();
                record_free();
                return DONE;
            }
            if (++events_ > batch_->max_events) return OVER_BUDGET;
            for (const std::int32_t i : hits_) hit(i);
            if (change <= now_) change_arrivals();
        }
    }

    // Which queues are at a level next; the list of those that move will be another one when they are looked at.
    void note_hits(bool first) {
        hits_.clear();
        if (!first) return;
        for (std::int32_t k = 0; k < moves_; ++k)
            if (wait_[k] == nearest_) hits_.push_back(moving_[k]);
    }

    void advance(Tick next) {
        const double span = seconds(next - now_), held = held_;
        sample_until(next);
        before_ = now_, slope_before_ = free_slope_, now_ = next;
        if (span > 0) held_ = move_on(moves_, span, slope_.data(), count_.data(), length_.data());
        find_free();
        if (span > 0 && !parallel_.empty()) go_on_parallel(span);
        off_ += EACH * (held + held_ + rough_ * span);
        if (!pending_.empty()) decide(span);
    }

    void find_free() { free_ = (buffer_ - held_ - offsets_.value()) * inverse_; }

    void sample_until(Tick next) {
        for (; sample_ < sample_end_ && batch_->sample_time[sample_] <= next; ++sample_) {
            const double span = seconds(batch_->sample_time[sample_] - now_), free = free_ + free_slope_ * span;
            for (std::int32_t i = 0; i < number_; ++i) {
                const Queue &queue = queues_[i];
                double length = 0;
                if (queue.where == ON) length = queue.a * free + queue.b;
                else if (queue.where != EMPTY) length = length_[queue.place] + slope_[queue.place] * span;
                lengths_[i] = std::max(length, 0.0);
            }
            lengths_ += number_;
        }
    }

    void change_arrivals() {
        while (!changes_.empty() && changes_.front().first <= now_) {
            std::pop_heap(changes_.begin(), changes_.end(), std::greater<>());
            auto &[time, i] = changes_.back();
            const std::int32_t queue_index = i;
            Queue &queue = queues_[i];
            const double rate = batch_->piece_rate[queue.piece++];
            if (queue.piece < queue.pieces_end) {
                time = batch_->piece_time[queue.piece];
                std::push_heap(changes_.begin(), changes_.end(), std::greater<>());
            } else {
                changes_.pop_back();
            }
            off_ += queue.count * tick_ * (queue.offered + rate + queue.rate);
            change_rate(queue_index, rate);
        }
    }

    void change_rate(std::int32_t i, double rate) {
        Queue &queue = queues_[i];
        watch(queue);
        const double length = close(queue);
        const bool above = queue.where == ABOVE, touching = queue.where == ON || threshold(queue) <= length;
        if (!above) leave(i);
        queue.offered = rate, queue.growth = rate - queue.rate;
        if (!above) {
            place(i, length, touching);
            return;
        }
        speeds_[queue.place] = queue.count * (queue.offered + queue.rate);
        start(i, length);
        suspect(i);
    }

    // A queue that moves is empty, or on its threshold.
    void hit(std::int32_t i) {
        Queue &queue = queues_[i];
        if (queue.where != BELOW && queue.where != ABOVE) return;
        const std::int32_t k = queue.place;
        const double limit = threshold(queue), closing = slope_[k] - queue.a * slope_before_;
        const bool meets = side_[k] * closing > 0 && (slope_[k] >= 0 || std::abs(limit - length_[k]) <= std::abs(length_[k]));
        if (meets && queue.left == now_ && std::abs(closing) <= noise(queue)) {
            side_[k] = 0;
            parallel_.push_back(i);
            return;
        }
        watch(queue);
        const double length = meets ? limit : 0.0;
        off_ += queue.count * (EACH * (std::abs(length_[k]) + limit) + std::abs(closing) * tick_ + blur(queue));
        close(queue);
        leave(i);
        place(i, length, meets || limit <= 0);
    }

    // How fast a queue may seem to move against its threshold while both move alike.
    double noise(const Queue &queue) const {
        return 4 * EACH * (queue.offered + queue.rate + queue.a * rough_ * inverse_);
    }

    // Queues that left their thresholds, and by rounding alone meet them at once, have moved beside them for a phase.
    void go_on_parallel(double span) {
        for (const std::int32_t i : parallel_) {
            const Queue &queue = queues_[i];
            off_ += queue.count * 2 * noise(queue) * span;
            if (queue.where == BELOW || queue.where == ABOVE) side_[queue.place] = queue.where == ABOVE ? -1 : 1;
        }
        parallel_.clear();
    }

    // By how much the threshold of a queue may be wrong because F was computed from rounded sums.
    double blur(const Queue &queue) const {
        return queue.a * inverse_ * EACH * scale_ * (1 + moves_ / 32.0);
    }

    // ---- where queues lie

    void place(std::int32_t i, double length, bool touching) {
        Queue &queue = queues_[i];
        if (length <= 0 && queue.growth <= 0) {
            queue.where = EMPTY;
            start(i, 0);
            return;
        }
        const double room = threshold(queue) - length;
        if (touching || room == 0) put_on_threshold(i);
        else move(i, length, room < 0 ? ABOVE : BELOW);
        if (room <= 0 || touching) suspect(i);
    }

    void put_on_threshold(std::int32_t i) {
        Queue &queue = queues_[i];
        const double length = threshold(queue);
        if (queue.a == 0 && queue.growth <= 0) {
            move(i, length, BELOW);
            return;
        }
        queue.where = ON;
        queue.place = static_cast<std::int32_t>(on_.size());
        on_.push_back(i);
        fall_.push_back(queue.a > 0 ? queue.rate / queue.a : INF);
        rise_.push_back(queue.a > 0 ? queue.growth / queue.a : INF);
        least_fall_ = std::min(least_fall_, fall_.back());
        least_rise_ = std::min(least_rise_, rise_.back());
        weights_.add(queue.count * queue.a);
        offsets_.add(queue.count * queue.b);
        busy_.add(queue.count * (queue.offered + queue.rate));
        inverse_ = 1 / (1 + weights_.value());
        start(i, length);
    }

    void move(std::int32_t i, double length, Where where) {
        Queue &queue = queues_[i];
        const std::int32_t k = moves_++;
        queue.where = where, queue.place = k;
        moving_[k] = i;
        length_[k] = length, slope_[k] = where == ABOVE ? -queue.rate : queue.growth;
        a_[k] = queue.a, b_[k] = queue.b, count_[k] = queue.count;
        speeds_[k] = queue.count * (queue.offered + queue.rate);
        side_[k] = where == ABOVE ? -1 : 1;
        alert_[k] = where == BELOW && watched(queue) ? 1 + queue.a : -INF;
        held_ += queue.count * length;
        start(i, length);
    }

    // Take a queue out of its list.
    void leave(std::int32_t i) {
        Queue &queue = queues_[i];
        if (queue.where == ON) leave_threshold(queue);
        else if (queue.where != EMPTY) stop(queue);
        queue.where = EMPTY;
    }

    void leave_threshold(Queue &queue) {
        const std::int32_t k = queue.place, last = on_.back();
        off_ += queue.count * (EACH * threshold(queue) + blur(queue));
        if (fall_[k] <= least_fall_ || rise_[k] <= least_rise_) least_fall_ = least_rise_ = -INF;  // to be found again
        on_[k] = last, fall_[k] = fall_.back(), rise_[k] = rise_.back();
        queues_[last].place = k;
        on_.pop_back(), fall_.pop_back(), rise_.pop_back();
        weights_.add(-queue.count * queue.a);
        offsets_.add(-queue.count * queue.b);
        busy_.add(-queue.count * (queue.offered + queue.rate));
        if (on_.empty()) weights_.clear(), offsets_.clear(), busy_.clear();
        inverse_ = 1 / (1 + weights_.value());
    }

    void stop(Queue &queue) {
        const std::int32_t k = queue.place, last = --moves_;
        held_ -= count_[k] * length_[k];
        for (auto *each : {&length_, &slope_, &a_, &b_, &count_, &speeds_, &side_, &alert_}) (*each)[k] = (*each)[last];
        moving_[k] = moving_[last];
        queues_[moving_[k]].place = k;
    }

    // ---- the phase that begins

    // Find F', and let go of the queues that cannot follow their thresholds (OnThreshold.settle in dynamics.py).
    void settle() {
        const Flows moving = flows(moves_, slope_.data(), count_.data(), speeds_.data());
        double flow = moving.slopes;
        while (true) {
            free_slope_ = -flow * inverse_;
            find_least();
            if (least_fall_ >= -free_slope_ && least_rise_ > free_slope_) break;
            choose();
            for (const std::int32_t i : low_) flow += queues_[i].count * -queues_[i].rate, let_go(i, ABOVE);
            for (const std::int32_t i : high_) flow += queues_[i].count * queues_[i].growth, let_go(i, BELOW);
        }
        find_free();
        rough_ = moving.speeds + busy_.value();
    }

    void find_least() {
        if (least_fall_ > -INF) return;
        least_fall_ = least_rise_ = INF;
        for (const double fall : fall_) least_fall_ = std::min(least_fall_, fall);
        for (const double rise : rise_) least_rise_ = std::min(least_rise_, rise);
    }

    void choose() {
        low_.clear(), high_.clear();
        double excess = 0;
        for (std::size_t k = 0; k < on_.size(); ++k) {
            const Queue &queue = queues_[on_[k]];
            if (fall_[k] < -free_slope_) {
                low_.push_back(on_[k]);
                excess += queue.count * (-queue.rate - queue.a * free_slope_);
            } else if (rise_[k] <= free_slope_) {
                high_.push_back(on_[k]);
                excess += queue.count * (queue.growth - queue.a * free_slope_);
            }
        }
        if (excess < 0 && !high_.empty()) low_.clear();
        else if (excess > 0 && !low_.empty()) high_.clear();
    }

    void let_go(std::int32_t i, Where where) {
        const double length = close(queues_[i]);
        queues_[i].left = now_;
        leave(i);
        move(i, length, where);
    }

    // How long until a queue is empty or meets its threshold, and whether one is too near to it to tell.
    void look_ahead() {
        const double slack = bound();
        const Nearest found = look(moves_, free_, free_slope_, slack, length_.data(), slope_.data(), a_.data(), b_.data(),
                                   side_.data(), alert_.data(), wait_.data());
        nearest_ = found.wait;
        if (found.spare <= 0) watch_all();
        if (free_ * least_a_ + least_b_ <= slack * (1 + most_a_)) watch_empty();
    }

    // ---- what a queue has lost and sent

    // Account for what a queue did since it last changed, and return its length.
    double close(Queue &queue) {
        const double span = seconds(now_ - queue.begin);
        double length = 0;
        if (queue.where == ON) length = threshold(queue);
        else if (queue.where != EMPTY) length = length_[queue.place];
        const double lost = loss_since(queue, span, length);
        queue.sent += (queue.where == EMPTY ? queue.offered : queue.rate) * span;
        queue.lost += lost;
        if (lost > 0 && queue.first == NEVER) queue.first = queue.begin, queue.free_first = queue.begin_free;
        return length;
    }

    static double loss_since(const Queue &queue, double span, double length) {
        if (!(span > 0)) return 0;
        if (queue.where == ABOVE) return queue.offered * span;
        return queue.where == ON ? std::max(queue.growth * span - (length - queue.begin_length), 0.0) : 0;
    }

    void start(std::int32_t i, double length) {
        Queue &queue = queues_[i];
        queue.begin = now_, queue.begin_length = length, queue.begin_free = free_;
        if (keeps) dirty_.push_back(i);
    }

    // ---- first drops

    static bool watched(const Queue &queue) {
        return !queue.decided && queue.doubt == NEVER && queue.offered > 0;
    }

    // See whether a queue below its threshold is too near to it to say that it loses nothing.
    void watch(Queue &queue) {
        if (queue.where != BELOW || !watched(queue)) return;
        const double slack = bound() * (1 + queue.a), gap = threshold(queue) - length_[queue.place];
        if (gap > slack) return;
        const Tick from = std::max(queue.begin, before_);
        const double closing = slope_[queue.place] - queue.a * slope_before_, ago = (slack - gap) / closing * per_tick_;
        const bool since = closing > 0 && ago < static_cast<double>(now_ - from);
        queue.doubt = since ? now_ - static_cast<Tick>(ago) - 1 : from;
        alert_[queue.place] = -INF;
    }

    void watch_all() {
        for (std::int32_t k = 0; k < moves_; ++k) watch(queues_[moving_[k]]);
        watch_empty();
    }

    void watch_empty() {
        for (std::int32_t i = 0; i < number_; ++i) {
            Queue &queue = queues_[i];
            if (queue.where == EMPTY && watched(queue) && threshold(queue) <= bound() * (1 + queue.a)) queue.doubt = before_;
        }
    }

    // A queue on its threshold, or above it, may lose something from now on.
    void suspect(std::int32_t i) {
        Queue &queue = queues_[i];
        if (queue.decided || !(queue.offered > 0)) return;
        queue.steepest = std::max(queue.steepest, queue.doubt < before_ ? speed_ : std::abs(slope_before_));
        queue.doubt = std::min(queue.doubt, now_);
        if (queue.where == BELOW) alert_[queue.place] = -INF;
        if (std::find(pending_.begin(), pending_.end(), i) == pending_.end()) pending_.push_back(i);
    }

    // What a loss may be wrong by: queues that are empty in one run and not in the other send differently, but no more
    // than the bound each time that arrivals fall short of the rate.
    double loss_bound(const Queue &queue) const {
        return static_cast<double>(queue.piece - queue.pieces_begin + 2) * bound();
    }

    // After a phase, see which queues have certainly lost something now.
    void decide(double span) {
        std::size_t left = 0;
        for (const std::int32_t i : pending_) {
            Queue &queue = queues_[i];
            queue.steepest = std::max(queue.steepest, std::abs(slope_before_));
            const double length = queue.where == ON ? threshold(queue) : 0;
            const double lost = queue.lost + loss_since(queue, seconds(now_ - queue.begin), length);
            const double certain = loss_bound(queue);
            if (!(lost > certain)) {
                pending_[left++] = i;
                continue;
            }
            queue.decided = true;
            if (queue.first == NEVER) queue.first = queue.begin, queue.free_first = queue.begin_free;
            double rate = queue.where == ABOVE ? queue.offered : queue.growth - queue.a * slope_before_;
            rate = queue.where == BELOW || queue.where == EMPTY ? 0 : rate;
            const double ago = rate > 0 ? std::min((lost - certain) / rate, span) : 0;
            const double blurred = seconds(now_ - queue.doubt) - ago;
            if (blurred > TOLERANCE / 2 * seconds(until_) || blurred * queue.steepest > TOLERANCE / 2 * buffer_) unsure_ = true;
        }
        pending_.resize(left);
    }

    // ---- trajectories and answers

    void record_free() {
        if (!keeps) return;
        kept.free_times.push_back(seconds(now_));
        kept.free_values.push_back(std::max(free_, 0.0));
    }

    void keep() {
        if (!keeps) return;
        record_free();
        for (const std::int32_t i : dirty_) {
            const Queue &queue = queues_[i];
            std::vector<Segment> &segments = kept.segments[static_cast<std::size_t>(i)];
            const double begin = seconds(now_);
            if (!segments.empty() && segments.back().begin == begin) segments.pop_back();
            Segment segment{begin, queue.begin_length, 0, 0, queue.where == EMPTY ? queue.offered : queue.rate, false, queue.a,
                            queue.b};
            if (queue.where == ON) segment.on = true, segment.loss = queue.growth;
            else if (queue.where != EMPTY) segment.slope = slope_[queue.place];
            if (queue.where == ABOVE) segment.loss = queue.offered;
            segments.push_back(segment);
        }
        dirty_.clear();
    }

    Status finish() {
        if (bound() > TOLERANCE * buffer_) return TOO_FAR;
        const dtmodel_batch &out = *batch_;
        for (std::int32_t i = 0; i < number_; ++i) {
            Queue &queue = queues_[i];
            close(queue);
            if (!queue.decided && (queue.doubt != NEVER || queue.lost > 0)) return UNDECIDED_WHETHER;
            if (loss_bound(queue) > TOLERANCE * std::max(buffer_, offered_to(queue))) return LOSS_TOO_FAR;
            const std::int64_t at = first_queue_ + i;
            out.first_drop[at] = queue.decided ? seconds(queue.first) : NONE;
            out.free_at_first_drop[at] = queue.decided ? std::max(queue.free_first, 0.0) : NONE;
            out.dropped[at] = queue.lost;
            out.drained[at] = queue.sent;
        }
        return DONE;
    }

    double offered_to(const Queue &queue) const {
        double total = 0;
        for (std::int64_t k = queue.pieces_begin; k < queue.pieces_end; ++k) {
            const Tick begin = batch_->piece_time[k];
            const Tick end = k + 1 < queue.pieces_end ? std::min(batch_->piece_time[k + 1], until_) : until_;
            if (begin < end) total += batch_->piece_rate[k] * seconds(end - begin);
        }
        return total;
    }
};

bool rising(const std::int64_t *begin, std::int64_t number, std::int64_t total) {
    if (begin == nullptr || begin[0] != 0 || begin[number] != total) return false;
    for (std::int64_t k = 0; k < number; ++k)
        if (begin[k] > begin[k + 1]) return false;
    return true;
}

// Whether the arrays have the sizes that they are said to have.
bool fits(const dtmodel_batch &in) {
    if (in.scenarios < 0 || in.queues < 0 || in.pieces < 0 || in.samples < 0 || in.lengths < 0 || in.max_events < 0)
        return false;
    if (!rising(in.queue_begin, in.scenarios, in.queues) || !rising(in.piece_begin, in.queues, in.pieces)) return false;
    if (!rising(in.sample_begin, in.scenarios, in.samples) || !rising(in.length_begin, in.scenarios, in.lengths))
        return false;
    for (std::int64_t k = 0; k < in.scenarios; ++k) {
        const std::int64_t queues = in.queue_begin[k + 1] - in.queue_begin[k];
        if (queues > std::numeric_limits<std::int32_t>::max() / 2) return false;
        const std::int64_t samples = in.sample_begin[k + 1] - in.sample_begin[k];
        if (queues > 0 && samples > in.lengths / queues) return false;
        if (in.length_begin[k + 1] - in.length_begin[k] != queues * samples) return false;
    }
    return true;
}

}  // namespace

extern "C" {

struct dtmodel_trajectory {
    Kept kept;
};

#define EXPORT __attribute__((visibility("default")))

}  // extern "C"

namespace {

// Both kinds of runs, and the memory that they keep from one scenario to the next.
class Runs {
   public:
    explicit Runs(bool keeps) { plain_.keeps = remembering_.keeps = keeps; }

    Status run(const dtmodel_batch &batch, std::int64_t index) {
        batch.events[index] = 0, batch.bound[index] = 0;
        if (!sound(batch, index)) return REFUSED;
        remembers_ = batch.form[index] != AFFINE;
        return remembers_ ? run(remembering_, batch, index) : run(plain_, batch, index);
    }

    Kept &kept() { return remembers_ ? remembering_.kept : plain_.kept; }

   private:
    Run plain_;
    Remembering remembering_;
    bool remembers_ = false;

    template <class Kind>
    static Status run(Kind &kind, const dtmodel_batch &batch, std::int64_t index) {
        const Status status = kind.run(batch, index);
        batch.events[index] = kind.events(), batch.bound[index] = kind.bound();
        return status;
    }
};

template <class Row>
std::int64_t size_of(const std::vector<Row> &rows) {
    return static_cast<std::int64_t>(rows.size());
}

}  // namespace

extern "C" {

// Run a batch; returns how many scenarios were not DONE, or -1 if the arrays do not fit together.
EXPORT std::int64_t dtmodel_run(const dtmodel_batch *batch) {
    if (batch == nullptr || !fits(*batch)) return -1;
    std::int64_t open = 0;
    Runs runs(false);
    for (std::int64_t k = 0; k < batch->scenarios; ++k) {
        try {
            batch->status[k] = runs.run(*batch, k);
        } catch (const std::bad_alloc &) {
            batch->status[k] = NO_MEMORY;
        }
        open += batch->status[k] != DONE;
    }
    return open;
}

// Run the only scenario of a batch and keep its trajectories; null: no memory, or the arrays do not fit together.
EXPORT dtmodel_trajectory *dtmodel_trace(const dtmodel_batch *batch) {
    if (batch == nullptr || batch->scenarios != 1 || !fits(*batch)) return nullptr;
    try {
        auto made = std::make_unique<dtmodel_trajectory>();
        Runs runs(true);
        batch->status[0] = runs.run(*batch, 0);
        made->kept = std::move(runs.kept());
        return made.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

EXPORT std::int64_t dtmodel_free_points(const dtmodel_trajectory *made) { return size_of(made->kept.free_times); }

EXPORT void dtmodel_free_copy(const dtmodel_trajectory *made, double *times, double *values) {
    std::copy(made->kept.free_times.begin(), made->kept.free_times.end(), times);
    std::copy(made->kept.free_values.begin(), made->kept.free_values.end(), values);
}

EXPORT std::int64_t dtmodel_segments(const dtmodel_trajectory *made, std::int64_t queue) {
    return size_of(made->kept.segments[static_cast<std::size_t>(queue)]);
}

// Eight numbers for each segment: begin, length, slope, loss, drain, 1 if it is on the threshold, and that one's a and b.
EXPORT void dtmodel_segments_copy(const dtmodel_trajectory *made, std::int64_t queue, double *rows) {
    for (const Segment &each : made->kept.segments[static_cast<std::size_t>(queue)])
        for (const double value : {each.begin, each.length, each.slope, each.loss, each.drain, each.on ? 1.0 : 0.0, each.a, each.b})
            *rows++ = value;
}

EXPORT std::int64_t dtmodel_limits(const dtmodel_trajectory *made, std::int64_t queue) {
    return size_of(made->kept.limits[static_cast<std::size_t>(queue)]);
}

// Three numbers for each threshold that a queue had: from when on, a and b.
EXPORT void dtmodel_limits_copy(const dtmodel_trajectory *made, std::int64_t queue, double *rows) {
    for (const Limit &each : made->kept.limits[static_cast<std::size_t>(queue)])
        for (const double value : {each.begin, each.a, each.b}) *rows++ = value;
}

EXPORT void dtmodel_forget(dtmodel_trajectory *made) { delete made; }

// Changes whenever dtmodel_batch or a function above does.
EXPORT std::int64_t dtmodel_interface() { return 2; }

}  // extern "C"
