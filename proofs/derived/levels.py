"""Limits on two levels: which of them binds, and the settings of EDT."""

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import prove
from dtmodel.policies import formulas


@evidence("derived.ours.levels-pool", form="printed", strength="smt")
def the_lesser_weight_binds() -> Outcome:
    """Equal queues of which one limit binds hold a F together only if a <= n p, and n p F only if n p <= a."""
    import sympy

    a, p, F, n, q = sympy.symbols("a p F n q", positive=True)
    prove([n * q <= a * F, sympy.Eq(q, p * F), n >= 1], n * p <= a).proved("the queues bind")
    return prove([q <= p * F, sympy.Eq(n * q, a * F), n >= 1], a <= n * p).proved("the port binds")


@evidence("derived.ours.levels-settings", form="printed", strength="symbolic")
def the_settings_of_edt_on_two_levels() -> Outcome:
    """The signs of the differences of (73) and (78) with alpha = p and with alpha = A_1 are those that are said."""
    import sympy

    p, A, B, P, d = sympy.symbols("p A B P d", positive=True)
    scale = (2 + p * P) ** 2 * (2 + A * P) ** 2
    counts = formulas.edt_counting_number(p, B, P) - formulas.edt_counting_number(A, B, P)
    check(sympy.expand(sympy.cancel(counts * scale) - 4 * B * (p - A) * (4 - p * A * P**2)) == 0, "(73)")
    timers = formulas.edt_growth_timer(p, P, d) - formulas.edt_growth_timer(A, P, d)
    rest = 4 * d * P**2 * (A - p) * (p + A + p * A * P)
    check(sympy.expand(sympy.cancel(timers * scale) - rest) == 0, "(78)")
    values = {"p": "1/8", "A": "1/72", "P": "2", "B": "1"}
    return Proved("the differences have the signs of their factors", values, ["(p - A) * (4 - p*A*P**2) > 0"])
