// Packets of the network, and its events in their order: at one instant departures first, then as they were scheduled.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace {

using Int = std::int64_t;

struct Flow;
struct Request;

enum Kind : std::uint8_t { DATA, ACK, CONTROL };

struct alignas(64) Packet {
    Flow *flow = nullptr;
    Request *request = nullptr;  // of a packet of a handshake
    Int seq = 0, block = -1, stamp = 0, entered = 0;
    std::int32_t size = 0, target = 0;
    std::uint16_t queue = 0, group = 0;
    Kind kind = DATA;
    bool marked = false;
};

// All packets, at addresses that stay, and those that are free. Packets of data that hosts sent and switches lost are
// counted by the class of their flows and by queue.
class Packets {
   public:
    std::vector<Int> sent, lost;

    Packets(Int groups, Int queues)
        : sent(static_cast<std::size_t>(groups * queues)), lost(sent.size()), queues_(static_cast<std::size_t>(queues)) {}

    void count(std::vector<Int> &counters, const Packet &packet) const {
        if (packet.kind == DATA) ++counters[packet.group * queues_ + packet.queue];
    }

    void lose(Packet *packet) {
        count(lost, *packet);
        give(packet);
    }

    Packet *take() {
        if (free_.empty()) grow();
        Packet *taken = free_.back();
        free_.pop_back();
        *taken = Packet{};
        return taken;
    }

    void give(Packet *packet) { free_.push_back(packet); }

   private:
    static constexpr std::size_t MANY = 256;
    std::vector<std::unique_ptr<Packet[]>> all_;
    std::vector<Packet *> free_;
    std::size_t queues_;

    void grow() {
        all_.push_back(std::make_unique<Packet[]>(MANY));
        for (std::size_t k = MANY; k-- > 0;) give(&all_.back()[k]);
    }
};

enum What : std::uint32_t { LINK, DEPARTURE, TIMER, LATE, WATCH, ARRIVAL, QUERY, BEGIN, STOP };

// An event; `order` has the rank in its highest bit.
struct Event {
    Int time;
    std::uint64_t order;
    What what;
    std::uint32_t index;
};

// Times are never negative; a difference of two words has no branch.
inline bool before(const Event &one, const Event &other) {
    const auto key = [](const Event &each) {
        return static_cast<unsigned __int128>(static_cast<std::uint64_t>(each.time)) << 64 | each.order;
    };
    return key(one) < key(other);
}

// An event of many of a kind that come in their order, of which only the first is in the heap.
template <class Each>
struct Due {
    Int time;
    std::uint64_t order;
    Each *each;
};

// A heap of events. One that is taken leaves a hole at the top, which the next one fills that is put.
class Events {
   public:
    bool until(Int instant) {
        if (hole_) fill();
        return !heap_.empty() && heap_.front().time <= instant;
    }

    Event take() {
        hole_ = true;
        return heap_.front();
    }

    void put(const Event &event) {
        if (hole_) {
            hole_ = false;
            sink(event);
            return;
        }
        std::size_t at = heap_.size();
        heap_.push_back(event);
        while (at > 0) {
            const std::size_t parent = (at - 1) / WIDE;
            if (!before(event, heap_[parent])) break;
            heap_[at] = heap_[parent], at = parent;
        }
        heap_[at] = event;
    }

   private:
    static constexpr std::size_t WIDE = 4;
    std::vector<Event> heap_;
    bool hole_ = false;

    void fill() {
        hole_ = false;
        const Event last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) sink(last);
    }

    void sink(const Event &event) {
        const std::size_t size = heap_.size();
        std::size_t at = 0;
        while (true) {
            const std::size_t begin = WIDE * at + 1, end = begin + WIDE < size ? begin + WIDE : size;
            if (begin >= size) break;
            std::size_t least = begin;
            for (std::size_t child = begin + 1; child < end; ++child)
                if (before(heap_[child], heap_[least])) least = child;
            if (!before(heap_[least], event)) break;
            heap_[at] = heap_[least], at = least;
        }
        heap_[at] = event;
    }
};

}  // namespace
