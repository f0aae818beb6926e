// How far rounding may have led a run astray, and where that could matter: dtmodel/fluid/rounding.py.

#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "batch.hpp"

namespace {

class Rounding {
   public:
    // What happens at an instant: queues of one kind may do the same thing together, for they round alike.
    using What = std::pair<int, std::int64_t>;
    enum : int { LEVEL, FULL, GIVEN };

    double bound = 0, slack = 0;  // of lengths now, in bytes, and of the instant of the last event, in seconds

    void begin(double buffer, std::int32_t queues) {
        one_ = buffer * 0x1p-49, queues_ = queues, events_ = 0, speed_ = late_ = slack = 0;
        near_.clear();
        count(0);
    }

    // One event more, at a time that is rounded while everything moves on.
    void count(double time) {
        late_ += time * speed_ * 0x1p-52;
        bound = late_ + one_ * (32 + static_cast<double>(queues_) * static_cast<double>(++events_));
    }

    static void decide(double difference, double scale) {
        if (!(std::abs(difference) > CERTAIN * std::abs(scale))) throw Undecided{UNDECIDED_NEXT};
    }

    // The sum of the speeds of all queues, and what the rounding of an instant moves.
    void churn(double free_slope, double slopes) { speed_ = std::abs(free_slope) + slopes; }

    void note(double instant, double wait, double speed, What what) {
        near_.push_back({instant, bound / std::abs(speed) + 2 * wait * CERTAIN, what});
    }

    void note_instant(double instant, double blur, What what) { near_.push_back({instant, blur, what}); }

    // See that it is certain what happens at `time`, and nothing else.
    void first(double time) {
        const What *name = nullptr;
        bool several = false;
        slack = 0;
        for (const Note &note : near_) {
            if (note.instant != time) continue;
            several = several || (name && *name != note.what);
            name = &note.what, slack = std::max(slack, note.slack);
        }
        bool certain = name && !several && slack < INF;
        const double latest = time * (1 + CERTAIN) + slack;
        for (const Note &note : near_) certain = certain && (note.instant == time || note.instant - note.slack > latest);
        near_.clear();
        if (!certain) throw Undecided{UNDECIDED_NEXT};
    }

    static constexpr double CERTAIN = 0x1p-36;

   private:
    struct Note {
        double instant, slack;
        What what;
    };
    double one_ = 0, speed_ = 0, late_ = 0;
    std::int64_t queues_ = 0, events_ = 0;
    std::vector<Note> near_;
};

}  // namespace
