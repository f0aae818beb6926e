"""Section 5.2: simulations, Figures 11 to 15; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.packet.dynaq.schemes import jain

C = sp.Symbol("C", positive=True)


@evidence("dynaq.sec5.2.1.metrics", form="printed", strength="symbolic")
def equal_shares_have_the_index_one_for_any_number() -> Outcome:
    """Jain's index (sum x)^2 / (n sum x^2) of n equal shares C/n."""
    n = sp.Symbol("n", positive=True)
    check(sp.simplify((n * (C / n)) ** 2 / (n * (n * (C / n) ** 2))) == 1, "the index")
    check(jain([3, 3, 3]) == 1 and jain([1, 0]) != 1, "the numeric form")
    return Proved("n^2 x^2 / (n n x^2) = 1", {"n": "7", "x": "1/7"})


@evidence("dynaq.sec5.2.2.non-blocking", form="assumed", strength="symbolic")
def traffic_spread_over_the_spines_fits() -> Outcome:
    """Spread evenly, 12 hosts at full rate load each uplink, and each downlink of a spine, with one host's rate."""
    rate = sp.Symbol("rate", positive=True)
    hosts = spines = 12
    up = sum(rate / spines for _ in range(hosts))  # one uplink: a twelfth of each host of the leaf
    down = sum(rate / spines for _ in range(hosts))  # one link to a leaf: a twelfth of what its hosts may receive
    check(sp.simplify(up - rate) == 0 and sp.simplify(down - rate) == 0, f"{up}, {down}")
    return Proved("each link carries at most 12/12 of a host's rate", {"hosts": "12", "spines": "12"})
