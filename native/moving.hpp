// Which of many lines is the first to meet F, from below or from above: F here is any level that moves or jumps.
//
// Lines that F may meet are looked at in every event, several at a time: of few queues all, of many only those that F may
// meet soon. The others are far: until some instant, the horizon, they stay below a floor or above a ceiling, and F stays
// between the two; when it does not, or the horizon is there, or the near ones were as many altogether as all, all are
// looked at and the near ones chosen anew: for half as long where they were too many, so that of lines that F passes one
// after the other only the next ones are near.

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
inline unsigned which(Bits bits) { return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<Pack>(bits))); }
#else
inline unsigned which(Bits bits) { return static_cast<unsigned>((bits[0] & 1) | (bits[1] & 2)); }
#endif
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
    static constexpr std::int32_t BLOCK = 8;

    void begin(std::int32_t queues, const Row &nothing) {
        const std::size_t room = (static_cast<std::size_t>(queues) + BLOCK - 1) / BLOCK * BLOCK;
        nothing_ = nothing, number_ = clean_ = 0;
        if (who_.size() < room) numbers_.resize(COLUMNS * room), places_.resize(room), who_.resize(room);
    }

    void put(std::int32_t queue, const Row &row) {
        if (!has(queue)) {
            if (number_ == clean_) clear(row_at(number_)), clean_ += BLOCK;
            who_[number_] = queue, places_[queue] = number_++;
        }
        write(row_at(places_[queue]), row);
    }

    void take(std::int32_t queue) {
        const std::int32_t place = places_[queue], last = --number_;
        who_[place] = who_[last], places_[who_[place]] = place;
        double *to = row_at(place), *from = row_at(last);
        for (std::size_t c = 0; c < COLUMNS; ++c) to[c * BLOCK] = from[c * BLOCK];
        write(from, nothing_);
    }

    // What stands where from scenarios before is never cleared: a place holds if its queue says so, too.
    bool has(std::int32_t queue) const { return places_[queue] < number_ && who_[places_[queue]] == queue; }
    double &in(std::size_t c, std::int32_t place) { return row_at(place)[c * BLOCK]; }
    std::int32_t number() const { return number_; }
    std::int32_t who(std::int32_t place) const { return who_[place]; }

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
    std::int32_t number_ = 0, clean_ = 0;  // behind the first, up to the second, rows change nothing

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

class Moving {
   public:
    // Of `next`: who is the first to meet F, and whether one below was as near to F as it was told.
    std::vector<std::int32_t> first;
    bool nears = false;

    void begin(std::int32_t queues, double tick, double buffer) {
        tick_ = tick, per_tick_ = 1 / tick, epoch_ = 0, since_ = fastest_ = 0, widest_ = buffer;
        for (Group *group : {&below_, &above_, &far_below_, &far_above_}) group->begin(queues, {-INF, 0});
        if (lines_.size() < static_cast<std::size_t>(queues)) lines_.resize(static_cast<std::size_t>(queues));
        horizon_ = queues <= FEW ? NEVER : -1, floor_ = -INF, ceiling_ = INF, span_ = reach_ = 0, looked_ = 0, first.clear();
    }

    void put(std::int32_t queue, bool below, const Line &line, Tick now) {
        Group &near = below ? below_ : above_, &far = below ? far_below_ : far_above_;
        const bool away = horizon_ < NEVER && is_far(line, below ? floor_ : -ceiling_, now);
        if ((away ? near : far).has(queue)) (away ? near : far).take(queue);
        lines_[queue] = line;
        fastest_ = std::max(fastest_, std::abs(line.rate)), widest_ = std::max(widest_, std::abs(line.value));
        see(now);
        (away ? far : near).put(queue, {line.at(epoch_, tick_), line.rate});
    }

    void take(std::int32_t queue, bool below) {
        for (Group *group : {below ? &below_ : &above_, below ? &far_below_ : &far_above_})
            if (group->has(queue)) group->take(queue);
    }

    // When a queue is the next to meet F, if that is before `until`. Who meets F by then lies on it or beyond it there:
    // only for those it is found out when, each from where its own line began.
    Tick next(double free, double slope, double near, Tick now, Tick until) {
        if (horizon_ < NEVER) until = choose(free, slope, near, now, until);
        see(now);
        const double span = lasting(until - now), later = since_ + span, there = free + slope * span;
        const double off = 0x1p-48 * (widest_ + fastest_ * later + std::abs(free) + std::abs(slope) * span);
        nears = near > -INF && below_.any(Above{free - near - blur(), since_});
        meetings_.clear(), first.clear();
        double wait = INF;
        below_.each(Above{there - off, later}, [&](std::int32_t at) { meet(below_.who(at), free, slope, now, wait); });
        above_.each(Above{-there - off, later}, [&](std::int32_t at) { meet(above_.who(at), -free, -slope, now, wait); });
        wait = std::max(wait, 0.0);
        if (!(wait * per_tick_ < static_cast<double>(until - now))) return until;
        const Tick met = now + std::llrint(wait * per_tick_);
        if (met >= until) return until;
        for (const Meeting &each : meetings_)
            if (each.wait <= wait * (1 + 0x1p-40) + 4 * tick_) first.push_back(each.queue);
        return met;
    }

    // Those that F may pass as it jumps from one level to another, and those that lie at most `within` outside of the two.
    template <class Take>
    void each_between(double low, double high, double within, Tick now, Take take) {
        const double off = within + 0x1p-46 * std::max(std::abs(low), std::abs(high));
        if (horizon_ < NEVER && (low - off < floor_ || high + off > ceiling_)) look(low - off, high + off, now, true);
        see(now);
        below_.each(Above{low - within - blur(), since_}, [&](std::int32_t place) { take(below_.who(place)); });
        above_.each(Above{-high - within - blur(), since_}, [&](std::int32_t place) { take(above_.who(place)); });
    }

   private:
    enum : std::size_t { VALUE, RATE };  // of a line as from one instant for all, the epoch
    using Group = Rows<2>;
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
    static constexpr std::int32_t FEW = 384;  // where both ways take as long (benchmarks/native.py)
    static constexpr std::int64_t MUCH = 2;   // times as many as there are
    Group below_, above_, far_below_, far_above_;
    std::vector<Line> lines_;
    std::vector<Meeting> meetings_;
    std::vector<std::int32_t> moved_;
    double tick_ = 0, per_tick_ = 0, since_ = 0, fastest_ = 0, widest_ = 0;
    double floor_ = 0, ceiling_ = 0, span_ = 0, reach_ = 0;  // and how far horizon and floor are when they are chosen
    Tick epoch_ = 0, horizon_ = NEVER;
    std::int64_t looked_ = 0;  // at how many queues since

    double lasting(Tick ticks) const { return static_cast<double>(ticks) * tick_; }

    // Let no line be further from the epoch than lines are high, or F can be.
    void see(Tick now) {
        since_ = lasting(now - epoch_);
        if (fastest_ * since_ > widest_) begin_epoch(now);
    }

    void begin_epoch(Tick now) {
        epoch_ = now, since_ = 0;
        for (Group *group : {&below_, &above_, &far_below_, &far_above_})
            for (std::int32_t k = 0; k < group->number(); ++k) group->in(VALUE, k) = lines_[group->who(k)].at(epoch_, tick_);
    }

    // How long a line takes to meet F, and the least such time.
    void meet(std::int32_t queue, double free, double slope, Tick now, double &wait) {
        const Line &line = lines_[queue];
        if (!(line.rate > slope)) return;
        const double after = (free - line.at(now, tick_)) / (line.rate - slope);
        meetings_.push_back({queue, after}), wait = std::min(wait, after);
    }

    // What is rounded there when lines are moved to the epoch, and from there to now.
    double blur() const { return 0x1p-48 * (widest_ + fastest_ * since_); }

    // ---- of many queues those that are near

    // Whether it is far until the horizon; once that is over, all are looked at before anything is made of it.
    bool is_far(const Line &line, double border, Tick now) const {
        const double most = std::abs(line.value) + std::abs(line.rate) * lasting(horizon_ - line.begin);
        return std::max(line.at(now, tick_), line.at(horizon_, tick_)) < border - 0x1p-46 * (most + std::abs(border));
    }

    std::int64_t number() const { return below_.number() + above_.number() + far_below_.number() + far_above_.number(); }

    // See that those are near that may meet F until an instant, or the horizon if that is earlier.
    Tick choose(double free, double slope, double near, Tick now, Tick until) {
        looked_ += below_.number() + above_.number();
        const bool much = looked_ > MUCH * number(), over = now >= horizon_;
        if (much || over) begin_horizon(now, until, much);
        until = std::min(until, horizon_);
        const double span = lasting(until - now), there = free + slope * span;
        const double off = std::max(near, 0.0) + 0x1p-46 * (std::abs(free) + std::abs(slope) * span);
        const double low = std::min(free, there) - off, high = std::max(free, there) + off;
        if (much || over || low < floor_ || high > ceiling_) look(low, high, now, !much && !over);
        return until;
    }

    // No phase goes beyond the horizon: F may come past many queues until something else changes.
    void begin_horizon(Tick now, Tick until, bool much) {
        if (much) span_ /= 2, reach_ /= 2;
        else span_ = span_ > 0 ? 2 * span_ : lasting(until - now);
        const double ticks = span_ * per_tick_;
        horizon_ = ticks < 0x1p60 ? now + std::max<Tick>(static_cast<Tick>(ticks), 1) : NEVER / 2;
    }

    // Choose anew who is near.
    void look(double low, double high, Tick now, bool further) {
        if (further) reach_ = std::max(2 * reach_, high - low);
        looked_ = 0;
        floor_ = low - reach_, ceiling_ = high + reach_;
        see(now);
        part(below_, far_below_, floor_, now), part(above_, far_above_, -ceiling_, now);
    }

    void part(Group &near, Group &far, double border, Tick now) {
        const double later = lasting(horizon_ - epoch_);
        const double sure = border - 0x1p-46 * (widest_ + fastest_ * later + std::abs(border));
        const Above here{sure, since_}, there{sure, later};
        moved_.clear();
        far.each([=](const double *rows) { return here(rows) | there(rows); },
                 [&](std::int32_t at) { moved_.push_back(far.who(at)); });
        const std::size_t come = moved_.size();
        for (std::int32_t at = 0; at < near.number(); ++at)
            if (is_far(lines_[near.who(at)], border, now)) moved_.push_back(near.who(at));
        for (std::size_t k = 0; k < moved_.size(); ++k) {
            Group &from = k < come ? far : near, &to = k < come ? near : far;
            from.take(moved_[k]);
            to.put(moved_[k], {lines_[moved_[k]].at(epoch_, tick_), lines_[moved_[k]].rate});
        }
    }
};

}  // namespace
