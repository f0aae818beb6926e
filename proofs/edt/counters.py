"""Section 4.2: the counters C1 and C2, equations (69) to (73); proofs."""

from fractions import Fraction
from functools import partial
from itertools import product

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, Unknown, all_of, implies, same, truth
from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPort
from dtmodel.theory.dt import formulas as dt
from dtmodel.theory.edt import formulas as edt

from . import derivation, systems
from .derivation import B, C, M, N, alpha, excess_of_slow_over_fast, r
from .machine import (
    Machine,
    Step,
    _follows,
    _growth_of_c2,
    check_that_ports_are_separate,
    counters,
    invariant,
    same_truth,
)

P, cn2 = sp.symbols("P c_n2", positive=True)
zero_or_more = sp.Symbol("k", nonnegative=True)
FAST = {r: (1 + alpha * N) * C / (alpha * M) + zero_or_more}
EXAMPLE = {"alpha": "1", "B": "16", "C": "1", "M": "1", "N": "1", "P": "2", "r": "3"}


def stays_in(step: Step) -> PathCondition:
    return invariant(step.after)


def _counts(machine: Machine, step: Step) -> PathCondition:
    (_, c2), (departures, counted) = counters(step.before), counters(step.after)
    if step.event == "drop":
        return same(counted, 0)
    if not step.before.controlled:
        return same(counted, 0)  # it rests, and starts at 0 when the port returns
    if step.event == "enqueue":
        freed = same_truth(c2 + machine.size >= machine.cn2, step.freed)
        started = same(step.after.tm2, machine.now + machine.settings.tm2) if step.freed else truth(True)
        signed = machine.reading.c2_signed
        one_is_enough = truth(signed) | implies(machine.size >= machine.cn2, step.freed)
        return all_of(freed, started, one_is_enough, step.freed or same(counted, c2 + machine.size))
    stays = truth(not step.freed)
    if step.event == "depart":
        by_c1 = truth(machine.reading.c1_resets_c2) & same(departures, 0) & same(counted, 0)
        floored = truth(not machine.reading.c2_signed) & same(counted, 0) & (c2 <= machine.size)
        return stays & (same(counted, c2 - machine.size) | floored | by_c1)
    return stays & (same(counted, 0) if step.expired else same(counted, c2))


def never_empty_with_cn1_of_two() -> None:
    """Prove: with cn1 = 2 <= cn2 an uncontrolled port holds 2 - C1 packets at least, so it never stops to send.

    Each of its departures but the first then follows an entry: a second in succession returns the port.
    """
    machine, obeyed = _growth_of_c2("circuit")
    queue, least = machine.given.real("queue"), machine.given.real("least")

    def rule(step: Step) -> PathCondition:
        (c1, c2), (counted, _) = counters(step.before), counters(step.after)
        length = {"enqueue": queue + 1, "depart": queue - 1}.get(step.event, queue)
        held = implies(not step.before.controlled, queue >= 2 - c1) & implies(
            step.before.controlled, c2 <= queue - least
        )
        again = truth(step.event != "depart" or step.returned) | (same(c1, 0) & same(counted, 1))
        stays = truth(step.after.controlled) | ((length >= 2 - counted) & (length >= 1))
        return implies(held, stays & implies(not step.before.controlled, again))

    machine.prove(rule, more=[*obeyed, same(machine.cn1, 2), machine.cn2 >= 2, same(machine.size, 1)])


@evidence("edt.eq69", "edt.sec4.2.rule2", form="printed", strength="symbolic")
def the_counter_is_full_when_the_queue_has_grown_by_it() -> Outcome:
    """A fresh counter is (R - C) t, so it is full at cn2 / (R - C); that time against t_1 and t_2 is (69)."""
    for time in (dt.slow_drop_time(alpha, B, M, N, r), dt.fast_drop_time(alpha, B, C, M, N, r)):
        derivation.same(r * (time - cn2 / r), r * time - cn2, "cn2 <= (R - C) t iff cn2 / (R - C) <= t")
    derivation.same(edt.growth_at_slow_drop(alpha, B, M, N), r * dt.slow_drop_time(alpha, B, M, N, r), "(R - C) t_1")
    derivation.same(
        edt.growth_at_fast_drop(alpha, B, C, M, N, r), r * dt.fast_drop_time(alpha, B, C, M, N, r), "(R - C) t_2"
    )
    return Proved("both sides differ by the factor R - C > 0", EXAMPLE)


@evidence("edt.eq70", form="assumed", strength="symbolic")
def the_slow_growth_exceeds_the_fast_one_above_the_bound() -> Outcome:
    """(R - C)(t_1 - t_2) >= 0 for R above the bound, and 0 without steady ports."""
    derivation.same(excess_of_slow_over_fast().subs(N, 0), 0, "equality for N = 0")
    return slack.certificate(excess_of_slow_over_fast(), FAST).proved("above the bound on R")


@evidence("edt.eq71.identity", form="printed", strength="symbolic")
def the_growth_is_the_printed_one() -> Outcome:
    """What a queue has grown to when DT drops in case b is (6) times R - C."""
    printed = alpha * B * r / ((1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C))
    derivation.same(edt.growth_at_fast_drop(alpha, B, C, M, N, r), printed, "(71), first line")
    return Proved("an identity", EXAMPLE)


@evidence("edt.eq71.strict", form="assumed", strength="symbolic")
def the_growth_exceeds_its_limit_with_steady_ports() -> Outcome:
    """The difference is positive for N = 1 + k."""
    difference = edt.growth_at_fast_drop(alpha, B, C, M, N, r) - edt.limit_of_growth(alpha, B, M, N)
    written = difference.subs(N, 1 + zero_or_more)
    extra = sp.Symbol("h", nonnegative=True)
    bound = (1 + alpha * (1 + zero_or_more)) * C / (alpha * M) + extra
    return slack.certificate(written, {r: bound}, strict=True).proved("N >= 1 and R above the bound")


@evidence("edt.eq71.limit", form="printed", strength="symbolic")
def the_limit_is_the_printed_one() -> Outcome:
    """For R - C to infinity the growth tends to the printed limit."""
    limit = sp.limit(edt.growth_at_fast_drop(alpha, B, C, M, N, r), r, sp.oo)
    derivation.same(limit, edt.limit_of_growth(alpha, B, M, N), "(71), third line")
    return Proved("a limit of a ratio of polynomials in R - C", EXAMPLE)


@evidence("edt.eq71.amgm", form="printed", strength="symbolic")
def the_product_is_largest_for_equal_factors() -> Outcome:
    """(2 + alpha P)^2 - 4 (1 + alpha N)(1 + alpha M) is a square plus what idle ports add; 0 iff M = N = P / 2."""
    unused = sp.Symbol("unused", nonnegative=True)
    gap = (2 + alpha * (M + N + unused)) ** 2 - 4 * (1 + alpha * N) * (1 + alpha * M)
    square = alpha**2 * (M - N) ** 2
    derivation.same(gap - square, alpha * unused * (4 + 2 * alpha * (M + N) + alpha * unused), "a square and a rest")
    found = slack.certificate(gap - square, {})
    return found.proved("the gap is alpha^2 (M - N)^2 and terms that are 0 only without idle ports")


@evidence("edt.eq72", "edt.thm5.before-cn2", form="printed", strength="smt")
def any_smaller_number_is_reached_before_a_drop() -> Outcome:
    """cn2 at most (73) and M + N <= P: below both (R - C) t_1 and (R - C) t_2 in their cases."""
    slow, fast = alpha * M * r <= (1 + alpha * N) * C, alpha * M * r > (1 + alpha * N) * C
    lemma = cn2 * (1 + alpha * N) * (1 + alpha * M) <= alpha * B
    u = sp.Symbol("u", positive=True)
    smt.prove([M + N <= P, sp.Eq(u, alpha)], (2 + u * P) ** 2 >= (2 + u * (M + N)) ** 2)
    larger, smaller = sp.symbols("larger smaller", positive=True)
    smt.prove([cn2 * larger <= 4 * alpha * B, larger >= smaller], cn2 * smaller <= 4 * alpha * B)
    mean = (2 + alpha * (M + N)) ** 2 >= 4 * (1 + alpha * N) * (1 + alpha * M)
    smt.prove([cn2 * (2 + alpha * (M + N)) ** 2 <= 4 * alpha * B, mean], lemma)
    smt.prove([lemma, slow], cn2 * (1 + alpha * (M + N)) <= alpha * B)
    return smt.prove(
        [lemma, fast], cn2 * (1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C) <= alpha * B * r
    ).proved("by the mean inequality, in both cases of (69)")


@evidence("edt.eq72.necessary", "edt.eq73", form="assumed", strength="symbolic")
def for_even_ports_nothing_larger_is_safe() -> Outcome:
    """With M = N = P / 2 the growth at the drop tends to (73) from above: a larger number fails for large R."""
    half = sp.Symbol("H", positive=True)
    bound = edt.cn2_paper(alpha, B, 2 * half)
    derivation.same(edt.limit_of_growth(alpha, B, half, half), bound, "the limit is (73)")
    derivation.same(
        sp.limit(edt.growth_at_fast_drop(alpha, B, C, half, half, r), r, sp.oo), bound, "the growth tends to it"
    )
    return Proved("a supremum that is not attained: (73) is safe, and nothing above it", {**EXAMPLE, "H": "1"})


@evidence("edt.sec4.2.c2.works", "edt.sec4.2.c2.triggers", "edt.sec4.2.rule1.reset", "edt.fig7.initial",
          "edt.sec4.2.c2.too-small", form="printed", strength="smt")  # fmt: skip
def c2_counts_in_the_controlled_state_and_alone_ends_it() -> Outcome:
    """The port is freed iff a packet enters and C2 reaches its number; else C2 follows the packets, and drops reset it.

    A number that one packet reaches frees a controlled port with the next packet that enters, unless C2 is below 0.
    """
    for reading in READINGS:
        machine = Machine(reading)
        check(EdtPort(machine.settings).controlled, "a port begins controlled")
        found = machine.prove(partial(_counts, machine))
    return found.proved("C2 moves while the port is controlled, and frees it when it reaches its number")


@evidence("edt.sec4.2.c2.value@signed", form="printed", strength="smt")
def a_signed_c2_is_the_length_less_that_at_its_reset() -> Outcome:
    """Every step keeps C2 = Q - Q(reset), the reset being a drop, an expiry of TM1 or a change of state."""
    machine, obeyed = _growth_of_c2("signed")
    found = machine.prove(lambda step: _follows(step, machine, lowest=False), more=obeyed)
    return found.proved("C2 = Q - Q(reset) in every run")


@evidence("edt.sec4.2.rule1", form="assumed", strength="smt")
def in_the_fluid_model_a_queue_that_grows_is_overloaded() -> Outcome:
    """Q' is R - C below the threshold, at most R - C on it, and not positive above it: Q' > 0 implies R > C."""
    slope, R = sp.symbols("slope R", real=True)
    return smt.prove([sp.Or(slope <= R - C, slope <= 0), slope > 0], R > C).proved("C2 counts growth only")


@evidence("edt.sec4.2.c1.underloaded@arrivals", form="printed", strength="smt")
def c1_that_hears_drops_times_the_pause_in_arrivals() -> Outcome:
    """A departure takes one unit of time: C1 departures after the last arrival are C1 - 1 units after it at least."""
    machine = Machine("arrivals")
    arrived, left = machine.given.real("arrived"), machine.given.real("left")

    def quiet(c1: Unknown, last_in: Unknown, last_out: Unknown) -> PathCondition:
        return (c1 <= 0) | (last_out - last_in >= c1 - 1)

    def rule(step: Step) -> PathCondition:
        (c1, _), (counted, _) = counters(step.before), counters(step.after)
        last_in = machine.now if step.event in ("enqueue", "drop") else arrived
        last_out = machine.now if step.event == "depart" else left
        apart = truth(step.event != "depart") | (machine.now >= left + 1)
        pulse = truth(step.event == "depart") & (c1 + 1 >= machine.cn1)
        said = implies(pulse, machine.now - arrived >= machine.cn1 - 1)
        return implies(quiet(c1, arrived, left) & apart, quiet(counted, last_in, last_out) & said)

    found = machine.prove(rule, more=[arrived <= machine.now, left <= machine.now])
    return found.proved("at a pulse the last arrival is cn1 - 1 packet times ago or more")


@evidence("edt.fig10.sawtooth", form="printed", strength="smt")
def an_overloaded_port_sends_in_every_packet_time() -> Outcome:
    """Packets come every g <= 1 packet times, whole from g on: when k have been sent, at g + k, another has come."""
    k, g = sp.symbols("k g", nonnegative=True)
    found = smt.prove([g > 0, g <= 1], (k + 1) * g <= g + k)
    return found.proved("its queue is never empty again, so that it shrinks by a packet once in each packet time")


@evidence("edt.ours.cn2", "edt.sec4.2.rule3", form="printed", strength="symbolic")
def the_best_whole_numbers_of_ports_are_the_two_halves() -> Outcome:
    """For M + N = P the product (1 + alpha M)(1 + alpha N) falls as M and N move apart; idle ports only lower it."""
    lower, step = sp.symbols("lower step", nonnegative=True)
    # Two whole numbers that differ by 2 + step: bringing each 1 nearer adds alpha^2 (1 + step) to the product.
    far = (1 + alpha * lower) * (1 + alpha * (lower + 2 + step))
    near = (1 + alpha * (lower + 1)) * (1 + alpha * (lower + 1 + step))
    derivation.same(near - far, alpha**2 * (1 + step), "the product grows")
    slack.certificate((1 + alpha * lower) * (1 + alpha * (M + 1)) - (1 + alpha * lower) * (1 + alpha * M), {})
    for ports, weight in product(range(1, 17), (Fraction(1, 7), Fraction(1), Fraction(5))):
        limits = [
            edt.limit_of_growth(weight, Fraction(3), m, k) for m in range(1, ports + 1) for k in range(ports - m + 1)
        ]
        check(min(limits) == edt.cn2_integer(weight, Fraction(3), ports), f"P = {ports}, alpha = {weight}")
    return slack.certificate(near - far, {}, strict=True).proved("the halves of P give the least limit")


@evidence("edt.ours.counter-ranges", form="printed", strength="symbolic")
def the_ranges_of_the_counters_by_identities() -> Outcome:
    """Certify the ranges for all numbers and timers, in three systems that cover the five readings."""
    example = systems.counters().certificate().example
    systems.counters(resets_c2=True).certificate()
    systems.counters(signed=True).certificate()
    return Proved("every event of a port keeps the ranges, whatever the timers do", example)


@evidence("edt.ours.counter-ranges", form="printed", strength="smt")
def counters_and_timers_keep_the_invariant() -> Outcome:
    """In each reading, with each timer or without: a fresh port satisfies the invariant, and every step keeps it."""
    for reading, tm1, tm2 in product(READINGS, (True, False), (True, False)):
        machine = Machine(reading, tm1=tm1, tm2=tm2)
        fresh = EdtPort(machine.settings)
        fresh.start(0)
        machine.given.prove(machine.hypotheses, invariant(fresh))
        found = machine.prove(stays_in)
    check_that_ports_are_separate()
    return found.proved("0 <= C1 < cn1, C2 < cn2, C2 = 0 while uncontrolled, C2 >= 0 unless signed: in every run")


@evidence("edt.ours.stuck-free", form="printed", strength="smt")
def an_empty_queue_makes_no_pulse_and_two_departures_do() -> Outcome:
    """For cn1 = 3, 4 and cn2 = 2, 3 a run that ends empty and uncontrolled; for cn1 = 1, 2 a proof that none does."""
    for cn1, cn2 in product((3, 4), (2, 3)):
        port = EdtPort(CircuitSettings(1, cn1, cn2, None, None))
        for heard_of in "eee" + "ddedd":
            port.enqueued(1, 0) if heard_of == "e" else port.dequeued(1)
        check(not port.controlled and port.c1 == 2, f"cn1 = {cn1}, cn2 = {cn2}")
    never_empty_with_cn1_of_two()
    machine = Machine()

    def rule(step: Step) -> bool:
        return step.after.controlled

    found = machine.prove(rule, "depart", more=[same(machine.cn1, 1)])
    return found.proved("with cn1 <= 2 <= cn2 each departure but the first needs an entry of its own")
