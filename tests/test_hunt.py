"""The ledger's executable statements: each is read, shown, and comes out of a short hunt as it is recorded."""

import contextlib
import json
import signal
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from ledger_cases import paper_forms, papers

from dtmodel import InputError
from dtmodel.base.mathtext import html_of
from dtmodel.cli import run
from dtmodel.companion.words import VOCABULARY
from dtmodel.companion.words.instances import instances, witnesses
from dtmodel.ledger import Claim, adversary
from dtmodel.ledger.adversary import Attack, Need, attack
from dtmodel.ledger.claim import expanded
from dtmodel.ledger.contradictions import Crossing, contradictions, own_witnesses
from dtmodel.ledger.formal import read_formal
from dtmodel.ledger.hunting import Found, hunt_summary, hunt_target, targets
from dtmodel.ledger.hunting_table import Table
from dtmodel.ledger.sampling import Sampler
from dtmodel.ledger.statement import statement
from dtmodel.ledger.time_limit import ended_within

COLLECTION = papers()
TARGETS = paper_forms()


# One form in sixteen; `make exhaustive` takes all of them, and `make hunt` attacks them for longer.
SOME = [
    pytest.param(target, marks=pytest.mark.exhaustive if number % 16 else (), id=f"{target.claim}-{target.form}")
    for number, target in enumerate(TARGETS)
]


@pytest.mark.parametrize("target", SOME)
def test_a_short_hunt_comes_out_as_recorded(target):
    found = hunt_target(target, VOCABULARY, cases=10, seed=1)
    assert (found.attack.counterexample is None) == target.recorded, found.fault


@pytest.mark.parametrize("target", SOME)
def test_every_statement_can_be_shown(target):
    written = statement(target.formal, VOCABULARY)
    assert "Then " in written
    assert written.count("$") % 2 == 0
    assert "<code>" not in html_of(written)


def test_every_prelude_is_inherited_by_a_claim():
    texts = [claim.formal for claim in COLLECTION.claims.values()] + list(COLLECTION.preludes.values())
    used = {line.split()[1] for text in texts for line in text.splitlines() if line.startswith("use ")}
    assert used == {name for name in COLLECTION.preludes if not name.endswith(".symbols")}


def test_a_prelude_that_is_not_there_is_named():
    with pytest.raises(Exception, match=r"sec9\.9"):
        expanded("use sec9.9", COLLECTION.preludes)


def test_a_prelude_that_inherits_itself_is_named():
    assert expanded("use a", {"a": "use b", "b": "x"}) == "x"
    with pytest.raises(InputError, match="use: got 'a'"):
        expanded("use a", {"a": "use b", "b": "use a"})


def test_a_statement_inverted_is_caught():
    target = next(target for target in TARGETS if target.claim == "edt.ours.theorem1")
    inverted = target.formal.text.replace("d[k] > t10 else", "d[k] <= t10 else")
    assert inverted != target.formal.text
    from dtmodel.ledger.formal import read_formal

    found = hunt_target(type(target)(target.claim, target.form, read_formal(inverted), True), VOCABULARY, cases=60)
    assert "recorded as true" in found.fault


def test_the_command_prints_a_line_a_form_and_fails_with_a_fault(capsys, tmp_path):
    assert run(["hunt", "edt.ours.continuity", "--cases", "20", "--hypotheses", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["claim"], document["recorded"], document["fault"]) == ("edt.ours.continuity", True, "")
    assert {need["kind"] for need in document["hypotheses"]} <= {
        "needed",
        "needed for a value",
        "not known to be needed",
    }
    (tmp_path / "own.toml").write_text(
        '[claim."own.one"]\nsource = "here"\nkind = "ours"\nverdict = "holds"\ncaption = "One"\n'
        "formal = '''\nfor x >= 0\nthen x > 0'''\n"
    )
    assert run(["hunt", "own", "--cases", "20", "--collection", str(tmp_path)]) == 1
    assert "NOT AS RECORDED" in capsys.readouterr().out


def endless(*_):
    while True:
        pass


@pytest.mark.parametrize("asked", [attack, adversary.needs])
def test_an_instance_that_does_not_end_is_stopped_with_the_hunt(asked, monkeypatch):
    formal = read_formal("for x > 0; then x + 1 > x")
    assert attack(formal, {}, cases=5).tried > 0
    monkeypatch.setattr(adversary, "decided", endless)
    before = signal.getsignal(signal.SIGALRM)
    found = asked(formal, {}, seconds=0.05)
    assert found == (Attack() if asked is attack else [Need("x > 0", "not known to be needed")])
    assert signal.getsignal(signal.SIGALRM) == before


@pytest.mark.parametrize(("outer", "inner"), [(0.05, 600), (600, 0.05)])
def test_of_two_limits_on_time_the_nearer_one_ends_the_work(outer, inner):
    nearer = "outer" if outer < inner else "inner"
    limits = ended_within(outer, TimeoutError("outer")), ended_within(inner, TimeoutError("inner"))
    with pytest.raises(TimeoutError, match=nearer), limits[0], limits[1]:
        endless()


def test_a_limit_inside_another_leaves_it_what_is_left():
    def both():
        with ended_within(0.2, TimeoutError("outer")):
            with contextlib.suppress(TimeoutError), ended_within(0.01, TimeoutError("inner")):
                endless()
            endless()

    with pytest.raises(TimeoutError, match="outer"):
        both()


def test_work_that_ends_in_words_of_its_own_is_late_all_the_same():
    """Code in C that is interrupted, as gmpy2 while it reads a fraction, raises what it likes."""

    def masked():
        try:
            endless()
        except TimeoutError as error:
            raise SystemError("Object does not appear to be Fraction") from error

    with pytest.raises(TimeoutError, match="late"), ended_within(0.05, TimeoutError("late")):
        masked()
    with pytest.raises(SystemError, match="its own"), ended_within(600, TimeoutError("late")):
        raise SystemError("its own")


def test_a_selection_without_executable_statements_is_refused(capsys):
    assert run(["hunt", "losspass.slides.testbed", "--cases", "1"]) == 2
    assert "executable" in capsys.readouterr().err


def test_a_summary_counts_forms_and_faults():
    found = [hunt_target(target, VOCABULARY, cases=5) for target in TARGETS[:3]]
    assert hunt_summary(found)["forms"] == 3


def test_the_kept_table_is_of_the_forms_as_they_are():
    """After a form was altered: dtmodel hunt --hypotheses --changed --table validation/results."""
    table = Table.read(Path(__file__).parents[1] / "validation" / "results")
    assert [(target.claim, target.form) for target in table.stale(TARGETS)] == []
    assert list(table.rows) == [(target.claim, target.form) for target in TARGETS]
    assert [key for key, row in table.rows.items() if row["fault"]] == []


def test_a_row_of_another_text_is_noticed_and_replaced(tmp_path):
    target = next(target for target in TARGETS if target.claim == "l2bm.eq4")
    found = hunt_target(target, VOCABULARY, cases=20, hypotheses=True)
    table = Table(tmp_path).add([found], {"seed": 0})
    table.write()
    again = Table.read(tmp_path)
    altered = replace(target, recorded=False)
    assert (again.stale([target]), again.stale([altered])) == ([], [altered])
    assert again.kept([]).rows == {}
    assert "| l2bm.eq4 | printed | true |" in (tmp_path / "hunt.md").read_text()


def test_no_true_form_fails_where_a_false_one_is_known_to_fail():
    witnesses = list(own_witnesses(TARGETS))
    crossing = Crossing()
    some = [target for target in TARGETS if "run" not in target.formal.text or target.claim.startswith("edt.thm")]
    assert list(contradictions(some, witnesses, VOCABULARY, crossing=crossing)) == []
    assert crossing.asked > 50


def test_a_claim_that_contradicts_another_is_found():
    """Theorem 1 without its assumption, as if it were true, at the witness of its printed form and at that of (44)."""
    printed = next(target for target in TARGETS if (target.claim, target.form) == ("edt.thm1", "printed"))
    altered = replace(printed, claim="edt.altered", recorded=True)
    found = list(contradictions([altered], own_witnesses([printed]), VOCABULARY))
    assert [(item.target.claim, item.witness_of) for item in found] == [("edt.altered", "edt.thm1")]
    scenario = {
        "switch": {"ports": 2, "buffer": 1, "rate": 1}, "policy": {"name": "dt", "alpha": 1}, "until": 9,
        "queues": [{"arrivals": [[0, "3/2"]]}, {"arrivals": [[0, "3/2"], ["1/2", 0]]}],
    }  # fmt: skip
    report = {"claims": [{"id": "x.y", "evidence": [{"outcome": {"witness": {"kind": "fluid", "data": scenario}}}]}]}
    at = list(witnesses(report))
    assert [values["M"] for _, values in at] == [2, 2]
    assert [item.witness_of for item in contradictions([altered], at, VOCABULARY, draws=3)] == ["x.y"]


def test_witnesses_of_a_report_are_asked_by_the_command(capsys, tmp_path):
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"schema": "dtmodel-ledger-report/1", "claims": []}))
    assert run(["hunt", "edt.thm1", "--witnesses", str(report)]) == 0
    assert "contradictions: 0" in capsys.readouterr().out
    assert run(["hunt", "edt.thm1", "--witnesses", str(tmp_path / "none")]) == 2


def test_numbers_that_are_tried_and_misses_that_are_written_stay_short(monkeypatch):
    """Steps towards a bound make numbers longer and longer: a hunt of an hour met one of thousands of digits."""
    far = read_formal("for x > 0; then x < 1000")
    assert attack(far, {}, cases=400).counterexample is not None
    monkeypatch.setattr(adversary, "_LONGEST", 9)
    assert attack(far, {}, cases=400).counterexample is None
    target = next(targets([Claim("x.y", "here", "ours", "One.", "holds", formal="for x > 0; then x > 0")]))
    for miss, written in (
        (Fraction(1, 3), Fraction(1, 3)),
        (Fraction(-1, 10**5000), Fraction(-1, 10**60)),
        (Fraction(0), Fraction(0)),
    ):
        assert Fraction(Found(target, adversary.Attack(nearest=miss)).document()["nearest"]) == written


def test_hypotheses_narrow_what_is_drawn_even_to_nothing():
    formal = read_formal("for M : int 1..3; N : int 1..3; x > 0; where N < M; x >= M; then N < M")
    drawn = [Sampler(formal, {}, Random(seed)).completed({}) for seed in range(60)]
    assert {one["M"] for one in drawn if one} == {2, 3}
    assert all(one["N"] < one["M"] <= one["x"] for one in drawn if one)
    assert None in drawn


def test_a_trace_becomes_the_events_and_settings_of_a_form() -> None:
    events = [["arrive", None, "small", "3/2"], ["depart", None, "any"]]
    (own,) = instances("trace", {"algorithm": "losspass", "buffer": "5", "events": events})
    sequence = {"E": [["arrive", "small", Fraction(3, 2)], ["depart", "any"]], "s": Fraction(3, 2), "B": 5}
    assert own == {**sequence, "B_l": 0, "reading": "intended"}
    queues = {"algorithm": "dynaq", "buffer": "5", "weights": ["1", "2"], "admit": "recheck"}
    (own,) = instances("trace", {**queues, "events": [["arrive", None, "1", "3"]]})
    first = {"E": [["arrive", 1, 3]], "s": 3, "B": 5}
    assert own == {**first, "w": [1, 2], "M": 2, "admit": "recheck", "tie": "low"}
