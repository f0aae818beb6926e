// The policies of a switch of the network: what dtmodel/network/doors.py does, for those that are compiled.

#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "admission.hpp"
#include "events.hpp"

extern "C" {

// Called when a packet arrives (it returns a Decision), when its memory is freed, and when its transmission starts;
// what is negative ends the run.
typedef std::int64_t (*dtmodel_network_callback)(std::int64_t what, std::int64_t number, std::int64_t now,
                                                 std::int64_t place, std::int64_t size, std::int64_t packet);

// The policy of a switch: its kind and numbers, the memory of the switch, the queues of a port before those that it
// limits, the thresholds of marks (mark_both: a packet has to pass both), the sojourn time of TCN, and RTT times lambda
// of MQ-ECN (negative: none).
struct dtmodel_network_rule {
    std::int64_t kind, count, cn1, buffer, before, mark_queue, mark_port, mark_both, longest, rounds;
    const std::int64_t *numbers;
};

}  // extern "C"

namespace {

enum Decision : std::int64_t { DROP, ENTER, ENTER_MARKED };
enum Rules : std::int64_t { CALLBACK, THRESHOLDS, CIRCUIT, BEST_EFFORT, QUOTAS, DYNAQ, LOSSPASS, PORTS };
enum Report : std::int64_t { ARRIVES, SENT, STARTS };

// A queue of a port: its length and the greatest one, in bytes, what waits, and what was lost.
struct Place {
    Int length = 0, peak = 0;
    std::deque<Packet *> waiting;
    Int dropped = 0, pushed = 0;
};

// The memory of a switch, with a place for each queue of each port.
struct Memory {
    Int free;
    std::size_t queues;  // of each port
    std::vector<Place> places;
    Packets &packets;

    Memory(Int size, std::size_t ports, std::size_t queues_of_port, Packets &all)
        : free(size), queues(queues_of_port), places(ports * queues), packets(all) {}

    Int length(std::size_t place) const { return places[place].length; }
    void enter(std::size_t place, Int size) { places[place].length += size, free -= size; }
    void leave(std::size_t place, Int size) { places[place].length -= size, free += size; }
    std::size_t first(std::size_t place) const { return place - place % queues; }

    Int port_length(std::size_t place) const {
        Int sum = 0;
        for (std::size_t begin = first(place), k = begin; k < begin + queues; ++k) sum += places[k].length;
        return sum;
    }

    void push_out(std::size_t place, std::size_t rank) {
        Packet *packet = places[place].waiting[rank];
        places[place].waiting.erase(places[place].waiting.begin() + static_cast<std::ptrdiff_t>(rank));
        leave(place, packet->size);
        ++places[place].pushed;
        packets.lose(packet);
    }
};

class Rule {
   public:
    virtual ~Rule() = default;
    // Decides on a packet, and holds its bytes if it enters.
    virtual Int arrive(Memory &memory, Int now, std::size_t place, const Packet &packet) = 0;
    virtual void sent(Int, std::size_t, Int) {}
};

inline Int enter(Memory &memory, std::size_t place, Int size, bool enters) {
    if (enters) memory.enter(place, size);
    return enters ? ENTER : DROP;
}

// An `Admission` of shared memory.
template <template <class> class Policy>
class Shared final : public Rule {
   public:
    explicit Shared(const dtmodel_switch_form &form) : policy_(form, static_cast<const Int *>(form.numbers)) {}

    Int arrive(Memory &memory, Int now, std::size_t place, const Packet &packet) override {
        if (packet.size > memory.free) {
            policy_.overflowed(now);
        } else if (policy_.admits(place, memory.length(place), memory.free, now)) {
            memory.enter(place, packet.size);
            policy_.enqueued(place, packet.size, now);
            return ENTER;
        }
        policy_.dropped(place, now);
        return DROP;
    }

    void sent(Int now, std::size_t place, Int size) override { policy_.dequeued(place, size, now); }

   private:
    Policy<Int> policy_;
};

class Quotas final : public Rule {
   public:
    Quotas(const Int *numbers, std::size_t before, std::size_t queues)
        : quotas_(numbers, numbers + queues), before_(before) {}

    Int arrive(Memory &memory, Int, std::size_t place, const Packet &packet) override {
        return enter(memory, place, packet.size, memory.length(place) + packet.size <= quotas_[place - memory.first(place) - before_]);
    }

   private:
    std::vector<Int> quotas_;
    const std::size_t before_;
};

// Another rule for the queues after the first ones, of which the buffer of the port is the only limit.
class Below final : public Rule {
   public:
    Below(Int first, Int buffer, std::unique_ptr<Rule> rest)
        : first_(static_cast<std::size_t>(first)), buffer_(buffer), rest_(std::move(rest)) {}

    Int arrive(Memory &memory, Int now, std::size_t place, const Packet &packet) override {
        const bool fits = memory.port_length(place) + packet.size <= buffer_;
        if (place - memory.first(place) < first_) return enter(memory, place, packet.size, fits);
        const Int decision = rest_->arrive(memory, now, place, packet);
        if (decision != DROP && !fits) memory.leave(place, packet.size);
        return fits ? decision : Int{DROP};
    }

   private:
    const std::size_t first_;
    const Int buffer_;
    const std::unique_ptr<Rule> rest_;
};

// Algorithm 1 of DynaQ. Thresholds are in parts of a byte, in which all shares of the buffer are whole. Queues before
// those with a threshold take room and no part in it.
class DynaQ final : public Rule {
   public:
    DynaQ(const Int *numbers, std::size_t ports, std::size_t before, std::size_t queues)
        : parts_(numbers[0]), high_(numbers[1] != 0), admit_(numbers[2]), victims_(numbers[3]), buffer_(numbers[4]),
          before_(before), satisfied_(numbers + 5, numbers + 5 + queues), thresholds_(ports, satisfied_) {}

    Int arrive(Memory &memory, Int, std::size_t place, const Packet &packet) override {
        const std::size_t first = memory.first(place) + before_, p = place - first;
        std::vector<Int> &T = thresholds_[first / memory.queues];
        const Place *q = &memory.places[first];
        const Int size = packet.size;
        if (!passes(T, q, p, size)) return DROP;
        if (admit_ == RECHECK && parts_ * (q[p].length + size) > T[p]) return DROP;
        return enter(memory, place, size, admit_ == NO_CHECK || memory.port_length(place) + size <= buffer_);
    }

   private:
    enum Admit : Int { PORT_ONLY, RECHECK, NO_CHECK };
    enum Victims : Int { PRINTED, ELIGIBLE, UNUSED };
    const Int parts_;
    const bool high_;
    const Int admit_, victims_, buffer_;
    const std::size_t before_;
    const std::vector<Int> satisfied_;
    std::vector<std::vector<Int>> thresholds_;

    bool passes(std::vector<Int> &T, const Place *q, std::size_t p, Int size) const {
        if (parts_ * (q[p].length + size) <= T[p]) return true;  // line 1
        const std::size_t v = victim(T, q, p, size);      // line 2
        if (v == T.size() || !may_give(T, q, v, size)) return false;
        T[v] -= parts_ * size, T[p] += parts_ * size;  // lines 6 and 7
        return true;
    }

    // Line 3.
    bool may_give(const std::vector<Int> &T, const Place *q, std::size_t v, Int size) const {
        const Int left = T[v] - parts_ * size;
        return left >= 0 && (q[v].length == 0 || left >= satisfied_[v]);
    }

    bool candidate(const std::vector<Int> &T, const Place *q, std::size_t v, Int size) const {
        if (victims_ == PRINTED) return true;
        return may_give(T, q, v, size) && (victims_ == ELIGIBLE || T[v] - parts_ * size >= parts_ * q[v].length);
    }

    std::size_t victim(const std::vector<Int> &T, const Place *q, std::size_t p, Int size) const {
        std::size_t found = T.size();
        for (std::size_t k = 0; k < T.size(); ++k) {
            const std::size_t v = high_ ? T.size() - 1 - k : k;
            if (v == p || !candidate(T, q, v, size)) continue;
            if (found == T.size() || T[v] - satisfied_[v] > T[found] - satisfied_[found]) found = v;
        }
        return found;
    }
};

// LossPass in its reading `intended`, with small flows in queue 0 and large ones in queue 1; its memory has what waits.
class LossPass final : public Rule {
   public:
    explicit LossPass(const Int *numbers)
        : buffer_(numbers[0]), room_(numbers[1]), marks_{numbers[2], numbers[3]}, mark_port_(numbers[4]) {}

    Int arrive(Memory &memory, Int, std::size_t place, const Packet &packet) override {
        const std::size_t small = memory.first(place), large = small + 1;
        if (memory.port_length(place) + packet.size > buffer_) {  // lines 1 to 4
            const std::deque<Packet *> &victims = memory.places[large].waiting;
            if (place != small || victims.empty() || packet.size > victims.back()->size) return DROP;
            if (packet.size + memory.length(small) > room_) return DROP;
            memory.push_out(large, victims.size() - 1);
        }
        memory.enter(place, packet.size);
        const Int mark = marks_[place - small];
        const bool marked = (mark >= 0 && memory.length(place) > mark) ||
                            (mark_port_ >= 0 && memory.port_length(place) > mark_port_);
        return marked ? ENTER_MARKED : ENTER;
    }

   private:
    const Int buffer_, room_, marks_[2], mark_port_;
};

// DT for whole ports: the queues of a port are together below alpha times the free memory. If it evicts, a small packet
// in queue 0 takes the place of the last large one in queue 1 where there is no room (LossPass).
class Ports final : public Rule {
   public:
    explicit Ports(const Int *numbers) : above_(numbers[0]), below_(numbers[1]), evicts_(numbers[2] != 0) {}

    Int arrive(Memory &memory, Int, std::size_t place, const Packet &packet) override {
        const bool fits = packet.size <= memory.free && below_ * memory.port_length(place) < above_ * memory.free;
        return enter(memory, place, packet.size, fits || (evicts_ && evict(memory, place, packet.size)));
    }

   private:
    const Int above_, below_;
    const bool evicts_;

    bool evict(Memory &memory, std::size_t place, Int size) const {
        const std::size_t first = memory.first(place);
        const std::deque<Packet *> &victims = memory.places[first + 1].waiting;
        if (place != first || victims.empty() || size > victims.back()->size) return false;
        memory.push_out(first + 1, victims.size() - 1);
        return true;
    }
};

// A policy that is not compiled; the packets that it pushes out are removed while it decides.
class Called final : public Rule {
   public:
    Called(dtmodel_network_callback call, Int number, bool &stopped) : call_(call), number_(number), stopped_(stopped) {}

    Int arrive(Memory &memory, Int now, std::size_t place, const Packet &packet) override {
        const Int decision = report(ARRIVES, now, place, packet.size, &packet);
        if (decision != DROP) memory.enter(place, packet.size);
        return decision;
    }

    void sent(Int now, std::size_t place, Int size) override { report(SENT, now, place, size, nullptr); }
    void starts(Int now, std::size_t place) { report(STARTS, now, place, 0, nullptr); }

   private:
    dtmodel_network_callback call_;
    const Int number_;
    bool &stopped_;

    Int report(Report what, Int now, std::size_t place, Int size, const Packet *packet) {
        if (stopped_) return DROP;
        const Int said = call_(what, number_, now, static_cast<Int>(place), size, reinterpret_cast<Int>(packet));
        stopped_ = said < 0;
        return stopped_ ? Int{DROP} : said;
    }
};

inline dtmodel_switch_form admission_form(const dtmodel_network_rule &rule, Int places) {
    return {places, rule.count, rule.cn1, 1, rule.kind == CIRCUIT, 0, rule.numbers};
}

inline bool sound(const dtmodel_network_rule &rule, Int ports, Int queues, bool callback) {
    if (rule.before < 0 || rule.before >= queues) return false;
    switch (rule.kind) {
        case CALLBACK: return callback;
        case THRESHOLDS:
        case CIRCUIT: return sound(admission_form(rule, ports * queues));
        case BEST_EFFORT: return rule.count == 1;
        case QUOTAS: return rule.count == queues - rule.before;
        case DYNAQ: return rule.count == 5 + queues - rule.before && rule.numbers[0] > 0 && rule.numbers[0] <= Int{1} << 20;
        case LOSSPASS: return rule.count == 5 && queues == 2;
        case PORTS:
            return rule.count == 3 && std::min(rule.numbers[0], rule.numbers[1]) > 0 &&
                   std::max(rule.numbers[0], rule.numbers[1]) <= Int{1} << 20 && (rule.numbers[2] == 0 || queues == 2);
        default: return false;
    }
}

// A rule that is compiled; null for a callback.
inline std::unique_ptr<Rule> make_rule(const dtmodel_network_rule &rule, std::size_t ports, std::size_t queues) {
    const dtmodel_switch_form form = admission_form(rule, static_cast<Int>(ports * queues));
    const std::size_t before = static_cast<std::size_t>(rule.before), left = queues - before;
    std::unique_ptr<Rule> inner;
    switch (rule.kind) {
        case THRESHOLDS: return std::make_unique<Shared<Thresholds>>(form);
        case CIRCUIT: return std::make_unique<Shared<Circuit>>(form);
        case BEST_EFFORT: return std::make_unique<Below>(static_cast<Int>(queues), rule.numbers[0], nullptr);
        case QUOTAS: inner = std::make_unique<Quotas>(rule.numbers, before, left); break;
        case DYNAQ: inner = std::make_unique<DynaQ>(rule.numbers, ports, before, left); break;
        case LOSSPASS: return std::make_unique<LossPass>(rule.numbers);
        case PORTS: return std::make_unique<Ports>(rule.numbers);
        default: return nullptr;
    }
    if (before == 0) return inner;
    return std::make_unique<Below>(rule.before, rule.buffer / static_cast<Int>(ports), std::move(inner));
}

}  // namespace
