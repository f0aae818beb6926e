"""The headroom of a cable is that of its delays, added up here bit by bit."""

from fractions import Fraction
from math import ceil

import pytest
from refusals import refused

from dtmodel.packet.pfc import Link, arrived_after
from dtmodel.switches.cables import interface_bytes, parameters, reaction_time

F = Fraction
BITS = {10: (67, 8_192), 25: (80, 6_144), 40: (118, 24_576), 100: (394, 122_880)}
"""The pause quanta of a sender and the bit times of an interface, by the rate in Gbps."""


@pytest.mark.parametrize("gbps", BITS)
@pytest.mark.parametrize("metres", [1, 40, 300])
def test_all_bits_that_arrive_after_a_pause_are_counted(gbps: int, metres: int) -> None:
    rate, (quanta, interface) = F(gbps * 10**9, 8), BITS[gbps]
    assert (reaction_time(rate), interface_bytes(rate)) == (F(quanta * 512, gbps * 10**9), F(interface, 8))
    found = parameters(cable=f"{metres} m", rate=f"{gbps} Gbps", mtu=1500)
    light = F(metres, 198_000_000)
    late = arrived_after(Link(rate, light, F(quanta * 512, gbps * 10**9), F(1522), F(1522)), F(0), F(0))
    assert found["headroom"] == late == 2 * rate * light + quanta * 64 + 2 * 1522 + 64
    assert found["with_interfaces"] == late + F(2 * interface, 8)


@pytest.mark.parametrize(("cell", "small"), [(144, 3), (208, 4), (128, 2), (64, 2), (1, 1)])
def test_the_vendors_rule_counts_cells_and_rounds_up(cell: int, small: int) -> None:
    found = parameters(cable="40 m", rate="25 Gbps", mtu=9100, cell=cell, gearbox=7, mac_phy=5, pipeline=3)
    delays = F(2 * 25 * 10**9 * 40, 8 * 198_000_000) + 80 * 64 + 5 + 2 * 7 + 3
    occupancy = 1 + F(64 * (small - 1), (64 + 1024) // 2)  # half of the packets have 64 bytes, the others 1,024
    assert found["occupancy"] == occupancy
    assert found["vendor"] == 1024 * ceil((1024 + (9100 + delays) * occupancy) / 1024)


def test_a_rate_without_a_standard_needs_the_reaction() -> None:
    assert (reaction_time(F(375_000_000)), interface_bytes(F(25_000_000_001, 2))) == (None, None)
    assert parameters(cable="1 m", rate="3 Gbps", reaction="1 us")["reaction"] == 375
    with refused("reaction"):
        parameters(cable="1 m", rate="3 Gbps")
    with refused("small", 2):
        parameters(cable="1 m", rate="10 Gbps", small=2)
