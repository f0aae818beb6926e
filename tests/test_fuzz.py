"""The fuzzer: a short seeded run finds nothing, and what is wrong would be found."""

from random import Random

import document_mutations
import fuzz
import fuzz_kinds
import pytest

from dtmodel.strategies import scenario_generator, trace_generator


@pytest.mark.parametrize("kind", fuzz_kinds.KINDS)
def test_a_short_run_finds_nothing(kind):
    share = fuzz_kinds.KINDS[kind][1]
    with fuzz_kinds.small_budgets():
        outcomes = [fuzz.attempt(kind, 7, number) for number in range(4 if share == 1 else 16)]
    assert [outcome for outcome in outcomes if outcome not in (True, False)] == []
    assert outcomes.count(True) >= 2


FOUND = [("law, float", 110, 261), ("damaged document, family", 110, 819), ("damaged document, family", 110, 1009),
         ("command line, generated trace", 9101, 1713), ("damaged document, any family", 9303, 41)]  # fmt: skip


@pytest.mark.parametrize(("kind", "seed", "number"), FOUND)
def test_what_was_found_is_mended(kind, seed, number):
    with fuzz_kinds.small_budgets():
        assert fuzz.attempt(kind, seed, number) is True


def test_an_exception_is_a_finding(monkeypatch):
    def fails(_random):
        raise ValueError("an odd input")

    monkeypatch.setitem(fuzz.KINDS, "broken", (fails, 1))
    assert "ValueError: an odd input" in fuzz.attempt("broken", 1, 1)


def test_a_kept_finding_names_no_place_of_the_machine(monkeypatch):
    monkeypatch.setattr(fuzz, "git", lambda *_: "")
    text = f"Traceback (most recent call last):\n  File {fuzz.ROOT}\nValueError: an odd input\n"
    kept = fuzz.described(1, {}, [["broken", 1, text]], 0)
    assert kept["findings"] == [["broken", 1, "ValueError: an odd input"]]


def test_only_what_was_tried_is_counted():
    tried, findings = fuzz.fuzz(seed=3, inputs=120)
    assert findings == []
    assert 120 <= sum(tried.values()) <= 120 + sum(share for _, share in fuzz_kinds.KINDS.values())
    assert set(tried) == set(fuzz_kinds.KINDS)


@pytest.mark.parametrize("make", [scenario_generator.draw_scenario, trace_generator.draw_trace])
def test_documents_are_damaged_in_many_ways_and_the_original_is_left_alone(make):
    random = Random(1)
    document = make(random)
    before = repr(document)
    changed = {repr(document_mutations.mutated(random, document)) for _ in range(200)}
    assert len(changed) > 120
    assert repr(document) == before


def test_damaged_files_are_json_json_lines_and_toml():
    random = Random(1)
    drawn = {document_mutations.text(random, trace_generator.draw_trace(random))[0] for _ in range(40)}
    assert drawn == {".json", ".jsonl", ".toml"}


@pytest.mark.parametrize(
    ("status", "out", "err"), [(70, "", "internal error"), (0, "", "Traceback"), (2, "", "bad"), (0, '{"id"', "")]
)
def test_a_wrong_status_a_traceback_or_a_broken_answer_is_noticed(status, out, err):
    with pytest.raises((AssertionError, ValueError)):
        fuzz_kinds.check_command(status, out, err, as_json=True)


@pytest.mark.needs("git")
def test_the_table_counts_by_kind_over_all_runs(tmp_path):
    path = tmp_path / "fuzz.json"
    for seed in (1, 2):
        fuzz.keep(fuzz.described(seed, {"one": 1200, "two": 3}, [["two", 5, "wrong"]], 1.0), path)
    table = path.with_suffix(".md").read_text()
    assert "| one | 2,400 | 0 |" in table
    assert "| two | 6 | 2 |" in table
    assert "| all | 2,406 | 2 |" in table
