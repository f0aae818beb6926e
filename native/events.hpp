// Packets of the network, and its events in their order: at one instant departures first, then as they were scheduled.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace {

using Int = std::int64_t;

struct Flow;
struct Request;

enum Kind : std::uint8_t { DATA, ACK, CONTROL };

struct Packet {
    Flow *flow = nullptr;
    Request *request = nullptr;  // of a packet of a handshake
    Packet *next = nullptr, *before = nullptr;
    Int seq = 0, block = -1, stamp = 0, entered = 0;
    Int due = 0;  // when it reaches the end of its link, and its place among the events of that instant
    std::uint64_t order = 0;
    std::int32_t size = 0, target = 0, queue = 0;
    Kind kind = DATA;
    bool marked = false;
};

// All packets, at addresses that stay, and those that are free.
class Packets {
   public:
    Packet *take() {
        if (free_ == nullptr) grow();
        Packet *taken = free_;
        free_ = taken->next;
        *taken = Packet{};
        return taken;
    }

    void give(Packet *packet) { packet->next = free_, free_ = packet; }

   private:
    static constexpr std::size_t MANY = 1024;
    std::vector<std::unique_ptr<Packet[]>> all_;
    Packet *free_ = nullptr;

    void grow() {
        all_.push_back(std::make_unique<Packet[]>(MANY));
        for (std::size_t k = 0; k < MANY; ++k) give(&all_.back()[k]);
    }
};

// Packets one after the other, some of which leave from the middle.
class Line {
   public:
    Packet *first() const { return first_; }
    Packet *last() const { return last_; }
    bool empty() const { return first_ == nullptr; }

    void add(Packet *packet) {
        packet->next = nullptr, packet->before = last_;
        (last_ == nullptr ? first_ : last_->next) = packet;
        last_ = packet;
    }

    void remove(Packet *packet) {
        (packet->before == nullptr ? first_ : packet->before->next) = packet->next;
        (packet->next == nullptr ? last_ : packet->next->before) = packet->before;
    }

    Packet *take() {
        Packet *taken = first_;
        remove(taken);
        return taken;
    }

   private:
    Packet *first_ = nullptr, *last_ = nullptr;
};

enum What : std::uint32_t { LINK, DEPARTURE, TIMER, LATE, WATCH, ARRIVAL, QUERY, BEGIN, STOP };

// An event; `order` has the rank in its highest bit.
struct Event {
    Int time;
    std::uint64_t order;
    What what;
    std::uint32_t index;
};

inline bool before(const Event &one, const Event &other) {
    return one.time != other.time ? one.time < other.time : one.order < other.order;
}

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
