// The queues of a replay, and EDT's counters and timers beside them (dtmodel/policies/edt.py), in numbers that decide ties.

#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "number.hpp"

namespace {

struct Flow {
    struct Since {
        Number begin, length, loss, drain, free;
        bool on;
    };
    Number rate, a, b, reserve, cap, count;     // C, the threshold a F + b now, how many queues this one stands for
    Number alpha, offset, turn;                 // a and b at first; the F at which its cap begins to bind
    Number offered, inflow, slope, origin;      // R, what of it is admitted; its line at time 0
    Number level;                               // that it reaches next
    Number lost, sent, first{NONE, 0, 0, 0}, free_first{NONE, 0, 0, 0};
    Since segment{};
    std::vector<std::pair<Number, Number>> pieces;
    std::size_t piece = 0;
    Where where = EMPTY;
    bool bounded = true, reserved = false, turns = false;
    bool touching = false, reached = false, dirty = true, changed = true, capped = false, uncontrolled = false;

    bool moves() const { return where == BELOW || where == ABOVE; }
    bool rejects() const { return where == ON || (where == ABOVE && offered.high > 0); }
};

struct Alarm {
    bool set = false;
    Number instant{};

    void at(const Number &when) { set = true, instant = when; }
    bool due(const Number &now) const { return set && instant <= now; }
};

class Alarms {
   public:
    void begin(std::size_t queues, const Number &cn2, const Number &tm1, const Number &tm2) {
        cn2_ = cn2, tm1_ = tm1, tm2_ = tm2;
        counters_.assign(queues, Counter{});
    }

    // What happens once arrivals have changed; returns the queues that may have other thresholds then.
    std::vector<std::size_t> act(std::vector<Flow> &flows, const Number &now) {
        std::vector<std::size_t> over;
        std::vector<bool> uncontrolled(flows.size());
        bool changes = false;
        for (std::size_t i = 0; i < flows.size(); ++i) {
            Counter &counter = counters_[i];
            const bool reached = counter.full.due(now), dirty = flows[i].dirty;
            if (reached) counter.lined = counter.full.set = false, counter.counts = true, counter.count = cn2_;
            if (dirty) stop(counter, now);
            if (counter.tm1.due(now)) over.push_back(i);
            counter.restarted = counter.restarted || reached;
            uncontrolled[i] = flows[i].uncontrolled ? !(counter.tm2.due(now) || (dirty && flows[i].offered < flows[i].rate))
                                            : (dirty || reached) && is_full(counter) && flows[i].rate < flows[i].offered;
            changes = changes || uncontrolled[i] != flows[i].uncontrolled;
        }
        std::vector<std::size_t> changed;
        if (changes) changed = change(flows, uncontrolled, now);
        for (const std::size_t i : over) reset(counters_[i]), counters_[i].restarted = true;
        return changed;
    }

    // What the phase that begins causes.
    std::vector<std::size_t> settled(std::vector<Flow> &flows, const Number &now, const Number &free, const Number &free_slope) {
        if (overflows(flows, free, free_slope)) return change(flows, std::vector<bool>(flows.size()), now);
        for (std::size_t i = 0; i < flows.size(); ++i) {
            Counter &counter = counters_[i];
            if (!flows[i].uncontrolled && (flows[i].changed || counter.restarted)) {
                stop(counter, now);
                if (counter.counts || flows[i].offered.high > 0 || counter.tm1.set || counter.owed) start(counter, flows[i], now);
            }
            counter.restarted = false;
        }
        return {};
    }

    template <class Take>
    void each(const Number &now, Take take) {
        for (Counter &counter : counters_) {
            if (counter.tm1.set && has_fallen(counter, now)) reset(counter);
            for (const Alarm *alarm : {&counter.tm1, &counter.tm2, &counter.full})
                if (alarm->set) take(alarm->instant);
        }
    }

   private:
    // c2: its value if `counts`, or a line; when TM1 ended first of a queue that grows in vain, and its line then.
    struct Counter {
        Number count, begin, value, slope, grown, growth, end;
        Alarm full, tm1, tm2, vain;
        bool counts = false, lined = false, owed = false, restarted = false;
    };
    Number cn2_, tm1_, tm2_;
    std::vector<Counter> counters_;

    bool is_full(const Counter &counter) const { return counter.counts && cn2_ <= counter.count; }

    static void reset(Counter &counter) {
        counter.counts = counter.lined = counter.owed = counter.vain.set = counter.full.set = counter.tm1.set = false;
    }

    static Number line_at(const Counter &counter, const Number &now) { return counter.value + counter.slope * (now - counter.begin); }

    static bool has_fallen(const Counter &counter, const Number &now) {
        return counter.lined && counter.slope.high < 0 && counter.begin < now && sign(line_at(counter, now)) <= 0;
    }

    static bool overflows(const std::vector<Flow> &flows, const Number &free, const Number &free_slope) {
        const bool any = std::any_of(flows.begin(), flows.end(), [](const Flow &flow) { return flow.uncontrolled; });
        if (!any || sign(free) > 0) return false;
        return sign(free_slope) < 0 || std::any_of(flows.begin(), flows.end(), [](const Flow &flow) { return flow.uncontrolled && flow.rejects(); });
    }

    // Make exactly some queues uncontrolled.
    std::vector<std::size_t> change(std::vector<Flow> &flows, const std::vector<bool> &uncontrolled, const Number &now) {
        std::vector<std::size_t> changed;
        for (std::size_t i = 0; i < flows.size(); ++i) {
            Counter &counter = counters_[i];
            if (flows[i].uncontrolled && !uncontrolled[i]) counter.tm2.set = false, counter.restarted = true, changed.push_back(i);
            if (uncontrolled[i] && !flows[i].uncontrolled) {
                reset(counter);
                if (tm2_.high < INF) counter.tm2.at(now + tm2_);
            }
            flows[i].uncontrolled = uncontrolled[i];
            if (uncontrolled[i]) changed.push_back(i);
        }
        return changed;
    }

    // End the line of a queue.
    static void stop(Counter &counter, const Number &now) {
        if (!counter.lined) return;
        const Number grown = line_at(counter, now);
        counter.lined = counter.full.set = false;
        if (counter.vain.set) counter.owed = true, counter.grown = grown, counter.growth = counter.slope, counter.end = counter.vain.instant;
        else if (sign(grown) <= 0) reset(counter);
        else counter.counts = true, counter.count = grown;
        counter.vain.set = false;
    }

    void start(Counter &counter, const Flow &flow, const Number &now) {
        if (flow.rejects()) return reset(counter);
        if (counter.owed) restart(counter, now);
        counter.value = counter.counts ? counter.count : Number{};
        counter.lined = true, counter.counts = false, counter.begin = now, counter.slope = flow.slope;
        if (sign(flow.slope) <= 0) return;
        if (tm1_.high < INF && !counter.tm1.set) counter.tm1.at(now + tm1_);
        const Number full = now + (cn2_ - counter.value) / flow.slope;
        const bool vain = counter.tm1.set && counter.tm1.instant < full && flow.slope * tm1_ < cn2_;
        if (vain) counter.vain = counter.tm1, counter.tm1.set = false;
        else counter.full.at(full);
    }

    // Set c2 and TM1 of a queue that grew in vain to what they are now.
    void restart(Counter &counter, const Number &now) const {
        Number since = now - counter.end;
        counter.owed = false;
        if (sign(since) > 0) {
            since = remainder(since, tm1_);
            counter.grown = counter.growth * since, counter.end = now + tm1_ - since;
        }
        if (sign(since) == 0) return;
        counter.counts = true, counter.count = counter.grown, counter.tm1.at(counter.end);
    }

    static Number remainder(const Number &value, const Number &part) {
        const double times = std::floor(value.high / part.high);
        if (!(times < 0x1p50)) throw Undecided{UNDECIDED_NEXT};
        Number left = value - whole(times) * part;
        if (sign(left) < 0) left = left + part;
        return part <= left ? left - part : left;
    }
};

}  // namespace
