// Which of many is the first to reach a number or an instant, in the logarithm of their number.

#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

// The least of numbers that change one at a time; of all numbers the largest, or INF, where there is none.
template <class Number>
class Least {
   public:
    void begin(std::size_t queues) {
        size_ = 1;
        while (size_ < queues) size_ *= 2;
        values_.assign(2 * size_, NOTHING);
    }

    void set(std::size_t queue, Number value) {
        std::size_t at = size_ + queue;
        values_[at] = value;
        while (at > 1) {
            const Number least = std::min(values_[at], values_[at ^ 1]);
            at /= 2;
            if (values_[at] == least) return;
            values_[at] = least;
        }
    }

    void take(std::size_t queue) { set(queue, NOTHING); }
    bool has(std::size_t queue) const { return values_[size_ + queue] < NOTHING; }
    Number least() const { return values_[1]; }

    std::size_t who() const {  // of equal ones the first
        std::size_t at = 1;
        while (at < size_) at = 2 * at + (values_[2 * at] != values_[at]);
        return at - size_;
    }

    // Those whose numbers lie below a border, or on it.
    template <class Take>
    void each(Number border, Take take, std::size_t at = 1) const {
        if (!(values_[at] <= border) || values_[at] == NOTHING) return;
        if (at >= size_) return take(static_cast<std::int32_t>(at - size_));
        each(border, take, 2 * at);
        each(border, take, 2 * at + 1);
    }

   private:
    static constexpr Number NOTHING = std::numeric_limits<Number>::has_infinity ? std::numeric_limits<Number>::infinity()
                                                                               : std::numeric_limits<Number>::max();
    std::size_t size_ = 1;
    std::vector<Number> values_;
};

}  // namespace
