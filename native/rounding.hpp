// How far rounding may have led a run of complete sharing astray, and where that could matter.
//
// All lengths together are at most B, so that an event rounds them by little more than B 2^-53 in sum, however many they
// are; an instant that is rounded moves the queue alone that changes there.

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

    void begin(double buffer) {
        one_ = buffer * 0x1p-52, events_ = 128, speed_ = late_ = slack = 0;
        near_.clear();
        count(0);
    }

    // One event more, after a phase.
    void count(double step) {
        late_ += step * speed_ * 0x1p-50;
        bound = late_ + one_ * static_cast<double>(++events_);
    }

    // A queue changes its speed at an instant that is rounded.
    void turn(double speed, double time) { late_ += std::abs(speed) * time * 0x1p-52; }

    static void decide(double difference, double scale) {
        if (!(std::abs(difference) > CERTAIN * std::abs(scale))) throw Undecided{UNDECIDED_NEXT};
    }

    // What all queues are offered and send.
    void churn(double rates) { speed_ = rates; }

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
    std::int64_t events_ = 0;
    std::vector<Note> near_;
};

}  // namespace
