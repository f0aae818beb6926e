// A queue in one piece of memory, first in first out; single elements can leave from its middle.

#pragma once

#include <cstddef>
#include <vector>

namespace {

template <class Each>
class Ring {
   public:
    bool empty() const { return number_ == 0; }
    std::size_t size() const { return number_; }
    const Each &front() const { return kept_[head_]; }
    const Each &back() const { return (*this)[number_ - 1]; }
    const Each &operator[](std::size_t rank) const { return kept_[place(rank)]; }

    void push(const Each &each) {
        if (number_ == kept_.size()) grow();
        kept_[place(number_++)] = each;
    }

    Each pop() {
        const std::size_t first = head_;
        head_ = place(1), --number_;
        return kept_[first];
    }

    Each pop_back() { return kept_[place(--number_)]; }

    void remove(std::size_t rank) {
        for (--number_; rank < number_; ++rank) kept_[place(rank)] = kept_[place(rank + 1)];
    }

   private:
    std::vector<Each> kept_;  // as many as a power of two
    std::size_t head_ = 0, number_ = 0;

    std::size_t place(std::size_t rank) const { return (head_ + rank) & (kept_.size() - 1); }

    void grow() {
        std::vector<Each> larger(kept_.empty() ? 8 : 2 * kept_.size());
        for (std::size_t k = 0; k < number_; ++k) larger[k] = (*this)[k];
        kept_.swap(larger), head_ = 0;
    }
};

}  // namespace
