// Packets in a switch with shared memory: what dtmodel/packet/engine.py does, in the same numbers.
//
// Either all numbers are doubles, and each operation is the one that Python does, in its order, so that both round
// alike; or all are whole (bytes and time in units in which everything is whole), and nothing is rounded. What would not
// fit into 64 bits is refused. At one instant packets depart, in the order of ports, before others arrive.

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "admission.hpp"
#include "least.hpp"
#include "ring.hpp"

extern "C" {

// Packets that arrive, in order, and room for which of them are lost, and what is free then.
struct dtmodel_packets {
    std::int64_t count;
    const void *time;
    const std::int64_t *port;
    const void *size;
    std::int64_t *lost;  // null: nobody wants to know
    void *free;
    std::int64_t losses;
    std::int32_t state;  // a Refusal
};

}  // extern "C"

namespace {

enum Refusal : std::int32_t { NOTHING = 0, PORT = 1, SIZE = 2, LARGE = 3, TIME = 4, OVERFLOWN = 5, MEMORY = 6 };

inline bool later(double now, double size, double rate, double &then) {
    then = now + size / rate;
    return is_number(then);
}
inline bool later(std::int64_t now, std::int64_t size, std::int64_t each, std::int64_t &then) {
    std::int64_t whole;
    return !__builtin_mul_overflow(size, each, &whole) && !__builtin_add_overflow(now, whole, &then) && then <= MOST;
}

template <class Number>
struct Tally {
    std::int64_t packets = 0, bytes = 0, lost_packets = 0, lost_bytes = 0, first = -1;
    Number offered = 0, sent = 0, length = 0, longest = 0, first_time = 0, first_size = 0, first_free = 0;
};

}  // namespace

struct dtmodel_switch {
    virtual ~dtmodel_switch() = default;
    virtual bool hold(std::int64_t port, const void *size) = 0;
    virtual std::int64_t feed(dtmodel_packets &packets) = 0;
    virtual Refusal run_to(const void *until) = 0;
    virtual void read(std::int64_t *counts, void *amounts) const = 0;
};

namespace {

template <class Number, template <class> class Policy>
class Switch final : public dtmodel_switch {
   public:
    explicit Switch(const dtmodel_switch_form &form)
        : Switch(form, static_cast<const Number *>(form.numbers)) {}

    // A packet that is there at time 0; it has to fit.
    bool hold(std::int64_t port, const void *given) override {
        const Number size = *static_cast<const Number *>(given);
        if (port < 0 || port >= count() || !(size > 0 && size <= free_)) return false;
        return put(static_cast<std::size_t>(port), size, 0);
    }

    std::int64_t feed(dtmodel_packets &packets) override {
        const auto *times = static_cast<const Number *>(packets.time), *sizes = static_cast<const Number *>(packets.size);
        packets.losses = 0, packets.state = NOTHING;
        for (std::int64_t k = 0; k < packets.count; ++k) {
            const Refusal refusal = arrive(packets.port[k], sizes[k], times[k], k, packets);
            if (refusal != NOTHING) {
                packets.state = refusal;
                return k;
            }
        }
        return packets.count;
    }

    Refusal run_to(const void *until) override { return depart_until(*static_cast<const Number *>(until)); }

    void read(std::int64_t *counts, void *given) const override {
        auto *amounts = static_cast<Number *>(given);
        *amounts++ = free_, *amounts++ = least_free_;
        for (const Tally<Number> &port : ports_) {
            for (std::int64_t value : {port.packets, port.bytes, port.lost_packets, port.lost_bytes, port.first})
                *counts++ = value;
            for (Number value : {port.offered, port.sent, port.length, port.longest, port.first_time, port.first_size,
                                 port.first_free})
                *amounts++ = value;
        }
    }

   private:
    Number buffer_, free_, least_free_, now_ = 0;
    std::vector<Number> rate_;
    Policy<Number> policy_;
    std::vector<Ring<Number>> waiting_;  // the sizes of the packets at each port
    std::vector<Tally<Number>> ports_;
    Least<Number> departures_;  // when each port has sent its first packet
    std::int64_t records_ = 0;

    Switch(const dtmodel_switch_form &form, const Number *numbers)
        : buffer_(numbers[0]), free_(numbers[0]), least_free_(numbers[0]),
          rate_(numbers + 4, numbers + 4 + form.ports), policy_(form, numbers),
          waiting_(static_cast<std::size_t>(form.ports)), ports_(static_cast<std::size_t>(form.ports)) {
        departures_.begin(static_cast<std::size_t>(form.ports));
    }

    std::int64_t count() const { return static_cast<std::int64_t>(ports_.size()); }

    Refusal arrive(std::int64_t where, Number size, Number now, std::int64_t record, dtmodel_packets &packets) {
        if (where < 0 || where >= count()) return PORT;
        if (!(size > 0 && is_number(size))) return SIZE;
        if (!(now >= now_ && is_number(now))) return TIME;
        if (size > buffer_) return LARGE;
        const auto port = static_cast<std::size_t>(where);
        Tally<Number> &mine = ports_[port];
        const auto bytes = static_cast<std::int64_t>(size);
        if (__builtin_add_overflow(mine.bytes, bytes, &mine.bytes)) return OVERFLOWN;
        if (const Refusal refusal = depart_until(now); refusal != NOTHING) return refusal;
        now_ = now, ++mine.packets, mine.offered += size;
        if (size > free_) {
            policy_.overflowed(now);
            lose(port, size, now, record, packets);
        } else if (policy_.admits(port, mine.length, free_, now)) {
            if (!put(port, size, now)) return OVERFLOWN;
            policy_.enqueued(port, size, now);
            if (mine.length > mine.longest) mine.longest = mine.length;
        } else {
            lose(port, size, now, record, packets);
        }
        if (free_ < least_free_) least_free_ = free_;
        ++records_;
        return NOTHING;
    }

    void lose(std::size_t port, Number size, Number now, std::int64_t record, dtmodel_packets &packets) {
        policy_.dropped(port, now);
        Tally<Number> &mine = ports_[port];
        if (mine.lost_packets++ == 0)
            mine.first = records_, mine.first_time = now, mine.first_size = size, mine.first_free = free_;
        mine.lost_bytes += static_cast<std::int64_t>(size);
        if (packets.lost == nullptr) return;
        packets.lost[packets.losses] = record;
        static_cast<Number *>(packets.free)[packets.losses++] = free_;
    }

    bool put(std::size_t port, Number size, Number now) {
        const bool idle = waiting_[port].empty();
        waiting_[port].push(size);
        ports_[port].length += size, free_ -= size;
        return !idle || send(port, now);
    }

    bool send(std::size_t port, Number now) {
        Number then;
        if (!later(now, waiting_[port].front(), rate_[port], then)) return false;
        departures_.set(port, then);
        return true;
    }

    Refusal depart_until(Number until) {
        while (departures_.least() <= until && departures_.least() < NEVER<Number>) {
            const std::size_t port = departures_.who();
            const Number now = departures_.least(), size = waiting_[port].front();
            waiting_[port].pop();
            Tally<Number> &mine = ports_[port];
            mine.length -= size, free_ += size, mine.sent += size;
            policy_.dequeued(port, size, now);
            if (waiting_[port].empty()) departures_.take(port);
            else if (!send(port, now)) return OVERFLOWN;
        }
        return NOTHING;
    }
};

template <class Number>
std::unique_ptr<dtmodel_switch> make_switch(const dtmodel_switch_form &form) {
    if (form.counters != 0) return std::make_unique<Switch<Number, Circuit>>(form);
    return std::make_unique<Switch<Number, Thresholds>>(form);
}

}  // namespace

extern "C" {

#define EXPORT __attribute__((visibility("default")))

EXPORT std::int32_t dtmodel_packets_interface() { return 2; }

// Make a switch; null: its numbers are not what they are said to be, or there is no memory.
EXPORT dtmodel_switch *dtmodel_switch_make(const dtmodel_switch_form *form) {
    if (form == nullptr || !sound(*form)) return nullptr;
    try {
        return (form->whole != 0 ? make_switch<std::int64_t>(*form) : make_switch<double>(*form)).release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

// Let a packet be there at time 0, before any arrives; says whether it fits.
EXPORT std::int32_t dtmodel_switch_hold(dtmodel_switch *made, std::int64_t port, const void *size) {
    try {
        return made->hold(port, size);
    } catch (const std::bad_alloc &) {
        return 0;
    }
}

// Let packets arrive; returns how many did, and `state` says what is wrong with the next.
EXPORT std::int64_t dtmodel_switch_feed(dtmodel_switch *made, dtmodel_packets *packets) {
    try {
        return made->feed(*packets);
    } catch (const std::bad_alloc &) {
        packets->state = MEMORY;
        return 0;
    }
}

// Send until an instant, at which packets still depart.
EXPORT std::int32_t dtmodel_switch_run_to(dtmodel_switch *made, const void *until) { return made->run_to(until); }

// Write five counts and seven amounts a port, and before these what is free and the least that was.
EXPORT void dtmodel_switch_read(const dtmodel_switch *made, std::int64_t *counts, void *amounts) {
    made->read(counts, amounts);
}

EXPORT void dtmodel_switch_forget(dtmodel_switch *made) { delete made; }

}  // extern "C"
