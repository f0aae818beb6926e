// Which of few queues is the first to do something: all that move are looked at in every event, several at a time.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "lines.hpp"

namespace {

// Some numbers at once: what every processor of 64 bits has.
using Pack = double __attribute__((vector_size(16)));

using Bits = std::int64_t __attribute__((vector_size(16)));

inline Pack pack_of(double value) { return Pack{value, value}; }
#ifdef __SSE2__
inline Pack lesser(Pack one, Pack two) { return _mm_min_pd(one, two); }
inline Pack greater(Pack one, Pack two) { return _mm_max_pd(one, two); }
inline unsigned which(Bits bits) { return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<Pack>(bits))); }
#else
inline Pack lesser(Pack one, Pack two) { return one < two ? one : two; }
inline Pack greater(Pack one, Pack two) { return one > two ? one : two; }
inline unsigned which(Bits bits) { return static_cast<unsigned>((bits[0] & 1) | (bits[1] & 2)); }
#endif
inline double least_of(Pack pack) { return std::min(pack[0], pack[1]); }
inline double most_of(Pack pack) { return std::max(pack[0], pack[1]); }
inline Pack loaded(const double *from) {
    Pack pack;
    std::memcpy(&pack, from, sizeof pack);
    return pack;
}

// Columns of numbers of some queues, without gaps; behind the last stand numbers that change nothing.
template <std::size_t COLUMNS>
class Rows {
   public:
    using Row = std::array<double, COLUMNS>;
    static constexpr std::int32_t ABSENT = -1;

    void begin(std::int32_t queues, const Row &nothing) {
        room_ = (static_cast<std::size_t>(queues) + STEP - 1) / STEP * STEP;
        nothing_ = nothing, number_ = 0;
        if (numbers_.size() < COLUMNS * room_) numbers_.resize(COLUMNS * room_);
        if (who_.size() < room_) who_.resize(room_), places_.resize(room_);
        for (std::size_t c = 0; c < COLUMNS; ++c) std::fill_n(column(c), room_, nothing[c]);
        std::fill_n(places_.begin(), room_, ABSENT);
    }

    void put(std::int32_t queue, const Row &row) {
        std::int32_t &place = places_[queue];
        if (place == ABSENT) who_[number_] = queue, place = number_++;
        for (std::size_t c = 0; c < COLUMNS; ++c) column(c)[place] = row[c];
    }

    void take(std::int32_t queue) {
        const std::int32_t place = places_[queue], last = --number_;
        who_[place] = who_[last], places_[who_[place]] = place, places_[queue] = ABSENT;
        for (std::size_t c = 0; c < COLUMNS; ++c) column(c)[place] = column(c)[last], column(c)[last] = nothing_[c];
    }

    double &at(std::size_t c, std::int32_t queue) { return column(c)[places_[queue]]; }
    bool has(std::int32_t queue) const { return places_[queue] != ABSENT; }
    const double *column(std::size_t c) const { return numbers_.data() + c * room_; }
    double *column(std::size_t c) { return numbers_.data() + c * room_; }
    std::int32_t number() const { return number_; }
    std::int32_t who(std::int32_t place) const { return who_[place]; }

    // Call with the place of every pack of rows, two for each step; behind the last stand numbers that change nothing.
    template <class Look>
    void each_pack(Look look) const {
        for (std::int32_t k = 0; k < number_; k += STEP) look(k, 0), look(k + STEP / 2, 1);
    }

    // Those of whose rows something is true.
    template <class Test, class Take>
    void each_of(Test test, Take take) const {
        for (std::int32_t k = 0; k < number_; k += STEP)
            for (unsigned found = which(test(k)) | which(test(k + STEP / 2)) << STEP / 2; found; found &= found - 1)
                take(who_[k + __builtin_ctz(found)]);
    }

   private:
    static constexpr std::int32_t STEP = 4;
    Row nothing_{};
    std::vector<double> numbers_;
    std::vector<std::int32_t> who_, places_;
    std::size_t room_ = 0;
    std::int32_t number_ = 0;
};

class Few {
   public:
    void begin(std::int32_t queues, double tick) {
        tick_ = tick, per_tick_ = 1 / tick, epoch_ = 0, since_ = 0, fastest_ = widest_ = 0, level_ = INF;
        for (Group *group : {&below_, &above_}) group->begin(queues, {-INF, 0, INF});
        on_.begin(queues, {INF, INF});
        if (lines_.size() < static_cast<std::size_t>(queues)) lines_.resize(static_cast<std::size_t>(queues));
        meetings_.begin(queues), first_.begin(queues);
    }

    // ---- queues that move: along a line, which meets F, and until they are empty or meet what does not move

    void put(std::int32_t queue, bool below, const Line &line, double level, Tick now) {
        Group &group = below ? below_ : above_;
        lines_[queue] = line;
        if (line.value > -INF) {
            fastest_ = std::max(fastest_, std::abs(line.rate)), widest_ = std::max(widest_, std::abs(line.value));
            see(now);
        }
        if (group.has(queue) && group.at(LEVEL, queue) == level_) level_ = NONE;
        else level_ = level < level_ ? level : level_;
        group.put(queue, {at_epoch(line), line.rate, level});
    }

    void withdraw(std::int32_t queue, bool below, Tick) {
        Group &group = below ? below_ : above_;
        group.at(VALUE, queue) = -INF, group.at(RATE, queue) = 0;
    }

    void take(std::int32_t queue, bool below, Tick) {
        Group &group = below ? below_ : above_;
        if (group.at(LEVEL, queue) == level_) level_ = NONE;
        group.take(queue);
    }

    // When a queue that moves is the next to do something, if that is before `until`. Who meets F by then lies on it or
    // beyond it there: only for those it is found out when, each from where its own line began.
    Tick next(double free, double slope, double near, Tick now, Tick until) {
        see(now);
        const double level = least_level();
        if (level < static_cast<double>(until)) until = std::max(now, static_cast<Tick>(level));
        const double span = static_cast<double>(until - now) * tick_, there = free + slope * span;
        const double off = 0x1p-48 * (widest_ + fastest_ * (since_ + span) + std::abs(free) + std::abs(slope) * span);
        const double below = highest(below_, since_ + span), above = highest(above_, since_ + span);
        near_ = near > -INF && free - highest(below_, since_) <= near + blur();
        meetings_.clear(), first_.clear();
        if (below >= there - off) meet(below_, free, slope, there - off, now, span);
        if (above >= -there - off) meet(above_, -free, -slope, -there - off, now, span);
        double wait = INF;
        for (const Meeting &each : meetings_) wait = std::min(wait, each.wait);
        wait = std::max(wait, 0.0);
        if (!(wait * per_tick_ < static_cast<double>(until - now))) return until;
        const Tick first = now + std::llrint(wait * per_tick_);
        if (first >= until) return until;
        for (const Meeting &each : meetings_)
            if (each.wait <= wait * (1 + 0x1p-40) + 4 * tick_) first_.add(each.queue);
        return first;
    }

    bool nears() const { return near_; }  // of `next`: whether one of those below was as near to F as it was told
    bool meets() const { return !first_.empty(); }

    // What is rounded there when lines are moved to the epoch, and from there to now.
    double blur() const { return 0x1p-48 * (widest_ + fastest_ * since_); }

    // Those that may meet F within some distance.
    template <class Take>
    void each_near(double free, double within, Tick now, Take take) {
        see(now);
        const double border = within + blur();
        below_.each_of([&](std::int32_t k) { return free - heights(below_, k, since_) <= border; }, take);
    }

    // Those that `next` found to be the first; others that come within the same tick come in a phase of no time.
    template <class Take>
    void each_meeting(double, double, Tick, Take take) const {
        for (const std::int32_t queue : first_) take(queue);
    }

    // Those that are empty now, or meet what does not move.
    template <class Take>
    void each_level(Tick now, Take take) const {
        const Pack border = pack_of(static_cast<double>(now));
        if (level_ > border[0]) return;
        for (const Group *group : {&below_, &above_})
            group->each_of([=](std::int32_t k) { return loaded(group->column(LEVEL) + k) <= border; }, take);
    }

    // ---- queues on their thresholds

    void hold(std::int32_t queue, double fall, double rise) { on_.put(queue, {fall, rise}); }
    void release(std::int32_t queue) { on_.take(queue); }

    bool follow(double slope) const {
        Pack falls[] = {pack_of(INF), pack_of(INF)}, rises[] = {pack_of(INF), pack_of(INF)};
        on_.each_pack([&](std::int32_t k, int h) {
            falls[h] = lesser(falls[h], loaded(on_.column(0) + k)), rises[h] = lesser(rises[h], loaded(on_.column(1) + k));
        });
        return least_of(lesser(falls[0], falls[1])) >= -slope && least_of(lesser(rises[0], rises[1])) > slope;
    }

    template <class Take>
    void each_fall(double border, Take take) const {
        on_.each_of([=](std::int32_t k) { return loaded(on_.column(0) + k) <= pack_of(border); }, take);
    }
    template <class Take>
    void each_rise(double border, Take take) const {
        on_.each_of([=](std::int32_t k) { return loaded(on_.column(1) + k) <= pack_of(border); }, take);
    }

   private:
    // A line as from one instant for all, the epoch; when the queue is empty.
    enum : std::size_t { VALUE, RATE, LEVEL };
    using Group = Rows<3>;
    struct Meeting {
        std::int32_t queue;
        double wait;
    };
    Group below_, above_;
    Rows<2> on_;
    std::vector<Line> lines_;
    List<Meeting> meetings_;
    List<std::int32_t> first_;
    double tick_ = 0, per_tick_ = 0, since_ = 0, fastest_ = 0, widest_ = 0;
    double level_ = INF;  // the least of all; no number: one that had it has left
    Tick epoch_ = 0;
    bool near_ = false;

    double at_epoch(const Line &line) const { return line.at(epoch_, tick_); }

    // Let no line be further from the epoch than lines are high.
    void see(Tick now) {
        since_ = static_cast<double>(now - epoch_) * tick_;
        if (fastest_ * since_ <= widest_) return;
        epoch_ = now, since_ = 0;
        for (Group *group : {&below_, &above_})
            for (std::int32_t k = 0; k < group->number(); ++k)
                if (group->column(VALUE)[k] > -INF) group->column(VALUE)[k] = at_epoch(lines_[group->who(k)]);
    }

    double least_level() {
        if (level_ == level_) return level_;
        Pack least[] = {pack_of(INF), pack_of(INF)};
        for (const Group *group : {&below_, &above_})
            group->each_pack([&](std::int32_t k, int h) { least[h] = lesser(loaded(group->column(LEVEL) + k), least[h]); });
        return level_ = least_of(lesser(least[0], least[1]));
    }

    static Pack heights(const Group &group, std::int32_t k, double since) {
        return loaded(group.column(VALUE) + k) + loaded(group.column(RATE) + k) * since;
    }

    static double highest(const Group &group, double since) {
        Pack most[] = {pack_of(-INF), pack_of(-INF)};
        group.each_pack([&](std::int32_t k, int h) { most[h] = greater(heights(group, k, since), most[h]); });
        return most_of(greater(most[0], most[1]));
    }

    // How long those take to meet F that are as high as that at the end of a span, or as rounding can tell.
    void meet(const Group &group, double free, double slope, double border, Tick now, double span) {
        const double later = since_ + span;
        group.each_of([&](std::int32_t k) { return heights(group, k, later) >= border; }, [&](std::int32_t queue) {
            const Line &line = lines_[queue];
            if (line.rate > slope) meetings_.add({queue, (free - line.at(now, tick_)) / (line.rate - slope)});
        });
    }

};

}  // namespace
