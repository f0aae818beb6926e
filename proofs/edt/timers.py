"""Section 4.2: the timers TM1 and TM2, equations (74) to (78); proofs."""

from functools import partial

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.ledger.provers.symbolic_execution import (
    PathCondition,
    Unknown,
    Unknowns,
    all_of,
    every_path,
    implies,
    truth,
)
from dtmodel.ledger.provers.symbolic_execution import same as every_path_same
from dtmodel.policies.edt_circuit import READINGS, EdtPort
from dtmodel.theory.dt import formulas as dt
from dtmodel.theory.edt import formulas as edt

from .derivation import B, C, M, N, alpha, excess_of_slow_over_fast, r, same
from .machine import Machine, Step, counters, policy, same_truth
from .systems import timers

d, P = sp.symbols("d P", positive=True)
zero_or_more = sp.Symbol("k", nonnegative=True)
SLOW = {C: alpha * M * r / (1 + alpha * N) + zero_or_more}
EXAMPLE = {"alpha": "1", "B": "16", "C": "1", "M": "1", "N": "1", "P": "2", "r": "3"}


@evidence("edt.ours.tm1-safe", form="printed", strength="smt")
@evidence("edt.eq77", "edt.eq78", "edt.sec4.2.tm1.purpose", form="assumed", strength="smt")
def slow_rates_are_in_case_a_from_b_over_c_on() -> Outcome:
    """With x = (R - C) d <= alpha B / (1 + alpha P) and d C >= B the threshold falls at C at most, so (74) applies."""
    u, x, buffer, C_d = sp.symbols("u x B_ C_d", positive=True)
    n = sp.Symbol("n", nonnegative=True)
    rate = [x * (1 + u * P) <= u * buffer, M + n <= P, C_d >= buffer]
    # Case a, multiplied by d: alpha M (R - C) d <= (1 + alpha N) C d, for N >= 1.
    product = u * M * x * (1 + u * P)
    smt.prove([*rate, n >= 1, product <= u * M * u * buffer, M <= P], product <= u * u * P * C_d)
    smt.prove([n >= 1], u * u * P <= (1 + u * n) * (1 + u * P))
    y = sp.Symbol("y", positive=True)
    smt.prove(
        [y * (1 + u * P) <= u * u * P * C_d, u * u * P <= (1 + u * n) * (1 + u * P)],
        y * (1 + u * P) <= (1 + u * n) * (1 + u * P) * C_d,
    )
    # Then (74): (R - C) d (1 + alpha (M + N)) <= alpha B.
    found = smt.prove([x * (1 + u * P) <= u * buffer, M + n <= P], x * (1 + u * (M + n)) <= u * buffer)
    return found.proved("(77) with d >= B / C implies case a (or N = 0) and d <= t_1")


@evidence("edt.eq74", form="assumed", strength="symbolic")
def slow_bursts_lose_nothing_before_t1() -> Outcome:
    """Until t_1 the queue (R - C) t is below the threshold, for R up to the bound: t_1 is their only meeting."""
    line = dt.threshold(alpha, B / (1 + alpha * N)) - alpha * M * r / (1 + alpha * N) * d
    factor = r * (1 + alpha * (M + N)) / (1 + alpha * N)
    same(line - r * d, (dt.slow_drop_time(alpha, B, M, N, r) - d) * factor, "T - Q")
    same(excess_of_slow_over_fast().subs(N, 0), 0, "without steady ports both formulas agree")
    return slack.certificate(C - alpha * M * r / (1 + alpha * N), SLOW).proved("T - Q has the sign of t_1 - d")


@evidence("edt.eq75", form="printed", strength="symbolic")
def the_condition_on_d_is_one_on_the_rate() -> Outcome:
    """(74) and (75) differ by the positive factor (R - C) / d."""
    left = dt.slow_drop_time(alpha, B, M, N, r) - d
    right = alpha * B / ((1 + alpha * (M + N)) * d) - r
    same(left * r / d, right, "(75)")
    return Proved("multiply (74) by (R - C) / d > 0", EXAMPLE)


@evidence("edt.eq76", form="printed", strength="symbolic")
def with_all_ports_the_bound_is_least() -> Outcome:
    """P = M + N + idle ports."""
    unused = sp.Symbol("unused", nonnegative=True)
    gap = 1 / (1 + alpha * (M + N)) - 1 / (1 + alpha * (M + N + unused))
    return slack.certificate(gap, {}).proved("a larger denominator")


@evidence("edt.eq78.identity", form="printed", strength="symbolic")
def the_default_of_tm1_is_cn2_over_the_rate() -> Outcome:
    """Divide the counting number (73) by the rate of (77)."""
    same(edt.cn2_paper(alpha, B, P) / edt.growth_limit(alpha, B, P, d), edt.tm1_paper(alpha, P, d), "(78)")
    return Proved("an identity", {**EXAMPLE, "d": "1"})


@evidence("edt.sec4.2.tm1.default", form="repaired", strength="symbolic")
def the_default_is_a_time() -> Outcome:
    """The default scales with d and not with B: a time, for the timer TM1."""
    scale = sp.Symbol("lambda", positive=True)
    same(edt.tm1_paper(alpha, P, scale * d), scale * edt.tm1_paper(alpha, P, d), "proportional to d")
    check(B not in edt.tm1_paper(alpha, P, d).free_symbols, "independent of B")
    return Proved("homogeneous of degree 1 in d, independent of B", {**EXAMPLE, "d": "1"})


@evidence("edt.sec4.2.tm1.d", form="printed", strength="symbolic")
def tm1_is_shorter_than_d() -> Outcome:
    """Expand the gap between d and TM1: (2 + alpha P)^2 - 4 (1 + alpha P) = (alpha P)^2."""
    return slack.certificate(d - edt.tm1_paper(alpha, P, d), {}, strict=True).proved("d - TM1 > 0")


@evidence("edt.fig7.return.timeout", "edt.sec4.1.adv2.period", "edt.sec4.3.bounded", form="printed", strength="smt")
def an_uncontrolled_period_is_at_most_tm2() -> Outcome:
    """TM2's end lies TM2 after the instant at which the port was freed, as long as it is; it ends the period then."""
    found = [tm2_ends_the_period(reading) for reading in READINGS]
    return found[0].proved("after every passing of time an uncontrolled port was freed less than TM2 ago")


def tm2_ends_the_period(reading: str) -> smt.Proof:
    """Prove of a reading that an uncontrolled port was freed less than TM2 ago after every passing of time."""
    machine = Machine(reading)
    freed_at, last = machine.given.real("freed_at"), machine.given.real("last")

    def due(port: EdtPort, since: Unknown) -> PathCondition:
        return truth(True) if port.tm2 is None else every_path_same(port.tm2, since + machine.settings.tm2)

    def rule(step: Step) -> PathCondition:
        since = machine.now if step.freed else freed_at
        over = step.event == "tick" and not step.before.controlled
        ended = same_truth(Unknown.of(step.before.tm2) <= machine.now, step.returned) if over else truth(True)
        short = truth(step.after.controlled) | (machine.now - since < machine.settings.tm2)
        known = implies(step.event == "tick", ended & short)
        return implies(due(step.before, freed_at), due(step.after, since) & known)

    return machine.prove(rule, more=[freed_at <= last, last <= machine.now])


@evidence("edt.sec4.1.timeout-scenario", form="printed", strength="symbolic")
def at_exactly_c_a_queue_below_its_threshold_stands_still() -> Outcome:
    """Q' = R - C = 0 below T_2; controlled and above T_1 it drains at C."""
    same(((C + r) - C).subs(r, 0), 0, "Q' at R = C")
    return slack.certificate(C, {}, strict=True).proved("once controlled, above the DT threshold, it falls at C")


@evidence("edt.ours.one-timer", "edt.sec4.2.tm2.starts", "edt.sec4.2.tm2.stops", form="printed", strength="smt")
def each_timer_runs_in_its_own_state_only() -> Outcome:
    """The invariant says which timer runs; TM2 starts iff the port is freed, and stops iff it returns."""

    def rule(step: Step) -> PathCondition:
        before, after = step.before, step.after
        started, stopped = after.tm2 is not None and before.tm2 is None, after.tm2 is None and before.tm2 is not None
        kept = truth(True) if None in (before.tm2, after.tm2) else every_path_same(before.tm2, after.tm2)
        tm1 = same_truth(counters(after)[1] > 0, after.tm1 is not None)
        both = after.tm1 is not None and after.tm2 is not None
        tm2 = (after.tm2 is not None) != after.controlled
        return all_of(tm1, tm2, not both, started == step.freed, stopped == step.returned, kept)

    def timer_2(step: Step) -> PathCondition:
        before, after = step.before, step.after
        known = [after.tm2 is None, before.tm2 is None]
        kept = truth(True) if any(known) else every_path_same(before.tm2, after.tm2)
        return all_of(kept, known == [after.controlled, before.controlled])

    for reading in ("arrivals", "c1-resets-c2", "signed"):
        Machine(reading).prove(rule)
    Machine("free-running").prove(timer_2)
    return Machine().prove(rule).proved("TM1 runs iff C2 > 0, TM2 iff the port is uncontrolled: in every run")


@evidence("edt.sec4.2.tm2.length", form="printed", strength="smt")
def tm2_changes_no_admission_until_it_expires() -> Outcome:
    """Every path of an admission at an uncontrolled port: Q < B / n before TM2 has expired, Q < alpha F from then on.

    A burst that ends by then is never judged by DT; a queue at or above alpha F when TM2 expires loses what comes next.
    """
    given = Unknowns()
    length, free, now, end = (given.real(name) for name in ("length", "free", "now", "end"))
    alpha, buffer = given.real("alpha"), given.real("buffer")
    wanted = []
    for n in range(1, 9):

        def admitted(n: int = n) -> bool:
            switch = policy(given, n, n)
            switch.ports[0].tm2 = end
            return switch.admits(0, length, free, now)

        for path in every_path(admitted):
            running = (now >= end) | same_truth(length * n < buffer, path.result is True)
            expired = (now < end) | same_truth(length < alpha * free, path.result is True)
            wanted.append((path.condition, running & expired))
    known = [alpha > 0, buffer > 0, free >= 0, length >= 0]
    return given.prove_each(wanted, known, "QF_NRA").proved("TM2 decides by its expiry alone")


@evidence("edt.sec4.2.tm1.expires", "edt.sec4.2.tm1.reset", form="printed", strength="smt")
def tm1_resets_c2_and_starts_from_its_default_each_time() -> Outcome:
    """An expiry leaves C2 at 0 and TM1 at rest; so does C2's number; every start is for the whole counting time.

    A TM1 that runs always leaves C2 at 0 as well.
    """
    always = Machine("free-running")
    always.prove(lambda step: truth(not step.expired) | every_path_same(step.after.c2, 0), "tick")

    def rule(machine: Machine, step: Step) -> PathCondition:
        before, after = step.before, step.after
        if step.event == "tick" and before.tm1 is not None:
            gone = every_path_same(after.c2, 0) & (after.tm1 is None)
            return implies(before.tm1 <= machine.now, gone) & same_truth(before.tm1 <= machine.now, step.expired)
        started = before.tm1 is None and after.tm1 is not None
        whole = every_path_same(after.tm1, machine.now + machine.settings.tm1) if started else truth(True)
        moved = started or after.tm1 is None or after.tm1 is before.tm1
        return all_of(whole, moved, not step.freed or after.tm1 is None)

    machines = [Machine(reading) for reading in ("circuit", "arrivals", "c1-resets-c2", "signed")]
    found = [machine.prove(partial(rule, machine)) for machine in machines]
    return found[0].proved("TM1 resets C2 when it expires, and is at its default after C2's number")


@evidence("edt.sec4.2.tm1.only-bursty", form="printed", strength="smt")
def a_slow_growth_never_fills_the_counter() -> Outcome:
    """Since TM1 began C2 has grown by at most r TM1 < cn2; so EDT is DT for these ports, with DT's first drop."""
    count, since, cn2, tm1 = sp.symbols("c2 t cn2 TM1", positive=True)
    known = [r * tm1 < cn2, since <= tm1, count <= r * since]
    return smt.prove(known, count < cn2).proved("C2 stays below its number")


def frees_by_growth(reading: str) -> smt.Proof:
    """Prove that C2 is at least the growth since it was 0, and that TM1 ends no sooner than its time after that."""
    machine = Machine(reading)
    grown, since = machine.given.real("grown"), machine.given.real("since")
    within = [since <= machine.now, machine.now < since + machine.settings.tm1]

    def held(port: EdtPort, growth: Unknown) -> PathCondition:
        running = truth(True) if port.tm1 is None else port.tm1 >= since + machine.settings.tm1
        return (counters(port)[1] >= growth) & running

    def rule(step: Step) -> PathCondition:
        if not step.before.controlled or step.freed:
            return truth(True)
        growth = {"enqueue": grown + machine.size, "depart": grown - machine.size}.get(step.event, grown)
        return implies(held(step.before, grown), held(step.after, growth) & (growth < machine.cn2))

    begins = EdtPort(machine.settings)
    machine.given.prove(machine.hypotheses, held(begins, Unknown.of(0)))
    return machine.prove(rule, "enqueue", "depart", "overflow", "tick", more=within)


@evidence("edt.sec4.2.tm1.always@counting", form="printed", strength="smt")
def a_growth_by_cn2_within_tm1_frees_the_port() -> Outcome:
    """While a port is not freed C2 stays below its number, so that the growth does, in three readings."""
    frees_by_growth("arrivals")
    frees_by_growth("signed")
    return frees_by_growth("circuit").proved("a port that is not freed has grown by less than cn2")


@evidence("edt.ours.one-timer", form="printed", strength="symbolic")
def the_timers_by_identities() -> Outcome:
    """Certify when each timer runs, for all numbers and sizes."""
    return timers().certificate().proved()
