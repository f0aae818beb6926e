// Which of many queues is the first to do something, in the logarithm of their number; and sums that stay exact.

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "batch.hpp"

namespace {

// A list with room for all that it can hold, made once: nothing branches where it is cleared or added to.
template <class Each>
class List {
   public:
    void begin(std::int32_t most) {
        if (all_.size() < static_cast<std::size_t>(most)) all_.resize(static_cast<std::size_t>(most));
        clear();
    }
    void clear() { number_ = 0; }
    void add(const Each &each) { all_[number_++] = each; }
    template <class Test>
    void drop(Test test) {
        number_ = static_cast<std::int32_t>(std::remove_if(all_.begin(), all_.begin() + number_, test) - all_.begin());
    }
    bool empty() const { return number_ == 0; }
    bool has(const Each &each) const { return std::find(begin(), end(), each) != end(); }
    const Each *begin() const { return all_.data(); }
    const Each *end() const { return all_.data() + number_; }

   private:
    std::vector<Each> all_;
    std::int32_t number_ = 0;
};

// The least of numbers that change one at a time; INF where there is none.
class Least {
   public:
    void begin(std::int32_t queues) {
        size_ = 1;
        while (size_ < queues) size_ *= 2;
        values_.assign(static_cast<std::size_t>(2 * size_), INF);
    }

    void set(std::int32_t queue, double value) {
        std::int32_t at = size_ + queue;
        values_[at] = value;
        while (at > 1) {
            const double least = std::min(values_[at], values_[at ^ 1]);
            at /= 2;
            if (values_[at] == least) return;
            values_[at] = least;
        }
    }

    double least() const { return values_[1]; }
    double of(std::int32_t queue) const { return values_[size_ + queue]; }

    // Those whose numbers lie below a border, or on it.
    template <class Take>
    void each(double border, Take take, std::int32_t at = 1) const {
        if (!(values_[at] <= border) || values_[at] == INF) return;
        if (at >= size_) return take(at - size_);
        each(border, take, 2 * at);
        each(border, take, 2 * at + 1);
    }

   private:
    std::int32_t size_ = 1;
    std::vector<double> values_;
};

// A number that changes at a constant rate.
struct Line {
    Tick begin;
    double value, rate;

    double at(Tick now, double tick) const { return value + rate * (static_cast<double>(now - begin) * tick); }
};

// The highest of many lines, now and for some time: a kinetic tournament. Each node knows who wins below it, and until
// when no match there is decided otherwise. Lines that are as high as rounding can tell are ranked by what follows.
class Highest {
   public:
    static constexpr std::int32_t NOBODY = -1;

    void begin(std::int32_t queues, double tick) {
        size_ = 1, fastest_ = 0, tick_ = tick, per_tick_ = 1 / tick;
        while (size_ < queues) size_ *= 2;
        nodes_.assign(static_cast<std::size_t>(2 * size_), {NOBODY, NEVER, NEVER});
        lines_.resize(static_cast<std::size_t>(size_));
    }

    void put(std::int32_t queue, const Line &line, Tick now) {
        lines_[queue] = line, fastest_ = std::max(fastest_, std::abs(line.rate));
        nodes_[size_ + queue].winner = queue;
        climb(queue, now);
    }

    void take(std::int32_t queue, Tick now) {
        nodes_[size_ + queue].winner = NOBODY;
        climb(queue, now);
    }

    std::int32_t winner(Tick now) {
        if (nodes_[1].until <= now) renew(1, now);
        return nodes_[1].winner;
    }

    double fastest() const { return fastest_; }
    Tick until() const { return nodes_[1].until; }
    const Line &line(std::int32_t queue) const { return lines_[queue]; }
    double value(std::int32_t queue, Tick now) const { return lines_[queue].at(now, tick_); }

    // Those whose lines are at a border or above it; `winner` was asked at the same instant.
    template <class Take>
    void each(double border, Tick now, Take take, std::int32_t at = 1) const {
        const std::int32_t winner = nodes_[at].winner;
        if (winner == NOBODY || value(winner, now) * (1 + (border > 0 ? NEAR : -NEAR)) < border) return;
        if (at >= size_) return take(winner);
        each(border, now, take, 2 * at);
        each(border, now, take, 2 * at + 1);
    }

    static constexpr double NEAR = 0x1p-48;

   private:
    struct Node {
        std::int32_t winner;
        Tick until, turns;  // who wins below it may change, and who wins its own match
    };
    std::int32_t size_ = 1;
    double tick_ = 0, per_tick_ = 0, fastest_ = 0;
    std::vector<Node> nodes_;
    std::vector<Line> lines_;

    // Matches are decided anew only up to where the queue neither wins nor won.
    void climb(std::int32_t queue, Tick now) {
        bool again = true;
        for (std::int32_t at = (size_ + queue) / 2; at >= 1; at /= 2) {
            if (again) {
                const std::int32_t before = nodes_[at].winner;
                match(at, now);
                again = before == queue || nodes_[at].winner != before;
            }
            renew_until(at);
        }
    }

    // Decide the matches below a node that are over; whether somebody else wins.
    bool renew(std::int32_t at, Tick now) {
        const std::int32_t before = nodes_[at].winner;
        bool again = nodes_[at].turns <= now;
        for (const std::int32_t child : {2 * at, 2 * at + 1})
            if (child < size_ && nodes_[child].until <= now) again = renew(child, now) || again;
        if (again) match(at, now);
        renew_until(at);
        return nodes_[at].winner != before;
    }

    void renew_until(std::int32_t at) {
        nodes_[at].until = std::min({nodes_[2 * at].until, nodes_[2 * at + 1].until, nodes_[at].turns});
    }

    void match(std::int32_t at, Tick now) {
        const std::int32_t left = nodes_[2 * at].winner, right = nodes_[2 * at + 1].winner;
        Node &node = nodes_[at];
        node.turns = NEVER;
        if (left == NOBODY || right == NOBODY) {
            node.winner = left == NOBODY ? right : left;
            return;
        }
        const Line &one = lines_[left], &two = lines_[right];
        const double high = one.at(now, tick_), low = two.at(now, tick_), lead = high - low;
        const double rates = two.rate - one.rate;
        const double near = NEAR * (std::abs(high) + std::abs(low) + std::abs(one.value) + std::abs(two.value));
        const bool first = std::abs(lead) > near ? lead > 0 : rates <= 0;
        node.winner = first ? left : right;
        if (first ? rates <= 0 : rates >= 0) return;
        const double ticks = std::abs(lead / rates) * per_tick_;
        if (ticks < 0x1p61) node.turns = now + static_cast<Tick>(ticks) + 1;
    }
};

// Which of queues is the first to get other traffic: each match keeps who comes later.
class Earliest {
   public:
    void begin(std::int32_t queues) {
        size_ = 1;
        while (size_ < queues) size_ *= 2;
        nodes_.assign(static_cast<std::size_t>(2 * size_), {NEVER, 0});
    }

    void expect(std::int32_t queue, Tick time) { nodes_[size_ + queue] = {time, queue}; }

    void order() {
        std::int32_t at = size_ - 1;
        for (; at >= 1; --at) nodes_[at] = earlier(nodes_[2 * at], nodes_[2 * at + 1]);
        first_ = nodes_[1];
        for (at = 1; at < size_; ++at) nodes_[at] = later(nodes_[2 * at], nodes_[2 * at + 1]);
    }

    // The first one comes at another time, next.
    void renew(Tick time) {
        Node node{time, first_.queue};
        for (std::int32_t at = (size_ + static_cast<std::int32_t>(node.queue)) / 2; at >= 1; at /= 2) {
            Node &other = nodes_[at];
            const std::int64_t beaten = -static_cast<std::int64_t>(other.time < node.time);  // all bits, or none
            const std::int64_t times = (node.time ^ other.time) & beaten, queues = (node.queue ^ other.queue) & beaten;
            node.time ^= times, other.time ^= times, node.queue ^= queues, other.queue ^= queues;
        }
        first_ = node;
    }

    Tick time() const { return first_.time; }
    std::int32_t who() const { return static_cast<std::int32_t>(first_.queue); }

   private:
    struct Node {
        Tick time;
        std::int64_t queue;
    };
    std::int32_t size_ = 1;
    std::vector<Node> nodes_;
    Node first_{NEVER, 0};

    static const Node &earlier(const Node &one, const Node &two) { return two.time < one.time ? two : one; }
    static const Node &later(const Node &one, const Node &two) { return two.time < one.time ? one : two; }
};

// All of this for many queues; Few (few.hpp) is the same for few.
class Many {
   public:
    void begin(std::int32_t queues, double tick) {
        below_.begin(queues, tick), above_.begin(queues, tick), tick_ = tick, per_tick_ = 1 / tick;
        for (Least *each : {&levels_, &falls_, &rises_}) each->begin(queues);
    }

    // ---- queues that move: along a line, which meets F, and until they are empty or meet what does not move

    void put(std::int32_t queue, bool below, const Line &line, double level, Tick now) {
        if (line.value > -INF) (below ? below_ : above_).put(queue, line, now);
        levels_.set(queue, level);
    }

    void withdraw(std::int32_t queue, bool below, Tick now) { (below ? below_ : above_).take(queue, now); }

    void take(std::int32_t queue, bool below, Tick now) { withdraw(queue, below, now), levels_.set(queue, INF); }

    // When a queue that moves is the next to do something, if that is before `next`.
    Tick next(double free, double slope, double near, Tick now, Tick next) {
        const std::int32_t first = below_.winner(now);
        near_ = first != Highest::NOBODY && free - below_.value(first, now) <= near;
        meets_ = false;
        if (levels_.least() < static_cast<double>(next)) next = std::max(now, static_cast<Tick>(levels_.least()));
        if (above_.winner(now) != Highest::NOBODY) {
            const Tick until = std::min(next, above_.until());
            next = meeting(above_, -free, -slope, now, now, until);
            meets_ = next < until;
        }
        for (Tick at = now; below_.winner(at) != Highest::NOBODY; at = below_.until()) {
            const Tick until = std::min(below_.until(), next), found = meeting(below_, free, slope, now, at, until);
            meets_ = meets_ || found < until;
            if (found < until || until == next) return found;
        }
        return next;
    }

    bool nears() const { return near_; }  // of `next`: whether one of those below was as near to F as it was told
    bool meets() const { return meets_; }

    // Those that may meet F within some distance.
    template <class Take>
    void each_near(double free, double within, Tick now, Take take) {
        if (below_.winner(now) != Highest::NOBODY) below_.each(free - within, now, take);
    }

    template <class Take>
    void each_meeting(double free, double within, Tick now, Take take) {
        each_near(free, within + 2 * below_.fastest() * tick_, now, take);
        if (above_.winner(now) != Highest::NOBODY) above_.each(-free - within - 2 * above_.fastest() * tick_, now, take);
    }

    // Those that are empty now, or meet what does not move.
    template <class Take>
    void each_level(Tick now, Take take) const {
        levels_.each(static_cast<double>(now), take);
    }

    // ---- queues on their thresholds

    void hold(std::int32_t queue, double fall, double rise) { falls_.set(queue, fall), rises_.set(queue, rise); }
    void release(std::int32_t queue) { hold(queue, INF, INF); }
    bool follow(double slope) const { return falls_.least() >= -slope && rises_.least() > slope; }

    template <class Take>
    void each_fall(double border, Take take) const {
        falls_.each(border, take);
    }
    template <class Take>
    void each_rise(double border, Take take) const {
        rises_.each(border, take);
    }

   private:
    Highest below_, above_;
    Least levels_, falls_, rises_;
    double tick_ = 0, per_tick_ = 0;
    bool near_ = false, meets_ = false;

    // When the line that is the highest at an instant meets F, if that is before another one.
    Tick meeting(Highest &lines, double free, double slope, Tick now, Tick at, Tick until) const {
        const std::int32_t first = lines.winner(at);
        const double gap = free + slope * (static_cast<double>(at - now) * tick_) - lines.value(first, at);
        const double closing = lines.line(first).rate - slope;
        if (!(closing > 0)) return until;
        const double wait = std::max(gap / closing, 0.0) * per_tick_;
        return wait < static_cast<double>(until - at) ? at + std::llrint(wait) : until;
    }
};

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

}  // namespace
