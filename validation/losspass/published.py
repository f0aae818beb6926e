"""Numbers as the LossPass paper and slides print them, and their rounding intervals."""

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

from dtmodel.ledger import Conflict, check

from ..printed import interval

GBPS = Fraction(125_000_000)  # bytes/s
MS = Fraction(1, 10**3)
US = Fraction(1, 10**6)
KIB = 1024
MIB = 1024**2
TESTBED = {"C": GBPS, "RTT": 500 * US, "B": Fraction(128_000), "RTO": 10 * MS}
SIMULATION = {"C": 10 * GBPS, "RTT": Fraction("85.2") * US, "RTO": 5 * MS}
QUOTED: dict[str, Any] = tomllib.loads((Path(__file__).parent / "published.toml").read_text(encoding="utf-8"))
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


def pias(other: str) -> Conflict:
    """Show that 3.20 against PIAS contradicts Section 5.1.2."""
    largest = max(interval(text)[1] for text, against in QUOTED["evaluation-99"].values() if against == "PIAS")
    least = min(interval(text)[0] for text, against in QUOTED["headline-99"].values() if against == "PIAS")
    check(largest < least, "the intervals do not meet")
    arithmetic = {"at most, by Section 5.1.2": largest, "at least, by the headline": least}
    return Conflict(
        other, "The largest ratio of Section 5.1.2, rounding allowed for, is below the headline's.", arithmetic
    )


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


def cycles(other: str) -> Conflict:
    """Show that two and five cycles are counted for one design."""
    paper, slides = QUOTED["cycles"]["paper"], QUOTED["cycles"]["slides"]
    check(sum(paper.values()) != sum(slides.values()), "two totals")
    return Conflict(other, "Five cycles in Section 4.1, two on the slides.", {"paper": paper, "slides": slides})
