"""Sections 4.4 and 5.1: the settings of EDT and where it helps; runs and published numbers."""

from fractions import Fraction
from itertools import product
from math import floor
from typing import Any

from dtmodel import DT
from dtmodel.ledger import Agrees, Counterexample, Outcome, check, evidence, refuted_by_values
from dtmodel.packet.arrivals import constant
from dtmodel.packet.edt.trace import run_trace
from dtmodel.packet.engine import Admitting, run_packets
from dtmodel.policies.edt_circuit import CircuitSettings, EdtPolicy
from dtmodel.theory.edt import formulas as edt_formulas

from .figures.burst_panels import ALPHA, CN2, MS, TM1, TM2, B, C, P
from .scenarios import Number, rounds_to

F = Fraction
MEGABYTE = F(10**6)
MEBIBYTE = F(2**20)


@evidence("edt.sec5.1.tm2", form="printed", strength="exact")
def ten_milliseconds_outlast_the_filling_of_the_buffer() -> Outcome:
    """A burst of 2 C fills B in 8 ms for 1 MB, in 8.39 ms for 1 MiB."""
    for buffer, quoted in ((MEGABYTE, "8"), (MEBIBYTE, "8.39")):
        bound = edt_formulas.d_bound(buffer, C, 2 * C)
        check(rounds_to(bound / MS, quoted) and bound <= TM2, f"{float(bound / MS)} ms")
    return Agrees(2, "both meanings of MB")


@evidence("edt.sec5.1.cn2", form="printed", strength="exact")
def with_packets_of_1000_bytes_it_would_be_12() -> Outcome:
    """No packet size is stated."""
    values: dict[str, Number] = {"alpha": 1, "B": 10**6, "P": 16, "packet": 1000}
    return refuted_by_values(values, "floor(4*alpha*B / (2 + alpha*P)**2 / packet) == 8", "12 packets of 1000 bytes")


@evidence("edt.sec5.1.cn2", form="assumed", strength="exact")
def with_packets_of_1500_bytes_it_is_8() -> Outcome:
    """Both meanings of MB, rounded down; the sizes that give 8 are those between B' / 9 and B' / 8."""
    sizes = {}
    for buffer in (MEGABYTE, MEBIBYTE):
        bound = edt_formulas.cn2_paper(ALPHA, buffer, P)
        check(floor(bound / 1500) == 8, f"{float(bound / 1500):.2f}")
        sizes[buffer] = [size for size in range(64, 9001) if floor(bound / size) == 8]
    check((sizes[MEGABYTE][0], sizes[MEGABYTE][-1]) == (1372, 1543), "the sizes for 10^6 bytes")
    check((sizes[MEBIBYTE][0], sizes[MEBIBYTE][-1]) == (1439, 1618), "the sizes for 2^20 bytes")
    return Agrees(2 * 8937, "every packet size from 64 to 9000 bytes, both meanings of MB")


@evidence("edt.sec5.1.tm1", form="printed", strength="exact")
def tm1_is_68_324ths_of_10_ms() -> Outcome:
    """Equation (78), in the rounding interval of 2.1 ms."""
    check(F(68, 324) * 10 * MS == TM1 and rounds_to(TM1 / MS, "2.1"), f"{float(TM1 / MS)} ms")
    return Agrees(1, "the single value")


@evidence("edt.sec4.4.d-simple", form="printed", strength="exact")
def a_burst_longer_than_b_over_c_asks_for_a_larger_d() -> Counterexample:
    """B = 16, C = 1, a longest burst of 17 s: 16 s are B / C, and (81) asks for 17."""
    values: dict[str, Number] = {"B": 16, "C": 1, "R_min": 2, "d_mb": 17, "d": 16}
    return refuted_by_values(
        values, "d >= max(B / (R_min - C), d_mb)", "d_mb is the larger one", ["R_min == 2*C", "d >= B / C"]
    )


@evidence("edt.sec4.4.cn1.not-too-large", form="printed", strength="sampled")
def a_larger_cn1_keeps_the_port_free_longer() -> Outcome:
    """Queues of 2 to 6 packets, cn1 of 1 to 7: the port returns with departure number cn1, if there is one."""
    cases = 0
    for length, cn1 in product(range(2, 7), range(1, 8)):
        events: list[list[Any]] = [["arrive", 0, 1, 1]] * length + [["depart", k, 1] for k in range(1, length + 1)]
        trace = {"ports": 1, "buffer": 99, "alpha": 1, "cn1": cn1, "cn2": 2, "events": events}
        states = [step["ports"][0]["state"] for step in run_trace(trace)["steps"]][length:]
        check(states.count("uncontrolled") == min(cn1 - 1, length), f"{length} packets, cn1 = {cn1}: {states}")
        cases += 1
    return Agrees(cases, "queues of 2 to 6 packets, cn1 = 1..7, cn2 = 2")


@evidence("edt.ours.packets-converge", form="printed", strength="exact")
def the_error_of_packets_shrinks_with_their_size() -> Outcome:
    """Exact runs of the packet engine, in rationals; most of the sizes divide neither a queue nor the buffer."""
    settings = CircuitSettings(ALPHA, 3, CN2, TM1, TM2)
    sizes = (700, 800, 1000, 1200, 1333, 1448, 1500, 1600, 2000, 2500, 3000, 4000)
    for size in map(F, sizes):
        held = [size] * int(B / 3 / size)
        policies: tuple[tuple[Admitting, F], ...] = ((DT(ALPHA), 2 * MS), (EdtPolicy(settings, 3, B), 8 * MS))
        late = []
        for policy, fluid in policies:
            streams = [constant(2 * C, size) for _ in range(3)]
            until, initial = fluid + 2 * size / C, [[], held, held]
            done = run_packets(buffer=B, rates=[C] * 3, policy=policy, streams=streams, until=until, initial=initial)
            lost = done.first_drop(0)
            late.append((lost.time - fluid) * C / size if lost else F(9))
        check(0 <= late[0] <= F(7, 6) and -F(17, 3) <= late[1] <= -3, f"{size}: {late}")
        check(size not in (1000, 2000) or late == [F(1, 2), -3], f"{size}: {late}")
    return Agrees(2 * len(sizes), "twelve sizes from 700 to 4000 bytes, DT and EDT")
