"""Section 5.2: simulations with random traffic, Figures 17 to 20; runs and published numbers."""

from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Counterexample, Outcome, check, evidence, refuted_by_values
from dtmodel.theory.edt import formulas as edt_formulas
from dtmodel.theory.edt.drops import Bursts, EdtSettings, edt_drop_time

from .figures.burst_panels import MS
from .random_traffic import load_results
from .scenarios import EIGHT, Pieces, against, scenario

F = Fraction
Row = dict[str, Any]


@cache
def results() -> dict[str, Any]:
    return load_results()


def rows(name: str, low: float = 0.0, high: float = 1.0) -> list[Row]:
    """The bins of a setting between two durations in seconds."""
    found: list[Row] = results()["results"][name]["bins"]
    return [row for row in found if low <= row["from"] and row["to"] <= high and row["bursts"]]


def together(found: list[Row], end: int = 0) -> float:
    """The part of all bursts of some bins that are lossless; with 1 or -1 each bin at that end of its interval."""
    lossless = (row["bursts"] * (row["lossless"][0] + end * row["lossless"][1]) for row in found)
    return float(sum(lossless) / sum(row["bursts"] for row in found))


def same(one: Row, other: Row) -> bool:
    """Whether two confidence intervals of the lossless part overlap."""
    (a, da), (b, db) = one["lossless"], other["lossless"]
    return bool(abs(a - b) <= da + db)


def beyond(found: list[Row], column: str, claimed: str, says: str) -> Counterexample:
    """Refute by the upper end of the first bin's interval."""
    mean, half = found[0][column]
    return refuted_by_values({"mean": f"{mean:.4f}", "half": f"{half:.4f}"}, f"mean + half {claimed}", says)


def apart(name: str, low: float, high: float) -> list[Row]:
    """Return the bins of EDT, each of whose intervals must lie above that of the other setting."""
    found = rows("EDT", low, high)
    pairs = zip(found, rows(name, low, high), strict=True)
    check(all(not same(one, other) and other["lossless"][0] < one["lossless"][0] for one, other in pairs), "apart")
    return found


def domain() -> str:
    return f"{results()['seeds']} seeds of {results()['seconds']:g} s: {results()['command']}"


def bursts() -> int:
    return int(sum(row["bursts"] for row in rows("DT")))


@evidence("edt.sec5.2.bursts", "edt.sec5.2.load", "edt.sec5.2.twice", form="printed", strength="exact")
def the_loads_add_up_to_20_percent() -> Outcome:
    """2 Gbps for 2 of 60 ms are 66.7 Mbps; 0.133 Gbps more are 199.7 Mbps, all within the rounding of 0.133."""
    burst = F(2) * F(2, 60)
    check(burst == F(1, 15), "bursts")
    for background in (F("0.1325"), F("0.1335")):
        check(abs(burst + background - F("0.2")) < F("0.001") and abs(background / burst - 2) < F("0.013"), "the sum")
    return Agrees(2, "both ends of the rounding interval")


@evidence("edt.sec5.2.d-bound", form="printed", strength="exact")
def a_megabyte_at_a_gigabit_is_8_ms() -> Outcome:
    """Evaluate the filling time B / (2 C - C) for 1 MB and 1 Gbps."""
    check(edt_formulas.d_bound(F(10**6), F(125 * 10**6), F(250 * 10**6)) == 8 * MS, "8 ms")
    return Agrees(1, "the single value")


@evidence("edt.sec5.2.same-fairness", form="assumed", strength="exact")
def the_indices_differ_little() -> Outcome:
    """The quoted pairs of Sections 5.1 and 5.2.1."""
    pairs = [(F("0.992"), F("0.998")), (F("0.977"), F("0.964"))]
    check(all(abs(one - other) <= F("0.02") for one, other in pairs), "a pair differs by more")
    return Agrees(len(pairs), "all quoted pairs of indices")


@evidence("edt.fig18.label", form="repaired", strength="exact")
def two_panels_for_two_parameters() -> Outcome:
    """Compare the two panels of the figure with two parameters, one for each."""
    panels = {"a": "d", "b": "cn1"}
    check(sorted(panels.values()) == ["cn1", "d"], "one parameter a panel")
    return Agrees(2, "the two panels")


@evidence("edt.fig18.d-1ms.reason", form="printed", strength="exact")
def tm2_of_1_ms_expires_before_the_buffer_is_full() -> Outcome:
    """The exact drop time of a burst alone: one cycle after DT would have dropped, before the overflow at 8 ms."""
    bursts = Bursts(F(1), F(10**6), F(125 * 10**6), 1, 0, F(250 * 10**6))
    settings = EdtSettings(edt_formulas.cn2_paper(F(1), bursts.B, 16), edt_formulas.tm1_paper(F(1), 16, MS), MS)
    check(settings.tm1 is not None and settings.cn2 / bursts.r < settings.tm1, "the counter reaches its number")
    drop = edt_drop_time(bursts, settings)
    check(bursts.dt_drop == 4 * MS <= drop < bursts.overflow == 8 * MS, f"{float(drop / MS)} ms")
    return Agrees(1, "the single scenario")


def used_by_all(found: list[Row]) -> tuple[float, float]:
    """The mean use of the buffer at the first loss, over all bursts of some bins that lose something, and its interval.

    The bins' errors are taken as independent.
    """
    losing = [(row["bursts"] * (1 - row["lossless"][0]), *row["used"]) for row in found if row["used"]]
    count = sum(each for each, _, _ in losing)
    mean = sum(each * used for each, used, _ in losing) / count
    return mean, sqrt(sum((each * half / count) ** 2 for each, _, half in losing))


@evidence("edt.fig17.dt-full", form="printed", strength="sampled")
def longer_bursts_lose_packets_with_buffer_free() -> Outcome:
    """In every bin above 2 ms the whole interval lies below 95 %."""
    found = rows("DT", 0.002)
    check(all(sum(row["used"]) < 0.95 for row in found), f"{[row['used'] for row in found]}")
    return Agrees(int(sum(row["bursts"] for row in found)), domain())


@evidence("edt.fig17.dt-full@shorter", form="printed", strength="sampled")
def short_bursts_meet_the_threshold_with_buffer_free() -> Outcome:
    """The mean use of the buffer at first losses of bursts of 1 to 2 ms, and its interval."""
    return beyond(rows("DT", 0.001, 0.002), "used", ">= 95/100", "less than 95 % with 99 % confidence")


@evidence("edt.fig17.dt-60", form="printed", strength="sampled")
def longer_bursts_find_the_buffer_three_fifths_full() -> Outcome:
    """The mean over all bursts longer than 3 ms that lose something; in the bins above 4 ms the mean is below, too."""
    found = rows("DT", 0.003)
    check(sum(used_by_all(found)) <= 0.60, f"{used_by_all(found)}")
    check(all(row["used"][0] <= 0.60 for row in found if row["from"] >= 0.004), f"{[row['used'] for row in found]}")
    return Agrees(int(sum(row["bursts"] for row in found)), domain())


def counting_full(found: list[Row]) -> float:
    """The mean use of the buffer over all bursts of some bins, each at the lower end of its interval; lossless: 1."""
    least = [(row["bursts"], row["lossless"], row["used"] or [1.0, 0.0]) for row in found]
    shares = [(count, 1 - (1 - part + half) * (1 - used + u)) for count, (part, half), (used, u) in least]
    return float(sum(count * share for count, share in shares) / sum(count for count, _ in shares))


@evidence("edt.fig17.dt-60@counting-full", form="printed", strength="sampled")
def with_lossless_bursts_counted_dt_uses_more() -> Outcome:
    """All bursts longer than 3 ms, with each bin's mean at the lower end of its interval."""
    found = rows("DT", 0.003)
    least = {"least": f"{counting_full(found):.4f}"}
    return refuted_by_values(least, "least <= 60/100", "more than 60 % with 99 % confidence in each bin")


@evidence("edt.fig17.edt-full", form="printed", strength="sampled")
def most_bursts_under_edt_lose_nothing_or_fill_the_buffer() -> Outcome:
    """All bursts; with 99 % confidence in each bin."""
    found = rows("EDT")
    check(counting_full(found) >= 0.95, f"{counting_full(found)}")
    check(counting_full(rows("DT")) < 0.95, "DT does as well")
    return Agrees(bursts(), domain())


@evidence("edt.fig17.edt-full@losing", form="printed", strength="sampled")
def bursts_under_edt_lose_packets_with_buffer_free() -> Outcome:
    """With each bin's mean at the upper end of its interval."""
    found = [row | {"used": [sum(row["used"]), 0]} for row in rows("EDT") if row["used"]]
    says = "less than 95 % with 99 % confidence in each bin"
    return refuted_by_values({"most": f"{used_by_all(found)[0]:.4f}"}, "most >= 95/100", says)


@evidence("edt.fig17.edt-full@each", form="printed", strength="sampled")
def overlapping_bursts_leave_buffer_free() -> Outcome:
    """Bursts of 3 to 4 ms under EDT."""
    return beyond(rows("EDT", 0.003, 0.004), "used", ">= 95/100", "less than 95 % with 99 % confidence")


@evidence("edt.fig17.dt-lossless", form="printed", strength="sampled")
def few_long_bursts_are_lossless_under_dt() -> Outcome:
    """All bursts longer than 3 ms, with each bin at the upper end of its interval."""
    found = rows("DT", 0.003)
    check(together(found, 1) <= 0.15, f"{together(found, 1)}")
    return Agrees(int(sum(row["bursts"] for row in found)), domain())


@evidence("edt.fig17.edt-lossless@together", form="printed", strength="sampled")
def most_short_bursts_are_lossless_under_edt() -> Outcome:
    """All bursts shorter than 5 ms, with each bin at the lower end of its interval."""
    found = rows("EDT", 0.0, 0.005)
    check(together(found, -1) > 0.85, f"{together(found, -1)}")
    return Agrees(int(sum(row["bursts"] for row in found)), domain())


@evidence("edt.fig17.edt-lossless@each", form="printed", strength="sampled")
def of_bursts_of_4_to_5_ms_half_are() -> Outcome:
    """The bin of 4 to 5 ms."""
    return beyond(rows("EDT", 0.004, 0.005), "lossless", "> 85/100", "less than 85 % with 99 % confidence")


@evidence("edt.sec5.2.more-absorbed", form="printed", strength="sampled")
def more_bursts_are_lossless_under_edt() -> Outcome:
    """All bursts together, on the same traffic: the lower ends of the intervals under EDT, the upper ones under DT."""
    least, most = together(rows("EDT"), -1), together(rows("DT"), 1)
    check(least > most, f"{least}, {most}")
    return Agrees(bursts(), domain())


@evidence("edt.sec5.2.more-absorbed@each", form="printed", strength="sampled")
def the_shortest_bursts_lose_more_under_edt() -> Outcome:
    """Bursts below 1 ms: the upper end of the interval under EDT, the lower one under DT."""
    (edt, more), (dt, less) = (rows(name, 0.0, 0.001)[0]["lossless"] for name in ("EDT", "DT"))
    values = {"edt_most": f"{edt + more:.5f}", "dt_least": f"{dt - less:.5f}"}
    return refuted_by_values(values, "edt_most >= dt_least", "a smaller part with 99 % confidence")


@evidence("edt.fig17.cdf", form="printed", strength="sampled")
def three_ports_have_similar_distributions() -> Outcome:
    """The largest difference between two of the three, at ten lengths."""
    for name in ("DT", "EDT"):
        columns = zip(*results()["results"][name]["cdf"], strict=True)
        check(all(max(column) - min(column) < 0.02 for column in columns), name)
    return Agrees(bursts(), domain())


@evidence("edt.fig17.index.dt", form="printed", strength="sampled")
def the_index_of_dt_is_in_the_interval() -> Outcome:
    """0.977 in the 99 % confidence interval; it is rounded to three places."""
    mean, half = results()["results"]["DT"]["fairness"]
    check(abs(mean - 0.977) <= half + 0.0005, f"{mean} +- {half}")
    return Agrees(results()["seeds"], domain())


@evidence("edt.fig17.index.edt", form="printed", strength="sampled")
def the_index_of_edt_is_in_the_interval() -> Outcome:
    """0.964 in the 99 % confidence interval, in both readings of C1; it is rounded to three places."""
    for name in ("EDT", "EDT, C1 by the letter"):
        mean, half = results()["results"][name]["fairness"]
        check(abs(mean - 0.964) <= half + 0.0005, f"{mean} +- {half}")
    return Agrees(results()["seeds"], domain())


def differ_by(one: str, other: str) -> float:
    """The largest difference between the lossless parts of two settings, bin by bin."""
    return float(max(abs(a["lossless"][0] - b["lossless"][0]) for a, b in zip(rows(one), rows(other), strict=True)))


@evidence("edt.fig18.d-above", "edt.fig18.d-slightly", form="printed", strength="sampled")
def a_larger_d_changes_little() -> Outcome:
    """Bin by bin, and together, where the larger d leaves no more bursts lossless."""
    check(differ_by("EDT", "d = 100 ms") < 0.01, f"{differ_by('EDT', 'd = 100 ms')}")
    check(0 <= together(rows("EDT")) - together(rows("d = 100 ms")) < 0.01, "together")
    return Agrees(bursts(), domain())


@evidence("edt.fig18.d-above@any", form="printed", strength="exact")
def a_longer_tm2_makes_another_burst_lose() -> Outcome:
    """B = 8, C = 1: one burst of 2 from 0 to 16 s, one from 6 s to 11 s; d = 9 s and d = 10 s, both above B / C."""
    bursts: list[Pieces] = [[(0, 2), (16, 0)], [(0, 0), (6, 2), (11, 0)]]
    policies = [{"name": "edt", "cn2": "1/4", "tm1": None, "tm2": d} for d in ("9", "10")]
    shorter, longer = (scenario(bursts, switch=EIGHT, until=20, policy=policy) for policy in policies)
    return against(longer, {"dropped": answer(shorter)["dropped"]}, "with d = 9 the second burst loses nothing")


@evidence("edt.fig18.d-1ms", form="printed", strength="sampled")
def a_small_d_loses_most_of_what_edt_gains() -> Outcome:
    """The intervals of 3 to 6 ms are apart."""
    apart("d = 1 ms", 0.003, 0.006)
    return Agrees(bursts(), domain())


@evidence("edt.fig18.cn1-10", form="printed", strength="sampled")
def cn1_of_10_changes_little() -> Outcome:
    """All bursts together, on the same traffic; as much as d may matter."""
    check(0 <= together(rows("EDT")) - together(rows("cn1 = 10")) < 0.01, "together")
    return Agrees(bursts(), domain())


@evidence("edt.fig18.cn1-3", form="printed", strength="sampled")
def with_a_counting_number_of_3_edt_absorbs_more_than_dt() -> Outcome:
    """The intervals of 2 to 8 ms are apart."""
    return Agrees(int(sum(one["bursts"] for one in apart("DT", 0.002, 0.008))), domain())


@evidence("edt.fig18.cn1-100", form="printed", strength="sampled")
def cn1_of_100_costs_more_than_edt_gains() -> Outcome:
    """The intervals of 1 to 6 ms are apart."""
    apart("cn1 = 100", 0.001, 0.006)
    return Agrees(bursts(), domain())
