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
