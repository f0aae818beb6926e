// Runs of all policies in numbers that decide ties: what dtmodel/fluid/engine.py does, in the same order.
//
// It runs again what rounding leaves open in run.hpp and complete.hpp, and keeps the trajectories of complete sharing. Every
// queue is looked at in every event. A decision that is neither certain nor a tie (number.hpp) ends the run as undecided; how
// errors are bounded is in CONTRIBUTING.md, "Ties".

#pragma once

#include <algorithm>
#include <vector>

#include "alarms.hpp"

namespace {

class Replay {
   public:
    Kept *kept = nullptr;  // trajectories, if they are asked for

    Status run(const dtmodel_batch &batch, std::int64_t index) {
        in_ = &batch, scenario_ = index, events_ = 0, bound_ = 0;
        begin();
        return simulate();
    }

    std::int64_t events() const { return events_; }
    double bound() const { return bound_ + buffer_.high * 0x1p-50; }

   private:
    // What may come next, at the instant gap / speed.
    enum What : std::uint8_t { GIVEN, FULL, TURN, LEVEL, MEETING };
    struct Next {
        Number gap, speed;
        What what;
        std::size_t queue;
        double least, most;
    };
    const dtmodel_batch *in_ = nullptr;
    std::int64_t scenario_ = 0, events_ = 0, idle_ = 0, sample_ = 0, unknown_ = 0;
    double *lengths_ = nullptr, bound_ = 0;
    // Half of |dF| + sum |dQ_i| as in run.hpp, at most, and what it may be more in a phase of no length; how fast slopes that are
    // wrong raise it; the sum of C and R; what is rounded of F.
    double off_ = 0, waived_ = 0, drift_ = 0, speed_ = 0, rounded_ = 0;
    Form form_ = AFFINE;
    bool thinned_ = false;
    Number buffer_, until_, now_, free_, free_slope_, free_origin_, weights_, fraction_;  // F is a line, too
    std::vector<Flow> flows_;
    std::vector<Next> nexts_;
    Alarms alarms_;

    // ---- the beginning

    Number number(std::int64_t at) const {
        const double high = in_->high[at];
        return {high, in_->low[at], std::abs(high) * 0x1p-100, static_cast<std::uint64_t>(in_->residue[at]) % PRIME};
    }

    void begin() {
        const dtmodel_batch &in = *in_;
        std::int64_t at = in.number_begin[scenario_];
        const std::int64_t first = in.queue_begin[scenario_], last = in.queue_begin[scenario_ + 1];
        form_ = static_cast<Form>(in.form[scenario_]);
        buffer_ = number(at++), until_ = number(at++);
        const Number cn2 = number(at++), tm1 = number(at++), tm2 = number(at++);
        now_ = free_slope_ = {}, thinned_ = false, idle_ = 0, free_ = buffer_;
        off_ = waived_ = drift_ = speed_ = rounded_ = 0;
        sample_ = in.sample_begin[scenario_], lengths_ = in.length + in.length_begin[scenario_];
        flows_.assign(static_cast<std::size_t>(last - first), Flow{});
        alarms_.begin(flows_.size(), cn2, tm1, tm2);
        for (Flow &flow : flows_) {
            for (Number *each : {&flow.rate, &flow.a, &flow.b, &flow.origin, &flow.reserve, &flow.cap, &flow.count}) *each = number(at++);
            flow.alpha = flow.a, flow.offset = flow.b;
        }
        for (std::size_t i = 0; i < flows_.size(); ++i) read(i, first + static_cast<std::int64_t>(i), at);
        if (kept) kept->clear(static_cast<std::int32_t>(flows_.size()));
        free_origin_ = free_;
        for (std::size_t i = 0; i < flows_.size(); ++i) place(i), keep_limit(i);
        record_free();
    }

    void read(std::size_t i, std::int64_t queue, std::int64_t &at) {
        Flow &flow = flows_[i];
        double most = 0;
        for (std::int64_t k = in_->piece_begin[queue]; k < in_->piece_begin[queue + 1]; ++k, at += 2)
            flow.pieces.emplace_back(number(at), number(at + 1)), most = std::max(most, in_->high[at + 1]);
        speed_ += flow.count.high * (flow.rate.high + most);
        flow.touching = in_->steady[queue] != 0, flow.bounded = form_ != COMPLETE, flow.reserved = flow.reserve.high > 0;
        flow.turns = form_ == POOL && flow.cap.high < INF;
        if (flow.turns) flow.turn = (flow.cap - flow.b) / flow.a;
        flow.where = BELOW;
        const Number shared = flow.reserved ? flow.origin - flow.reserve : flow.origin;
        if (!flow.reserved || sign(shared) > 0) free_ = free_ - flow.count * shared;
    }

    // ---- events

    Status simulate() {
        while (true) {
            change_arrivals();
            find_phase();
            advance();
            if (until_ <= now_) return finish();
            if (++events_ > in_->max_events) return OVER_BUDGET;
        }
    }

    void change_arrivals() {
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            Flow &flow = flows_[i];
            if (!flow.reached) continue;
            jump(flow, flow.level - length(flow));
            if (flow.where == RESERVE && flow.slope.high > 0) off_ += wrong(flow, now_.high);
            flow.origin = flow.level, flow.slope = {}, flow.reached = false, place(i);
        }
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            Flow &flow = flows_[i];
            for (; flow.piece < flow.pieces.size() && flow.pieces[flow.piece].first <= now_; ++flow.piece) {
                flow.offered = flow.pieces[flow.piece].second, flow.inflow = admitted(flow);
                leave_threshold(flow), place(i);
            }
        }
    }

    void find_phase() {
        for (Flow &flow : flows_) flow.changed = flow.dirty;
        if (form_ == COUNTERS) set_laws(alarms_.act(flows_, now_));
        if (form_ == POOL && events_ == 0) hold(true);
        if (form_ == COMPLETE) thin();
        settle();
        for (std::size_t k = 0; k < flows_.size() + 2; ++k) {
            const bool counts = form_ == COUNTERS && set_laws(alarms_.settled(flows_, now_, free_, free_slope_));
            if (!counts && !(form_ == POOL && hold(false))) return;
            settle();
        }
        throw Undecided{UNDECIDED_NEXT};
    }

    // ---- what changes thresholds and arrivals: EDT, caps, and a full buffer

    bool set_laws(const std::vector<std::size_t> &changed) {
        Number together;
        for (const Flow &flow : flows_) together = flow.uncontrolled ? together + flow.count : together;
        for (const std::size_t i : changed)
            if (flows_[i].uncontrolled) set_law(i, Number{}, buffer_ / together);
            else set_law(i, flows_[i].alpha, Number{});
        return !changed.empty();
    }

    // Set the caps that bind; at a turning point the direction of F decides.
    bool hold(bool first) {
        bool changed = false;
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            Flow &flow = flows_[i];
            if (!flow.turns) continue;
            const int above = sign(free_ - flow.turn);
            if (above == 0) jump(flow, flow.alpha * (free_ - flow.turn));
            const bool binds = (above == 0 && !first ? sign(free_slope_) : above) > 0;
            if (binds == flow.capped) continue;
            flow.capped = binds, changed = true;
            set_law(i, binds ? Number{} : flow.alpha, binds ? flow.cap : flow.offset);
        }
        return changed;
    }

    void set_law(std::size_t i, const Number &a, const Number &b) {
        Flow &flow = flows_[i];
        const Number limit = a * free_ + b;
        const double before = flow.where == ON ? flow.a.high * free_slope_.high : flow.slope.high;
        const bool apart = !flow.touching && !flow.reserved;
        const bool keeps_on = apart && (flow.where == EMPTY || (flow.where == BELOW && length(flow) < limit));
        if (!keeps_on) {
            const bool stays = (flow.where == ON || flow.touching) && limit == threshold(flow);
            leave_threshold(flow);
            flow.touching = stays;
        }
        flow.a = a, flow.b = b;
        keep_limit(i);
        if (keeps_on) return;
        place(i);
        const double turned = flow.touching ? flow.inflow.high + flow.rate.high : std::abs(flow.slope.high - before);
        if (form_ == COUNTERS) off_ += flow.count.high * turned * now_.error;
    }

    Number admitted(const Flow &flow) const { return thinned_ ? fraction_ * flow.offered : flow.offered; }

    void thin() {
        Number served, wanted;
        const bool thinned = sign(free_) <= 0 && find_fraction(served, wanted);
        if (thinned == thinned_ && (!thinned || served == fraction_ * wanted)) return;
        thinned_ = thinned;
        if (thinned) fraction_ = served / wanted;
        for (std::size_t i = 0; i < flows_.size(); ++i)
            if (flows_[i].offered.high > 0) flows_[i].inflow = admitted(flows_[i]), place(i);
    }

    // The largest p = served / wanted below 1 for which queues that admit p R_i each do not grow in total (complete.py).
    bool find_fraction(Number &served, Number &wanted) const {
        std::vector<const Flow *> kinks;  // at rate / offered
        for (const Flow &flow : flows_) {
            const bool idle = flow.where == EMPTY || sign(length(flow)) <= 0;
            if (idle && flow.offered <= flow.rate) continue;
            served = served + flow.count * flow.rate, wanted = wanted + flow.count * flow.offered;
            if (idle) kinks.push_back(&flow);
        }
        if (wanted <= served) return false;
        std::stable_sort(kinks.begin(), kinks.end(), [](const Flow *one, const Flow *two) { return two->rate * one->offered < one->rate * two->offered; });
        for (const Flow *flow : kinks) {
            if (wanted <= flow->count * flow->offered || flow->rate * wanted <= served * flow->offered) break;
            served = served - flow->count * flow->rate, wanted = wanted - flow->count * flow->offered;
        }
        return true;
    }

    // ---- where queues lie

    Number threshold(const Flow &flow) const { return flow.a * free_ + flow.b; }

    Number length(const Flow &flow) const { return flow.where == ON ? threshold(flow) : flow.origin + flow.slope * now_; }

    // How wrong the line of a queue is at an instant.
    static double wrong(const Flow &flow, double time) { return flow.count.high * (flow.origin.error + flow.slope.error * time); }

    // The rounded run jumps.
    void jump(const Flow &flow, const Number &by) { off_ += flow.count.high * (std::abs(by.high) + std::abs(by.slant) + flow.a.high * rounded_); }

    // A queue moves at another slope from now on.
    void lie(std::size_t i, Where where, const Number &slope) {
        Flow &flow = flows_[i];
        if (where == EMPTY) jump(flow, length(flow));
        else if (where != RESERVE) waived_ += flow.count.high * std::abs(slope.high - flow.slope.high) * now_.error, off_ += flow.where == RESERVE ? wrong(flow, now_.high) : 0;
        if (where == EMPTY) flow.origin = {};
        else if (slope.residue != flow.slope.residue) flow.origin = flow.origin + (flow.slope - slope) * now_;
        off_ += flow.count.high * (std::abs(flow.origin.high) + (std::abs(slope.high) + std::abs(flow.slope.high)) * now_.high) * 0x1p-97;
        flow.where = where, flow.slope = slope, flow.dirty = true;
    }

    // The line of a queue on its threshold is that of F.
    void leave_threshold(Flow &flow) {
        if (flow.where != ON) return;
        jump(flow, Number{});
        flow.origin = flow.a * free_origin_ + flow.b, flow.slope = flow.a * free_slope_;
        flow.where = BELOW, flow.touching = true;
    }

    void place(std::size_t i) {
        Flow &flow = flows_[i];
        const Number growth = flow.inflow - flow.rate, held = length(flow);
        const int holds = sign(held), grows = sign(growth);
        if (flow.reserved && in_reserve(sign(held - flow.reserve), holds, grows)) return lie(i, RESERVE, growth);
        if (holds <= 0 && grows <= 0) return lie(i, EMPTY, Number{});
        if (!flow.bounded) return lie(i, BELOW, growth);
        const int room = sign(threshold(flow) - held);
        if (room < 0 && !flow.touching) return lie(i, ABOVE, holds > 0 ? -flow.rate : Number{});
        lie(i, BELOW, growth);
        flow.touching = flow.touching || room == 0;
    }

    // Whether a queue stays within its reserve, which F does not see.
    static bool in_reserve(int beyond, int holds, int grows) {
        return !(beyond > 0 || (beyond == 0 && grows > 0) || (holds <= 0 && grows <= 0));
    }

    // ---- the phase that begins

    // Find F', and where F begins again.
    void settle() {
        Number others, weights = ONE;
        for (Flow &flow : flows_) {
            if (flow.touching && flow.moves()) put_on_threshold(flow);
            flow.touching = false;
            if (flow.moves()) others = others + flow.count * flow.slope;
            if (flow.where == ON) weights = weights + flow.count * flow.a;
        }
        Number slope = -others / weights;
        for (; let_go(slope, others, weights); slope = -others / weights) {}
        if (thinned_) slope = {}, off_ += std::abs(free_.high);
        free_slope_ = slope, weights_ = weights;
        see_free(1);
        for (Flow &flow : flows_)
            if (flow.dirty) record(flow);
    }

    // F is what the queues leave, which is wrong by at most a share of half of the sum.
    void see_free(double share) {
        Number left = buffer_;
        double strays = 0;
        drift_ = weights_.high * free_slope_.error;
        for (const Flow &flow : flows_) {
            if (!flow.moves() && flow.where != ON) continue;
            const Number origin = flow.where == ON ? flow.b : flow.origin;
            if (flow.moves()) strays += flow.count.high * origin.error, drift_ += flow.count.high * flow.slope.error;
            left = left - flow.count * (flow.reserved ? origin - flow.reserve : origin);
        }
        const double most = share * (off_ + waived_) + drift_ * now_.high, rounded = left.error - strays * (1 - 0x1p-40);
        if (most < strays) left.error = most + rounded;
        free_origin_ = left / weights_, rounded_ = rounded / weights_.high;
    }

    // In a phase of some length, half of the sum is at most all errors of queues off their thresholds, and at least each of them.
    void see_errors(double time) {
        double sum = 0;
        for (const Flow &flow : flows_) sum += flow.moves() ? wrong(flow, time) : 0;
        off_ = std::min(off_, sum * (1 + 0x1p-40));
        for (Flow &flow : flows_)
            if (flow.moves()) flow.origin.error = std::min(flow.origin.error, off_ + flow.slope.error * time);
        free_origin_.error = std::min(free_origin_.error, (off_ + drift_ * time) / weights_.high * (1 + 0x1p-40) + rounded_);
    }

    // Choose as the unknown how wrong F is: shift one queue by what all of those off their thresholds are wrong by in sum.
    void shift() {
        const double all = std::min(off_, weights_.high * free_origin_.error) + weights_.high * std::abs(free_origin_.slant) + drift_ * now_.high;
        double sum = 0;
        Flow *shifted = nullptr;
        for (Flow &flow : flows_) {
            if (!flow.moves()) continue;
            sum += flow.count.high * flow.origin.slant, off_ += flow.count.high * std::abs(flow.origin.slant) / 2;
            flow.origin = plain(flow.origin), shifted = flow.rate < flow.inflow ? &flow : shifted;
        }
        off_ += std::abs(sum) / 2;
        shifted->origin.error += all, shifted->origin.slant = all / shifted->count.high, shifted->origin.unknown = ++unknown_;
        see_free(0);
    }

    void put_on_threshold(Flow &flow) {
        flow.dirty = true;
        const std::size_t i = static_cast<std::size_t>(&flow - flows_.data());
        const Number growth = flow.inflow - flow.rate;
        jump(flow, threshold(flow) - length(flow)), flow.where = ON;
        if (!(flow.a.high > 0) && sign(growth) <= 0) leave_threshold(flow), lie(i, BELOW, growth);
    }

    // Let go of the queues that cannot follow their thresholds at this F' (OnThreshold.settle in dynamics.py).
    bool let_go(const Number &slope, Number &others, Number &weights) {
        std::vector<std::size_t> low, high;
        Number excess;
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            const Flow &flow = flows_[i];
            if (flow.where != ON || !(flow.a.high > 0)) continue;
            const Number along = flow.a * slope, falls = -flow.rate - along, rises = flow.inflow - flow.rate - along;
            if (sign(falls) > 0) low.push_back(i), excess = excess + flow.count * falls;
            else if (sign(rises) <= 0) high.push_back(i), excess = excess + flow.count * rises;
        }
        const int side = sign(excess);
        if (side > 0) high.clear();
        if (side < 0) low.clear();
        release(low, ABOVE, others, weights), release(high, BELOW, others, weights);
        return !low.empty() || !high.empty();
    }

    void release(const std::vector<std::size_t> &queues, Where where, Number &others, Number &weights) {
        for (const std::size_t i : queues) {
            Flow &flow = flows_[i];
            leave_threshold(flow);
            flow.touching = false;
            lie(i, where, where == ABOVE ? -flow.rate : flow.inflow - flow.rate);
            others = others + flow.count * flow.slope, weights = weights - flow.count * flow.a;
        }
    }

    // ---- what comes next

    void advance() {
        nexts_.clear();
        expect(until_);
        if (form_ == COUNTERS) alarms_.each(now_, [this](const Number &instant) { expect(instant); });
        if ((form_ == COUNTERS || form_ == COMPLETE) && sign(free_slope_) < 0 && sign(free_) > 0) add(FULL, 0, free_slope_);
        for (std::size_t i = 0; i < flows_.size(); ++i) look_at(i);
        go();
    }

    void expect(const Number &instant) { add(GIVEN, 0, ONE, instant); }

    void look_at(std::size_t i) {
        Flow &flow = flows_[i];
        if (flow.piece < flow.pieces.size()) expect(flow.pieces[flow.piece].first);
        if (flow.turns && sign(flow.turn - free_) * sign(free_slope_) > 0) add(TURN, i, free_slope_);
        if (!flow.moves() && flow.where != RESERVE) return;
        const int moves = sign(flow.slope);
        if (moves < 0 || (moves > 0 && flow.where == RESERVE)) {
            flow.level = flow.reserved && (flow.moves() || moves > 0) ? flow.reserve : Number{};
            add(LEVEL, i, flow.slope);
        }
        if (!flow.moves() || !flow.bounded) return;
        const Number closing = flow.slope - flow.a * free_slope_;
        if (sign(closing) == (flow.where == ABOVE ? -1 : 1)) add(MEETING, i, closing);
    }

    // Add what may be the first: doubles decide where they can.
    void add(What what, std::size_t queue, const Number &speed, const Number &given = {}) {
        Next next{given, speed, what, queue, 0, 0};
        next.gap = gap(next);
        const double instant = next.gap.high / speed.high, size = std::abs(speed.high);
        if (!(speed.error < size * 0x1p-45)) throw Undecided{UNDECIDED_NEXT};
        const double blur = std::abs(instant) * 0x1p-40 + 2 * doubt(next.gap) / size;
        if (!nexts_.empty() && instant - blur > nexts_.front().most) return;
        next.least = instant - blur, next.most = instant + blur;
        nexts_.push_back(next);
        if (next.most < nexts_.front().most) std::swap(nexts_.front(), nexts_.back());
    }

    Number gap(const Next &next) const {
        if (next.what == GIVEN) return next.gap;
        if (next.what == FULL) return -free_origin_;
        const Flow &flow = flows_[next.queue];
        if (next.what == TURN) return flow.turn - free_origin_;
        return (next.what == LEVEL ? flow.level : flow.a * free_origin_ + flow.b) - flow.origin;
    }

    // Find what comes next, and go on until then.
    void go() {
        std::vector<std::pair<Number, const Next *>> found;
        std::pair<Number, const Next *> best;
        for (const Next &next : nexts_) {
            if (next.least > nexts_.front().most) continue;
            const Number instant = next.what == GIVEN ? next.gap : next.gap / next.speed;
            const int later = found.empty() ? -1 : sign(instant - best.first);
            if (later < 0) found.clear();
            if (later < 0 || (later == 0 && doubt(instant) < doubt(best.first))) best = {instant, &next};
            if (later <= 0) found.emplace_back(instant, &next);
        }
        go(see_doubt(found, best));
        for (const auto &[instant, next] : found) {
            if (next->what == LEVEL) flows_[next->queue].reached = true;
            if (next->what == MEETING) flows_[next->queue].touching = true;
        }
    }

    // See how wrong the state and the instant of the next event are; in the rounded run, events of one instant are not all at once.
    Number see_doubt(const std::vector<std::pair<Number, const Next *>> &found, const std::pair<Number, const Next *> &best) {
        const int passes = sign(best.first - now_);
        idle_ = passes > 0 ? 0 : idle_ + 1;
        if (passes < 0 || idle_ > 8 * static_cast<std::int64_t>(flows_.size()) + 64) throw Undecided{UNDECIDED_NEXT};
        double spread = 0;
        for (const auto &each : found) {
            const Number apart = each.first - best.first;
            spread = std::max(spread, std::abs(apart.high) + std::abs(apart.slant));
        }
        off_ += (passes > 0 ? 0 : waived_) + drift_ * (best.first - now_).high + speed_ * std::min(spread, best.first.error);
        waived_ = 0;
        if (passes == 0) return best.first;
        see_errors(best.first.high);
        if (form_ == COUNTERS && found.size() == 1 && best.second->what == FULL) shift();
        return best.second->what == GIVEN ? best.first : gap(*best.second) / best.second->speed;
    }

    void go(const Number &time) {
        sample_until(time, until_ <= time);
        now_ = time, free_ = free_origin_ + free_slope_ * now_;
        bound_ = std::max(bound_, doubt(free_));
        record_free();
    }

    // An event in one tick with a sample may be on either side of it.
    void sample_until(const Number &time, bool last) {
        const double tick = in_->tick[scenario_];
        for (; sample_ < in_->sample_begin[scenario_ + 1]; ++sample_) {
            const Tick ticks = in_->sample_time[sample_];
            const auto near = static_cast<double>(ticks);
            const Number instant{near * tick, static_cast<double>(ticks - static_cast<Tick>(near)) * tick, tick, 0};
            const double before = (time - instant).high, blur = tick + doubt(time) + doubt(now_);
            if (!last && before < 0) return;
            const double moved = std::min(before, (instant - now_).high) <= blur ? speed_ * blur : 0;
            const Number free = free_origin_ + free_slope_ * instant;
            for (const Flow &flow : flows_) {
                const Number held = flow.where == ON ? flow.a * free + flow.b : flow.origin + flow.slope * instant;
                *lengths_++ = std::max(held.high, 0.0), bound_ = std::max(bound_, doubt(held) + moved);
            }
        }
    }

    // ---- trajectories and answers

    // A queue has moved as its segment says since that began; now another segment begins.
    void record(Flow &flow) {
        const bool passed = close(flow);
        const Number held = length(flow);
        const bool on = flow.where == ON;
        const Number shut_out = thinned_ ? flow.offered - flow.inflow : Number{};
        const Number loss = on ? flow.offered - flow.rate : flow.where == ABOVE ? flow.offered : shut_out;
        const Number drain = flow.where == EMPTY ? flow.inflow : flow.where == ABOVE ? -flow.slope : flow.rate;
        bound_ = std::max(bound_, doubt(held));
        flow.dirty = false, flow.changed = true, flow.segment = {now_, held, loss, drain, free_, on};
        if (!kept) return;
        Kept::put(kept->segments[static_cast<std::size_t>(&flow - flows_.data())],
                  {now_.high, held.high, on ? 0 : flow.slope.high, loss.high, drain.high, on ? 1.0 : 0.0, flow.a.high, flow.b.high}, passed);
    }

    // Account for a segment; whether it took time.
    bool close(Flow &flow) {
        const Number span = now_ - flow.segment.begin;
        if (sign(span) <= 0) return false;
        const bool loses = flow.segment.on || sign(flow.segment.loss) > 0;
        if (loses && std::isnan(flow.first.high)) flow.first = flow.segment.begin, flow.free_first = flow.segment.free;
        flow.sent = flow.sent + flow.segment.drain * span;
        if (loses) flow.lost = flow.lost + flow.segment.loss * span;
        if (flow.segment.on) flow.lost = flow.lost - (length(flow) - flow.segment.length);
        return true;
    }

    void keep_limit(std::size_t i) {
        if (kept) Kept::put(kept->limits[i], {now_.high, flows_[i].a.high, flows_[i].b.high});
    }

    void record_free() {
        if (kept) Kept::put(kept->free, {now_.high, std::max(free_.high, 0.0)});
    }

    Status finish() {
        double late = doubt(now_), lost = 0;
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            Flow &flow = flows_[i];
            close(flow);
            const std::int64_t at = in_->queue_begin[scenario_] + static_cast<std::int64_t>(i);
            late = std::max(late, std::isnan(flow.first.high) ? 0 : doubt(flow.first)), lost = std::max(lost, doubt(flow.lost) + doubt(flow.sent));
            bound_ = std::max(bound_, kept ? flow.a.high * buffer_.high * 0x1p-50 : 0);
            in_->first_drop[at] = flow.first.high, in_->free_at_first_drop[at] = flow.free_first.high;
            in_->dropped[at] = flow.lost.high, in_->drained[at] = flow.sent.high;
        }
        const double most = TOLERANCE / 2;
        return bound() <= most * buffer_.high && lost <= most * buffer_.high && late <= most * until_.high ? DONE : TOO_FAR;
    }
};

}  // namespace
