// Packets in a switch with shared memory: what dtmodel/packet/engine.py does, in the same numbers.
//
// Either all numbers are doubles, and each operation is the one that Python does, in its order, so that both round
// alike; or all are whole (bytes and time in units in which everything is whole), and nothing is rounded. What would not
// fit into 64 bits is refused. At one instant packets depart, in the order of ports, before others arrive.

#include <cstdint>
#include <deque>
#include <vector>

#include "admission.hpp"
#include "least.hpp"

extern "C" {

// Packets that arrive, in order, and the numbers of their records; then each Loss on the way, until others are fed.
struct dtmodel_packets {
    std::int64_t count;
    const void *time;
    const std::int64_t *port;
    const void *size;
    const std::int64_t *record;
    const void *until;  // the instant up to which packets depart afterwards; null: none do
    const void *lost;
    std::int64_t losses;
    std::int32_t held, state;  // 1 if the packets do not arrive but are there at time 0; a Refusal
};

}  // extern "C"

namespace {

enum Refusal : std::int32_t { NOTHING = 0, PORT = 1, SIZE = 2, LARGE = 3, TIME = 4, OVERFLOWN = 5, MEMORY = 6, FULL = 7 };

inline bool later(double now, double size, double rate, double &then) {
    then = now + size / rate;
    return is_number(then);
}
inline bool later(std::int64_t now, std::int64_t size, std::int64_t each, std::int64_t &then) {
    std::int64_t whole;
    return !__builtin_mul_overflow(size, each, &whole) && !__builtin_add_overflow(now, whole, &then) && then <= MOST;
}

template <class Number>
struct Held {
    Number size;
    std::int64_t record;
};

// A packet that is dropped or pushed out, as `Lost` of the engine.
template <class Number>
struct Loss {
    Number time = 0;
    std::uint64_t port = 0;
    std::int64_t record = 0;
    Number size = 0, free = 0;
};

template <class Number>
struct Tally {
    std::int64_t packets = 0, bytes = 0, lost_packets = 0;
    std::uint64_t lost_bytes = 0;
    Number offered = 0, sent = 0, length = 0, longest = 0, least_free = NEVER<Number>;  // at arrivals
    Loss<Number> first;  // if any is lost
};

}  // namespace

struct dtmodel_switch {
    virtual ~dtmodel_switch() = default;
    virtual std::int64_t feed(dtmodel_packets &packets) = 0;
    virtual const void *tallies() const = 0;
};

namespace {

template <class Number, template <class> class Policy, bool PUSHES = false>
class Switch final : public dtmodel_switch {
   public:
    Switch(const dtmodel_switch_form &form, const Number *numbers)
        : buffer_(numbers[0]), free_(numbers[0]), rate_(numbers + 4, numbers + 4 + form.ports), policy_(form, numbers),
          waiting_(rate_.size()), ports_(rate_.size()) {
        departures_.begin(rate_.size()), longest_.begin(rate_.size());
    }

    std::int64_t feed(dtmodel_packets &packets) override {
        const auto *times = static_cast<const Number *>(packets.time), *sizes = static_cast<const Number *>(packets.size);
        const auto *until = static_cast<const Number *>(packets.until);
        std::int64_t k = 0;
        losses_.clear(), packets.state = NOTHING;
        for (; k < packets.count; ++k) {
            const auto port = static_cast<std::size_t>(packets.port[k]);
            packets.state = arrive(port, {sizes[k], packets.record[k]}, times[k], packets.held != 0);
            if (packets.state != NOTHING) break;
        }
        if (until != nullptr && k == packets.count) packets.state = depart_until(*until);
        packets.lost = losses_.data(), packets.losses = static_cast<std::int64_t>(losses_.size());
        return k;
    }

    const void *tallies() const override { return ports_.data(); }

   private:
    Number buffer_, free_, now_ = 0;
    std::vector<Number> rate_;
    Policy<Number> policy_;
    std::vector<std::deque<Held<Number>>> waiting_;  // the packets at each port
    std::vector<Tally<Number>> ports_;
    Least<Number> departures_;  // when each port has sent its first packet
    Least<Number> longest_;     // the lengths, negated, of queues in which a packet waits behind the first
    std::vector<Loss<Number>> losses_;
    std::vector<Tally<Number>> before_;  // as they were before each packet that is pushed out for one that arrives

    Refusal arrive(std::size_t port, const Held<Number> &packet, Number now, bool held) {
        const Number size = packet.size;
        if (port >= ports_.size()) return PORT;
        if (!(size > 0 && is_number(size))) return SIZE;
        if (!(now >= now_ && is_number(now))) return TIME;
        if (size > buffer_) return LARGE;
        if (held && size > free_) return FULL;
        if (held) return put(port, packet, now) ? NOTHING : OVERFLOWN;
        Tally<Number> &mine = ports_[port];
        const auto bytes = static_cast<std::int64_t>(size);
        if (__builtin_add_overflow(mine.bytes, bytes, &mine.bytes)) return OVERFLOWN;
        if (const Refusal refusal = depart_until(now); refusal != NOTHING) return refusal;
        now_ = now, ++mine.packets, mine.offered += size;
        if (PUSHES && size > free_) make_room(size, mine.length + size, now);
        if (size > free_) policy_.overflowed(now);
        if (size <= free_ && policy_.admits(port, mine.length, free_, now)) {
            if (!put(port, packet, now)) return OVERFLOWN;
            policy_.enqueued(port, size, now);
            mine.longest = std::max(mine.longest, mine.length);
        } else {
            policy_.dropped(port, now);
            lose(port, packet, now);
        }
        mine.least_free = std::min(mine.least_free, free_);
        return NOTHING;
    }

    void lose(std::size_t port, const Held<Number> &packet, Number now) {
        Tally<Number> &mine = ports_[port];
        losses_.push_back({now, port, packet.record, packet.size, free_});
        if (mine.lost_packets++ == 0) mine.first = losses_.back();
        mine.lost_bytes += static_cast<std::uint64_t>(packet.size);
    }

    // Push last packets out of the longest queue, the first of equal ones, until `size` bytes are free; not one if before
    // that none is longer than `own`.
    void make_room(Number size, Number own, Number now) {
        const Number free = free_;
        for (before_.clear(); size > free_ && -longest_.least() > own;) {
            const std::size_t port = longest_.who();
            const Held<Number> last = waiting_[port].back();
            waiting_[port].pop_back();
            before_.push_back(ports_[port]);
            hold(port, -last.size);
            lose(port, last, now);
        }
        if (size <= free_) return;
        for (; !before_.empty(); before_.pop_back(), losses_.pop_back()) {
            const Loss<Number> &last = losses_.back();
            ports_[last.port] = before_.back();
            waiting_[last.port].push_back({last.size, last.record});
            hold(last.port, 0);
        }
        free_ = free;
    }

    bool put(std::size_t port, const Held<Number> &packet, Number now) {
        const bool idle = waiting_[port].empty();
        waiting_[port].push_back(packet);
        hold(port, packet.size);
        return !idle || send(port, now);
    }

    void hold(std::size_t port, Number more) {
        Number &length = ports_[port].length;
        length += more, free_ -= more;
        if (!PUSHES) return;
        if (waiting_[port].size() > 1) longest_.set(port, -length);
        else longest_.take(port);
    }

    bool send(std::size_t port, Number now) {
        Number then;
        if (!later(now, waiting_[port].front().size, rate_[port], then)) return false;
        departures_.set(port, then);
        return true;
    }

    Refusal depart_until(Number until) {
        while (departures_.least() <= until && departures_.least() < NEVER<Number>) {
            const std::size_t port = departures_.who();
            const Number now = departures_.least(), size = waiting_[port].front().size;
            waiting_[port].pop_front();
            hold(port, -size);
            ports_[port].sent += size;
            policy_.dequeued(port, size, now);
            if (waiting_[port].empty()) departures_.take(port);
            else if (!send(port, now)) return OVERFLOWN;
        }
        return NOTHING;
    }
};

template <class Number>
dtmodel_switch *make_switch(const dtmodel_switch_form &form) {
    const auto *numbers = static_cast<const Number *>(form.numbers);
    if (form.counters != 0) return new Switch<Number, Circuit>(form, numbers);
    if (form.pushes != 0) return new Switch<Number, Thresholds, true>(form, numbers);
    return new Switch<Number, Thresholds>(form, numbers);
}

}  // namespace

extern "C" {

EXPORT std::int32_t dtmodel_packets_interface() { return 3; }

// Make a switch; null: its numbers are not what they are said to be, or there is no memory.
EXPORT dtmodel_switch *dtmodel_switch_make(const dtmodel_switch_form *form) {
    if (form == nullptr || !sound(*form)) return nullptr;
    return attempt<dtmodel_switch *>(nullptr, [&] {
        return form->whole != 0 ? make_switch<std::int64_t>(*form) : make_switch<double>(*form);
    });
}

// Let packets arrive; returns how many did, and `state` says what is wrong with the next, or with `until`.
EXPORT std::int64_t dtmodel_switch_feed(dtmodel_switch *made, dtmodel_packets *packets) {
    packets->state = MEMORY;
    return attempt<std::int64_t>(0, [&] { return made->feed(*packets); });
}

// Point to the Tally of each port.
EXPORT const void *dtmodel_switch_tallies(const dtmodel_switch *made) { return made->tallies(); }

EXPORT void dtmodel_switch_forget(dtmodel_switch *made) { delete made; }

}  // extern "C"
