"""The ledger catches what it should, and says what to do."""

import re
from pathlib import Path

import pytest
from ledger_cases import FALSE, PROVED, claim, evidence, one, root, verify

from dtmodel.base.errors import InputError, LedgerError
from dtmodel.ledger import Root, collect
from dtmodel.ledger import evidence as decorator
from dtmodel.ledger.collection import load_module
from dtmodel.ledger.report import claim_document
from dtmodel.ledger.runner import ClaimResult, Options, _works, run_claims

PAIR = ("edt.eq1", "edt.eq2")


def fault(result: ClaimResult) -> str:
    """The only fault of a result."""
    assert len(result.faults) == 1, result.faults
    return result.faults[0]


def test_a_proved_claim_holds_with_the_strength_of_its_proof(tmp_path: Path) -> None:
    result = one(tmp_path, claim(), evidence(PROVED))
    assert (result.judgement.verdict, result.judgement.strength, result.as_recorded) == ("holds", "symbolic", True)
    assert result.judgement.rests_on == ("first",)


def test_the_strongest_evidence_decides_the_strength(tmp_path: Path) -> None:
    weak = evidence("return Agrees(3, 'all three')", strength="exact", name="weak")
    result = one(tmp_path, claim(), [weak, evidence(PROVED, strength="smt", name="strong")])
    assert (result.judgement.strength, result.judgement.rests_on) == ("smt", ("strong",))


@pytest.mark.parametrize(
    ("form", "verdict", "needed"),
    [("assumed", "holds-under-assumption", "assumption"), ("repaired", "misprint", "repair")],
)
def test_a_false_claim_with_a_proved_variant_is_named_after_it(
    tmp_path: Path, form: str, verdict: str, needed: str
) -> None:
    recorded = claim(verdict=verdict, **{needed: "x is 1"})
    pieces = [evidence(FALSE, strength="exact"), evidence(PROVED, form=form, name="second", strength="smt")]
    result = one(tmp_path, recorded, pieces)
    assert (result.judgement.verdict, result.judgement.strength, result.faults) == (verdict, "smt", ())


def test_a_counterexample_alone_refutes(tmp_path: Path) -> None:
    result = one(tmp_path, claim(verdict="refuted"), evidence(FALSE, strength="exact"))
    assert (result.judgement.verdict, result.judgement.strength, result.faults) == ("refuted", "exact", ())
    assert result.ran[0].replay is not None
    assert result.ran[0].replay.answer == {"hypotheses": [True], "statement": False}


def test_a_proof_of_the_negation_refutes_with_its_strength(tmp_path: Path) -> None:
    pieces = [evidence(FALSE, strength="exact"), evidence(PROVED, form="negation", name="second", strength="smt")]
    result = one(tmp_path, claim(verdict="refuted"), pieces)
    assert (result.judgement.verdict, result.judgement.strength, result.faults) == ("refuted", "smt", ())
    assert result.judgement.rests_on == ("second",)


def test_samples_of_the_negation_refute_nothing(tmp_path: Path) -> None:
    piece = evidence("return Agrees(3, 'some')", form="negation", strength="sampled")
    assert one(tmp_path, claim(verdict="refuted"), piece).judgement.verdict == "undecided"


def test_a_form_and_its_negation_are_not_both_proved(tmp_path: Path) -> None:
    pieces = [evidence(PROVED), evidence(PROVED, form="negation", name="second")]
    faults = one(tmp_path, claim(verdict="refuted"), pieces).faults
    assert [fault.split(":")[0] for fault in faults] == ["the printed form is proved by first and refuted by second"]


def test_a_negation_that_was_not_run_is_named_as_the_stronger_evidence(tmp_path: Path) -> None:
    skipped = evidence("return Skipped('no prover')", form="negation", name="second", strength="kernel")
    result = one(tmp_path, claim(verdict="refuted"), [evidence(FALSE, strength="exact"), skipped])
    assert (result.judgement.verdict, result.judgement.strength, result.judgement.fallback) == (
        "refuted",
        "exact",
        "kernel",
    )
    alone = one(tmp_path / "alone", claim(verdict="refuted"), skipped)
    assert (alone.judgement.verdict, alone.faults) == ("not run", ())


def test_a_conflict_makes_a_claim_inconsistent(tmp_path: Path) -> None:
    piece = evidence("return Conflict('edt.eq2', 'one or two', {'eq1': '1', 'eq2': '2'})", "edt.eq1", "edt.eq2")
    result = one(tmp_path, [claim(verdict="inconsistent"), claim("edt.eq2", "inconsistent")], piece)
    assert (result.judgement.verdict, result.faults) == ("inconsistent", ())


def test_a_reason_makes_a_claim_not_checkable(tmp_path: Path) -> None:
    result = one(tmp_path, claim(verdict="not-checkable", reason="no data"), [])
    assert (result.judgement.verdict, result.faults) == ("not-checkable", ())


def repeated(reproduced: list[str], missed: list[str], samples: int = 20, rules: str = "a" * 64) -> str:
    return f"return Repeated({reproduced}, {missed}, {samples}, {rules!r}, '19 of 20 seeds')"


@pytest.mark.parametrize("kind", ["measurement", "figure", "table"])
@pytest.mark.parametrize(
    ("reproduced", "missed", "verdict"),
    [
        (["NewReno", "SACK"], [], "holds"),
        (["NewReno"], ["SACK"], "depends-on-reading"),
        ([], ["NewReno", "SACK"], "not-reproduced"),
    ],
)
def test_readings_decide_a_measurement_and_never_refute_it(
    tmp_path: Path, kind: str, reproduced: list[str], missed: list[str], verdict: str
) -> None:
    piece = evidence(repeated(reproduced, missed), strength="sampled")
    result = one(tmp_path, claim(verdict=verdict, kind=kind), piece)
    assert (result.judgement.verdict, result.judgement.strength, result.faults) == (verdict, "sampled", ())
    assert (result.judgement.reproduced, result.judgement.missed) == (tuple(reproduced), tuple(missed))
    assert result.judgement.rests_on == ("first",)


@pytest.mark.parametrize("kind", ["remark", "equation", "theorem", "setting"])
def test_samples_of_a_model_decide_no_universal_claim(tmp_path: Path, kind: str) -> None:
    result = one(tmp_path, claim(kind=kind), evidence(repeated(["NewReno", "SACK"], []), strength="sampled"))
    assert result.judgement.verdict == "undecided"
    assert "nothing decides the claim" in fault(result)


def test_a_reading_that_one_piece_of_evidence_misses_is_missed(tmp_path: Path) -> None:
    pieces = [
        evidence(repeated(["NewReno", "SACK"], []), strength="sampled"),
        evidence(repeated(["NewReno"], ["SACK"]), strength="sampled", name="second"),
    ]
    result = one(tmp_path, claim(verdict="depends-on-reading", kind="measurement"), pieces)
    assert (result.judgement.reproduced, result.judgement.missed, result.faults) == (("NewReno",), ("SACK",), ())
    document = claim_document(result, collect([Root(tmp_path, "repeated")]))
    assert (document["reproduced"], document["missed"]) == (["NewReno"], ["SACK"])


CONTRADICTORY = """import sympy
from dtmodel.ledger.provers import smt
x = sympy.Symbol('x', real=True)
return smt.prove([x > 1, x < 0], x > 7).proved()"""
NOT_RUN = "return Skipped('no Coq here')"


@pytest.mark.parametrize(
    ("claims", "pieces", "said"),
    [
        (claim(verdict="inconsistent"), evidence("return Conflict('edt.eq9', 'one or two')"),
         "'edt.eq9', which no file claims"),
        (claim(verdict="inconsistent"), evidence("return Conflict('edt.eq1', 'one or two')"),
         "is in conflict with itself"),
        (claim(), [], "^no evidence: write some"),
        (claim(reason="no data"), [], "no evidence, but recorded as holds"),
        (claim(), evidence("assert 1 == 2, 'one is not two'"),
         r"^first \(proofs/edt/proofs.py:7\): it raised AssertionError: one is not two \(line 10 "),
        (claim(), evidence("return True"), "it returned bool: return Proved"),
        (claim(kind="measurement"), evidence(repeated(["NewReno"], []), strength="sampled"), "rests on one reading"),
        (claim(kind="measurement"), evidence(repeated(["a", "b"], [], 0), strength="sampled"), "names no samples"),
        (claim(kind="measurement"), evidence(repeated(["a", "b"], [], 1, "z"), strength="sampled"), "no SHA-256"),
        (claim(kind="measurement"), evidence(repeated(["a", "b"], []), strength="exact"), "its strength is 'sampled'"),
        (claim(verdict="not-reproduced", kind="measurement"),
         evidence(repeated(["a"], ["a", "b"]), strength="sampled"), "reproduces and misses in a"),
        (claim(), evidence(FALSE, strength="exact"),
         r"^the computed verdict is refuted, recorded is holds(.|\n)*validation/edt/claims\.toml:1"),
        (claim(verdict="refuted"), [evidence(PROVED), evidence(FALSE, name="second")],
         "the printed form is proved by first and refuted by second"),
        (claim(verdict="refuted"), [evidence(FALSE), evidence(FALSE, form="assumed", name="second")],
         "second refutes the assumed form, which is ours"),
        (claim(), evidence("return Proved('by algebra')"), "proves without an example"),
        (claim(), evidence("return Proved('by algebra', {'x': '1'}, ['x > 1'])"),
         "its example violates the hypothesis 'x > 1'"),
        (claim(), evidence(CONTRADICTORY, strength="smt"),
         "the hypotheses are contradictory, so they prove anything"),
        (claim(verdict="refuted", corrected="edt.ours.x"), evidence(FALSE),
         "corrected = 'edt.ours.x' names no claim"),
        ([claim(verdict="refuted", corrected="edt.ours.x"), claim("edt.ours.x", "refuted")],
         evidence(FALSE, "edt.eq1", "edt.ours.x"), "its corrected statement edt.ours.x comes out as refuted"),
        (claim(statement="$x < 2"), evidence(PROVED), "^'statement' has an odd number of dollar signs"),
        (claim(verdict="holds-under-assumption", assumption="x is 1"), evidence(PROVED, form="assumed"),
         "add a counterexample to the printed form"),
        (claim(), [evidence(FALSE), evidence(NOT_RUN, form="assumed", strength="kernel", name="second")],
         "the computed verdict is refuted, recorded is holds"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_claim_or_its_evidence_is_its_only_fault(
    tmp_path: Path, claims: str | list[str], pieces: str | list[str], said: str
) -> None:
    assert re.search(said, fault(one(tmp_path, claims, pieces)))


def test_evidence_for_an_unknown_claim_is_a_fault(tmp_path: Path) -> None:
    done = verify(tmp_path, [claim()], [evidence(PROVED, "edt.eq1", "edt.eq2")])
    assert "is evidence for edt.eq2, which no file claims" in str(done.problems[0])
    assert not done.as_recorded


def test_evidence_that_takes_too_long_is_a_fault(tmp_path: Path) -> None:
    said = fault(one(tmp_path, claim(), evidence("while True: pass"), limit=0.05))
    assert "it took longer than 0.05 s" in said


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("{'values': {'x': '1'}, 'statement': 'x < 2'}", "its values satisfy the statement 'x < 2'"),
        ("{'values': {'x': '3'}, 'hypotheses': ['x < 0'], 'statement': 'x < 2'}", "violate the hypothesis 'x < 0'"),
        ("{'values': {'x': '3'}, 'statement': 'y < 2'}", "the name y is not declared"),
        ("{'values': {'x': '3'}, 'statement': 'x'}", "is not a relation"),
        ("{'values': {'x': 0.5}, 'statement': 'x > 1'}", "the witness holds a float"),
        ("{'x': '3'}", "the keys values, hypotheses and statement"),
    ],
)
def test_values_that_do_not_refute_are_a_fault(tmp_path: Path, data: str, said: str) -> None:
    result = one(tmp_path, claim(verdict="refuted"), evidence(f"return Counterexample(Witness('values', {data}))"))
    assert said in fault(result)


@pytest.mark.parametrize(
    ("witness", "said"),
    [
        ("'double', {'x': 2}, {'double': 5}, {'double': 3}", "double is expected to be 5, but the engine answers '4'"),
        ("'double', {'x': 2}, {'double': 4}, {'double': '4'}", "the engine's answer is exactly the claimed one"),
        ("'double', {'x': 2}, {'double': 4}, {'treble': 6}", "claims treble, which the engine does not answer"),
        ("'double', {'x': 2}, {'treble': 6}, {'double': 3}", "but the engine answers nothing"),
        ("'double', {'x': 2}, {'double': 4}", "it needs both `expected` and `claimed`"),
        ("'double', {'y': 2}, {'double': 4}, {'double': 3}", "KeyError"),
        ("'triple', {'x': 2}, {'triple': 6}, {'triple': 3}", "no engine replays witnesses of kind 'triple'"),
    ],
)
def test_a_witness_that_does_not_replay_is_a_fault(tmp_path: Path, witness: str, said: str) -> None:
    result = one(tmp_path, claim(verdict="refuted"), evidence(f"return Counterexample(Witness({witness}))"))
    assert said in fault(result)


def test_a_witness_is_compared_key_by_key_and_exactly(tmp_path: Path) -> None:
    witness = "'double', {'x': 2}, {'double': '4/1', 'list': [{'x': '2'}]}, {'list': [{'x': 3}]}"
    result = one(tmp_path, claim(verdict="refuted"), evidence(f"return Counterexample(Witness({witness}))"))
    assert result.faults == ()


def test_an_id_twice_is_a_fault(tmp_path: Path) -> None:
    root(tmp_path, [claim()], []).path.joinpath("validation", "edt", "more.toml").write_text(claim())
    said = fault(one(tmp_path, claim(), evidence(PROVED)))
    assert "the id stands twice, in validation/edt/claims.toml:1 and validation/edt/more.toml:1" in said


@pytest.mark.parametrize(
    ("verdict", "needed"),
    [("holds-under-assumption", "assumption"), ("misprint", "repair"), ("not-checkable", "reason")],
)
def test_a_verdict_must_say_what_it_calls_for(tmp_path: Path, verdict: str, needed: str) -> None:
    result = one(tmp_path, claim(verdict=verdict), [])
    assert f"recorded without '{needed}'" in result.faults[-1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[claim.'edt.eq1']\n", "'source' is missing"),
        (claim(colour="red"), "key 'colour' is unknown"),
        (claim("eq1"), "write an id such as 'edt.eq10'"),
        ("[claim.'edt.eq1']\nsource = ", "cannot be read as TOML"),
        ("x = " + "[" * 20_000, "cannot be read as TOML"),
        (claim(id="edt.eq1"), "key 'id' is unknown"),
        (claim() + claim(), "cannot be read as TOML"),
        (claim().replace("'edt.eq1'", "edt.eq1"), """between quotes: [claim."edt.eq10"]"""),
        ("claim = 1", """write each claim as a table [claim."edt.eq10"]"""),
        ("[[claim]]\nid = 'edt.eq1'\n", """write each claim as a table [claim."edt.eq10"]"""),
        ("prelude = 1", """write each prelude as a table [prelude."edt.one"]"""),
        ("prelude.one = 1", """write each prelude as a table [prelude."edt.one"]"""),
    ],
)
def test_a_broken_claim_is_a_fault(tmp_path: Path, text: str, said: str) -> None:
    done = verify(tmp_path, [text], [])
    assert said in str(done.problems[0])
    assert not done.as_recorded


def test_a_kind_that_is_not_written_is_that_of_the_id(tmp_path: Path) -> None:
    names = ("edt.fig3", "edt.thm1", "edt.thm1.a", "edt.sec2")
    texts = [claim(name).replace("kind = 'equation'\n", "") for name in names]
    done = verify(tmp_path, [*texts, claim("edt.fig4", kind="number")], [])
    assert [each.claim.kind for each in done.results] == ["figure", "theorem", "proof-step", "remark", "number"]


@pytest.mark.parametrize("more", [{"kind": "poem"}, {"verdict": "true"}])
def test_an_unknown_kind_or_verdict_is_a_fault(tmp_path: Path, more: dict[str, str]) -> None:
    assert any("use one of" in text for text in one(tmp_path, claim(**more), evidence(PROVED)).faults)


@pytest.mark.parametrize("outcome", ["Agrees(1000, 'random')", "Proved('tried', EXAMPLE)"])
def test_samples_never_decide_a_universal_claim(tmp_path: Path, outcome: str) -> None:
    result = one(tmp_path, claim(), evidence(f"return {outcome}", strength="sampled"))
    assert result.judgement.verdict == "undecided"
    assert "samples never decide a universal claim" in fault(result)


def test_samples_decide_a_measurement(tmp_path: Path) -> None:
    piece = evidence("return Agrees(1000, 'within the 99 % interval')", strength="sampled")
    result = one(tmp_path, claim(kind="measurement"), piece)
    assert (result.judgement.verdict, result.judgement.strength) == ("holds", "sampled")


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("Agrees(0, 'nothing')", "agrees in no case at all"),
        ("Agrees(3, 'all')", "its strength is 'exact' or 'sampled'"),
    ],
)
def test_agreement_states_cases_and_is_no_proof(tmp_path: Path, outcome: str, said: str) -> None:
    assert any(said in text for text in one(tmp_path, claim(), evidence(f"return {outcome}")).faults)


def test_a_claim_whose_deciding_evidence_is_skipped_is_not_run(tmp_path: Path) -> None:
    piece = evidence(NOT_RUN, strength="kernel")
    result = one(tmp_path, claim(), piece)
    assert (result.judgement.verdict, result.as_recorded) == ("not run", True)
    assert result.judgement.skipped == ("first: no Coq here",)


@pytest.mark.parametrize("engine", ["coq", "all"])
def test_skipped_evidence_fails_when_its_engine_is_required(tmp_path: Path, engine: str) -> None:
    piece = evidence(NOT_RUN, strength="kernel")
    said = fault(one(tmp_path, claim(), piece, require=(engine,)))
    assert "first was skipped, but is required (no Coq here)" in said


def test_requiring_one_engine_does_not_require_another(tmp_path: Path) -> None:
    piece = evidence(NOT_RUN, strength="kernel")
    assert one(tmp_path, claim(), piece, require=("smt",)).as_recorded


def test_a_missing_engine_counts_as_skipped(tmp_path: Path) -> None:
    body = "from dtmodel.ledger import EngineMissing\nraise EngineMissing('no z3 here')"
    assert one(tmp_path, claim(), evidence(body, strength="smt")).judgement.verdict == "not run"


def test_a_claim_falls_back_visibly_to_the_next_strength(tmp_path: Path) -> None:
    pieces = [evidence(NOT_RUN, strength="kernel"), evidence(PROVED, name="second")]
    judged = one(tmp_path, claim(), pieces).judgement
    assert (judged.verdict, judged.strength, judged.fallback) == ("holds", "symbolic", "kernel")


def test_a_module_that_cannot_be_imported_is_a_fault(tmp_path: Path) -> None:
    done = verify(tmp_path, [claim()], ["\n1/0\n", evidence(PROVED)])
    assert "proofs/edt/proofs.py cannot be imported: ZeroDivisionError" in fault(done.results[0])


def test_evidence_that_exits_is_a_fault(tmp_path: Path) -> None:
    done = verify(tmp_path, [claim(), claim("edt.eq2")], [evidence("raise SystemExit(3)"),
                                                           evidence(PROVED, "edt.eq2", name="second")])  # fmt: skip
    assert fault(done.results[0]).startswith("first (proofs/edt/proofs.py:7): it raised SystemExit: 3")
    assert done.results[1].as_recorded


def test_a_selector_runs_only_what_it_names(tmp_path: Path) -> None:
    pieces = [evidence(PROVED), evidence("raise SystemExit('ran')", "edt.eq10", name="second")]
    done = verify(tmp_path, [claim(), claim("edt.eq10"), claim("edt.eq1@literal")], pieces, ["edt.eq1"])
    assert [item.claim.id for item in done.results] == ["edt.eq1", "edt.eq1@literal"]
    assert [item.evidence.name for item in done.results[0].ran] == ["first"]


def test_several_selectors_run_what_each_of_them_names(tmp_path: Path) -> None:
    pieces = [evidence(PROVED), evidence(PROVED, "edt.eq10", name="second"), evidence("1/0", "edt.eq2", name="third")]
    done = verify(tmp_path, [claim(), claim("edt.eq10"), claim("edt.eq2")], pieces, ["edt.eq10", "edt.eq1"])
    assert [len(item.ran) for item in done.results] == [1, 1]
    assert done.as_recorded


def test_a_selector_that_matches_nothing_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"selector: got 'edt.eq2'; expected a claim id, such as edt.eq1"):
        verify(tmp_path, [claim()], [evidence(PROVED)], ["edt.eq2"])


def test_worker_processes_give_the_same_verdicts(tmp_path: Path) -> None:
    pieces = [evidence(PROVED), evidence(FALSE, "edt.eq2", name="second")]
    claims = [claim(), claim("edt.eq2", "refuted")]
    done = verify(tmp_path, claims, pieces, jobs=2)
    assert [item.judgement.verdict for item in done.results] == ["holds", "refuted"]
    assert done.as_recorded


def test_files_of_a_folder_import_each_other(tmp_path: Path) -> None:
    (tmp_path / "proofs" / "edt").mkdir(parents=True)
    (tmp_path / "proofs" / "edt" / "common.py").write_text("ONE = {'x': '1'}\n", encoding="utf-8")
    body = "from .common import ONE\nreturn Proved('by algebra', ONE)"
    assert one(tmp_path, claim(), evidence(body)).as_recorded


def test_one_function_may_aim_at_two_forms(tmp_path: Path) -> None:
    stacked = "\n@evidence('edt.eq2', form='repaired', strength='smt')" + evidence(PROVED)
    done = verify(tmp_path, [claim(), claim("edt.eq2", "refuted")], [stacked, evidence(FALSE, "edt.eq2", name="other")])
    assert [item.judgement.verdict for item in done.results] == ["holds", "misprint"]


@pytest.mark.parametrize("wrong", [{"form": "sung"}, {"strength": "strong"}])
def test_an_unknown_form_or_strength_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(LedgerError, match="forms are printed"):
        decorator("edt.eq1", **({"form": "printed", "strength": "smt"} | wrong))


def test_evidence_names_a_claim() -> None:
    with pytest.raises(LedgerError, match="name one or more claim ids"):
        decorator(form="printed", strength="smt")


def test_two_evidence_functions_of_one_name_are_refused(tmp_path: Path) -> None:
    done = verify(tmp_path, [claim()], [evidence(PROVED), evidence(PROVED)])
    assert "two evidence functions are called first" in str(done.problems[0])


def test_a_conflict_recorded_once_serves_both_sides_and_names_the_other(tmp_path: Path) -> None:
    claims = [claim(verdict="inconsistent"), claim("edt.eq2", "inconsistent")]
    collection = collect([root(tmp_path, claims, [evidence("return Conflict('edt.eq2', 'one or two')", *PAIR)])])
    done = run_claims(collection, replayers={})
    named = [claim_document(item, collection)["evidence"][0]["outcome"]["claim"] for item in done.results]
    assert (named, done.as_recorded) == (["edt.eq2", "edt.eq1"], True)


@pytest.mark.parametrize(("engine", "strength"), [("coq", "kernel"), ("smt", "smt")])
def test_an_engine_that_is_required_must_have_been_used(tmp_path: Path, engine: str, strength: str) -> None:
    used = verify(tmp_path / "a", [claim()], [evidence(PROVED, strength=strength)], require=(engine,))
    unused = verify(tmp_path / "b", [claim()], [evidence(PROVED)], require=(engine,))
    assert used.as_recorded
    assert f"{engine} is required, but this run has no result of it" in str(unused.problems[0])


def test_what_needs_a_kernel_that_was_not_asked_is_no_use_of_it(tmp_path: Path) -> None:
    done = verify(tmp_path, [claim(verdict="refuted")], [evidence(FALSE, strength="kernel")], require=("coq",))
    assert any("this run has no result of it" in str(problem) for problem in done.problems)


def test_a_module_is_read_from_its_own_root_when_two_roots_have_one_package_name(tmp_path: Path) -> None:
    for name in ("one", "two", "one"):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "said.py").write_text(f"NAME = {name!r}\n")
        module = load_module(Root(tmp_path / name, "dtmodel_two_roots"), "dtmodel_two_roots.said")
        assert vars(module)["NAME"] == name


def test_evidence_of_a_module_shares_a_process_unless_others_would_idle(tmp_path: Path) -> None:
    pieces = [evidence("return Proved('by algebra', EXAMPLE)", name=f"piece{number}") for number in range(40)]
    collection = collect([root(tmp_path, [claim()], pieces)])
    tasks = [(collection.roots[0], item) for item in collection.evidence()[0]]
    for cores, sizes in ((1, [6] * 6 + [4]), (2, [3] * 13 + [1]), (40, [1] * 40)):
        works = list(_works(tasks, {}, Options(jobs=cores)))
        assert [len(work.items) for work in works] == sizes
        assert [item for work in works for (item,) in work.items] == [item for _, item in tasks]
