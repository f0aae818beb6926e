"""Sections 5.1.1 and 5.1.2: the testbed, Figures 4 to 7; runs and published numbers."""

from collections.abc import Callable
from fractions import Fraction

from dtmodel import Arrivals, CompleteSharing, Switch, simulate
from dtmodel.ledger import Agrees, Conflict, Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.packet.flow_sizes import flow_sizes

from ..printed import interval, names
from ..support.experiments import Kept
from ..support.shares import Shares
from .figures import fig_timeout
from .published import KIB, MIB, QUOTED, SIMULATION, TESTBED, overlap, pias


def mbps(shares: Shares, reading: str, policy: str, seed: int) -> float:
    """Return the throughput of the payloads of two flows, with 1,460 of 1,500 bytes in each packet."""
    return 1000 * sum(shares.rates((reading, policy, seed), 0, 1)) * 1460 / 1500


@evidence("losspass.sec2.2.dctcp-393", form="printed", strength="sampled")
def the_throughput_that_dctcp_loses_at_five_packets() -> Outcome:
    """1 Gbps less the throughput of two flows with DCTCP at K = 5, in Mbps: the median over the seeds."""
    shares = Shares.read("losspass.fig5-throughput")
    return shares.kept.number(lambda reading, seed: 1000 - mbps(shares, reading, "DCTCP, K = 5", seed), 393, 0)


@evidence("losspass.sec5.1.1.dctcp-620", form="printed", strength="sampled")
def the_throughput_of_dctcp_at_ten_packets() -> Outcome:
    """The throughput of two flows with DCTCP at K = 10, in Mbps: the median over the seeds."""
    shares = Shares.read("losspass.fig5-throughput")
    return shares.kept.number(lambda reading, seed: mbps(shares, reading, "DCTCP, K = 10", seed), 620, 0)


@evidence("losspass.sec5.1.1.full-throughput", "losspass.slides.line-rate", form="printed", strength="sampled")
def the_link_is_full_under_losspass() -> Outcome:
    """The rate of two flows under LossPass, packets with headers: at least 0.95 of the link."""
    shares = Shares.read("losspass.fig5-throughput")
    phase = (0, 1, (1,))
    return shares.kept.always(lambda reading, seed: shares.full((reading, "LossPass", seed), [phase]), "full")


ECN = tuple(f"{control}, K = {k}" for control in ("ECN*", "DCTCP") for k in (10, 20, 45))
SIZE = 32_000.0
"""The schemes of Figure 5 beside LossPass, and the size of a response in bytes."""


@evidence("losspass.sec2.2.fig1", form="printed", strength="sampled")
def throughput_and_latency_at_5_and_45_packets() -> Outcome:
    """The throughput, and the 99 % interval of the 99th percentile of queries, at K = 5 over those at K = 45."""
    shares = Shares.read("losspass.fig1")
    kept = shares.kept

    def less(reading: str, seed: int) -> bool:
        low, high = ([mbps(shares, reading, f"{name}, K = {k}", seed) for name in ("ECN*", "DCTCP")] for k in (5, 45))
        return all(x < y for x, y in zip(low, high, strict=True))

    def tails(name: str) -> Callable[[str, int], float]:
        return lambda reading, seed: (
            kept.of(reading, f"{name}, K = 5", seed, "query_p99", SIZE)
            / kept.of(reading, f"{name}, K = 45", seed, "query_p99", SIZE)
        )

    sooner = [kept.sooner(tails(name), f"sooner queries with {name}") for name in ("ECN*", "DCTCP")]
    return kept.all_of(kept.always(less, "less throughput at K = 5 than at K = 45"), *sooner)


@evidence(
    "losspass.sec5.1.1.qct", "losspass.intro.qct-22.24", "losspass.slides.qct-22.24", form="printed", strength="sampled"
)
def the_greatest_ratio_of_the_tails_of_queries() -> Outcome:
    """The greatest 99th percentile of queries with ECN over that of LossPass, with ECN in two queues and in one."""
    two, one = Kept.read("losspass.fig5"), Kept.read("losspass.fig1")

    def most(ecn: Kept) -> Callable[[str, int], float]:
        return lambda reading, seed: (
            max(ecn.of(reading, policy, seed, "query_p99", SIZE) for policy in ECN)
            / two.of(reading, "LossPass", seed, "query_p99", SIZE)
        )

    return two.number(most(two), 22.24, 2, most(one))


@evidence("losspass.sec5.1.1.best", "losspass.slides.best", form="printed", strength="sampled")
def no_scheme_has_more_throughput_or_a_shorter_tail() -> Outcome:
    """The throughput of each scheme: at most 1.01 of LossPass's; the 99 % interval of the 99th percentiles."""
    shares = Shares.read("losspass.fig5")
    kept = shares.kept

    def least(reading: str, seed: int) -> bool:
        own = mbps(shares, reading, "LossPass", seed)
        return all(mbps(shares, reading, policy, seed) <= 1.01 * own for policy in ECN)

    def tails(policy: str) -> Callable[[str, int], float]:
        return lambda reading, seed: (
            kept.of(reading, "LossPass", seed, "query_p99", SIZE) / kept.of(reading, policy, seed, "query_p99", SIZE)
        )

    shorter = kept.all_of(*(kept.sooner(tails(policy), policy) for policy in ECN))
    shorter = kept.repeated(shorter.reproduced, "a shorter tail than each scheme")
    return kept.all_of(kept.always(least, "1.01 of LossPass's throughput at most"), shorter)


@evidence("losspass.abstract.line-rate", form="printed", strength="sampled")
def a_full_link_and_sooner_queries_under_losspass() -> Outcome:
    """The rate of two flows under LossPass; the 99 % interval of the mean time of queries over DCTCP at K = 45."""
    shares = Shares.read("losspass.fig5")
    kept, phase = shares.kept, (0, 1, (1,))

    def mean(reading: str, seed: int) -> float:
        new, old = (kept.of(reading, policy, seed, "query_mean", SIZE) for policy in ("LossPass", "DCTCP, K = 45"))
        return float(new / old)

    full = kept.always(lambda reading, seed: shares.full((reading, "LossPass", seed), [phase]), "full")
    return kept.all_of(full, kept.sooner(mean, "sooner queries than with DCTCP at K = 45"))


@evidence("losspass.intro.pias-average", form="printed", strength="exact")
def the_introductions_average_is_the_evaluations() -> Outcome:
    """1.31 is the larger of 1.31 and 1.09."""
    average = QUOTED["average"]
    largest = max(average["PIAS, web search"], average["PIAS, data mining"], key=Fraction)
    check(overlap(interval(average["introduction, PIAS"]), interval(largest)), "the larger one")
    return Agrees(1, "introduction and Section 5.1.2")


@evidence("losspass.intro.pias-99", "losspass.slides.pias-3.20", form="printed", strength="exact")
def the_headline_against_section_5_1_2() -> Outcome:
    """The headline 3.20 (at least 3.195) against at most 1.925 and 1.665."""
    return pias("losspass.sec5.1.2.pias-99-web")


@evidence("losspass.intro.10ms-small", form="printed", strength="exact")
def a_timeout_against_10_kb() -> Outcome:
    """(RTT + S/C + T)/(RTT + S/C) for 10 KB in the testbed."""
    factor = 1 + TESTBED["RTO"] / (TESTBED["RTT"] + 10_000 / TESTBED["C"])
    check(factor > 10, "more than ten")
    return Proved(f"the factor is {float(factor):.1f}", {"S": "10000"})


@evidence("losspass.intro.10ms-large", form="printed", strength="exact")
def a_timeout_against_10_mb() -> Outcome:
    """T/(RTT + S/C) and the number of round trips for 10 MB in the testbed."""
    duration = TESTBED["RTT"] + 10_000_000 / TESTBED["C"]
    check(TESTBED["RTO"] / duration < Fraction(1, 6), "less than a sixth")
    check(duration / TESTBED["RTT"] == 161, "161 round trips")
    return Proved(f"{float(TESTBED['RTO'] / duration):.3f} of {float(duration * 1000)} ms", {"S": "10000000"})


@evidence("losspass.sec2.1.tomahawk@binary", form="printed", strength="exact")
def sixteen_mib_over_32_ports() -> Outcome:
    """16 MiB over 4 times 8 ports."""
    check(Fraction(16 * MIB, 4 * 8) == 512 * KIB, "512 KiB")
    return Proved("16 MiB/32 = 512 KiB", {"ports": "32"})


@evidence("losspass.sec2.1.tomahawk@decimal", form="printed", strength="exact")
def sixteen_mb_over_32_ports() -> Outcome:
    """16 MB over 4 times 8 ports are 500 KB, outside the rounding interval of 512."""
    check(not names("512", Fraction(16_000, 32)), "500 is not 512")
    return refuted_by_values({"S": 16_000_000}, "S/(4*8) == 512000", "500,000 bytes")


@evidence("losspass.sec2.1.timeout@own-settings", form="printed", strength="exact")
def tens_of_round_trips_are_not_hundreds() -> Outcome:
    """A timeout is 20 round trips in the testbed (10 ms/500 us), 58.7 in the simulations."""
    factors = [Fraction(10_000, 500), Fraction(5000) / Fraction("85.2")]
    check(all(factor < 100 for factor in factors), "less than a hundred")
    return Conflict("losspass.sec5.1.rto", "In the paper's own settings a timeout is 20 and 58.7 round trips.",
                    {"testbed": factors[0], "simulations": factors[1]})  # fmt: skip


@evidence("losspass.sec2.1.batching", form="printed", strength="exact")
def one_batch_alone_leaves_no_queue() -> Outcome:
    """A batch of 64 KB at 1 Gbps into a port of 1 Gbps: no queue at its end; two of them leave one batch."""
    switch, size, rate = Switch(ports=1, buffer="1 MB", rate="1 Gbps"), Fraction(64_000), Fraction(125_000_000)
    end = size / rate
    for n in (1, 2):
        run = simulate(switch, CompleteSharing(), {0: Arrivals.burst(n * rate, end)}, until=end)
        check(run.queue(0).at(end) == (n - 1) * size, "what the batches leave")
    return refuted_by_values({"n": 1, "b": 1}, "(n - 1) * b > 0", "a batch alone leaves no queue", ["n >= 1", "b > 0"])


@evidence("losspass.sec5.1.normalised", form="printed", strength="exact")
def quoted_ratios_are_above_1_where_losspass_is_better() -> Outcome:
    """Ratios that the text calls better are above 1, those that it calls worse below."""
    better = [*QUOTED["average"].values(), *QUOTED["qct"].values(), *QUOTED["simulated-small"].values()]
    better += [text for text, _ in (*QUOTED["headline-99"].values(), *QUOTED["evaluation-99"].values())]
    better += [QUOTED["large-against-ecn"]["simulation"], QUOTED["large-against-droptail"]["simulation"]]
    worse = [*QUOTED["large"].values(), QUOTED["large-against-ecn"]["testbed"]]
    least, most = min(interval(text)[0] for text in better), max(interval(text)[1] for text in worse)
    check(most < 1 < least, "a ratio is on the other side of 1")
    values, order = {"better": str(least), "worse": str(most)}, ["worse < 1", "1 < better"]
    return Proved(f"{len(better)} ratios above 1 and {len(worse)} below", values, order)


@evidence("losspass.sec5.1.normalised@every-figure", form="printed", strength="exact")
def figure_8_has_another_divisor() -> Outcome:
    """Section 5.1 names LossPass, the text on Figure 8 names PIAS."""
    divisors = QUOTED["normalised"]
    check(len(set(divisors.values())) > 1, "two divisors")
    return Conflict("losspass.fig8.normalised", "Figure 8 divides by the values of PIAS.", divisors)


@evidence("losspass.sec2.1.multiple", "losspass.slides.timeout", form="printed", strength="exact")
def one_timeout_multiplies_a_round_trip() -> Outcome:
    """(RTT + RTO)/RTT in the testbed and in the simulations."""
    factors = [1 + s["RTO"] / s["RTT"] for s in (TESTBED, SIMULATION)]
    check(all(factor >= 2 for factor in factors), "a multiple")
    return Agrees(2, f"factors {float(factors[0]):.0f} and {float(factors[1]):.1f}")


@evidence("losspass.intro.10ms-large.simulations", form="printed", strength="exact")
def a_timeout_weighs_more_at_10_gbps() -> Outcome:
    """Read the factors at 10 MB off the picture of the slide."""
    testbed, simulations = (large for _, large in fig_timeout.data().quoted.values())
    check(names("1.12", testbed) and names("1.62", simulations), f"{float(testbed)} and {float(simulations)}")
    return Agrees(2, "testbed and simulations")


@evidence("losspass.sec2.2.nodes", "losspass.sec5.1.servers", form="printed", strength="exact")
def seven_nodes() -> Outcome:
    """Both counts give seven nodes: 1 + 4 + 2 and 1 + 6."""
    check(1 + 4 + 2 == 7, "client, servers, background")
    check(1 + 6 == 7, "receiver and senders")
    return Agrees(2, "Sections 2.2 and 5.1")


@evidence("losspass.sec5.1.bdp", "losspass.sec5.1.k45.line-rate", form="printed", strength="exact")
def the_testbeds_pipe() -> Outcome:
    """Compare the pipe of 62,500 bytes with B and with K = 45 packets (of 1460 or 1500 bytes)."""
    bdp = TESTBED["C"] * TESTBED["RTT"]
    check(bdp == 62_500, "62,500 bytes")
    check(min(128_000, 128 * KIB) >= bdp, "B")
    check(all(45 * packet >= bdp for packet in (1460, 1500)), "K")
    return Agrees(4, "two units of KB, two packet sizes")


@evidence("losspass.sec5.1.k45@kib-frame", "losspass.sec5.1.k45@kb-data", form="printed", strength="exact")
def readings_of_66_kb_that_fit() -> Outcome:
    """45 * 1500/1024 = 65.9 and 45 * 1460/1000 = 65.7 round to 66; 45 * 1460/1024 = 64.2 does not."""
    check(names("66", Fraction(45 * 1500, 1024)), "KiB, frames")
    check(names("66", Fraction(45 * 1460, 1000)), "KB, data")
    check(not names("66", Fraction(45 * 1460, 1024)), "KiB, data")
    return Agrees(2, "the two readings")


@evidence("losspass.sec5.1.rtt-min", "losspass.sec5.1.rto", form="repaired", strength="exact")
def a_timeout_above_the_base_rtt() -> Outcome:
    """RTO_min = 10 ms is 20 base RTTs, a possible timeout."""
    check(TESTBED["RTO"] / TESTBED["RTT"] == 20, "20")
    return Proved("10 ms/500 us = 20", {"RTO": "1/100", "RTT": "1/2000"}, ["RTO >= RTT"])


@evidence("losspass.sec5.1.rto", form="printed", strength="exact")
def twenty_round_trips() -> Outcome:
    """Divide the timeout of 10 ms by the round trip of 500 us."""
    check(TESTBED["RTO"] / TESTBED["RTT"] == 20, "20")
    return Proved("20", {"RTO": "1/100", "RTT": "1/2000"})


@evidence("losspass.ours.demotion", form="printed", strength="exact")
def switch_and_metrics_draw_different_lines() -> Outcome:
    """Flows of 500 KB and 2 MB are medium; the first is never demoted at T = 1 MB, the second is after a megabyte."""
    T, small, large = 1_000_000, 100_000, 10_000_000
    in_q_s = {size: min(size, T) for size in (500_000, 2_000_000, 20_000_000)}
    check(all(small < size <= large for size in (500_000, 2_000_000)), "both are medium")
    check(in_q_s == {500_000: 500_000, 2_000_000: T, 20_000_000: T}, f"{in_q_s}")
    return Proved("two medium flows, one of them evictable", {"T": str(T), "small": str(small), "large": str(large)},
                  ["small < T", "T < large"])  # fmt: skip


@evidence("losspass.sec5.1.1.full-throughput@of-the-link", form="printed", strength="exact")
def a_shaped_link_is_not_full() -> Outcome:
    """99.5 % against 100 %: a shaped link cannot carry all of its capacity."""
    share = Fraction("99.5") / 100
    check(share < 1, "less than the link")
    goodput = share * Fraction(1460, 1538)  # data over frame with headers, preamble and gap
    said = "A link shaped to 99.5 % does not reach 100 % of its capacity."
    return Conflict("losspass.sec4.3.shaper", said, {"shaped": share, "goodput at most": goodput})


@evidence("losspass.sec5.1.1.because@unlimited", form="printed", strength="exact")
def the_testbed_limits_the_queue() -> Outcome:
    """ECN at K = 45 packets is on by default."""
    check(45 * 1500 < 128_000, "K < B")
    return Conflict("losspass.sec3.2.4.kl", "Marking at K = 45 packets limits the queue of large flows.",
                    {"K": 67_500, "B": 128_000})  # fmt: skip


@evidence("losspass.sec5.1.1.burst", form="printed", strength="exact")
def sixteen_responses_exceed_the_port() -> Outcome:
    """16 times 32 KB against 128 KB, in either unit: beyond B something is lost, whatever is evicted."""
    check(all(Fraction(16 * 32 * kilo, 128 * kilo) == 4 for kilo in (1000, KIB)), "four times the port")
    return Proved("512 KB against a port of 128 KB", {"B": "128000", "burst": "512000"}, ["burst > B"])


@evidence("losspass.sec5.1.2.pias-99-web", "losspass.sec5.1.2.pias-99-mining", form="printed", strength="exact")
def section_5_1_2_against_the_headline() -> Outcome:
    """Both workloads together leave no room for 3.20."""
    return pias("losspass.intro.pias-99")


@evidence("losspass.sec5.1.2.decrease", form="printed", strength="exact")
def gaps_shrink_in_data_mining() -> Outcome:
    """Web search against data mining: 2.00, 1.31, 1.92 against 1.63, 1.09, 1.66, rounding allowed for."""
    average, tail = QUOTED["average"], QUOTED["evaluation-99"]
    pairs = [(average[f"{who}, web search"], average[f"{who}, data mining"]) for who in ("ECN", "PIAS")]
    pairs.append((tail["PIAS, web search"][0], tail["PIAS, data mining"][0]))
    check(all(interval(mining)[1] < interval(web)[0] for web, mining in pairs), "smaller")
    return Agrees(3, "three quoted pairs")


@evidence("losspass.sec5.1.2.heavier@published", form="printed", strength="exact")
def data_mining_has_the_heavier_tail() -> Outcome:
    """At most a tenth of data mining's flows has nine tenths of its bytes; a tenth of web search's, less than that."""
    web, mining = flow_sizes("web-search"), flow_sizes("data-mining")
    check(mining.above("400 KB") <= Fraction(1, 10) and mining.share_above("400 KB") > Fraction(9, 10), "data mining")
    check(web.above("4 MB") >= Fraction(1, 10) and web.share_above("4 MB") < Fraction(9, 10), "web search")
    return Agrees(2, "two distributions")


@evidence("losspass.sec5.1.2.slightly", "losspass.sec7.slightly", form="printed", strength="exact")
def large_flows_slow_down_by_less_than_a_tenth() -> Outcome:
    """Invert the ratios quoted for large flows, 0.93 to 0.99: at most 1/0.925."""
    worst = max(1 / interval(text)[0] for text in QUOTED["large"].values())
    check(worst < Fraction(11, 10), "less than a tenth")
    return Proved(f"at most {float(worst):.4f}", {"ratio": "0.93"})


@evidence("losspass.sec5.1.2.worse-both", form="printed", strength="exact")
def in_data_mining_losspass_is_never_worse_than_ecn() -> Outcome:
    """1.00 to 1.02 against ECN: the middle of the range is above 1, and its upper end is so in any rounding."""
    low, high = QUOTED["large-mining"]["ECN"]
    check(Fraction(low) >= 1 and interval(high)[0] > 1, "as fast or faster")
    return Conflict("losspass.sec5.1.2.large-mining", "By the range quoted for data mining large flows are as fast as "
                    "under ECN or faster.", {"ECN": [low, high]})  # fmt: skip


@evidence("losspass.slides.testbed", "losspass.slides.classes", form="printed", strength="exact")
def slides_and_paper_agree_on_the_testbed() -> Outcome:
    """Rate, flows, loads, queries, transport and class bounds: slides against Sections 2.2 and 5.1, blanks aside."""
    paper, slides = QUOTED["testbed"]["paper"], QUOTED["testbed"]["slides"]
    check(paper.keys() == slides.keys(), "the same quantities")
    check(all(paper[key].replace(" ", "") == slides[key].replace(" ", "") for key in paper), "equal")
    return Agrees(len(slides), ", ".join(slides))


@evidence("losspass.ours.same-qct", form="printed", strength="exact")
def one_qct_in_three_places() -> Outcome:
    """Compare the ratio as the introduction, Section 5.1.1 and the slides have it."""
    places = QUOTED["qct"]
    check(len(set(places.values())) == 1, "one number")
    return Agrees(len(places), ", ".join(places))


@evidence("losspass.ours.dctcp-order", form="printed", strength="exact")
def throughput_rises_with_k() -> Outcome:
    """Of 1000 or 995 Mbps less 393, against 620."""
    check(all(full - 393 < 620 for full in (1000, 995)), "less")
    return Agrees(2, "full rates of 1000 and 995 Mbps")


MEANS = {"web-search": Fraction("1.58"), "data-mining": Fraction("7.12")}


@evidence("losspass.sec5.workloads@mib", form="printed", strength="exact")
def the_quoted_means_are_mebibytes_cut_after_two_digits() -> Outcome:
    """The means of the published distributions in segments of 1,460 bytes: 1.588 and 7.124 MiB."""
    for name, quoted in MEANS.items():
        mean = flow_sizes(name).mean / 2**20
        check(quoted <= mean < quoted + Fraction(1, 100), f"{name}: {float(mean)}")
    return Agrees(2, "both workloads")


@evidence("losspass.sec5.workloads@mb", form="printed", strength="exact")
def the_quoted_means_are_no_megabytes() -> Outcome:
    """In units of 10^6 bytes the means of the published distributions are 1.665 and 7.470."""
    found = {name.replace("-", "_"): str(flow_sizes(name).mean / 10**6) for name in MEANS}
    apart = "abs(web_search - 1.58) <= 0.005 and abs(data_mining - 7.12) <= 0.005"
    return refuted_by_values(found, apart, "1.665 and 7.470 MB")


@evidence("losspass.sec5.1.tau-t@published", form="printed", strength="exact")
def a_quarter_of_the_bytes_are_in_a_first_megabyte() -> Outcome:
    """The part of the bytes after the first megabyte of their flow: 0.77 in segments of 1,460 bytes."""
    tau = flow_sizes("web-search").tail("1 MB")
    says = f"{float(tau):.2f} of the bytes come after the first megabyte"
    return refuted_by_values({"tau": tau}, "tau >= 0.95", says)
