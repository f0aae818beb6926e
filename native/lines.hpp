// Which of many queues is the first to reach a number or an instant, in the logarithm of their number; and sums that stay
// exact.

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "batch.hpp"
#include "least.hpp"

namespace {

constexpr double EACH = 0x1p-51;  // four roundings

// Take those out of a list of which something is true.
template <class Each, class Test>
void drop(std::vector<Each> &list, Test test) {
    list.erase(std::remove_if(list.begin(), list.end(), test), list.end());
}

// A number that changes at a constant rate.
struct Line {
    Tick begin;
    double value, rate;

    double at(Tick now, double tick) const { return value + rate * (static_cast<double>(now - begin) * tick); }
};

// Which of queues is the first to get other traffic: each match keeps who comes later.
class Earliest {
   public:
    void begin(std::int32_t queues) {
        size_ = 1;
        while (size_ < queues) size_ *= 2;
        if (nodes_.size() < static_cast<std::size_t>(2 * size_)) nodes_.resize(static_cast<std::size_t>(2 * size_));
        for (std::int32_t at = size_ + queues; at < 2 * size_; ++at) nodes_[at] = {NEVER, 0};
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
