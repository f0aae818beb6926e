// The schedulers of a port: strict priority of the first queues, over strict priority, weights or deficits of the others.

#pragma once

#include <vector>

#include "rules.hpp"
#include "transport.hpp"

namespace {

enum Scheduling : Int { STRICT, WEIGHTED, DEFICIT };

// A scheduler and the shares of the queues after the `strict` ones.
struct Shares {
    const Scheduling kind;
    const std::size_t strict;
    const std::vector<Int> of;
};

// The state of the scheduler of one port. Turns count from the first queue after the strict ones.
class Turns {
   public:
    explicit Turns(const Shares &shares) : shares_(&shares), deficits_(shares.of.size()), credit_(shares.of[0]) {}

    // The queue that is served next; their number if all are empty.
    std::size_t pick(const Place *places) {
        const std::size_t queues = shares_->strict + shares_->of.size();
        std::size_t first = 0;
        while (first < queues && places[first].waiting.empty()) ++first;
        if (first == queues || first < shares_->strict || shares_->kind == STRICT) return first;
        const Place *rest = places + shares_->strict;
        return shares_->strict + (shares_->kind == WEIGHTED ? by_weight(rest) : by_deficit(rest));
    }

   private:
    const Shares *shares_;
    std::vector<Int> deficits_;
    std::size_t turn_ = 0;
    Int credit_;
    bool added_ = false;

    void pass() { turn_ = (turn_ + 1) % shares_->of.size(); }

    std::size_t by_weight(const Place *places) {
        while (places[turn_].waiting.empty() || credit_ == 0) pass(), credit_ = shares_->of[turn_];
        --credit_;
        return turn_;
    }

    std::size_t by_deficit(const Place *places) {
        for (;; pass(), added_ = false) {
            const std::deque<Packet *> &line = places[turn_].waiting;
            if (line.empty()) continue;
            Int &deficit = deficits_[turn_];
            if (!added_) deficit += shares_->of[turn_];
            added_ = true;
            if (deficit < line.front()->size) continue;
            deficit = line.size() == 1 ? 0 : deficit - line.front()->size;
            return turn_;
        }
    }
};

// The rounds of one port for MQ-ECN: what dtmodel/network/rounds.py does.
class Rounds {
   public:
    Rounds(const Int *quanta, const Int rate[2], Int trip, std::size_t queues)
        : quanta_(quanta), rate_(rate), trip_(trip), begun_(trip < 0 ? 0 : queues, -1) {}

    void serve(std::size_t queue, Int size, Int now, bool last) {
        if (trip_ < 0) return;
        if (queue != turn_ || sent_ >= quanta_[queue]) begin(queue, now);
        sent_ += size;
        if (last) begun_[queue] = -1;
    }

    void idle() { time_ = 0; }

    bool marks(std::size_t queue, Int length) const {
        if (trip_ < 0) return false;
        const Wide many = length;
        return (time_ != 0 && many * time_ > static_cast<Wide>(quanta_[queue]) * trip_) ||
               many * SECOND * rate_[1] > static_cast<Wide>(rate_[0]) * trip_;
    }

   private:
    const Int *quanta_, *rate_;
    Int trip_, time_ = 0, sent_ = 0;
    std::size_t turn_ = ~std::size_t{0};
    std::vector<Int> begun_;  // instants; negative: the queue was empty since

    void begin(std::size_t queue, Int now) {
        if (begun_[queue] >= 0) {
            const Int sample = now - begun_[queue];
            time_ = time_ != 0 ? (3 * time_ + sample) / 4 : sample;
        }
        turn_ = queue, sent_ = 0, begun_[queue] = now;
    }
};

}  // namespace
