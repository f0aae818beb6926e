// Runs of complete sharing: no queue has a threshold, and a full buffer admits an equal fraction of all arrivals.
//
// This is dtmodel/fluid/engine.py in floats, with the memory of dtmodel/policies/complete.py: every queue is looked at in
// every event, and a run goes on only where each decision differs from a tie by more than rounding can have done
// (rounding.hpp).

#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "lines.hpp"
#include "rounding.hpp"

namespace {

struct Port {
    double rate, count, length, offered, inflow, slope;
    double lost, sent, balance;  // and what it held at first, was offered, lost and sent since
    double first, free_first;
    std::int64_t piece, pieces_end, kind;
    Where where;
    bool moving, dirty, empties;
    double empties_in;
};

class Complete {
   public:
    bool keeps = false;
    Kept kept;

    Status run(const dtmodel_batch &batch, std::int64_t index) {
        in_ = &batch, scenario_ = index, events_ = 0;
        try {
            begin();
            return simulate();
        } catch (const Undecided &what) {
            return what.status;
        }
    }

    std::int64_t events() const { return events_; }
    double bound() const { return rounding_.bound; }

   private:
    const dtmodel_batch *in_ = nullptr;
    std::int64_t scenario_ = 0, events_ = 0, idle_ = 0, sample_ = 0;
    double *lengths_ = nullptr;
    std::vector<Port> ports_;
    std::map<std::tuple<std::int64_t, double, double>, std::int64_t> kin_;
    Rounding rounding_;
    double buffer_ = 0, tick_ = 0, until_ = 0, now_ = 0, free_ = 0, free_slope_ = 0, fraction_ = NONE;

    double instant(Tick tick) const { return static_cast<double>(tick) * tick_; }
    bool thinned() const { return !std::isnan(fraction_); }

    // ---- the beginning

    void begin() {
        const dtmodel_batch &in = *in_;
        buffer_ = in.buffer[scenario_], tick_ = in.tick[scenario_], until_ = instant(in.until[scenario_]);
        now_ = free_slope_ = 0, fraction_ = NONE, idle_ = 0;
        sample_ = in.sample_begin[scenario_], lengths_ = in.length + in.length_begin[scenario_];
        const std::int64_t first = in.queue_begin[scenario_], last = in.queue_begin[scenario_ + 1];
        ports_.clear(), kin_.clear();
        double shared = 0;
        for (std::int64_t at = first; at < last; ++at) shared += read_port(at);
        free_ = std::max(0.0, buffer_ - shared);
        rounding_.begin(buffer_);
        if (keeps) kept.clear(static_cast<std::int32_t>(ports_.size()));
        record_free();
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            place(ports_[i]);
            if (keeps) kept.limits[i].push_back({0, in.slope[first + static_cast<std::int64_t>(i)], in.offset[first + static_cast<std::int64_t>(i)]});
        }
    }

    double read_port(std::int64_t at) {
        const dtmodel_batch &in = *in_;
        Port port{};
        port.rate = in.rate[at], port.count = in.count[at], port.length = port.balance = in.initial[at], port.kind = in.kind[at];
        port.piece = in.piece_begin[at], port.pieces_end = in.piece_begin[at + 1];
        port.first = port.free_first = NONE;
        ports_.push_back(port);
        return port.count * port.length;
    }

    // ---- events

    Status simulate() {
        while (true) {
            change_arrivals();
            thin();
            settle();
            advance();
            if (now_ >= until_) return finish();
            if (++events_ > in_->max_events) return OVER_BUDGET;
        }
    }

    void change_arrivals() {
        for (Port &port : ports_) {
            if (!port.empties) continue;
            rounding_.turn(port.count * port.slope, now_);
            port.length = 0, port.empties = false;
            place(port);
        }
        for (Port &port : ports_) {
            while (port.piece < port.pieces_end && instant(in_->piece_time[port.piece]) <= now_) {
                rounding_.turn(port.count * (port.offered + in_->piece_rate[port.piece]), now_);
                port.offered = in_->piece_rate[port.piece++];
                const auto next = -1 - static_cast<std::int64_t>(kin_.size());
                port.kind = kin_.try_emplace({port.kind, now_, port.offered}, next).first->second;
                port.inflow = thinned() ? fraction_ * port.offered : port.offered;
                place(port);
            }
        }
    }

    void thin() {
        const double fraction = free_ > 0 ? NONE : admitted();
        if (fraction == fraction_ || (std::isnan(fraction) && !thinned())) return;
        fraction_ = fraction;
        for (Port &port : ports_) {
            if (!(port.offered > 0)) continue;
            port.inflow = thinned() ? fraction_ * port.offered : port.offered;
            place(port);
        }
    }

    // The largest p below 1 for which the queues, admitting p R_i each, do not grow in total (complete.py).
    double admitted() {
        Sum serving, wanting;
        std::vector<std::tuple<double, double, double>> kinks;
        for (const Port &port : ports_) {
            const double rate = port.count * port.rate, offer = port.count * port.offered;
            const bool idle = port.where == EMPTY || port.length <= 0;
            if (idle && !(offer > rate)) continue;
            serving.add(rate), wanting.add(offer);
            if (idle) kinks.emplace_back(rate / offer, rate, offer);
        }
        double served = serving.value(), wanted = wanting.value();
        Rounding::decide(wanted - served, served);
        if (wanted <= served) return NONE;
        std::sort(kinks.begin(), kinks.end(), std::greater<>());
        for (const auto &[kink, rate, offer] : kinks) {
            if (wanted <= offer) break;
            Rounding::decide(served - kink * wanted, served);
            if (served >= kink * wanted) break;
            serving.add(-rate), wanting.add(-offer);
            served = serving.value(), wanted = wanting.value();
        }
        return served / wanted;
    }

    double free_buffer() const {
        if (thinned()) return 0;
        Sum left;
        left.add(buffer_);
        for (const Port &port : ports_)
            if (port.moving) left.add(-port.count * port.length);
        return left.value();
    }

    // ---- where queues lie

    void place(Port &port) {
        const double growth = port.inflow - port.rate;
        port.dirty = true;
        port.moving = port.length > 0 || growth > 0;
        port.where = port.moving ? BELOW : EMPTY, port.slope = port.moving ? growth : 0;
    }

    // ---- the phase that begins

    void settle() {
        Sum slopes;
        double rates = 0;
        for (const Port &port : ports_) slopes.add(port.count * port.slope), rates += port.count * (port.rate + port.offered);
        free_slope_ = thinned() ? 0 : -slopes.value();
        rounding_.churn(rates);
        for (std::size_t i = 0; i < ports_.size(); ++i)
            if (ports_[i].dirty) record(i);
    }

    // What a queue loses, in bytes per second.
    double shut_out(const Port &port) const { return thinned() ? port.offered - port.inflow : 0; }

    void record(std::size_t i) {
        Port &port = ports_[i];
        port.dirty = false;
        if (!keeps) return;
        std::vector<Segment> &segments = kept.segments[i];
        if (!segments.empty() && segments.back().begin == now_) segments.pop_back();
        const double drain = port.where == EMPTY ? port.inflow : port.rate;
        segments.push_back({now_, port.length, port.slope, shut_out(port), drain, false, 0, 0});
    }

    // ---- what comes next

    void advance() {
        const double begin = now_, free = free_, slack = rounding_.slack;
        double change = INF, full = INF;
        for (const Port &port : ports_)
            if (port.piece < port.pieces_end) change = std::min(change, instant(in_->piece_time[port.piece]));
        if (free_slope_ < 0 && free_ > 0) full = begin + free_ / -free_slope_;
        double time = std::min({until_, change, full});
        const double wait = nearest();
        if (begin + wait <= time) time = begin + wait;
        else
            for (Port &port : ports_) port.empties = false;
        be_certain(time, change, full);
        const double step = time - begin;
        idle_ = step <= 0 ? idle_ + 1 : 0;
        if (step < 0 || idle_ > 8 * static_cast<std::int64_t>(ports_.size()) + 64) throw Undecided{UNDECIDED_NEXT};
        sample_until(time);
        go(time, step, full);
        for (Port &port : ports_) account(port, step);
        if (step > 0) see_first_drops(begin, free, slack);
        if (free_ < -rounding_.bound) throw Undecided{UNDECIDED_NEXT};
        record_free();
    }

    // How long until a queue is empty; those that are first are marked.
    double nearest() {
        double least = INF;
        for (Port &port : ports_) {
            port.empties = port.moving && port.slope < 0;
            if (!port.empties) continue;
            port.empties_in = port.length / -port.slope, least = std::min(least, port.empties_in);
            rounding_.note(now_ + port.empties_in, port.empties_in, port.slope, {Rounding::LEVEL, port.kind});
        }
        for (Port &port : ports_) port.empties = port.empties && port.empties_in == least;
        return least;
    }

    void be_certain(double time, double change, double full) {
        rounding_.count(time - now_);
        if (full < INF) rounding_.note_instant(full, rounding_.bound / std::abs(free_slope_), {Rounding::FULL, 0});
        rounding_.note_instant(until_, 0, {Rounding::GIVEN, 0});
        if (change < INF) rounding_.note_instant(change, 0, {Rounding::GIVEN, 0});
        rounding_.first(time);
    }

    void sample_until(double time) {
        const dtmodel_batch &in = *in_;
        for (; sample_ < in.sample_begin[scenario_ + 1] && instant(in.sample_time[sample_]) <= time; ++sample_) {
            const double span = instant(in.sample_time[sample_]) - now_;
            for (const Port &port : ports_) *lengths_++ = std::max(port.length + port.slope * span, 0.0);
        }
    }

    void go(double time, double step, double full) {
        for (Port &port : ports_) port.length += port.moving ? port.slope * step : 0;
        if (time == full) rounding_.turn(free_slope_, time);
        now_ = time;
        free_ = time == full ? 0 : free_buffer();
    }

    // What a queue lost and sent in a phase.
    void account(Port &port, double step) {
        const double sent = (port.where == EMPTY ? port.inflow : port.rate) * step;
        const double lost = shut_out(port) * step;
        port.lost += lost, port.sent += sent;
        port.balance += port.offered * step - lost - sent;
    }

    // A phase that took time, and began when it began, up to the slack of that event.
    void see_first_drops(double begin, double free, double slack) {
        for (Port &port : ports_) {
            if (!std::isnan(port.first) || !(shut_out(port) > 0)) continue;
            if (slack > TOLERANCE * until_) throw Undecided{UNDECIDED_WHEN};
            port.first = begin, port.free_first = free;
        }
    }

    void record_free() {
        if (!keeps) return;
        kept.free_times.push_back(now_);
        kept.free_values.push_back(free_);
    }

    // ---- the end

    Status finish() {
        if (rounding_.bound > TOLERANCE * buffer_) return TOO_FAR;
        std::int64_t at = in_->queue_begin[scenario_];
        for (const Port &port : ports_) {
            const double certain = Rounding::CERTAIN * offered_to(*in_, at, in_->until[scenario_], tick_) + rounding_.bound;
            if (!(std::abs(port.balance - port.length) <= certain) || port.length < -certain) return UNDECIDED_WHETHER;
            in_->first_drop[at] = port.first, in_->free_at_first_drop[at] = port.free_first;
            in_->dropped[at] = port.lost, in_->drained[at] = port.sent;
            ++at;
        }
        return DONE;
    }
};

}  // namespace
