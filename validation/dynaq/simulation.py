"""Section 5.2: simulations, Figures 11 to 15; runs and published numbers."""

from fractions import Fraction

from dtmodel.ledger import Agrees, Conflict, Outcome, Proved, check, evidence
from dtmodel.theory.dynaq.sheet import PRESETS

from ..support.dynaq.ports import jain
from ..support.shares import Shares, falling
from .experiments import SCENARIOS, measure, schemes
from .figures import fig11
from .settings import KB, active, hundredths, numbers

WORKLOADS = ("web search", "data mining", "cache", "hadoop")
STOPS_10G = {i: Fraction(200 + 50 * (i - 2)) for i in range(2, 9)}
PHASES = falling([(i - 1, float(STOPS_10G[i] / 1000)) for i in range(2, 9)], 8, 0.6)
"""Phases of the runs, by the numbers of the queues from 0."""


def fair_and_full_under_dynaq_alone(shares: Shares, reading: str, seed: int) -> bool:
    """Return True if DynaQ and PQL are fair in every phase, and DynaQ alone is full in every phase."""
    fair = all(shares.fair((reading, policy, seed), PHASES) for policy in ("DynaQ", "PQL"))
    full = [policy for policy in ("BestEffort", "PQL", "DynaQ") if shares.full((reading, policy, seed), PHASES)]
    return fair and full == ["DynaQ"]


@evidence("dynaq.sec5.2.1.fig11", form="printed", strength="sampled")
def who_is_fair_and_full_at_10_gbps() -> Outcome:
    """Jain's index and the rate of all queues at 10 Gbps, with eight to one active queues."""
    shares = Shares.read("dynaq.fig11")
    told = "DynaQ and PQL fair, DynaQ alone full"
    return shares.kept.always(lambda reading, seed: fair_and_full_under_dynaq_alone(shares, reading, seed), told)


@evidence("dynaq.sec5.2.1.pql-85", form="printed", strength="sampled")
def the_rate_of_one_queue_under_pql_at_10_gbps() -> Outcome:
    """The rate of all queues under PQL while queue 1 is alone, in Gbps: the median over the seeds."""
    shares = Shares.read("dynaq.fig11")
    return shares.kept.number(lambda reading, seed: sum(shares.rates((reading, "PQL", seed), 0.5, 0.6)), 8.5, 1)


@evidence("dynaq.sec5.2.1.fig12", form="printed", strength="sampled")
def who_is_fair_and_full_at_100_gbps() -> Outcome:
    """Jain's index and the rate of all queues at 100 Gbps; the Gbps that BestEffort loses when queue 8 stops."""
    shares = Shares.read("dynaq.fig12")
    before, after = PHASES[-2:]
    told = "DynaQ and PQL fair, DynaQ alone full"
    return shares.kept.all_of(
        shares.kept.always(lambda reading, seed: fair_and_full_under_dynaq_alone(shares, reading, seed), told),
        shares.kept.number(
            lambda reading, seed: shares.lost((reading, "BestEffort", seed), (before, after), 0.01), 9.2, 1
        ),
    )


@evidence("dynaq.sec5.2.1.fig13", form="printed", strength="sampled")
def thousands_of_flows_under_pql_and_best_effort() -> Outcome:
    """The rate of all queues under PQL while queue 1 is alone, and under BestEffort when queue 4 stops and before."""
    shares = Shares.read("dynaq.fig13")
    before, after = PHASES[2:4]
    check(after[0] == 0.3, "queue 4 stops at 300 ms")

    def holds(reading: str, seed: int) -> bool:
        below = sum(shares.rates((reading, "PQL", seed), 0.5, 0.6)) < 94.5
        return below and shares.lost((reading, "BestEffort", seed), (before, after), 0.01) > 0

    return shares.kept.always(holds, "PQL below 94.5 Gbps, and BestEffort dips")


@evidence("dynaq.sec1.high-speed", form="printed", strength="sampled")
def dynaq_is_fair_and_full_at_10_and_100_gbps() -> Outcome:
    """Jain's index and the rate of all queues under DynaQ in Figures 11 and 12, with eight to one active queues."""
    both = [Shares.read(f"dynaq.fig{number}") for number in (11, 12)]

    def holds(reading: str, seed: int) -> bool:
        run = reading, "DynaQ", seed
        return all(shares.fair(run, PHASES) and shares.full(run, PHASES) for shares in both)

    return both[-1].kept.always(holds, "fair and full in Figures 11 and 12")


@evidence("dynaq.sec5.2.1.shallow", form="printed", strength="exact")
def the_bdps_of_the_racks() -> Outcome:
    """Multiply 10 Gbps by 84 us and 100 Gbps by 40 us: 105 KB below 192 KB, 500 KB below 1 MB."""
    ten, hundred = numbers(PRESETS["rack-10g"]), numbers(PRESETS["rack-100g"])
    check((ten[1], hundred[1]) == (105 * KB, 500 * KB) and ten[1] < ten[0] and hundred[1] < hundred[0], f"{ten}")
    return Proved("105,000 < 192,000 and 500,000 < 1,000,000", {"B10": "192000", "B100": "1000000"})


@evidence("dynaq.sec5.2.1.schedule", form="printed", strength="exact")
def who_is_active_in_the_rack() -> Outcome:
    """Queues 2 to 8 stop from 200 ms on every 50 ms: queue 3 at 250 ms, queue 8 at 500 ms; queue 1 is left."""
    check(STOPS_10G[3] == 250 and STOPS_10G[8] == 500, f"{STOPS_10G}")
    check(active(STOPS_10G, 8, Fraction(500)) == {1}, "queue 1 alone")
    return Proved("queue i stops at 200 + 50 (i - 2) ms", {"stop3": "250", "stop8": "500"})


@evidence("dynaq.sec5.2.1.jain-067", form="printed", strength="exact")
def the_fairness_index_at_410_ms_is_possible() -> Outcome:
    """Queues 1, 7 and 8 are active at 410 ms: the index lies in [1/3, 1]; one starved queue of three gives 2/3."""
    n = len(active(STOPS_10G, 8, Fraction(410)))
    starved = Fraction((1 + 1 + 0) ** 2, n * (1 + 1 + 0))
    check(n == 3 and starved == Fraction(2, 3) and abs(starved - Fraction(67, 100)) <= Fraction(5, 1000), f"{n}")
    return Proved("2/3 rounds to 0.67: two queues equal, one with nothing", {"n": "3", "index": "2/3"})


@evidence("dynaq.sec5.2.1.flows-2048", form="printed", strength="exact")
def queue_8_has_2048_flows() -> Outcome:
    """Evaluate the number of flows 2^(3 + i) for queue 8."""
    check(2 ** (3 + 8) == 2048, "2048")
    return Proved("2^11 = 2048", {"i": "8", "flows": "2048"})


@evidence("dynaq.sec5.2.1.jain-024", form="printed", strength="exact")
def an_index_of_024_is_worse_than_shares_by_flows() -> Outcome:
    """With 8 queues the index lies in [1/8, 1]; shares in proportion to 2^(3+i) flows would give 0.37."""
    flows = [Fraction(2 ** (3 + i)) for i in range(1, 9)]
    proportional = sum(flows) ** 2 / (8 * sum(x * x for x in flows))
    quoted = Fraction(24, 100)
    check(Fraction(1, 8) <= quoted < proportional < Fraction(38, 100), f"{proportional}")
    return Proved(f"1/8 <= 0.24 < {float(proportional):.2f}", {"quoted": "6/25", "least": "1/8"}, ["least <= quoted"])


@evidence("dynaq.sec5.2.1.metrics", form="printed", strength="exact")
def fair_shares_of_equal_weights_have_the_index_one() -> Outcome:
    """Jain's index of n equal positive shares is n^2/(n n) = 1, of 4:3:2:1 it is 5/6."""
    for n in range(1, 9):
        check(jain([Fraction(10, n)] * n) == 1, f"{n} queues")
    check(jain([4, 3, 2, 1]) == Fraction(5, 6), "unequal weights")
    return Proved("1 for 1 to 8 active queues", {"n": "8", "index": "1", "unequal": "5/6"}, ["unequal < index"])


@evidence("dynaq.sec5.2.2.hosts", form="printed", strength="exact")
def the_hosts_and_pairs_of_the_fabric() -> Outcome:
    """12 leaves with 12 downlinks make 144 hosts and 144 x 143 ordered pairs; uplinks match downlinks."""
    leaves, down, up = 12, [10] * 12, [10] * 12
    hosts = leaves * len(down)
    check(hosts == 144 and hosts * (hosts - 1) == 144 * 143 == 20_592 and sum(down) == sum(up) == 120, "pairs")
    return Proved("144 hosts, 20,592 pairs, 120 Gbps up and down", {"hosts": "144", "pairs": "20592"})


@evidence("dynaq.sec5.2.2.evenly", form="assumed", strength="exact")
def as_even_as_possible() -> Outcome:
    """Classes of 2,941 and 2,942 pairs differ by one."""
    check(5 * 2942 + 2 * 2941 == 20_592, "classes")
    return Proved("5 x 2,942 + 2 x 2,941 = 20,592", {"pairs": "20592"})


@evidence("dynaq.sec5.2.2.tcn", form="printed", strength="exact")
def the_three_ratios_against_tcn_can_hold_together() -> Outcome:
    """Mix small 0.77, large 0.75 and medium flows: 0.73 overall needs medium flows at 0.73 or less."""
    small, medium, large = hundredths("0.77", "0.70", "0.75")
    parts = [
        (Fraction(1), small),
        (Fraction(2), medium),
        (Fraction(1), large),
    ]  # TCN's sums of FCTs relative to DynaQ's
    overall = sum(weight * ratio for weight, ratio in parts) / sum(weight for weight, _ in parts)
    check(overall == Fraction(73, 100), f"{overall}")
    check(min(small, large) > Fraction(73, 100), "small and large alone cannot give it")
    return Proved(
        "medium flows at 0.70 and half of the total give 0.73", {"small": "77/100", "medium": "7/10", "large": "3/4"}
    )


@evidence("dynaq.sec5.2.2.different@pairwise", form="printed", strength="exact")
def seven_services_share_four_workloads() -> Outcome:
    """Compare 7 services with 4 distributions."""
    services = 8 - 1
    check(services > len(WORKLOADS), "enough distributions")
    return Conflict(
        "dynaq.sec5.four-workloads",
        "seven services cannot have distributions that all differ when there are four",
        {"services": str(services), "distributions": str(len(WORKLOADS))},
    )


@evidence("dynaq.sec5.2.2.best-effort-mixed", form="printed", strength="exact")
def both_ranges_contain_one() -> Outcome:
    """Compare the ends with 1."""
    for low, high in (hundredths("0.98", "1.01"), hundredths("0.98", "1.02")):
        check(low < 1 < high, f"{low} to {high}")
    return Proved("0.98 < 1 < 1.01 < 1.02", {"low": "49/50", "high": "101/100"}, ["low < 1", "high > 1"])


@evidence("dynaq.sec5.2.2.pql-together", form="printed", strength="exact")
def small_flows_must_outweigh_large_ones_nine_times() -> Outcome:
    """Solve a 1.02 + b 0.82 = a + b: a = 9 b, at the ends of the rounding a = 7 b; with a = 10 b the mean exceeds 1."""
    small, large = hundredths("1.02", "0.82")
    ratio, half = (1 - large) / (small - 1), Fraction(1, 200)
    check(ratio == 9 and (1 - large - half) / (small + half - 1) == 7, f"{ratio}")
    mean = (10 * small + large) / 11
    check(mean > 1, f"{mean}")
    return Proved("with weights 10 and 1 the mean is 11.02/11 > 1", {"mean": str(mean), "ratio": "9"}, ["mean > 1"])


@evidence("dynaq.captions.queues", form="printed", strength="exact")
def captions_and_text_have_the_same_queues() -> Outcome:
    """Add the queues of each caption and compare with the text."""
    captions = {8: (1, 4), 9: (1, 4), 10: (4,), 14: (1, 7), 15: (1, 7)}
    text = {8: 5, 9: 5, 10: 4, 14: 8, 15: 8}
    check(all(sum(captions[figure]) == text[figure] for figure in text), f"{captions}")
    return Proved("five captions", {"testbed": "5", "simulation": "8"})


@evidence("dynaq.sec1.ratio-840", form="printed", strength="exact")
def the_introduction_and_section_5_1_2_agree_on_8_40() -> Outcome:
    """Compare the two places."""
    intro, section = hundredths("8.40", "8.40")
    check(intro == section, "8.40")
    return Proved("8.40 in both places, at a load of 60 % in Section 5.1.2", {"intro": "42/5", "section": "42/5"})


@evidence("dynaq.sec1.ratio-199", form="printed", strength="exact")
def the_introduction_and_section_5_1_2_agree_on_1_99() -> Outcome:
    """Compare "up to" with the end of the range for large flows against TCN."""
    (intro,), quoted = hundredths("1.99"), hundredths("1.29", "1.99")
    check(intro == max(quoted), "1.99")
    return Proved("1.99 is the upper end of 1.29 to 1.99", {"intro": "199/100", "end": "199/100"})


@evidence("dynaq.sec1.outperforms", form="printed", strength="exact")
def the_introduction_exceeds_section_5_1_2() -> Outcome:
    """Against BestEffort the ratios for large flows are 0.83 to 0.97: below 1 is worse."""
    low, high = hundredths("0.83", "0.97")
    check(low < high < 1, "the range")
    return Conflict(
        "dynaq.sec5.1.2.best-effort-large",
        "DynaQ cannot outperform every compared scheme for large flows and be outperformed by BestEffort at every load",
        {"large flows, BestEffort / DynaQ": "0.83 to 0.97", "better than": "1"},
    )


@evidence("dynaq.ours.open-loop-waking", form="printed", strength="sampled")
def a_queue_that_often_runs_empty_is_not_isolated() -> Outcome:
    """Queue 1 offers half of its share, queue 2 eight times as much as its own: look at the loss of queue 1."""
    loads, every = SCENARIOS["two queues, 0.25 against 4"], schemes()
    loss = {name: measure(every[name], loads, 4, 400)["loss 1"] for name in ("PQL", "DynaQ", "DynaQ, recheck")}
    check(loss["PQL"].mean + loss["PQL"].half < 0.01, f"{loss}")
    check(all(loss[name].mean - loss[name].half > 0.5 for name in ("DynaQ", "DynaQ, recheck")), f"{loss}")
    return Agrees(4, "seeds 0 to 3, 400 packet times, 99 % intervals; the full size is in validation/results")


@evidence("dynaq.ours.open-loop-busy", form="printed", strength="sampled")
def busy_queues_share_equally_but_for_best_effort() -> Outcome:
    """Queue 1 offers 0.6 of the link, queue 2 four times the link: it gets 0.5, and far less with BestEffort."""
    loads = SCENARIOS["two queues, 0.6 against 4"]
    names = ("PQL", "PMSB, dropping", "DynaQ", "BestEffort")
    sent = {name: measure(schemes()[name], loads, 4, 400)["throughput 1"] for name in names}
    check(all(abs(sent[name].mean - 0.5) + sent[name].half < 0.01 for name in names[:3]), f"{sent}")
    check(sent["BestEffort"].mean + sent["BestEffort"].half < 0.2, f"{sent}")
    return Agrees(4, "seeds 0 to 3, 400 packet times")


@evidence("dynaq.ours.open-loop-recheck", form="printed", strength="sampled")
def with_four_busy_queues_the_admission_check_matters() -> Outcome:
    """Compare the mean fairness of both admission checks over the same arrivals, four queues active."""
    loads = SCENARIOS["four queues, 0.3, 0.5, 1 and 4"]
    port, recheck = (measure(schemes()[name], loads, 4, 600)["fairness"] for name in ("DynaQ", "DynaQ, recheck"))
    check(recheck.mean - recheck.half > 0.99 and port.mean + port.half < 0.97, f"{port}, {recheck}")
    return Agrees(4, "seeds 0 to 3, 600 packet times")


@evidence("dynaq.sec5.2.1.fig11@open-loop", form="printed", strength="exact")
def fairness_depends_on_what_a_packet_is_checked_against() -> Outcome:
    """Read Jain's index off the picture's data, in every bin of time."""
    shown = fig11.data()
    for name in ("PQL", "DynaQ, recheck"):
        check(min(shown.index[name]) > 0.99, f"{name}: {min(shown.index[name])}")
    three_left = shown.index["DynaQ"][shown.ends.index(450.0)]
    check(three_left < 0.9, f"DynaQ with three queues left: {three_left}")
    check(min(shown.index["BestEffort"]) < 0.8, "BestEffort")
    check(all(total > 0.98 for row in shown.total.values() for total in row), "the link idles")
    return Agrees(len(shown.index), "four schemes on the arrivals of the picture")
