"""Sections 4.1 to 4.3: the hardware arbiter, its cycles and its memory; runs and published numbers."""

from fractions import Fraction

from dtmodel.ledger import Agrees, Conflict, Outcome, Proved, check, evidence, refuted_by_values

from ..printed import names
from .histories import DOMAIN, History, Moment, all_histories, history, proves, settings_of
from .published import GBPS, KIB, MS, QUOTED, TESTBED, cycles

BOTH = ("intended", "literal")


@evidence("losspass.alg1.reads.next", form="printed", strength="exact")
def the_next_packet_reads_what_this_one_writes() -> Outcome:
    """Two small packets meet a port with one large one: with the old tail the second would evict it again."""
    letters = [("arrive", "large", 1), ("arrive", "small", 1), ("arrive", "small", 1)]
    item = history(settings_of("intended", 1), letters)
    stale = item.moments[1].before[1]  # what the third packet would read before lines 5 and 6 have written
    check(bool(stale) and not item.moments[2].before[1], "the tail pointer has changed in between")
    decided = [m.step.decision for m in item.moments]
    check(decided == ["enqueue", "evict", "drop"] and stale[-1].number == item.moments[1].step.victim, f"{decided}")
    return Proved("read before the write, the tail pointer names a packet gone", {"B": "1", "packets": "3"})


@evidence("losspass.intro.five-cycles", form="printed", strength="exact")
def the_introductions_five_cycles_against_two() -> Outcome:
    """Introduction against slides."""
    return cycles("losspass.slides.clocks")


@evidence("losspass.sec4.1.no-loops", form="printed", strength="exact")
def an_arrival_changes_two_packets_at_most() -> Outcome:
    """Packets removed and inserted by one arrival, both readings."""

    def holds(_: History, m: Moment) -> bool:
        before = {p.number for queue in m.before for p in queue}
        after = {p.number for queue in m.after for p in queue}
        return len(before - after) <= 1 and len(after - before) <= 1

    return Agrees(sum(proves(all_histories(reading), holds, reading) for reading in BOTH), DOMAIN)


@evidence(
    "losspass.sec4.1.lookup", "losspass.sec4.1.arbiter", "losspass.slides.clock2", form="printed", strength="exact"
)
def cycles_add_up() -> Outcome:
    """Section 4.1's list adds up: match, update; conditions, free, link; the slides count the victim alike."""
    paper, slides = QUOTED["cycles"]["paper"], QUOTED["cycles"]["slides"]
    check(paper["DSCP match"] + paper["queue index"] == 2, "look-up")
    check(paper["conditions"] + paper["free the victim"] + paper["link the packet"] == 3, "arbiter")
    check(paper["free the victim"] == slides["free the victim"] == 1, "freeing the victim")
    return Agrees(3, "look-up, arbiter, and freeing the victim in both documents")


@evidence("losspass.sec4.1.total", "losspass.slides.clocks", form="printed", strength="exact")
def five_cycles_against_two() -> Outcome:
    """Paper against slides."""
    return cycles("losspass.slides.clocks")


@evidence("losspass.ours.uncounted-lines", form="printed", strength="exact")
def the_five_cycles_leave_lines_out() -> Outcome:
    """A packet that evicts and is marked passes lines 1 to 6, 14 and 15; cycles are given for 2 to 6 only."""
    passed, counted = {1, 2, 3, 4, 5, 6, 14, 15}, {2, 3, 4, 5, 6}
    check(passed - counted == {1, 14, 15}, "other lines")
    return Proved("lines 1, 14 and 15 have no cycle", {"passed": str(len(passed)), "counted": str(len(counted))})


@evidence("losspass.sec4.1.percent", form="printed", strength="exact")
def five_of_800_cycles() -> Outcome:
    """5/800 = 0.625 % lies in the rounding interval of 0.63 (half up)."""
    check(Fraction(500, 800) == Fraction("0.625"), "0.625 %")
    check(names("0.63", Fraction("0.625")), "[0.625, 0.635)")
    return Proved("0.625 is the lower end of [0.625, 0.635)", {"cycles": "5", "of": "800"})


@evidence("losspass.abstract.inexpensive", form="printed", strength="exact")
def few_of_the_cycles_of_a_packet() -> Outcome:
    """The cycles that the paper counts, and those of the slides, over 800."""
    for counted in QUOTED["cycles"].values():
        check(0 < Fraction(sum(counted.values()), 800) < Fraction(1, 100), f"{counted}")
    total = sum(QUOTED["cycles"]["paper"].values())
    return Proved(f"{total}/800", {"cycles": str(total), "of": "800"}, ["100*cycles < of"])


@evidence("losspass.sec4.1.nanoseconds", "losspass.sec4.1.hundreds", form="printed", strength="exact")
def cycles_in_nanoseconds() -> Outcome:
    """5 and 800 cycles at 10^9 a second."""
    check([Fraction(n, 10**9) * 10**9 for n in (5, 800)] == [5, 800], "ns")
    check(len(str(800)) == 3, "hundreds: three digits")
    return Agrees(2, "5 and 800 cycles")


@evidence("losspass.sec4.1.line-rate", form="printed", strength="exact")
def five_cycles_keep_up_with_small_packets() -> Outcome:
    """64 bytes (84 with preamble and gap) at 100 Gbps last longer than 5 ns."""
    check(all(Fraction(size) / (100 * GBPS) >= Fraction(5, 10**9) for size in (64, 84)), "5 ns")
    return Agrees(2, "64 bytes, and 84 on the wire")


@evidence("losspass.sec4.1.head.line3", form="printed", strength="exact")
def evicting_the_head_makes_room_as_well() -> Outcome:
    """The reading 'head': one eviction, of the head, and the port holds the packet."""

    def holds(h: History, m: Moment) -> bool:
        evicted = m.step.decision == "evict"
        return not evicted or (m.left and m.step.victim == m.before[1][0].number and m.small_after <= h.room)

    return Agrees(proves(all_histories("head"), holds, "head"), DOMAIN)


@evidence("losspass.sec4.1.tens", form="printed", strength="exact")
def the_timer_is_tens_of_sojourns_at_the_threshold() -> Outcome:
    """K = 45 packets of 1500 bytes at 1 Gbps with 10 ms; K = 84 and K = 45 at 10 Gbps with 5 ms."""
    settings = ((10 * MS, 45, GBPS), (5 * MS, 84, 10 * GBPS), (5 * MS, 45, 10 * GBPS))
    factors = [timer / (packets * 1500 / rate) for timer, packets, rate in settings]
    check(all(10 <= factor < 100 for factor in factors), f"{[float(factor) for factor in factors]}")
    return Agrees(len(factors), "the testbed, and the simulations at both thresholds")


@evidence("losspass.sec4.1.tens@full-port", form="printed", strength="exact")
def the_timer_is_less_than_ten_sojourns() -> Outcome:
    """10 ms against B/C of the testbed (either KB)."""
    check(all(TESTBED["RTO"] < 10 * Fraction(size) / GBPS for size in (128_000, 128 * KIB)), "either unit")
    return refuted_by_values(
        {"RTO": "1/100", "B": 128_000, "C": 125_000_000}, "RTO >= 10*B/C", "a full port drains in 1.024 ms"
    )


@evidence("losspass.sec4.2.idle", form="printed", strength="exact")
def dropping_at_the_egress_wastes_a_slot() -> Outcome:
    """Two packets, the first evicted: in slot 1 nothing is sent although packet 1 waits."""
    waiting, evicted, sent = [0, 1], {0}, []
    for _ in range(2):
        packet = waiting.pop(0)
        sent.append(None if packet in evicted else packet)
    check(sent == [None, 1], "slot 1 is idle")
    return Proved("slot 1 carries nothing", {"waiting": "1"})


@evidence("losspass.slides.clock1", form="printed", strength="exact")
def one_cycle_against_three() -> Outcome:
    """DSCP look-up (2) and conditions (1), against one clock."""
    paper = QUOTED["cycles"]["paper"]
    same = sum(paper[step] for step in ("DSCP match", "queue index", "conditions"))
    slides = QUOTED["cycles"]["slides"]["DSCP, packet size, reserve"]
    check(same != slides, "two counts")
    said = "The look-up alone takes two cycles in Section 4.1."
    return Conflict("losspass.sec4.1.lookup", said, {"paper": same, "slides": slides})
