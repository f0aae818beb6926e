"""Section III-B: Algorithm 1, the recorder of sojourn times; proofs."""

from fractions import Fraction
from itertools import accumulate, product
from typing import Any

import sympy

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.packet.l2bm.algorithm import Recorder, enqueue, mean
from dtmodel.packet.l2bm.switch import PortPacket, passages
from dtmodel.packet.l2bm.trace import _Run, arrive, depart, request, run_trace

from .derivation import identity, nonnegative
from .induction import Log, agrees, before, induction, recorded, traces, unknowns, waiting
from .systems import recorder


def left(log: Log, at: Fraction) -> Fraction:
    """What the queued packets have left at a time, together."""
    return sum((due - at for due in waiting(log)), Fraction(0))


def deviation(log: Log) -> Fraction:
    """The sum of due minus departure time over all departures."""
    return sum((due - now for what, now, due in log if what == "depart"), Fraction(0))


def _last(log: Log, what: str = "") -> Fraction:
    return next((now for kind, now, _ in reversed(log) if kind == what or not what), Fraction(0))


def _events(log: Log) -> list[list[Any]]:
    """The events of a trace."""
    events: list[list[Any]] = []
    names: dict[Fraction, list[str]] = {}
    for number, (what, now, due) in enumerate(log):
        if what == "arrive":
            names.setdefault(due, []).append(f"p{number}")
            events.append(arrive(str(now), f"p{number}", str(due - now)))
        else:
            events.append(depart(str(now), names[due].pop(0)))
    return events


def _paused(events: list[list[Any]], cut: int) -> list[list[Any]]:
    """Put a pause of 7 s before event `cut`, and what follows 7 s later."""
    start = events[cut][1]
    later = [[event[0], str(Fraction(event[1]) + 7), *event[2:]] for event in events[cut:]]
    pause = [["pause", start], ["resume", str(Fraction(start) + 7)]]
    return [*events[:cut], *pause, *later]


@evidence("l2bm.ours.idle-lines", "l2bm.alg1.line1", "l2bm.alg1.line7", form="printed", strength="symbolic")
def without_a_packet_the_interval_is_multiplied_by_zero() -> Outcome:
    """N (t - t_prev) is 0 for N = 0 whatever t_prev; then every short trace from other starting values of t_prev."""
    now, prev = sympy.symbols("t_now t_prev", real=True)
    identity(0 * (now - prev), sympy.Integer(0), "N = 0")
    for log in traces(4):
        if log and log[0][0] == "arrive":
            start = enqueue(Recorder(updated=Fraction(99)), log[0][1], log[0][2] - log[0][1], Fraction(1))
            check(start == recorded(log[:1]), "the first value of t_prev shows")
    return Proved("0 (t_now - t_prev) = 0", {"N": "0", "t_now": "5", "t_prev": "99"}, ["N * (t_now - t_prev) == 0"])


@evidence("l2bm.alg1.line2", "l2bm.alg1.line10", "l2bm.alg1.line11", "l2bm.alg1.line12", "l2bm.alg1.line13",
          "l2bm.alg1.line3", "l2bm.alg1.line5", "l2bm.alg1.line6", "l2bm.tab1.N",
          "l2bm.sec3b.state", "l2bm.sec3c.maintained", form="printed", strength="symbolic")  # fmt: skip
def counters_and_clock_step_by_step() -> Outcome:
    """One step from any state: N grows or shrinks by 1, t_prev is now after an arrival; then every short trace."""
    for log in traces():
        recorder = recorded(log)
        check(recorder.packets == len(waiting(log)) >= 0, "N")
        check(recorder.updated == _last(log, "arrive"), "t_prev")
        first_of_a_busy_period = log and log[-1][0] == "arrive" and not waiting(log[:-1])
        if first_of_a_busy_period:
            check(recorder.total - recorded(log[:-1]).total == log[-1][2] - log[-1][1], "its own sojourn time")
    stranger = run_trace(request(arrive("0", "x", "1"), depart("1", "y")))
    check(stranger["steps"][1]["decision"] == "idle" and stranger["final"]["packets"] == 1, "an unknown packet")
    induction()
    total, prev, gap, length, mu = sympy.symbols("total t_prev gap q mu", positive=True)
    first = enqueue(Recorder(total, 0, prev), prev + gap, length, mu)
    agrees(first, total + length / mu, sympy.Integer(1), prev + gap)
    nonnegative(first.updated - prev)
    return Proved("N counts, t_prev is the last arrival", {"N": "0", "M": "1"}, ["N + 1 == M"])


@evidence("l2bm.alg1.line8", form="repaired", strength="smt")
@evidence("l2bm.alg1.line8.estimate", "l2bm.sec3b.decreases", form="assumed", strength="smt")
def what_is_left_of_a_queue_in_order_shrinks_with_time() -> Outcome:
    """Induct over packets: at t the bytes up to a packet's end are mu max(0, end - t), and Q_out when it comes.

    In order, and without a pause, it starts when it is there and the one before has left. Then all three packets of the
    port, whose sizes and gaps do not divide each other.
    """
    before, come, t = sympy.symbols("before come t", nonnegative=True)
    size, mu, Q_out = sympy.symbols("size mu Q_out", positive=True)
    start = sympy.Max(before, come)
    ahead = mu * sympy.Max(0, before - t) + size - sympy.Min(size, sympy.Max(0, mu * (t - start)))
    smt.prove([t >= come], sympy.Eq(ahead, mu * sympy.Max(0, start + size / mu - t)))
    found = smt.prove(
        [sympy.Eq(Q_out, mu * sympy.Max(0, before - come) + size)], sympy.Eq(start + size / mu, come + Q_out / mu)
    )
    rate = Fraction(7, 2)
    gaps, sizes = (Fraction(0), Fraction(1, 3), Fraction(2)), (Fraction(1), Fraction(5, 2), Fraction(3))
    for chosen in product(product(gaps, sizes), repeat=3):
        times = accumulate(gap for gap, _ in chosen)
        packets = [PortPacket(time, own) for time, (_, own) in zip(times, chosen, strict=True)]
        through = passages(packets, rate, counter="fluid")
        check(all(packet.due == packet.end for packet in through), f"{packets}")
        last = through[-1]
        for part in (Fraction(0), Fraction(1, 3), Fraction(4, 5), Fraction(1)):
            now = packets[-1].arrival + part * (last.end - packets[-1].arrival)
            there = sum(min(packet.size, max(Fraction(0), rate * (passage.end - now)))
                        for packet, passage in zip(packets, through, strict=True))  # fmt: skip
            check(there == rate * (last.end - now), f"{packets} at {now}")
    return found.proved("what is left at t is mu (end - t): at the arrival Q_out, and less by mu a second")


@evidence("l2bm.alg1.line8.elapsed", "l2bm.alg1.line9", form="printed", strength="symbolic")
def line_8_moves_the_sum_from_t_prev_to_now() -> Outcome:
    """Sum of (due - t_prev) over N packets, minus N (t - t_prev), plus the own sojourn time."""
    due_sum, n, prev, now, sojourn = sympy.symbols("D N t_prev t_now s", real=True)
    identity((due_sum - n * prev) - n * (now - prev), due_sum - n * now, "the waiting packets")
    identity((due_sum - n * now) + sojourn, (due_sum + now + sojourn) - (n + 1) * now, "all of them")
    example = {"a": "4", "b": "5", "t": "1", "before": "8", "after": "6"}
    return Proved("N (t_now - t_prev)", example, ["before == (a - 0) + (b - 1)", "after == (a - t) + (b - t) - 1"])


@evidence("l2bm.alg1.line14@last-arrival", "l2bm.alg1.total", "l2bm.alg1.total.empty", "l2bm.sec3b.one-recorder",
          form="assumed", strength="symbolic")  # fmt: skip
def packets_that_leave_when_due_keep_the_sum() -> Outcome:
    """The identity with a zero deviation; then every short trace in which all leave on time."""
    induction()
    count = 0
    for log in traces(6, on_time=True):
        check(recorded(log).total == left(log, _last(log, "arrive")), f"trace {log}")
        count += 1
    check(count > 100, "too few traces")
    return Proved(
        f"deviation 0; {count} traces", {"D1": "1", "a1": "1", "D2": "3", "total": "3"}, ["D1 == a1", "total == D2"]
    )


@evidence("l2bm.ours.clocked", form="printed", strength="symbolic")
@evidence("l2bm.alg1.line14@now", form="repaired", strength="symbolic")
def the_clocked_total_by_induction() -> Outcome:
    """Induct over the events with the repaired line 14; then every short trace."""
    induction("clocked")
    for log in traces():
        check(recorded(log, "clocked").total == left(log, _last(log)) + deviation(log), f"trace {log}")
    return Proved("arrival and departure keep the identity", {"D1": "1", "D2": "3", "a1": "1", "total": "2"},
                  ["total == (D2 - a1) + (D1 - a1)"])  # fmt: skip


@evidence("l2bm.ours.clocked", form="printed", strength="symbolic")
@evidence("l2bm.alg1.line14@now", form="repaired", strength="symbolic")
def the_clocked_total_by_identities() -> Outcome:
    """Certify what the clocked total is after any events."""
    return recorder("clocked").certificate().proved()


@evidence("l2bm.alg1.total.nonnegative", form="assumed", strength="symbolic")
def a_packet_that_is_not_overdue_counts_positively() -> Outcome:
    """No term of the identity is negative: due = t_prev + wait + early of who is there, due = a + early of who left.

    Then every short trace in which nobody is late.
    """
    induction()
    prev, left = sympy.symbols("t_prev a", real=True)
    wait, early = sympy.symbols("wait early", nonnegative=True)
    nonnegative((left + early) - left)
    certificate = nonnegative((prev + wait + early) - prev)
    count = 0
    for log in traces():
        gone = all(due >= now for what, now, due in log if what == "depart")
        if gone and all(due >= log[-1][1] for due in waiting(log)):
            check(recorded(log).total >= 0, f"trace {log}")
            count += 1
    check(count > 100, "too few traces")
    return Proved(certificate, {"D": "3", "a": "2", "t_prev": "1"}, ["D >= a", "a >= t_prev"])


@evidence("l2bm.ours.bookkeeping", form="printed", strength="symbolic")
def the_printed_total_by_induction() -> Outcome:
    """Induct over events with symbolic due times; then compare with the implementation on every short trace."""
    induction()
    for log in traces():
        check(recorded(log).total == left(log, _last(log, "arrive")) + deviation(log), f"trace {log}")
    return Proved("arrival and departure keep the identity", {"D1": "1", "D2": "3", "a1": "2", "t": "0", "total": "2"},
                  ["total == (D2 - t) + (D1 - a1)"])  # fmt: skip


@evidence("l2bm.ours.bookkeeping", form="printed", strength="symbolic")
def the_printed_total_by_identities() -> Outcome:
    """Certify what the printed total is after any events."""
    return recorder("literal").certificate().proved()


@evidence("l2bm.ours.stamped", form="printed", strength="symbolic")
def the_stamped_total_by_induction() -> Outcome:
    """The deviation of a departure is due - now, and that is what the stamped departure also subtracts."""
    induction("stamped")
    for log in traces():
        check(recorded(log, "stamped").total == left(log, _last(log)), f"trace {log}")
    return Proved("the clocked identity without its second sum", {"D1": "1", "D2": "3", "a1": "2", "total": "1"},
                  ["total == D2 - a1"])  # fmt: skip


@evidence("l2bm.ours.stamped", form="printed", strength="symbolic")
def the_stamped_total_by_identities() -> Outcome:
    """Certify that the stamped total has no error, whenever packets leave."""
    return recorder("stamped").certificate().proved()


@evidence("l2bm.ours.reset", form="printed", strength="symbolic")
def the_reset_total_by_induction() -> Outcome:
    """An empty queue starts from 0: the clocked identity holds with the departures since then."""
    induction("reset")
    for log in traces():
        start = max((k for k in range(len(log) + 1) if not waiting(log[:k])), default=0)
        check(recorded(log, "reset").total == left(log, _last(log)) + deviation(log[start:]), f"trace {log}")
    return Proved("the clocked identity, restarted", {"a": "2", "D": "1"}, ["D - a < 0"])


@evidence("l2bm.ours.current", form="printed", strength="symbolic")
@evidence("l2bm.eq2.any-time", form="assumed", strength="symbolic")
def the_corrected_reading_is_the_clocked_average() -> Outcome:
    """(sum of due - N t_prev + dev) / N - (t - t_prev) does not contain t_prev; then every short trace."""
    induction()
    induction("clocked")
    due_sum, dev, _, now, *_ = unknowns()
    n = sympy.Symbol("N", integer=True, positive=True)
    read: Any = mean(before(n, deviates=True), now, reading="current")
    identity(read, (due_sum + dev) / n - now, "the average")
    for log in traces():
        if waiting(log):
            printed = mean(recorded(log), _last(log), reading="current")
            check(printed == mean(recorded(log, "clocked"), _last(log)), f"trace {log}")
    return Proved("t_prev cancels", {"D": "3", "N": "1", "t": "1", "mean": "2"}, ["mean == D / N - t"])


@evidence("l2bm.ours.pause-aware", form="printed", strength="symbolic")
def a_stopped_clock_hides_the_pause() -> Outcome:
    """On running time (wall time minus pauses) a pause is no time at all; then every short trace with one pause."""
    induction("pause-aware")
    now, pause = sympy.symbols("t_now P", positive=True)
    stopped: Any = _Run("pause-aware", Recorder(), {}, suspended=pause)
    identity(stopped.clock(now + pause), now, "the time of an event after the pause")
    cases = 0
    for log in traces(4, on_time=True):
        events = _events(log)
        plain = run_trace(request(*events, reading="pause-aware"))["final"]
        for cut in range(len(log)):
            paused = run_trace(request(*_paused(events, cut), reading="pause-aware"))["final"]
            check(paused == plain, f"trace {log}, pause before event {cut}")
            cases += 1
    return Proved(f"{cases} traces with a pause of 7 s", {"P": "7", "total": "0"}, ["total == 0"])


@evidence("l2bm.ours.can-be-negative", "l2bm.ours.drift", "l2bm.ours.pause-error", form="printed", strength="symbolic")
def late_packets_lower_the_total_for_ever() -> Outcome:
    """With an empty queue the identity leaves the sum of (D - a): -m d for m packets that are late by d."""
    induction()
    d, m = sympy.symbols("d m", positive=True)
    identity(m * (-d) - d, (m + 1) * (-d), "one more late packet")
    events = []
    for number in range(5):
        start = 10 * number
        events += [arrive(str(start), f"p{number}", "1"), depart(str(start + 3), f"p{number}")]
        check(run_trace(request(*events))["final"]["total"] == str(-2 * (number + 1)), f"{number + 1} packets")
    return Proved("total = -m d", {"D": "1", "a": "3", "m": "5", "total": "-10"}, ["total == m * (D - a)", "total < 0"])


@evidence("l2bm.ours.stale-mean", form="printed", strength="symbolic")
def draining_raises_the_printed_average() -> Outcome:
    """Residuals least, least + x_k: without the least one their average is not lower; and stale by t - t_prev."""
    least, extra, n, elapsed = sympy.symbols("least X n e", positive=True)  # n others: least + x_k each, X = sum x_k
    before, after = (n * least + extra + least) / (n + 1), (n * least + extra) / n
    certificate = nonnegative(after - before)
    nonnegative(after - (after - elapsed))
    for log in traces(6, on_time=True):
        if log and log[-1][0] == "depart" and waiting(log):
            printed, true = mean(recorded(log), _last(log)), left(log, _last(log)) / len(waiting(log))
            earlier = mean(recorded(log[:-1]), _last(log))
            check(
                printed is not None and earlier is not None and printed >= earlier and printed >= true, f"trace {log}"
            )
    return Proved(certificate, {"a": "1", "b": "2", "c": "3"}, ["(b + c) / 2 > (a + b + c) / 3"])
