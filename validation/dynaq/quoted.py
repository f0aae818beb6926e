"""Quoted ratios against each other: abstract, introduction, evaluation and conclusion."""

from __future__ import annotations

from fractions import Fraction

from dtmodel.ledger import Conflict, Counterexample, Outcome, Proved, Witness, check, evidence


def hundredths(*values: str) -> tuple[Fraction, ...]:
    """Read quoted decimals."""
    return tuple(Fraction(value) for value in values)


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
def the_introduction_claims_more_than_section_5_1_2_reports() -> Outcome:
    """Against BestEffort the ratios for large flows are 0.83 to 0.97: below 1 is worse."""
    low, high = hundredths("0.83", "0.97")
    check(low < high < 1, "the range")
    return Conflict(
        "dynaq.sec5.1.2.best-effort-large",
        "DynaQ cannot outperform every compared scheme for large flows and be outperformed by BestEffort at every load",
        {"large flows, BestEffort / DynaQ": "0.83 to 0.97", "better than": "1"},
    )


@evidence("dynaq.sec5.1.2.best-effort-large", form="printed", strength="exact")
def best_effort_is_better_for_large_flows_at_every_load() -> Outcome:
    """The whole quoted range lies below 1."""
    low, high = hundredths("0.83", "0.97")
    check(low < high < 1, "the range")
    return Proved("0.83 to 0.97, all below 1", {"low": "83/100", "high": "97/100"}, ["low < 1", "high < 1"])


@evidence("dynaq.sec5.1.2.best-effort-mixed", form="printed", strength="exact")
def the_results_for_large_flows_are_not_mixed() -> Outcome:
    """Mixed would need a ratio above 1: 0.97 is the largest for large flows (1.02 for all flows)."""
    says = "the ratios for large flows end at 0.97: BestEffort is better at every load"
    data = {"values": {"overall": "1.02", "large": "0.97"}, "statement": "overall > 1 and large > 1"}
    return Counterexample(Witness("values", data, says=says), says)


@evidence("dynaq.sec5.1.2.tcn-mixed", form="printed", strength="exact")
def the_results_against_tcn_are_mixed() -> Outcome:
    """Ratios on both sides of 1: 0.95 at 30 %, 1.28 to 1.85 at other loads."""
    worst, low, high = hundredths("0.95", "1.28", "1.85")
    check(worst < 1 < low < high, "mixed")
    return Proved("0.95 < 1 < 1.28", {"worst": "19/20", "low": "32/25"}, ["worst < 1", "low > 1"])


@evidence("dynaq.sec5.1.1.pql-occupies-more", form="printed", strength="exact")
def a_quota_of_a_quarter_is_not_more_than_a_dominated_port() -> Outcome:
    """PQL gives queue 2 at most 85/4 = 21.25 KB; with BestEffort the text has queue 2 dominate the 85 KB."""
    quota, half = Fraction(85_000, 4), Fraction(85_000, 2)
    check(quota < half, "a quarter is less than half")
    return Conflict(
        "dynaq.sec5.1.1.best-effort-dominated",
        "queue 2 cannot hold more under PQL (at most 21.25 KB) than when it dominates a port of 85 KB; queue 1 can",
        {"PQL quota": "21250", "dominating means more than": "42500"},
    )


@evidence("dynaq.sec2.3.pql-fair", form="printed", strength="exact")
def pql_cannot_be_fair_regardless_and_considerably_unfair() -> Outcome:
    """Section 2.3 has each queue enjoy its share under PQL; Section 5.1.1 measures two active queues of four."""
    check(Fraction(85_000, 4) > Fraction(62_500, 4) and Fraction(85_000, 4) < Fraction(62_500, 2), "the quota")
    return Conflict(
        "dynaq.sec5.1.1.pql-unfair",
        "with two of four queues active the quota exceeds the weighted BDP and PQL is reported unfair all the same",
        {"quota": "21250", "WBDP_i": "15625", "BDP of half the link": "31250"},
    )


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
