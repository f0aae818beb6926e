// Closed loop: hosts, links and switches around the connections of transport.hpp, and the workload of a run.
//
// The numbers, the events and their order are those of dtmodel/network/fabric.py and workload.py: picoseconds and bytes in
// whole numbers, draws made in Python but for the jitter, which is hashed here from the same keys. Packets leave a link
// in the order in which they entered it, so that a link has one event at a time: that of its first packet. What would
// not fit into 64 bits ends the run, and Python repeats it.

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <vector>

#include "network_form.hpp"
#include "network_parts.hpp"

namespace {

enum State : std::int32_t { RUNNING, DONE, STOPPED, TOO_LATE, NO_MEMORY };

constexpr std::uint64_t NOT_DEPARTURE = std::uint64_t{1} << 63;
constexpr Int DATA_SENT = 1'000'000'000'000'000;

class Network final : public Wire {
   public:
    Network(const dtmodel_network_form &form)
        : form_(form), transport_{static_cast<Sack>(form.sack), form.delayed != 0, form.persistent != 0,
                                  form.handshake_sample != 0, form.window, form.min_rto, form.syn_timeout, form.segment,
                                  std::vector<Int>(form.demote, form.demote + form.demotions)},
          slow_(form.rate, most_size()), fast_(form.leaves != 0 ? form.uplink : form.rate, most_size()),
          seed_(hashed(0, static_cast<std::uint64_t>(form.seed))), jitter_(static_cast<std::uint64_t>(form.jitter) + 1),
          shares_{static_cast<Scheduling>(form.scheduler), static_cast<std::size_t>(form.strict),
                  std::vector<Int>(form.shares, form.shares + form.queues - form.strict)},
          packets_(form.classes + 1, form.queues), queries_(static_cast<std::size_t>(form.queries)), flows_of_(static_cast<std::size_t>(form.flows), -1),
          bytes_(static_cast<std::size_t>(form.rows * form.queues)), held_(bytes_.size()),
          samples_(static_cast<std::size_t>(form.rows)) {
        build();
        for (Int host = 0; host < all_hosts(); ++host) {
            leaf_.push_back(static_cast<std::int32_t>(home(host)));
            under_.push_back(static_cast<std::int32_t>(host % form_.hosts));
            uplinks_.push_back({link(slow_, leaf_.back()),
                                hashed(seed_, static_cast<std::uint64_t>(host))});
        }
        announce();
    }

    State run(Int events) {
        for (; events > 0; --events) {
            if (!events_.until(form_.until)) return DONE;
            happen(events_.take());
            ++counted_;
            if (stopped_ || too_late_) return stopped_ ? STOPPED : TOO_LATE;
        }
        return RUNNING;
    }

    void push_out(std::size_t number, std::size_t place, const Packet *packet) {
        Memory &memory = switches_[number].memory;
        std::size_t rank = 0;
        while (memory.places[place].waiting[rank] != packet) ++rank;
        memory.push_out(place, rank);
    }

    void read(dtmodel_network_result &into) const {
        std::copy_n(queries_.begin(), answered_, into.queries);
        for (const auto &[from, to] : {std::pair{&flows_of_, into.flows}, {&bytes_, into.bytes}, {&held_, into.held}, {&samples_, into.samples},
                                       {&packets_.sent, into.sent}, {&packets_.lost, into.lost}})
            std::copy(from->begin(), from->end(), to);
        for (std::size_t k = 0; k < flows_.size(); ++k)
            into.timeouts[k] = flows_[k].timeouts, into.resent[k] = flows_[k].resent;
        std::size_t at = 0;
        for (const Switch &each : switches_)
            for (const Place &place : each.memory.places)
                into.dropped[at] = place.dropped, into.pushed[at] = place.pushed, into.peak[at++] = place.peak;
        into.answered = static_cast<Int>(answered_), into.responses = responses_, into.late = late_;
        into.connections = static_cast<Int>(flows_.size()), into.events = counted_;
    }

    // What a connection asks for.

    void send(Int host, Packet *packet, Int now) override {
        if (too_late_) return packets_.give(packet);  // the run ends after this event
        packets_.count(packets_.sent, *packet);
        Uplink &own = uplinks_[static_cast<std::size_t>(host)];
        const Link &wire = links_[own.link];
        own.free = std::max(now, own.free) + wire.times->of(packet->size);
        const std::uint64_t drawn = hashed(own.state, static_cast<std::uint64_t>(++own.packets));
        const Int late = jitter_ > 1 ? static_cast<Int>(drawn % jitter_) : 0;
        own.last = std::max(own.last, own.free + wire.delay + late);
        too_late_ |= own.last > 2 * MOST_TIME;
        travel(own.link, packet, own.last);
    }

    void wake(const Flow &flow, Int instant) override { at(instant, TIMER, flow.number); }

    void answer_late(Packet *packet, Int instant) override {
        line_up(answers_, packet, instant, LATE, 0);
    }

    void arrived(Flow &flow, const Request &request, Int now) override {
        release(flow);
        if (request.arrival >= 0) {
            flows_of_[static_cast<std::size_t>(request.arrival)] = now - request.begin;
            return;
        }
        ++responses_, late_ += flow.timeouts > request.timeouts;
        if (--left_ > 0) return;
        queries_[answered_] = now - request.begin;
        if (++answered_ < queries_.size()) at(now + form_.pauses[answered_ - 1], QUERY, 0);
    }

    Packet *packet(Flow &flow, Kind kind, Int seq, Int size, Int target, Int queue, Int now) override {
        Packet *made = packets_.take();
        made->flow = &flow, made->kind = kind, made->seq = seq, made->stamp = now;
        made->size = static_cast<std::int32_t>(size), made->target = static_cast<std::int32_t>(target);
        made->queue = static_cast<std::uint16_t>(queue);
        return made;
    }

   private:
    const dtmodel_network_form form_;
    const Transport transport_;
    const Times slow_, fast_;
    const std::uint64_t seed_, jitter_;
    const Shares shares_;
    Packets packets_;
    Events events_;
    std::uint64_t order_ = 0;
    std::vector<Link> links_;
    std::vector<Uplink> uplinks_;
    std::vector<Port> ports_;
    std::vector<Switch> switches_;
    std::deque<Flow> flows_;
    std::deque<Request> requests_;
    std::deque<Due<Packet>> answers_;
    std::deque<Due<Request>> watches_;
    std::vector<std::int32_t> leaf_, under_;  // of each host, and its port there
    std::uint64_t first_arrival_ = 0;
    std::size_t next_arrival_ = 0;
    std::unordered_map<Int, std::vector<Flow *>> idle_;
    std::vector<Int> queries_, flows_of_, bytes_, held_, samples_;
    std::size_t answered_ = 0;
    Int left_ = 0, responses_ = 0, late_ = 0, counted_ = 0;
    bool stopped_ = false, too_late_ = false;

    // The network.

    Int most_size() const { return std::max(form_.segment + HEADER, ACK_BYTES); }
    Int all_hosts() const { return form_.hosts * std::max<Int>(form_.leaves, 1); }
    Int home(Int host) const { return form_.leaves != 0 ? host / form_.hosts : 0; }

    std::uint32_t link(const Times &times, std::int32_t far) {
        links_.push_back({&times, form_.delay, far});
        return static_cast<std::uint32_t>(links_.size() - 1);
    }

    // Leaves and spines; a star is one leaf.
    void build() {
        const Int leaves = std::max<Int>(form_.leaves, 1);
        for (Int leaf = 0; leaf < leaves; ++leaf) {
            open(leaf, form_.hosts + form_.spines);
            for (Int port = 0; port < form_.hosts; ++port) connect(leaf, slow_, -1);
            for (Int spine = 0; spine < form_.spines; ++spine) connect(leaf, fast_, leaves + spine);
        }
        for (Int spine = 0; spine < form_.spines; ++spine) {
            open(leaves + spine, leaves);
            for (Int leaf = 0; leaf < leaves; ++leaf) connect(leaves + spine, fast_, leaf);
        }
    }

    void open(Int number, Int count) {
        const auto ports = static_cast<std::size_t>(count), queues = static_cast<std::size_t>(form_.queues);
        const dtmodel_network_rule &given = form_.rules[number];
        std::unique_ptr<Rule> rule = make_rule(given, ports, queues);
        Called *called = rule == nullptr ? new Called(form_.callback, number, stopped_) : nullptr;
        if (called != nullptr) rule.reset(called);
        switches_.push_back({Memory(given.buffer, ports, queues, packets_), std::move(rule), called, given.mark_queue,
                             given.mark_port, given.longest, given.mark_both != 0,
                             static_cast<std::uint32_t>(ports_.size())});
    }

    void connect(Int number, const Times &times, Int far) {
        const std::uint32_t at = static_cast<std::uint32_t>(ports_.size()) - switches_.back().first_port;
        const std::uint32_t own = link(times, static_cast<std::int32_t>(far));
        const Int *rate = &times == &slow_ ? form_.rate : form_.uplink;
        ports_.push_back({static_cast<std::uint32_t>(number), at, own, Turns(shares_),
                          Rounds(form_.quanta, rate, form_.rules[number].rounds, switches_.back().memory.queues)});
    }

    // The port at a switch that leads to the target of a packet.
    Int route(Int number, const Packet &packet) const {
        if (form_.leaves == 0) return packet.target;
        const auto target = static_cast<std::size_t>(packet.target);
        if (number >= form_.leaves) return leaf_[target];
        if (leaf_[target] == number) return under_[target];
        return form_.hosts + (packet.target == packet.flow->target ? packet.flow->there : packet.flow->back);
    }

    // Events.

    std::uint64_t next_order() { return NOT_DEPARTURE | order_++; }
    void at(Int instant, What what, std::uint32_t index) { events_.put({instant, next_order(), what, index}); }

    void happen(const Event &event) {
        switch (event.what) {
            case LINK: return reach(event.index, event.time);
            case DEPARTURE: return depart(ports_[event.index], event.time);
            case TIMER: return flows_[event.index].expire(event.time);
            case LATE: return answer(event.time);
            case WATCH: return again(event.time);
            case ARRIVAL: return fetch(event.time);
            case QUERY: return query(event.time);
            case BEGIN: return begin(event.index, event.time);
            case STOP: return flows_[event.index].stop();
        }
    }

    template <class Each>
    void line_up(std::deque<Due<Each>> &line, Each *each, Int instant, What what, std::uint32_t index) {
        const std::uint64_t order = next_order();
        if (line.empty()) events_.put({instant, order, what, index});
        line.push_back({instant, order, each});
    }

    template <class Each>
    Each *first_of(std::deque<Due<Each>> &line, What what, std::uint32_t index) {
        Each *first = line.front().each;
        line.pop_front();
        if (line.empty()) return first;
        events_.put({line.front().time, line.front().order, what, index});
        __builtin_prefetch(line.front().each);
        return first;
    }

    void travel(std::uint32_t number, Packet *packet, Int due) {
        line_up(links_[number].on_the_way, packet, due, LINK, number);
    }

    void reach(std::uint32_t number, Int now) {
        Link &end = links_[number];
        Packet *packet = first_of(end.on_the_way, LINK, number);
        if (end.far >= 0) arrive(static_cast<std::size_t>(end.far), packet, now);
        else deliver(packet, now);
    }

    // A switch.

    void arrive(std::size_t number, Packet *packet, Int now) {
        Switch &here = switches_[number];
        const auto at = static_cast<std::size_t>(route(static_cast<Int>(number), *packet));
        const std::size_t place = at * here.memory.queues + packet->queue;
        const Int decision = decide(here, *packet, now, place);
        Place &queue = here.memory.places[place];
        if (decision == DROP) {
            ++queue.dropped;
            return packets_.lose(packet);
        }
        Port &port = ports_[here.first_port + at];
        const bool marked = decision == ENTER_MARKED || port.rounds.marks(packet->queue, queue.length);
        packet->marked |= marked && packet->kind == DATA;
        queue.peak = std::max(queue.peak, queue.length);
        packet->entered = now;
        queue.waiting.push_back(packet);
        if (watched(port)) sample(here, at, now);
        if (port.sending == nullptr) start(port, now);
    }

    Int decide(Switch &here, const Packet &packet, Int now, std::size_t place) {
        const Int decision = here.rule->arrive(here.memory, now, place, packet);
        if (decision != ENTER) return decision;
        const bool queue = here.mark_queue >= 0 && here.memory.length(place) > here.mark_queue;
        if (queue != here.mark_both) return queue ? ENTER_MARKED : ENTER;
        return here.mark_port >= 0 && here.memory.port_length(place) > here.mark_port ? ENTER_MARKED : ENTER;
    }

    void start(Port &port, Int now) {
        Switch &here = switches_[port.number];
        const std::size_t first = port.at * here.memory.queues, queue = port.turns.pick(&here.memory.places[first]);
        if (queue == here.memory.queues) return port.rounds.idle();
        std::deque<Packet *> &waiting = here.memory.places[first + queue].waiting;
        Packet *packet = waiting.front();
        waiting.pop_front();
        if (!waiting.empty()) __builtin_prefetch(waiting.front());
        port.sending = packet;
        port.rounds.serve(queue, packet->size, now, waiting.empty());
        if (here.longest >= 0 && packet->kind == DATA && now - packet->entered > here.longest) packet->marked = true;
        if (form_.at_start != 0) free(here, port, first + queue, packet->size, now);
        else if (here.called != nullptr) here.called->starts(now, first + queue);
        events_.put({now + links_[port.link].times->of(packet->size), order_++, DEPARTURE, here.first_port + port.at});
    }

    void free(Switch &here, const Port &port, std::size_t place, Int size, Int now) {
        here.memory.leave(place, size);
        here.rule->sent(now, place, size);
        if (watched(port)) sample(here, port.at, now);
    }

    bool watched(const Port &port) const {
        return port.number == 0 && static_cast<Int>(port.at) == form_.watched;
    }

    void sample(const Switch &here, std::size_t port, Int now) {
        if (form_.lengths == 0 || now >= form_.every * form_.rows) return;
        const std::size_t queues = here.memory.queues, row = static_cast<std::size_t>(now / form_.every);
        ++samples_[row];
        for (std::size_t k = 0; k < queues; ++k) held_[row * queues + k] += here.memory.length(port * queues + k);
    }

    void depart(Port &port, Int now) {
        Switch &here = switches_[port.number];
        Packet *packet = port.sending;
        port.sending = nullptr;
        const std::size_t queue = packet->queue;
        if (form_.at_start == 0) free(here, port, port.at * here.memory.queues + queue, packet->size, now);
        if (watched(port) && now < form_.every * form_.rows)
            bytes_[static_cast<std::size_t>(now / form_.every) * here.memory.queues + queue] += packet->size;
        travel(port.link, packet, now + links_[port.link].delay);
        start(port, now);
    }

    // Hosts.

    void deliver(Packet *packet, Int now) {
        bool kept = false;
        if (packet->kind == DATA) kept = packet->flow->receive(packet, now);
        else if (packet->kind == ACK) packet->flow->acknowledge(*packet, now);
        else handle(*packet->request, packet->seq, packet->stamp, now);
        if (!kept) packets_.give(packet);
    }

    void answer(Int now) {
        Packet *packet = first_of(answers_, LATE, 0);
        packet->flow->late(*packet, now);
        packets_.give(packet);
    }

    void request(Flow &flow, Int size, Int arrival, Int now) {
        requests_.push_back({&flow, size, now, flow.timeouts, arrival, transport_.persistent ? 2 : 0});
        Request &made = requests_.back();
        say(made, made.step, flow.target, now);
        watch(made, now);
    }

    void say(Request &request, Int step, Int host, Int now, Int stamp = -1) {
        Flow &flow = *request.flow;
        const Int other = host == flow.target ? flow.source : flow.target;
        Packet *said = packet(flow, CONTROL, step, ACK_BYTES, other, flow.queue_of(0), stamp);
        said->request = &request;
        send(host, said, now);
    }

    void watch(Request &request, Int now) {
        line_up(watches_, &request, now + transport_.syn_timeout, WATCH, 0);
    }

    void again(Int now) {
        Request &request = *first_of(watches_, WATCH, 0);
        if (request.served) return;
        say(request, request.step, request.flow->target, now);
        watch(request, now);
    }

    void handle(Request &request, Int seq, Int stamp, Int now) {
        if (seq == 0) {
            say(request, 1, request.flow->source, now, now);
        } else if (seq == 1 && request.step == 0) {
            request.step = 2;
            say(request, 2, request.flow->target, now, stamp);
        } else if (seq == 2 && !request.served) {
            request.served = true;
            if (stamp >= 0 && transport_.handshake_sample) request.flow->measure(now - stamp);
            request.flow->push(request.size, &request, now);
        }
    }

    // The workload.

    void announce() {
        if (form_.queries > 0) at(form_.start, QUERY, 0);
        first_arrival_ = order_, order_ += flows_of_.size();
        if (!flows_of_.empty()) await();
        for (Int k = 0; k < form_.groups; ++k) at(form_.lasting[0][k], BEGIN, static_cast<std::uint32_t>(k));
    }

    void await() {
        const std::size_t k = next_arrival_;
        events_.put({form_.arrivals[0][k], NOT_DEPARTURE | (first_arrival_ + k), ARRIVAL, 0});
    }

    Flow &connection(Int source, Int target, Int queue, Int group) {
        Flow &flow = idle(source, target);
        flow.queue = queue, flow.group = static_cast<std::uint16_t>(group), flow.demoted = group < form_.classes;
        return flow;
    }

    Flow &idle(Int source, Int target) {
        const auto kept = idle_.find(source * all_hosts() + target);
        if (kept == idle_.end() || kept->second.empty()) return made(source, target, static_cast<Control>(form_.control));
        Flow &flow = *kept->second.back();
        kept->second.pop_back();
        return flow;
    }

    Flow &made(Int source, Int target, Control control) {
        const auto number = static_cast<std::uint32_t>(flows_.size());
        Flow &flow = flows_.emplace_back(*this, transport_, number, source, target, control);
        if (form_.leaves != 0) flow.there = spine(number, target), flow.back = spine(number, source);
        return flow;
    }

    std::int32_t spine(std::uint32_t number, Int target) const {
        const std::uint64_t drawn = hashed(hashed(seed_, number), static_cast<std::uint64_t>(target));
        return static_cast<std::int32_t>(drawn % static_cast<std::uint64_t>(form_.spines));
    }

    void release(Flow &flow) {
        if (transport_.persistent) idle_[flow.source * all_hosts() + flow.target].push_back(&flow);
    }

    void query(Int now) {
        left_ = form_.responses;
        for (Int k = 0; k < form_.responses; ++k)
            request(connection(form_.servers[k], form_.client, form_.response_queue, form_.classes),
                    form_.response_size, -1, now);
    }

    void fetch(Int now) {
        const std::size_t k = next_arrival_++;
        if (next_arrival_ < flows_of_.size()) await();
        const auto &of = form_.arrivals;
        request(connection(of[1][k], of[2][k], of[4][k], of[5][k]), of[3][k], static_cast<Int>(k), now);
    }

    void begin(std::uint32_t k, Int now) {
        const auto &of = form_.lasting;
        Flow &flow = made(of[1][k], of[2][k], static_cast<Control>(of[5][k]));
        flow.queue = of[3][k], flow.group = static_cast<std::uint16_t>(form_.classes);
        flow.push(DATA_SENT, nullptr, now);
        if (of[4][k] >= 0) at(of[4][k], STOP, flow.number);
    }
};

}  // namespace

struct dtmodel_network {
    Network network;
    explicit dtmodel_network(const dtmodel_network_form &form) : network(form) {}
};

extern "C" {

EXPORT std::int32_t dtmodel_network_interface() { return 4; }

// Make a network, whose arrays must stay; null: its numbers do not fit, or there is no memory.
EXPORT dtmodel_network *dtmodel_network_make(const dtmodel_network_form *form) {
    if (form == nullptr || !sound(*form)) return nullptr;
    return attempt<dtmodel_network *>(nullptr, [&] { return new dtmodel_network(*form); });
}

// Run so many events; returns a State.
EXPORT std::int32_t dtmodel_network_run(dtmodel_network *made, std::int64_t events) {
    return attempt(NO_MEMORY, [&] { return made->network.run(events); });
}

// Remove a packet that waits, while a callback decides on another.
EXPORT void dtmodel_network_push_out(dtmodel_network *made, std::int64_t number, std::int64_t place, std::int64_t packet) {
    made->network.push_out(static_cast<std::size_t>(number), static_cast<std::size_t>(place),
                           reinterpret_cast<const Packet *>(packet));
}

EXPORT void dtmodel_network_read(const dtmodel_network *made, dtmodel_network_result *into) { made->network.read(*into); }

EXPORT void dtmodel_network_forget(dtmodel_network *made) { delete made; }

}  // extern "C"
