"""Section 5.2: simulations, Figures 11 to 15; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt

C = sp.Symbol("C", positive=True)


@evidence("dynaq.sec5.2.1.metrics", form="printed", strength="symbolic")
def equal_shares_have_the_index_one_for_any_number() -> Outcome:
    """Jain's index (sum x)^2 / (n sum x^2) of n equal shares C/n."""
    n = sp.Symbol("n", positive=True)
    check(sp.simplify((n * (C / n)) ** 2 / (n * (n * (C / n) ** 2))) == 1, "the index")
    return Proved("n^2 x^2 / (n n x^2) = 1", {"n": "7", "x": "1/7"})


@evidence("dynaq.sec5.2.2.non-blocking", form="assumed", strength="smt")
def traffic_spread_over_the_spines_fits() -> Outcome:
    """A link of a leaf and a spine carries a twelfth of what the leaf's 12 hosts send, or of what they are sent."""
    rate, hosts, spines = sp.Symbol("rate", positive=True), 12, 12
    each = sp.symbols(f"host:{hosts}", nonnegative=True)  # what each sends; or what each is sent, all senders together
    spread = sum(each) / spines
    proof = smt.prove([host <= rate for host in each], spread <= rate)
    check(132 * rate / spines > rate, "132 hosts that send to one overload the links to its leaf")
    return proof.proved("each link carries at most 12/12 of a host's rate")


@evidence("dynaq.sec5.2.2.pql-medium", form="printed", strength="smt")
def medium_flows_alone_make_up_for_the_others() -> Outcome:
    """Total times s, m, l under DynaQ, r_s s, r_m m, r_l l under PQL: with r_s, r_l < 1 < r only r_m exceeds r."""
    s, m, l, small, medium, large, r = sp.symbols("s m l small medium large r", positive=True)
    whole = sp.Eq(r * (s + m + l), small * s + medium * m + large * l)
    return smt.prove([small < 1, large < 1, r > 1, whole], medium > r).proved("a mean below medium flows'")
