"""Section 5.1.3: Tables 1 and 2, and Figure 8; runs and published numbers."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import log
from statistics import fmean

from dtmodel.ledger import Agrees, Conflict, Outcome, Proved, check, evidence
from dtmodel.packet.flow_sizes import flow_sizes

from ..printed import interval, names
from ..support.experiments import Kept
from ..support.ratios import LARGE, SMALL, Ratio
from .figures import fig08
from .histories import DOMAIN, History, Moment, all_histories, history, proves, settings_of
from .published import QUOTED, TABLE_1, TABLE_2, overlap

EVICTION = ("No ECN", "ECN by the port", "ECN by the queue")
"""The rows of Table 2, each with a kept policy without eviction and one with it."""


def effects(measure: str, part: int) -> list[Ratio]:
    """Return a measure without eviction over that with it, in the rows of Table 2."""
    kept = Kept.read("losspass.fig8")
    return [Ratio(kept, row, f"{row}, eviction", measure, part) for row in EVICTION]


def lost_parts(size: int, queue: int, published: Sequence[float]) -> Outcome:
    """Compare the ratios of lost parts with a column of Table 2: of a class of flows, or of a queue."""
    kept = Kept.read("losspass.fig8")
    rows = zip(effects("loss", size), effects("loss_of_queue", queue), published, strict=True)
    return kept.all_of(*(kept.number(flows.over(), number, 2, packets.over()) for flows, packets, number in rows))


@evidence("losspass.table2.loss-small", form="printed", strength="sampled")
def the_lost_part_of_small_flows() -> Outcome:
    """The lost part of packets of flows below 0.1 MB, or of the queue of small flows, without eviction over with it."""
    return lost_parts(SMALL, 0, (41.55, 10.61, 11.27))


@evidence("losspass.table2.loss-large", form="printed", strength="sampled")
def the_lost_part_of_large_flows() -> Outcome:
    """The lost part of packets of flows above 10 MB, or of the queue of large flows, without eviction over with it."""
    return lost_parts(LARGE, 1, (0.54, 0.24, 0.42))


@evidence("losspass.table2.fct", form="printed", strength="sampled")
def the_tails_with_and_without_eviction() -> Outcome:
    """The 99th percentiles without eviction over those with it, of small and of large flows: six numbers."""
    kept, columns = Kept.read("losspass.fig8"), ((SMALL, (12.38, 1.13, 1.32)), (LARGE, (0.99, 1.01, 1.01)))
    pairs = [pair for part, numbers in columns for pair in zip(effects("flow_p99", part), numbers, strict=True)]
    return kept.all_of(*(kept.number(effect.over(), number, 2) for effect, number in pairs))


@evidence("losspass.fig8.trend", form="printed", strength="sampled")
def the_reserve_helps_large_flows_and_costs_small_ones_more() -> Outcome:
    """The 99 % intervals of the log ratios of mean times from the ratio 0 of the reserve to 1, and their distances."""
    kept, ends = Kept.read("losspass.fig8"), ("ECN by the queue, eviction", "reserve of ratio 1")
    small, large = (Ratio(kept, *ends, "flow_mean", part) for part in (SMALL, LARGE))

    def change(one: Ratio, reading: str) -> float:
        return abs(fmean(log(one.of_seed(reading, seed)) for seed in kept.numbers))

    more = [reading for reading in kept.readings if change(small, reading) > change(large, reading)]
    return kept.all_of(
        kept.sooner(lambda reading, seed: 1 / large.of_seed(reading, seed), "large flows sooner"),
        kept.sooner(small.of_seed, "small flows later"),
        kept.repeated(more, "small flows change more"),
    )


@evidence("losspass.table1.dropped", "losspass.table1.evicted", form="printed", strength="exact")
def more_losses_without_ecn() -> Outcome:
    """Without ECN Table 1 counts more drops (6657 against 2400) and evictions (6939 against 4522)."""
    check(all(a > b for a, b in [(TABLE_1["without"][k], TABLE_1["with"][k]) for k in ("dropped", "evicted")]), "more")
    return Agrees(2, "dropped, evicted")


@evidence("losspass.table1.packets@published", form="printed", strength="exact")
def the_large_packets_come_after_the_first_megabyte() -> Outcome:
    """4.389 M, which is printed as 4.4; whole flows above 1 MB and above 10 MB would be printed as 5.4 and 2.0."""
    sizes = flow_sizes("web-search")
    packets = 5_000 * sizes.mean / 1460 / 10**6
    check(names("4.4", packets * sizes.tail("1 MB")), "after the first megabyte")
    others = {"1 MB": "5.4", "10 MB": "2.0"}
    check(all(names(printed, packets * sizes.share_above(size)) for size, printed in others.items()), "whole flows")
    return Agrees(3, "the first megabyte apart, and whole flows above 1 and 10 MB")


@evidence("losspass.table1.missed", form="printed", strength="exact")
def few_chances_are_missed() -> Outcome:
    """Table 1 has 26 and 15 missed evictions, of 4548 and 6954 attempts."""
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


@evidence("losspass.fig8.trend@open-loop", form="printed", strength="exact")
def a_larger_reserve_moves_losses_back_to_small_flows() -> Outcome:
    """Count the packets of the picture: class by class for each alpha."""
    shown = fig08.data()
    lost = [point.lost for point in shown.losses]
    for one, two in pairwise(lost):
        check(one["small"] <= two["small"] and one["large"] >= two["large"], f"{one} before {two}")
    first, last = shown.losses[0], shown.losses[-1]
    changes = [abs(last.percent(kind) - first.percent(kind)) for kind in ("small", "large")]
    check(changes[0] > changes[1], "small flows change more")
    check(all(point == shown.droptail.lost for point in lost[2:]) and lost[1] != lost[2], "Droptail-2Q from 2/5 on")
    return Agrees(len(lost), "the arrivals of the picture, alpha by alpha")


@evidence("losspass.table1.title", form="printed", strength="exact")
def a_missed_chance_is_no_large_packet() -> Outcome:
    """Title: large flows; text: an arriving packet of the small queue."""
    counted = QUOTED["table1"]["class"]
    check(len(set(counted.values())) > 1, "two classes")
    return Conflict("losspass.table1.definition", "By the text a missed chance is a small packet.", counted)


@evidence("losspass.ours.table1-share", form="printed", strength="exact")
def table_1_holds_too_few_packets_for_95_percent() -> Outcome:
    """At most 4.45 M packets of 1500 bytes against 5,000 flows of at least 1.575 MB."""
    most = interval("4.4")[1] * 10**6 * 1500 / (5000 * interval("1.58")[0] * 10**6)
    check(Fraction(84, 100) < most <= Fraction(85, 100), f"{most}")
    return Proved("less than 85 %", {"most": str(most)}, ["most <= 17/20"])


@evidence("losspass.table2.text", form="printed", strength="exact")
def the_text_quotes_the_table() -> Outcome:
    """The quoted 41.55, 12.38 and 0.54 are the row No-ECN of Table 2."""
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


@evidence("losspass.table2.similar", form="printed", strength="exact")
def both_kinds_of_ecn_are_within_twice() -> Outcome:
    """Per-Port against Per-Queue ECN, column by column, rounding allowed for."""
    columns = list(zip(TABLE_2["Per-Port ECN"].values(), TABLE_2["Per-Queue ECN"].values(), strict=True))
    for texts in columns:
        (least, most), (low, high) = map(interval, texts)
        check(most < 2 * low and high < 2 * least, f"{texts}: within twice")
        check((least > 1 and low > 1) or (most < 1 and high < 1), f"{texts}: one side of 1")
    return Agrees(len(columns), "the columns of Table 2")


@evidence("losspass.intro.drop-vs-evict", form="printed", strength="exact")
def drops_are_arrivals_and_victims_are_buffered() -> Outcome:
    """A dropped packet is in no queue before the event; a victim is in Q_l before it."""

    def holds(_: History, m: Moment) -> bool:
        before = {p.number for queue in m.before for p in queue}
        dropped = m.step.decision == "drop" and m.step.packet in before
        return not dropped and (m.step.victim is None or m.step.victim in before)

    return Agrees(proves(all_histories("intended"), holds, "dropped or evicted"), DOMAIN)


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


@evidence("losspass.fig8.prevents", form="printed", strength="exact")
def a_reserve_can_save_the_only_large_packet() -> Outcome:
    """B = 2: a large packet, then two small ones; without a reserve it is evicted, with one byte it is served."""
    letters = [("arrive", "large", 1), *[("arrive", "small", 1)] * 2, *[("depart", "any")] * 2]
    without, within = (history(settings_of("intended", 2, B_l), letters) for B_l in (0, 1))
    check(without.moments[2].step.victim == 0 and without.lost("large") == {0}, "it is evicted without a reserve")
    check(within.lost("large") == frozenset(), "it is lost with a reserve")
    check(within.moments[-1].step.decision == "depart" and within.moments[-1].step.packet == 0, "it is not served")
    return Proved("the large packet departs last, in place of one small packet", {"B": "2", "B_l": "1"})
