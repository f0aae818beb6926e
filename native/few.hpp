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
inline unsigned which(Bits bits) { return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<Pack>(bits))); }
#else
inline Pack lesser(Pack one, Pack two) { return one < two ? one : two; }
inline unsigned which(Bits bits) { return static_cast<unsigned>((bits[0] & 1) | (bits[1] & 2)); }
#endif
inline double least_of(Pack pack) { return std::min(pack[0], pack[1]); }
inline Pack loaded(const double *from) {
    Pack pack;
    std::memcpy(&pack, from, sizeof pack);
    return pack;
}

// Some numbers of each of some queues, without gaps, in blocks of four packs for each of the numbers; behind the last
// queue stand numbers that change nothing.
template <std::size_t COLUMNS>
class Rows {
   public:
    using Row = std::array<double, COLUMNS>;
    static constexpr std::int32_t ABSENT = -1, BLOCK = 8;

    void begin(std::int32_t queues, const Row &nothing) {
        const std::size_t room = (static_cast<std::size_t>(queues) + BLOCK - 1) / BLOCK * BLOCK;
        nothing_ = nothing, number_ = 0;
        if (who_.size() < room) numbers_.resize(COLUMNS * room), who_.resize(room), places_.resize(room);
        std::fill_n(places_.begin(), room, ABSENT);
    }

    void put(std::int32_t queue, const Row &row) {
        std::int32_t &place = places_[queue];
        if (place == ABSENT) {
            if (number_ % BLOCK == 0) clear(row_at(number_));
            who_[number_] = queue, place = number_++;
        }
        write(row_at(place), row);
    }

    void take(std::int32_t queue) {
        const std::int32_t place = places_[queue], last = --number_;
        who_[place] = who_[last], places_[who_[place]] = place, places_[queue] = ABSENT;
        double *to = row_at(place), *from = row_at(last);
        for (std::size_t c = 0; c < COLUMNS; ++c) to[c * BLOCK] = from[c * BLOCK];
        write(from, nothing_);
    }

    bool has(std::int32_t queue) const { return places_[queue] != ABSENT; }
    double &at(std::size_t c, std::int32_t queue) { return in(c, places_[queue]); }
    double &in(std::size_t c, std::int32_t place) { return row_at(place)[c * BLOCK]; }
    std::int32_t number() const { return number_; }
    std::int32_t who(std::int32_t place) const { return who_[place]; }

    // The least number in a column.
    double least(std::size_t c) const {
        Pack one = pack_of(INF), two = one;
        for (std::int32_t k = 0; k < number_; k += BLOCK) {
            const double *block = block_at(k) + c * BLOCK;
            one = lesser(lesser(loaded(block), loaded(block + 2)), one);
            two = lesser(lesser(loaded(block + 4), loaded(block + 6)), two);
        }
        return least_of(lesser(one, two));
    }

    // The places of those of whose rows something is true; `test` gets a pack of them, column after column.
    template <class Test, class Take>
    void each(Test test, Take take) const {
        for (std::int32_t k = 0; k < number_; k += BLOCK) {
            const double *block = block_at(k);
            const Bits one = test(block), two = test(block + 2), three = test(block + 4), four = test(block + 6);
            if (!which((one | two) | (three | four))) continue;
            for (unsigned found = which(one) | which(two) << 2 | which(three) << 4 | which(four) << 6; found; found &= found - 1)
                take(k + __builtin_ctz(found));
        }
    }

    template <class Test>
    bool any(Test test) const {
        Bits found{};
        for (std::int32_t k = 0; k < number_; k += BLOCK)
            for (std::int32_t pack = 0; pack < BLOCK; pack += 2) found |= test(block_at(k) + pack);
        return which(found) != 0;
    }

   private:
    Row nothing_{};
    std::vector<double> numbers_;
    std::vector<std::int32_t> who_, places_;
    std::int32_t number_ = 0;

    const double *block_at(std::int32_t begin) const { return numbers_.data() + static_cast<std::size_t>(begin) * COLUMNS; }
    double *row_at(std::int32_t place) {
        const auto at = static_cast<std::size_t>(place);
        return numbers_.data() + at / BLOCK * (BLOCK * COLUMNS) + at % BLOCK;
    }
    void clear(double *block) const {
        for (std::size_t c = 0; c < COLUMNS; ++c) std::fill_n(block + c * BLOCK, BLOCK, nothing_[c]);
    }
    static void write(double *to, const Row &row) {
        for (std::size_t c = 0; c < COLUMNS; ++c) to[c * BLOCK] = row[c];
    }
};

class Few {
   public:
    void begin(std::int32_t queues, double tick) {
        tick_ = tick, per_tick_ = 1 / tick, epoch_ = 0, since_ = 0, fastest_ = widest_ = 0;
        level_ = fall_ = rise_ = INF;
        for (Group *group : {&below_, &above_}) group->begin(queues, {-INF, 0, INF});
        on_.begin(queues, {INF, INF});
        if (lines_.size() < static_cast<std::size_t>(queues)) lines_.resize(static_cast<std::size_t>(queues));
        meetings_.begin(queues), first_.begin(queues);
    }

    // ---- queues that move: along a line, which meets F, and until they are empty or meet what does not move

    void put(std::int32_t queue, bool below, const Line &line, double level, Tick now) {
        lines_[queue] = line;
        if (line.value > -INF) {
            fastest_ = std::max(fastest_, std::abs(line.rate)), widest_ = std::max(widest_, std::abs(line.value));
            see(now);
        }
        level_ = std::min(level_, level);
        (below ? below_ : above_).put(queue, {line.at(epoch_, tick_), line.rate, level});
    }

    void withdraw(std::int32_t queue, bool below, Tick) {
        Group &group = below ? below_ : above_;
        group.at(VALUE, queue) = -INF, group.at(RATE, queue) = 0;
    }

    void take(std::int32_t queue, bool below, Tick) { (below ? below_ : above_).take(queue); }

    // When a queue that moves is the next to do something, if that is before `until`. Who meets F by then lies on it or
    // beyond it there: only for those it is found out when, each from where its own line began.
    Tick next(double free, double slope, double near, Tick now, Tick until) {
        see(now);
        if (level_ < static_cast<double>(until)) {
            level_ = std::min(below_.least(LEVEL), above_.least(LEVEL));
            if (level_ < static_cast<double>(until)) until = std::max(now, static_cast<Tick>(level_));
        }
        const double span = static_cast<double>(until - now) * tick_, later = since_ + span, there = free + slope * span;
        const double off = 0x1p-48 * (widest_ + fastest_ * later + std::abs(free) + std::abs(slope) * span);
        near_ = near > -INF && below_.any(Above{free - near - blur(), since_});
        meetings_.clear(), first_.clear();
        double wait = INF;
        below_.each(Above{there - off, later}, [&](std::int32_t at) { meet(below_.who(at), free, slope, now, wait); });
        above_.each(Above{-there - off, later}, [&](std::int32_t at) { meet(above_.who(at), -free, -slope, now, wait); });
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

    // Those that may meet F within some distance.
    template <class Take>
    void each_near(double free, double within, Tick now, Take take) {
        see(now);
        below_.each(Above{free - within - blur(), since_}, [&](std::int32_t place) { take(below_.who(place)); });
    }

    // Those that `next` found to be the first; others that come within the same tick come in a phase of no time.
    template <class Take>
    void each_meeting(double, double, Tick, Take take) const {
        for (const std::int32_t queue : first_) take(queue);
    }

    // Those that are empty now, or meet what does not move.
    template <class Take>
    void each_level(Tick now, Take take) const {
        const double border = static_cast<double>(now);
        if (level_ > border) return;
        each_to(below_, LEVEL, border, take), each_to(above_, LEVEL, border, take);
    }

    // ---- queues on their thresholds

    void hold(std::int32_t queue, double fall, double rise) {
        on_.put(queue, {fall, rise});
        fall_ = std::min(fall_, fall), rise_ = std::min(rise_, rise);
    }

    void release(std::int32_t queue) { on_.take(queue); }

    bool follow(double slope) {
        if (fall_ >= -slope && rise_ > slope) return true;
        fall_ = on_.least(FALL), rise_ = on_.least(RISE);
        return fall_ >= -slope && rise_ > slope;
    }

    template <class Take>
    void each_fall(double border, Take take) const {
        each_to(on_, FALL, border, take);
    }
    template <class Take>
    void each_rise(double border, Take take) const {
        each_to(on_, RISE, border, take);
    }

   private:
    // A line as from one instant for all, the epoch; when the queue is empty.
    enum : std::size_t { VALUE, RATE, LEVEL };
    enum : std::size_t { FALL, RISE };
    using Group = Rows<3>;
    struct Meeting {
        std::int32_t queue;
        double wait;
    };
    // Which lines are at a border or above it, some time after the epoch.
    struct Above {
        double border, since;

        Bits operator()(const double *rows) const {
            return loaded(rows + VALUE * Group::BLOCK) + loaded(rows + RATE * Group::BLOCK) * since >= pack_of(std::max(border, -MOST));
        }
    };
    Group below_, above_;
    Rows<2> on_;
    std::vector<Line> lines_;
    List<Meeting> meetings_;
    List<std::int32_t> first_;
    double tick_ = 0, per_tick_ = 0, since_ = 0, fastest_ = 0, widest_ = 0;
    double level_ = INF, fall_ = INF, rise_ = INF;  // the least of all, or less where that is enough to know
    Tick epoch_ = 0;
    bool near_ = false;

    // Let no line be further from the epoch than lines are high.
    void see(Tick now) {
        since_ = static_cast<double>(now - epoch_) * tick_;
        if (fastest_ * since_ > widest_) begin_epoch(now);
    }

    void begin_epoch(Tick now) {
        epoch_ = now, since_ = 0;
        for (Group *group : {&below_, &above_})
            for (std::int32_t k = 0; k < group->number(); ++k)
                if (group->in(VALUE, k) > -INF) group->in(VALUE, k) = lines_[group->who(k)].at(epoch_, tick_);
    }

    // How long a line takes to meet F, and the least such time.
    void meet(std::int32_t queue, double free, double slope, Tick now, double &wait) {
        const Line &line = lines_[queue];
        if (!(line.rate > slope)) return;
        const double after = (free - line.at(now, tick_)) / (line.rate - slope);
        meetings_.add({queue, after}), wait = std::min(wait, after);
    }

    // What is rounded there when lines are moved to the epoch, and from there to now.
    double blur() const { return 0x1p-48 * (widest_ + fastest_ * since_); }

    template <class Columns, class Take>
    static void each_to(const Columns &rows, std::size_t c, double border, Take take) {
        rows.each([=](const double *row) -> Bits { return loaded(row + c * Columns::BLOCK) <= pack_of(std::min(border, MOST)); },
                  [&](std::int32_t place) { take(rows.who(place)); });
    }
};

}  // namespace
