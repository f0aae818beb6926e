// Runs of policies that remember, and of reserves: counters and timers, a full buffer, caps.
//
// This is dtmodel/fluid/engine.py in floats, with the memories of dtmodel/policies: every queue is looked at in every
// event, and a run goes on only where each decision differs from a tie by more than rounding can have done (rounding.hpp).

#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "rounding.hpp"

namespace {

struct Port {
    double rate, count, a, b, length, offered, inflow, slope, reserve, alpha, offset, cap;
    double lost, sent, balance;  // and what it held at first, was offered, lost and sent since
    double first, free_first;
    std::int64_t piece, pieces_end, kind;
    Where where;
    bool unbounded, on, moving, reserved, touching, dirty;
    // Of EDT: c2, when TM1 and TM2 end, when c2 is cn2 or would be if TM1 did not end first.
    double c2, tm1_end, tm2_end, reached, vain;
    bool uncontrolled;
    // Of caps: where F turns, when it is there, whether it is there now, and whether the cap binds.
    double turn, turns_at;
    bool turning, capped, met_level, met;
    double level, reached_in, meets_in, before;  // of the phase that begins
};

struct Change {
    std::size_t port;
    double a, b;
};

class Remembering {
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
    Form form_ = AFFINE;
    std::vector<Port> ports_;
    std::vector<Change> changes_;
    std::vector<std::pair<std::int64_t, double>> woken_;
    std::vector<std::tuple<double, int>> left_;
    std::map<std::tuple<std::int64_t, double, int, double, double>, std::int64_t> kin_;
    Rounding rounding_;
    double buffer_ = 0, tick_ = 0, until_ = 0, now_ = 0, free_ = 0, free_slope_ = 0, fraction_ = NONE;
    double weights_ = 0, offsets_ = 0, cn2_ = 0, tm1_ = 0, tm2_ = 0;
    bool started_ = false;

    double instant(Tick tick) const { return static_cast<double>(tick) * tick_; }
    double limit(const Port &port) const { return port.a * free_ + port.b; }
    double length(const Port &port) const { return port.on ? limit(port) : port.length; }
    double slope(const Port &port) const { return port.on ? port.a * free_slope_ : port.slope; }
    bool thinned() const { return !std::isnan(fraction_); }
    static bool rejects(const Port &port) { return port.where == ON || (port.where == ABOVE && port.offered > 0); }

    // ---- the beginning

    void begin() {
        const dtmodel_batch &in = *in_;
        form_ = static_cast<Form>(in.form[scenario_]);
        buffer_ = in.buffer[scenario_], tick_ = in.tick[scenario_], until_ = instant(in.until[scenario_]);
        cn2_ = in.counting[scenario_], tm1_ = in.growth[scenario_], tm2_ = in.hold[scenario_];
        now_ = free_slope_ = weights_ = offsets_ = 0, fraction_ = NONE, started_ = false, idle_ = 0;
        sample_ = in.sample_begin[scenario_], lengths_ = in.length + in.length_begin[scenario_];
        const std::int64_t first = in.queue_begin[scenario_], last = in.queue_begin[scenario_ + 1];
        ports_.clear(), kin_.clear();
        double shared = 0;
        for (std::int64_t at = first; at < last; ++at) shared += read_port(at);
        free_ = std::max(0.0, buffer_ - shared);
        rounding_.begin(buffer_, static_cast<std::int32_t>(ports_.size()));
        if (keeps) kept.clear(static_cast<std::int32_t>(ports_.size()));
        record_free();
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            place(ports_[i]);
            if (keeps) kept.limits[i].push_back({0, ports_[i].a, ports_[i].b});
        }
    }

    double read_port(std::int64_t at) {
        const dtmodel_batch &in = *in_;
        Port port{};
        port.rate = in.rate[at], port.count = in.count[at], port.a = in.slope[at], port.b = in.offset[at];
        port.length = port.balance = in.initial[at], port.reserve = in.reserve[at];
        port.alpha = port.a, port.offset = port.b, port.cap = in.cap[at], port.kind = in.kind[at];
        port.piece = in.piece_begin[at], port.pieces_end = in.piece_begin[at + 1];
        port.unbounded = form_ == COMPLETE, port.touching = in.steady[at] != 0;
        port.first = port.free_first = NONE;
        port.tm1_end = port.tm2_end = port.reached = port.vain = port.turns_at = INF;
        port.turn = form_ == POOL && port.cap < INF ? (port.cap - port.offset) / port.alpha : INF;
        ports_.push_back(port);
        return port.count * std::max(port.length - port.reserve, 0.0);
    }

    // ---- events

    Status simulate() {
        while (true) {
            change_arrivals();
            find_phase();
            advance();
            if (now_ >= until_) return finish();
            if (++events_ > in_->max_events) return OVER_BUDGET;
        }
    }

    void change_arrivals() {
        for (Port &port : ports_) {
            if (!port.met_level) continue;
            port.length = port.level, port.met_level = false;
            place(port);
        }
        for (Port &port : ports_) {
            while (port.piece < port.pieces_end && instant(in_->piece_time[port.piece]) <= now_) {
                port.offered = in_->piece_rate[port.piece++];
                distinguish(port, 0, port.offered, 0);
                port.inflow = thinned() ? fraction_ * port.offered : port.offered;
                leave_threshold(port);
                place(port);
            }
        }
    }

    void distinguish(Port &port, int what, double one, double two) {
        const auto next = -1 - static_cast<std::int64_t>(kin_.size());
        port.kind = kin_.try_emplace({port.kind, now_, what, one, two}, next).first->second;
    }

    void find_phase() {
        act();
        apply();
        if (form_ == COMPLETE) thin();
        settle();
        for (std::size_t again = 0; again < ports_.size() + 2; ++again) {
            settled();
            if (changes_.empty()) return;
            apply();
            settle();
        }
        throw Undecided{UNDECIDED_NEXT};
    }

    void apply() {
        for (const Change &change : changes_) {
            Port &port = ports_[change.port];
            const bool met = port.on || port.touching;
            const double before = limit(port);
            leave_threshold(port);
            port.touching = port.unbounded = false;
            port.a = change.a, port.b = change.b;
            distinguish(port, 1, port.a, port.b);
            if (keeps) keep_limit(change.port);
            port.touching = met && (limit(port) == before || form_ == POOL);
            place(port);
        }
        changes_.clear();
    }

    void keep_limit(std::size_t i) {
        std::vector<Limit> &limits = kept.limits[i];
        if (limits.back().begin == now_) limits.pop_back();
        limits.push_back({now_, ports_[i].a, ports_[i].b});
    }

    void thin() {
        const double fraction = free_ > 0 ? NONE : admitted();
        if (fraction == fraction_ || (std::isnan(fraction) && !thinned())) return;
        fraction_ = fraction;
        for (Port &port : ports_) {
            if (!(port.offered > 0)) continue;
            port.inflow = thinned() ? fraction_ * port.offered : port.offered;
            leave_threshold(port);
            place(port);
        }
    }

    // The largest p below 1 for which the queues, admitting p R_i each, do not grow in total (complete.py).
    double admitted() {
        double served = 0, wanted = 0;
        std::vector<std::tuple<double, double, double>> kinks;
        for (const Port &port : ports_) {
            const double rate = port.count * port.rate, offer = port.count * port.offered;
            const bool idle = port.where == EMPTY || port.length <= 0;
            if (idle && !(offer > rate)) continue;
            served += rate, wanted += offer;
            if (idle) kinks.emplace_back(rate / offer, rate, offer);
        }
        Rounding::decide(wanted - served, served);
        if (wanted <= served) return NONE;
        std::sort(kinks.begin(), kinks.end(), std::greater<>());
        for (const auto &[kink, rate, offer] : kinks) {
            if (wanted <= offer) break;
            Rounding::decide(served - kink * wanted, served);
            if (served >= kink * wanted) break;
            served -= rate, wanted -= offer;
        }
        return served / wanted;
    }

    double free_buffer() const {
        if (thinned()) return 0;
        double used = offsets_;
        for (const Port &port : ports_)
            if (port.moving) used += port.count * (port.length - port.reserve);
        return (buffer_ - used) / (1 + weights_);
    }

    // ---- where queues lie

    void leave_threshold(Port &port) {
        if (!port.on) return;
        port.length = limit(port), port.on = false, port.touching = true;
        weigh();
    }

    void weigh() {
        weights_ = offsets_ = 0;
        for (const Port &port : ports_)
            if (port.on) weights_ += port.count * port.a, offsets_ += port.count * (port.b - port.reserve);
    }

    void place(Port &port) {
        const double growth = port.inflow - port.rate;
        port.dirty = true;
        if (port.reserve > 0 && place_in_reserve(port, growth)) return;
        if (port.length <= 0 && growth <= 0) {
            port.moving = false, port.where = EMPTY, port.slope = 0;
            return;
        }
        port.moving = true, port.where = BELOW, port.slope = growth;
        if (port.unbounded) return;
        const double room = limit(port) - port.length;
        if (!port.touching) rounding_.side(room, port.a);
        if (room < 0 && !port.touching) port.where = ABOVE, port.slope = -port.rate;
        else if (room == 0) port.touching = true;
    }

    bool place_in_reserve(Port &port, double growth) {
        port.reserved = false;
        if (port.length > port.reserve || (port.length == port.reserve && growth > 0)) return false;
        if (port.length <= 0 && growth <= 0) return false;
        port.moving = false, port.reserved = true, port.where = RESERVE, port.slope = growth;
        return true;
    }

    void put_on_threshold(Port &port) {
        const double growth = port.inflow - port.rate;
        port.dirty = true;
        if (port.a == 0 && growth <= 0) {
            port.where = BELOW, port.slope = growth;
            return;
        }
        port.moving = false, port.on = true, port.where = ON;
    }

    // ---- the phase that begins

    void settle() {
        bool any = false;
        for (Port &port : ports_) {
            if (port.touching && port.moving) put_on_threshold(port), any = true;
            port.touching = false;
        }
        weigh();
        if (any && free_ > 0) {
            free_ = free_buffer();
            if (keeps) kept.free_values.back() = free_;
        }
        share();
        if (thinned()) free_slope_ = 0;
        double slopes = 0;
        for (const Port &port : ports_) slopes += port.moving ? port.count * std::abs(port.slope) : 0;
        rounding_.churn(free_slope_, slopes, 1 + weights_);
        for (const auto &[border, sign] : left_) rounding_.border(border, sign * free_slope_);
        for (Port &port : ports_)
            if (port.on && port.a > 0) see_that_it_follows(port);
        for (std::size_t i = 0; i < ports_.size(); ++i)
            if (ports_[i].dirty) record(i);
    }

    void see_that_it_follows(const Port &port) const {
        rounding_.border(port.rate / port.a, -free_slope_);
        rounding_.border((port.inflow - port.rate) / port.a, free_slope_);
    }

    // Find F', and let go of the queues that cannot follow their thresholds (OnThreshold.settle in dynamics.py).
    void share() {
        double others = 0;
        for (const Port &port : ports_) others += port.moving ? port.count * port.slope : 0;
        left_.clear();
        while (true) {
            free_slope_ = -others / (1 + weights_);
            double excess = 0;
            bool low = false, high = false;
            for (const Port &port : ports_) {
                const int way = leaves(port);
                low = low || way < 0, high = high || way > 0;
                if (way) excess += port.count * ((way < 0 ? -port.rate : port.inflow - port.rate) - port.a * free_slope_);
            }
            if (!low && !high) return;
            if (excess < 0) low = false;
            else if (excess > 0) high = false;
            const double at = free_slope_;
            for (Port &port : ports_) {
                free_slope_ = at;
                const int way = leaves(port);
                if ((way < 0 && low) || (way > 0 && high)) others += port.count * let_go(port, way < 0 ? ABOVE : BELOW);
            }
            weigh();
        }
    }

    int leaves(const Port &port) const {
        if (!port.on || port.a == 0) return 0;
        if (port.rate / port.a < -free_slope_) return -1;
        return (port.inflow - port.rate) / port.a <= free_slope_ ? 1 : 0;
    }

    double let_go(Port &port, Where where) {
        left_.emplace_back(where == ABOVE ? port.rate / port.a : (port.inflow - port.rate) / port.a, where == ABOVE ? -1 : 1);
        port.length = limit(port), port.on = false, port.moving = true, port.where = where, port.dirty = true;
        return port.slope = where == ABOVE ? -port.rate : port.inflow - port.rate;
    }

    // What a queue off its threshold loses, in bytes per second.
    double shut_out(const Port &port) const {
        return port.where == ABOVE ? port.offered : thinned() ? port.offered - port.inflow : 0;
    }

    void record(std::size_t i) {
        Port &port = ports_[i];
        port.dirty = false;
        if (!keeps) return;
        const double loss = port.on ? port.offered - port.rate : shut_out(port);
        std::vector<Segment> &segments = kept.segments[i];
        if (!segments.empty() && segments.back().begin == now_) segments.pop_back();
        const double drain = port.where == EMPTY ? port.inflow : port.rate;
        segments.push_back({now_, length(port), port.on ? 0 : port.slope, loss, drain, port.on, port.a, port.b});
    }

    // ---- what comes next

    void advance() {
        const double begin = now_, free = free_, slack = rounding_.slack;
        double change = INF, full = INF;
        for (const Port &port : ports_)
            if (port.piece < port.pieces_end) change = std::min(change, instant(in_->piece_time[port.piece]));
        wake();
        if (form_ != AFFINE && free_slope_ < 0 && free_ > 0 && remembers()) full = begin + free_ / -free_slope_;
        double time = std::min({until_, change, full});
        for (const auto &[kind, at] : woken_) time = std::min(time, at);
        const double wait = nearest();
        if (begin + wait <= time) {
            time = begin + wait;
            for (Port &port : ports_) port.touching = port.touching || port.met;
        } else {
            for (Port &port : ports_) port.met_level = false;
        }
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
        passed(begin);
    }

    bool remembers() const {
        if (form_ != POOL) return true;
        return std::any_of(ports_.begin(), ports_.end(), [](const Port &port) { return port.turn < INF; });
    }

    // How long until a queue is at a level or meets its threshold; those that are first are marked.
    double nearest() {
        double least = INF;
        for (Port &port : ports_) {
            port.met = port.met_level = false;
            if (!port.moving && !port.reserved) continue;
            if (has_level(port)) least = std::min(least, wait_for_level(port));
            if (!port.unbounded && !port.reserved) least = std::min(least, wait_for_threshold(port));
        }
        for (Port &port : ports_) {
            port.met_level = port.met_level && port.reached_in == least;
            port.met = port.met && port.meets_in == least;
        }
        return least;
    }

    static bool has_level(const Port &port) { return port.reserved ? port.slope != 0 : port.slope < 0; }

    double wait_for_level(Port &port) {
        port.level = port.reserved && port.slope < 0 ? 0 : port.reserve;
        const double wait = (port.level - port.length) / port.slope;
        rounding_.note(now_ + wait, wait, port.slope, {Rounding::LEVEL, port.kind}, port.slope, 0);
        port.met_level = true;
        return port.reached_in = wait;
    }

    double wait_for_threshold(Port &port) {
        const double closing = port.slope - port.a * free_slope_;
        if (port.where == ABOVE ? closing >= 0 : closing <= 0) return INF;
        const double wait = (limit(port) - port.length) / closing;
        rounding_.note(now_ + wait, wait, closing, {Rounding::MEETS, port.kind}, port.slope, port.a);
        port.met = true;
        return port.meets_in = std::max(wait, 0.0);
    }

    void be_certain(double time, double change, double full) {
        rounding_.count(time);
        double slowest = free_slope_ != 0 ? std::abs(free_slope_) : INF;
        for (const Port &port : ports_)
            if (port.slope != 0) slowest = std::min(slowest, std::abs(port.slope));
        const double slack = slowest < INF ? rounding_.bound / slowest : 0;
        for (std::size_t k = 0; k < woken_.size(); ++k)
            rounding_.note_instant(woken_[k].second, slack, {Rounding::WAKES, static_cast<std::int64_t>(k)});
        if (full < INF) rounding_.note_instant(full, slack, {Rounding::FULL, 0});
        rounding_.note_instant(until_, 0, {Rounding::GIVEN, 0});
        if (change < INF) rounding_.note_instant(change, 0, {Rounding::GIVEN, 0});
        rounding_.first(time);
    }

    void sample_until(double time) {
        const dtmodel_batch &in = *in_;
        for (; sample_ < in.sample_begin[scenario_ + 1] && instant(in.sample_time[sample_]) <= time; ++sample_) {
            const double span = instant(in.sample_time[sample_]) - now_;
            for (const Port &port : ports_) *lengths_++ = std::max(length(port) + slope(port) * span, 0.0);
        }
    }

    void go(double time, double step, double full) {
        for (Port &port : ports_) {
            port.before = length(port);
            if (port.moving || port.reserved) port.length += port.slope * step;
        }
        now_ = time;
        free_ = time == full ? 0 : free_buffer();
    }

    // What a queue lost and sent in a phase.
    void account(Port &port, double step) {
        const double sent = (port.where == EMPTY ? port.inflow : port.rate) * step;
        double lost = shut_out(port) * step;
        if (port.on) lost = (port.offered - port.rate) * step - (limit(port) - port.before);
        port.lost += lost, port.sent += sent;
        port.balance += port.offered * step - lost - sent;
    }

    // A phase that took time, and began when it began, up to the slack of that event.
    void see_first_drops(double begin, double free, double slack) {
        for (Port &port : ports_) {
            if (!std::isnan(port.first) || !(port.on || shut_out(port) > 0)) continue;
            if (slack > TOLERANCE * until_) throw Undecided{UNDECIDED_WHEN};
            port.first = begin, port.free_first = free;
        }
    }

    void record_free() {
        if (!keeps) return;
        kept.free_times.push_back(now_);
        kept.free_values.push_back(free_);
    }

    // ---- what the policy remembers: dtmodel/policies/edt.py and caps.py

    void act() {
        if (form_ == COUNTERS) return act_on_counters();
        if (form_ != POOL || started_) return;
        started_ = true;
        for (Port &port : ports_) port.turning = free_ == port.turn;
        hold([this](const Port &port) { return free_ > port.turn; });
    }

    void settled() {
        if (form_ == COUNTERS) return settled_counters();
        if (form_ != POOL) return;
        for (const Port &port : ports_) {
            if (!(port.turn < INF)) continue;
            if (port.turning) Rounding::decide(free_slope_, port.rate);
            else Rounding::decide(free_ - port.turn, buffer_);
        }
        hold([this](const Port &port) { return port.turning ? free_slope_ > 0 : free_ > port.turn; });
    }

    template <class Binds>
    void hold(Binds binds) {
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            Port &port = ports_[i];
            const bool capped = port.turn < INF && binds(port);
            if (capped == port.capped) continue;
            port.capped = capped;
            if (capped) changes_.push_back({i, 0, port.cap});
            else changes_.push_back({i, port.alpha, port.offset});
        }
    }

    // The instants at which something happens in the memory if this phase lasts, one for queues that are alike.
    void wake() {
        woken_.clear();
        if (form_ == POOL) {
            for (Port &port : ports_) {
                port.turns_at = INF;
                if (!(port.turn < INF) || free_slope_ == 0 || port.turning) continue;
                const double wait = (port.turn - free_) / free_slope_;
                if (wait > 0) port.turns_at = now_ + wait, wakes(0, port.turns_at, 0);
            }
        }
        if (form_ != COUNTERS) return;
        look_ahead();
        for (const Port &port : ports_)
            if (port.tm1_end < INF && !(port.vain < INF)) wakes(port.kind, port.tm1_end, 0);
        const std::size_t first = woken_.size();
        for (const Port &port : ports_)
            if (port.tm2_end < INF) wakes(port.kind, port.tm2_end, first);
        const std::size_t second = woken_.size();
        for (const Port &port : ports_)
            if (port.reached < INF) wakes(port.kind, port.reached, second);
    }

    void wakes(std::int64_t kind, double at, std::size_t from) {
        const std::pair<std::int64_t, double> each{kind, at};
        if (std::find(woken_.begin() + static_cast<std::ptrdiff_t>(from), woken_.end(), each) == woken_.end())
            woken_.push_back(each);
    }

    void passed(double begin) {
        if (form_ == COUNTERS) return count_growth(begin);
        for (Port &port : ports_)
            port.turning = port.turns_at <= now_ || (port.turning && free_ == port.turn), port.turns_at = INF;
    }

    static bool counting(const Port &port) {
        return !port.uncontrolled && (port.c2 != 0 || port.offered != 0 || port.tm1_end < INF);
    }

    static void reset(Port &port) { port.c2 = 0, port.tm1_end = INF; }

    void act_on_counters() {
        bool any = false;
        for (Port &port : ports_) {
            const bool expired = port.tm2_end <= now_, ended = port.uncontrolled && port.offered < port.rate;
            const bool counted = port.c2 != 0 && port.c2 >= cn2_ && port.offered > port.rate && !port.uncontrolled;
            port.turning = (port.uncontrolled && !ended && !expired) || counted;  // uncontrolled from now on
            any = any || expired || ended || counted;
        }
        if (any) change();
        for (Port &port : ports_)
            if (port.tm1_end <= now_) reset(port);
    }

    void settled_counters() {
        if (overflows()) {
            for (Port &port : ports_) port.turning = false;
            change();
            return;
        }
        for (Port &port : ports_) {
            if (!counting(port)) continue;
            if (rejects(port)) reset(port);
            else if (tm1_ < INF && !(port.tm1_end < INF) && slope(port) > 0) port.tm1_end = now_ + tm1_;
        }
    }

    bool overflows() const {
        if (free_ > 0) return false;
        double most = 0;
        bool any = false, rejected = false;
        for (const Port &port : ports_) {
            most = std::max(most, port.rate);
            any = any || port.uncontrolled, rejected = rejected || (port.uncontrolled && rejects(port));
        }
        if (!any) return false;
        Rounding::decide(free_slope_, most);
        return free_slope_ < 0 || rejected;
    }

    // Let exactly those that are marked be uncontrolled from now on.
    void change() {
        double together = 0;
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            Port &port = ports_[i];
            if (port.turning) together += port.count;
            if (port.uncontrolled && !port.turning) port.tm2_end = INF, changes_.push_back({i, port.alpha, 0});
            if (!port.uncontrolled && port.turning) reset(port), port.tm2_end = now_ + tm2_;
            port.uncontrolled = port.turning;
        }
        for (std::size_t i = 0; i < ports_.size(); ++i)
            if (ports_[i].uncontrolled) changes_.push_back({i, 0, buffer_ / together});
    }

    void look_ahead() {
        for (Port &port : ports_) {
            port.reached = port.vain = INF;
            const double slope = this->slope(port);
            if (!counting(port) || rejects(port) || slope <= 0) continue;
            const double time = now_ + (cn2_ - port.c2) / slope;
            bool in_vain = port.tm1_end < INF && time > port.tm1_end;
            if (in_vain) Rounding::decide(slope * tm1_ - cn2_, cn2_), in_vain = slope * tm1_ < cn2_;
            (in_vain ? port.vain : port.reached) = time;
        }
    }

    void count_growth(double begin) {
        for (Port &port : ports_) {
            if (!counting(port) || rejects(port)) continue;
            const double slope = this->slope(port), grown = port.c2 + slope * (now_ - begin);
            if (slope < 0 && 0 < port.c2) Rounding::decide(grown, buffer_);
            port.c2 = std::max(grown, 0.0);
            if (port.vain < INF && now_ > port.tm1_end) restart(port, slope);
            if (port.reached == now_) port.c2 = cn2_;
            else if (port.c2 <= 0) reset(port);
        }
    }

    // Bring c2 and TM1 of a queue that grows in vain to where they are now, after some expiries.
    void restart(Port &port, double slope) {
        const double since = std::fmod(now_ - port.tm1_end, tm1_);
        port.c2 = slope * since;
        port.tm1_end = now_ + tm1_ - since;
    }

    // ---- the end

    Status finish() {
        if (rounding_.bound > TOLERANCE * buffer_) return TOO_FAR;
        std::int64_t at = in_->queue_begin[scenario_];
        for (const Port &port : ports_) {
            const double certain = Rounding::CERTAIN * offered_to(at) + rounding_.bound;
            if (!(std::abs(port.balance - length(port)) <= certain) || length(port) < -certain) return UNDECIDED_WHETHER;
            in_->first_drop[at] = port.first, in_->free_at_first_drop[at] = port.free_first;
            in_->dropped[at] = port.lost, in_->drained[at] = port.sent;
            ++at;
        }
        return DONE;
    }

    double offered_to(std::int64_t queue) const {
        double total = 0;
        for (std::int64_t k = in_->piece_begin[queue]; k < in_->piece_begin[queue + 1]; ++k) {
            const double begin = instant(in_->piece_time[k]);
            const double end = k + 1 < in_->piece_begin[queue + 1] ? std::min(instant(in_->piece_time[k + 1]), until_) : until_;
            total += begin < end ? in_->piece_rate[k] * (end - begin) : 0;
        }
        return total;
    }
};

}  // namespace
