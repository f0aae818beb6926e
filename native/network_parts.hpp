// What a network is made of: the times of packets, links, ports, switches and the requests of its workload.

#pragma once

#include <memory>
#include <vector>

#include "network_form.hpp"

namespace {

inline std::uint64_t hashed(std::uint64_t state, std::uint64_t key) {
    state += key + 0x9E3779B97F4A7C15;
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
    return state ^ (state >> 31);
}

// The times of packets of each size at a rate.
class Times {
   public:
    Times(const Int rate[2], Int most) : times_(static_cast<std::size_t>(most) + 1) {
        for (std::size_t size = 0; size < times_.size(); ++size)
            times_[size] = static_cast<Int>((static_cast<Wide>(size) * SECOND * rate[1] + rate[0] - 1) / rate[0]);
    }
    Int of(std::int32_t size) const { return times_[static_cast<std::size_t>(size)]; }

   private:
    std::vector<Int> times_;
};

struct Link {
    const Times *times;
    Int delay;
    std::int32_t far;  // a switch; negative: a host
    std::deque<Due<Packet>> on_the_way = {};
};

// The link of a host, behind which packets are late by hashed times.
struct Uplink {
    std::uint32_t link;
    std::uint64_t state;  // of the hash, after the seed and the host
    Int free = 0, last = 0, packets = 0;
};

struct Port {
    std::uint32_t number, at, link;  // of its switch, and within it
    Turns turns;
    Rounds rounds;
    Packet *sending = nullptr;
};

struct Switch {
    Memory memory;
    std::unique_ptr<Rule> rule;
    Called *called;  // the rule, if it is a callback
    Int mark_queue, mark_port, longest;
    bool mark_both;
    std::uint32_t first_port;
};

struct Request {
    Flow *flow;
    Int size, begin, timeouts, arrival;  // of the flows that arrive; negative: a response to a query
    Int step;
    bool served = false;
};

}  // namespace
