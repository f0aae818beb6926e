"""Documents that go into the arrays of the native core directly: as their scenario does, or not at all."""

import copy
import json
import random
from collections import Counter
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

import pytest
from document_mutations import mutated
from fluid_cases import EXAMPLE

from dtmodel import InputError, Scenario, policies
from dtmodel.base import units
from dtmodel.fluid.batch import Batch, can_run, in_time
from dtmodel.fluid.flat import FlatScenario
from dtmodel.fluid.simulation import answer, answers_in_floats
from dtmodel.policies import Policy, of_ones, unchecked
from dtmodel.policies.caps import caps_of
from dtmodel.strategies.scenario_generator import draw_scenario

F = Fraction
pytestmark = pytest.mark.needs("native")
PROPORTIONAL = ("abm", "dt", "edt", "l2bm", "weighted")


def arrays_of(document: dict[str, Any]) -> dict[str, Any] | str:
    """The arrays of the scenario of a document, or the reason why there are none."""
    try:
        scenario = Scenario.read(document, 7)
    except InputError:
        return "an error"
    batch = Batch()
    if not can_run(scenario):
        return "another engine"
    try:
        batch.add(scenario)
    except ArithmeticError:
        return "numbers that floats do not tell apart"
    return {"id": scenario.id, "places": batch._places, **batch.arrays}


def flat_arrays_of(document: dict[str, Any]) -> dict[str, Any] | None:
    batch, flat = Batch(), FlatScenario.read(document, 7)
    if flat is None:
        return None
    batch.put(flat.columns, flat.read_whole)
    return {"id": flat.id, "places": batch._places, **batch.arrays}


def written_apart(rng: random.Random, document: Any) -> Any:
    """A copy of a document in which some whole numbers are not text, and some texts have a unit."""
    if isinstance(document, dict):
        return {key: written_apart(rng, value) for key, value in document.items()}
    if isinstance(document, list):
        return [written_apart(rng, value) for value in document]
    if isinstance(document, str) and document.isdigit():
        return rng.choice((document, document, int(document), f"{document}.0", f"{document}000e-3"))
    return document


def test_whatever_a_document_holds_its_arrays_are_those_of_its_scenario_or_it_is_left_to_it() -> None:
    rng, seen = random.Random(11), Counter[str]()
    for number in range(4000):
        name = PROPORTIONAL[number % 5] if number % 7 else None
        document = written_apart(rng, draw_scenario(rng, name, plain=number % 2 == 0))
        document = mutated(rng, document) if number % 3 == 0 else document
        before = copy.deepcopy(document)
        found, expected = flat_arrays_of(document), arrays_of(document)
        assert repr(document) == repr(before)
        if found is not None:
            assert found == expected
        seen["flat" if found else expected if isinstance(expected, str) else "left"] += 1
    assert seen["flat"] > 2000
    assert min(seen[kind] for kind in ("an error", "numbers that floats do not tell apart", "left")) > 100
    assert seen["another engine"] > 5


def test_half_ticks_are_rounded_to_even_ones() -> None:
    halves = [in_time(F(1), [F(number, 2**61)], [])["sample_time"] for number in (2, 3, 5, 7)]
    assert halves == [[1], [2], [2], [4]]


TINY = F(1, 10**30)


def test_traffic_is_kept_that_begins_at_the_end_but_none_that_begins_later() -> None:
    traffic = [([F(0), F(4), F(5)], [F(1), F(0), F(1)], F(1)), ([], [], F(1)), ([F(3), F(5)], [F(2), F(0)], F(1))]
    found = in_time(F(4), [F(2)], traffic)
    assert (found["tick"], found["until"], found["sample_time"]) == ([2.0**-58], [2**60], [2**59])
    assert (found["piece_begin"], found["piece_rate"]) == ([2, 2, 3], [1.0, 0.0, 2.0])
    assert found["piece_time"] == [0, 2**60, 3 * 2**58]
    assert in_time(F(4), [], [([], [], F(1)), *traffic])["piece_begin"] == [0, 2, 2, 3]


@pytest.mark.parametrize(
    ("pieces", "rate", "sample", "why"),
    [
        ([(0, 3), (1, 2), (1 + TINY, 4)], F(1), [], "two instants"),
        ([(0, 3), (5, 2), (5 + TINY, 4)], F(1), [], "two instants"),
        ([(0, 3), (1, 2)], F(1), [1 + TINY], "two instants"),
        ([(TINY, 3)], F(1), [], "two instants"),
        ([(0, 3), (1, 3 + TINY)], F(1), [], "two rates"),
        ([(0, 1 + F(1, 2**17))], F(1), [], "a rate beside another"),
        ([(0, 1 - F(1, 2**17))], F(1), [], "a rate beside another"),
        ([(0, 1 - F(1, 2**16)), (1, 1), (2, 1 + F(1, 2**16))], F(1), [F(1)], None),
    ],
)
def test_numbers_that_floats_or_ticks_do_not_tell_apart_are_refused(
    pieces: Any, rate: F, sample: list[F], why: str | None
) -> None:
    with pytest.raises(ArithmeticError, match=why) if why else nullcontext():
        times, rates = (list(map(F, column)) for column in zip(*pieces, strict=True))
        in_time(F(4), sample, [(times, rates, rate)])


def test_documents_of_the_common_form_are_not_left_to_the_scenario() -> None:
    assert FlatScenario.read(EXAMPLE | {"queues": [{"arrivals": [["0", "1"]], "initial": "steady"}]}, 1) is not None
    rng, left = random.Random(5), 0
    for number in range(500):
        document = draw_scenario(rng, PROPORTIONAL[number % 5], plain=True)
        left += flat_arrays_of(document) is None and isinstance(arrays_of(document), dict)
    assert left < 50


EDGES = {
    "until": ("1e-400", "1e400", 0, "-1"),
    "sample": (["4"], ["5"], ["1", "1.0", 1], ["0.1", "0.1000000000000000000000000000000000000001"], "1", None),
    "queues": (
        [], [{}], [{"arrivals": [["0", "1"]], "initial": "steady"}], [{"arrivals": [], "initial": "steady"}],
        [{"arrivals": [["1", "3"]], "initial": "steady"}], [{"arrivals": [["0", "1/2"]], "initial": "steady"}],
        [{"initial": "steady", "rate": 0}], [{"initial": "4"}, {"initial": "3"}], [{"initial": "3"}, {"initial": 3}],
        [{"initial": "6"}, {"arrivals": [[0, 2]], "initial": "steady"}], [{"count": 2}], [{}, {}, {}],
        [{"arrivals": ["12"]}], [{"arrivals": "12"}], [{"arrivals": [{"0": 1, "1": 2}]}],
        [{"arrivals": [["1", 1], [1, 1]]}],
        [{"arrivals": [["0", "1.000001"]]}], [{"arrivals": [["0", "1"], ["4", 0], ["5", 1]]}], {"alpha": 1}, "ab",
        [{"arrivals": [["0", "1"], ["5", 0], ["5.00000000000000000000000000001", 1]]}],
        [{"arrivals": [["0", "3"], ["3", 0]]}, {"arrivals": [["0", "2"], ["3.00000000000000001", 0]]}],
        [{"arrivals": [["0", "3"], ["1", "3.00000000000000000000000000001"]]}],
        [{"arrivals": [["0", "3"]], "rate": "0.3"}, {"rate": "0.3000000000000000000000000000000001"}],
        [{"arrivals": [["4.00000000000000000000000000000001", 2]]}], [{"alpha": 2}, {"alpha": "1/3"}], [{"alpha": 0}],
    ),
    "switch": (
        {"ports": 2, "buffer": 6}, {"ports": "2", "buffer": "6 B", "rate": 1}, {"ports": 2, "buffer": 6, "rate": "1,2"},
        {"ports": 0, "buffer": 6, "rate": 1}, {"ports": 2, "buffer": 6, "rate": 1, "name": "x"}, [],
    ),
    "policy": ({"name": "dt", "alpha": ["1", 2]}, {"name": "dt", "alpha": [1]}, {"name": "pools"}, {}, "dt", ["name"]),
    "id": ("a\n", True, None, 3),
    "version": (1, 2),
}  # fmt: skip


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in EDGES.items() for value in values])
def test_edges_of_the_common_form_are_as_the_scenario_has_them(key: str, value: Any) -> None:
    for document in (EXAMPLE | {key: value}, EXAMPLE | {"queues": []} | {key: value}):
        found, expected = flat_arrays_of(document), arrays_of(document)
        assert found is None or found == expected


def test_a_small_budget_of_digits_is_kept_by_numbers_that_were_read_before() -> None:
    from dtmodel.base import budgets

    document = EXAMPLE | {"until": "4.00000000000001"}
    assert FlatScenario.read(document, 1) is not None
    with budgets.raised(digits=9):
        assert FlatScenario.read(document, 1) is None
        with pytest.raises(InputError, match="until"):
            units.seconds(document["until"], "until")


def test_lines_of_all_kinds_are_answered_as_each_is_alone() -> None:
    """Among them one that only numbers modulo a prime decide, and one that only an exact run decides."""
    tie = EXAMPLE | {"queues": [{"arrivals": [["0", "3"], ["3/2", "1"]]}, {"arrivals": [["0", "3"], ["3/2", "1"]]}]}
    tie |= {"policy": {"name": "edt", "cn2": "3", "tm1": "3/2", "tm2": "3/2"}, "id": "tie"}
    close = [{"arrivals": [["0", "3"], [str(F(3, 2) - F(1, 10**40)), "0"]]}]
    documents = [
        EXAMPLE,
        tie,
        EXAMPLE | {"queues": close, "id": 3},
        EXAMPLE | {"version": 1},
        EXAMPLE,
    ]
    lines = [FlatScenario.read(document, 1) or Scenario.read(document, 1) for document in documents]
    assert [isinstance(line, FlatScenario) for line in lines] == [True, True, True, False, True]
    told = list(answers_in_floats(lines))
    assert told == [answer(document, 1, "float") for document in documents]
    assert [each["arithmetic"] for each in told] == ["float", "float", "rounded", "float", "float"]
    assert json.dumps(told[0]) == json.dumps(told[4])


def test_policies_in_proportion_have_one_form_and_one_part_in_every_buffer() -> None:
    kinds = {name: policies.find(name)[1] for name in policies.own_names()}
    assert sorted(name for name, kind in kinds.items() if kind.proportional) == list(PROPORTIONAL)
    for name in PROPORTIONAL:
        policy: Policy = kinds[name].of(of_ones(kinds[name].parameters, 2), unchecked).counting()
        forms = []
        for buffer in (F(1), F(7, 3), F(10**9)):
            (part,) = policy.parts(buffer, 2)
            assert (part.size, part.queues, part.reserves) == (buffer, (0, 1), ())
            forms.append(policy.form(part))
        limits = policy.thresholds(2)
        assert forms[0] is not None
        assert forms == forms[:1] * 3
        assert [limit.offset for limit in limits if limit is not None] == [0, 0]
        assert not caps_of(limits, F)
