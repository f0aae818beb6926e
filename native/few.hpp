// Which of few queues is the first to do something: all that move are looked at in every event, several at a time.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "lines.hpp"

namespace {

// Some numbers at once: what every processor of 64 bits has.
using Pack = double __attribute__((vector_size(16)));

using Bits = std::int64_t __attribute__((vector_size(16)));

inline Pack pack_of(double value) { return Pack{value, value}; }
inline Pack lesser(Pack one, Pack two) { return one < two ? one : two; }
inline double least_of(Pack pack) { return std::min(pack[0], pack[1]); }
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
    const double *column(std::size_t c) const { return numbers_.data() + c * room_; }
    double *column(std::size_t c) { return numbers_.data() + c * room_; }
    std::int32_t number() const { return (number_ + STEP - 1) / STEP * STEP; }  // and those behind the last
    std::int32_t who(std::int32_t place) const { return who_[place]; }

    // Call with the place of every pack of rows, two for each step.
    template <class Look>
    void each_pack(Look look) const {
        for (std::int32_t k = 0; k < number_; k += STEP) look(k, 0), look(k + STEP / 2, 1);
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
        tick_ = tick, per_tick_ = 1 / tick, epoch_ = 0, since_ = 0, fastest_ = widest_ = 0;
        for (Group *group : {&below_, &above_}) group->begin(queues, {-INF, 0, INF, INF});
        on_.begin(queues, {INF, INF});
        if (lines_.size() < static_cast<std::size_t>(queues)) lines_.resize(static_cast<std::size_t>(queues));
        if (found_.size() <= static_cast<std::size_t>(queues)) found_.resize(static_cast<std::size_t>(queues) + 1);
    }

    // ---- queues that move: along a line, which meets F, and until they are empty or meet what does not move

    void put(std::int32_t queue, bool below, const Line &line, double level, Tick now) {
        lines_[queue] = line;
        if (line.value > -INF) {
            fastest_ = std::max(fastest_, std::abs(line.rate)), widest_ = std::max(widest_, std::abs(line.value));
            see(now);
        }
        (below ? below_ : above_).put(queue, {at_epoch(line), line.rate, level, INF});
    }

    void withdraw(std::int32_t queue, bool below, Tick) {
        Group &group = below ? below_ : above_;
        group.at(VALUE, queue) = -INF, group.at(RATE, queue) = 0;
    }

    void take(std::int32_t queue, bool below, Tick) { (below ? below_ : above_).take(queue); }

    // When a queue that moves is the next to do something, if that is before `until`.
    Tick next(double free, double slope, Tick now, Tick until) {
        see(now);
        level_ = INF, first_.clear();
        const double up = look(below_, free, slope), down = look(above_, -free, -slope);
        if (level_ < static_cast<double>(until)) until = std::max(now, static_cast<Tick>(level_));
        const double wait = std::max(std::min(up, down), 0.0), latest = wait * (1 + 0x1p-40) + 4 * tick_;
        if (!(wait * per_tick_ < static_cast<double>(until - now))) return until;
        Tick first = NEVER;
        if (up <= latest) first = meeting(below_, latest, free, slope, now);
        if (down <= latest) first = std::min(first, meeting(above_, latest, -free, -slope, now));
        if (first >= until) first_.clear();
        return std::min(first, until);
    }

    double gap() const { return gap_; }  // of `next`: how far the highest line of those below was from F
    bool meets() const { return !first_.empty(); }

    // What is rounded there when lines are moved to the epoch, and from there to now.
    double blur() const { return 0x1p-48 * (widest_ + fastest_ * since_); }

    // Those that may meet F within some distance.
    template <class Take>
    void each_near(double free, double within, Tick now, Take take) {
        see(now);
        near(below_, free, within, take);
    }

    // Those that `next` found to be the first; others that come within the same tick come in a phase of no time.
    template <class Take>
    void each_meeting(double, double, Tick, Take take) const {
        for (const std::int32_t queue : first_) take(queue);
    }

    // Those that are empty now, or meet what does not move.
    template <class Take>
    void each_level(Tick now, Take take) {
        const auto border = static_cast<double>(now);
        if (level_ > border) return;
        for (const Group *group : {&below_, &above_})
            each_of(*group, [=](std::int32_t k) { return group->column(LEVEL)[k] <= border; }, take);
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
    void each_fall(double border, Take take) {
        each_of(on_, [=](std::int32_t k) { return on_.column(0)[k] <= border; }, take);
    }
    template <class Take>
    void each_rise(double border, Take take) {
        each_of(on_, [=](std::int32_t k) { return on_.column(1)[k] <= border; }, take);
    }

   private:
    // A line as from one instant for all, the epoch; when the queue is empty; how long until it meets F.
    enum : std::size_t { VALUE, RATE, LEVEL, WAIT };
    using Group = Rows<4>;
    Group below_, above_;
    Rows<2> on_;
    std::vector<Line> lines_;
    std::vector<std::int32_t> found_, first_;
    double tick_ = 0, per_tick_ = 0, since_ = 0, fastest_ = 0, widest_ = 0, gap_ = INF, level_ = INF;
    Tick epoch_ = 0;

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

    double look(Group &group, double free, double slope) {
        const double *values = group.column(VALUE), *rates = group.column(RATE), *levels = group.column(LEVEL), since = since_;
        double *waits = group.column(WAIT);
        Pack wait[] = {pack_of(INF), pack_of(INF)}, near[] = {wait[0], wait[0]}, level[] = {wait[0], wait[0]};
        group.each_pack([&](std::int32_t k, int h) {
            const Pack rate = loaded(rates + k), gap = free - (loaded(values + k) + rate * since), closing = rate - slope;
            const Pack each = reinterpret_cast<Pack>(reinterpret_cast<Bits>(gap / closing) | (closing <= 0));  // or NaN
            std::memcpy(waits + k, &each, sizeof each);
            wait[h] = lesser(each, wait[h]), near[h] = lesser(gap, near[h]), level[h] = lesser(loaded(levels + k), level[h]);
        });
        if (&group == &below_) gap_ = least_of(lesser(near[0], near[1]));
        level_ = std::min(level_, least_of(lesser(level[0], level[1])));
        return least_of(lesser(wait[0], wait[1]));
    }

    // When the first lines meet F, each from where it began.
    Tick meeting(const Group &group, double latest, double free, double slope, Tick now) {
        const double *waits = group.column(WAIT);
        double first = INF;
        each_of(group, [=](std::int32_t k) { return waits[k] <= latest; }, [&](std::int32_t queue) {
            const Line &line = lines_[queue];
            first = std::min(first, (free - line.at(now, tick_)) / (line.rate - slope));
            first_.push_back(queue);
        });
        return first * per_tick_ < 0x1p61 ? now + std::max<Tick>(std::llrint(first * per_tick_), 0) : NEVER;
    }

    template <class Take>
    void near(const Group &group, double free, double within, Take take) {
        const double *values = group.column(VALUE), *rates = group.column(RATE), border = within + blur(), since = since_;
        each_of(group, [=](std::int32_t k) { return free - (values[k] + rates[k] * since) <= border; }, take);
    }

    // Those of which something is true; no processor foretells which, so that nothing branches before all are known.
    template <class Table, class Test, class Take>
    void each_of(const Table &rows, Test test, Take take) {
        std::int32_t found = 0, *into = found_.data();
        for (std::int32_t k = 0; k < rows.number(); ++k) into[found] = rows.who(k), found += test(k);
        for (std::int32_t k = 0; k < found; ++k) take(into[k]);
    }
};

}  // namespace
