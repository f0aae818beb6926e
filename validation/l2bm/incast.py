"""Section IV-B: incast requests, Figures 10 and 11; runs and published numbers."""

from fractions import Fraction

from dtmodel.ledger import Agrees, Conflict, Outcome, check, evidence
from dtmodel.theory.l2bm import formulas as l2bm

from ..support.l2bm.ingress import ingress_moments, steady_arrivals
from .published import REDUCTIONS, TOPOLOGY, _differs, _same

ONE = Fraction(1)


def averages(
    rates: tuple[int, ...], policy: str, until: int = 60, buffer: int = 60, offered: Fraction = 3 * ONE
) -> list[Fraction]:
    """The average lengths of overloaded queues over the last third of a run: 1-byte packets, alpha = 1/4."""
    drains = [Fraction(rate) for rate in rates]
    arrivals = steady_arrivals([ONE] * len(rates), [offered * rate for rate in drains], Fraction(until))
    moments = ingress_moments(Fraction(buffer), ONE / 4, drains, arrivals, ingress_queues=len(rates), policy=policy)
    late = moments[2 * len(moments) // 3 :]
    return [sum((moment.lengths[i] for moment in late), Fraction(0)) / len(late) for i in range(len(rates))]


AVERAGES = {5: Fraction("0.48"), 10: Fraction("2.5"), 15: Fraction("3.7")}
"""Section IV-B: L2BM's average latency in ms at most, by the number of senders."""


def _grows() -> Fraction:
    """By what factor the average latency bound grows from 5 to 15 senders."""
    check(AVERAGES[5] < AVERAGES[10] < AVERAGES[15], "no growth")
    factor = AVERAGES[15] / AVERAGES[5]
    check(factor > 2, "an insignificant growth")
    return factor


@evidence("l2bm.sec4.incast23", form="assumed", strength="exact")
def incast_headline_is_the_number_against_abm() -> Outcome:
    """Compare the bullet with Section IV-B."""
    return _same(REDUCTIONS["sec4.incast-tail"], REDUCTIONS["sec4b.tail15.ABM"])


@evidence("l2bm.sec4.incast23", form="printed", strength="exact")
def incast_reduction_against_dt2_is_another() -> Outcome:
    """Compare the unconditional 23 % with Section IV-B against DT2."""
    return _differs(REDUCTIONS["sec4.incast-tail"], REDUCTIONS["sec4b.tail15.DT2"], "against DT2")


@evidence(
    "l2bm.sec4.buffer",
    "l2bm.sec4b.flow-size",
    "l2bm.sec4b.flows",
    "l2bm.sec4a.halves",
    form="printed",
    strength="exact",
)
def products_and_quotients() -> Outcome:
    """Evaluate the quoted products: 1 MB / 4 MB = 25 %, 1 MB / 5 = 200 KB, 376 * 5 = 1880, 16 + 16 = 32."""
    check(Fraction(10**6, 4 * 10**6) == Fraction(25, 100), "buffer")
    check(Fraction(10**6, 5) == 200_000, "flow size")
    check(376 * 5 == 1880, "flows")
    check(TOPOLOGY["servers per tor"] == 16 + 16, "halves")
    return Agrees(4, "each product as quoted")


@evidence("l2bm.sec4b.average", "l2bm.sec4b.minimum", "l2bm.sec4b.occupancy-order", form="printed", strength="exact")
def orders_of_response_times_and_occupancies() -> Outcome:
    """0.34 <= 0.48 <= 2.9; 1 MB at 25 Gbps takes 0.32 ms <= 0.34 ms; 400 <= 600 <= 4000 KB."""
    least, average, greatest = (Fraction(x) for x in ("0.34", "0.48", "2.9"))
    check(least <= average <= greatest, "order")
    check(Fraction(8 * 10**6, 25 * 10**9) * 1000 == Fraction("0.32") <= least, "link time")
    bounds = [400, 600, 4000]
    check(bounds == sorted(bounds), "occupancy")
    return Agrees(3, "each comparison")


@evidence("l2bm.sec4b.dt-worst@every-number", form="printed", strength="exact")
def dt2_is_worse_than_dt() -> Outcome:
    """A delay of 0.48 ms that is 55 % below DT and 57 % below DT2 puts DT2 above DT, however both were rounded."""
    half = Fraction(1, 2)
    dt, dt2 = (
        [Fraction(48) / (100 - REDUCTIONS[f"sec4b.average.{name}"] + error) for error in (-half, 0, half)]
        for name in ("DT", "DT2")
    )
    check(min(dt2) > max(dt), "DT is the worst")
    said = "with 5 senders DT2 is worse than DT"
    return Conflict("l2bm.sec4b.average.dt2", said, {"DT in ms": dt[1], "DT2 in ms": dt2[1]})


@evidence("l2bm.sec4b.weaken", form="printed", strength="exact")
def the_bound_on_the_average_latency_grows_sevenfold() -> Outcome:
    """At most 3.7 ms against at most 0.48 ms, for a request of the same size."""
    return Agrees(len(AVERAGES), f"5, 10 and 15 senders: by a factor of {_grows()}")


@evidence("l2bm.sec4b.requests", form="printed", strength="exact")
def the_requests_are_a_small_load() -> Outcome:
    """376 MB in half a second, in Gbps, against the servers' links."""
    offered = 376 * 8 * Fraction(10**6) / Fraction(1, 2) / 10**9
    links = TOPOLOGY["tor"] * TOPOLOGY["servers per tor"] * TOPOLOGY["server link"]
    check(offered * 100 < links, f"{offered} of {links} Gbps")
    return Agrees(1, f"{float(offered)} of {links} Gbps")


@evidence("l2bm.ours.packet-occupancy", form="printed", strength="sampled")
def the_packet_switch_holds_what_the_square_root_law_says() -> Outcome:
    """Run two overloaded queues under DT and L2BM, with equal drain rates and with 4 and 1; then a small switch."""
    for rates, roots in (((1, 1), [1, 1]), ((4, 1), [2, 1])):
        mine, plain = averages(rates, "l2bm"), averages(rates, "dt")
        check(sum(mine) > sum(plain), f"{rates}: not more than DT")
        for found, said in zip(mine, l2bm.self_consistent(60, roots, "1/4").thresholds, strict=True):
            check(abs(found - said) * 20 <= said, f"{rates}: {float(found)} against {float(said)}")
    slow = averages((2, 1), "l2bm", buffer=20, offered=Fraction(3, 2))[1]
    check(2 < slow < 3, f"{float(slow)} packets, where the law says 4.2")
    return Agrees(3, "drain rates (1, 1) and (4, 1), and a small switch")
