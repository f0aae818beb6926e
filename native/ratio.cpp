// The competitive ratio: longest walks in the product of a policy's states and the optimum's, by Bellman and Ford.
//
// Rows of `potential` are states of the policy, columns states of the optimum, both sorted by decreasing occupancy, so
// that a sweep follows all arrivals of a slot. An edge weighs q times the packets that the optimum sends less p times
// those of the policy, so that a cycle weighs more than 0 if its ratio exceeds p / q.

#include <cstdint>

extern "C" {

#define EXPORT __attribute__((visibility("default")))

struct dtmodel_product {
    std::int64_t states, optima, ports, p, q;
    const std::int32_t *arrive;   // states x ports: the next state
    const std::int32_t *depart;   // states
    const std::int32_t *sent;     // states: packets sent in a slot
    const std::int32_t *accept;   // ports x optima: the next state of the optimum, itself if its buffer is full
    const std::int32_t *drain;    // optima
    const std::int32_t *gained;   // optima: packets sent in a slot
    std::int64_t *potential;      // states x optima
    std::int8_t *edge;            // states x optima: 0 none, 1 departures, 2 + 2 i + (1 if the optimum accepts) at port i
    std::int32_t *colour;         // states x optima, for the search of cycles
};

// Raise potentials in one sweep, in place; return the number of states that changed.
EXPORT std::int64_t dtmodel_ratio_sweep(const dtmodel_product *made) {
    const dtmodel_product &all = *made;
    std::int64_t changed = 0;
    for (std::int64_t s = 0; s < all.states; ++s) {
        std::int64_t *own = all.potential + s * all.optima;
        std::int8_t *edge = all.edge + s * all.optima;
        const std::int64_t *later = all.potential + all.depart[s] * all.optima, cost = all.p * all.sent[s];
        for (std::int64_t o = 0; o < all.optima; ++o) {
            std::int64_t best = own[o];
            std::int8_t chosen = 0;
            const auto offer = [&](std::int64_t value, std::int64_t name) {
                if (value > best) best = value, chosen = static_cast<std::int8_t>(name);
            };
            for (std::int64_t i = 0; i < all.ports; ++i) {
                const std::int64_t *next = all.potential + all.arrive[s * all.ports + i] * all.optima;
                offer(next[o], 2 + 2 * i);
                offer(next[all.accept[i * all.optima + o]], 3 + 2 * i);
            }
            offer(later[all.drain[o]] + all.q * all.gained[o] - cost, 1);
            if (chosen) own[o] = best, edge[o] = chosen, ++changed;
        }
    }
    return changed;
}

// Follow an edge from a place of `potential`, and add the packets that both send; -1 if there is no edge.
static std::int64_t follow(const dtmodel_product &all, std::int64_t place, std::int64_t *optimum, std::int64_t *policy) {
    const std::int64_t s = place / all.optima, o = place % all.optima, edge = all.edge[place];
    if (edge == 0) return -1;
    if (edge == 1) {
        *optimum += all.gained[o], *policy += all.sent[s];
        return all.depart[s] * all.optima + all.drain[o];
    }
    const std::int64_t i = (edge - 2) / 2;
    return all.arrive[s * all.ports + i] * all.optima + (edge % 2 ? all.accept[i * all.optima + o] : o);
}

// Find the cycle of chosen edges with the largest ratio; return a place on it, or -1 if there is none.
EXPORT std::int64_t dtmodel_ratio_cycle(const dtmodel_product *made) {
    const dtmodel_product &all = *made;
    const std::int64_t places = all.states * all.optima;
    std::int64_t found = -1, most = 0, least = 1;
    for (std::int64_t place = 0; place < places; ++place) all.colour[place] = 0;
    for (std::int64_t first = 0, colour = 1; first < places; ++first, ++colour) {
        std::int64_t place = first, optimum = 0, policy = 0;
        while (place >= 0 && all.colour[place] == 0) {
            all.colour[place] = static_cast<std::int32_t>(colour);
            place = follow(all, place, &optimum, &policy);
        }
        if (place < 0 || all.colour[place] != colour) continue;
        const std::int64_t begin = place;
        optimum = policy = 0;
        do place = follow(all, place, &optimum, &policy);
        while (place != begin);
        if (found < 0 || optimum * least > most * policy) found = begin, most = optimum, least = policy;
    }
    return found;
}

}  // extern "C"
