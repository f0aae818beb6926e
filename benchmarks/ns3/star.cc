// A star of hosts around one switch with shared memory, in ns-3; `star.py` compiles it and reads its result. This folder
// is not part of the wheel: a program that is linked with ns-3 has its licence, GPL-2.0.
//
// Standard input: the numbers that `main` reads, in its order; times in picoseconds, sizes in bytes. Standard output: a
// line for each host with the peak, mean length, drops and sent bytes of the port to it, then a line for each flow with
// the time from its start to the arrival of its last byte (-1 if it has not arrived) and its retransmission timeouts.

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/tcp-recovery-ops.h"

#include <cstdint>
#include <iostream>
#include <vector>

using namespace ns3;

namespace {

constexpr int64_t LEAST = 64;  // bytes of a frame that carries an acknowledgement
constexpr int64_t ESTABLISHED = 4'000'000'000'000;  // connections are made in the first 4 seconds

// The bytes of a packet on the line: without the point-to-point header of two bytes, and no fewer than Ethernet's.
int64_t Length(Ptr<const Packet> packet) { return std::max<int64_t>(packet->GetSize() - 2, LEAST); }

// A hash of integer keys (SplitMix64) that both simulators draw from.
uint64_t Draw(std::initializer_list<uint64_t> keys) {
    uint64_t state = 0;
    for (uint64_t key : keys) {
        state += key + 0x9E3779B97F4A7C15;
        state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
        state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
        state ^= state >> 31;
    }
    return state;
}

struct Port {
    int64_t peak = 0, drops = 0, sent = 0, held = 0, since = 0;
    double area = 0;
};

struct Memory {
    int64_t buffer, top, bottom, from, until;  // alpha = top / bottom; top < 0 if there is no threshold
    bool freed_at_start;
    uint64_t rate;
    int64_t used = 0;
    std::vector<Port> ports;

    static int64_t Now() { return Simulator::Now().GetPicoSeconds() - ESTABLISHED; }

    void Change(int port, int64_t bytes) {
        Port& each = ports[port];
        int64_t begin = std::max(each.since, from), end = std::min(Now(), until);
        if (end > begin) each.area += double(end - begin) * double(each.held);
        each.since = Now();
        each.held += bytes;
        used += bytes;
        each.peak = std::max(each.peak, each.held);
    }

    bool Admits(int port, int64_t size) const {
        if (used + size > buffer) return false;
        return top < 0 || ports[port].held * bottom < top * (buffer - used);
    }

    void Leave(int port, int64_t size) {
        Change(port, -size);
        if (Now() > from && Now() <= until) ports[port].sent += size;
    }

    Time Transmission(int64_t size) const { return PicoSeconds(8'000'000'000'000 * size / int64_t(rate)); }

    void Sending(int port, int64_t size) {
        if (freed_at_start) return Leave(port, size);
        Simulator::Schedule(Transmission(size), &Memory::Leave, this, port, size);
    }
};

Memory memory;

class PortQueue : public Queue<Packet> {
  public:
    static TypeId GetTypeId() {
        static TypeId id = TypeId("PortQueue")
                               .SetParent<Queue<Packet>>()
                               .AddConstructor<PortQueue>()
                               .AddAttribute("MaxSize", "", QueueSizeValue(QueueSize("2000000000B")),
                                             MakeQueueSizeAccessor(&QueueBase::SetMaxSize, &QueueBase::GetMaxSize),
                                             MakeQueueSizeChecker());
        return id;
    }

    int port = -1;  // of a host, whose queue has no limit

    bool Enqueue(Ptr<Packet> packet) override {
        int64_t size = Length(packet);
        if (port < 0) return DoEnqueue(GetContainer().end(), packet);
        if (!memory.Admits(port, size)) {
            memory.ports[port].drops += Memory::Now() > memory.from;
            DropBeforeEnqueue(packet);
            return false;
        }
        memory.Change(port, size);
        return DoEnqueue(GetContainer().end(), packet);
    }

    Ptr<Packet> Dequeue() override {
        Ptr<Packet> packet = DoDequeue(GetContainer().begin());
        if (packet && port >= 0) memory.Sending(port, Length(packet));
        return packet;
    }

    Ptr<Packet> Remove() override { return DoRemove(GetContainer().begin()); }
    Ptr<const Packet> Peek() const override { return DoPeek(GetContainer().begin()); }
};

// A link whose packets from the host (its first device) are late by up to `jitter`, in order, as in dtmodel.
class JitterChannel : public PointToPointChannel {
  public:
    int64_t host = 0, seed = 0, jitter = 0, packets = 0;

    bool TransmitStart(Ptr<const Packet> packet, Ptr<PointToPointNetDevice> from, Time) override {
        uint32_t wire = from == GetSource(0) ? 0 : 1;
        Time at = Simulator::Now() + memory.Transmission(Length(packet)) + GetDelay();
        if (wire == 0 && jitter && Memory::Now() >= 0)
            at += PicoSeconds(Draw({uint64_t(seed), uint64_t(host), uint64_t(++packets)}) % (jitter + 1));
        last[wire] = std::max(last[wire], at);
        Ptr<PointToPointNetDevice> far = GetDestination(wire);
        Simulator::ScheduleWithContext(far->GetNode()->GetId(), last[wire] - Simulator::Now(),
                                       &PointToPointNetDevice::Receive, far, packet->Copy());
        return true;
    }

  private:
    Time last[2] = {Seconds(0), Seconds(0)};
};

Ptr<PointToPointNetDevice> Device(Ptr<Node> node, Ptr<Queue<Packet>> queue, uint64_t rate) {
    Ptr<PointToPointNetDevice> device = CreateObject<PointToPointNetDevice>();
    device->SetAddress(Mac48Address::Allocate());
    device->SetDataRate(DataRate(rate));
    device->SetQueue(queue);
    node->AddDevice(device);
    return device;
}

struct Flow {
    int source, target;
    int64_t start, bytes, arrived = 0, done = -1, timeouts = 0;
    Ptr<Socket> socket;

    void Fill() {  // a flow that lasts has 0 bytes: it fills the buffer of its socket again and again
        if (bytes) {
            socket->Send(Create<Packet>(bytes));
            return;
        }
        while (socket->GetTxAvailable() >= 1460 && socket->Send(Create<Packet>(1460)) > 0) {
        }
    }

    void State(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t now) {
        timeouts += now == TcpSocketState::CA_LOSS;
    }

    void Receive(Ptr<Socket> from) {
        while (Ptr<Packet> packet = from->Recv()) arrived += packet->GetSize();
        if (bytes && arrived >= bytes && done < 0) done = Memory::Now() - start;
    }

    void Accept(Ptr<Socket> made, const Address&) { made->SetRecvCallback(MakeCallback(&Flow::Receive, this)); }
};

void Defaults(int64_t min_rto, int64_t segment) {
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TcpNewReno::GetTypeId()));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", TypeIdValue(TcpClassicRecovery::GetTypeId()));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::LimitedTransmit", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(PicoSeconds(min_rto)));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(NanoSeconds(1)));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(segment));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(16'000'000));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(16'000'000));
}

}  // namespace

int main() {
    Time::SetResolution(Time::PS);
    int64_t hosts, delay, jitter, seed, min_rto, segment, count;
    std::cin >> hosts >> memory.rate >> delay >> jitter >> seed >> min_rto >> segment >> memory.buffer >> memory.top >> memory.bottom >>
        memory.freed_at_start >> memory.from >> memory.until >> count;
    std::vector<Flow> flows(count);
    for (Flow& flow : flows) std::cin >> flow.source >> flow.target >> flow.start >> flow.bytes;
    if (!std::cin) return 2;
    Defaults(min_rto, segment);
    memory.ports.resize(hosts);

    NodeContainer nodes(hosts), middle(1);
    InternetStackHelper().Install(nodes);
    InternetStackHelper().Install(middle);
    uint64_t framed = memory.rate * (segment + 42) / (segment + 40);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    std::vector<Ipv4Address> at(hosts);
    for (int64_t each = 0; each < hosts; each++) {
        Ptr<PortQueue> unlimited = CreateObject<PortQueue>(), queue = CreateObject<PortQueue>();
        queue->port = each;
        Ptr<JitterChannel> link = CreateObject<JitterChannel>();
        link->SetAttribute("Delay", TimeValue(PicoSeconds(delay)));
        link->host = each, link->seed = seed, link->jitter = jitter;
        NetDeviceContainer devices(Device(nodes.Get(each), unlimited, framed));
        devices.Add(Device(middle.Get(0), queue, framed));
        for (uint32_t end : {0, 1}) DynamicCast<PointToPointNetDevice>(devices.Get(end))->Attach(link);
        at[each] = addresses.Assign(devices).GetAddress(0);
        addresses.NewNetwork();
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    for (int64_t number = 0; number < count; number++) {
        Flow& flow = flows[number];
        uint16_t door = 1000 + number;
        Ptr<Socket> server = Socket::CreateSocket(nodes.Get(flow.target), TcpSocketFactory::GetTypeId());
        server->Bind(InetSocketAddress(Ipv4Address::GetAny(), door));
        server->Listen();
        server->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&Flow::Accept, &flow));
        flow.socket = Socket::CreateSocket(nodes.Get(flow.source), TcpSocketFactory::GetTypeId());
        flow.socket->TraceConnectWithoutContext("CongState", MakeCallback(&Flow::State, &flow));
        if (!flow.bytes)
            flow.socket->SetSendCallback(Callback<void, Ptr<Socket>, uint32_t>(
                [&flow](Ptr<Socket>, uint32_t) { if (Memory::Now() >= flow.start) flow.Fill(); }));
        InetSocketAddress peer(at[flow.target], door);
        Simulator::Schedule(MilliSeconds(number), [&flow, peer] { flow.socket->Connect(peer); });
        Simulator::Schedule(PicoSeconds(ESTABLISHED + flow.start), &Flow::Fill, &flow);
    }
    Simulator::Schedule(PicoSeconds(ESTABLISHED), [] {
        for (Port& port : memory.ports) port = Port{.held = port.held};
    });
    Simulator::Stop(PicoSeconds(ESTABLISHED + memory.until));
    Simulator::Run();
    for (int64_t port = 0; port < hosts; port++) {
        memory.Change(port, 0);
        const Port& each = memory.ports[port];
        std::cout << each.peak << ' ' << each.area / double(memory.until - memory.from) << ' ' << each.drops << ' '
                  << each.sent << '\n';
    }
    for (const Flow& flow : flows) std::cout << flow.done << ' ' << flow.timeouts << '\n';
    Simulator::Destroy();
}
