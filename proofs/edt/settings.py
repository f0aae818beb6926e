"""Sections 4.4 and 5.1: the settings of EDT and where it helps; proofs."""

from functools import partial

import sympy as sp

from dtmodel.fluid import answer
from dtmodel.ledger import Counterexample, Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.ledger.provers import slack, smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, truth
from dtmodel.ledger.provers.symbolic_execution import same as every_path_same
from dtmodel.policies.edt_circuit import READINGS
from dtmodel.theory.edt import formulas as edt

from .derivation import B, C, alpha, r, same
from .machine import Machine, Step, counters, same_truth

OVERFLOWING = {"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"}


@evidence("edt.sec4.4.cn1.one-departure", "edt.sec4.4.cn1.three", "edt.sec5.1.cn1", "edt.sec5.3.cn1",
          form="printed", strength="smt")  # fmt: skip
def between_two_arrivals_at_most_one_packet_leaves() -> Outcome:
    """Two departures are s / C apart, two arrivals s / R <= s / C: both departures cannot fall between the arrivals."""
    gap, service, first, second, arrival = sp.symbols("gap service first second arrival", real=True)
    known = [gap > 0, gap <= service, second >= first + service, first > arrival]
    found = smt.prove(known, second > arrival + gap)
    in_succession = sp.Symbol("in_succession", integer=True)
    for number in (3, 10):  # Sections 4.4 and 5.1; the testbed
        smt.prove([in_succession >= 0, in_succession < 2], in_succession < number)
    return found.proved("so C1 is at most 1, which is less than 3 and 10")


@evidence("edt.sec4.4.three-parameters", form="printed", strength="symbolic")
def three_parameters_and_the_switch_give_the_settings() -> Outcome:
    """The formulas of cn2 and TM1 have no other symbols; TM2 is d."""
    P, d = sp.symbols("P d", positive=True)
    symbols = edt.cn2_paper(alpha, B, P).free_symbols | edt.tm1_paper(alpha, P, d).free_symbols
    check(symbols == {alpha, B, P, d}, f"the symbols are {symbols}")
    return Proved("cn2 from alpha, B, P; TM1 from alpha, P, d; TM2 = d", {**OVERFLOWING, "P": "2", "d": "6"})


@evidence("edt.eq81", form="printed", strength="smt")
def tm2_outlasts_the_filling_of_the_buffer() -> Outcome:
    """A burst of a rate of at least R_min alone fills B in B / (R - C) <= B / (R_min - C) <= d; it is freed after 0."""
    slowest, d, begin = sp.symbols("r_min d begin", positive=True)
    filled = sp.Symbol("filled", positive=True)
    known = [r >= slowest, d * slowest >= B, sp.Eq(filled * r, B), begin > 0]
    return smt.prove(known, filled < begin + d).proved("more bursts, or steady queues, only fill it earlier")


@evidence("edt.eq81@necessary", form="printed", strength="kernel")
def a_tm2_as_long_as_the_burst_is_enough() -> Counterexample:
    """B = 16, R_min = 2 C, bursts of 2 s: with d = 3 TM2 outlasts the burst, nothing is lost; (81) asks for 16."""
    for duration in ("1", "2"):
        found = answer(
            {
                "switch": {"ports": 1, "buffer": "16", "rate": "1"},
                "policy": {"name": "edt", "alpha": "1", "cn2": "1/2", "tm1": "3", "tm2": "3"},
                "queues": [{"arrivals": [["0", "2"], [duration, "0"]]}],
                "until": "9",
            }
        )
        check(found["first_drop"] == [None], "the burst loses bytes")
    enough = ["min(B, C, d_mb) > 0", "R_min > C", "d >= d_mb", "d >= min(B / (R_min - C), d_mb)"]
    says = "both demands are met, (81) is not"
    values = {"B": "16", "C": "1", "R_min": "2", "d_mb": "2", "d": "3"}
    return refuted_by_values(values, "d >= max(B / (R_min - C), d_mb)", says, enough)


@evidence("edt.sec4.4.r-min", form="assumed", strength="smt")
def two_full_inputs_make_twice_the_rate() -> Outcome:
    """K >= 2 inputs of rate C bring K C >= 2 C, and B / (2 C - C) = B / C."""
    inputs, R = sp.symbols("K R", positive=True)
    same(edt.d_bound(B, C, 2 * C), B / C, "d >= B / C")
    return smt.prove([inputs >= 2, sp.Eq(R, inputs * C)], R >= 2 * C).proved("R_min = 2 C is a lower bound")


@evidence("edt.sec4.4.d-simple", form="assumed", strength="smt")
def with_twice_the_rate_the_bound_is_b_over_c() -> Outcome:
    """B / (2 C - C) is B / C; if d_mb is not more, d >= B / C is all that the maximum asks for."""
    d, longest = sp.symbols("d d_mb", nonnegative=True)
    same(edt.d_bound(B, C, 2 * C), B / C, "d >= B / C")
    return smt.prove([longest * C <= B, d * C >= B], d >= longest).proved("the maximum is B / C")


@evidence("edt.sec4.4.cn1.not-too-large", form="printed", strength="smt")
def a_free_port_without_arrivals_counts_its_departures() -> Outcome:
    """A packet that enters leaves C1 at 0; each departure adds 1, and returns the port iff that makes cn1."""

    def rule(machine: Machine, step: Step) -> PathCondition:
        (c1, _), (counted, _) = counters(step.before), counters(step.after)
        if step.event == "enqueue":
            return every_path_same(counted, 0)
        if step.before.controlled:
            return truth(True)
        return same_truth(c1 + 1 >= machine.cn1, step.returned) & (step.returned or every_path_same(counted, c1 + 1))

    machines = [Machine(reading) for reading, each in READINGS.items() if not each.c1_resets_c2]
    found = [machine.prove(partial(rule, machine), "enqueue", "depart") for machine in machines]
    return found[0].proved("cn1 departures after the last packet that resets C1, and not before")


@evidence("edt.sec4.4.more-than-two@exactly", form="repaired", strength="symbolic")
def two_inputs_or_more_bring_2_C_at_least() -> Outcome:
    """K = 2 + k inputs at C bring 2 C + k C: 2 C is the least, and two inputs bring it."""
    more, C = sp.symbols("k C", nonnegative=True)
    check(sp.expand(((2 + more) * C).subs(more, 0) - 2 * C) == 0, "two inputs bring 2 C")
    return slack.certificate((2 + more) * C - 2 * C, {}).proved("K C - 2 C = k C >= 0, and 0 for K = 2")
