"""Sections 2.2 and 3.3: the buffer that keeps the link busy; runs and published numbers."""

from fractions import Fraction

from dtmodel.ledger import Agrees, Conflict, Outcome, check, evidence, refuted_by_values
from dtmodel.theory.losspass.ecn import Sawtooth, dctcp_margin

from ..printed import interval
from ..support.losspass.dctcp import dctcp_line_rate
from ..support.losspass.rounds import Rounds, least_threshold_in_packets
from .histories import History, _tail_drop, find, history, last_decision, refutation, settings_of
from .senders import GRID, run, tooth

SIZES = "D from 1 to 12, K up to 12, N from 1 to 5"


def _bytes(item: History) -> Fraction | int:
    return item.moments[-1].small_after + item.moments[-1].large_after


@evidence("losspass.sec3.3.equivalent@decisions", form="printed", strength="exact")
def losspass_evicts_where_ecn_at_b_drops() -> Outcome:
    """Equal arrivals to LossPass and to tail drop with marks at K = B end differently."""
    found = find(lambda h: h.moments[-1].after != _tail_drop(h).moments[-1].after, reserves=False)
    other = history(settings_of("droptail-2q", int(found.buffer), 0, (None, None, int(found.buffer))), found.letters)
    check(not other.moments[-1].marked, "ECN with K = B marks nothing")
    return refutation(found, last_decision(found, other.moments[-1].step.decision), "LossPass evicts, ECN drops")


@evidence("losspass.sec3.3.lp-line-rate", form="printed", strength="exact")
def an_eviction_can_leave_fewer_bytes_to_send() -> Outcome:
    """After the same arrivals the port holds fewer bytes than under tail drop, so the link runs dry earlier."""
    found = find(lambda h: _bytes(h) < _bytes(_tail_drop(h)), reserves=False)
    left = _tail_drop(found).moments[-1].after
    claimed = {"final": {"large": [[p.number, p.size] for p in left[1]]}}
    return refutation(found, claimed, "one byte is left to send; tail drop would have two")


@evidence("losspass.sec2.2.buffer", "losspass.slides.bdp", form="printed", strength="exact")
def a_gentle_cut_needs_less_buffer() -> Outcome:
    """A cut of 1/4 (DCTCP at alpha = 1/2) with B = D/3: three quarters of the peak 4/3 D are D; a late cut.

    Halved when it is a packet larger than pipe and buffer hold, a window of 4 keeps a pipe of 2 busy with B = 1.
    """
    tooth = Sawtooth(Fraction(3), Fraction(1), 1, Fraction(1, 4), buffer=Fraction(1))
    check(tooth.line_rate, "line rate with a third of C RTT")
    check(Sawtooth(Fraction(2), Fraction(1), 1).line_rate, "a packet more than D = 2 and B = 1 hold, at the cut")
    values = {"D": "3", "B": "1", "beta": "1/4"}
    return refuted_by_values(
        values, "B >= D", "line rate with a buffer of a third of C RTT", ["(1 - beta)*(D + B) >= D"]
    )


@evidence("losspass.fn1", form="printed", strength="exact")
def windows_of_four_packets_need_more_than_0_17() -> Outcome:
    """D = 400, N = 117, K = 68 = 0.17 D: the exact alpha empties the queue; so does K = 0.19 D for w near 4."""
    check(not dctcp_line_rate(Fraction(400), Fraction(68), 117), "no line rate at 0.17")
    check(not dctcp_line_rate(Fraction(400), Fraction(76), 119), "no line rate at 0.19 with w = 4")
    check(dctcp_line_rate(Fraction(400), Fraction(80), 120), "line rate at 0.20 with w = 4")
    says = "the largest alpha that keeps the queue, 2 (K + N)/(D + K + N), is below DCTCP's fixed point"
    values = {"D": "400", "K": "68", "N": "117"}
    statement = "4*((K + N)/N)**2*(1 - (K + N)/(2*(D + K + N))) >= 2*(D + K + N)/N - 1"
    return refuted_by_values(values, statement, says, ["K == 0.17*D", "2*(K + N)/(D + K + N) < 1"])


@evidence("losspass.ours.dctcp-line-rate", form="printed", strength="exact")
def the_margin_of_dctcp_tells_when_the_link_is_busy() -> Outcome:
    """The sign of the margin and the exact comparison at the fixed point, in whole packets, agree."""
    for D, K, N in GRID:
        busy = dctcp_margin(Fraction(D), Fraction(K), N, 1) >= 0
        check(busy == dctcp_line_rate(Fraction(D), Fraction(K), N), f"D = {D}, K = {K}, N = {N}")
    return Agrees(len(GRID), SIZES)


@evidence("losspass.intro.larger-than-bdp", form="printed", strength="exact")
def a_buffer_of_exactly_the_pipe_is_enough() -> Outcome:
    """B = D = K + N a: the peak 2 D is halved to D."""
    tooth = Sawtooth(Fraction(8), Fraction(6), 2, Fraction(1, 2), buffer=Fraction(8))
    check(tooth.line_rate, "line rate with B = C RTT")
    return refuted_by_values({"B": 8, "D": 8}, "B > D", "line rate with a buffer of exactly C RTT", ["(D + B)/2 >= D"])


@evidence("losspass.fn1@testbed", form="printed", strength="exact")
def ten_packets_exceed_the_footnotes_threshold() -> Outcome:
    """0.17 * 62,500 bytes against 10 packets; 620 of 1000 (or 995) Mbps are no line rate."""
    needed = Fraction("0.17") * 62_500 / 1500
    check(needed < 10, "K = 10 exceeds it")
    check(all(interval("620")[1] < full for full in (995, 1000)), "620 Mbps are less than the link")
    said = "By the footnote K = 10 is enough, and the measured throughput is 620 Mbps."
    return Conflict("losspass.sec5.1.1.dctcp-620", said, {"0.17 C RTT in packets": needed, "K": 10})


@evidence("losspass.ours.utilisation", form="printed", strength="exact")
def utilisation_is_the_integral_on_a_grid() -> Outcome:
    """The closed form equals the exact integral, for three cuts and both growths."""
    cases = 0
    for D, K, N in GRID:
        for cut in (Fraction(1, 2), Fraction(1, 4), Fraction(9, 10)):
            saw = Sawtooth(Fraction(D), Fraction(K), N, cut)
            base = tooth(saw.bdp, saw.trough, saw.peak, Fraction(N), actual=False)
            check(saw.utilisation("base") == base.carried / base.period, f"base: D={D} K={K} N={N} {cut}")
            actual = tooth(saw.bdp, saw.trough, saw.peak, Fraction(N), actual=True)
            check(saw.utilisation("actual") == actual.carried / actual.period, f"actual: D={D} K={K} N={N} {cut}")
            cases += 2
    return Agrees(cases, SIZES + ", cuts 1/2, 1/4, 9/10")


@evidence("losspass.ours.three-quarters@packets", form="printed", strength="exact")
def rounding_down_can_leave_a_quarter_and_more() -> Outcome:
    """D = 8, K = 0, N = 3: windows of 1, 2 and 3 packets send 18 packets in the time of 8 + 8 + 9."""
    D, K, N = 8, 0, 3
    sent = [N * w for w in run(D, K, N)]
    lasted = sum(max(D, packets) for packets in sent)
    check(max(sent) > D and Fraction(sum(sent), lasted) == Rounds(D, K, N).utilisation, f"{sent}")
    values = {"D": D, "peak": max(sent), "sent": sum(sent), "lasted": lasted}
    return refuted_by_values(values, "sent/lasted >= 3/4", "18/25 of the link, peak above the pipe", ["peak > D"])


@evidence("losspass.ours.least-k-packets", form="printed", strength="exact")
def line_rate_in_whole_packets() -> Outcome:
    """Rounds run one by one: all of them fill the link iff floor((K + D)/N) >= 2 ceil(D/N) - 1, for D > N."""
    cases = 0
    for D, K, N in GRID:
        fills = all(N * w >= D for w in run(D, K, N))
        check(fills == Rounds(D, K, N).line_rate, f"D={D} K={K} N={N}")
        check(D > N or fills, "one packet a flow fills the link")
        if D > N:
            check(fills == ((K + D) // N >= 2 * -(-D // N) - 1), f"D={D} K={K} N={N}")
            check(fills == (least_threshold_in_packets(D, N) <= K), f"D={D} K={K} N={N}")
            check(least_threshold_in_packets(D, N) == max(0, N * (2 * -(-D // N) - 1) - D), "closed form")
        cases += 1
    return Agrees(cases, SIZES)
