"""The parameter sheet of EDT, field by field, from the paper's equations worked out by hand."""

from fractions import Fraction
from typing import Any

import pytest
from refusals import refused

from dtmodel import InputError
from dtmodel.base.mathtext import text_of
from dtmodel.theorems.writing import tex_of
from dtmodel.theory.edt.sheet import parameters
from dtmodel.theory.sheet import SheetRow

F = Fraction
SMALL: dict[str, Any] = {"ports": 4, "buffer": 36, "rate": 2, "packet": 1, "duration": 10, "smallest_rate": 5}
EQUAL = "bursts of one rate that begin together, for every M + N <= P"
COUNTED = "; C2 counts whole packets, or bytes if cn2 is less than one"
LASTS_LONG = "cn2 does not protect bursts of different rates or starts, nor one with a running TM1 (edt.eq73)."
RETURNS = "If only packets that enter reset C1, a port above a shrunken T_2 returns at full load (edt.fig15)."
SHORT = "d is less than B / C: with TM1 by (78) a burst may be lost that (77) calls safe (edt.eq77)."
SEVERAL = "Several such bursts at once may exceed the rate of the inputs: see longest_burst_carried."
OUTRUNS = "The burst outruns a steady port: the buffer is full before (80) says so (edt.ours.theorem5)."


def settings(cn2: str, packets: tuple[int, int], best: str, d: str, tm1: str) -> tuple[SheetRow, ...]:
    paper = tex_of(lambda a, B, P: 4 * a * B / (2 + a * P) ** 2, "alpha", "B", "P")
    half = r"\left\lfloor{\frac{P + 1}{2}}\right\rfloor"
    whole = rf"\frac{{\alpha B}}{{\left(1 + \alpha \left(P - {half}\right)\right) \left(1 + \alpha {half}\right)}}"
    tm1_formula = tex_of(lambda a, P, d: 4 * (1 + a * P) / (2 + a * P) ** 2 * d, "alpha", "P", "d")
    bound, section, own = r"\max\left(d_{mb}, \frac{B}{R_{min} - C}\right)", "DT/EDT paper, Section 4.4", "edt.ours.cn2"
    return (
        SheetRow("cn2", "c_{n2}", F(cn2), "bytes", paper, "DT/EDT paper, equation (73)", EQUAL),
        SheetRow("cn2_packets", "c_{n2}", packets[0], "packets", paper, "DT/EDT paper, equation (73)", "rounded down"),
        SheetRow("cn2_best", "c_{n2}^*", F(best), "bytes", whole, f"own theorem {own}", EQUAL),
        SheetRow("cn2_best_packets", "c_{n2}^*", packets[1], "packets", whole, f"own theorem {own}", "rounded down"),
        SheetRow("d", "d", F(d), "seconds", bound, "DT/EDT paper, equation (81)", "no burst is slower than R_min"),
        SheetRow(
            "tm1", "TM_1", F(tm1), "seconds", tm1_formula,
            "DT/EDT paper, equation (78)", "d >= B / C",
        ),
        SheetRow("tm2", "TM_2", F(d), "seconds", "d", section),
        SheetRow(
            "cn1", "c_{n1}", 3, "packets", "3", section,
            "packets of one size come evenly, and a dropped packet resets C1 too",
        ),
    )  # fmt: skip


def worth(
    slow: str, longest: tuple[str, str, str | None], fastest: str, smallest: str, best: tuple[str, str]
) -> tuple[SheetRow, ...]:
    dt, edt, carried = longest
    paper, own, overflow = "DT/EDT paper, Theorem 1", "own theorem edt.ours.drop-time", "own theorem edt.ours.theorem5"
    lasts = r"\min_{M, N} t_{EDT}"
    return (
        SheetRow(
            "slow_rate", "R", F(slow), "bytes/s", r"C + \frac{\alpha B}{\left(1 + \alpha P\right) d}",
            "DT/EDT paper, equation (77)", "d >= B / C",
        ),
        SheetRow("longest_burst_dt", "d", F(dt), "seconds", r"\min_{M, N} t_{DT}", paper, EQUAL),
        SheetRow("longest_burst", "d", F(edt), "seconds", lasts, own, EQUAL + COUNTED),
        SheetRow(
            "longest_burst_carried", "d", carried and F(carried), "seconds", r"\min_{M R + N C \leq P C} t_{EDT}",
            own, "bursts that P inputs of rate C can bring" + COUNTED,
        ),
        SheetRow("largest_rate", "R", F(fastest), "bytes/s", r"\min_{M, N} R(d)", overflow, EQUAL),
        SheetRow("smallest_buffer", "B", F(smallest), "bytes", r"\max_{M, N} B(R, d)", overflow, EQUAL),
        SheetRow("best_alpha", r"\alpha^*", F(best[0]), "", r"\alpha = 2^{k}, \left|{k}\right| \leq 7", paper, EQUAL),
        SheetRow(
            "best_alpha_burst", "d", F(best[1]), "seconds",
            r"\max_{\alpha = 2^{k}, \left|{k}\right| \leq 7} \min_{M, N} t_{DT}", paper, "DT with that alpha",
        ),
    )  # fmt: skip


def test_the_sheet_of_four_ports_is_worked_out_by_equations_73_to_81() -> None:
    """R = 6, R - C = 4, alpha = 1: a burst is slow if 6 <= 2 (1 + (1 + N) / M), which is M = 1 <= N.

    DT loses first beside (M, N) = (3, 1), at 36 / (2 (4 * 4 - 2)); there too the buffer is full first, at
    36 / (2 (3 * 4 - 2)), before TM2 ends at 4 / 4 + 12. The inputs carry one burst, which fills the buffer at 36 / 4.
    For bursts of 12 s, M = 4 is the worst: 36 / (4 * 12) more than C. With alpha = 1/2, DT loses at
    18 / (3/2 (5/2 * 4 - 1)) beside (3, 1); with alpha = 1/4 at 72 / 65, and with all others at 9 / 7 or before.
    """
    sheet = parameters(**SMALL, burst_rate=6)
    assert (
        sheet.title
        == "EDT: 4 ports of 16 bps sharing 36 B, alpha = 1; bursts of R = 48 bps, none slower than R_min = 40 bps"
    )
    assert sheet.parameters == (
        *settings("4", (4, 4), "4", "12", "20/3"),
        *worth("13/5", ("9/7", "9/5", "9"), "11/4", "240", ("1/2", "4/3")),
    )
    assert sheet.warnings == (SHORT, SEVERAL, LASTS_LONG, RETURNS)


def test_the_sheet_of_three_ports_with_large_packets_says_what_is_not_tight() -> None:
    """cn2 = 4 * 2 * 27 / 8^2; the best is 54 / (5 * 3); d = 27 / 3 without a duration; R = R_min = 2 C = 6."""
    sheet = parameters(ports=3, buffer=27, rate=3, alpha=2, packet=4)
    assert sheet.title == "EDT: 3 ports of 24 bps sharing 27 B, alpha = 2; bursts of R = 48 bps (2 C, as none is given)"
    other = parameters(ports=3, buffer=27, rate=3, alpha=2, packet=4, burst_rate=7)
    assert (
        other.title
        == "EDT: 3 ports of 24 bps sharing 27 B, alpha = 2; bursts of R = 56 bps, none slower than R_min = 48 bps"
    )
    same = parameters(ports=3, buffer=27, rate=3, alpha=2, packet=4, smallest_rate=6)
    assert same.title == "EDT: 3 ports of 24 bps sharing 27 B, alpha = 2; bursts of R = 48 bps"
    assert sheet.parameters[:8] == settings("27/8", (0, 0), "18/5", "9", "63/16")
    assert sheet.warnings == (
        "cn2 is less than one packet: every packet would free its port; count bytes, or use a larger one.",
        "P is odd: (73) is not tight; 3.6 B are safe too (edt.ours.cn2).",
        LASTS_LONG,
        RETURNS,
    )


WORST = {
    "fast": (
        {"ports": 7, "buffer": 60, "rate": 1, "packet": 1, "duration": 10, "smallest_rate": 5, "alpha": 2},
        {
            "longest_burst_dt": (4, 3, "(2 · 60 B)/((1 + 2 · 3) ((1 + 2 · 4) (40 bps - 8 bps) - 2 · 3 · 8 bps))"),
            "longest_burst": (4, 3, "(60 B)/((1 + 2 · 3) (4 · (40 bps - 8 bps) - 3 · 8 bps))"),
            "longest_burst_carried": (1, 2, "(60 B)/((1 + 2 · 2) (1 · (40 bps - 8 bps) - 2 · 8 bps))"),
            "largest_rate": (6, 1, "8 bps + ((60 B)/((1 + 2 · 1) · 15 s) + 1 · 8 bps)/6"),
            "smallest_buffer": (4, 3, "15 s · (1 + 2 · 3) (4 · (40 bps - 8 bps) - 3 · 8 bps)"),
            "best_alpha_burst": (
                5, 2, "(1/4 · 60 B)/((1 + 1/4 · 2) ((1 + 1/4 · 5) (40 bps - 8 bps) - 1/4 · 2 · 8 bps))",
            ),
        },
    ),
    "slow": (
        SMALL | {"smallest_rate": "5/2"},
        {
            "longest_burst_dt": (4, 0, "(1 · 36 B)/((1 + 1 · (4 + 0)) (20 bps - 16 bps))"),
            "longest_burst": (4, 0, "(36 B)/(4 · (20 bps - 16 bps))"),
            "longest_burst_carried": (3, 0, "(36 B)/(3 · (20 bps - 16 bps))"),
            "largest_rate": (4, 0, "16 bps + ((36 B)/((1 + 1 · 0) · 72 s) + 0 · 16 bps)/4"),
            "smallest_buffer": (4, 0, "72 s · 4 · (20 bps - 16 bps)"),
            "best_alpha_burst": (
                4, 0, "(128 · 36 B)/((1 + 128 · 0) ((1 + 128 · 4) (20 bps - 16 bps) - 128 · 0 · 16 bps))",
            ),
        },
    ),
    "recognised late, and too fast for the inputs": (
        {"ports": 1, "buffer": 36, "rate": 2, "packet": 5, "smallest_rate": 20, "burst_rate": 11},
        {
            "longest_burst_dt": (1, 0, "(1 · 36 B)/((1 + 1 · 0) ((1 + 1 · 1) (88 bps - 16 bps) - 1 · 0 · 16 bps))"),
            "longest_burst": (1, 0, ""),
            "largest_rate": (1, 0, "16 bps + ((36 B)/((1 + 1 · 0) · 2 s) + 0 · 16 bps)/1"),
            "smallest_buffer": (1, 0, "2 s · (1 + 1 · 0) (1 · (88 bps - 16 bps) - 0 · 16 bps)"),
            "best_alpha_burst": (
                1, 0, "(128 · 36 B)/((1 + 128 · 0) ((1 + 128 · 1) (88 bps - 16 bps) - 128 · 0 · 16 bps))",
            ),
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WORST)
def test_every_bound_says_which_ports_reach_it_and_its_formula_with_their_numbers(case: str) -> None:
    """What they give is compared with the values in `test_sheets_explained`; between timers there is no closed form."""
    given, expected = WORST[case]
    rows = parameters(**given).parameters[8:]
    shown = {row.name: (*row.worst, text_of(f"${row.worked}$") if row.worked else "") for row in rows if row.worst}
    assert shown == expected
    assert all(row.worst or row.worked == "" for row in rows if row.name != "slow_rate")


def test_the_best_counting_number_comes_in_whole_packets_too() -> None:
    assert (
        parameters(ports=3, buffer=6, rate=1, packet="1/3").parameters[:4]
        == settings("24/25", (2, 3), "1", "6", "96/25")[:4]
    )


def test_a_packet_is_of_1500_bytes_unless_said() -> None:
    """One port: cn2 = 4 B / 9 = 1500 * 1500 bytes; a byte more or less would be seen in so many packets."""
    assert parameters(ports=1, buffer=1500 * 3375, rate=1)["cn2_packets"] == 1500


def test_a_counter_of_whole_packets_sets_a_burst_free_for_tm2() -> None:
    """One port: cn2 = 144 / 9 = 16 is three packets of 5 bytes, reached at 15 / 9 < TM1 = 16 / 9; TM2 = 36 / 18 = 2.

    DT would lose at 18 / 9 = 2, when the port is free; it is controlled again at 15 / 9 + 2 < 36 / 9.
    """
    sheet = parameters(ports=1, buffer=36, rate=2, packet=5, smallest_rate=20, burst_rate=11)
    assert (sheet["tm1"], sheet["tm2"], sheet["longest_burst_dt"]) == (F(16, 9), 2, 2)
    assert sheet["longest_burst"] == F(11, 3)


def test_a_counter_of_less_than_a_packet_counts_bytes() -> None:
    """cn2 = 16 bytes again, in packets of 20: freed at 16 / 9, controlled again at 16 / 9 + 2."""
    sheet = parameters(ports=1, buffer=36, rate=2, packet=20, smallest_rate=20, burst_rate=11)
    assert sheet["longest_burst"] == F(34, 9)


def test_a_duration_counts_if_it_is_longer_than_the_smoothest_burst_takes_to_fill_the_buffer() -> None:
    assert [parameters(**SMALL | {"duration": d})["d"] for d in (10, 12, 13, None)] == [12, 12, 13, 12]


def test_one_packet_may_fill_the_buffer() -> None:
    assert parameters(**SMALL | {"packet": 36})["cn2_packets"] == 0
    with pytest.raises(InputError, match="no larger than the buffer, 36 B"):
        parameters(**SMALL | {"packet": 37})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"duration": 18}, ()),  # d C = B
        ({"duration": 17}, (SHORT,)),
        ({"duration": 18, "burst_rate": 4}, ()),  # slower than the smoothest
        ({"duration": 18, "burst_rate": 6}, (SEVERAL,)),  # alpha R = C (1 + 2 alpha)
        ({"duration": 18, "burst_rate": 7}, (SEVERAL, OUTRUNS)),
        ({"duration": 18, "burst_rate": 8}, (SEVERAL, OUTRUNS)),  # what four inputs bring
        ({"duration": 18, "burst_rate": 9}, ("4 inputs of 16 bps cannot carry a burst of 72 bps.", OUTRUNS)),
        ({"duration": 18, "alpha": 2}, ()),  # 2 * 5 = 2 (1 + 4)
        ({"duration": 18, "alpha": 2, "smallest_rate": "51/10"}, (OUTRUNS,)),
        ({"duration": 18, "alpha": "1/2", "burst_rate": 8}, (SEVERAL,)),  # 8 / 2 = 2 (1 + 1)
        ({"duration": 18, "ports": 2}, ("2 inputs of 16 bps cannot carry a burst of 40 bps.",)),
        ({"duration": 18, "ports": 2, "burst_rate": 7},
         ("2 inputs of 16 bps cannot carry a burst of 56 bps.", OUTRUNS)),
        ({"duration": 18, "ports": 1, "burst_rate": 7, "packet": 16},
         ("P is odd: (73) is not tight; 18 B are safe too (edt.ours.cn2).",
          "1 inputs of 16 bps cannot carry a burst of 56 bps.")),
        ({"duration": 18, "packet": 4}, ()),  # cn2 is one packet
        ({"duration": 18, "packet": "9/2"},
         ("cn2 is less than one packet: every packet would free its port; count bytes, or use a larger one.",)),
    ],
)  # fmt: skip
def test_a_warning_begins_just_beyond_its_border(change: dict[str, Any], said: tuple[str, ...]) -> None:
    assert parameters(**SMALL | change).warnings == (*said, LASTS_LONG, RETURNS)


def test_bursts_that_the_inputs_just_carry_have_an_answer() -> None:
    assert parameters(**SMALL, burst_rate=8)["longest_burst_carried"] == 6
    assert parameters(**SMALL, burst_rate=9)["longest_burst_carried"] is None


BURST = "more than the port's rate 16 bps: slower traffic makes no queue"


@pytest.mark.parametrize(
    ("field", "value", "accepted"),
    [
        ("ports", "0", "a whole number of at least 1"),
        ("buffer", "0", 'a size greater than 0 such as "1 MB" or "64 KiB", in bytes if plain'),
        ("rate", "0", 'a rate greater than 0 such as "10 Gbps" or "5 MB/s", in bytes per second if plain'),
        ("alpha", "0", "a number greater than 0"),
        ("packet", "0", 'a size greater than 0 such as "1 MB" or "64 KiB", in bytes if plain'),
        ("packet", "37", "a packet no larger than the buffer, 36 B"),
        ("duration", "0", 'a time greater than 0 such as "5 ms" or "10 us", in seconds if plain'),
        ("smallest_rate", "0", 'a rate greater than 0 such as "10 Gbps" or "5 MB/s", in bytes per second if plain'),
        ("smallest_rate", "2", BURST),
        ("burst_rate", "0", 'a rate greater than 0 such as "10 Gbps" or "5 MB/s", in bytes per second if plain'),
        ("burst_rate", "2", BURST),
    ],
)
def test_a_value_that_no_switch_has_is_refused_by_name(field: str, value: str, accepted: str) -> None:
    with refused(field, value, accepted):
        parameters(**SMALL | {field: value})
