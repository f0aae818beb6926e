// Which of many queues is the first to do something, in the logarithm of their number.

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "batch.hpp"

namespace {

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
