// The numbers of a run of the network, as Python gives them, with the checks that they fit, and room for its results.

#pragma once

#include <algorithm>

#include "rules.hpp"
#include "scheduling.hpp"
#include "transport.hpp"

extern "C" {

// A network, its transport and its workload, in bytes and picoseconds; all hosts and queues count from 0.
struct dtmodel_network_form {
    std::int64_t hosts, leaves, spines, delay, jitter, seed, queues, scheduler, strict, at_start;
    std::int64_t rate[2], uplink[2];  // bytes per second, as fractions
    std::int64_t sack, window, min_rto, delayed, persistent, handshake_sample, syn_timeout, segment, control;
    std::int64_t client, responses, response_size, queries, response_queue, start;
    std::int64_t flows, classes, demotions, groups, watched, every, rows, lengths, until;
    const std::int64_t *shares;   // of each queue after the strict ones: its weight or its quantum
    const std::int64_t *quanta;   // of each queue: its bytes in a round
    const std::int64_t *servers;  // of each response to a query
    const std::int64_t *pauses;   // after each query but the last
    const std::int64_t *arrivals[6];  // time, source, target, size, last queue and class of each flow that arrives
    const std::int64_t *demote;       // the bytes after which a flow goes on in the next queue, or in its last one
    const std::int64_t *lasting[6];   // begin, source, target, queue, stop (or -1) and control of each flow that lasts
    const dtmodel_network_rule *rules;  // of each switch
    dtmodel_network_callback callback;
};

// Room for the results: times of queries and flows (-1: not completed), timeouts and segments sent again of each
// connection, packets dropped and pushed out and the longest queue of each place, bytes and sums of lengths of each
// interval and queue, samples of each interval, packets sent and lost of each class (the last: without one) and queue.
struct dtmodel_network_result {
    std::int64_t *queries, *flows, *timeouts, *resent, *dropped, *pushed, *peak, *bytes, *held, *samples, *sent, *lost;
    std::int64_t answered, responses, late, connections, events;
};

}  // extern "C"

namespace {

constexpr Int MOST_TIME = 1'000'000'000'000'000'000, MOST_SIZE = 1 << 20, MOST_BYTES = Int{1} << 40,
              MOST_QUEUES = 1 << 15;

inline bool between(Int value, Int least, Int most) { return value >= least && value <= most; }

inline bool all_between(const Int *values, Int count, Int least, Int most) {
    return count == 0 || (values != nullptr && std::all_of(values, values + count, [&](Int each) {
        return between(each, least, most);
    }));
}

inline bool sound_network(const dtmodel_network_form &form) {
    const Int most = form.segment + HEADER + ACK_BYTES;
    const auto rate = [&](const Int each[2]) {
        return between(each[0], 1, MOST) && between(each[1], 1, MOST) &&
               static_cast<Wide>(most) * SECOND * each[1] / each[0] < MOST_TIME;
    };
    const bool tree = form.leaves != 0;
    return between(form.hosts, 1, MOST_PORTS) && between(form.leaves, 0, MOST_PORTS) && between(form.segment, 1, MOST_SIZE) &&
           between(form.spines, tree, tree ? MOST_PORTS : 0) && between(form.delay, 0, MOST_TIME) && between(form.jitter, 0, MOST_TIME) &&
           between(form.queues, 1, MOST_QUEUES) && between(form.scheduler, STRICT, DEFICIT) &&
           between(form.strict, 0, form.queues - 1) && rate(form.rate) &&
           (!tree || rate(form.uplink)) && all_between(form.shares, form.queues - form.strict, 1, MOST_BYTES) &&
           all_between(form.quanta, form.queues, 0, MOST_BYTES);
}

inline bool sound_transport(const dtmodel_network_form &form) {
    return between(form.sack, NO_SACK, WITHOUT_RULE_3) && between(form.window, 1, MOST_SIZE) &&
           between(form.min_rto, 0, MOST_TIME) && between(form.syn_timeout, 0, MOST_TIME) &&
           between(form.control, NEWRENO, CUBIC);
}

inline bool sound_workload(const dtmodel_network_form &form) {
    const Int hosts = form.hosts * std::max<Int>(form.leaves, 1) - 1, queues = form.queues - 1;
    bool good = between(form.client, 0, hosts) && between(form.response_size, 0, MOST_TIME) &&
                between(form.response_queue, 0, queues) && between(form.start, 0, MOST_TIME) &&
                between(form.classes, 0, MOST_QUEUES) && between(form.demotions, 0, queues) &&
                between(form.until, 0, MOST_TIME) && between(form.every, 0, MOST_TIME) && form.every * form.rows <= form.until &&
                all_between(form.servers, form.responses, 0, hosts) &&
                all_between(form.pauses, std::max<Int>(form.queries - 1, 0), 0, MOST_TIME) &&
                all_between(form.demote, form.demotions, 0, MOST_TIME);
    const Int ends[6] = {MOST_TIME, hosts, hosts, MOST_TIME, queues, form.classes - 1};
    const Int lasts[6] = {MOST_TIME, hosts, hosts, queues, MOST_TIME, CUBIC};
    for (int k = 0; k < 6; ++k) good = good && all_between(form.arrivals[k], form.flows, 0, ends[k]);
    for (int k = 0; k < 6; ++k) good = good && all_between(form.lasting[k], form.groups, k == 4 ? -1 : 0, lasts[k]);
    return good && (form.flows == 0 || std::is_sorted(form.arrivals[0], form.arrivals[0] + form.flows));
}

inline bool sound_rules(const dtmodel_network_form &form) {
    for (Int k = 0; k < std::max<Int>(form.leaves + form.spines, 1); ++k) {
        const Int ports = k < std::max<Int>(form.leaves, 1) ? form.hosts + form.spines : form.leaves;
        const dtmodel_network_rule &rule = form.rules[k];
        if (!between(rule.buffer, 1, MOST_BYTES) || !sound(rule, ports, form.queues, form.callback != nullptr))
            return false;
    }
    return true;
}

inline bool sound(const dtmodel_network_form &form) {
    return sound_network(form) && sound_transport(form) && sound_workload(form) && sound_rules(form);
}

}  // namespace
