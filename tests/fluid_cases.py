"""Engines with the memory of a policy, for tests that give them numbers instead of documents."""

from dtmodel.fluid.engine import Engine
from dtmodel.policies.complete import FullBuffer
from dtmodel.policies.edt import CountersAndTimers


def edt_engine(number, buffer, rates, thresholds, offers, initial, *, steady=(), cn2, tm1, tm2):
    """An engine with EDT's memory."""
    memory = CountersAndTimers([slope for slope, _ in thresholds], cn2, tm1, tm2)
    return Engine(number, buffer, rates, thresholds, offers, initial, steady, memory=memory)


def run_complete(buffer, rates, offers, initial, until):
    """Run complete sharing: no queue has a threshold."""
    number = type(buffer)
    limits = [None for _ in rates]
    return Engine(number, buffer, rates, limits, offers, initial, memory=FullBuffer()).run(until)
