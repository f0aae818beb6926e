"""Sections I and II: ingress and egress pools, reserves; proofs."""

from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import sympy

from dtmodel.fluid import answer
from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import (
    PathCondition,
    Unknown,
    Unknowns,
    all_of,
    every_path,
    implies,
    largest,
    same,
    truth,
)
from dtmodel.packet.l2bm.switch import PortPacket, _ready, passages
from dtmodel.packet.pfc import Egress, Ingress, Pools, run_pools
from dtmodel.policies import QueueLimits
from dtmodel.switches.formulas import burst_first_drop, pool_steady_state
from dtmodel.switches.packets import Turns, packet_counts
from dtmodel.theory.l2bm import formulas as l2bm

from .derivation import identity, nonnegative, small_switch
from .memory import Step, Switch, _shared, arrivals, departures, prove, switches, unchanged
from .systems import pools

ONE = Fraction(1)


def _three_parts(step: Step) -> PathCondition:
    state = step.after
    limits, beyond, Q = state.pools.ingress["x"], Unknown.of(state.beyond["x"]), Unknown.of(state.ingress["x"])
    static, shared = Q - beyond, _shared(state)
    inside = all_of(beyond >= 0, beyond <= limits.headroom, beyond <= Q, shared >= 0)
    return inside & (static - shared <= limits.reserved) & ((shared <= 0) | same(static - shared, limits.reserved))


def _pool_suffices(step: Step) -> PathCondition:
    ingress, egress, pools = step.after.ingress, step.after.egress, step.after.pools
    egress_fits = Unknown.of(egress["a"]) + egress["b"] <= pools.egress_pool
    limited = pools.egress["a"].alpha is not None
    return (_shared(step.after) + ingress["y"] <= pools.ingress_pool) & (egress_fits if limited else True)


@evidence("l2bm.ours.pause-threshold.fluid", form="printed", strength="symbolic")
def overloaded_queues_stay_on_their_thresholds() -> Outcome:
    """Queues of v F and w F leave F = B / (1 + v + w), of a slope that is -(v + w) times itself: 2 - 1 is lost."""
    B, v, w = sympy.symbols("B v w", positive=True)
    slope = sympy.Symbol("slope", real=True)
    identity(B - (v + w) * B / (1 + v + w), B / (1 + v + w), "the free bytes")
    check(sympy.solve(sympy.Eq(slope, -(v + w) * slope), slope) == [0], "another slope")
    for weights in ("1", "1"), ("1/2", "3"), ("1/8", "1/4"):
        run = small_switch(weights, "2", "6", ["0", "5"])
        for queue in run["queues"]:
            queue["initial"] = "steady"
        held = [60 * Fraction(weight) / (1 + sum(map(Fraction, weights))) for weight in weights]
        check([[*map(Fraction, found)] for found in answer(run, 1)["queues"]] == [held, held], f"{weights}")
    return Proved("lengths rest, 2 - 1 is lost", {"v": "1", "w": "2", "B": "4", "F": "1"}, ["F + v*F + w*F == B"])


@evidence("l2bm.sec1.incast", form="printed", strength="symbolic")
def more_than_the_port_can_send_piles_up() -> Outcome:
    """N R = C + d: the queue of the port grows at d > 0; then one run of the fluid engine."""
    C, d = sympy.symbols("C d", positive=True)
    check(sympy.expand((C + d) - C - d) == 0, "the growth")
    final = answer(small_switch(["1"], "3", "1", ["1"]), 1)["queues"][0]
    check(final == ["2"], f"{final}")
    return Proved("Q' = n R - C", {"n": "3", "R": "1", "C": "1"}, ["n * R > C"])


@evidence("l2bm.sec1.tcp-unaware", form="printed", strength="symbolic")
def dts_threshold_contains_no_drain_rate() -> Outcome:
    """Equation (1) has the symbols alpha, B and Q_in only."""
    names = {str(symbol) for symbol in l2bm.equations()["eq1"].rhs.free_symbols}
    check(names == {"alpha", "B", "Q_in", "Q_in[i]", "n"}, f"{names}")
    return Proved("symbols: alpha, B, Q_in, n", {"alpha": "1/8", "F": "8", "T": "1"}, ["T == alpha * F"])


@evidence("l2bm.sec2a.round-robin", form="assumed", strength="symbolic")
def equal_packets_share_equally() -> Outcome:
    """By its rth packet each of m - 1 <= 7 other queues has sent r at most: an eighth of m r or more.

    Then run the port: in a round of eight queues, and with others that come later, none sends twice in between.
    """
    size, r, spare, absent = sympy.symbols("size r spare absent", nonnegative=True)
    others = (8 - spare - 1) * r - absent
    certificate = nonnegative(sympy.expand(r * size - size * (r + others) / 8))
    packets = [PortPacket(Fraction(0), ONE, group) for group in range(8) for _ in range(2)]
    ends = sorted(
        through.end for packet, through in zip(packets, passages(packets, ONE), strict=True) if packet.group == 3
    )
    check(ends[1] - ends[0] == 8, "a round")
    for come in product((0, 1, 2), repeat=2):
        later = [PortPacket(Fraction(time), ONE, group) for group, time in zip((0, 2), come, strict=True) for _ in "ab"]
        mixed = sorted([*[PortPacket(Fraction(0), ONE, 1)] * 3, *later], key=lambda packet: packet.arrival)
        order = sorted(zip(passages(mixed, ONE), mixed, strict=True), key=lambda pair: pair[0].end)
        groups = "".join(str(packet.group) for _, packet in order)
        check(all(part.count(other) <= 1 for part in groups.split("1")[:3] for other in "02"), groups)
    return Proved(certificate, {"r": "2", "sent": "16"}, ["r >= sent / 8"])


@evidence("l2bm.ours.pause-threshold", "l2bm.sec3c.upper-limit", form="printed", strength="smt")
def beyond_its_threshold_a_queue_takes_headroom_only() -> Outcome:
    """Every path of an arrival: what is enqueued stays within the threshold that it met; the rest asks for a pause.

    Then it lies in the headroom, none of which is more than there is, or is dropped. A lossy queue has no headroom.
    """
    for switch in switches():
        steps = arrivals(switch, asked=False)
        found = prove(switch, steps, partial(_within_or_in_headroom, switch), *switch.not_overdrawn())
    return found.proved("within the threshold, or in the headroom of a queue that has asked for a pause, or dropped")


def _within_or_in_headroom(switch: Switch, step: Step) -> PathCondition:
    """Whether an arrival lies within the threshold that it met, or in free headroom behind a pause, or was dropped."""
    Q, size, pool, reserved, alpha, Y = switch.real("Q", "size", "pool", "reserved", "alpha", "Y")
    if step.decision == "headroom":
        beyond, headroom = switch.real("beyond", "headroom")
        return all_of("x" in step.after.paused, beyond + size <= headroom)
    within = Q + size <= reserved + alpha * (pool - Y - _shared(step.before))
    if switch.capped:
        within &= Q + size <= reserved + switch.given.real("cap")
    return truth(step.decision == "drop") | within


@evidence("l2bm.sec2a.lossy-drop", "l2bm.sec2a.headroom-lossy", "l2bm.sec2b.two-thresholds",
          form="printed", strength="smt")  # fmt: skip
def a_lossy_packet_beyond_a_threshold_is_dropped() -> Outcome:
    """For a lossy x: beyond a threshold, or what is free, it is dropped; never into headroom."""
    for switch in switches():
        if switch.lossless:
            continue
        Q, size, pool, reserved, alpha, Y = switch.real("Q", "size", "pool", "reserved", "alpha", "Y")
        A, E, egress_pool, alpha_a = switch.real("A", "E", "egress_pool", "alpha_a")
        free = switch.given.real("free")
        taken = ((reserved >= Q) & same(free, pool - Y)) | ((reserved < Q) & same(free, pool - Y - (Q - reserved)))
        grows = ((reserved >= Q) & (Q + size - reserved > free)) | ((reserved < Q) & (size > free))
        over = (Q + size > reserved + alpha * free) | grows
        if switch.capped:
            over |= Q + size > reserved + switch.given.real("cap")
        if switch.egress_limited:
            over |= (A + size > alpha_a * (egress_pool - A - E)) | (size > egress_pool - A - E)

        def rule(step: Step, over: PathCondition = over) -> PathCondition:
            dropped = step.decision == "drop"
            kept = unchanged(step) if dropped else truth(step.decision == "enqueue")
            return all_of(implies(over, dropped), implies(dropped, over), kept, not step.after.paused)

        found = prove(switch, arrivals(switch), rule, taken, *switch.not_overdrawn())
    return found.proved("dropped exactly beyond a threshold, and then no counter moves")


@evidence("l2bm.sec2b.rigid", form="printed", strength="smt")
def a_part_fills_at_its_own_rate_beside_the_rest() -> Outcome:
    """A queue of its own part holds (R - C) t < part before part / (R - C), and then all of it; B less part is free."""
    part, rest, R, C, t = sympy.symbols("part rest R C t", positive=True)
    smt.prove([R > C, t < part / (R - C)], (R - C) * t < part)
    return smt.prove([R > C, sympy.Eq(t, part / (R - C))], sympy.Eq((part + rest) - (R - C) * t, rest)).proved("rest")


@evidence("l2bm.sec5.shared-pool", "l2bm.sec5.shared-pool.burst", form="printed", strength="smt")
def private_buffers_fit_into_a_pool_of_their_size() -> Outcome:
    """By induction over the queues: if each is within its part all are within the sum of the parts.

    So nothing is rejected, and the queues are those of private buffers. A burst alone fills its part s at s / (R - C),
    a pool of s and the rest at (s + rest) / (R - C).
    """
    queue, part, queues, parts, rest = sympy.symbols("queue part queues parts rest", nonnegative=True)
    R, C, t = sympy.symbols("R C t", positive=True)
    for held in (part, part + rest):
        smt.prove([R > C, t < held / (R - C)], (R - C) * t < held)
        smt.prove([R > C, sympy.Eq(t, held / (R - C))], sympy.Eq((R - C) * t, held))
    return smt.prove([queue <= part, queues <= parts], queue + queues <= part + parts).proved("they fit for any number")


@evidence("l2bm.sec2a.static", form="printed", strength="smt")
def a_packet_within_its_reserve_is_always_admitted() -> Outcome:
    """For Q + s <= reserve, no headroom in use and an egress that has room: every path admits it, at any Y <= pool.

    The free part of the pool does not contain the reserve: without shared bytes of anybody it is the whole pool.
    """
    for switch in switches():
        Q, size, reserved, pool, Y = switch.real("Q", "size", "reserved", "pool", "Y")
        within = [Q + size <= reserved, pool >= Y]
        if switch.egress_limited:
            A, E, egress_pool, alpha_a = switch.real("A", "E", "egress_pool", "alpha_a")
            within += [A + size <= alpha_a * (egress_pool - A - E), size <= egress_pool - A - E]
        if switch.lossless:
            within.append(same(switch.given.real("beyond"), 0))
        found = prove(switch, arrivals(switch), lambda step: step.decision == "enqueue", *within)
    return found.proved("nobody else can take it, also while it is empty")


@evidence("l2bm.sec2a.three-parts", form="printed", strength="smt")
def every_byte_lies_in_one_of_three_parts() -> Outcome:
    """Q = own part <= reserve, plus shared part >= 0, plus headroom part in [0, headroom]: kept by every event.

    The shared parts of all queues stay within the pool, too.
    """
    for switch in switches():
        if not switch.lossless:
            continue
        Q, size, rest = switch.real("Q", "size", "rest")
        prove(switch, arrivals(switch), _three_parts)
        prove(switch, departures(switch), _three_parts, size + rest <= Q)
        found = prove(switch, arrivals(switch), _pool_suffices, *switch.not_overdrawn())
    return found.proved("reserve, service pool and headroom hold all that is stored, each byte in one of them")


@evidence("l2bm.sec2a.egress-reserve", form="printed", strength="smt")
def admitted_bytes_stay_within_reserve_and_pool() -> Outcome:
    """A packet takes from the pool what its reserve cannot hold, if that much is free: the pool is never overdrawn.

    Then induct over queues: each holds its part of the reserve and its part of the pool.
    """
    Q, size, r, S, others = sympy.symbols("Q size r S others", nonnegative=True)
    taken, now = sympy.Max(0, Q - r), sympy.Max(0, Q + size - r)
    smt.prove([taken + others <= S, now - taken <= S - taken - others], now + others <= S)
    held, reserves = sympy.symbols("held reserves", nonnegative=True)
    found = smt.prove([held <= reserves + others], held + Q <= reserves + r + others + taken)
    return found.proved("sum Q <= sum r + sum (Q - r)^+ <= reserves + S")


@evidence("l2bm.sec2a.separately", form="printed", strength="smt")
def a_paused_class_counts_as_absent() -> Outcome:
    """Every path of the port's rule: until the pause ends the class is never ready, and other classes are when alone.

    The port serves one of the classes that are ready, and waits for the first to be, so the paused one changes nothing
    but for what it was sending when the pause began: a transmission is not broken off.
    """
    given = Unknowns()
    now: Any = given.real("now")
    arrival: Any = given.real("arrival")
    begin, end = given.real("begin"), given.real("end")
    pauses: Any = [(0, (begin, end))]
    wanted = []
    for group in (0, 1):
        for path in every_path(partial(_ready, now, PortPacket(arrival, ONE, group), pauses)):
            ready: Any = path.result
            late = implies((begin <= now) & (now < end), ready >= end)
            alone = ((ready <= now) | same(ready, arrival)) & (ready >= now) & (ready >= arrival)
            wanted.append((path.condition, late if group == 0 else alone))
    found = given.prove_each(wanted, [begin >= 0, end > begin, now >= 0, arrival >= 0])
    return found.proved("not ready before the pause ends; the other class is ready at max(now, arrival), as alone")


@evidence("l2bm.sec1.head-of-line", form="printed", strength="smt")
def what_would_begin_in_a_pause_begins_after_it() -> Outcome:
    """Every path of the port's rule, where the packet before ends no sooner than without the pause: nor does this one.

    Nor does it begin in the pause; and if it would begin before it and nothing has been held up yet, it does.
    """
    given = Unknowns()
    now: Any = given.real("now")
    arrival: Any = given.real("arrival")
    begin, end, without = given.real("begin"), given.real("end"), given.real("without")
    starts = largest(without, arrival)  # without the pause
    wanted = []
    for path in every_path(partial(_ready, now, PortPacket(arrival, ONE, 0), [(0, (begin, end))])):  # type: ignore[list-item]
        ready = Unknown.of(path.result)
        late = implies((begin <= starts) & (starts < end), ready >= end)
        as_without = implies(same(now, without) & (starts < begin), same(ready, starts))
        wanted.append((path.condition, all_of(late, as_without, ready >= starts)))
    found = given.prove_each(wanted, [begin >= 0, end > begin, now >= without, without >= 0, arrival >= 0])
    return found.proved("held up until the pause ends, and nothing is sent sooner")


@evidence("l2bm.sec2a.starvation", form="assumed", strength="symbolic")
def beside_tcp_at_line_rate_every_rate_is_congested() -> Outcome:
    """With T = C + e each r > 0 is congested, and k cuts to r / (1 + b)^k <= r / (1 + k b) come below every rate.

    First in, first out sends C r / (r + T) <= r of it. The bound is Bernoulli's, by induction over the cuts.
    """
    r, C, e, b, k, rate = sympy.symbols("r C e b k rate", positive=True)
    nonnegative((r + C + e) - C, strict=True)
    nonnegative(r - C * r / (r + C + e))
    nonnegative((1 + k * b) * (1 + b) - (1 + (k + 1) * b), strict=True)
    certificate = nonnegative(rate - (r / (1 + k * b)).subs(k, r / (rate * b)), strict=True)
    example = {"r": "1", "T": "1", "C": "1", "b": "1", "k": "3"}
    return Proved(certificate, example, ["T >= C", "r + T > C", "r / (1 + b)**k <= r / (1 + k * b)"])


@evidence("l2bm.eq1.reserved-first", form="printed", strength="smt")
@evidence("l2bm.eq1.reserved-count", form="assumed", strength="smt")
def within_its_reserve_a_queue_takes_nothing_from_the_pool() -> Outcome:
    """Every path of the accounting: the shared part is 0 up to the reserve, and no other threshold has Q there."""
    for switch in switches():
        Q, other, reserved = switch.real("Q", "Q_other", "reserved")
        held = Q - switch.given.real("beyond") if switch.lossless else Q
        lengths = []
        for length in (Q, other):

            def thresholds(switch: Switch = switch, length: Any = length) -> tuple[Any, Any]:
                state = switch.state()
                state.ingress["x"] = length
                return state.threshold("y"), state.shared("x")

            lengths.append(list(every_path(thresholds)))
        mine, changed = lengths
        nothing = [(path.condition & (held <= reserved), same(path.result[1], 0)) for path in mine]
        within = [other <= reserved, held <= reserved, reserved >= Q]
        equal = [
            (one.condition & two.condition, same(one.result[0], two.result[0])) for one, two in product(mine, changed)
        ]
        switch.given.prove_each(nothing, [*switch.hypotheses(), other >= 0], "QF_NRA")
        found = switch.given.prove_each(equal, [*switch.hypotheses(), other >= 0, *within], "QF_NRA")
    return found.proved("the reserve first, and no other threshold moves until it is used up")


@evidence("l2bm.eq1.B", form="assumed", strength="symbolic")
def of_the_service_pool_it_gives_what_is_free() -> Outcome:
    """With B the service pool, alpha (B - Q) is alpha times the free bytes, between 0 and alpha B."""
    alpha, free, held = sympy.symbols("alpha free held", nonnegative=True)
    pool = free + held
    check(sympy.expand(alpha * (pool - held) - alpha * free) == 0, "the free bytes")
    check(sympy.expand(alpha * pool - alpha * free - alpha * held) == 0, "what is missing to alpha B, which is >= 0")
    return Proved("alpha free", {"alpha": "1/16", "B": "5", "Q": "5"}, ["alpha * (B - Q) == 0"])


@evidence("l2bm.ours.accounting", form="printed", strength="symbolic")
def the_estimate_misses_by_the_stated_terms() -> Outcome:
    """While the packet waits the port sends its class's q_f bytes, others, or nothing; then every three packets."""
    q, qf, mu, others, idle, arrived = sympy.symbols("q q_f mu o s t", positive=True)
    left = arrived + qf / mu + others + idle
    check(sympy.simplify((arrived + q / mu) - left - ((q - qf) / mu - others - idle)) == 0, "the decomposition")
    choices = list(product((0, 1), (1, 2), (0, 1)))
    for first, second, third in product(choices, repeat=3):
        times = [Fraction(first[0]), Fraction(first[0] + second[0]), Fraction(first[0] + second[0] + third[0])]
        given = zip(times, (first, second, third), strict=True)
        packets = [PortPacket(time, Fraction(size), group) for time, (_, size, group) in given]
        for counter in ("fluid", "start", "end"):
            for through in passages(packets, ONE, counter=counter, pauses=[(0, (ONE, 2 * ONE))]):
                error = through.counted - through.others - through.suspended
                check(through.due - through.end == error, f"{packets}")
    return Proved(
        "D - a = (q - q_f)/mu - o - s",
        {"q": "4", "q_f": "1", "mu": "1", "D": "7", "a": "4"},
        ["D - a == (q - q_f) / mu"],
    )


@evidence("l2bm.ours.pools-agree", form="printed", strength="symbolic")
def both_pools_by_identities() -> Outcome:
    """Certify that the three sums are equal after any events."""
    return pools().certificate().proved()


@evidence("l2bm.ours.pool-steady", form="printed", strength="symbolic")
def the_balance_of_a_pool_has_one_root() -> Outcome:
    """F + sum min(alpha F, c) increases by at least d when F does by d, is at most S at 0 and at least S at S."""
    alpha, F, d, e = sympy.symbols("alpha F d e", positive=True)
    # min(alpha F, c) over a step d: below the cap at both ends, across it (c = alpha F + e), above it at both ends.
    nonnegative(alpha * (F + d) - alpha * F, strict=True)
    nonnegative((alpha * F + e) - alpha * F, strict=True)
    nonnegative((F + d) - F, strict=True)  # so the sum grows by at least d
    # At F = S the sum is at least S; at F = 0 it is the sum of the limits without alpha, at most S by assumption.
    cases = 0
    for size, first, second in product((1, 5, 9, 40), (None, 1, 6), (None, 2, 8)):
        caps = [None if c is None else Fraction(c) for c in (first, second)]
        limits = [QueueLimits(Fraction(2), Fraction(1), caps[0]), QueueLimits(Fraction(1, 2), Fraction(0), caps[1])]
        state = pool_steady_state(Fraction(size), limits)
        check(state.free + sum(limit.shared(state.free) for limit in limits) == size, f"{size}, {caps}")
        cases += 1
    return Proved(
        f"strictly increasing; {cases} instances solved", {"S": "55", "F": "23"}, ["F + min(2*F, 9) + F == S"]
    )


@evidence("l2bm.ours.packet-counts", "l2bm.ours.packet-counts.cells", form="printed", strength="smt")
def packets_come_in_until_one_is_refused_and_then_none() -> Outcome:
    """One arrival on every path; a refusal stays one while F falls and q grows; readings in cells; then counts."""
    for switch in switches():
        if not switch.egress_limited:
            found = prove(switch, arrivals(switch), partial(_taken_in, switch), *switch.not_overdrawn())
    _a_refusal_stays_one()
    _readings_lie_between()
    counted = sum(
        _counts_as_run(*case) for case in product((1, 2, 3), (1, 2, 3, 4), (Fraction(1, 2), ONE), (0, 3), (0, 5))
    )
    return found.proved(f"refused beyond threshold or pool and only then; {counted} counts as in runs")


def _taken_in(switch: Switch, step: Step) -> PathCondition:
    """Whether a packet comes in where the count says, F falling by what it takes, and headroom takes what has room."""
    Q, size, Y, pool, reserved, alpha = switch.real("Q", "size", "Y", "pool", "reserved", "alpha")
    beyond = switch.given.real("beyond") if switch.lossless else Unknown.of(Fraction(0))
    taken = largest(Fraction(0), Q - beyond - reserved)
    free, grows = pool - Y - taken, largest(Fraction(0), Q + size - beyond - reserved) - taken
    over = (Q + size > reserved + alpha * free) | (grows > free)
    if switch.capped:
        over |= Q + size > reserved + switch.given.real("cap")
    if step.decision == "enqueue":
        return ~over & same(_shared(step.after), _shared(step.before) + grows)
    room = beyond + size <= switch.given.real("headroom") if switch.lossless else truth(False)
    kept = same(_shared(step.after), _shared(step.before))
    return all_of(over, kept, room if step.decision == "headroom" else ~room)


def _a_refusal_stays_one() -> None:
    """With F no greater and q no smaller: beyond the threshold, beyond the static limit, and without room."""
    given = Unknowns()
    alpha, s, q, more, r, free, less = given.at_least_0("alpha", "s", "q", "more", "r", "free", "less")
    cap = given.real("cap")
    later, left = q + more, free - less
    given.prove([q + s > r + alpha * free], later + s > r + alpha * left, "QF_NRA")
    given.prove([q + s > r + cap], later + s > r + cap)
    grows, grows_later = (largest(Fraction(0), at + s - r) - largest(Fraction(0), at - r) for at in (q, later))
    given.prove([grows > free], grows_later > left)


def _readings_lie_between() -> None:
    """In cells: q and s >= 1 whole, d <= T < d + 1, u - 1 < T <= u; of what is refused by one reading and another."""
    given = Unknowns()
    q, s, d, u = map(given.whole, ("q", "s", "d", "u"))
    T = given.real("T")
    known = [s >= 1, d <= T, d + 1 > T, u >= T, u - 1 < T]
    printed, before = q + s > T, q >= T
    given.prove(known, implies(printed, q + s > d) & implies(q + s > d, printed))
    for other in (q + s > u, q >= d, q >= u):
        given.prove(known, implies(other, printed) & implies(before, other))


def _counts_as_run(queues: int, size: int, alpha: Fraction, reserve: int, headroom: int) -> int:
    """Compare the counts with a run of as many packets, one more, and the headrooms'; return how many came in."""
    turns = Turns(
        QueueLimits(alpha, Fraction(reserve)), Fraction(12), Fraction(size), queues=queues, headroom=Fraction(headroom)
    )
    counts = packet_counts(turns)
    ingress = Ingress(alpha, bool(headroom), Fraction(reserve), Fraction(headroom), ONE)
    pools = Pools(Fraction(12), ONE, {str(i): ingress for i in range(queues)}, {"out": Egress()})
    events = [("arrive", str(i % queues), "out", Fraction(size)) for i in range(counts.drop + queues)]
    decisions = [step.decision for step in run_pools(pools, events)]
    came = ["enqueue"] * counts.limit + ["headroom"] * (counts.drop - counts.limit) + ["drop"] * queues
    check(decisions == came, f"{turns}")
    return counts.limit


@evidence("l2bm.ours.reserve-first-drop", form="printed", strength="symbolic")
def a_reserve_fills_before_the_pool_is_touched() -> Outcome:
    """While Q < r the pool's balance does not contain Q: F rests; so the drop moves by the time to fill r."""
    r, growth, w, F0, phi, t = sympy.symbols("r growth w F0 phi t", positive=True)
    filled = sympy.solve(sympy.Eq(growth * t, r), t)[0]
    identity(filled, r / growth, "the time to fill")
    in_pool = sympy.solve(sympy.Eq(growth * (t - filled), w * (F0 - phi * (t - filled))), t)[0]
    identity(in_pool, r / growth + w * F0 / (growth + w * phi), "the drop")
    one = Fraction(1)
    for reserve in (0, 1, 7):
        held = [(QueueLimits(one, 2 * one), one)] * 2
        drop = burst_first_drop(60 * one, held, QueueLimits(one, Fraction(reserve)), one, 4 * one)
        plain = burst_first_drop(60 * one, held, QueueLimits(one), one, 4 * one)
        check(drop - plain == Fraction(reserve, 3), f"reserve {reserve}")
    return Proved("t = r / (R - C) + t0", {"r": "6", "R": "4", "C": "1", "later": "2"}, ["later == r / (R - C)"])
