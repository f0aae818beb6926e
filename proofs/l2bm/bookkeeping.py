"""Algorithm 1's bookkeeping: its identity by induction over events, checked on the implementation exhaustively."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.l2bm import Recorder, _Run, dequeue, enqueue, mean, run_trace
from dtmodel.packet.l2bm_switch import Packet, passages, trace_events

from .common import arrive, depart, identity, nonnegative, request
from .recorder_steps import agrees, before, induction, unknowns

LENGTH = 4
"""Events of each exhaustive trace: gaps of 0 or 1, sojourn times of 1 or 2, any packet may leave at any time."""

Log = tuple[tuple[str, Fraction, Fraction], ...]
"""(what, time, due time of the packet) for each event."""


def traces(length: int = LENGTH, log: Log = (), *, on_time: bool = False) -> Iterator[Log]:
    """Every trace of up to `length` events; on time: packets leave when due, and no packet outstays its due time."""
    yield log
    if len(log) == length:
        return
    now = log[-1][1] if log else Fraction(0)
    queued = waiting(log)
    for gap in (0, 1):
        if on_time and any(due < now + gap for due in queued):
            continue
        for sojourn in (1, 2):
            yield from traces(length, (*log, ("arrive", now + gap, now + gap + sojourn)), on_time=on_time)
        for due in sorted(set(queued)):
            if not on_time or due == now + gap:
                yield from traces(length, (*log, ("depart", now + gap, due)), on_time=on_time)


def waiting(log: Log) -> list[Fraction]:
    """The due times of the packets that are queued after the events of a log."""
    queued: list[Fraction] = []
    for what, _, due in log:
        if what == "arrive":
            queued.append(due)
        else:
            queued.remove(due)
    return queued


def recorded(log: Log, reading: str = "literal") -> Recorder:
    """What the implementation keeps after the events of a log."""
    recorder = Recorder()
    for what, now, due in log:
        if what == "arrive":
            recorder = enqueue(recorder, now, due - now, Fraction(1))
        else:
            recorder = dequeue(recorder, now, due, reading=reading)
    return recorder


def left(log: Log, at: Fraction) -> Fraction:
    """What the queued packets have left at a time, together."""
    return sum((due - at for due in waiting(log)), Fraction(0))


def deviation(log: Log) -> Fraction:
    """The sum of due minus departure time over all departures."""
    return sum((due - now for what, now, due in log if what == "depart"), Fraction(0))


def _last(log: Log, what: str = "") -> Fraction:
    return next((now for kind, now, _ in reversed(log) if kind == what or not what), Fraction(0))


@evidence("l2bm.ours.bookkeeping", form="printed", strength="symbolic")
def the_printed_total_by_induction() -> Outcome:
    """Induct over events with symbolic due times; then compare with the implementation on every short trace."""
    induction()
    for log in traces():
        check(recorded(log).total == left(log, _last(log, "arrive")) + deviation(log), f"trace {log}")
    return Proved("arrival and departure keep the identity", {"D1": "1", "D2": "3", "a1": "2", "t": "0", "total": "2"},
                  ["total == (D2 - t) + (D1 - a1)"])  # fmt: skip


@evidence("l2bm.ours.clocked", form="printed", strength="symbolic")
@evidence("l2bm.alg1.line14@now", form="repaired", strength="symbolic")
def the_clocked_total_by_induction() -> Outcome:
    """The same induction with the repaired line 14; then every short trace."""
    induction("clocked")
    for log in traces():
        check(recorded(log, "clocked").total == left(log, _last(log)) + deviation(log), f"trace {log}")
    return Proved("arrival and departure keep the identity", {"D1": "1", "D2": "3", "a1": "1", "total": "2"},
                  ["total == (D2 - a1) + (D1 - a1)"])  # fmt: skip


@evidence("l2bm.ours.stamped", form="printed", strength="symbolic")
def the_stamped_total_by_induction() -> Outcome:
    """The deviation of a departure is due - now, and that is what the stamped departure also subtracts."""
    induction("stamped")
    for log in traces():
        check(recorded(log, "stamped").total == left(log, _last(log)), f"trace {log}")
    return Proved("the clocked identity without its second sum", {"D1": "1", "D2": "3", "a1": "2", "total": "1"},
                  ["total == D2 - a1"])  # fmt: skip


@evidence("l2bm.ours.reset", form="printed", strength="symbolic")
def the_reset_total_by_induction() -> Outcome:
    """An empty queue starts from 0: the clocked identity holds with the departures since then."""
    induction("reset")
    for log in traces():
        start = max((k for k in range(len(log) + 1) if not waiting(log[:k])), default=0)
        check(recorded(log, "reset").total == left(log, _last(log)) + deviation(log[start:]), f"trace {log}")
    return Proved("the clocked identity, restarted", {"a": "2", "D": "1"}, ["D - a < 0"])


@evidence("l2bm.ours.current", form="printed", strength="symbolic")
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
          "l2bm.alg1.line3", "l2bm.alg1.line5", "l2bm.alg1.line6", form="printed", strength="symbolic")  # fmt: skip
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


@evidence("l2bm.alg1.line4", "l2bm.sec3b.last-update", form="printed", strength="exact")
def a_departure_leaves_t_prev() -> Outcome:
    """Replay an arrival at 0 and a departure at 1: t_prev is still 0."""
    trace = request(arrive("0", "a", "1"), arrive("0", "b", "3"), depart("1", "a"))
    return Counterexample(
        Witness(
            "trace",
            trace,
            {"final": {"updated": "0", "total": "3"}},
            {"final": {"updated": "1"}},
            "the total was updated at 1",
        )
    )


@evidence("l2bm.alg1.line8.elapsed", "l2bm.alg1.line9", form="printed", strength="symbolic")
def line_8_moves_the_sum_from_t_prev_to_now() -> Outcome:
    """Sum of (due - t_prev) over N packets, minus N (t - t_prev), plus the own sojourn time."""
    due_sum, n, prev, now, sojourn = sympy.symbols("D N t_prev t_now s", real=True)
    identity((due_sum - n * prev) - n * (now - prev), due_sum - n * now, "the waiting packets")
    identity((due_sum - n * now) + sojourn, (due_sum + now + sojourn) - (n + 1) * now, "all of them")
    example = {"a": "4", "b": "5", "t": "1", "before": "8", "after": "6"}
    return Proved("N (t_now - t_prev)", example, ["before == (a - 0) + (b - 1)", "after == (a - t) + (b - t) - 1"])


@evidence("l2bm.alg1.line8", form="printed", strength="exact")
def the_ingress_length_is_the_wrong_length() -> Outcome:
    """A packet of 1 byte to an idle output leaves after 1 s; its ingress queue holds 3 bytes for another one."""
    values = {"Q_in": "4", "Q_out": "1", "mu": "1", "stays": "1"}
    hypotheses = ["Q_out <= Q_in", "stays == Q_out / mu"]
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": hypotheses, "statement": "stays == Q_in / mu"})
    )


@evidence("l2bm.alg1.line14@last-arrival", "l2bm.alg1.total", "l2bm.alg1.total.empty", "l2bm.sec3b.one-recorder",
          "l2bm.alg1.total.nonnegative", form="printed", strength="exact")  # fmt: skip
def a_packet_that_leaves_late_spoils_the_total() -> Outcome:
    """Replay one packet that leaves 1 s after it was due."""
    trace = request(arrive("0", "x", "1"), depart("2", "x"))
    return Counterexample(
        Witness("trace", trace, {"final": {"total": "-1"}}, {"final": {"total": "0"}}, "the queue is empty")
    )


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


@evidence("l2bm.alg1.total.nonnegative", form="assumed", strength="symbolic")
def a_packet_that_is_not_overdue_counts_positively() -> Outcome:
    """Write due = leaves + d with d >= 0 and leaves >= t_prev: every term of the identity is >= 0."""
    prev, wait, d = sympy.symbols("t_prev wait d", positive=True)
    certificate = nonnegative((prev + wait + d) - prev)
    return Proved(certificate, {"D": "3", "a": "2", "t_prev": "1"}, ["D >= a", "a >= t_prev"])


@evidence("l2bm.alg1.line14@now", form="printed", strength="exact")
def after_a_departure_the_total_is_old() -> Outcome:
    """Replay packets due at 1 and 3, the first leaves at 1: 2 s are left, the total says 3."""
    trace = request(arrive("0", "a", "1"), arrive("0", "b", "3"), depart("1", "a"))
    return Counterexample(Witness("trace", trace, {"final": {"total": "3"}}, {"final": {"total": "2"}}))


@evidence("l2bm.alg1.line14.remaining", form="printed", strength="exact")
def a_packet_that_departs_when_due_has_nothing_left() -> Outcome:
    """Replay one packet that leaves when due: nothing is left of its 1 s, yet the total falls from 1 to 0."""
    trace = request(arrive("0", "x", "1"), depart("1", "x"))
    return Counterexample(
        Witness("trace", trace, {"final": {"total": "0"}}, {"final": {"total": "1"}}, "1 - 0 left = 1")
    )


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


@evidence("l2bm.sec3c.maintained", form="printed", strength="exact")
def the_printed_average_rises_from_2_to_3_while_the_queue_drains() -> Outcome:
    """Replay packets due at 1, 2 and 3 that leave on time: 2, 5/2, 3, where 2, 3/2, 1 are left on average."""
    events = [arrive("0", "a", "1"), arrive("0", "b", "2"), arrive("0", "c", "3"), depart("1", "a"), depart("2", "b")]
    return Counterexample(Witness("trace", request(*events), {"final": {"mean": "3"}}, {"final": {"mean": "1"}}))


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


@evidence("l2bm.ours.can-be-zero", form="printed", strength="exact")
def a_late_packet_and_a_new_one_cancel() -> Outcome:
    """Replay a packet 1 s late and a new one of 1 s: the total is 0 with a packet queued."""
    final = run_trace(request(arrive("0", "x", "1"), depart("2", "x"), arrive("2", "y", "1")))["final"]
    check(final["packets"] == 1 and final["mean"] == "0", f"{final}")
    return Agrees(1, "an existence statement: the instance itself")


@evidence("l2bm.ours.pause-aware", form="printed", strength="symbolic")
def a_stopped_clock_hides_the_pause() -> Outcome:
    """On running time (wall time minus pauses) a pause is no time at all; then every short trace with one pause."""
    induction("pause-aware")
    now, pause = sympy.symbols("t_now P", positive=True)
    stopped: Any = _Run("pause-aware", Recorder(), {}, suspended=pause)
    identity(stopped.clock(now + pause), now, "the time of an event after the pause")
    cases = 0
    for log in traces(4, on_time=True):
        for cut in range(len(log)):
            plain, paused = _requests(log, cut)
            check(run_trace(plain)["final"] == run_trace(paused)["final"], f"trace {log}, pause before event {cut}")
            cases += 1
    return Proved(f"{cases} traces with a pause of 7 s", {"P": "7", "total": "0"}, ["total == 0"])


def _requests(log: Log, cut: int) -> tuple[dict[str, object], dict[str, object]]:
    """The same trace without and with a pause of 7 s before event `cut`."""
    events: list[list[Any]] = []
    names: dict[Fraction, list[str]] = {}
    for number, (what, now, due) in enumerate(log):
        if what == "arrive":
            names.setdefault(due, []).append(f"p{number}")
            events.append(arrive(str(now), f"p{number}", str(due - now)))
        else:
            events.append(depart(str(now), names[due].pop(0)))
    start = events[cut][1]
    later = [[event[0], str(Fraction(event[1]) + 7), *event[2:]] for event in events[cut:]]
    pause = [["pause", start], ["resume", str(Fraction(start) + 7)]]
    return (
        request(*events, reading="pause-aware"),
        request(*events[:cut], *pause, *later, reading="pause-aware"),
    )


@evidence("l2bm.sec3d.pause.ignored", form="printed", strength="exact")
def a_pause_of_two_seconds_costs_two_seconds_for_ever() -> Outcome:
    """Replay one packet due at 1 whose output is paused from 1/2 to 5/2: the total ends at -2, not 0."""
    trace = request(arrive("0", "x", "1"), ["pause", "1/2"], ["resume", "5/2"], depart("3", "x"))
    return Counterexample(Witness("trace", trace, {"final": {"total": "-2"}}, {"final": {"total": "0"}}))


@evidence("l2bm.sec3d.pause.enqueue", "l2bm.sec3b.qout-immediate", form="printed", strength="symbolic")
def the_estimate_is_made_of_length_and_rate_alone() -> Outcome:
    """Line 8's first term is Q_out / mu, positive since Q_out contains the packet; an earlier pause changes nothing."""
    length, own, mu = sympy.symbols("length own mu", positive=True)
    certificate = nonnegative((length + own) / mu, strict=True)
    paused = run_trace(request(["pause", "0"], arrive("1", "x", "1")))["final"]["total"]
    check(paused == run_trace(request(arrive("1", "x", "1")))["final"]["total"], "the pause shows")
    return Proved(certificate, {"Q": "3", "mu": "1", "s": "3"}, ["s == Q / mu"])


@evidence("l2bm.sec3d.pause.fewer", form="printed", strength="exact")
def a_packet_that_is_held_up_lengthens_the_next_estimate() -> Outcome:
    """Replay 1 byte at 0 and half a byte at 1, rate 1: without a pause 1/2 on average, with the first held up 3/4."""
    plain = request(arrive("0", "x", "1"), depart("1", "x"), arrive("1", "y", "1/2"))
    check(run_trace(plain)["final"]["mean"] == "1/2", "the run without a pause")
    paused = request(arrive("0", "x", "1"), ["pause", "0"], arrive("1", "y", "3/2"))
    says = "the recorded average, 1/2 without the pause: the weight C / tau falls by a third for any fixed C"
    return Counterexample(Witness("trace", paused, {"final": {"mean": "3/4"}}, {"final": {"mean": "1/2"}}, says))


@evidence("l2bm.sec3d.pause.fewer", form="assumed", strength="symbolic")
def later_departures_alone_only_lower_the_recorded_average() -> Outcome:
    """The identity holds sum (D - a): later a, same D, lower total; every pair of short traces; then C / tau grows."""
    induction()
    same: dict[Log, set[Fraction]] = {}
    for log in traces():
        arrivals = tuple(event for event in log if event[0] == "arrive")
        gone = tuple(sorted(("depart", Fraction(0), due) for what, _, due in log if what == "depart"))
        late = sum((now for what, now, _ in log if what == "depart"), Fraction(0))
        same.setdefault((*arrivals, *gone), set()).add(recorded(log).total + late)
    check(all(len(totals) == 1 for totals in same.values()), "the total depends on more than the departure times")
    C, tau, lost = sympy.symbols("C tau lost", positive=True)
    certificate = nonnegative(C / tau - C / (tau + lost))
    return Proved(certificate, {"C": "4", "tau": "3", "paused": "1"}, ["C / paused >= C / tau"])


@evidence("l2bm.sec3b.location", "l2bm.sec3b.same-length", "l2bm.sec3d.rate-location", form="printed", strength="exact")
def equal_ingress_queues_that_empty_at_different_times() -> Outcome:
    """Two packets each: one queue's lie behind 3 bytes of a common output, the other's go to an idle one."""
    near = [run_trace(request(arrive("0", "x", q)))["final"]["total"] for q in ("1", "2")]
    far = [run_trace(request(arrive("0", "x", q)))["final"]["total"] for q in ("4", "5")]
    check(max(near) == "2" and max(far) == "5", "the worked instance")
    return Agrees(1, "an existence statement: equal ingress lengths and rates, empty after 2 s and after 5 s")


@evidence("l2bm.sec3b.single-packet", form="printed", strength="exact")
def one_packet_and_two_different_averages() -> Outcome:
    """A packet due at 1 with another due at 1 or at 9."""
    averages = {
        run_trace(request(arrive("0", "a", "1"), arrive("0", "b", other)))["final"]["mean"] for other in ("1", "9")
    }
    check(averages == {"1", "5"}, f"{averages}")
    return Agrees(1, "an existence statement")


@evidence("l2bm.sec3b.discharge-rate", form="printed", strength="kernel")
def a_longer_backlog_at_the_same_rate_has_a_longer_average() -> Outcome:
    """Packets due at 1, 2 and packets due at 1, 2, 3, 4: one byte each second in both."""
    values = {"short": ["1", "2"], "long": ["1", "2", "3", "4"]}
    given = ["min(short) > 0", "min(long) > 0", "2 / max(short) == 4 / max(long)"]
    data = {"values": values, "hypotheses": given, "statement": "sum(short) / 2 == sum(long) / 4"}
    return Counterexample(Witness("values", data, says="both drain one packet a second"))


@evidence("l2bm.sec3b.emptied-faster", form="printed", strength="kernel")
def the_shorter_average_can_empty_later() -> Outcome:
    """Residual times (1, 1, 1, 10) average 13/4, (4) averages 4."""
    values = {"first": ["1", "1", "1", "10"], "second": ["4"]}
    given = ["min(first) > 0", "min(second) > 0", "sum(first) / 4 < sum(second) / 1"]
    data = {"values": values, "hypotheses": given, "statement": "max(first) < max(second)"}
    return Counterexample(Witness("values", data))


@evidence("l2bm.alg1.line8", form="repaired", strength="symbolic")
@evidence("l2bm.alg1.line8.estimate", form="assumed", strength="symbolic")
def the_output_length_is_the_right_length() -> Outcome:
    """First in, first out, at rate mu: the packet leaves when the Q_out bytes up to its own end have been sent."""
    length, mu, t = sympy.symbols("Q_out mu t", positive=True)
    check(sympy.solve(sympy.Eq(mu * t, length), t) == [length / mu], "the time")
    return Proved("mu t = Q_out", {"Q": "4", "mu": "2", "t": "2"}, ["mu * t == Q"])


@evidence("l2bm.alg1.line8.estimate", form="printed", strength="exact")
def under_round_robin_the_link_is_shared() -> Outcome:
    """Send two packets of one class and one of another through a port of rate 1: one leaves 1 s late."""
    one = Fraction(1)
    packets = [Packet(0 * one, one, 0), Packet(0 * one, one, 0), Packet(0 * one, one, 1)]
    through = passages(packets, one)
    check([p.end - p.due for p in through[:2]] == [0, 1], "the second packet is not late by 1")
    events = trace_events(packets[:2], through[:2], one)
    return Counterexample(Witness("trace", request(*events), {"final": {"total": "-1"}}, {"final": {"total": "0"}}))


@evidence("l2bm.sec3b.decreases", form="printed", strength="exact")
def during_a_pause_nothing_decreases() -> Outcome:
    """A packet with 1 byte to be sent before it is gone, rate 1, its output paused for 2 s: still 1 s left."""
    values = {"bytes": "1", "mu": "1", "pause": "2", "left_before": "1", "left_after": "1"}
    hypotheses = ["left_before == bytes / mu", "left_after == bytes / mu"]  # no byte is sent in between
    statement = "left_after == left_before - pause"
    return Counterexample(Witness("values", {"values": values, "hypotheses": hypotheses, "statement": statement}))


@evidence("l2bm.sec3b.decreases", form="assumed", strength="symbolic")
def while_it_is_served_the_rest_decreases_with_time() -> Outcome:
    """In t seconds mu t bytes of the queue are sent: Q / mu becomes Q / mu - t."""
    length, mu, t = sympy.symbols("Q mu t", positive=True)
    identity((length - mu * t) / mu, length / mu - t, "what is left")
    return Proved("Q / mu - t", {"Q": "4", "mu": "2", "t": "1"}, ["(Q - mu*t) / mu == Q/mu - t"])
