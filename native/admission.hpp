// Which packets enter a shared memory: thresholds that are affine in what is free, and the circuit of EDT beside them.
//
// Either all numbers are doubles, each operation as Python does it, or all are whole.

#pragma once

#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#include "least.hpp"

extern "C" {

// A switch: `numbers` are doubles, or std::int64_t if `whole`: the buffer, cn2, TM1, TM2 (0: never expires), then the
// rate of each port (if whole, how long it sends one byte), then slope, offset and scale of each threshold: a packet
// enters while scale length < slope free + offset. `counters`: with the state machine of EDT; `cn1` is that of C1.
// `pushes`: a packet for which there is no room pushes others out of the longest queue.
struct dtmodel_switch_form {
    std::int64_t ports, count, cn1;
    std::int32_t whole, counters, pushes;
    const void *numbers;
};

}  // extern "C"

#define EXPORT __attribute__((visibility("default")))

namespace {

// What a call returns, or something else if there is no memory.
template <class Result, class Call>
Result attempt(Result otherwise, Call call) {
    try {
        return call();
    } catch (const std::bad_alloc &) {
        return otherwise;
    }
}

constexpr std::int64_t MOST = std::int64_t{1} << 61;  // two of them can be added
constexpr std::int64_t MOST_PORTS = 1 << 20;
using Wide = __int128;

template <class Number>
constexpr Number NEVER = std::numeric_limits<Number>::max();  // no instant of a run is as late

// What the two kinds of numbers do differently.
inline bool is_number(double value) { return value >= -0x1p1000 && value <= 0x1p1000; }
inline bool is_number(std::int64_t value) { return value >= -MOST && value <= MOST; }

inline bool below(double length, double free, double slope, double offset, double) {
    return length < slope * free + offset;
}
inline bool below(std::int64_t length, std::int64_t free, std::int64_t slope, std::int64_t offset, std::int64_t scale) {
    return static_cast<Wide>(scale) * length < static_cast<Wide>(slope) * free + offset;
}

inline bool below_share(double length, double buffer, std::int64_t number) {
    return length < buffer / static_cast<double>(number);
}
inline bool below_share(std::int64_t length, std::int64_t buffer, std::int64_t number) {
    return static_cast<Wide>(length) * number < buffer;
}

template <class Number>
class Thresholds {
   public:
    Thresholds(const dtmodel_switch_form &form, const Number *numbers) : limits_(static_cast<std::size_t>(form.ports)) {
        for (std::size_t port = 0; port < limits_.size(); ++port) {
            const Number *first = numbers + 4 + port;
            limits_[port] = {first[form.ports], first[2 * form.ports], first[3 * form.ports]};
        }
    }

    bool admits(std::size_t port, Number length, Number free, Number) const {
        const Limit &limit = limits_[port];
        return below(length, free, limit.slope, limit.offset, limit.scale);
    }
    void enqueued(std::size_t, Number, Number) {}
    void dequeued(std::size_t, Number, Number) {}
    void dropped(std::size_t, Number) {}
    void overflowed(Number) {}

   private:
    struct Limit {
        Number slope, offset, scale;
    };
    std::vector<Limit> limits_;
};

inline bool starts(double now, double duration, double &expires) {
    expires = now + duration;
    return true;
}
inline bool starts(std::int64_t now, std::int64_t duration, std::int64_t &expires) {
    return !__builtin_add_overflow(now, duration, &expires);
}

// The circuit of EDT: dtmodel/policies/edt_circuit.py in the reading `circuit`. A port is uncontrolled while its TM2 runs.
template <class Number>
class Circuit {
   public:
    Circuit(const dtmodel_switch_form &form, const Number *numbers)
        : limits_(form, numbers), buffer_(numbers[0]), cn2_(numbers[1]), tm1_(numbers[2]), tm2_(numbers[3]),
          cn1_(form.cn1), ports_(static_cast<std::size_t>(form.ports)) {
        growth_.begin(ports_.size()), hold_.begin(ports_.size());
    }

    bool admits(std::size_t port, Number length, Number free, Number now) {
        tick(now);
        if (hold_.has(port)) return below_share(length, buffer_, uncontrolled_);
        return limits_.admits(port, length, free, now);
    }

    void enqueued(std::size_t port, Number size, Number now) {
        Port &mine = ports_[port];
        mine.c1 = 0;
        if (hold_.has(port)) return;
        mine.c2 += size;
        if (mine.c2 >= cn2_) {
            mine.c2 = 0, growth_.take(port), ++uncontrolled_;
            hold_.set(port, expiry(now, tm2_));
        } else if (tm1_ > 0 && !growth_.has(port) && mine.c2 > 0) {
            growth_.set(port, expiry(now, tm1_));
        }
    }

    void dequeued(std::size_t port, Number size, Number now) {
        tick(now);
        Port &mine = ports_[port];
        if (!hold_.has(port)) {
            mine.c2 = mine.c2 > size ? mine.c2 - size : 0;
            if (mine.c2 <= 0) growth_.take(port);
        }
        if (++mine.c1 >= cn1_) mine.c1 = 0, control(port);
    }

    void dropped(std::size_t port, Number now) {
        tick(now);
        if (!hold_.has(port)) reset(port);
    }

    void overflowed(Number now) {
        tick(now);
        while (uncontrolled_ > 0) control(hold_.who());
    }

   private:
    struct Port {
        std::int64_t c1 = 0;
        Number c2 = 0;
    };
    Thresholds<Number> limits_;
    Number buffer_, cn2_, tm1_, tm2_;
    std::int64_t cn1_, uncontrolled_ = 0;
    std::vector<Port> ports_;
    Least<Number> growth_, hold_;  // when TM1 and TM2 expire

    // Of a timer that never expires, or so late that it does not fit, nothing is heard.
    static Number expiry(Number now, Number duration) {
        Number expires;
        return duration > 0 && starts(now, duration, expires) ? expires : NEVER<Number> - 1;
    }

    void tick(Number now) {
        while (hold_.least() <= now) control(hold_.who());
        while (growth_.least() <= now) reset(growth_.who());
    }

    void reset(std::size_t port) { ports_[port].c2 = 0, growth_.take(port); }

    void control(std::size_t port) {
        if (!hold_.has(port)) return;
        hold_.take(port), --uncontrolled_, ports_[port].c2 = 0;
    }
};

template <class Number>
bool sound(const dtmodel_switch_form &form) {
    const auto *numbers = static_cast<const Number *>(form.numbers);
    for (std::int64_t k = 0; k < form.count; ++k)
        if (!is_number(numbers[k])) return false;
    if (!(numbers[0] > 0 && numbers[0] <= static_cast<Number>(MOST))) return false;
    for (std::int64_t k = 1; k < 4; ++k)
        if (!(numbers[k] >= 0)) return false;
    if (form.counters != 0 && !(numbers[1] > 0 && form.cn1 > 0 && form.pushes == 0)) return false;
    for (std::int64_t port = 0; port < form.ports; ++port)
        if (!(numbers[4 + port] > 0 && numbers[4 + 3 * form.ports + port] > 0)) return false;
    return true;
}

bool sound(const dtmodel_switch_form &form) {
    if (form.ports < 1 || form.ports > MOST_PORTS || form.numbers == nullptr || form.count != 4 + 4 * form.ports)
        return false;
    return form.whole != 0 ? sound<std::int64_t>(form) : sound<double>(form);
}

}  // namespace
