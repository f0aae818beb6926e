// Runs of complete sharing in doubles: no queue has a threshold, and a full buffer admits the fraction p of all arrivals.
//
// With M the integral of 1 - p, a queue has the length q + (R - C) (t - t0) - R (M - M0) until its arrivals change or it is
// empty, however often p changes; it loses R (M - M0). A queue cannot be empty before its length / C is over: only those
// that may be before some horizon are near, and looked at in every event.
//
// Two states of one switch come no further apart in |dF| + sum |dQ_i|, as at the head of run.hpp: a larger p serves each
// queue that is longer no less. So the sum of what is rounded, `off`, bounds the errors of lengths in whatever order events
// are taken. The error of M changes by at most 2 off / R while one queue, the witness, is offered R and empty in neither run,
// and else by the length of the phase. A queue has lost bytes once M has risen by more than that error since F was at most
// `off`; who may have lost some, and has not with certainty, leaves the run undecided.

#pragma once

#include "moving.hpp"

namespace {

struct Share {
    double rate, count, offered, growth;  // C, how many identical queues it stands for, R, R - C
    double length, missed, lost, sent;    // M at `begin`, as the length; before `begin`
    double risen, error;                  // M when it may first have lost something, and the errors of M before
    Tick begin, since, doubt, first;      // since when it is offered something, may have lost something, has
    std::int64_t piece, pieces_end;
    bool moves, pending, decided;
};

class Complete {
   public:
    Status run(const dtmodel_batch &batch, std::int64_t index) {
        in_ = &batch, scenario_ = index;
        return begin() ? simulate() : UNDECIDED_NEXT;
    }

    std::int64_t events() const { return events_; }
    double bound() const { return off_; }

   private:
    const dtmodel_batch *in_ = nullptr;
    std::int64_t scenario_ = 0, events_ = 0, idle_ = 0, sample_ = 0, looked_ = 0;
    std::int32_t number_ = 0, witness_ = -1;
    double *lengths_ = nullptr;
    double buffer_ = 0, tick_ = 0, per_tick_ = 0, off_ = 0, free_ = 0, free_slope_ = 0, thinned_ = 0;  // the last: 1 - p
    double most_rate_ = 0, blur_ = 0, missed_ = 0;
    double error_ = 0, charge_ = 0, most_charge_ = 0;  // of M: the sum of all, of it that of the witness, and the most of one
    Tick until_ = 0, now_ = 0, before_ = 0, horizon_ = 0, span_ = 0, full_at_ = 0, near_since_ = NEVER;
    bool full_ = false;
    Sum served_, wanted_, room_, risen_;  // sum of C and of R of queues that move; F; M
    Least<Tick> changes_;
    Least<double> kinks_;  // C / R of empty queues that grow beyond this p
    Rows<3> near_;         // lines: at time 0 with M = 0, R - C, R
    std::vector<std::int32_t> pending_, hits_;
    std::vector<std::pair<double, std::int32_t>> ends_;
    std::vector<Share> shares_;

    double seconds(Tick ticks) const { return static_cast<double>(ticks) * tick_; }
    Tick ticks(double span) const { return span * per_tick_ < static_cast<double>(until_) ? std::max<Tick>(std::llrint(span * per_tick_), 0) : NEVER / 4; }
    void round(double jump) { off_ += jump; }

    // ---- the beginning

    bool begin() {
        const dtmodel_batch &in = *in_;
        const std::int64_t first = in.queue_begin[scenario_];
        number_ = static_cast<std::int32_t>(in.queue_begin[scenario_ + 1] - first);
        buffer_ = in.buffer[scenario_], tick_ = in.tick[scenario_], per_tick_ = 1 / tick_, until_ = in.until[scenario_];
        sample_ = in.sample_begin[scenario_], lengths_ = in.length + in.length_begin[scenario_];
        events_ = idle_ = looked_ = 0, now_ = before_ = full_at_ = 0, near_since_ = NEVER, witness_ = -1, full_ = false;
        missed_ = error_ = charge_ = most_charge_ = most_rate_ = off_ = 0, horizon_ = span_ = until_;
        for (Sum *sum : {&served_, &wanted_, &room_, &risen_}) sum->clear();
        pending_.clear(), changes_.begin(static_cast<std::size_t>(number_)), kinks_.begin(number_), near_.begin(number_, {INF, 0, 0});
        if (shares_.size() < static_cast<std::size_t>(number_)) shares_.resize(static_cast<std::size_t>(number_));
        room_.add(buffer_), round(2 * EACH * buffer_);
        for (std::int32_t i = 0; i < number_; ++i)
            if (!read(i, first + i)) return false;
        blur_ = 0x1p-44 * (buffer_ + 2 * most_rate_ * seconds(until_));
        free_ = room_.value(), full_ = free_ <= off_;
        if (full_) fill();
        for (std::int32_t i = 0; i < number_; ++i)
            if (shares_[i].length > 0) move(i);
        change_arrivals();
        return blur_ < INF;
    }

    bool read(std::int32_t i, std::int64_t at) {
        const dtmodel_batch &in = *in_;
        Share &share = shares_[i];
        share = {in.rate[at], in.count[at], 0, -in.rate[at], in.initial[at], 0, 0, 0, 0, 0, 0, 0, NEVER, NEVER, in.piece_begin[at], in.piece_begin[at + 1], false, false, false};
        most_rate_ = std::max(most_rate_, share.rate);
        for (std::int64_t k = share.piece; k < share.pieces_end; ++k) most_rate_ = std::max(most_rate_, in.piece_rate[k]);
        changes_.set(i, share.piece < share.pieces_end ? in.piece_time[share.piece] : NEVER);
        room_.add(-share.count * share.length), round(2 * EACH * share.count * share.length);
        return !in.steady[at];
    }

    // ---- events

    Status simulate() {
        while (true) {
            settle();
            const Tick next = look_ahead();
            idle_ = next == now_ ? idle_ + 1 : 0;
            if (idle_ > 8 * static_cast<std::int64_t>(number_) + 64) return UNDECIDED_NEXT;
            advance(next);
            if (now_ >= until_) return finish();
            if ((events_ += now_ < horizon_) > in_->max_events) return OVER_BUDGET;
            for (const std::int32_t i : hits_) stop(i);
            if (!full_ && free_slope_ < 0 && now_ >= full_at_) fill();
            change_arrivals();
        }
    }

    void change_arrivals() {
        for (; changes_.least() <= now_;) {
            const auto i = static_cast<std::int32_t>(changes_.who());
            Share &share = shares_[i];
            const double rate = in_->piece_rate[share.piece++];
            changes_.set(i, share.piece < share.pieces_end ? in_->piece_time[share.piece] : NEVER);
            close(share), round(share.count * tick_ * (share.offered + rate + share.rate));
            if (i == witness_) witness_ = -1;
            if (share.moves) wanted_.add(-share.count * share.offered), wanted_.add(share.count * rate);
            expect(share, i, rate);
            share.offered = rate, share.growth = rate - share.rate;
            if (!share.moves) kinks_.set(i, rate > share.rate ? share.rate / rate : INF);
            else if (near_.has(i)) draw(i);
        }
    }

    void fill() {
        round(std::abs(free_));
        room_.clear(), free_ = 0, full_ = true, full_at_ = now_;
    }

    // Find p and F', and let the empty queues grow that do so then.
    void settle() {
        while (kinks_.least() < (full_ ? served_.value() / wanted_.value() : INF)) {
            hits_.clear();
            kinks_.each(full_ ? kinks_.least() : MOST, [this](std::int32_t i) { hits_.push_back(i); });
            for (const std::int32_t i : hits_) close(shares_[i]), kinks_.set(i, INF), move(i);
        }
        const double gap = served_.value() - wanted_.value();
        full_ = full_ && gap < 0;
        free_slope_ = full_ ? 0 : gap, thinned_ = full_ ? -gap / wanted_.value() : 0;
    }

    void move(std::int32_t i) {
        Share &share = shares_[i];
        share.moves = true;
        served_.add(share.count * share.rate), wanted_.add(share.count * share.offered);
        draw(i);
    }

    // A queue is empty.
    void stop(std::int32_t i) {
        Share &share = shares_[i];
        close(share);
        round(share.count * std::abs(share.length));
        share.length = 0, share.moves = false;
        served_.add(-share.count * share.rate), wanted_.add(-share.count * share.offered);
        if (near_.has(i)) near_.take(i);
        if (i == witness_) witness_ = -1;
        if (share.growth > 0) kinks_.set(i, share.rate / share.offered);
    }

    // ---- when a queue is empty next

    double length_of(const Share &share) const { return share.length + share.growth * seconds(now_ - share.begin) - share.offered * (missed_ - share.missed); }
    double slope_of(const Share &share) const { return share.growth - share.offered * thinned_; }

    void draw(std::int32_t i) {
        const Share &share = shares_[i];
        near_.put(i, {share.length - share.growth * seconds(share.begin) + share.offered * share.missed, share.growth, share.offered});
    }

    void choose(bool over) {
        span_ = over ? std::min(2 * span_, until_) : span_ / 2 + 1, horizon_ = now_ + span_, looked_ = 0;
        near_.begin(number_, {INF, 0, 0});
        for (std::int32_t i = 0; i < number_; ++i)
            if (shares_[i].moves && length_of(shares_[i]) <= 1.001 * shares_[i].rate * seconds(span_) + blur_) draw(i);
    }

    Tick look_ahead() {
        const bool over = now_ >= horizon_;
        if (over || looked_ / 8 > number_ + 32) choose(over);
        looked_ += near_.number();
        if (free_slope_ < 0) full_at_ = now_ + ticks(std::max(free_, 0.0) / -free_slope_);
        const Tick end = std::min({changes_.least(), until_, horizon_, free_slope_ < 0 ? full_at_ : NEVER});
        const double later = seconds(end), missed = missed_ + thinned_ * seconds(end - now_), blur = blur_;
        double wait = INF;
        ends_.clear(), hits_.clear();
        near_.each(
            [=](const double *rows) -> Bits { return loaded(rows) + loaded(rows + 8) * later - loaded(rows + 16) * missed <= pack_of(blur); },
            [&](std::int32_t place) {
                const Share &share = shares_[near_.who(place)];
                const double slope = slope_of(share);
                if (!(slope < 0)) return;
                ends_.push_back({std::max(length_of(share), 0.0) / -slope, near_.who(place)});
                wait = std::min(wait, ends_.back().first);
            });
        if (!(wait * per_tick_ < static_cast<double>(end - now_))) return end;
        for (const auto &[each, queue] : ends_)
            if (each <= wait * (1 + 0x1p-40) + 4 * tick_) hits_.push_back(queue);
        return std::min(end, now_ + ticks(wait));
    }

    void advance(Tick next) {
        const double span = seconds(next - now_), free = free_, risen = missed_;
        sample_until(next);
        before_ = now_, now_ = next;
        risen_.add(thinned_ * span), room_.add(free_slope_ * span);
        missed_ = risen_.value(), free_ = room_.value();
        const double off = off_;
        round(EACH * (served_.value() + wanted_.value()) * span + EACH * EACH * buffer_);
        if (!full_ && std::min(free, free_) > off_) near_since_ = NEVER, witness_ = -1;
        else watch(span, std::min(free, free_), risen, off);
    }

    void sample_until(Tick next) {
        for (; sample_ < in_->sample_begin[scenario_ + 1] && in_->sample_time[sample_] <= next; ++sample_, lengths_ += number_)
            for (std::int32_t i = 0; i < number_; ++i)
                lengths_[i] = shares_[i].moves ? std::max(length_of(shares_[i]) + slope_of(shares_[i]) * seconds(in_->sample_time[sample_] - now_), 0.0) : 0;
    }

    // ---- what a queue has lost and sent

    void close(Share &share) {
        const double span = seconds(now_ - share.begin), missed = missed_ - share.missed;
        share.lost += share.offered * missed, share.sent += share.moves ? share.rate * span : share.offered * (span - missed);
        if (share.moves) share.length = length_of(share), round(share.count * 2 * EACH * ((share.offered + share.rate) * seconds(now_) + share.length));
        share.begin = now_, share.missed = missed_;
    }

    // A queue gets other traffic: if it may have lost something so far, it has to get some that makes that certain.
    void expect(Share &share, std::int32_t i, double rate) {
        if (share.decided) return;
        if (share.offered > 0 && rate == 0 && share.doubt != NEVER) throw Undecided{UNDECIDED_WHETHER};
        if (share.offered == 0) share.since = now_;
        if (rate > 0 && !share.pending) share.pending = true, pending_.push_back(i);
    }

    // See after a phase in which the buffer may have been full who has lost something.
    void watch(double span, double free, double risen, double off) {
        if (near_since_ == NEVER) near_since_ = full_ || !(free_slope_ < 0) ? before_ : std::max(before_, now_ - ticks((off_ - free_) / -free_slope_) - 1);
        const double error = error_ - charge_;
        see_witness(full_ ? span : std::min(span, (off_ - free) / std::abs(free_slope_)), span, off);
        drop(pending_, [=](std::int32_t i) { return decide(shares_[i], span, risen, error); });
        if (!full_ && free_ > off_) near_since_ = NEVER, witness_ = -1;
    }

    bool decide(Share &share, double span, double risen, double error) {
        if (share.offered == 0) share.pending = false;
        if (share.offered == 0) return true;
        if (share.doubt == NEVER) share.doubt = std::max(share.since, near_since_), share.risen = risen, share.error = error;
        const double certain = missed_ - share.risen - (error_ - share.error) - EACH * seconds(now_);
        if (!(certain > 0)) return false;
        const double ago = thinned_ > 0 ? std::min(certain / thinned_, span) : 0;
        if (seconds(now_ - share.doubt) - ago > TOLERANCE / 2 * seconds(until_)) throw Undecided{UNDECIDED_WHEN};
        share.first = std::max(share.doubt, full_at_ <= now_ ? full_at_ : 0), share.pending = false;
        return share.decided = true;
    }

    // Account for the error of M in a phase, by a queue that is certainly not empty.
    void see_witness(double part, double span, double off) {
        if (witness_ >= 0 && length_of(shares_[witness_]) > off_) {
            const double more = 2 * (off_ - off) / shares_[witness_].offered;
            error_ += more, charge_ += more;
            return;
        }
        witness_ = -1, charge_ = part;
        for (std::int32_t i = 0; i < number_; ++i) {
            const Share &share = shares_[i];
            if (!share.moves || !(share.offered > 0) || !(length_of(share) > off_)) continue;
            const double slope = slope_of(share), low = off_ - (length_of(share) - slope * span);
            const double charge = 2 * off_ / share.offered + (low < 0 ? 0 : low / slope);
            if (charge < charge_) charge_ = charge, witness_ = i;
        }
        error_ += charge_, most_charge_ = std::max(most_charge_, charge_);
    }

    Status finish() {
        const dtmodel_batch &out = *in_;
        for (std::int32_t i = 0; i < number_; ++i) {
            Share &share = shares_[i];
            close(share);
            if (share.doubt != NEVER && !share.decided && share.offered > 0) return UNDECIDED_WHETHER;
            const std::int64_t at = out.queue_begin[scenario_] + i, pieces = share.pieces_end - out.piece_begin[at] + 1;
            if (most_rate_ * (error_ + static_cast<double>(pieces) * most_charge_) > TOLERANCE / 2 * buffer_) return LOSS_TOO_FAR;
            out.first_drop[at] = share.decided ? seconds(share.first) : NONE;
            out.free_at_first_drop[at] = share.decided ? 0 : NONE;
            out.dropped[at] = share.lost, out.drained[at] = share.sent;
        }
        return off_ <= TOLERANCE / 2 * buffer_ ? DONE : TOO_FAR;
    }
};

}  // namespace
