"""Packets in the native core against the engine in Python: the same packets in one run, and the same losses.

Each port is offered nearly what it sends, in packets of 64, 576 and 1,500 bytes at random instants, and the buffer is
small enough for losses. Python runs fewer of these packets, and the core must lose the same of them, at the same
instants beside the same free buffer. Seconds are those of this process, the best of several runs for the core.

    python benchmarks/packets.py [PACKETS]
"""

import os
import sys
import time
from typing import Any

import numpy as np

from dtmodel import DT, EDT, LQD
from dtmodel.packet.core import PacketSwitch, packet_status
from dtmodel.packet.engine import FedSwitch, Lost
from dtmodel.policies import Policy

POLICIES: dict[str, Policy] = {"DT": DT(1), "EDT": EDT(1, "5 KB", "10 us", "50 us"), "LQD": LQD()}
RATE, RUNS = 1.25e9, 5


def traffic(ports: int, packets: int) -> tuple[Any, Any, Any]:
    """Return times, ports and sizes of packets that offer 97 % of all rates together."""
    rng = np.random.default_rng(1)
    sizes = rng.choice([64.0, 576.0, 1500.0], packets)
    times = np.cumsum(rng.exponential(sizes.mean() / (0.97 * ports * RATE), packets))
    return times, rng.integers(0, ports, packets), sizes


def in_python(policy: Policy, buffer: float, columns: tuple[Any, Any, Any], ports: int) -> tuple[float, list[Lost]]:
    """Return the seconds that Python takes, and what is lost."""
    lost: list[Lost] = []
    packets = list(zip(*(column.tolist() for column in columns), strict=True))
    switch = FedSwitch(buffer=buffer, rates=[RATE] * ports, policy=policy, heard=lost.append)
    begin = time.process_time()
    for record, (now, port, size) in enumerate(packets):
        switch.arrive(now, port, size, record)
    return time.process_time() - begin, lost


def in_the_core(policy: Policy, buffer: float, columns: tuple[Any, Any, Any], ports: int) -> tuple[float, list[Lost]]:
    """Return the seconds that the core takes, and what is lost."""
    form = policy.admission(ports, buffer, lambda size: size).form()
    assert form is not None
    spent, records = [], np.arange(len(columns[0]))
    for _ in range(RUNS):
        switch = PacketSwitch(buffer, [RATE] * ports, form)
        begin = time.process_time()
        lost = switch.feed(*columns, records)
        spent.append(time.process_time() - begin)
    return min(spent), [Lost(*row) for row in lost.tolist()]


def a_row(name: str, ports: int, packets: int) -> str:
    """Measure a policy at so many ports."""
    policy, buffer, columns = POLICIES[name], 8_000.0 * ports, traffic(ports, packets)
    spent, lost = in_the_core(policy, buffer, columns, ports)
    few = packets // 20
    slow, heard = in_python(policy, buffer, tuple(column[:few] for column in columns), ports)
    assert heard == [one for one in lost if one.time <= columns[0][few - 1]], "the engines differ"
    core, python = packets / spent, few / slow
    return f"| {name} | {ports} | {core:,.0f} | {python:,.0f} | {core / python:,.0f} | {len(lost):,} | {len(heard):,} |"


def main() -> None:
    """Print one table."""
    packets = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    print(f"engine: {packet_status()}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    if packet_status() != "native core":
        print("There is nothing to compare.")
        return
    print("| policy | ports | core: packets/s | Python: packets/s | ratio | lost | of them in both |")
    print("|---|---|---|---|---|---|---|")
    for name in POLICIES:
        for ports in (16, 64, 256):
            print(a_row(name, ports, packets), flush=True)


if __name__ == "__main__":
    main()
