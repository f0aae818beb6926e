"""Numbers as the L2BM paper prints them."""

from dtmodel.ledger import Agrees, Outcome, check, refuted_by_values


def _same(quoted: int, elsewhere: int) -> Outcome:
    check(quoted == elsewhere, f"{quoted} against {elsewhere}")
    return Agrees(1, f"{quoted} in both places")


def _differs(quoted: int, elsewhere: int, says: str) -> Outcome:
    """A headline without its condition: another quoted number contradicts it."""
    values = {"headline": quoted, "elsewhere": elsewhere}
    return refuted_by_values(values, "headline == elsewhere", says, ["elsewhere > 0"])


LOADS = ("0.4", "0.5", "0.6", "0.7", "0.8")

PAUSES = {
    "ABM": (1, 18, 257, 385, 543),
    "DT": (1548, 2597, 7316, 9083, 10775),
    "DT2": (0, 8, 312, 450, 418),
    "L2BM": (6, 0, 5, 4, 49),
}
"""Table II: pause frames at TCP loads 0.4 to 0.8."""


REDUCTIONS = {
    "abstract.tail": 50,
    "abstract.occupancy": 40,
    "abstract.delay": 57,
    "sec4.incast-tail": 23,
    "sec4a.tail": 50,  # "nearly", against default DT
    "sec4a.occupancy": 40,  # "about", at TCP load 0.8
    "sec4b.average.DT": 55,
    "sec4b.average.ABM": 43,
    "sec4b.average.DT2": 57,
    "sec4b.tail15.DT2": 50,
    "sec4b.tail15.ABM": 23,
}
"""Reductions in per cent, by section."""


TOPOLOGY = {
    "core": 2,
    "aggregation": 4,
    "tor": 4,
    "servers per tor": 32,
    "server link": 25,  # Gbps
    "switch link": 100,  # Gbps
}
"""Section IV, setup."""
