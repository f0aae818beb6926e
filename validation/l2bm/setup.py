"""Section IV: the switches, the schemes compared and the network; runs and published numbers."""

from fractions import Fraction

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Counterexample, Outcome, Witness, check, evidence
from dtmodel.packet.flow_sizes import flow_sizes

from .published import TOPOLOGY, _same
from .scenarios import scenario


@evidence("l2bm.sec4.switches", form="printed", strength="exact")
def ten_switches() -> Outcome:
    """Add the switches of the layers."""
    return _same(TOPOLOGY["core"] + TOPOLOGY["aggregation"] + TOPOLOGY["tor"], 10)


@evidence("l2bm.sec4.servers", form="printed", strength="exact")
def one_hundred_and_twenty_eight_servers() -> Outcome:
    """Multiply ToR switches and servers."""
    return _same(TOPOLOGY["tor"] * TOPOLOGY["servers per tor"], 128)


@evidence("l2bm.sec4.dt.alpha@later", form="printed", strength="exact")
def the_larger_of_the_two_alphas_pauses_earlier() -> Outcome:
    """Run six bursts at four times the rate of their ports beside six queues, B = 60: at 5/6 s, with 1/8 at 20/21 s."""
    small, large = (scenario((alpha,) * 12, 6, "4", "2", ()) for alpha in (Fraction(1, 8), Fraction(1, 2)))
    drops = [answer(run, 1)["first_drop"] for run in (small, large)]
    check([each[6:] for each in drops] == [["20/21"] * 6, ["5/6"] * 6], f"{drops}")
    says = "20/21 s with alpha = 1/8: with 1/2 it should be later"
    return Counterexample(Witness("fluid", large, {"first_drop": drops[1]}, {"first_drop": drops[0]}, says))


@evidence("l2bm.ours.capacity", form="printed", strength="exact")
def four_uplinks_carry_it_and_two_do_not() -> Outcome:
    """Compare 363 Gbps with four and with two uplinks of 100 Gbps; with pods also 484 Gbps with four core links."""
    half, servers = TOPOLOGY["servers per tor"] // 2, TOPOLOGY["tor"] * TOPOLOGY["servers per tor"]
    offered = half * TOPOLOGY["server link"] * (Fraction("0.4") + Fraction("0.8"))
    outside = offered * Fraction(servers - TOPOLOGY["servers per tor"], servers - 1)
    link, switches = TOPOLOGY["switch link"], TOPOLOGY["aggregation"]
    check(offered == 480 and round(outside) == 363, f"{offered}, {outside} Gbps")
    check(switches // 2 * link < outside < switches * link, f"{outside} Gbps")
    to_the_other_pod = 2 * offered * Fraction(servers // 2, servers - 1)
    check(round(to_the_other_pod) == 484 and to_the_other_pod > 2 * TOPOLOGY["core"] * link, f"{to_the_other_pod} Gbps")
    return Agrees(2, "two wirings, each rack alike")


@evidence("l2bm.sec4.web-search@published", form="printed", strength="exact")
def the_largest_tenth_of_the_flows_has_most_of_the_bytes() -> Outcome:
    """At most a tenth of the flows is above 5 MB, and more than half of the bytes is in them, at either segment."""
    for segment in (1460, 1500):
        sizes = flow_sizes("web-search", segment)
        check(sizes.above("5 MB") <= Fraction(1, 10) and sizes.share_above("5 MB") > Fraction(1, 2), f"{segment}")
    return Agrees(2, "two sizes of a segment")
