// EDT's counters and timers: c2 of a queue is a line that lies a constant below its length, timers are instants.
//
// While a controlled queue loses nothing its c2 changes as its length does, but is never below 0. So between two changes
// of its motion one number says when c2 reaches cn2: TM1, which would reset it before, is known then, and is no event.
//
// Only here rounding may decide what happens (CONTRIBUTING.md, "Ties"). How wrong c2 is, is known by where its line comes
// from: it is forgotten when c2 is reset, which a loss and an empty queue make certain, and grows by what the slope changes
// at an instant that may be wrong. An instant of arrivals is exact, one at which a line met another is as wrong as the
// lines are, and one of a counter or a timer as wrong as that at which it began.

#pragma once

#include "lines.hpp"

namespace {

struct Counter {
    double value, slope, blur;  // c2 at `begin`, its slope from there on, and how wrong it may be
    double alpha, armed;        // the threshold of a controlled queue; how wrong the end of TM2 may be, in seconds
    double lost;                // by the queue when c2 became doubtful
    Tick begin, tm1, tm2;       // and when the timers end
    Tick emptied;               // since when c2 is certainly 0
    bool uncontrolled, doubtful;
};

class Counters {
   public:
    std::vector<Counter> each;
    std::vector<std::int32_t> uncontrolled;
    Least<Tick> reached, ends;  // when c2 is cn2, and when TM2 expires

    void begin(std::int32_t queues, double cn2, double tm1, double tm2, double tick, Tick until) {
        each.assign(static_cast<std::size_t>(queues), Counter{});
        cn2_ = cn2, tm1_ = tm1, tm2_ = tm2, tick_ = tick, until_ = until;
        uncontrolled.clear();
        reached.begin(queues), ends.begin(queues);
        for (Counter &counter : each) counter.tm1 = counter.tm2 = NEVER, counter.emptied = -NEVER / 2;
    }

    Tick next() const { return std::min(reached.least(), ends.least()); }

    // A queue becomes uncontrolled, because c2 is cn2 up to `slack` seconds from now, or controlled.
    void release(std::int32_t i, Tick now, double slack) {
        Counter &counter = each[i];
        reset(counter);
        counter.uncontrolled = true, counter.slope = 0, counter.begin = now, counter.armed = slack;
        counter.tm2 = after(now, tm2_);
        reached.set(i, NEVER), ends.set(i, counter.tm2);
        uncontrolled.push_back(i);
    }

    void control(std::int32_t i, Tick now) {
        Counter &counter = each[i];
        counter.uncontrolled = counter.doubtful = false, counter.tm2 = NEVER, counter.begin = now;
        ends.set(i, NEVER);
        *std::find(uncontrolled.begin(), uncontrolled.end(), i) = uncontrolled.back();
        uncontrolled.pop_back();
    }

    // How wrong the instant may be at which c2 is cn2.
    double slack(const Counter &counter) const { return (counter.blur + 4 * EACH * cn2_) / counter.slope + 4 * tick_; }

    // A queue that rejects packets begins a phase: c2 is 0.
    void reject(std::int32_t i, Tick now, double slack) {
        Counter &counter = each[i];
        go_on(counter, now);
        see_that_it_is_less(counter, slack);
        reset(counter);
        counter.slope = 0;
        reached.set(i, NEVER);
    }

    // A queue is empty, up to `most` bytes, and would send so much more.
    void empty(std::int32_t i, Tick now, double slack, double most, double idle) {
        Counter &counter = each[i];
        const bool ran = counter.slope < 0 && counter.tm1 != NEVER;
        if (counter.slope != 0 || counter.value != 0) {
            go_on(counter, now);
            see_that_it_is_less(counter, slack);
            const bool held = (ran && counter.value > -(most + counter.blur)) || counter.doubtful;
            counter.emptied = !held ? -NEVER / 2 : idle > 0 ? after(now, most / idle) : NEVER;
        }
        reset(counter);
        counter.slope = 0, counter.doubtful = false;
        reached.set(i, NEVER);
    }

    // A queue changes at a slope from now on, and loses nothing.
    void count(std::int32_t i, Tick now, double slope, double slack) {
        Counter &counter = each[i];
        if (counter.begin == now && counter.slope == slope) return;
        const bool fell = counter.slope <= 0;
        go_on(counter, now);
        if (!(slope > 0)) see_that_it_is_less(counter, slack);
        if (counter.value < -counter.blur) reset(counter);
        else if (counter.value <= counter.blur && fell && slope > 0 && counter.tm1 != NEVER) undecided();
        if (slope > 0 && (counter.doubtful || now <= counter.emptied)) undecided();
        counter.value = std::max(counter.value, 0.0);
        counter.blur += std::abs(slope - counter.slope) * (slack + tick_);
        counter.slope = slope;
        if (slope > 0 && counter.tm1 == NEVER) counter.tm1 = after(now, tm1_);
        reached.set(i, slope > 0 ? reaching(counter) : NEVER);
    }

   private:
    double cn2_ = 0, tm1_ = 0, tm2_ = 0, tick_ = 0;
    Tick until_ = 0;

    [[noreturn]] static void undecided() { throw Undecided{UNDECIDED_NEXT}; }
    static void reset(Counter &counter) { counter.value = counter.blur = 0, counter.tm1 = NEVER; }
    double seconds(Tick ticks) const { return static_cast<double>(ticks) * tick_; }
    Tick after(Tick now, double span) const {
        const double number = span / tick_;
        return number < static_cast<double>(until_) ? now + std::max<Tick>(std::llrint(number), 0) : NEVER;
    }

    void see_that_it_is_less(const Counter &counter, double slack) const {
        if (counter.value >= cn2_ - counter.blur - std::max(counter.slope, 0.0) * (slack + tick_)) undecided();
    }

    // Bring c2 to where it is now, perhaps after TM1 has expired, again and again.
    void go_on(Counter &counter, Tick now) const {
        const double span = seconds(now - counter.begin);
        counter.blur += 4 * EACH * (counter.value + std::abs(counter.slope) * span);
        counter.value += counter.slope * span, counter.begin = now;
        if (counter.tm1 > now) return;
        double since = 0;
        if (counter.slope > 0) since = std::fmod(seconds(now - counter.tm1), tm1_);
        const double blur = counter.blur / std::max(counter.slope, tick_) + 4 * tick_;
        if (since <= blur || tm1_ - since <= blur) return reset(counter);
        counter.value = counter.slope * since, counter.tm1 = after(now, tm1_ - since);
    }

    // When c2 is cn2: now and after each expiry TM1 may come first.
    Tick reaching(const Counter &counter) const {
        const double wait = std::max((cn2_ - counter.value) / counter.slope, 0.0);
        if (counter.tm1 == NEVER) return after(counter.begin, wait);
        const double left = seconds(counter.tm1 - counter.begin), blur = slack(counter) + 4 * EACH * (left + wait);
        if (wait + blur < left) return after(counter.begin, wait);
        const double whole = cn2_ / counter.slope;
        if (std::abs(wait - left) <= blur || std::abs(whole - tm1_) <= 4 * EACH * (whole + tm1_)) undecided();
        return whole < tm1_ ? after(counter.tm1, whole) : NEVER;
    }
};

}  // namespace
