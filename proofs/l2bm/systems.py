"""L2BM's recorder and pools as transition systems, for proofs by induction."""

import sympy as sp

from dtmodel.ledger.provers.inductive import InductiveInvariant, Transition

N = sp.Symbol("N", integer=True)
total, D, E, prev, now, sojourn, due = sp.symbols("total D E prev now sojourn due", real=True)
PRESENT = [N >= 1, now >= prev]


def recorder(reading: str) -> InductiveInvariant:
    """Algorithm 1 as printed, or ``"clocked"``, or ``"stamped"`` (`dtmodel.packet.l2bm`)."""
    arrives = {N: N + 1, prev: now, D: D + now + sojourn}
    departs = {N: N - 1, D: D - due, E: E + due - now}
    waited = N * (now - prev)
    if reading == "literal":
        leaves = {**departs, total: total - (now - prev)}
    else:
        own = due - now if reading == "stamped" else 0
        leaves = {**departs, prev: now, total: total - waited - own}
    error = 0 if reading == "stamped" else E
    transitions = [
        Transition("lines 3 to 11, not empty", [*PRESENT, sojourn > 0], {**arrives, total: total + sojourn - waited}),
        Transition(
            "lines 3 to 11, empty", [sp.Eq(N, 0), now >= prev, sojourn > 0], {**arrives, total: total + sojourn}
        ),
        Transition("lines 12 to 14", PRESENT, leaves),
    ]
    return InductiveInvariant(
        f"{reading}: the total is the sum of due - t_prev over those present"
        + ("" if error == 0 else ", and of due - departure over those that have left"),
        dict.fromkeys((N, total, D, E, prev), 0),
        [N >= 0, sp.Eq(total, D - N * prev + error)],
        transitions,
    )


def pools() -> InductiveInvariant:
    """The ingress counters, the egress counters and the memory, each summed."""
    ingress, egress, stored, size = sp.symbols("ingress egress stored size", real=True)
    sums = (ingress, egress, stored)
    transitions = [
        Transition("a packet is stored", [size > 0], {x: x + size for x in sums}),
        Transition("a packet leaves", [size > 0, size <= stored], {x: x - size for x in sums}),
        Transition("a packet is dropped", [size > 0]),
    ]
    agree = [sp.Eq(ingress, stored), sp.Eq(egress, stored), stored >= 0]
    says = "ingress and egress counters add up to the bytes in the memory"
    return InductiveInvariant(says, dict.fromkeys(sums, 0), agree, transitions)
