// Senders that react and their receivers: what dtmodel/network/transport.py does, in the same whole numbers.

#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "events.hpp"

namespace {

enum Control : std::uint8_t { NEWRENO, DCTCP, ECN_STAR, CUBIC };
enum Sack : std::uint8_t { NO_SACK, RFC6675, WITHOUT_RULE_3 };

constexpr Int HEADER = 40, ACK_BYTES = 64, LARGEST_WINDOW = 4'000, ONE = 1024;
constexpr Int SECOND = 1'000'000'000'000, MOST_RTO = 60 * SECOND, DELAYED = SECOND / 25;

inline Int floored(Int value, Int by) { return value / by - (value % by < 0); }

inline Int cube_root(Int number) {
    if (number < 1) return 0;
    Int root = 1;
    while (static_cast<__int128>(root) * root * root <= number) root *= 2;
    while (true) {
        const Int lower = (2 * root + number / (root * root)) / 3;
        if (lower >= root) return root;
        root = lower;
    }
}

// A set of sequence numbers that lie near each other, as bits of a ring.
class Numbers {
   public:
    Int size() const { return size_; }
    bool has(Int seq) const { return size_ != 0 && inside(seq) && bit(seq); }

    // Add a number; none that is still in the set is below `least`.
    void add(Int seq, Int least) {
        if (size_ == 0) from_ = least;
        if (seq - least >= room()) grow(seq, least);
        from_ = least;
        size_ += !bit(seq);
        bits_[place(seq)] = true;
    }

    void remove(Int seq) {
        if (has(seq)) bits_[place(seq)] = false, --size_;
    }

    void remove(Int begin, Int end) {
        end = std::min(end, from_ + room());
        for (Int seq = std::max(begin, from_); seq < end && size_ != 0; ++seq) remove(seq);
    }

    void clear() {
        if (size_ != 0) std::fill(bits_.begin(), bits_.end(), false);
        size_ = 0;
    }

   private:
    std::vector<char> bits_;  // as many as a power of two
    Int from_ = 0, size_ = 0;

    Int room() const { return static_cast<Int>(bits_.size()); }
    bool inside(Int seq) const { return seq >= from_ && seq - from_ < room(); }
    std::size_t place(Int seq) const { return static_cast<std::size_t>(seq) & (bits_.size() - 1); }
    bool bit(Int seq) const { return bits_[place(seq)] != 0; }

    void grow(Int seq, Int least) {
        std::size_t wide = std::max<std::size_t>(bits_.size(), 64);
        while (static_cast<Int>(wide) <= seq - least) wide *= 2;
        std::vector<char> larger(wide);
        for (Int each = from_; each < from_ + room(); ++each)
            if (has(each)) larger[static_cast<std::size_t>(each) & (wide - 1)] = true;
        bits_.swap(larger);
    }
};

// A reading of the transport.
struct Transport {
    Sack sack;
    bool delayed, persistent, handshake_sample;
    Int window, min_rto, syn_timeout, segment;
    std::vector<Int> demote;  // the bytes of a message after which the next queue takes its packets
};

// The network as a connection sees it.
class Wire {
   public:
    virtual void send(Int host, Packet *packet, Int now) = 0;
    virtual void wake(const Flow &flow, Int instant) = 0;
    virtual void answer_late(Packet *packet, Int instant) = 0;
    virtual void arrived(Flow &flow, const Request &request, Int now) = 0;
    virtual Packet *packet(Flow &flow, Kind kind, Int seq, Int size, Int target, Int queue, Int now) = 0;

   protected:
    ~Wire() = default;
};

struct Message {
    Int limit;
    const Request *request;  // null: nobody waits for its end
};

struct Flow {
    Wire &wire;
    const Transport &transport;
    const std::uint32_t number;
    const Int source, target;
    const Control control;
    bool demoted = false;  // the first bytes of a message are in queues of their own
    Int queue = 0;         // of the other bytes
    std::uint16_t group = 0;
    std::int32_t there = 0, back = 0;  // the spines between its leaves

    Int timeouts = 0, resent = 0;

    Flow(Wire &w, const Transport &t, std::uint32_t n, Int from, Int to, Control c)
        : wire(w), transport(t), number(n), source(from), target(to), control(c), window_(t.window),
          rto_(std::max(SECOND, t.min_rto)) {}

    Int queue_of(Int sent) const {
        for (std::size_t k = 0; demoted && k < transport.demote.size(); ++k)
            if (sent < transport.demote[k]) return static_cast<Int>(k);
        return queue;
    }

    void push(Int size, const Request *request, Int now) {
        const Int rest = size % transport.segment;
        begin_ = limit_;
        limit_ += size / transport.segment + (rest > 0);
        if (rest > 0) {
            short_.erase(short_.begin(), std::find_if(short_.begin(), short_.end(), [&](auto &s) { return s.first >= una_; }));
            short_.emplace_back(limit_ - 1, rest);
        }
        messages_.push_back({limit_, request});
        if (una_ == next_ && now - last_sent_ > rto_) window_ = std::min(window_, transport.window);
        fill(now);
    }

    void stop() { limit_ = next_; }

    void expire(Int now) {
        if (now != armed_) return;
        armed_ = -1;
        if (deadline_ > now) watch();
        else if (deadline_ >= 0) time_out(now);
    }

    void acknowledge(const Packet &packet, Int now) {
        const Int newly = packet.seq - una_;
        if (packet.block >= 0 && sacks()) note_block(packet.block);
        if (newly > 0) advance(packet, newly, now);
        else if (newly == 0 && next_ > una_ && packet.block >= 0) duplicate();
        const bool held = echoed(std::max<Int>(newly, 0), packet.marked);
        if (newly > 0 && !recovering_ && !held) grow(newly, now);
        maybe_recover(now);
        fill(now);
    }

    // Takes a segment; says whether the packet is kept for a later acknowledgement.
    bool receive(Packet *packet, Int now) {
        const Int seq = packet->seq;
        const bool fresh = seq == expected_;
        if (fresh) {
            ++expected_;
            while (ahead_.has(expected_)) ahead_.remove(expected_++);
        } else if (seq > expected_) {
            ahead_.add(seq, expected_);
        }
        const bool complete = !messages_.empty() && expected_ >= messages_.front().limit;
        ++pending_;
        const bool at_once = !fresh || ahead_.size() != 0 || complete || packet->marked != said_;
        const bool late = transport.delayed && pending_ < 2 && !at_once;
        if (late) ack_timer_ = now, wire.answer_late(packet, now + DELAYED);
        else answer(*packet, now);
        if (complete) {
            const Message done = messages_.front();
            messages_.erase(messages_.begin());
            if (done.request != nullptr) wire.arrived(*this, *done.request, now);
        }
        return late;
    }

    void late(const Packet &packet, Int now) {
        if (pending_ != 0 && ack_timer_ == now - DELAYED) answer(packet, now);
    }

   private:
    Int window_, threshold_ = LARGEST_WINDOW, credit_ = 0;
    Int una_ = 0, next_ = 0, high_ = 0, limit_ = 0, begin_ = 0;
    Int duplicates_ = 0, recover_ = -1, reduced_until_ = -1;
    Int limited_ = 0;  // segments sent beyond the window
    bool recovering_ = false;
    Numbers sacked_, again_;
    Int top_[3] = {0, 0, 0}, tops_ = 0;  // the highest that are SACKed, in order
    Int scan_ = 0, rescued_ = -1;
    Int srtt_ = 0, deviation_ = 0, least_trip_ = MOST_RTO, rto_;
    Int deadline_ = -1, armed_ = -1, last_sent_ = 0;
    std::vector<std::pair<Int, Int>> short_;  // segments that are not full
    Int expected_ = 0, pending_ = 0, ack_timer_ = -1;
    bool said_ = false;
    Numbers ahead_;
    std::vector<Message> messages_;
    Int alpha_ = ONE, total_ = 0, echoes_ = 0, end_ = 0;                      // DCTCP
    Int most_ = 0, last_ = 0, origin_ = 0, wait_ = 0, epoch_ = -1;            // CUBIC

    bool sacks() const { return transport.sack != NO_SACK; }

    // The sender.

    void fill(Int now) {
        if (sacks() && (recovering_ || sacked_.size() != 0)) return fill_by_pipe(now);
        const Int room = window_ + (recovering_ ? 0 : std::min<Int>(duplicates_, 2));
        const Int most = std::min(limit_, una_ + std::min(room, LARGEST_WINDOW));
        for (; next_ < most; ++next_) send(next_, now);
    }

    void fill_by_pipe(Int now) {
        while (pipe() < window_) {
            const Int seq = next_segment();
            if (seq < 0) return;
            if (seq == next_) ++next_;
            else again_.add(seq, una_);
            send(seq, now);
        }
    }

    Int pipe() const {
        const Int lost = tops_ == 3 && recovering_ ? top_[0] - una_ - (sacked_.size() - 3) : 0;
        return next_ - una_ - sacked_.size() - std::max<Int>(lost, 0) + again_.size();
    }

    Int next_segment() {
        if (recovering_) {
            const Int seq = hole(tops_ == 3 ? top_[0] : una_);
            if (seq >= 0) return seq;
        }
        if (next_ < limit_) return next_;
        const bool rule3 = recovering_ && transport.sack == RFC6675 && tops_ != 0;
        const Int seq = rule3 ? hole(top_[tops_ - 1]) : -1;
        return seq >= 0 ? seq : rescue();
    }

    Int rescue() {
        if (!recovering_ || una_ <= rescued_) return -1;
        rescued_ = recover_;
        for (Int seq = next_ - 1; seq >= una_; --seq)
            if (!sacked_.has(seq)) return seq;
        return -1;
    }

    Int hole(Int end) {
        Int seq = std::max(scan_, una_);
        while (seq < end && (sacked_.has(seq) || again_.has(seq))) ++seq;
        scan_ = std::max(seq, scan_);
        return seq < std::min(end, next_) ? seq : -1;
    }

    Int payload(Int seq) const {
        for (const auto &[last, rest] : short_)
            if (last == seq) return rest;
        return transport.segment;
    }

    void send(Int seq, Int now) {
        if (seq < high_) ++resent;
        else high_ = seq + 1;
        if (seq >= una_ + window_ && !recovering_) ++limited_;
        const Int sent_before = (seq - begin_) * transport.segment;
        Packet *made = wire.packet(*this, DATA, seq, payload(seq) + HEADER, target, queue_of(sent_before), now);
        made->group = group;
        wire.send(source, made, now);
        last_sent_ = now;
        if (deadline_ < 0) arm(now);
    }

    void arm(Int now) {
        deadline_ = now + rto_;
        if (armed_ < 0 || deadline_ < armed_) watch();
    }

    void watch() { armed_ = deadline_, wire.wake(*this, deadline_); }

    void time_out(Int now) {
        ++timeouts;
        threshold_ = reduced(std::max<Int>(next_ - una_, 1));
        window_ = 1, credit_ = 0, duplicates_ = 0, limited_ = 0;
        recovering_ = false, recover_ = high_ - 1;
        forget();
        next_ = una_, rto_ = std::min(2 * rto_, MOST_RTO);
        arm(now);
        fill(now);
    }

    void advance(const Packet &packet, Int newly, Int now) {
        measure(now - packet.stamp);
        sacked_.remove(una_, packet.seq), again_.remove(una_, packet.seq);
        una_ = packet.seq, limited_ = 0, next_ = std::max(next_, una_);
        keep_top();
        if (una_ < next_ || una_ < limit_) arm(now);
        else deadline_ = -1;
        if (!recovering_) {
            duplicates_ = 0;
        } else if (una_ > recover_) {
            window_ = threshold_, recovering_ = false, duplicates_ = 0, credit_ = 0;
            forget();
        } else if (!sacks()) {
            window_ = std::max<Int>(window_ - newly + 1, 1);
            send(una_, now);
        }
    }

    void keep_top() {
        Int kept = 0;
        for (Int k = 0; k < tops_ && sacked_.size() != 0; ++k)
            if (top_[k] >= una_) top_[kept++] = top_[k];
        tops_ = kept;
    }

   public:
    // Takes a sample of the round trip.
    void measure(Int trip) {
        least_trip_ = std::min(least_trip_, trip);
        if (srtt_ != 0) {
            deviation_ += floored((srtt_ < trip ? trip - srtt_ : srtt_ - trip) - deviation_, 4);
            srtt_ += floored(trip - srtt_, 8);
        } else {
            srtt_ = trip, deviation_ = trip / 2;
        }
        rto_ = std::max(transport.min_rto, srtt_ + 4 * deviation_);
    }

   private:
    void note_block(Int seq) {
        if (seq < una_ || seq >= next_ || sacked_.has(seq)) return;
        sacked_.add(seq, una_), again_.remove(seq);
        if (tops_ == 3) {
            if (seq < top_[0]) return;
            top_[0] = top_[1], top_[1] = top_[2], --tops_;
        }
        Int at = tops_++;
        for (; at > 0 && top_[at - 1] > seq; --at) top_[at] = top_[at - 1];
        top_[at] = seq;
    }

    void duplicate() {
        ++duplicates_;
        if (recovering_ && !sacks()) ++window_;
    }

    void maybe_recover(Int now) {
        const bool lost = duplicates_ >= 3 || (tops_ == 3 && top_[0] > una_);
        if (recovering_ || !lost || una_ <= recover_) return;
        recovering_ = true, recover_ = high_ - 1;
        threshold_ = reduced(next_ - una_ - limited_);
        window_ = threshold_, credit_ = 0, scan_ = una_;
        if (sacks()) again_.add(una_, una_);
        else window_ += 3;
        send(una_, now);
    }

    void forget() { sacked_.clear(), again_.clear(), tops_ = 0, scan_ = 0; }

    // The window.

    void grow(Int newly, Int now) {
        if (window_ < threshold_) {
            window_ += std::min<Int>(newly, 2);
            return;
        }
        credit_ += newly;
        const Int step = control == CUBIC ? cubic_step(now) : window_;
        if (credit_ < step) return;
        credit_ = control == CUBIC ? 0 : credit_ - step;
        ++window_;
    }

    Int cubic_step(Int now) {
        if (epoch_ < 0) {
            epoch_ = now, origin_ = std::max(most_, window_), last_ = window_;
            wait_ = cube_root((origin_ - window_) * 10'000'000'000 / 4);
        }
        const __int128 ms = (now + least_trip_ - epoch_) / (SECOND / 1000) - wait_, cubed = 4 * ms * ms * ms;
        constexpr Int UNIT = 10'000'000'000;
        const __int128 grown = origin_ + cubed / UNIT - (cubed % UNIT < 0);
        const __int128 since = now - epoch_, trip = std::max<Int>(srtt_, 1), reno = last_ + 9 * since / (17 * trip);
        const __int128 goal = std::max(grown, reno);
        return goal > window_ ? std::max<Int>(static_cast<Int>(window_ / (goal - window_)), 2) : 100 * window_;
    }

    // The window after a loss with `flight` segments outstanding.
    Int reduced(Int flight) {
        if (control != CUBIC) return std::max<Int>(flight / 2, 2);
        most_ = window_ >= most_ ? window_ : window_ * 17 / 20;
        epoch_ = -1;
        return std::max<Int>(window_ * 7 / 10, 2);
    }

    // Notes an acknowledgement with or without a mark; says whether the window must not grow.
    bool echoed(Int newly, bool marked) {
        if (control != DCTCP && control != ECN_STAR) return false;
        if (control == DCTCP) note_marks(newly, marked);
        if (marked && una_ > reduced_until_ && !recovering_) {
            const Int left = control == DCTCP ? window_ - window_ * alpha_ / (2 * ONE) : window_ / 2;
            window_ = threshold_ = std::max<Int>(left, 2);
            credit_ = 0, reduced_until_ = high_;
        }
        return una_ <= reduced_until_;
    }

    void note_marks(Int newly, bool marked) {
        total_ += newly, echoes_ += marked ? newly : 0;
        if (una_ <= end_) return;
        const Int part = ONE * echoes_ / std::max<Int>(total_, 1);
        alpha_ = std::min(alpha_ - (alpha_ + 15) / 16 + (part + 15) / 16, ONE);
        total_ = 0, echoes_ = 0, end_ = high_;
    }

    // The receiver.

    void answer(const Packet &packet, Int now) {
        pending_ = 0, said_ = packet.marked;
        Packet *said = wire.packet(*this, ACK, expected_, ACK_BYTES, source, packet.queue, packet.stamp);
        said->marked = packet.marked;
        if (packet.seq >= expected_ || packet.seq < expected_ - 1) said->block = packet.seq;
        wire.send(target, said, now);
    }
};

}  // namespace
