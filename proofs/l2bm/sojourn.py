"""Section III-B: equation (2), how long packets stay; proofs."""

from fractions import Fraction
from functools import partial
from itertools import accumulate, product
from typing import Any

import sympy

from dtmodel.ledger import Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, Unknown
from dtmodel.packet.l2bm.algorithm import Recorder, dequeue, enqueue, mean
from dtmodel.packet.l2bm.switch import PortPacket, passages
from dtmodel.packet.l2bm.trace import arrive, depart, request, run_trace
from dtmodel.theory.l2bm.formulas import thresholds

from .derivation import identity, nonnegative
from .induction import agrees, induction, recorded, traces, waiting
from .memory import Step, arrivals, departures, moved, prove, switches, unchanged


def _counted(by: Unknown, step: Step) -> PathCondition:
    return unchanged(step) if step.decision == "drop" else moved(step, by)


@evidence("l2bm.sec3b.update-each", form="printed", strength="symbolic")
def every_event_updates_and_no_other_moment_does() -> Outcome:
    """From any state an arrival and a departure move N by 1 and the total by lines 8 and 14; time and pauses do not."""
    total, prev, now, length, mu = sympy.symbols("total t_prev t_now q mu", real=True)
    k = sympy.Symbol("k", integer=True, positive=True)
    for n in (1, 1 + k):
        state = Recorder(total, n, prev)
        agrees(enqueue(state, now, length, mu), total + length / mu - n * (now - prev), sympy.sympify(n + 1), now)
        agrees(dequeue(state, now), total - (now - prev), sympy.sympify(n - 1), prev)
    agrees(enqueue(Recorder(total, 0, prev), now, length, mu), total + length / mu, sympy.Integer(1), now)
    idle = run_trace(request(arrive("0", "x", "5"), ["pause", "1"], ["resume", "3"], depart("4", "stranger")))["steps"]
    kept = [{key: step[key] for key in ("total", "packets", "updated")} for step in idle]
    check(all(state == kept[0] for state in kept), f"something else updates: {kept}")
    return Proved("N + 1 and N - 1, line 8 and line 14, and nothing else", {"N": "1", "M": "2"}, ["M == N + 1"])


@evidence("l2bm.sec3b.single-packet", form="printed", strength="symbolic")
def the_other_packet_moves_the_average() -> Outcome:
    """Enqueue a packet of e and one of a or b: the averages are (e + a) / 2 and (e + b) / 2, apart by (a - b) / 2.

    If a is the later packet of its queue, the other queue is empty at another time.
    """
    e, a, b = sympy.symbols("e a b", positive=True)
    zero: Any = sympy.Integer(0)
    averages = []
    for other in (a, b):
        first = enqueue(Recorder(zero, 0, zero), zero, e, zero + 1)
        two = enqueue(first, zero, other, zero + 1)
        averages.append(sympy.sympify(two.total) / two.packets)
    identity(averages[0] - averages[1], (a - b) / 2, "by half the difference")
    smt.prove([a > e, sympy.Ne(a, b)], sympy.Ne(a, sympy.Max(e, b)))
    return Proved("apart by (a - b) / 2", {"a": "1", "b": "9", "apart": "-4"}, ["apart == (a - b) / 2", "a != b"])


@evidence("l2bm.sec3b.location", "l2bm.sec3d.rate-location", form="printed", strength="smt")
def behind_h_bytes_a_packet_leaves_that_much_later() -> Outcome:
    """In order a packet with `sum` bytes up to its own end leaves at (h + sum) / mu; by t at most mu t - h have left.

    Then every two packets of the port behind a third, with sizes that do not divide each other.
    """
    h, total, size, mu, t = sympy.symbols("h sum size mu t", positive=True)
    smt.prove([], sympy.Eq((h + total) / mu - total / mu, h / mu))
    smt.prove([(h + total) / mu <= t], total <= mu * t - h)
    sizes = (Fraction(1), Fraction(5, 2), Fraction(7, 3))
    for before, one, two, rate in product(sizes, repeat=4):
        own = [PortPacket(Fraction(0), one), PortPacket(Fraction(0), two)]
        behind, idle = passages([PortPacket(Fraction(0), before), *own], rate), passages(own, rate)
        ends = [passage.end for passage in idle]
        check(ends == [one / rate, (one + two) / rate], f"{one}, {two}")
        check([passage.end for passage in behind[1:]] == [end + before / rate for end in ends], f"behind {before}")
    return smt.prove([], (total + size) / mu > total / mu).proved("h / mu later, and one after the other")


@evidence("l2bm.sec3d.burst.longer", form="printed", strength="smt")
def a_packet_that_comes_last_lengthens_the_average() -> Outcome:
    """Packets n stay `total` together, none longer than `longest`; one behind them stays longer: so does the average.

    It is then the longest, and the next packet of the burst meets n + 1 packets of which this is true again.
    """
    n, total, longest, own = sympy.symbols("n total longest own", positive=True)
    given = [n >= 1, total <= n * longest, own > longest]
    smt.prove(given, total + own <= (n + 1) * own)
    return smt.prove(given, n * (total + own) > (n + 1) * total).proved("the average grows with each packet behind")


@evidence("l2bm.sec3b.most-packets", form="printed", strength="kernel")
def one_packet_makes_the_average_long() -> Outcome:
    """Replay packets due at 1, 1 and 10, then 1,000 of each: the average is 4, and two of three leave after 1."""
    events = [arrive("0", name, due) for name, due in (("a", "1"), ("b", "1"), ("c", "10"))]
    check(run_trace(request(*events))["final"]["mean"] == "4", "the average")
    hypotheses = [
        "m >= 1000",
        "min(a, b, c, other) > 0",
        "m * (a + b + c) / (3 * m) > other",
    ]  # longer than the average of a queue whose packets all stay 3
    most = "(a >= other and b >= other) or (b >= other and c >= other) or (a >= other and c >= other)"
    says = "the average is longer than the other queue's, yet two of three packets leave sooner"
    values = {"m": "1000", "a": "1", "b": "1", "c": "10", "other": "3"}
    return refuted_by_values(values, most, says, hypotheses)


@evidence("l2bm.sec3d.burst.longer.ingress", form="assumed", strength="symbolic")
def a_packet_above_the_average_raises_it() -> Outcome:
    """(n m + m + d) / (n + 1) - m = d / (n + 1) > 0; then two packets of the implementation."""
    n, m, d = sympy.symbols("n m d", positive=True)
    certificate = nonnegative((n * m + m + d) / (n + 1) - m, strict=True)
    check(run_trace(request(arrive("0", "a", "1"), arrive("0", "b", "3")))["final"]["mean"] == "2", "the instance")
    return Proved(certificate, {"m": "1", "s": "3", "n": "1"}, ["s > m", "(n * m + s) / (n + 1) > m"])


@evidence("l2bm.tab1.t", form="printed", strength="symbolic")
def a_shift_of_time_changes_no_total() -> Outcome:
    """Times enter Algorithm 1 as t_now - t_prev only."""
    now, prev, shift, n = sympy.symbols("t_now t_prev c N", real=True)
    identity(n * ((now + shift) - (prev + shift)), n * (now - prev), "the interval")
    first, later = (run_trace(request(arrive(a, "x", "5"), depart(b, "x"))) for a, b in (("0", "2"), ("7", "9")))
    check(first["final"]["total"] == later["final"]["total"], "the totals")
    return Proved("only differences of times occur", {"t": "2", "p": "0", "c": "7"}, ["t - p == (t + c) - (p + c)"])


@evidence("l2bm.ours.pools-agree", "l2bm.eq5", "l2bm.sec2a.counters", "l2bm.tab1.Q", "l2bm.tab1.Qout", "l2bm.tab1.Qin",
          "l2bm.sec4b.not-encroaching", form="printed", strength="smt")  # fmt: skip
def each_packet_counts_once_at_ingress_and_at_egress() -> Outcome:
    """Every arrival adds its size to one ingress counter, one egress counter and the memory, or to none; so leaves it.

    The counters of other queues do not move. Three sums that start at 0 and always move together are equal.
    """
    for switch in switches():
        size = switch.given.real("size")
        prove(switch, arrivals(switch), partial(_counted, size))
        found = prove(switch, departures(switch), partial(_counted, 0 - size))
    return found.proved("sum of ingress = sum of egress = bytes stored, after every event of every run")


@evidence("l2bm.tab1.mu", form="assumed", strength="symbolic")
def a_queue_alone_drains_at_the_rate_of_the_link() -> Outcome:
    """Induct over waiting packets: one that starts after `sent` bytes ends at (sent + size)/mu; then run the port."""
    sent, size, mu = sympy.symbols("sent size mu", positive=True)
    identity(sent / mu + size / mu, (sent + size) / mu, "one more packet")
    for sizes in product((1, 2, 3), repeat=4):
        found = passages([PortPacket(Fraction(0), Fraction(size)) for size in sizes], Fraction(2))
        check([packet.end * 2 for packet in found] == list(accumulate(sizes)), f"{sizes}")
    return Proved("after t the port has sent mu t", {"mu": "2", "t": "3", "sent": "6"}, ["sent == mu * t"])


@evidence("l2bm.tab1.tau", form="assumed", strength="symbolic")
def with_a_packet_the_quotient_exists() -> Outcome:
    """A queue with a packet has a count N = 1 + k > 0 to divide by."""
    total, k = sympy.symbols("t_total k", positive=True)
    return Proved(nonnegative(total / (1 + k), strict=True), {"total": "6", "N": "3", "tau": "2"}, ["tau == total / N"])


@evidence("l2bm.sec3c.maintained", form="printed", strength="symbolic")
def the_threshold_has_the_quotient_of_what_is_kept() -> Outcome:
    """The average of any total and count is their quotient; equation (3) takes it as the sojourn time.

    Two ingress queues behind one egress queue of rate 1: at 1/2 s they have recorded 1 and 2 s, and 2 bytes are held;
    at 1 s the first packet leaves, by line 14, before the next one comes.
    """
    total, prev, now = sympy.symbols("t_total t_prev t_now", real=True)
    k = sympy.Symbol("k", integer=True, positive=True)
    identity(mean(Recorder(total, k, prev), now), total / k, "the average")
    check(mean(Recorder(total, 0, prev), now) is None, "the average of nothing")
    one, B, alpha = Fraction(1), Fraction(10), Fraction(1, 8)
    begun, other = enqueue(Recorder(), 0 * one, one, one), enqueue(Recorder(), 0 * one, 2 * one, one)
    first = enqueue(begun, one / 2, 3 * one, one)
    left = dequeue(first, one)
    check((first.total, left.total) == (one * 7 / 2, one * 3) and left.packets == 1, f"{first}, {left}")
    at_half = thresholds(B, 2, [mean(begun, one / 2) or 0, mean(other, one / 2) or 0], alpha)
    at_one = thresholds(B, 2, [mean(left, one) or 0, mean(other, one) or 0], alpha)
    check(at_half[0] == alpha * (1 + 2) / 1 * (B - 2), f"{at_half}")
    check(at_one[1] == alpha * (left.total + 2) / 2 * (B - 2), f"{at_one}")
    return Proved("tau = total / N in equation (3)", {"total": "3", "N": "1", "tau": "3"}, ["tau == total / N"])


@evidence("l2bm.eq2", form="assumed", strength="symbolic")
def the_quotient_is_the_average_if_all_left_on_time() -> Outcome:
    """By the identity (`induction`) the total is what is left at t_prev, which is now at an arrival; then traces."""
    induction()
    count = 0
    for log in traces(5, on_time=True):
        if log and log[-1][0] == "arrive":
            rest = [due - log[-1][1] for due in waiting(log)]
            check(mean(recorded(log), log[-1][1]) == sum(rest, Fraction(0)) / len(rest), f"trace {log}")
            count += 1
    check(count > 100, "too few traces")
    return Proved(
        f"the total is the sum of what is left at t_prev, and t_prev is now at an arrival; {count} traces",
        {"packets": "2", "t_prev": "0"},
    )
