"""Quoted results compared with each other: rounding intervals, tables, ratios, and statements that cannot both hold."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

from dtmodel.ledger import Agrees, Conflict, Outcome, Proved, check, evidence
from dtmodel.theory.ecn import largest_queue

from .common import interval, names, values

QUOTED: dict[str, Any] = tomllib.loads((Path(__file__).parent / "quoted.toml").read_text(encoding="utf-8"))
TABLE_1 = {key: QUOTED["table1"][key] for key in ("with", "without")}
TABLE_2 = {key: row for key, row in QUOTED["table2"].items() if key != "text"}
LOSS = QUOTED["loss"]


def ratio(one: str, two: str) -> tuple[Fraction, Fraction]:
    """Return the interval of one/two for two rounded decimals."""
    (a, b), (c, d) = interval(one), interval(two)
    return a / d, b / c


def overlap(one: tuple[Fraction, Fraction], two: tuple[Fraction, Fraction]) -> bool:
    """Whether two intervals meet."""
    return one[0] < two[1] and two[0] < one[1]


@evidence("losspass.intro.pias-average", form="printed", strength="exact")
def the_introductions_average_is_the_evaluations() -> Outcome:
    """1.31 is the larger of 1.31 and 1.09."""
    average = QUOTED["average"]
    largest = max(average["PIAS, web search"], average["PIAS, data mining"], key=Fraction)
    check(overlap(interval(average["introduction, PIAS"]), interval(largest)), "the larger one")
    return Agrees(1, "introduction and Section 5.1.2")


@evidence("losspass.ours.same-qct", form="printed", strength="exact")
def one_qct_in_three_places() -> Outcome:
    """Introduction, Section 5.1.1, slides."""
    places = QUOTED["qct"]
    check(len(set(places.values())) == 1, "one number")
    return Agrees(len(places), ", ".join(places))


@evidence("losspass.abstract.ecn-3.20", form="printed", strength="exact")
def the_abstract_names_another_baseline() -> Outcome:
    """The headline 3.20 is ECN's in the abstract and PIAS's in the introduction; the evaluation has it for neither."""
    headline, found = QUOTED["headline-99"], QUOTED["evaluation-99"]
    check(headline["abstract"][0] == headline["introduction"][0], "the same number")
    check(headline["abstract"][1] != headline["introduction"][1], "two baselines")
    number = interval(headline["abstract"][0])
    check(not any(overlap(number, interval(text)) for text, _ in found.values()), "the evaluation has it nowhere")
    return Conflict(
        "losspass.intro.pias-99",
        "The same headline number stands for two baselines, and nothing in Section 5.1 has it for either.",
        {"headline": headline, "99th percentile ratios of Section 5.1": found},
    )


def pias(other: str) -> Conflict:
    """Show that 3.20 against PIAS contradicts Section 5.1.2."""
    largest = max(interval(text)[1] for text, against in QUOTED["evaluation-99"].values() if against == "PIAS")
    least = min(interval(text)[0] for text, against in QUOTED["headline-99"].values() if against == "PIAS")
    check(largest < least, "the intervals do not meet")
    arithmetic = {"at most, by Section 5.1.2": largest, "at least, by the headline": least}
    return Conflict(
        other, "The largest ratio of Section 5.1.2, rounding allowed for, is below the headline's.", arithmetic
    )


@evidence("losspass.intro.pias-99", "losspass.slides.pias-3.20", form="printed", strength="exact")
def the_headline_against_section_5_1_2() -> Outcome:
    """The headline 3.20 (at least 3.195) against at most 1.925 and 1.665."""
    return pias("losspass.sec5.1.2.pias-99-web")


@evidence("losspass.sec5.1.2.pias-99-web", "losspass.sec5.1.2.pias-99-mining", form="printed", strength="exact")
def section_5_1_2_against_the_headline() -> Outcome:
    """Both workloads together leave no room for 3.20."""
    return pias("losspass.intro.pias-99")


def line_of_pipe() -> Conflict:
    """Show that Section 2.1's port is too small for Section 5.2's round trip."""
    port, rate, rtt = Fraction(512 * 1024), Fraction(12_500_000_000), Fraction("85.2") / 10**6
    check(port < rate * rtt, "the port is smaller")
    arithmetic = {"B": port, "C RTT": rate * rtt, "longest RTT in seconds": port / rate}
    return Conflict(
        "losspass.sec2.1.tomahawk@binary",
        "512 KB a port at 100 Gbps are less than C RTT for the base RTT of 85.2 us that the paper simulates.",
        arithmetic,
    )


@evidence("losspass.sec3.3.modern", form="printed", strength="exact")
def a_modern_switch_without_room_for_its_pipe() -> Outcome:
    """512 KiB against 100 Gbps times 85.2 us = 1,065,000 bytes."""
    return line_of_pipe()


@evidence("losspass.sec3.3.lp-qmax", "losspass.sec3.2.4.kl", form="printed", strength="exact")
def marks_keep_large_flows_from_filling_the_port() -> Outcome:
    """K_l = 45 packets, two flows: at most 70,500 of 128,000 bytes."""
    longest = largest_queue(Fraction(45 * 1500), 2, segment=Fraction(1500))
    check(longest < 128_000, "shorter than B")
    arithmetic = {"K_l + N a": longest, "B": 128_000}
    return Conflict(
        "losspass.sec3.2.4.kl",
        "Marked at K_l, large flows never fill the port; the analysis lets them fill it.",
        arithmetic,
    )


@evidence("losspass.sec5.1.1.because", form="printed", strength="exact")
def the_testbed_limits_the_queue() -> Outcome:
    """ECN at K = 45 packets is on by default."""
    check(45 * 1500 < 128_000, "K < B")
    return Conflict("losspass.sec3.2.4.kl", "Marking at K = 45 packets limits the queue of large flows.",
                    {"K": 67_500, "B": 128_000})  # fmt: skip


def cycles(other: str) -> Conflict:
    """Show that two and five cycles are counted for one design."""
    paper, slides = QUOTED["cycles"]["paper"], QUOTED["cycles"]["slides"]
    check(sum(paper.values()) != sum(slides.values()), "two totals")
    return Conflict(other, "Five cycles in Section 4.1, two on the slides.", {"paper": paper, "slides": slides})


@evidence("losspass.sec4.1.total", form="printed", strength="exact")
def five_cycles_against_two() -> Outcome:
    """Paper against slides."""
    return cycles("losspass.slides.clocks")


@evidence("losspass.intro.five-cycles", form="printed", strength="exact")
def the_introductions_five_cycles_against_two() -> Outcome:
    """Introduction against slides."""
    return cycles("losspass.slides.clocks")


@evidence("losspass.fn1.testbed", form="printed", strength="exact")
def ten_packets_exceed_the_footnotes_threshold() -> Outcome:
    """0.17 * 62,500 bytes against 10 packets; 620 of 1000 (or 995) Mbps are no line rate."""
    needed = Fraction("0.17") * 62_500 / 1500
    check(needed < 10, "K = 10 exceeds it")
    check(all(interval("620")[1] < full for full in (995, 1000)), "620 Mbps are less than the link")
    said = "By the footnote K = 10 is enough, and the measured throughput is 620 Mbps."
    return Conflict("losspass.sec5.1.1.dctcp-620", said, {"0.17 C RTT in packets": needed, "K": 10})


@evidence("losspass.slides.clocks", form="printed", strength="exact")
def two_cycles_against_five() -> Outcome:
    """Slides against paper."""
    return cycles("losspass.sec4.1.total")


@evidence("losspass.slides.clock1", form="printed", strength="exact")
def one_cycle_against_three() -> Outcome:
    """DSCP look-up (2) and conditions (1), against one clock."""
    paper = QUOTED["cycles"]["paper"]
    same = sum(paper[step] for step in ("DSCP match", "queue index", "conditions"))
    slides = QUOTED["cycles"]["slides"]["DSCP, packet size, reserve"]
    check(same != slides, "two counts")
    said = "The look-up alone takes two cycles in Section 4.1."
    return Conflict("losspass.sec4.1.lookup", said, {"paper": same, "slides": slides})


@evidence("losspass.sec4.3.shaper", "losspass.sec5.1.1.full-throughput", form="printed", strength="exact")
def a_shaped_link_is_not_full() -> Outcome:
    """99.5 % against 100 %: a shaped link cannot carry all of its capacity."""
    share = Fraction("99.5") / 100
    check(share < 1, "less than the link")
    goodput = share * Fraction(1460, 1538)  # data over frame with headers, preamble and gap
    said = "A link shaped to 99.5 % does not reach 100 % of its capacity."
    return Conflict("losspass.sec5.1.1.full-throughput", said, {"shaped": share, "goodput at most": goodput})


@evidence("losspass.sec2.1.timeout", form="printed", strength="exact")
def tens_of_round_trips_are_not_hundreds() -> Outcome:
    """10 ms/500 us = 20 and 5 ms/85.2 us = 58.7."""
    factors = [Fraction(10_000, 500), Fraction(5000) / Fraction("85.2")]
    check(all(factor < 100 for factor in factors), "less than a hundred")
    return Conflict("losspass.sec5.1.rto", "In the paper's own settings a timeout is 20 and 58.7 round trips.",
                    {"testbed": factors[0], "simulations": factors[1]})  # fmt: skip


@evidence("losspass.table1.title", form="printed", strength="exact")
def a_missed_chance_is_no_large_packet() -> Outcome:
    """Title: large flows; text: an arriving packet of the small queue."""
    counted = QUOTED["table1"]["class"]
    check(len(set(counted.values())) > 1, "two classes")
    return Conflict("losspass.table1.definition", "By the text a missed chance is a small packet.", counted)


@evidence("losspass.sec5.2.3.no-ecn", "losspass.fig13.caption", form="printed", strength="exact")
def three_averages_are_worse() -> Outcome:
    """The text restricts the advantage over PIAS, the caption does not."""
    text, caption = (QUOTED["figure13"][place]["PIAS is better"] for place in ("text", "caption"))
    check(bool(set(text) - set(caption)), "the same exceptions")
    said = "The text names three averages in which PIAS is better, the caption none."
    return Conflict("losspass.fig13.caption", said, {"worse by the text": text, "worse by the caption": caption})


@evidence("losspass.sec5.1.2.decrease", form="printed", strength="exact")
def gaps_shrink_in_data_mining() -> Outcome:
    """Web search against data mining: 2.00, 1.31, 1.92 against 1.63, 1.09, 1.66, rounding allowed for."""
    average, tail = QUOTED["average"], QUOTED["evaluation-99"]
    pairs = [(average[f"{who}, web search"], average[f"{who}, data mining"]) for who in ("ECN", "PIAS")]
    pairs.append((tail["PIAS, web search"][0], tail["PIAS, data mining"][0]))
    check(all(interval(mining)[1] < interval(web)[0] for web, mining in pairs), "smaller")
    return Agrees(3, "three quoted pairs")


@evidence("losspass.sec5.1.2.slightly", "losspass.sec7.slightly", form="printed", strength="exact")
def large_flows_slow_down_by_less_than_a_tenth() -> Outcome:
    """Against 0.93, 0.94, 0.99 (testbed, Table 2) and 0.99, 0.94 (simulation): at most 1/0.925."""
    worst = max(1 / interval(text)[0] for text in QUOTED["large"].values())
    check(worst < Fraction(11, 10), "less than a tenth")
    return Proved(f"at most {float(worst):.4f}", {"ratio": "0.93"})


@evidence("losspass.table1.dropped", "losspass.table1.evicted", form="printed", strength="exact")
def more_losses_without_ecn() -> Outcome:
    """6657 > 2400 and 6939 > 4522."""
    check(all(a > b for a, b in [(TABLE_1["without"][k], TABLE_1["with"][k]) for k in ("dropped", "evicted")]), "more")
    return Agrees(2, "dropped, evicted")


@evidence("losspass.table1.missed", form="printed", strength="exact")
def few_chances_are_missed() -> Outcome:
    """26 and 15, of 4548 and 6954 attempts."""
    for row, printed in zip(TABLE_1.values(), ("0.57", "0.22"), strict=True):
        evicted, missed = row["evicted"], row["missed"]
        check(names(printed, Fraction(100 * missed, evicted + missed)), "per cent of the attempts")
        check(Fraction(missed, evicted) < Fraction(1, 100), "less than 1 %")
    return Agrees(2, "with and without ECN")


@evidence("losspass.table1.excessive", form="printed", strength="exact")
def evictions_are_few_packets_but_most_losses() -> Outcome:
    """Evicted over 4.35 M packets (the least that 4.4 M can mean), and over all losses."""
    for row in TABLE_1.values():
        dropped, evicted = row["dropped"], row["evicted"]
        check(Fraction(evicted) / (interval("4.4")[0] * 10**6) < Fraction(2, 1000), "less than 0.2 %")
        check(evicted > dropped, "more than half of the losses")
    return Agrees(2, "with and without ECN")


@evidence("losspass.table2.text", form="printed", strength="exact")
def the_text_quotes_the_table() -> Outcome:
    """41.55, 12.38 and 0.54 are No-ECN's."""
    text = QUOTED["table2"]["text"]
    check(all(TABLE_2["No-ECN"][key] == value for key, value in text.items()), "No-ECN")
    return Agrees(len(text), "the numbers of the text")


@evidence("losspass.table2.less", form="printed", strength="exact")
def less_improvement_with_ecn() -> Outcome:
    """Loss rate and tail FCT of small flows, both rows with ECN against No-ECN."""
    none = TABLE_2["No-ECN"]
    for row in ("Per-Port ECN", "Per-Queue ECN"):
        for column in ("loss_small", "tail_small"):
            check(interval(TABLE_2[row][column])[1] < interval(none[column])[0], "less")
    return Agrees(4, "two rows, two columns")


@evidence("losspass.table2.small-improves", "losspass.table2.large-kept", "losspass.table2.large-kept.no-ecn",
          "losspass.table2.trade", form="printed", strength="exact")  # fmt: skip
def what_table_2_says_about_each_class() -> Outcome:
    """Column by column, rounding allowed for."""
    for name, row in TABLE_2.items():
        loss_small, loss_large, tail_small, tail_large = map(interval, row.values())
        check(loss_small[0] > 1 > loss_large[1], "loss rates: small better, large worse")
        check(tail_small[0] > 1, "tail FCT of small flows improves")
        check(name == "No-ECN" or tail_large[0] > 1, "tail FCT of large flows with ECN")
    low, high = interval(TABLE_2["No-ECN"]["tail_large"])
    check(Fraction(98, 100) <= low and high <= Fraction(102, 100), "at most 2 %")
    return Agrees(12, "three rows, four columns")


@evidence("losspass.sec5.2.2.half", form="printed", strength="exact")
def the_loss_rate_is_halved_where_it_is_highest() -> Outcome:
    """At most 0.105/0.215."""
    share = interval(LOSS["small, LossPass, most"])[1] / interval(LOSS["small, Droptail-2Q, most"])[0]
    check(share <= Fraction(1, 2), "half")
    return Proved(f"at most {float(share):.3f} remains", {"Droptail-2Q": "0.22", "LossPass": "0.10"})


@evidence("losspass.sec5.2.2.everywhere-half", form="printed", strength="exact")
def the_loss_rate_is_not_halved_where_it_is_lowest() -> Outcome:
    """At least 0.085/0.165 remains where Droptail-2Q has 0.16."""
    low, high = interval(LOSS["small, LossPass, least"])[0], interval(LOSS["small, Droptail-2Q, least"])[1]
    says = "the ends of the rounding intervals that favour the statement most"
    return values("low/high <= 1/2", ["low == 0.085", "high == 0.165"], says, low=low, high=high)


@evidence("losspass.sec5.2.2.2.90", form="printed", strength="exact")
def the_ratio_to_droptail_2q_is_3_20() -> Outcome:
    """0.64/0.20 lies in [3.10, 3.31], which 2.90 is not in."""
    possible = ratio(LOSS["large, LossPass"], LOSS["large, Droptail-2Q"])
    check(not overlap(possible, interval(LOSS["large, quoted ratio"])), "disjoint")
    return values("2.895 <= a/b and a/b < 2.905", ["0.635 <= a", "a < 0.645", "0.195 <= b", "b < 0.205"],
                  "the ratio is 3.20; no values in the rounding intervals give 2.90", a="0.64", b="0.20")  # fmt: skip


@evidence("losspass.sec5.2.2.2.90", form="repaired", strength="exact")
def the_ratio_to_droptail_is_2_90() -> Outcome:
    """0.64/0.22 lies in [2.82, 3.00], and so does 2.90."""
    possible = ratio(LOSS["large, LossPass"], LOSS["large, Droptail"])
    check(overlap(possible, interval(LOSS["large, quoted ratio"])), "the intervals meet")
    return Proved("0.638/0.22 = 2.90", {"a": "0.638", "b": "0.22"}, ["0.635 <= a", "a < 0.645", "a == 2.9*b"])


@evidence("losspass.sec5.2.2.higher", form="printed", strength="exact")
def times_and_times_higher_differ() -> Outcome:
    """(a - b)/b = a/b - 1."""
    return values("(a - b)/b == 2.9", ["a == 2.9*b"], "it is 1.9 times higher", a="2.9", b=1)


@evidence("losspass.sec5.2.2.higher", form="repaired", strength="exact")
def times_less_one_is_times_higher() -> Outcome:
    """2.90 times as high is 1.90 times higher."""
    check(Fraction("2.90") - 1 == Fraction("1.90"), "1.90")
    return Proved("a/b - 1 = 1.9", {"a": "2.9", "b": "1"}, ["a == 2.9*b", "(a - b)/b == 1.9"])


@evidence("losspass.sec5.2.2.evidence", form="printed", strength="exact")
def more_large_packets_are_lost() -> Outcome:
    """0.64 against 0.22 and 0.20, rounding allowed for."""
    others = (LOSS["large, Droptail"], LOSS["large, Droptail-2Q"])
    check(all(interval(LOSS["large, LossPass"])[0] > interval(text)[1] for text in others), "more")
    return Agrees(2, "Droptail and Droptail-2Q")


@evidence("losspass.sec5.2.2.spq", form="printed", strength="exact")
def strict_priority_explains_the_rest() -> Outcome:
    """Droptail over Droptail-2Q: 1.02/0.94 exceeds 1 within rounding."""
    low, high = ratio("1.02", "0.94")
    check(low > 1, "Droptail is slower than Droptail-2Q")
    return Proved(f"between {float(low):.3f} and {float(high):.3f}", {"Droptail": "1.02", "Droptail-2Q": "0.94"})


@evidence("losspass.sec5.2.1.similar", form="printed", strength="exact")
def the_simulated_gap_is_seven_times_the_measured_one() -> Outcome:
    """14.03 against 1.92 in web search."""
    return values("simulated <= 2*measured", says="7.3 times", simulated="14.03", measured="1.92")


@evidence("losspass.ours.dctcp-order", form="printed", strength="exact")
def throughput_rises_with_k() -> Outcome:
    """Of 1000 or 995 Mbps less 393, against 620."""
    check(all(full - 393 < 620 for full in (1000, 995)), "less")
    return Agrees(2, "full rates of 1000 and 995 Mbps")


@evidence("losspass.ours.table-ratio", form="printed", strength="exact")
def tail_drop_would_lose_what_losspass_drops() -> Outcome:
    """Dropped over dropped and evicted, against Table 2."""
    measured_in = {"without": "No-ECN", "with": "Per-Queue ECN"}
    for key, predicted in (("without", "0.49"), ("with", "0.35")):
        measured = TABLE_2[measured_in[key]]["loss_large"]
        dropped, evicted = TABLE_1[key]["dropped"], TABLE_1[key]["evicted"]
        check(names(predicted, Fraction(dropped, dropped + evicted)), predicted)
        check(not overlap(interval(predicted), interval(measured)), "not what was measured")
    return Agrees(2, "with and without ECN")


@evidence("losspass.ours.loss-balance", form="printed", strength="exact")
def the_loss_rates_need_many_small_packets() -> Outcome:
    """Saved times the share of small packets = lost in addition times the rest; the least share by rounding."""
    saved = interval(LOSS["small, Droptail-2Q, most"])[1] - interval(LOSS["small, LossPass, least"])[0]
    lost = interval(LOSS["large, LossPass"])[0] - interval(LOSS["large, Droptail-2Q"])[1]
    share = lost / (lost + saved)
    check(share >= Fraction(3, 4), "three of four")
    return Proved(f"at least {float(share):.3f} of the packets", {"saved": saved, "lost": lost})


@evidence("losspass.slides.testbed", "losspass.slides.classes", form="printed", strength="exact")
def slides_and_paper_agree_on_the_testbed() -> Outcome:
    """Rate, flows, loads, queries, transport and class bounds: slides against Sections 2.2 and 5.1, blanks aside."""
    paper, slides = QUOTED["testbed"]["paper"], QUOTED["testbed"]["slides"]
    check(paper.keys() == slides.keys(), "the same quantities")
    check(all(paper[key].replace(" ", "") == slides[key].replace(" ", "") for key in paper), "equal")
    return Agrees(len(slides), ", ".join(slides))
