"""Many documents in floats: those of one form in rows of the core, as each is answered alone; and their arrays."""

import random
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import pytest
from document_mutations import mutated
from fluid_cases import EXAMPLE

from dtmodel import DT, InputError, Scenario
from dtmodel.base import budgets
from dtmodel.base.vectors import Divided, Vector
from dtmodel.cli.simulate import EXAMPLES
from dtmodel.fluid import lines
from dtmodel.fluid.batch import in_time
from dtmodel.fluid.columns import forms_of, in_groups
from dtmodel.fluid.simulation import answer
from dtmodel.strategies.scenario_generator import draw_scenario

F = Fraction
pytestmark = pytest.mark.needs("native")


def varied(rng: random.Random, value: Any) -> Any:
    """A document with other numbers, most of them round; a few are numbers instead of texts."""
    if isinstance(value, dict):
        return {key: varied(rng, item) for key, item in value.items()}
    if isinstance(value, list):
        return [varied(rng, item) for item in value]
    number, space, unit = value.partition(" ") if isinstance(value, str) else ("", "", "")
    with suppress(ValueError):
        made = F(number) * rng.choice((*[F(1)] * 9, F(2), F(3, 2), F(rng.randint(50, 150), 100)))
        return int(made) if made.denominator == 1 and not unit and rng.random() < 0.3 else f"{made}{space}{unit}"
    return value


def alone(document: dict[str, Any], name: int = 5) -> dict[str, Any] | str:
    try:
        return answer(document, name, "float")
    except InputError as error:
        return str(error)


def together(documents: list[Any]) -> tuple[list[dict[str, Any] | str], list[int]]:
    """The answers up to the first error, and the places of the documents that are read alone."""
    told, read = list[dict[str, Any] | str](), list[Any]()
    real = Scenario.read

    def noted(document: Any, name: Any = 1) -> Any:
        read.append(document)
        return real(document, name)

    with patch.object(Scenario, "read", noted):
        found = lines.answers([(document, 5) for document in documents])
        try:
            told += found
        except InputError as error:
            told.append(str(error))
    return told, [place for place, document in enumerate(documents) if any(document is one for one in read)]


@pytest.mark.parametrize(("seed", "forms"), [(1, 9), (2, 180), (3, 180), (4, 180)])
def test_documents_are_answered_together_as_each_is_alone(seed: int, forms: int) -> None:
    rng, kinds = random.Random(seed), Counter[str]()
    for number in range(forms):
        base = draw_scenario(rng, EXAMPLES[number % len(EXAMPLES)], plain=rng.random() < 0.8)
        documents = [varied(rng, base) for _ in range(100)]
        documents = [mutated(rng, each) if rng.random() < 0.02 else each for each in documents]
        wanted = [alone(document) for document in documents]
        bad = [place for place, each in enumerate(wanted) if isinstance(each, str)]
        kept = {*range(100)} - {*bad[: rng.choice((100, -1))]}
        documents, wanted = ([each[place] for place in sorted(kept)] for each in (documents, wanted))
        wrong = [place for place, each in enumerate(wanted) if isinstance(each, str)]
        told, read = together(documents)
        assert told == wanted[: wrong[0] + 1 if wrong else None]
        kinds["in rows"] += len(told) - len(read)
        kinds["alone"] += len(read)
        kinds["errors"] += bool(wrong)
    assert min(kinds["in rows"], kinds["alone"]) > 9 * forms
    assert kinds["errors"] > forms / 5


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


def many(key: str, values: Sequence[Any], base: Any = EXAMPLE) -> list[dict[str, Any]]:
    """Documents that differ in one number, and in their buffers."""
    return [{**base, key: value, "switch": base["switch"] | {"buffer": 6 + n}} for n, value in enumerate(values)]


def test_numbers_of_which_no_vector_can_be_made_divide_documents() -> None:
    documents = [EXAMPLE | {"switch": {"ports": 2 + n % 3, "buffer": 6 + n, "rate": "1"}} for n in range(60)]
    documents += [EXAMPLE | {"queues": [{"count": 1 + n % 2}], "until": f"{n + 60}/7"} for n in range(40)]
    told, read = together(documents)
    assert told == [alone(document) for document in documents]
    assert len(read) < 3


def test_ends_of_all_lengths_before_or_after_pieces_of_traffic_do_not_divide_documents() -> None:
    """A rate that leaves more open to floats does so only where it begins in the run, from the fifth end on."""
    queues = [{"arrivals": [["0", "3"], ["9", "1000000000000"], ["30", "1"], ["200", 0]]}, {"arrivals": [["0", "2"]]}]
    base = EXAMPLE | {"queues": queues, "policy": {"name": "complete"}}
    documents = many("until", [f"{2 * 3**n + 1}/{2**n}" for n in range(16)], base)
    with patch.object(lines, "run_rows", wraps=lines.run_rows) as run:
        told, read = together(documents)
    assert told == [alone(document) for document in documents]
    assert [len(each.args[0]["rate"]) for each in run.call_args_list] == [16, 12]
    assert read == []


def test_ties_are_decided_in_rows() -> None:
    tie = {"policy": {"name": "edt", "cn2": "3", "tm1": "3/2", "tm2": "3/2"}}
    tie |= {"queues": [{"arrivals": [["0", "3"], ["3/2", "1"]]}, {"arrivals": [["0", "3"], ["3/2", "1"]]}]}
    documents = [*many("until", ["4"] * 9, EXAMPLE | tie)]
    with patch.object(lines, "run_rows", wraps=lines.run_rows) as run:
        told, read = together(documents)
    assert told == [alone(document) for document in documents]
    assert [each["arithmetic"] for each in told if not isinstance(each, str)] == ["float"] * 9
    assert run.call_count == 2
    assert read == []


def test_documents_of_one_form_differ_in_numbers_alone() -> None:
    documents = [
        [["1"], "2"],
        [["1", "2"]],
        [["3", 4]],
        {"a": "1"},
        {"b": "1"},
        {"a": "dt"},
        {"a": "edt"},
        {"a": "-5 us"},
    ]
    assert [form.places for form in forms_of(documents)] == [[0], [1, 2], [3, 7], [4], [5], [6]]
    assert [column.values for column in forms_of(documents)[1].columns] == [("1", "3"), ("2", 4)]


def test_rows_that_conditions_divide_one_by_one_are_left_alone_soon() -> None:
    asked = list[int]()

    def work(rows: Any) -> None:
        asked.append(len(rows))
        raise Divided(rows > rows[0])

    assert in_groups(range(80), work, 8) == [*range(80)]
    assert asked == [*range(80, 69, -1)]


def test_few_documents_and_those_without_queues_are_read_alone() -> None:
    documents = [*many("until", range(1, 8)), *({**EXAMPLE, "queues": [], "until": n} for n in range(1, 30))]
    told, read = together(documents)
    assert told == [alone(document) for document in documents]
    assert read == [*range(36)]


def test_a_policy_that_does_not_know_vectors_is_given_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    real = DT.thresholds

    def whole(policy: DT, queues: int) -> Any:
        if isinstance(policy.alpha, Vector):
            int("no number")  # a ValueError
        return real(policy, queues)

    monkeypatch.setattr(DT, "thresholds", whole)
    documents = [EXAMPLE | {"policy": {"name": "dt", "alpha": f"{n}/7"}} for n in range(1, 20)]
    told, read = together(documents)
    assert told == [alone(document) for document in documents]
    assert read == [*range(19)]


def test_each_answer_has_the_id_of_its_document() -> None:
    names = [*range(9), "a", "b", *"0123456789", -7]
    documents = [{**EXAMPLE, "id": name, "until": n + 65} for n, name in enumerate(names)]
    told, read = together(documents)
    assert [each["id"] for each in told if not isinstance(each, str)] == names
    assert read == []
    assert together([*documents, {**EXAMPLE, "id": None}])[0] == [*told, alone({**EXAMPLE, "id": None})]


def test_documents_before_one_with_an_error_are_answered() -> None:
    documents = many("until", [*range(1, 20), "3 apples", *range(1, 20)])
    told, _ = together(documents)
    assert told == [alone(document) for document in documents[:20]]
    assert "3 apples" in str(told[-1])


def test_a_small_budget_of_digits_is_kept_by_documents_that_are_answered_together() -> None:
    documents = many("until", [f"4.0000000{n}" for n in range(11, 51, 2)])
    assert len(together(documents)[0]) == 20
    with budgets.raised(digits=9):
        told, _ = together(documents)
    assert len(told) == 1
    assert "until" in str(told[0])
