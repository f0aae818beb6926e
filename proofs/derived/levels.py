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


@evidence(
    "derived.ours.levels",
    "derived.ours.levels-first-drop",
    "derived.ours.levels-shield",
    "derived.ours.levels-newcomer",
    "derived.ours.levels-in-turn",
    form="printed",
    strength="smt",
)
def the_rule_of_levels_gives_their_formulas() -> Outcome:
    """The thresholds of n equal queues below a port, and the slopes of their lengths, solve to what is said."""
    import sympy

    a, p, F, n, q, u, R, t, A = sympy.symbols("a p F n q u R t A", positive=True)
    y, phi, r, s = sympy.symbols("y phi r s", real=True)
    on = sympy.Eq(q, p * (a * F - n * q))
    prove([on], sympy.Eq(n * q * (1 + n * p), a * n * p * F)).proved("a port is one queue")
    prove([on], a * F > n * q).proved("the port has room")
    prove([sympy.Eq(R * t, A * (F - phi * t))], sympy.Eq(t * (R + A * phi), A * F)).proved(
        "a burst meets its threshold"
    )
    follow = [sympy.Eq(y, a * phi - (n * p * y + u)), sympy.Eq(phi + n * p * y + u, 0)]
    prove(follow, sympy.Eq(phi * (1 + n * p + a * n * p), -u)).proved("what is felt outside")
    one = sympy.Eq(q, p * (a * (F - s - q) - (s + q)))
    two = sympy.Eq(r, p * (a * (F - s - q - r) - (s + q + r)))
    return prove([one, two], sympy.Eq(r * (1 + p + p * a), q)).proved("each next queue takes less by one factor")
