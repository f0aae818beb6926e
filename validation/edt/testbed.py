"""Section 5.3: the testbed, Figures 21 to 23; runs and published numbers."""

from fractions import Fraction
from math import floor

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, check, evidence, refuted_by_values
from dtmodel.packet.flow_sizes import flow_sizes
from dtmodel.policies import Threshold, ThresholdAdmission
from dtmodel.theory.edt import formulas as edt_formulas

from ..support.experiments import Kept
from .figures import fig22
from .figures.burst_panels import MS
from .scenarios import Number, against, edt, rounds_to, scenario

F = Fraction
KB = F(256000)
KIB = F(256 * 1024)
RATE = F(999_000_000, 8)


def sizes_that_give(bound: Fraction, number: int) -> list[int]:
    """Packet sizes for which the bound, rounded down to packets, is `number`."""
    return [size for size in range(64, 9001) if floor(bound / size) == number]


FIG22 = (100_000.0, 130_000.0, 150_000.0, 170_000.0)
"""The sizes of responses in the kept result."""


def fig22_again(*sizes: float) -> Kept:
    """Return the kept result of Figure 22, after its first seeds were run again in two readings."""
    kept = Kept.read("edt.fig22")
    for reading, policy in (("base", "EDT"), ("SACK without rule 3", "DT")):
        for size in sizes:
            kept.run_again(reading, policy, 1, size)
    return kept


@evidence("edt.fig22.range", form="printed", strength="sampled")
def queries_of_all_four_sizes_are_not_shorter() -> Outcome:
    """Mean completion times of five queries under EDT and DT, in 20 paired seeds, at 100, 130, 150 and 170 KB."""
    return fig22_again(100_000).direction("query_mean", FIG22, "EDT", "DT")


@evidence("edt.fig22.range@130-KB", form="printed", strength="sampled")
def queries_of_130_kb_are_shorter() -> Outcome:
    """Mean completion times of five queries under EDT and DT, in 20 paired seeds, at 130 KB."""
    return fig22_again(130_000).direction("query_mean", [130_000], "EDT", "DT")


@evidence("edt.fig22.range@150-KB", form="printed", strength="sampled")
def queries_of_150_kb_are_shorter() -> Outcome:
    """Mean completion times of five queries under EDT and DT, in 20 paired seeds, at 150 KB."""
    return fig22_again().direction("query_mean", [150_000], "EDT", "DT")


@evidence("edt.fig22.timeouts-dt", form="printed", strength="sampled")
def fewer_flows_time_out_under_dt() -> Outcome:
    """The part of the responses of 150 KB with a timeout under DT: the median over 20 seeds in each reading."""
    return fig22_again(150_000).size("timeouts", "DT", 150_000, 0.64, 2)


@evidence("edt.fig22.timeouts-edt", form="printed", strength="sampled")
def a_tenth_of_the_flows_times_out_under_edt() -> Outcome:
    """The part of the responses of 150 KB with a timeout under EDT: the median over 20 seeds in each reading."""
    return fig22_again().size("timeouts", "EDT", 150_000, 0.10, 2)


@evidence("edt.fig22.fewer-timeouts", form="printed", strength="sampled")
def timeouts_at_150_kb_are_not_fewer() -> Outcome:
    """The part of the responses of 150 KB with a timeout under EDT and DT, in 20 paired seeds."""
    return fig22_again().direction("timeouts", [150_000], "EDT", "DT")


def fig23_ratio(kept: Kept, reading: str, seed: int, measure: str, part: int) -> float:
    """Return a measure of a class of flows, from 0 for the smallest, under EDT, divided by that under DT."""
    new, old = (float(kept.of(reading, policy, seed, measure)[part]) for policy in ("EDT", "DT"))
    return new / old


@evidence("edt.fig23.small-mean", form="printed", strength="sampled")
def the_mean_time_of_small_flows() -> Outcome:
    """The per cent by which the mean time of flows below 0.1 MB is less under EDT: the median over the seeds."""
    kept = Kept.with_handshake("edt.fig23")
    return kept.number(lambda reading, seed: 100 * (1 - fig23_ratio(kept, reading, seed, "flow_mean", 0)), 25.6, 1)


@evidence("edt.fig23.small-tail", form="printed", strength="sampled")
def the_tail_of_small_flows() -> Outcome:
    """The per cent by which the 99th percentile of flows below 0.1 MB is less under EDT: the median over the seeds."""
    kept = Kept.with_handshake("edt.fig23")
    return kept.number(lambda reading, seed: 100 * (1 - fig23_ratio(kept, reading, seed, "flow_p99", 0)), 68.2, 1)


@evidence("edt.fig23.medium", form="printed", strength="sampled")
def the_mean_time_of_medium_flows() -> Outcome:
    """The per cent by which the mean time of flows of 0.1 to 1 MB is more under EDT: the median over the seeds."""
    kept = Kept.with_handshake("edt.fig23")
    return kept.number(lambda reading, seed: 100 * (fig23_ratio(kept, reading, seed, "flow_mean", 1) - 1), 3.3, 1)


@evidence("edt.fig23.large", form="printed", strength="sampled")
def the_mean_times_of_large_flows() -> Outcome:
    """The per cent by which the mean times of flows of 1 to 10 MB, and above, are less under EDT: both medians."""
    kept = Kept.with_handshake("edt.fig23")
    return kept.all_of(
        kept.number(lambda reading, seed: 100 * (1 - fig23_ratio(kept, reading, seed, "flow_mean", 2)), 2.1, 1),
        kept.number(lambda reading, seed: 100 * (1 - fig23_ratio(kept, reading, seed, "flow_mean", 3)), 6.6, 1),
    )


@evidence("edt.sec6.fct", form="printed", strength="sampled")
def small_flows_are_sooner_complete() -> Outcome:
    """The 99 % interval of the mean log ratio of the mean times of flows below 0.1 MB, EDT over DT."""
    kept = Kept.with_handshake("edt.fig23")
    return kept.sooner(lambda reading, seed: fig23_ratio(kept, reading, seed, "flow_mean", 0), "sooner under EDT")


@evidence("edt.intro.fct-number", form="printed", strength="exact")
def the_two_quotations_agree() -> Outcome:
    """68.2 % in both places."""
    quoted = {"introduction": F("68.2"), "Section 5.3.2": F("68.2")}
    check(len(set(quoted.values())) == 1, f"{quoted}")
    return Agrees(2, "the two places")


@evidence("edt.fig23.not-penalised@quoted", form="printed", strength="exact")
def one_class_takes_a_little_longer() -> Outcome:
    """The changes that are quoted for flows above 0.1 MB, in per cent: at most 3.35, and one of three above 0."""
    changes = {"0.1 to 1 MB": F("3.3"), "1 to 10 MB": -F("2.1"), "above 10 MB": -F("6.6")}
    check(max(changes.values()) + F(1, 20) < 10, "a tenth at most")
    check([name for name, change in changes.items() if change > 0] == ["0.1 to 1 MB"], "one class takes longer")
    return Agrees(len(changes), "the classes of larger flows")


@evidence("edt.sec5.3.admission@iff", form="printed", strength="exact")
def the_two_rules_of_admission_differ_at_equality() -> Outcome:
    """A queue of 3 with 3 bytes free and alpha = 1: Section 2.3 drops, Section 5.3 admits."""
    strict = ThresholdAdmission([Threshold(F(1))]).admits(0, 3, 3, 0)
    larger_only = not 3 > 1 * 3
    check(strict != larger_only, "the decisions differ")
    return Conflict("edt.sec2.3.admission@strict", "one drops at equality, the other admits", {"Q": 3, "T": 3})


@evidence("edt.sec5.3.rate", form="printed", strength="exact")
def the_buffer_fills_in_two_milliseconds() -> Outcome:
    """B / C for both meanings of KB."""
    for buffer, quoted in ((KB, "2.05"), (KIB, "2.10")):
        bound = edt_formulas.d_bound(buffer, RATE, 2 * RATE)
        check(rounds_to(bound / MS, quoted) and bound < 10 * MS, f"{float(bound / MS)} ms")
    return Agrees(2, "both meanings of KB")


@evidence("edt.sec5.3.cn2", form="assumed", strength="exact")
def with_packets_of_about_1400_bytes_it_is() -> Outcome:
    """The sizes that give 20 here, and those that give 8 in Section 5.1 as well."""
    here = {name: edt_formulas.cn2_paper(F(1), buffer, 4) for name, buffer in (("KB", KB), ("KiB", KIB))}
    there = {"KB": edt_formulas.cn2_paper(F(1), F(10**6), 16), "KiB": edt_formulas.cn2_paper(F(1), F(2**20), 16)}
    twenty = {name: sizes_that_give(bound, 20) for name, bound in here.items()}
    both = {name: [size for size in sizes_that_give(there[name], 8) if size in twenty[name]] for name in here}
    check([(s[0], s[-1]) for s in twenty.values()] == [(1355, 1422), (1388, 1456)], "sizes for 20")
    ends = [(s[0], s[-1]) for s in both.values()]
    check(ends == [(1372, 1422), (1439, 1456)] and 1448 in both["KiB"], "sizes for both")
    return Agrees(4 * 8937, "every packet size from 64 to 9000 bytes, both meanings of KB")


@evidence("edt.sec5.3.tm1", "edt.sec5.3.tm2", form="printed", strength="exact")
def tm1_is_20_36ths_of_10_ms() -> Outcome:
    """Equation (78) in the rounding interval of 5.56 ms, from the same d as TM2."""
    value = edt_formulas.tm1_paper(F(1), 4, 10 * MS) / MS
    check(value == F(50, 9) and abs(value - F("5.56")) <= F(1, 200), f"{float(value)} ms")
    return Agrees(1, "the single value")


@evidence("edt.fig22.reason@line-rate", form="printed", strength="exact")
def three_responses_of_150_kilobytes_do_not_fit() -> Counterexample:
    """256 units of buffer, a line of rate 1, three servers for 150 s: EDT and complete sharing both lose bytes."""
    switch: dict[str, Number] = {"alpha": 1, "buffer": 256, "rate": 1}
    for size, fits in ((128, True), (129, False)):
        free = scenario([[(0, 3), (size, 0)]], switch=switch, until=600, policy=edt(20))
        check((answer(free)["first_drop"] == [None]) == fits, f"responses of {size}")
    request = scenario([[(0, 3), (150, 0)]], switch=switch, until=600, policy=edt(20))
    return against(request, {"first_drop": [None]}, "300 KB would have to be queued in 256 KB")


@evidence("edt.fig22.range@open-loop", form="printed", strength="exact")
def each_policy_takes_responses_up_to_its_part() -> Outcome:
    """Run both policies at the two limits, a byte above them, and at every size of the picture.

    Of S KB DT loses 2 (S - 64) in all, what its queue on the threshold cannot take, EDT from 128 KB on all that comes.
    """
    for policy, limit in (("DT", F(64)), ("EDT", F(128))):
        check(fig22.lost_part(policy, limit) == 0, f"{policy} loses bytes at {limit} KB")
        check(fig22.lost_part(policy, limit + F(1, 1000)) > 0, f"{policy} takes a byte more")
    shown = fig22.data().lost
    for size, one, two in zip(fig22.SIZES, shown["DT"], shown["EDT"], strict=True):
        lost = [F(max(0, 2 * (size - 64)), 3 * size), F(max(0, 3 * (size - 128)), 3 * size)]
        check([one, two] == lost and (two < one if size > 64 else one == 0), f"responses of {size} KB")
    check(round(100 * fig22.lost_part("DT", F(150))) == 38, "DT at 150 KB")
    check(round(100 * fig22.lost_part("EDT", F(150))) == 15, "EDT at 150 KB")
    return Agrees(2 * len(fig22.SIZES) + 4, "the sizes of the picture, and both limits")


@evidence("edt.sec5.3.benchmark.flows@published", form="printed", strength="exact")
def half_the_load_of_four_ports_is_fewer_flows() -> Counterexample:
    """Bytes in 300 s at half the rate of four ports, over the mean flow in segments of 1,460 bytes."""
    flows = F(1, 2) * 4 * RATE * 300 / flow_sizes("web-search").mean
    check(44_000 < flows < 46_000, f"{float(flows)}")
    return refuted_by_values({"flows": flows}, "flows > 67000", "about 45,000 flows")
