"""Section 3.3: equation (6), how large a burst is absorbed; runs and published numbers."""

from fractions import Fraction
from itertools import product

from dtmodel.ledger import Agrees, Outcome, check, evidence, refuted_by_values
from dtmodel.packet.flow_sizes import flow_sizes
from dtmodel.packet.losspass.algorithm import READINGS, Arbiter, Arrival, Class, Departure, PortSettings, run_arbiter
from dtmodel.theory.absorbable_burst import Ecn, FilledPort, LossPass, absorbable_burst
from dtmodel.theory.losspass.formulas import (
    burst_in_packets,
    burst_in_slots,
    burst_of_equal_victims,
    full_port,
    room_at,
    room_with_reserve,
)

from .counting import instant, port, ports, slotted
from .histories import (
    DOMAIN,
    History,
    Moment,
    _refused,
    all_histories,
    find,
    history,
    last_decision,
    proves,
    refutation,
    settings_of,
)


def _full(item: History) -> bool:
    return item.moments[-1].small + item.moments[-1].large == item.buffer


@evidence("losspass.sec3.3.tau@flows", form="printed", strength="exact")
def half_of_the_flows_can_be_a_quarter_of_the_bytes() -> Outcome:
    """B = 4: one packet of a large flow, three of a small one; of a burst of two the second is lost."""
    letters = [("arrive", "large", 1), *[("arrive", "small", 1)] * 5]
    run = history(settings_of("intended", 4), letters)
    check([m.step.decision for m in run.moments[-2:]] == ["evict", "drop"], "one of two packets is absorbed")
    return refutation(run, last_decision(run, "evict"), "half of the two flows is large, a quarter of the bytes is")


@evidence("losspass.sec3.3.tau@workload", form="printed", strength="exact")
def what_came_last_is_what_a_port_holds() -> Outcome:
    """B = 1: a large packet is sent before a small one comes, half of the bytes; the port is full of small ones."""
    letters = [("arrive", "large", 1), ("depart", "any"), ("arrive", "small", 1)]
    run = history(settings_of("intended", 1), letters)
    last = run.moments[-1]
    check(last.small_after == run.buffer and last.large_after == 0, "a full port without a large byte")
    return refutation(
        run, {"final": {"small": []}}, "a full port without a large byte, though half of the bytes were large"
    )


@evidence("losspass.eq6", form="assumed", strength="exact")
def at_full_ports_of_one_size_the_count_is_b_tau() -> Outcome:
    """Packets of one size, B_l = 0, full ports: exactly B tau packets of an instant burst are buffered."""
    cases = 0
    for B in range(1, 13):
        for large in range(B + 1):
            count = instant(port(B, 0, B - large, (1,) * large), 1)
            check(full_port(Fraction(B), Fraction(large, B)) == count == large, f"B={B} Q_l={large}")
            cases += 1
    return Agrees(cases, "all full ports of up to 12 packets of one size")


@evidence("losspass.eq6", form="printed", strength="exact")
def a_full_port_can_absorb_less_than_b_tau() -> Outcome:
    """At a full port with B_l = 0 a burst of one packet, no longer than B tau = Q_l, is lost."""
    found = find(lambda h: _refused(h) and _full(h) and h.moments[-1].size <= h.moments[-1].large, reserves=False)
    last = found.moments[-1]
    claimed = {"final": {"small": [[last.step.packet, last.size]]}}
    return refutation(found, claimed, "B tau bytes could be evicted, and a burst of as many is lost")


@evidence("losspass.eq6@not-full", form="printed", strength="exact")
def a_port_that_is_not_full_absorbs_more() -> Outcome:
    """B = 4, one small and one large byte (q = 2, tau = 1/2): 3 bytes are absorbed, B tau = 2."""
    check(room_at(Fraction(4), Fraction(2), Fraction(1, 2)) == instant(port(4, 0, 1, (1,)), 1) == 3, "three packets")
    values = {"B": "4", "q": "2", "tau": "1/2"}
    given = ["q <= B", "0 < tau", "tau <= 1"]
    return refuted_by_values(values, "B - (1 - tau)*q == B*tau", "two free bytes and the large one", given)


@evidence("losspass.eq6@reserve", form="printed", strength="exact")
def the_reserve_lowers_the_burst() -> Outcome:
    """At a full port with 0 < B_l < B and packets of one byte a burst within B tau is lost."""
    found = find(lambda h: h.room > 0 and _refused(h) and _full(h) and h.moments[-1].size <= h.moments[-1].large
                 and all(letter[-1] == 1 for letter in h.letters if letter[0] == "arrive"))  # fmt: skip
    check(found.settings.reserve_large > 0, "only the reserve stands in the way")
    return refutation(found, last_decision(found, "evict"), "the reserve keeps the large packet, B tau counts it")


@evidence("losspass.eq6@service", form="printed", strength="exact")
def a_burst_at_twice_the_line_rate_brings_twice_as_much() -> Outcome:
    """B = 1, all of it large, R = 2 C: the small queue grows at C and reaches B after 1/C; 2 bytes were brought."""
    port = FilledPort(Fraction(1), large=Fraction(1), line=Fraction(1), burst=Fraction(2))
    check(absorbable_burst(LossPass(), port) == 2, "two bytes")
    values = {"B": "1", "tau": "1", "R": "2", "C": "1", "t": "1"}
    given = ["(R - C)*t <= B*tau"]  # no loss up to t: the small queue still fits
    return refuted_by_values(values, "R*t <= B*tau", "two bytes arrive before the first loss, B tau is one", given)


@evidence("losspass.sec3.3.as-many", form="printed", strength="exact")
def another_policy_absorbs_a_packet_that_losspass_loses() -> Outcome:
    """B = 2: evicting the one large byte makes room for the small packet of two bytes; line 3 refuses."""
    found = find(lambda h: _refused(h) and h.moments[-1].size + h.moments[-1].small <= h.buffer, reserves=False)
    return refutation(found, last_decision(found, "evict"), "evicting large packets until it fits would absorb it")


@evidence("losspass.sec3.3.only-small", form="printed", strength="exact")
def with_small_packets_only_it_is_tail_drop() -> Outcome:
    """Every packet that arrives while Q_l is empty is enqueued if it fits and dropped if it does not."""

    def holds(h: History, m: Moment) -> bool:
        expected = "drop" if h.overflows(m) else "enqueue"
        return not m.size or bool(m.before[1]) or m.step.decision == expected

    return Agrees(proves(all_histories("intended"), holds, "only small"), DOMAIN)


@evidence("losspass.ours.burst-at", form="printed", strength="exact")
def the_burst_at_any_length_on_a_grid() -> Outcome:
    """room_at equals room_with_reserve without reserve for all whole lengths up to 12."""
    cases = 0
    for size in range(1, 13):
        for small in range(size + 1):
            for large in range(size + 1 - small):
                length = small + large
                share = Fraction(large, length) if length else Fraction(0)
                expected = room_with_reserve(Fraction(size), Fraction(small), Fraction(large))
                check(room_at(Fraction(size), Fraction(length), share) == expected, f"{size} {small} {large}")
                cases += 1
    return Agrees(cases, "all whole B up to 12, Q_s and Q_l with Q_s + Q_l <= B")


@evidence("losspass.ours.burst-service", form="printed", strength="exact")
def the_burst_with_service_is_the_count() -> Outcome:
    """Unit packets, strict priority, 2 to 5 arrivals and one departure a slot, B up to 8."""
    cases = 0
    for B, r in product(range(1, 9), range(2, 6)):
        for B_l, large in product(range(B + 1), range(B + 1)):
            room = int(room_with_reserve(Fraction(B), Fraction(0), Fraction(large), Fraction(B_l)))
            check(
                burst_in_slots(room, r) == slotted(port(B, B_l, 0, (1,) * large), r), f"B={B} B_l={B_l} {large} r={r}"
            )
            cases += 1
    return Agrees(cases, "B up to 8 packets, all reserves and lengths of Q_l, r from 2 to 5")


def _port(reading: str, B: int, held: list[tuple[Class, int]]) -> Arbiter:
    """Return a port that holds so many packets of one byte of each class."""
    arbiter = Arbiter(PortSettings(Fraction(B), reading=READINGS[reading]))
    for kind, count in held:
        for _ in range(count):
            arbiter.arrive(Arrival(kind, Fraction(1)))
    return arbiter


def _beside_background(arbiter: Arbiter, small: int, large: int) -> int:
    """Count the small packets before one is lost: in a slot they come first, then large ones, then one departs."""
    count = 0
    while True:
        for _ in range(small):
            if arbiter.arrive(Arrival("small", Fraction(1))).decision == "drop":
                return count
            count += 1
        for _ in range(large):
            arbiter.arrive(Arrival("large", Fraction(1)))
        arbiter.depart(Departure("any"))


@evidence("losspass.ours.background", form="printed", strength="exact")
def background_fills_a_port_that_evicts_nothing() -> Outcome:
    """Count packets with 0 to 3 large ones a slot: tail drop within a slot of F r/(r + a - 1), LossPass untouched."""
    cases = 0
    for B, r, Q_s, Q_l in product(range(1, 11), range(2, 5), range(11), range(11)):
        if Q_s + Q_l > B:
            continue
        held: list[tuple[Class, int]] = [("small", Q_s), ("large", Q_l)]
        alone = _beside_background(_port("intended", B, held), r, 0)
        check(abs(alone - Fraction((B - Q_s) * r, r - 1)) <= r, f"LossPass {B} {Q_s} {r}: {alone}")
        for a in range(4):
            evicting = _beside_background(_port("intended", B, held), r, a)
            check(evicting == alone, f"LossPass {B} {Q_s} {Q_l} {r} {a}")
            dropping = _beside_background(_port("droptail-2q", B, held), r, a)
            fluid = Fraction((B - Q_s - Q_l) * r, r + a - 1)
            check(abs(dropping - fluid) <= r, f"tail drop {B} {Q_s} {Q_l} {r} {a}: {dropping}, {fluid}")
            cases += 1
    return Agrees(cases, "B up to 10 packets, all lengths, 2 to 4 small and 0 to 3 large arrivals a slot")


@evidence("losspass.ours.background-comparison", form="printed", strength="exact")
def the_comparison_on_the_papers_ports() -> Outcome:
    """Evaluate both policies at the Tomahawk port and in the testbed, R = 2 C, a = 0 and a = C."""
    found: list[object] = []
    for B, K in ((512_000, 10), (128_000, 45)):
        size, marks = Fraction(B), Ecn(Fraction(1500 * K), 2, Fraction(1500))
        for a in (0, 1):
            filled = FilledPort(
                size, size / 20, size * 19 / 20, line=Fraction(1), burst=Fraction(2), background=Fraction(a)
            )
            found.append((absorbable_burst(marks, filled), absorbable_burst(LossPass(), filled)))
    expected: list[tuple[Fraction | None, Fraction | None]] = [
        (Fraction(988_000), Fraction(972_800)), (Fraction(494_000), Fraction(972_800)),
        (Fraction(115_000), Fraction(243_200)), (Fraction(57_500), Fraction(243_200)),
    ]  # fmt: skip
    check(found == expected, f"{found}")
    return Agrees(len(found), "two ports, with and without background")


@evidence("losspass.ours.background-equal", form="printed", strength="exact")
def the_testbed_at_equal_occupancy_beside_background() -> Outcome:
    """Evaluate both policies in the testbed with K + N packets held, R = 2 C, a = 0 and a = C."""
    held, found = Fraction(47 * 1500), list[object]()
    for a in (0, 1):
        marks = Ecn(Fraction(45 * 1500), 2, Fraction(1500))
        filled = FilledPort(
            Fraction(128_000), Fraction(0), held, line=Fraction(1), burst=Fraction(2), background=Fraction(a)
        )
        found.append((absorbable_burst(marks, filled), absorbable_burst(LossPass(), filled)))
    check(found == [(115_000, 256_000), (57_500, 256_000)], f"{found}")
    return Agrees(len(found), "the testbed, with and without background")


@evidence("losspass.ours.whole-packets", form="printed", strength="exact")
def bytes_decide_as_whole_packets_do() -> Outcome:
    """Run all words of five events through small ports of odd sizes and through their rounded counterparts."""
    two = Fraction(2)
    events: list[Arrival | Departure] = [Arrival("small", two), Arrival("large", two), Departure("any")]
    cases = 0
    for B, B_l, K in product((5, 7), (0, 1, 3), (1, 3)):
        whole, left = 2 * (B // 2), 2 * (B // 2) - 2 * ((B - B_l) // 2)
        sizes = ((B, B_l, K), (whole, left, 2 * (K // 2)))
        exact, rounded = (
            PortSettings(Fraction(size), Fraction(reserve), Fraction(mark), Fraction(mark), Fraction(mark))
            for size, reserve, mark in sizes
        )
        for word in product(events, repeat=5):
            one, other = run_arbiter(exact, word), run_arbiter(rounded, word)
            decided = [[step.decision for step in run.steps] for run in (one, other)]
            check(decided[0] == decided[1] and one.marked == other.marked, f"{B} {B_l} {K} {word}")
            cases += 1
    return Agrees(cases, "12 ports, packets of 2 bytes, all words of five events")


@evidence("losspass.ours.evaluated-burst", form="printed", strength="exact")
def the_testbed_at_equal_occupancy() -> Outcome:
    """Count packets at q = K + N of a port, all of them large or not: tail drop F, LossPass tau q more."""
    cases = 0
    for B in range(2, 13):
        for q, large in product(range(B + 1), range(B + 1)):
            if large <= q:
                count = instant(port(B, 0, q - large, (1,) * large), 1)
                check(count - (B - q) == large, f"{B} {q} {large}")
                check((count > B - large) == (q - large < large), f"ECN at {large}, LossPass beside {q - large}")
                cases += 1
    held = Fraction(45 * 1500 + 2 * 1500)
    tested = [room_at(Fraction(128_000), held, tau) for tau in (Fraction(0), Fraction("0.95"), Fraction(1))]
    check(tested == [57_500, 124_475, 128_000], f"{tested}")
    return Agrees(cases, "ports of up to 12 packets of one size, all lengths")


@evidence("losspass.ours.fig8-alpha-1", form="printed", strength="exact")
def the_testbed_with_a_reserve_of_k() -> Outcome:
    """B = 128,000, K_l = 45 packets, two flows: 60,500 bytes with the reserve K_l, 57,500 under ECN, else 128,000."""
    B, K, A = Fraction(128_000), Fraction(67_500), Fraction(3000)
    check([room_with_reserve(B, Fraction(0), K + A, B_l) for B_l in (K, Fraction(0))] == [60_500, 128_000], "reserve")
    check(absorbable_burst(Ecn(K, 2, Fraction(1500)), FilledPort(B, large=K + A)) == 57_500, "ECN")
    return Agrees(3, "the testbed with two flows")


@evidence("losspass.ours.burst-in-packets", form="printed", strength="exact")
def the_burst_in_packets_is_the_count() -> Outcome:
    """Every port of up to five bytes and three victims, every packet size of the burst."""
    cases = 0
    for B, B_l, small, victims in ports(5, 3):
        for size in range(1, B + 1):
            count = instant(port(B, B_l, small, victims), size)
            formula = burst_in_packets(
                Fraction(B), Fraction(small), [Fraction(v) for v in victims], Fraction(size), Fraction(B_l)
            )
            check(formula == count, f"B={B} B_l={B_l} Q_s={small} victims={victims} size={size}")
            if len(set(victims)) == 1:
                closed = burst_of_equal_victims(
                    Fraction(B),
                    Fraction(small),
                    len(victims),
                    Fraction(victims[0]),
                    Fraction(size),
                    reserve=Fraction(B_l),
                )
                check(closed == count, f"closed form: B={B} B_l={B_l} Q_s={small} victims={victims} size={size}")
            cases += 1
    return Agrees(cases, "B up to 5 bytes, up to 3 victims, all sizes, reserves and Q_s")


@evidence("losspass.ours.small-tail", form="printed", strength="exact")
def a_short_tail_blocks_a_full_port() -> Outcome:
    """Every full port of up to six bytes whose tail is smaller than the burst's packets takes none of them."""
    cases = 0
    for B, B_l, small, victims in ports(6, 3):
        if victims and small + sum(victims) == B:
            for size in range(victims[0] + 1, B + 1):
                check(instant(port(B, B_l, small, victims), size) == 0, f"B={B} victims={victims} size={size}")
                formula = burst_in_packets(Fraction(B), Fraction(small), [Fraction(v) for v in victims], Fraction(size))
                check(formula == 0, "the formula")
                cases += 1
    return Agrees(cases, "all full ports of up to 6 bytes with up to 3 large packets")


@evidence("losspass.sec3.3.95@published", form="printed", strength="exact")
def flows_above_a_megabyte_have_95_percent_of_the_bytes() -> Outcome:
    """The part of the bytes in flows above 1 MB, for segments of 1,460 and of 1,500 bytes."""
    shares = [flow_sizes("web-search", segment).share_above("1 MB") for segment in (1460, 1500)]
    check(all(abs(share - Fraction(95, 100)) <= Fraction(1, 200) for share in shares), f"{[*map(float, shares)]}")
    return Agrees(2, "two sizes of a segment")
