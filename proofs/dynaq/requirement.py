"""Sections 1 and 2.1: equation (1), the weighted bandwidth-delay product; proofs."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import sympy

from dtmodel.fluid import answer
from dtmodel.ledger import Outcome, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import all_of, same
from dtmodel.packet.dynaq.schemes import BestEffort
from dtmodel.theory.dynaq import schemes

from .paths import PORT, Few, admits, buffer, size, total
from .step import AFTER, Step, for_each_number_of_queues, for_each_role
from .systems import unsatisfied_queue


@evidence(
    "dynaq.sec2.1.requires", "dynaq.sec1.enough-buffer", "dynaq.eq6.necessary", "dynaq.eq7.necessary",
    "dynaq.sec3.2.1.guideline1", "dynaq.sec3.2.1.guideline2", form="assumed", strength="smt",
)  # fmt: skip
def a_halving_window_needs_a_bdp_of_buffer() -> Outcome:
    """A window fills the pipe and the buffer when it loses, and is halved: full at once again iff buffer >= BDP.

    The pipe is that of the queue's share (of the link, if it is alone): one that is wider at the loss needs less.
    """
    b, D, wider = sympy.symbols("b D wider", positive=True)
    needed = smt.prove([(D + b) / 2 >= D], b >= D)
    smt.refute([wider >= D, (wider + b) / 2 >= D], b >= D)
    check(schemes.sawtooth_utilisation(Fraction(99), Fraction(100)) < 1, "below the BDP the link idles")
    return needed.proved("(BDP + b)/2 >= BDP only if b >= BDP")


@evidence("dynaq.sec1.monopolise", "dynaq.sec6.large-port-buffer", form="printed", strength="smt")
def the_fastest_queue_fills_the_fluid_buffer() -> Outcome:
    """Alone above C it holds (R - C) t, and stays at B when p = C / R is admitted; two share it as R - C and r - C.

    No such share has B in it. Then the engine, with buffers of two sizes.
    """
    R, C, B, t = sympy.symbols("R C B t", positive=True)
    r = sympy.Symbol("r", nonnegative=True)
    smt.prove([R > C, sympy.Eq(t, B / (R - C))], sympy.Eq((R - C) * t, B))
    smt.prove([R > C, r <= C], [C / R < 1, C / R * r <= C])  # what the others are offered they send at once
    both = [r < R, r > C, sympy.Eq(t * (R + r - 2 * C), B)]
    smt.prove(both, sympy.Eq((R - C) * t * (R + r - 2 * C), (R - C) * B))
    shares = ((("3", "1"), (Fraction(1), Fraction(0))), (("4", "2"), (Fraction(3, 4), Fraction(1, 4))))
    for whole, (rates, held) in product((Fraction(6), Fraction(70)), shares):
        queues = [{"arrivals": [["0", rate]]} for rate in rates]
        when = whole / (sum(map(int, rates)) - 2)
        switch = {"ports": 2, "buffer": str(whole), "rate": "1"}
        run = {"switch": switch, "policy": {"name": "complete"}, "queues": queues, "until": str(when + 9)}
        (lengths,) = answer({**run, "sample": [str(when)]}, 1)["queues"]
        check(
            [Fraction(length) for length in lengths] == [whole * part for part in held],
            f"{rates} in {whole}: {lengths}",
        )
    return smt.prove(both, 2 * (R - C) * t > B).proved("(R - C) / (R + r - 2 C) of any B, more than half")


@evidence(
    "dynaq.sec1.monopolise", "dynaq.sec2.1.best-effort", "dynaq.sec3.2.3.best-effort", "dynaq.sec6.large-port-buffer",
    form="printed", strength="smt",
)  # fmt: skip
def a_best_effort_buffer_belongs_to_whoever_fills_it() -> Outcome:
    """Any B and any number of queues: admitted iff the port has room, whatever the packet's queue holds.

    So a queue that is alone is refused only beyond B - s, and a port that is full of it stays so: a service makes room
    for one packet, which the next one of the same queue takes, and a packet of another queue finds none.
    """
    admitted = admits(lambda: BestEffort(buffer), Few({}, total), total + size <= buffer, "sum q + s <= B")
    after = (total - size) + size
    PORT.prove([same(total, buffer)], all_of(total + size > buffer, after <= buffer, same(after, buffer)))
    PORT.prove([total + size > buffer], total > buffer - size)
    return admitted


@evidence("dynaq.sec1.not-take@threshold", "dynaq.sec3.2.1.prevents-taking@threshold", form="printed", strength="smt")
def unsatisfied_active_queues_give_nothing_for_every_m() -> Outcome:
    """Prove q > 0 and T < S imply T' >= T for each role."""
    goals = [sympy.Or(q <= 0, T >= S, after >= T) for T, after, S, q in AFTER.values()]
    return for_each_role(goals, [], "an unsatisfied active queue gives nothing")


@evidence("dynaq.sec1.not-take@threshold", "dynaq.sec3.2.1.prevents-taking@threshold",
          form="printed", strength="symbolic")  # fmt: skip
def an_unsatisfied_queue_by_identities() -> Outcome:
    """Certify that the threshold of an active, unsatisfied queue does not fall, for every M."""
    return unsatisfied_queue().certificate().proved()


@evidence("dynaq.sec1.not-take@threshold", "dynaq.sec3.2.1.prevents-taking@threshold", form="printed", strength="smt")
def an_unsatisfied_active_queue_gives_nothing() -> Outcome:
    """Prove q_i > 0 and T_i < S_i imply T_i' >= T_i for each queue i."""

    def obligation(x: Step) -> tuple[Sequence[sympy.Basic], sympy.Basic]:
        kept = [sympy.Or(x.q[i] <= 0, x.T[i] >= x.S[i], x.T_new[i] >= x.T[i]) for i in range(x.M)]
        return [*x.legal, *x.largest, *x.may_give], sympy.And(*kept)

    return for_each_number_of_queues(obligation, "the threshold of an unsatisfied active queue never falls")
