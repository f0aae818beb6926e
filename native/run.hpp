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
// A queue that moves is a line from where it last changed, so that nothing is rounded on the way; what is free is a sum
// whose rounding errors are kept beside it. So a run is off by what is rounded at changes, relative to one queue.
// Divided by a, lines and thresholds are lines that meet one F: the highest below it and the lowest above it come first,
// whatever F does next (moving.hpp).
//
// What rounding can hide is whether, and when, a queue first loses something. A queue certainly loses nothing while its
// room to the threshold exceeds the bound (1 + a), and certainly has lost something once its losses exceed what they can
// be wrong by. Between the two instants lies its first drop: are they further apart than TOLERANCE of the run, or does
// the second never come, then the run ends as undecided and somebody else has to run it exactly.

#pragma once

#include "counters.hpp"
#include "moving.hpp"

namespace {

struct Queue {
    double rate, a, b, c, count;   // C, the threshold a F + b + c K, how many identical queues this one stands for
    double reserve;                // what it fills before it takes F
    double error, motion;          // how wrong its line may be; how it moved before
    double doubted;                // how wrong its losses may be since `doubt`
    double offered, growth;        // R, R - C
    double lost, sent;             // before `begin`
    double begin_length, begin_free, free_first;
    double steepest;               // |F'| since `doubt`, at most
    double slope;                  // of a queue that moves
    double inverse, fall;          // 1 / a, C / a
    Tick begin;                    // when the queue, or what it is offered, last changed
    Tick left;                     // when it last left its threshold because it could not follow it
    Tick origin;                   // of its line: when it last left its threshold, and has not turned since; or NEVER
    Tick doubt, first;             // when it may first have lost something, and when it did
    std::int64_t piece, pieces_begin, pieces_end;
    Where where;
    bool decided, pending;         // whether its first drop is certain, or is looked for in every phase
};

// What is 0 as a run begins, or as is said here.
struct Progress {
    std::int64_t events_ = 0;
    Tick now_ = 0, before_ = 0;
    double free_ = 0, free_slope_ = 0, slope_before_ = 0, speed_ = 0, scale_ = 0;  // the last: what free and offsets are computed from
    double off_ = 0, worst_ = 0;           // half of the sum above, as F + sum Q = B: now, and at most
    double rounded_ = 0, free_error_ = 0;  // what was rounded so far; how wrong F may be
    bool alike_ = false;                   // the exact run is in the same state, but for the last event
    Tick last_ = 0;                        // when it came
    double late_ = 0;                      // how wrong that may be, in seconds
    Sum strays_;                           // while they are alike: the errors of the queues that move beyond their reserves
    double least_a_ = INF, least_b_ = INF, most_a_ = 0, most_b_ = 0, most_inverse_ = 0;  // the last: 1 / a, at most
    std::int32_t moves_ = 0, on_ = 0, safe_ = 0;   // the last: that certainly have lost nothing so far
    Sum room_, pull_, weights_;                    // (1 + sum of a) F; the slopes that do not follow F'; sum of a
    double busy_ = 0, inverse_ = 1;                // sum of R + C, and more than what is rounded there; 1 / (1 + sum of a)
    double slack_ = 0;                             // how wrong the instant of an event may be, in seconds
    Tick wake_ = NEVER, sudden_ = 0;               // when the policy acts next; when something last happened at once
    double cap_ = 0, together_ = 0;                // of uncontrolled queues: K = B / n, and n
    std::size_t capped_ = 0;                       // how many caps bind
};

class Run : Progress {
   public:
    Kept *kept = nullptr;  // trajectories, if they are asked for

    Status run(const dtmodel_batch &batch, std::int64_t index) {
        batch_ = &batch, scenario_ = index;
        if (!read()) return REFUSED;
        const Status status = simulate();
        return status == DONE ? finish() : status;
    }

    std::int64_t events() const { return events_; }
    double bound() const { return std::max(off_, worst_); }  // at any time for F and for each Q_i

   private:
    const dtmodel_batch *batch_ = nullptr;
    std::int64_t scenario_ = 0, first_queue_ = 0, sample_ = 0;
    std::int32_t number_ = 0;
    double buffer_ = 0, tick_ = 0, per_tick_ = 0;  // the last two: seconds a tick, and ticks a second
    Tick until_ = 0;
    Form form_ = AFFINE;
    double *lengths_ = nullptr;
    std::vector<Queue> queues_;
    // The queues below their thresholds by (Q - b) / a, which meets F, those above by its negative; of those whose threshold
    // is K, by Q; when queues that move are empty, or meet a threshold that does not move, in ticks; and of those on their
    // thresholds the values of -F' and F' beyond which they are left behind.
    Moving moving_, caps_;
    Least<Tick> levels_, changes_;                        // the second: of arrivals
    Least<double> falls_, rises_;
    Counters counters_;                                   // of EDT
    std::vector<std::int32_t> low_, high_, hits_, pending_, dirty_;
    std::vector<std::int32_t> stirred_, ended_, counted_;  // whose motion changed; the uncontrolled that shrink; whose c2 is cn2
    std::vector<std::int32_t> full_, passed_;             // those on K, and some others; those that K may pass
    std::vector<std::pair<double, std::int32_t>> turns_;  // of caps: beyond which F each binds

    double seconds(Tick ticks) const { return static_cast<double>(ticks) * tick_; }
    double offset(const Queue &queue) const { return queue.b + queue.c * cap_; }
    double threshold(const Queue &queue) const { return queue.a * free_ + offset(queue); }

    // ---- the beginning

    bool read() {
        const dtmodel_batch &in = *batch_;
        first_queue_ = in.queue_begin[scenario_], number_ = static_cast<std::int32_t>(in.queue_begin[scenario_ + 1] - first_queue_);
        buffer_ = in.buffer[scenario_], tick_ = in.tick[scenario_], per_tick_ = 1 / tick_, until_ = in.until[scenario_];
        sample_ = in.sample_begin[scenario_], lengths_ = in.length + in.length_begin[scenario_], form_ = static_cast<Form>(in.form[scenario_]);
        make_room();
        for (std::int32_t i = 0; i < number_; ++i)
            if (!read_queue(i)) return false;
        return true;
    }

    void make_room() {
        const dtmodel_batch &in = *batch_;
        static_cast<Progress &>(*this) = Progress{};
        const auto queues = static_cast<std::size_t>(number_);
        if (queues_.size() < queues) queues_.resize(queues);
        for (std::vector<std::int32_t> *list : {&pending_, &dirty_, &stirred_, &ended_, &full_}) list->clear();
        levels_.begin(queues), changes_.begin(queues), falls_.begin(queues), rises_.begin(queues);
        moving_.begin(number_, tick_, buffer_), turns_.clear(), safe_ = number_, scale_ = buffer_;
        if (kept) kept->clear(number_);
        if (form_ != COUNTERS) return;
        most_b_ = buffer_, scale_ += buffer_, caps_.begin(number_, tick_, buffer_);
        counters_.begin(number_, in.counting[scenario_], in.growth[scenario_], in.hold[scenario_], tick_, until_);
        for (std::int32_t i = 0; i < number_; ++i)
            counters_.each[static_cast<std::size_t>(i)].alpha = in.slope[first_queue_ + i];
    }

    bool read_queue(std::int32_t i) {
        const dtmodel_batch &in = *batch_;
        const std::int64_t at = first_queue_ + i;
        Queue &queue = queues_[i];
        queue.rate = in.rate[at], queue.a = in.slope[at], queue.c = 0, queue.count = in.count[at], queue.reserve = in.reserve[at];
        queue.b = queue.a > 0 ? in.offset[at] : std::min(in.offset[at], in.cap[at]);
        queue.error = in.steady[at] ? INF : 2 * EACH * in.initial[at], queue.motion = queue.doubted = 0;
        queue.pieces_begin = queue.piece = in.piece_begin[at], queue.pieces_end = in.piece_begin[at + 1];
        queue.begin_length = in.initial[at], queue.offered = 0;
        double most = 0;
        for (std::int64_t k = queue.piece; k < queue.pieces_end; ++k) most = std::max(most, in.piece_rate[k]);
        if (queue.piece < queue.pieces_end && in.piece_time[queue.piece] == 0) queue.offered = in.piece_rate[queue.piece++];
        changes_.set(i, queue.piece < queue.pieces_end ? in.piece_time[queue.piece] : NEVER);
        queue.growth = queue.offered - queue.rate, queue.lost = queue.sent = 0;
        queue.begin = 0, queue.left = queue.origin = queue.doubt = queue.first = NEVER;
        queue.inverse = queue.a > 0 ? 1 / queue.a : INF, queue.fall = queue.a > 0 ? queue.rate / queue.a : INF;
        queue.decided = queue.pending = false, queue.steepest = queue.slope = 0;
        queue.where = EMPTY, queue.begin_free = queue.free_first = NONE;
        speed_ += queue.count * (queue.rate + most), scale_ += queue.count * queue.b;
        least_a_ = std::min(least_a_, queue.a), least_b_ = std::min(least_b_, queue.b);
        most_a_ = std::max(most_a_, queue.a), most_b_ = std::max(most_b_, queue.b);
        if (queue.a > 0) most_inverse_ = std::max(most_inverse_, queue.inverse);
        if (in.cap[at] < INF) most_b_ = std::max(most_b_, in.cap[at]);
        if (in.cap[at] < INF && queue.a > 0) turns_.emplace_back((in.cap[at] - queue.b) * queue.inverse, i);
        return speed_ < INF && scale_ < INF;
    }

    bool begin() {
        busy_ = speed_ * 0x1p-20;
        const std::uint8_t *steady = batch_->steady + first_queue_;
        room_.add(buffer_);
        for (std::int32_t i = 0; i < number_; ++i) {
            const Queue &queue = queues_[i];
            const bool follows = steady[i] && queue.begin_length < batch_->cap[first_queue_ + i];  // others are on their caps
            if (follows) weights_.add(queue.count * queue.a);
            room_.add(-queue.count * (follows ? queue.b - queue.reserve : std::max(queue.begin_length - queue.reserve, 0.0)));
        }
        round(2 * EACH * scale_);
        free_ = room_.value() / (1 + weights_.value());
        if (free_ < -off_) return false;
        free_ = std::max(free_, 0.0);
        weights_.clear(), room_.clear();
        room_.add(buffer_);
        cap();
        for (std::int32_t i = 0; i < number_; ++i) {
            const double length = steady[i] ? threshold(queues_[i]) : queues_[i].begin_length;
            place(i, length, steady[i] != 0);
            keep_limit(i);
        }
        return true;
    }

    // ---- events

    // Flat: calls would be a thirtieth of what an event takes.
    __attribute__((flatten)) Status simulate() {
        if (!begin()) return REFUSED;
        std::int64_t idle = 0;
        while (true) {
            settle();
            if (form_ != AFFINE) remember();
            keep();
            if (now_ >= until_) return DONE;
            const Tick change = changes_.least();
            const Tick next = look_ahead(std::min({change, until_, wake_}));
            idle = next == now_ ? idle + 1 : 0;
            if (idle > 8 * static_cast<std::int64_t>(number_) + 64) return UNDECIDED_NEXT;
            advance(next);
            if (free_ < -off_) return UNDECIDED_NEXT;
            if (now_ >= until_) {
                for (std::int32_t i = 0; i < number_; ++i) watch(queues_[i]);
                watch_empty();
                record_free();
                return DONE;
            }
            find_hits();
            if (hits_.empty() && change > now_ && wake_ > now_) continue;  // another queue is the next that may meet its threshold
            if (++events_ > batch_->max_events) return OVER_BUDGET;
            if (form_ != AFFINE && (change <= now_ || !hits_.empty())) see_hits();
            for (const std::int32_t i : hits_) hit(i);
            if (change <= now_) change_arrivals();
            if (form_ == COUNTERS) act_on_counters(change <= now_);
            else if (form_ == POOL && wake_ <= now_) turn();
        }
    }

    // Which queues are at a level now. Those that meet their thresholds within a tick, or what is rounded there, do so together.
    void find_hits() {
        hits_.clear();
        levels_.each(now_, [this](std::int32_t i) { hits_.push_back(i); });
        const double within = std::abs(slope_before_) * tick_ + 4 * EACH * (free_ + 2 * most_b_ * most_inverse_);
        for (const std::vector<std::int32_t> *first : {&moving_.first, &caps_.first})
            for (const std::int32_t i : *first)
                if (meets(queues_[i], within) && std::find(hits_.begin(), hits_.end(), i) == hits_.end()) hits_.push_back(i);
    }

    bool meets(const Queue &queue, double within) const {
        const double gap = threshold(queue) - length_of(queue), closing = queue.slope - queue.a * slope_before_;
        const double sign = queue.where == BELOW ? 1 : -1;
        return sign * closing > 0 && sign * gap <= queue.a * within + queue.c * EACH * cap_ + std::abs(closing) * tick_;
    }

    double held(const Queue &queue) const { return queue.where == ON ? threshold(queue) : queue.where == EMPTY ? 0 : length_of(queue); }
    double length_of(const Queue &queue) const { return queue.begin_length + queue.slope * seconds(now_ - queue.begin); }

    void advance(Tick next) {
        const double span = seconds(next - now_);
        sample_until(next);
        before_ = now_, slope_before_ = free_slope_, now_ = next;
        if (span > 0) slack_ = 0;
        if (span > 0 && moves_ > 0) room_.add(-pull_.value() * span);
        find_free();
        round(EACH * busy_ * span + EACH * EACH * scale_);
        if (form_ != AFFINE) follow_exact(span);
        drop(pending_, [=](std::int32_t i) { return decide(queues_[i], span); });
    }

    void find_free() { free_ = room_.value() * inverse_; }

    void sample_until(Tick next) {
        for (; sample_ < batch_->sample_begin[scenario_ + 1] && batch_->sample_time[sample_] <= next; ++sample_) {
            const double span = seconds(batch_->sample_time[sample_] - now_), free = free_ + free_slope_ * span;
            for (std::int32_t i = 0; i < number_; ++i) {
                const Queue &queue = queues_[i];
                double length = 0;
                if (queue.where == ON) length = queue.a * free + offset(queue);
                else if (queue.where != EMPTY) length = length_of(queue) + queue.slope * span;
                lengths_[i] = std::max(length, 0.0);
            }
            lengths_ += number_;
        }
    }

    void change_arrivals() {
        while (changes_.least() <= now_) {
            const auto i = static_cast<std::int32_t>(changes_.who());
            Queue &queue = queues_[i];
            const double rate = batch_->piece_rate[queue.piece++];
            changes_.set(i, queue.piece < queue.pieces_end ? batch_->piece_time[queue.piece] : NEVER);
            round(queue.count * tick_ * (queue.offered + rate + queue.rate));
            change_rate(i, rate);
            if (form_ == COUNTERS && counters_.each[static_cast<std::size_t>(i)].uncontrolled && rate < queue.rate) ended_.push_back(i);
        }
    }

    void change_rate(std::int32_t i, double rate) {
        Queue &queue = queues_[i];
        watch(queue);
        if (form_ != AFFINE) see_graze(queue);
        const double length = close(queue);
        const bool touching = queue.where == ON || threshold(queue) <= length, below = queue.where == BELOW;
        const bool turns = below && !touching && (length > 0 || rate > queue.rate), stays = turns || queue.where == ABOVE;
        if (stays) busy_ += queue.count * (rate - queue.offered);
        if (stays && form_ != AFFINE) end_line(queue);
        if (!stays) leave(i, length);
        queue.offered = rate, queue.growth = rate - queue.rate;
        if (turns) turn(i, length);
        if (!stays) return place(i, length, touching);
        start(i, length);
        if (turns) enter(i);
        else suspect(i);
    }

    // A queue below its threshold stays there and moves on at another speed.
    void turn(std::int32_t i, double length) {
        Queue &queue = queues_[i];
        round(queue.count * 2 * EACH * (queue.begin_length + std::abs(length)));
        pull_.add(-queue.count * queue.slope);
        queue.slope = queue.growth;
        pull_.add(queue.count * queue.slope);
    }

    // A queue that moves is empty, or on its threshold.
    void hit(std::int32_t i) {
        Queue &queue = queues_[i];
        if (queue.where == RESERVE) return fill(i);
        if (queue.where != BELOW && queue.where != ABOVE) return;
        const double limit = threshold(queue), length = length_of(queue), closing = queue.slope - queue.a * slope_before_;
        const bool closes = queue.where == BELOW ? closing > 0 : closing < 0;
        const bool meets = closes && (queue.slope >= 0 || std::abs(limit - length) <= std::abs(length - queue.reserve));
        if (meets && queue.left == now_ && std::abs(closing) <= noise(queue)) throw Undecided{UNDECIDED_NEXT};
        watch(queue);
        const double becomes = meets ? limit : queue.reserve;
        round(queue.count * (std::abs(length - becomes) + EACH * (std::abs(length) + becomes)));
        leave(i, close(queue));
        queue.error += std::abs(length - becomes);
        place(i, becomes, meets || limit <= queue.reserve);
    }

    // A queue within its reserve is empty, or has filled it: F sees again how wrong its line is.
    __attribute__((noinline)) void fill(std::int32_t i) {
        Queue &queue = queues_[i];
        const double becomes = queue.slope > 0 ? queue.reserve : 0, jump = std::abs(length_of(queue) - becomes);
        round(queue.count * (jump + 2 * EACH * becomes));
        if (queue.slope > 0) off_ += queue.count * error(queue);
        leave(i, close(queue));
        queue.error += jump;
        place(i, becomes, threshold(queue) <= becomes);
    }

    // How fast a queue may seem to move against its threshold while both move alike.
    double noise(const Queue &queue) const {
        return 4 * EACH * (queue.offered + queue.rate + queue.a * busy_ * inverse_);
    }

    // ---- where queues lie

    void place(std::int32_t i, double length, bool touching) {
        Queue &queue = queues_[i];
        if (length <= 0 && queue.growth <= 0) {
            queue.where = EMPTY, queue.doubted += form_ == AFFINE ? off_ : queue.error;
            start(i, 0);
            return;
        }
        if (length < queue.reserve || (length <= queue.reserve && queue.reserve > 0 && queue.growth <= 0)) return enter_reserve(i, length);
        const double room = threshold(queue) - length;
        if (touching || room == 0) round(queue.count * std::abs(room)), put_on_threshold(i);
        else move(i, length, room < 0 ? ABOVE : BELOW);
        if (room <= 0 || touching) suspect(i);
    }

    // F does not see a queue within its reserve.
    __attribute__((noinline)) void enter_reserve(std::int32_t i, double length) {
        Queue &queue = queues_[i];
        queue.where = RESERVE, queue.slope = queue.growth;
        busy_ += queue.count * (queue.offered + queue.rate);
        start(i, length);
        const double level = queue.slope > 0 ? queue.reserve : 0;
        levels_.set(i, queue.slope != 0 ? now_ + ticks((level - length) / queue.slope) : NEVER);
    }

    void put_on_threshold(std::int32_t i) {
        Queue &queue = queues_[i];
        const double length = threshold(queue);
        if (queue.a == 0 && queue.growth <= 0) {
            move(i, length, BELOW);
            return;
        }
        queue.where = ON, ++on_;
        falls_.set(i, queue.fall), rises_.set(i, queue.a > 0 ? queue.growth / queue.a : INF);
        weights_.add(queue.count * queue.a);
        room_.add(-queue.count * (offset(queue) - queue.reserve));
        busy_ += queue.count * (queue.offered + queue.rate);
        if (queue.c > 0) full_.push_back(i);
        start(i, length);
    }

    void move(std::int32_t i, double length, Where where) {
        Queue &queue = queues_[i];
        ++moves_;
        queue.where = where, queue.slope = where == ABOVE ? -queue.rate : queue.growth;
        pull_.add(queue.count * queue.slope);
        room_.add(-queue.count * (length - queue.reserve));
        busy_ += queue.count * (queue.offered + queue.rate);
        start(i, length);
        enter(i);
        if (queue.a == 0) watch(queue);
    }

    // Let a queue that moves be found when it meets its threshold, or is empty.
    void enter(std::int32_t i) {
        const Queue &queue = queues_[i];
        const bool below = queue.where == BELOW;
        const double sign = (below ? 1 : -1) * (queue.c > 0 ? 1 : queue.inverse);
        const Line line{queue.begin, sign * (queue.begin_length - queue.b), sign * queue.slope};
        Tick level = queue.slope < 0 ? empty_at(queue) : NEVER;
        if (queue.a > 0 || queue.c > 0) lines_of(queue).put(i, below, line, now_);
        else if (below == (queue.slope > 0) && queue.slope != 0)
            level = std::min(level, now_ + ticks((queue.b - length_of(queue)) / queue.slope));
        levels_.set(i, level);
    }

    Moving &lines_of(const Queue &queue) { return queue.c > 0 ? caps_ : moving_; }

    Tick ticks(double span) const {
        const double number = span * per_tick_;
        return number < static_cast<double>(until_) ? std::max<Tick>(std::llrint(number), 0) : NEVER / 4;
    }

    Tick empty_at(const Queue &queue) const { return queue.begin + ticks((queue.begin_length - queue.reserve) / -queue.slope); }

    // Take a queue out of its list.
    void leave(std::int32_t i, double length) {
        Queue &queue = queues_[i];
        if (form_ != AFFINE) end_line(queue);
        if (queue.where == ON) leave_threshold(i, length);
        else if (queue.where == RESERVE) levels_.set(i, NEVER), be_idle(queue);
        else if (queue.where != EMPTY) stop(i, length);
        queue.where = EMPTY;
    }

    void leave_threshold(std::int32_t i, double length) {
        const Queue &queue = queues_[i];
        round(queue.count * 2 * EACH * length);
        falls_.set(i, INF), rises_.set(i, INF);
        weights_.add(-queue.count * queue.a);
        room_.add(queue.count * (offset(queue) - queue.reserve));
        be_idle(queue);
        if (--on_ == 0) weights_.clear();
    }

    void stop(std::int32_t i, double length) {
        Queue &queue = queues_[i];
        round(queue.count * 2 * EACH * (queue.begin_length + std::abs(length)));
        pull_.add(-queue.count * queue.slope);
        room_.add(queue.count * (length - queue.reserve));
        be_idle(queue);
        levels_.set(i, NEVER), lines_of(queue).take(i, queue.where == BELOW);
        if (--moves_ == 0) pull_.clear();
    }

    void be_idle(const Queue &queue) { busy_ -= queue.count * (queue.offered + queue.rate); }

    // ---- the phase that begins

    // Find F', and let go of the queues that cannot follow their thresholds (OnThreshold.settle in dynamics.py).
    void settle() {
        while (true) {
            inverse_ = 1 / (1 + weights_.value());
            free_slope_ = -pull_.value() * inverse_;
            if (falls_.least() >= -free_slope_ && rises_.least() > free_slope_) break;
            let_go();
        }
        find_free();
    }

    __attribute__((noinline)) void let_go() {
        choose();
        if (low_.empty() && high_.empty()) throw Undecided{UNDECIDED_NEXT};  // slopes beyond floats
        for (const std::int32_t i : low_) let_go(i, ABOVE);
        for (const std::int32_t i : high_) let_go(i, BELOW);
    }

    void choose() {
        low_.clear(), high_.clear();
        double excess = 0;
        falls_.each(-free_slope_, [&](std::int32_t i) {
            const Queue &queue = queues_[i];
            if (queue.fall == -free_slope_) return;
            low_.push_back(i);
            excess += queue.count * (-queue.rate - queue.a * free_slope_);
        });
        rises_.each(free_slope_, [&](std::int32_t i) {
            const Queue &queue = queues_[i];
            if (queue.fall < -free_slope_) return;
            high_.push_back(i);
            excess += queue.count * (queue.growth - queue.a * free_slope_);
        });
        if (excess < 0 && !high_.empty()) low_.clear();
        else if (excess > 0 && !low_.empty()) high_.clear();
    }

    void let_go(std::int32_t i, Where where) {
        const double length = close(queues_[i]);
        queues_[i].left = now_;
        leave(i, length);
        move(i, length, where);
    }

    // ---- policies that remember, and caps

    void blur(double slack) { slack_ = std::max(slack_, slack); }

    // A queue has another threshold from now on.
    void set_law(std::int32_t i, double a, double b, double c = 0) {
        Queue &queue = queues_[i];
        if (queue.a == a && queue.b == b && queue.c == c) return;
        watch(queue), see_graze(queue);
        const Where where = queue.where;
        const bool fits = where == BELOW && a * free_ + b + c * cap_ > length_of(queue);
        const bool on = where == ON, moves_on = where == EMPTY || where == RESERVE || fits;
        const double length = moves_on ? 0 : close(queue), before = threshold(queue);
        if (!moves_on) leave(i, length);
        else if (where == BELOW) lines_of(queue).take(i, true);
        queue.a = a, queue.b = b, queue.c = c, queue.inverse = a > 0 ? 1 / a : INF, queue.fall = a > 0 ? queue.rate / a : INF;
        keep_limit(i);
        if (moves_on && where == BELOW) enter(i);
        if (moves_on && form_ == COUNTERS) stirred_.push_back(i);
        if (moves_on) return;
        const double jump = std::abs(threshold(queue) - before);
        place(i, length, on && (form_ == POOL || jump == 0));
        if (form_ == POOL) round(queue.count * jump);
        else if (queue.where != where) be_late(queue);
    }

    // How wrong a queue is that moves otherwise since an instant that is wrong.
    void be_late(const Queue &queue) { off_ += queue.count * std::max(queue.offered, queue.rate) * slack_; }

    void keep_limit(std::int32_t i) {
        if (kept) Kept::put(kept->limits[static_cast<std::size_t>(i)], {seconds(now_), queues_[i].a, offset(queues_[i])});
    }

    // The phase that begins is known but for what the policy remembers; find out when it acts next.
    __attribute__((noinline)) void remember() {
        wake_ = NEVER, free_error_ = std::max(free_error_, error_of_free());
        if (form_ == POOL) return look_for_turn();
        if (overflows()) control_all(), settle();
        for (const std::int32_t i : stirred_) count(i);
        stirred_.clear();
        see_who_nearly_leaves();
        wake_ = counters_.next();
        if (!counters_.uncontrolled.empty() && free_slope_ < 0) wake_ = std::min(wake_, now_ + ticks(std::max(free_, 0.0) / -free_slope_));
    }

    // ---- caps: T = min(a F + b, cap) is continuous and rises with F, so that no order of events matters

    void cap() {
        std::sort(turns_.begin(), turns_.end());
        while (capped_ < turns_.size() && turns_[capped_].first < free_) cap(turns_[capped_++].second, true);
    }

    void cap(std::int32_t i, bool binds) {
        const std::int64_t at = first_queue_ + i;
        const double a = binds ? 0 : batch_->slope[at], b = binds ? batch_->cap[at] : batch_->offset[at];
        set_law(i, a, b);
    }

    void look_for_turn() {
        const bool rises = free_slope_ > 0, falls = free_slope_ < 0 && capped_ > 0;
        if (free_slope_ * slope_before_ <= 0 && alike_) see_graze_of_turn();
        if (rises ? capped_ == turns_.size() : !falls) return;
        const std::size_t next = rises ? capped_ : capped_ - 1;
        const double way = turns_[next].first - free_;
        wake_ = std::abs(way) <= turn_blur(next) ? now_ : now_ + ticks(way / free_slope_);
    }

    // What is rounded of F, and of where a cap binds.
    double turn_blur(std::size_t k) const {
        const std::int64_t at = first_queue_ + turns_[k].second;
        return 4 * EACH * (std::abs(free_) + batch_->cap[at] / batch_->slope[at]);
    }

    void see_graze_of_turn() {
        const double near = free_error_ + std::max(std::abs(free_slope_), std::abs(slope_before_)) * (slack_ + tick_);
        for (const std::size_t k : {capped_ - 1, capped_})
            if (k < turns_.size() && std::abs(turns_[k].first - free_) <= near) lose_track();
    }

    __attribute__((noinline)) void turn() {
        const bool rises = slope_before_ > 0;
        blur((free_error_ + turn_blur(rises ? capped_ : capped_ - 1)) / std::abs(slope_before_) + tick_);
        separate(true);
        const double moved = slope_before_ * tick_;
        if (rises)
            while (capped_ < turns_.size() && turns_[capped_].first <= free_ + moved + turn_blur(capped_)) cap(turns_[capped_++].second, true);
        else
            while (capped_ > 0 && turns_[capped_ - 1].first >= free_ + moved - turn_blur(capped_ - 1)) cap(turns_[--capped_].second, false);
    }

    // ---- EDT (dtmodel/policies/edt.py)

    Counter &counter_of(const Queue &queue) { return counters_.each[static_cast<std::size_t>(&queue - queues_.data())]; }

    // What is free when the buffer may be full, rounding considered.
    double brim() const { return 2 * free_error_ + busy_ * tick_; }

    // The policy acts at an instant, after arrivals have changed.
    __attribute__((noinline)) void act_on_counters(bool arrivals) {
        const Tick next = counters_.next();
        if (!counters_.uncontrolled.empty() && free_ <= brim() && (arrivals || next <= now_)) throw Undecided{UNDECIDED_NEXT};
        if (arrivals) sudden_ = now_;
        if (ended_.empty() && next > now_) return;
        sudden_ = now_;
        std::size_t expired = 0;
        counted_.clear();
        counters_.ends.each(now_, [&](std::int32_t i) {
            ++expired;
            blur(counters_.each[static_cast<std::size_t>(i)].armed + tick_);
            if (std::find(ended_.begin(), ended_.end(), i) == ended_.end()) ended_.push_back(i);
        });
        counters_.reached.each(now_, [this](std::int32_t i) { counted_.push_back(i); });
        for (const std::int32_t i : counted_) see_that_it_counts(i);
        if (slack_ > TOLERANCE / 4 * seconds(until_)) throw Undecided{UNDECIDED_WHEN};
        if (next <= now_) separate(expired + counted_.size() == 1);
        for (const std::int32_t i : ended_) control(i);
        ended_.clear();
        for (const std::int32_t i : counted_) counters_.release(i, now_, slack_), together_ += queues_[i].count;
        if (!counters_.uncontrolled.empty()) set_cap(buffer_ / together_);
        for (const std::int32_t i : counted_) set_law(i, 0, 0, 1);
    }

    void control(std::int32_t i) {
        counters_.control(i, now_);
        together_ -= queues_[i].count;
        set_law(i, counters_.each[static_cast<std::size_t>(i)].alpha, 0);
    }

    // Only the queues that K passes, or that are on it, notice that it changes.
    void set_cap(double cap) {
        const double before = cap_;
        if (cap == before) return;
        passed_.clear();
        caps_.each_between(std::min(before, cap), std::max(before, cap), 2 * off_ + speed_ * slack_, now_, [this](std::int32_t i) {
            watch(queues_[i]), see_graze(queues_[i]), passed_.push_back(i);
        });
        drop(full_, [this](std::int32_t i) {
            const bool on = queues_[i].c > 0 && queues_[i].where == ON;
            if (on) leave(i, close(queues_[i]));
            return !on;
        });
        cap_ = cap;
        for (const std::int32_t i : full_) place(i, before, false), be_late(queues_[i]);
        full_.clear();
        for (const std::int32_t i : passed_) pass(i);
        if (kept)
            for (const std::int32_t i : counters_.uncontrolled) keep_limit(i);
    }

    void pass(std::int32_t i) {
        Queue &queue = queues_[i];
        const double length = length_of(queue);
        if ((queue.where == BELOW) == (length < cap_)) return;
        leave(i, close(queue));
        place(i, length, false), be_late(queue);
    }

    void see_that_it_counts(std::int32_t i) {
        Queue &queue = queues_[i];
        const Counter &counter = counter_of(queue);
        watch(queue);
        if (counter.doubtful || queue.where != BELOW || !(queue.growth > 0)) throw Undecided{UNDECIDED_NEXT};
        const double slack = counters_.slack(counter), closing = queue.slope - queue.a * slope_before_;
        if (threshold(queue) - length_of(queue) <= apart(queue) + 2 * slack * closing) throw Undecided{UNDECIDED_NEXT};
        const Tick end = now_ + ticks(2 * slack) + 1;  // until then it may not count enough, and stop to grow
        for (std::int64_t k = queue.piece; k < queue.pieces_end && batch_->piece_time[k] <= end; ++k)
            if (batch_->piece_rate[k] <= queue.rate) throw Undecided{UNDECIDED_NEXT};
        blur(slack);
    }

    void control_all() {
        if (slack_ > TOLERANCE / 4 * seconds(until_)) throw Undecided{UNDECIDED_WHEN};
        separate(true);
        const std::vector<std::int32_t> all = counters_.uncontrolled;
        for (const std::int32_t i : all) control(i);
        sudden_ = now_;
    }

    // Whether the buffer overflows now: it is full, and what is free falls, or uncontrolled queues alone hold all of it.
    bool overflows() {
        if (counters_.uncontrolled.empty() || free_ > brim()) return false;
        const std::vector<std::int32_t> &all = counters_.uncontrolled;
        const bool hold_all = moves_ == 0 && std::all_of(all.begin(), all.end(), [this](std::int32_t i) { return queues_[i].where == ON; });
        if (!hold_all && !(-free_slope_ > 8 * EACH * busy_ * inverse_)) throw Undecided{UNDECIDED_NEXT};
        const double slack = (hold_all ? slack_ : (std::abs(free_) + free_error_) / -free_slope_) + 2 * tick_;  // others are on thresholds of 0
        const Tick window = ticks(2 * slack) + 1, end = now_ + window;
        if (std::min(changes_.least(), counters_.next()) <= end || (sudden_ > 0 && sudden_ + window >= now_)) throw Undecided{UNDECIDED_NEXT};
        if (moving_.next(free_, free_slope_, -INF, now_, end) < end && !moving_.first.empty()) throw Undecided{UNDECIDED_NEXT};
        blur(slack);
        return true;
    }

    void count(std::int32_t i) {
        Queue &queue = queues_[i];
        Counter &counter = counter_of(queue);
        if (counter.uncontrolled) return;
        if (counter.doubtful && queue.lost - counter.lost > 4 * bound() * (1 + queue.a)) counter.doubtful = false;
        const bool rejects = queue.where == ON || (queue.where == ABOVE && queue.offered > 0);
        if (rejects) return counters_.reject(i, now_, slack_);
        if (queue.where == EMPTY) return counters_.empty(i, now_, slack_, queue.error, -queue.growth);
        counters_.count(i, now_, queue.slope, slack_);
        if (queue.left == now_ && queue.growth > 0 && queue.a * free_slope_ - queue.growth <= noise(queue)) doubt_counter(queue);
    }

    // Whether a queue loses something, and c2 is reset, is not certain.
    void doubt_counter(Queue &queue) {
        Counter &counter = counter_of(queue);
        const bool counts = queue.offered > 0 && (counter.value > 0 || counter.slope > 0);
        if (counts && !counter.doubtful && !counter.uncontrolled) counter.doubtful = true, counter.lost = queue.lost;
    }

    // A queue on its threshold that would count if it grew as little as rounding less.
    void see_who_nearly_leaves() {
        const double border = free_slope_ + 8 * EACH * (std::abs(free_slope_) + busy_ * (inverse_ + most_inverse_));
        rises_.each(border, [this](std::int32_t i) {
            const Queue &queue = queues_[i];
            if (queue.growth > 0 && queue.growth - queue.a * free_slope_ <= noise(queue)) throw Undecided{UNDECIDED_NEXT};
        });
    }

    // When a queue is empty or meets its threshold next, if that is before `next`; and whether one is too near to tell.
    Tick look_ahead(Tick next) {
        const double slack = off_, near = safe_ > 0 || form_ != AFFINE ? 2 * slack * (1 + most_inverse_) : -INF;
        next = std::max(now_, std::min(next, levels_.least()));
        next = look_ahead(moving_, free_, free_slope_, near, next);
        if (!counters_.uncontrolled.empty()) next = look_ahead(caps_, cap_, 0, 2 * slack, next);
        if (free_ * least_a_ + least_b_ <= slack * (1 + most_a_)) watch_empty();
        return next;
    }

    Tick look_ahead(Moving &lines, double level, double slope, double near, Tick next) {
        next = lines.next(level, slope, near, now_, next);
        if (lines.nears) lines.each_between(level, level, near, now_, [this](std::int32_t i) { watch_near(queues_[i]); });
        return next;
    }

    void watch_near(Queue &queue) {
        watch(queue);
        if (form_ != AFFINE && queue.where == BELOW && queue.left != now_) see_graze(queue);
    }

    // ---- how wrong each queue is, where policies remember or hide bytes from F (CONTRIBUTING.md, "Ties")

    void round(double jump) { off_ += jump, rounded_ += jump; }

    // The exact run is alike: as (1 + sum of a) F is B less what the queues off their thresholds hold, so are their errors.
    double error_of_free() const { return alike_ ? std::min((std::min(off_, strays_.value()) + rounded_) * inverse_, off_) : off_; }

    double error_now(const Queue &queue) const { return form_ == AFFINE ? off_ : error(queue); }

    double error(const Queue &queue) const {
        const double rounded = EACH * ((queue.offered + queue.rate) * seconds(now_ - queue.begin) + 2 * queue.begin_length);
        if (queue.where == ON) return alike_ ? queue.a * free_error_ + rounded + EACH * threshold(queue) : off_;
        if (queue.where == EMPTY) return alike_ || surely_empty(queue, 0, off_) ? 0 : off_;
        return alike_ || queue.where == RESERVE ? std::min(queue.error + rounded, off_) : off_;
    }

    // How wrong its distance from its threshold may be.
    double apart(const Queue &queue) const {
        return form_ == AFFINE ? off_ * (1 + queue.a) : error(queue) + queue.a * free_error_ + EACH * (threshold(queue) + queue.a * free_);
    }

    static bool moves(const Queue &queue) { return queue.where == BELOW || queue.where == ABOVE; }

    double motion(const Queue &queue) const {
        return queue.where == ON ? queue.a * slope_before_ : queue.where == EMPTY ? 0 : queue.slope;
    }

    void end_line(Queue &queue) {
        if (moves(queue)) strays_.add(-queue.count * queue.error);
        queue.error = error(queue), queue.motion = motion(queue);
        if (queue.where == ON) queue.origin = now_;
    }

    // A queue that moves otherwise from an event on is wrong by what it moves differently until that event is certain.
    void begin_line(Queue &queue) {
        queue.error += std::abs(motion(queue) - queue.motion) * (slack_ + tick_);
        if (motion(queue) != queue.motion && queue.origin != now_) queue.origin = NEVER;
        if (moves(queue)) strays_.add(queue.count * queue.error);
    }

    // How wrong the instant may be at which lines meet, now that they do.
    void see_hits() {
        std::int32_t number = 0;
        const Queue *first = nullptr;
        for (const std::int32_t i : hits_) {
            const Queue &queue = queues_[i];
            if (first && twins(*first, queue)) continue;
            first = &queue;
            const double closing = std::abs(queue.slope - queue.a * slope_before_), slope = std::abs(queue.slope);
            const bool meets = queue.where != RESERVE && std::abs(threshold(queue) - length_of(queue)) <= std::abs(length_of(queue) - queue.reserve);
            blur((meets ? apart(queue) / closing : error(queue) / slope) + 2 * tick_), ++number;
        }
        separate(number + (changes_.least() <= now_) == 1);
    }

    // Two queues that left their thresholds together, and whose distances from these are one line since (equal floats are equal).
    static bool twins(const Queue &one, const Queue &two) {
        const bool alike = one.where == two.where && one.rate == two.rate && one.a == two.a && one.c == two.c;
        return alike && one.origin == two.origin && one.origin != NEVER && (one.where == ABOVE || (one.b == two.b && one.offered == 0 && two.offered == 0));
    }

    // Two runs are alike after an event that is certain to come alone; the errors of all are those of the phase before.
    void separate(bool alone) {
        worst_ = std::max(worst_, off_);
        if (alike_ && alone && seconds(now_ - last_) > slack_ + late_) off_ = std::min(off_, strays_.value() + rounded_);
        else lose_track();
        last_ = now_, late_ = slack_;
    }

    // Events come in an order that rounding may change: all queues are as wrong as they are together, but for those that were
    // within their reserves before.
    void lose_track() {
        alike_ = false, free_error_ = off_;
        for (Queue &queue : queues_)
            if (queue.begin >= last_) queue.error = INF;
    }

    // Whether a queue that is empty was so in the exact run, too, some time ago: from its beginning, or as it had time to drain.
    bool surely_empty(const Queue &queue, double ago, double most) const {
        return (form_ != AFFINE && queue.error == 0) || (seconds(now_ - queue.begin) - ago) * -queue.growth > most;
    }

    // Whether a queue was further from all that could change its motion than it may be wrong, some time ago.
    bool clear(const Queue &queue, double ago) const {
        const double length = held(queue) - motion(queue) * ago;
        const double limit = threshold(queue) - queue.a * slope_before_ * ago, far = 2 * off_, gap = 2 * off_ * (1 + queue.a);
        if (queue.where == EMPTY) return surely_empty(queue, ago, far) && (queue.offered == 0 || limit > gap);
        if (queue.where == RESERVE) return length > far && queue.reserve - length > far;
        return length - queue.reserve > far && (queue.where == ON || std::abs(limit - length) > gap);
    }

    // See whether the exact run has come into the same state in a long phase.
    void follow_exact(double span) {
        if (!alike_ && span > 4 * late_ && span * least_margin() > 16 * off_) find_track(span);
        free_error_ = error_of_free();
    }

    // How fast each queue on its threshold would return to it.
    double least_margin() const {
        double least = INF;
        for (std::int32_t i = 0; i < number_; ++i) {
            const Queue &queue = queues_[i];
            if (queue.where != ON) continue;
            const double along = queue.a * slope_before_;
            least = std::min(least, std::min(queue.growth - along, queue.rate + along) - noise(queue));
        }
        return least;
    }

    void find_track(double span) {
        for (std::int32_t i = 0; i < number_; ++i)
            if (!clear(queues_[i], span / 2) || !clear(queues_[i], span / 4)) return;
        alike_ = true, last_ = now_ - (now_ - before_) / 4, late_ = 0;
        strays_.clear();
        for (std::int32_t i = 0; i < number_; ++i) {
            Queue &queue = queues_[i];
            queue.error = queue.where == EMPTY ? 0 : queue.where == RESERVE ? std::min(queue.error, off_) : off_;
            if (moves(queue)) strays_.add(queue.count * queue.error);
        }
    }

    // A queue that turns so near to a border that it may have met it.
    void see_graze(const Queue &queue) {
        if (!alike_ || queue.where == ON || queue.where == EMPTY || queue.origin == now_) return;
        const double reach = (std::abs(queue.slope) + queue.a * std::max(std::abs(slope_before_), std::abs(free_slope_))) * slack_;
        const double length = length_of(queue), room = queue.where == RESERVE ? queue.reserve - length : threshold(queue) - length;
        if (std::abs(room) <= apart(queue) + reach || (queue.begin < now_ && std::abs(length - (queue.where == RESERVE ? 0 : queue.reserve)) <= error(queue) + reach)) lose_track();
    }

    // ---- what a queue has lost and sent

    // Account for what a queue did since it last changed, and return its length.
    double close(Queue &queue) {
        const double span = seconds(now_ - queue.begin);
        const double length = held(queue), lost = loss_since(queue, span, length);
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
        if (form_ != AFFINE) begin_line(queue);
        queue.begin = now_, queue.begin_length = length, queue.begin_free = free_;
        if (kept) dirty_.push_back(i);
        if (form_ == COUNTERS) stirred_.push_back(i);
    }

    // ---- first drops

    void doubt(Queue &queue, Tick since) {
        if (queue.doubt == NEVER) --safe_, queue.doubted = apart(queue);
        queue.doubt = since;
    }

    static bool watched(const Queue &queue) {
        return !queue.decided && queue.doubt == NEVER && queue.offered > 0;
    }

    // See whether a queue below its threshold is too near to it to say that it loses nothing.
    void watch(Queue &queue) {
        if (queue.where != BELOW || !(watched(queue) || form_ != AFFINE)) return;
        const double slack = apart(queue), gap = threshold(queue) - length_of(queue);
        if (gap > slack) return;
        if (form_ == COUNTERS && queue.begin < now_ && queue.slope - queue.a * slope_before_ > -noise(queue)) doubt_counter(queue);
        if (!watched(queue)) return;
        const Tick from = std::max(queue.begin, before_);
        const double closing = queue.slope - queue.a * slope_before_, ago = (slack - gap) / closing * per_tick_;
        const bool since = closing > 0 && ago < static_cast<double>(now_ - from);
        doubt(queue, since ? now_ - static_cast<Tick>(ago) - 1 : from);
    }

    void watch_empty() {
        for (std::int32_t i = 0; i < number_; ++i) {
            Queue &queue = queues_[i];
            const bool near = queue.where == EMPTY && watched(queue) && threshold(queue) <= off_ * (1 + queue.a);
            if (near && !surely_empty(queue, seconds(now_ - before_), bound())) doubt(queue, before_);
        }
    }

    // A queue on its threshold, or above it, may lose something from now on.
    void suspect(std::int32_t i) {
        Queue &queue = queues_[i];
        if (queue.decided || !(queue.offered > 0)) return;
        queue.steepest = std::max(queue.steepest, queue.doubt < before_ ? speed_ : std::abs(slope_before_));
        doubt(queue, std::min(queue.doubt, now_));
        if (!queue.pending) queue.pending = true, pending_.push_back(i);
    }

    // What a loss may be wrong by: queues that are empty in one run and not in the other send differently, but no more
    // than the bound each time that arrivals fall short of the rate.
    double loss_bound(const Queue &queue) const {
        return static_cast<double>(queue.piece - queue.pieces_begin + 2) * bound();
    }

    // See after a phase whether a queue has certainly lost something now.
    bool decide(Queue &queue, double span) {
        queue.steepest = std::max(queue.steepest, std::abs(slope_before_));
        const double length = queue.where == ON ? threshold(queue) : 0;
        const double lost = queue.lost + loss_since(queue, seconds(now_ - queue.begin), length), certain = std::min(loss_bound(queue), queue.doubted + error_now(queue));
        if (!(lost > certain)) return false;
        queue.decided = true, queue.pending = false;
        if (queue.first == NEVER) queue.first = queue.begin, queue.free_first = queue.begin_free;
        double rate = queue.where == ABOVE ? queue.offered : queue.growth - queue.a * slope_before_;
        rate = queue.where == BELOW || queue.where == EMPTY ? 0 : rate;
        const double ago = rate > 0 ? std::min((lost - certain) / rate, span) : 0;
        const double blurred = seconds(now_ - queue.doubt) - ago;
        if (blurred > TOLERANCE / 2 * seconds(until_) || blurred * queue.steepest > TOLERANCE / 2 * buffer_) throw Undecided{UNDECIDED_WHEN};
        return true;
    }

    // ---- trajectories and answers

    void record_free() {
        if (kept) Kept::put(kept->free, {seconds(now_), std::max(free_, 0.0)});
    }

    void keep() {
        if (!kept) return;
        record_free();
        for (const std::int32_t i : dirty_) {
            const Queue &queue = queues_[i];
            const bool on = queue.where == ON, stands = on || queue.where == EMPTY;
            const double loss = on ? queue.growth : queue.where == ABOVE ? queue.offered : 0;
            Kept::put(kept->segments[static_cast<std::size_t>(i)],
                      {seconds(now_), queue.begin_length, stands ? 0 : queue.slope, loss,
                       queue.where == EMPTY ? queue.offered : queue.rate, on ? 1.0 : 0.0, queue.a, offset(queue)});
        }
        dirty_.clear();
    }

    Status finish() {
        if (!(bound() <= TOLERANCE * buffer_)) return TOO_FAR;  // or not a number
        const dtmodel_batch &out = *batch_;
        for (std::int32_t i = 0; i < number_; ++i) {
            Queue &queue = queues_[i];
            close(queue);
            if (!queue.decided && (queue.doubt != NEVER || queue.lost > 0)) return UNDECIDED_WHETHER;
            const double certain = loss_bound(queue);
            if (certain > TOLERANCE * buffer_ && certain > TOLERANCE * offered_to(out, first_queue_ + i, until_, tick_)) return LOSS_TOO_FAR;
            const std::int64_t at = first_queue_ + i;
            out.first_drop[at] = queue.decided ? seconds(queue.first) : NONE;
            out.free_at_first_drop[at] = queue.decided ? std::max(queue.free_first, 0.0) : NONE;
            out.dropped[at] = queue.lost;
            out.drained[at] = queue.sent;
        }
        return DONE;
    }
};

}  // namespace
