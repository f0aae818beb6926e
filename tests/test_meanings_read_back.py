"""The meaning of an observable, as statements print it, is computed anew from lengths and arrivals alone.

A word whose meaning is not here, or which computes something else, fails: neither of both changes by itself.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from dtmodel.base.errors import InputError
from dtmodel.base.expressions import never
from dtmodel.companion.words import VOCABULARY
from dtmodel.companion.words.packets import TraceRun

F = Fraction
RATES = [[(F(0), F(3)), (F(2), F(1, 2)), (F(4), F(5)), (F(7), F(0))], [(F(1), F(4)), (F(6), F(0))], [(F(0), F(2))]]
UNTIL, B, C = F(12), F(6), F(1)
SMALL = F(1, 10**9)
QUEUES, TIMES = [F(1), F(2), F(3)], [F(n, 4) for n in range(1, 45)]


def run_of(policy: str, **settings: Any) -> Any:
    first = [VOCABULARY["queue"](F(0), *rates) for rates in RATES[:2]]
    steady = VOCABULARY["queue"]("steady", *RATES[2])
    return VOCABULARY[policy]([*first, steady], UNTIL, scope={"B": B, "C": C}, alpha=F(1), **settings)


RUNS = [run_of("dt"), run_of("edt", cn2=F(1, 2), tm1=F(3), tm2=F(2))]


class Seen:
    """What is computed of a run from the lengths of its queues and from the arrivals."""

    def __init__(self, run: Any) -> None:
        self.run = run

    def length(self, k: F, t: F) -> F:
        return F(self.run.run.queues[int(k) - 1].at(t))

    def free(self, t: F) -> F:
        return B - sum(self.length(k, t) for k in QUEUES)

    def came(self, k: F, t: F) -> F:
        steps = [*RATES[int(k) - 1], (UNTIL, F(0))]
        return sum(((min(end, t) - at) * rate for (at, rate), (end, _) in pairwise(steps) if at < t), F(0))

    def sent(self, k: F, t: F) -> F:
        """A port sends at C while it has a queue, and else what comes."""
        times = sorted({F(0), t, *(at for at in self.run.breakpoints if at < t)})
        total = F(0)
        for one, two in pairwise(times):
            busy = self.length(k, (one + two) / 2) > 0
            total += C * (two - one) if busy else min(C * (two - one), self.came(k, two) - self.came(k, one))
        return total

    def lost(self, k: F, t: F) -> F:
        return self.length(k, F(0)) + self.came(k, t) - self.sent(k, t) - self.length(k, t)

    def slope(self, of: Callable[[F], F], t: F) -> F:
        return (of(t + SMALL) - of(t)) / SMALL

    def first(self, test: Callable[[F], bool]) -> Any:
        """The first of the instants at which something changes, with a test that is true there."""
        return next((t for t in self.run.breakpoints if test(t)), never)


MEANINGS: Mapping[str, Callable[..., Any]] = {
    "the time at which port $k$ first loses bytes, or never": lambda x, k: x.first(
        lambda t: t < UNTIL and x.lost(k, t) == 0 < x.lost(k, t + SMALL)),
    "the first time at which the buffer is full, or never": lambda x: x.first(lambda t: x.free(t) == 0),
    "the number of free bytes at $t$": lambda x, t: x.free(t),
    "the length of queue $k$ at $t$": lambda x, k, t: x.length(k, t),
    "the number of bytes that port $k$ has lost by $t$": lambda x, k, t: x.lost(k, t),
    "the number of bytes that port $k$ has sent by $t$": lambda x, k, t: x.sent(k, t),
    "the number of bytes that come to port $k$ by $t$": lambda x, k, t: x.came(k, t),
    "the growth rate of queue $k$ just after $t$": lambda x, k, t: x.slope(lambda at: x.length(k, at), t),
    "the growth rate of the free bytes just after $t$": lambda x, t: x.slope(x.free, t),
    "the least length of queue $k$ while port $k$ loses bytes, or never": lambda x, k: min(
        (x.length(k, t) for u, v in pairwise(x.run.breakpoints) if x.lost(k, v) > x.lost(k, u) for t in (u, v)),
        default=never),
    "the rate at which port $k$ loses bytes just after $t$": lambda x, k, t: x.slope(lambda at: x.lost(k, at), t),
}  # fmt: skip


def meaning_of(word: str) -> Callable[..., Any]:
    return MEANINGS[VOCABULARY[word].gloss[0]]  # type: ignore[attr-defined]  # telling attaches it


@pytest.mark.parametrize("run", RUNS, ids=["DT", "EDT"])
@pytest.mark.parametrize("word", ["drop", "full", "free", "Q", "lost", "sent", "offered", "growth",
                                  "free_growth", "losing_rate", "least_losing"])  # fmt: skip
def test_an_observable_of_the_fluid_model_is_what_its_meaning_says(word: str, run: Any) -> None:
    places = VOCABULARY[word].gloss[1:]  # type: ignore[attr-defined]  # telling attaches it
    for k in QUEUES if "k" in places else QUEUES[:1]:
        for t in TIMES if "t" in places else TIMES[:1]:
            given = [{"k": k, "t": t}[place] for place in places[1:]]
            assert VOCABULARY[word](run, *given) == meaning_of(word)(Seen(run), *given), (word, given)


def test_the_least_length_of_a_queue_that_loses_bytes_may_be_that_when_its_burst_ends() -> None:
    rates = [[[F(0), F(3)], [F(3, 2), F(0)]], [[F(1), F(5)]]]
    queues = [VOCABULARY["queue"](F(0), *each) for each in rates]
    run = VOCABULARY["dt"](queues, UNTIL, scope={"B": B, "C": C}, alpha=F(1))
    assert VOCABULARY["least_losing"](run, F(1)) == VOCABULARY["Q"](run, F(1), F(3, 2)) == F(9, 4)


def test_thresholds_are_those_of_dynamic_thresholds_and_their_slope() -> None:
    run, seen = RUNS[0], Seen(RUNS[0])
    assert VOCABULARY["T"].gloss[0].startswith("the threshold of queue $k$ at $t$")  # type: ignore[attr-defined]
    for t in TIMES:
        assert VOCABULARY["T"](run, F(1), t) == seen.free(t)
        assert VOCABULARY["threshold_growth"](run, F(1), t) == seen.slope(seen.free, t)
    jumps = [t for t in RUNS[1].breakpoints if VOCABULARY["uncontrolled"](RUNS[1], F(1), t)]
    assert VOCABULARY["T"](RUNS[1], F(1), jumps[0]) == VOCABULARY["T"](RUNS[1], F(1), jumps[0] + SMALL) == B


def test_facts_just_before_and_just_after_an_instant_differ_where_a_run_turns() -> None:
    after, before = VOCABULARY["uncontrolled"], VOCABULARY["uncontrolled_before"]
    for run in RUNS:
        for t in TIMES:
            assert [VOCABULARY["losing"](run, k, t) for k in QUEUES] == [
                Seen(run).lost(k, t + SMALL) > Seen(run).lost(k, t) for k in QUEUES
            ]
            assert [before(run, k, t) for k in QUEUES] == [after(run, k, t - SMALL) for k in QUEUES]
    jump = next(t for t in RUNS[1].breakpoints if after(RUNS[1], F(1), t))
    assert not before(RUNS[1], F(1), jump)
    with pytest.raises(InputError, match="a time after 0"):
        before(RUNS[1], F(1), F(0))


def test_queues_count_from_1_and_a_burst_that_ends_as_it_begins_is_empty() -> None:
    for number in (F(0), F(4), F(1, 2)):
        with pytest.raises(InputError, match="a queue from 1 to 3"):
            VOCABULARY["Q"](RUNS[0], number, F(1))
    empty = VOCABULARY["dt"](VOCABULARY["bursts"](F(2), F(3), F(0)), UNTIL, scope={"B": B, "C": C}, alpha=F(1))
    assert [VOCABULARY["offered"](empty, F(k), UNTIL) for k in (1, 2)] == [0, 0]


def test_lengths_change_at_constant_rates_between_instants() -> None:
    for run in RUNS:
        seen = Seen(run)
        for one, two in pairwise(VOCABULARY["instants"](run)):
            middle = (one + two) / 2
            assert all(2 * seen.length(k, middle) == seen.length(k, one) + seen.length(k, two) for k in QUEUES)
            assert one < VOCABULARY["linear_until"](run, one) <= two


def test_integrals_roots_and_excesses_of_a_rate_are_what_their_meaning_says() -> None:
    rates = [[F(0), F(3)], [F(2), F(0)], [F(5), F(4)]]

    def height(t: F) -> F:  # a = 2, c = 3
        steps = pairwise([*rates, [F(99), F(0)]])
        return 2 * sum(((min(end, t) - at) * rate for (at, rate), (end, _) in steps if at < t), F(0)) - 3 * t

    assert all(2 * VOCABULARY["integral"](rates, F(0), t) - 3 * t == height(t) for t in TIMES)
    for level in (F(0), F(3), F(6), F(-3)):
        found = VOCABULARY["roots"](rates, F(2), F(3), level, F(1))
        assert all(height(t) == level and t >= 1 for t in found)
        assert found == sorted({*found})
        signs = [height(t) > level for t in TIMES if t >= 1 and height(t) != level]
        assert sum(one != two for one, two in pairwise(signs)) <= len(found)
        above = VOCABULARY["exceeds"](rates, F(2), F(3), level, F(1))
        assert not any(height(t) > level for t in TIMES if 1 <= t < above)
        assert height(above + SMALL) > level


def test_states_and_decisions_of_packets_are_those_of_a_trace_up_to_the_event() -> None:
    events = [["arrive", None, "small", F(1)], ["arrive", None, "large", F(2)], ["depart", None, "any"]] * 3
    run = TraceRun("losspass", events, {"buffer": F(4)})
    for k in range(1, len(events) + 1):
        alone = TraceRun("losspass", events[:k], {"buffer": F(4)})
        assert VOCABULARY["after"](run, F(k)) == alone.state(k)
        assert VOCABULARY["before"](run, F(k)) == alone.state(k - 1)
        assert VOCABULARY["decision"](run, F(k)) == alone.steps[-1]["decision"]
        small = VOCABULARY["after"](run, F(k))["small"]
        assert VOCABULARY["held"](small) == sum(size for _, size in small)
