// Packets in a switch with shared memory: what dtmodel/packet/engine.py does, in the same numbers.
//
// Either all numbers are doubles, and each operation is the one that Python does, in its order, so that both round
// alike; or all are whole (bytes and time in units in which everything is whole), and nothing is rounded. What would not
// fit into 64 bits is refused. At one instant packets depart, in the order of ports, before others arrive.

#include <cstdint>
#include <memory>
#include <vector>

#include "admission.hpp"
#include "least.hpp"
#include "ring.hpp"

extern "C" {

// Packets that arrive, in order, and the numbers of their records; then each Loss until others arrive.
struct dtmodel_packets {
    std::int64_t count;
    const void *time;
    const std::int64_t *port;
    const void *size;
    const std::int64_t *record;
    const void *lost;
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
struct Held {
    Number size;
    std::int64_t record;  // -1: it was there at time 0
};

// A packet that is dropped or pushed out, as `Lost` of the engine.
template <class Number>
struct Loss {
    Number time = 0;
    std::int64_t port = 0, record = 0;
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
    virtual bool hold(std::int64_t port, const void *size) = 0;
    virtual std::int64_t feed(dtmodel_packets &packets) = 0;
    virtual Refusal run_to(const void *until) = 0;
    virtual const void *tallies() const = 0;
};

namespace {

template <class Number, template <class> class Policy, bool PUSHES = false>
class Switch final : public dtmodel_switch {
   public:
    explicit Switch(const dtmodel_switch_form &form)
        : Switch(form, static_cast<const Number *>(form.numbers)) {}

    // A packet that is there at time 0; it has to fit.
    bool hold(std::int64_t port, const void *given) override {
        const Number size = *static_cast<const Number *>(given);
        if (port < 0 || port >= count() || !(size > 0 && size <= free_)) return false;
        return put(static_cast<std::size_t>(port), {size, -1}, 0);
    }

    std::int64_t feed(dtmodel_packets &packets) override {
        const auto *times = static_cast<const Number *>(packets.time), *sizes = static_cast<const Number *>(packets.size);
        std::int64_t k = 0;
        losses_.clear(), packets.state = NOTHING;
        for (; k < packets.count; ++k)
            if ((packets.state = arrive(packets.port[k], {sizes[k], packets.record[k]}, times[k])) != NOTHING) break;
        packets.lost = losses_.data(), packets.losses = static_cast<std::int64_t>(losses_.size());
        return k;
    }

    Refusal run_to(const void *until) override { return depart_until(*static_cast<const Number *>(until)); }

    const void *tallies() const override { return ports_.data(); }

   private:
    Number buffer_, free_, now_ = 0;
    std::vector<Number> rate_;
    Policy<Number> policy_;
    std::vector<Ring<Held<Number>>> waiting_;  // the packets at each port
    std::vector<Tally<Number>> ports_;
    Least<Number> departures_;  // when each port has sent its first packet
    Least<Number> longest_;     // less the length of each queue that can be pushed out of
    std::vector<Loss<Number>> losses_;
    std::vector<Number> lengths_;  // before packets were pushed out

    Switch(const dtmodel_switch_form &form, const Number *numbers)
        : buffer_(numbers[0]), free_(numbers[0]), rate_(numbers + 4, numbers + 4 + form.ports), policy_(form, numbers),
          waiting_(rate_.size()), ports_(rate_.size()) {
        departures_.begin(rate_.size()), longest_.begin(rate_.size());
    }

    std::int64_t count() const { return static_cast<std::int64_t>(ports_.size()); }

    Refusal arrive(std::int64_t where, const Held<Number> &packet, Number now) {
        const Number size = packet.size;
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
        if (PUSHES && size > free_) make_room(size, mine.length + size, now);
        if (size > free_) policy_.overflowed(now);
        if (size <= free_ && policy_.admits(port, mine.length, free_, now)) {
            if (!put(port, packet, now)) return OVERFLOWN;
            policy_.enqueued(port, size, now);
            mine.longest = std::max(mine.longest, mine.length);
        } else {
            losses_.push_back({now, where, packet.record, size, free_});
            lose(losses_.back());
        }
        mine.least_free = std::min(mine.least_free, free_);
        return NOTHING;
    }

    void lose(const Loss<Number> &loss) {
        Tally<Number> &mine = ports_[static_cast<std::size_t>(loss.port)];
        policy_.dropped(static_cast<std::size_t>(loss.port), loss.time);
        if (mine.lost_packets++ == 0) mine.first = loss;
        mine.lost_bytes += static_cast<std::uint64_t>(loss.size);
    }

    // Push last packets out of the longest queue until `size` bytes are free; none if that leaves no queue longer than
    // `own`. A packet that is sent stays.
    void make_room(Number size, Number own, Number now) {
        const Number free = free_;
        const std::size_t before = losses_.size();
        lengths_.clear();
        while (size > free_ && -longest_.least() > own) {
            const std::size_t port = longest_.who();
            const Held<Number> last = waiting_[port].back();
            waiting_[port].remove(waiting_[port].size() - 1);
            lengths_.push_back(ports_[port].length);
            hold(port, -last.size);
            losses_.push_back({now, static_cast<std::int64_t>(port), last.record, last.size, free_});
        }
        const bool fits = size <= free_;
        for (std::size_t k = before; fits && k < losses_.size(); ++k) lose(losses_[k]);
        for (; !fits && losses_.size() > before; losses_.pop_back(), lengths_.pop_back()) {
            const auto port = static_cast<std::size_t>(losses_.back().port);
            waiting_[port].push({losses_.back().size, losses_.back().record});
            ports_[port].length = lengths_.back();
            hold(port, 0);
        }
        if (!fits) free_ = free;
    }

    bool put(std::size_t port, const Held<Number> &packet, Number now) {
        const bool idle = waiting_[port].empty();
        waiting_[port].push(packet);
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
            const Number now = departures_.least(), size = waiting_[port].pop().size;
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
std::unique_ptr<dtmodel_switch> make_switch(const dtmodel_switch_form &form) {
    if (form.counters != 0) return std::make_unique<Switch<Number, Circuit>>(form);
    if (form.pushes != 0) return std::make_unique<Switch<Number, Thresholds, true>>(form);
    return std::make_unique<Switch<Number, Thresholds>>(form);
}

}  // namespace

extern "C" {

EXPORT std::int32_t dtmodel_packets_interface() { return 3; }

// Make a switch; null: its numbers are not what they are said to be, or there is no memory.
EXPORT dtmodel_switch *dtmodel_switch_make(const dtmodel_switch_form *form) {
    if (form == nullptr || !sound(*form)) return nullptr;
    return in_memory<dtmodel_switch *>(nullptr, [&] {
        return (form->whole != 0 ? make_switch<std::int64_t>(*form) : make_switch<double>(*form)).release();
    });
}

// Let a packet be there at time 0, before any arrives; says whether it fits.
EXPORT std::int32_t dtmodel_switch_hold(dtmodel_switch *made, std::int64_t port, const void *size) {
    return in_memory(false, [&] { return made->hold(port, size); });
}

// Let packets arrive; returns how many did, and `state` says what is wrong with the next.
EXPORT std::int64_t dtmodel_switch_feed(dtmodel_switch *made, dtmodel_packets *packets) {
    packets->state = MEMORY;
    return in_memory<std::int64_t>(0, [&] { return made->feed(*packets); });
}

// Send until an instant, at which packets still depart.
EXPORT std::int32_t dtmodel_switch_run_to(dtmodel_switch *made, const void *until) { return made->run_to(until); }

// Point to the Tally of each port.
EXPORT const void *dtmodel_switch_tallies(const dtmodel_switch *made) { return made->tallies(); }

EXPORT void dtmodel_switch_forget(dtmodel_switch *made) { delete made; }

}  // extern "C"
