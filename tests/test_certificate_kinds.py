"""The stand-alone checker knows invariants, trajectories and traces, and refuses each that was altered in one place."""

import copy
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from ledger_cases import papers

from dtmodel.companion.running import run_selected
from dtmodel.companion.witnesses import EXPORTERS, fluid_certificate
from dtmodel.companion.witnesses import trace_certificate as exported_trace
from dtmodel.fluid import answer
from dtmodel.ledger.certificates import export
from dtmodel.ledger.evidence import jsonable
from dtmodel.ledger.replay import differences
from dtmodel.ledger.report import report_document
from dtmodel.packet import trace
from proofs.check_certificates import check
from proofs.checker.traces import ALGORITHMS, READINGS
from proofs.dynaq import systems as dynaq_systems
from proofs.edt import systems as edt_systems
from proofs.l2bm import systems as l2bm_systems
from proofs.losspass import systems as losspass_systems

ROOT = Path(__file__).parents[1]
Path_ = tuple[Any, ...]


def spoilt(document: dict[str, Any], path: Path_, value: Any) -> dict[str, Any]:
    """The certificate with one part replaced."""
    changed: Any = copy.deepcopy(document)
    part = changed
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return changed


def at(document: Any, path: Path_) -> Any:
    for key in path:
        document = document[key]
    return document


def as_exported(document: Any) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(json.dumps(document))
    return read


# Invariants

SYSTEMS = {
    "losspass": losspass_systems.port_with_reserve(True),
    "coupling": losspass_systems.coupled_ports(),
    "isolation": losspass_systems.isolated_small_flows(),
    "dynaq": dynaq_systems.all_queues(2),
    "satisfied": dynaq_systems.satisfied_queue(),
    "unsatisfied": dynaq_systems.unsatisfied_queue(),
    "edt": edt_systems.timers(),
    "l2bm": l2bm_systems.recorder("literal"),
}
LARGE = {"edt", "coupling"}
EACH = [pytest.param(name, marks=pytest.mark.exhaustive if name in LARGE else ()) for name in SYSTEMS]
"""The systems; where each of their parts is altered, the large ones take minutes."""


@pytest.fixture(scope="module")
def invariants() -> dict[str, dict[str, Any]]:
    return {name: as_exported(system.certificate().document) for name, system in SYSTEMS.items()}


def multipliers(document: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The places of all coefficients of all factors in all proofs."""
    if isinstance(document, dict) and "terms" in document:
        for n, (factor, _) in enumerate(document["terms"]):
            yield from ((*path, "terms", n, 0, k, 0) for k in range(len(factor)))
    elif isinstance(document, dict | list):
        for key, part in document.items() if isinstance(document, dict) else enumerate(document):
            yield from multipliers(part, (*path, key))


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_multiplier_of_an_invariant_matters(invariants: dict[str, dict[str, Any]], name: str) -> None:
    document = invariants[name]
    assert check(document) == ""
    places = list(multipliers(document))
    assert len(places) > 5
    for place in places[:: max(len(places) // 10, 1)]:  # some ten of them, all over the document
        for other in (str(Fraction(at(document, place)) + 1), "0"):
            assert bool(check(spoilt(document, place, other))) == (other != at(document, place))


@pytest.mark.parametrize("name", EACH)
def test_every_update_and_initial_value_of_an_invariant_matters(
    invariants: dict[str, dict[str, Any]], name: str
) -> None:
    document = invariants[name]
    updates = [("transitions", n, "updates", v) for n, t in enumerate(document["transitions"]) for v in t["updates"]]
    kept = {v for fact in document["invariant"] for poly, _ in fact for _, powers in poly for v in powers}
    for place in [*updates, *(("variables", v) for v in document["variables"])]:
        changed = spoilt(document, place, [*at(document, place), ["-1001", {}]])
        free = place == ("variables", "prev")  # without a packet t_prev has no effect
        assert bool(check(changed)) == (place[-1] in kept and not free)


@pytest.mark.parametrize("name", EACH)
def test_every_used_fact_or_guard_matters(invariants: dict[str, dict[str, Any]], name: str) -> None:
    document = invariants[name]
    known = len(document["assumptions"]) + len(document["invariant"])
    seen = 0
    for n, transition in enumerate(document["transitions"]):
        used = {
            place for each in [*transition["keeps"], *(p for _, p in transition["ensures"])] for place in uses(each)
        }
        for g, guard in enumerate(transition["guards"]):
            place = ("transitions", n, "guards", g)
            if known + g in used:
                seen += 1
                for k, (poly, _) in enumerate(guard):
                    assert check(spoilt(document, (*place, k, 0), [*poly, ["1", {}]]))
                assert check(spoilt(document, place, [[[["1", {}]], ">="]]))
    assert seen > 0 or name == "l2bm"


def uses(proof: dict[str, Any]) -> Iterator[int]:
    """The hypotheses that a proof names."""
    if "split" in proof:
        yield proof["split"]
        for part in proof["proofs"]:
            yield from uses(part)
    else:
        for _, used in proof["terms"]:
            yield from used


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("invariant",), [], "there is no invariant"),
        (("transitions",), [], "there is no transition"),
        (("base",), [], "a proof for the initial state is missing"),
        (("transitions", 0, "keeps"), [], "a proof for a transition is missing"),
        (("transitions", 0, "updates", "b"), [], "an update is not of a variable"),
        (("transitions", 0, "example", "s"), "-1", "the example does not fit the hypotheses"),
        (("transitions", 0, "example"), {}, "the example leaves a symbol open"),
        (("parameters",), ["B", "b", "s"], "a parameter is a variable"),
        (("parameters",), ["B"], "an assumption is not about parameters"),
        (("variables", "s"), [["1", {"P": 1}]], "an initial value is not constant"),
        (("invariant", 0), [], "no fact"),
        (("invariant", 0, 0, 1), "<", "no fact"),
        (("invariant", 0, 0, 0), [["1", {"P": 1}]], "the invariant is not about the state"),
        (("invariant", 0, 0, 1), ">", "no term is positive"),
        (("invariant", 0, 0, 1), "=", "an equation is shown by an inequality"),
        (("whole",), ["s"], "not whole"),
    ],
)
def test_an_invariant_that_says_too_much_or_too_little_is_refused(
    invariants: dict[str, dict[str, Any]], path: Path_, value: Any, said: str
) -> None:
    assert said in check(spoilt(invariants["losspass"], path, value))


def test_negative_multiples_of_inequalities_and_missing_cases_are_refused() -> None:
    fact: Any = [[[["1", {"x": 1}]], ">="]]
    move = {"name": "fall", "guards": [], "updates": {"x": [["-1", {"x": 1}]]}, "ensures": [], "example": {"x": "0"},
            "keeps": [{"shows": 0, "terms": [[[["-1", {}]], [0]]]}]}  # fmt: skip
    document: dict[str, Any] = {
        "kind": "invariant", "says": "", "whole": [], "parameters": [], "variables": {"x": []}, "assumptions": [],
        "invariant": [fact], "base": [{"shows": 0, "terms": []}], "transitions": [move],
    }  # fmt: skip
    assert check(document) == "a negative factor"
    squared = spoilt(document, ("transitions", 0, "keeps", 0, "terms"), [[[["-1", {"x": 1}]], []]])
    assert check(squared) == "a negative factor"
    halves = spoilt(document, ("transitions", 0, "keeps", 0), {"split": 0, "proofs": []})
    assert check(halves) == "a case is missing"
    either = spoilt(document, ("transitions", 0, "guards"), [[*fact, *fact]])
    assert check(spoilt(either, ("transitions", 0, "keeps", 0, "terms"), [[[["1", {}]], [1]]])) == (
        "a hypothesis has several cases"
    )


def test_strict_facts_about_whole_numbers_are_used_only_where_all_is_declared_whole(
    invariants: dict[str, dict[str, Any]],
) -> None:
    assert invariants["coupling"]["whole"]
    for name in invariants["coupling"]["whole"]:
        if name in ("s", "l", "B"):
            rest = [each for each in invariants["coupling"]["whole"] if each != name]
            assert check(spoilt(invariants["coupling"], ("whole",), rest))


# Trajectories

BURST = {"arrivals": [["0", "9"], ["5/4", "0"]]}
SCENARIOS: dict[str, dict[str, Any]] = {
    "dt": {
        "switch": {"ports": 3, "buffer": "12", "rate": "1"}, "policy": {"name": "dt", "alpha": "1"},
        "queues": [{"arrivals": [["0", "4"], ["3", "0"]]}, {"arrivals": [["0", "2"]], "initial": "steady"},
                   {"arrivals": [["1", "3"], ["2", "1/2"]], "alpha": "2", "rate": "1/2"}],
        "until": "8", "sample": ["6/5", "5"],
    },
    "edt": {
        "switch": {"ports": 2, "buffer": "16", "rate": "1"},
        "policy": {"name": "edt", "alpha": "1", "cn2": "1/2", "tm1": None, "tm2": "3"},
        "queues": [{"arrivals": [["0", "3"]]}, {"arrivals": [["3", "9"], ["6", "0"]]}], "until": "9", "sample": ["5"],
    },
    "slow": {
        "switch": {"ports": 1, "buffer": "6", "rate": "1"},
        "policy": {"name": "edt", "alpha": "1", "cn2": "1", "tm1": "1", "tm2": None},
        "queues": [{"arrivals": [["0", "5/4"], ["11", "3"]]}], "until": "20", "sample": ["1", "15"],
    },
}  # fmt: skip


def trajectory(scenario: dict[str, Any]) -> dict[str, Any]:
    """The certificate of a scenario that expects the engine's answer."""
    expected = {key: answer(scenario)[key] for key in ("first_drop", "free_at_first_drop", "queues", "dropped")}
    exported = fluid_certificate(scenario)
    assert exported is not None
    claimed = {"first_drop": ["1000"] * len(scenario["queues"])}
    return as_exported({"kind": "fluid", "says": "", **exported, "expected": expected, "claimed": claimed})


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_length_and_every_time_of_a_trajectory_matters(name: str) -> None:
    document = trajectory(SCENARIOS[name])
    assert check(document) == ""
    for row, lengths in enumerate(document["lengths"]):
        for i, length in enumerate(lengths):
            for other in (Fraction(length) + Fraction(1, 9), Fraction(length) - Fraction(1, 9)):
                assert check(spoilt(document, ("lengths", row, i), str(other)))
    for row, time in enumerate(document["times"]):
        assert check(spoilt(document, ("times", row), str(Fraction(time) + Fraction(1, 99))))


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_breakpoint_where_a_slope_changes_cannot_be_left_out(name: str) -> None:
    document = trajectory(SCENARIOS[name])
    times = [Fraction(time) for time in document["times"]]
    rows = [[Fraction(length) for length in row] for row in document["lengths"]]
    bent = 0
    for k in range(1, len(times) - 1):
        slopes = [
            [(b - a) / (times[n + 1] - times[n]) for a, b in zip(rows[n], rows[n + 1], strict=True)] for n in (k - 1, k)
        ]
        if slopes[0] != slopes[1]:
            bent += 1
            short = copy.deepcopy(document)
            del short["times"][k], short["lengths"][k]
            assert check(short)
    assert bent >= 2


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("dt", ("queues", 0, "alpha"), "2"),
        ("dt", ("queues", 2, "rate"), "1"),
        ("dt", ("queues", 0, "arrivals", 0, 1), "5"),
        ("dt", ("queues", 0, "arrivals", 1, 0), "7/2"),
        ("dt", ("queues", 1, "initial"), "0"),
        ("dt", ("queues", 0, "initial"), "steady"),
        ("dt", ("buffer",), "13"),
        ("dt", ("until",), "9"),
        ("dt", ("policy",), {"name": "edt", "cn2": "1", "tm1": None, "tm2": None}),
        ("dt", ("policy", "name"), "complete"),
        ("dt", ("expected", "first_drop", 0), "3"),
        ("dt", ("expected", "free_at_first_drop", 1), "7"),
        ("dt", ("expected", "queues", 1, 2), "0"),
        ("dt", ("expected",), {}),
        ("dt", ("expected", "dropped", 0), "1/9"),
        ("dt", ("expected", "lost"), ["0"]),
        ("dt", ("claimed", "lost"), ["0"]),
        ("dt", ("claimed",), {}),
        ("edt", ("policy",), {"name": "dt"}),
        ("edt", ("policy", "cn2"), "1"),
        ("edt", ("policy", "cn2"), "100"),
        ("edt", ("policy", "tm1"), "1/32"),
        ("edt", ("policy", "tm2"), None),
        ("edt", ("policy", "tm2"), "2"),
        ("edt", ("policy", "tm2"), "4"),
        ("edt", ("queues", 1, "arrivals", 1, 0), "8"),
        ("slow", ("policy", "tm1"), None),
        ("slow", ("policy", "tm1"), "5"),
        ("slow", ("policy", "cn2"), "1/5"),
    ],
)
def test_an_altered_scenario_or_answer_is_refused(name: str, path: Path_, value: Any) -> None:
    document = trajectory(SCENARIOS[name])
    assert check(spoilt(document, path, value))


def test_a_witness_that_refutes_nothing_is_refused() -> None:
    document = trajectory(SCENARIOS["dt"])
    assert check({**document, "claimed": document["expected"]}) == "what is claimed is so"


def random_scenario(choose: random.Random) -> dict[str, Any]:
    pick = choose.choice
    queues = []
    for _ in range(choose.randint(1, 4)):
        begin, arrivals = Fraction(0), []
        for _ in range(choose.randint(0, 4)):
            arrivals.append([str(begin), pick(["0", "1/2", "1", "5/4", "3/2", "2", "3", "5", "9"])])
            begin += Fraction(choose.randint(1, 8), 2)
        queue: dict[str, Any] = {"arrivals": arrivals}
        if arrivals and Fraction(arrivals[0][1]) >= 1 and choose.random() < 0.3:
            queue["initial"] = "steady"
        queues.append(queue)
    policy = {"name": "dt", "alpha": pick(["1/2", "1", "2"])}
    if choose.random() < 0.75:
        policy |= {"name": "edt", "cn2": pick(["1/4", "1", "2"]), "tm1": pick([None, "1/2", "1", "3"]),
                   "tm2": pick([None, "1", "5"])}  # fmt: skip
    switch = {"ports": 4, "buffer": pick(["4", "6", "12"]), "rate": "1"}
    return {"switch": switch, "policy": policy, "queues": queues, "until": pick(["6", "15"]), "sample": ["1", "5/2"]}


@pytest.mark.parametrize("runs", [15, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_random_trajectories_of_the_engine_are_accepted(runs: int) -> None:
    for seed in range(runs):
        assert check(trajectory(random_scenario(random.Random(seed)))) == ""


def test_policies_that_the_checker_does_not_know_are_not_exported() -> None:
    scenario = {**SCENARIOS["slow"], "policy": {"name": "complete"}}
    assert fluid_certificate(scenario) is None


# Traces


def random_request(algorithm: str, choose: random.Random) -> dict[str, Any]:
    pick = choose.choice
    now, events, named = Fraction(0), [], 0
    request: dict[str, Any] = {"algorithm": algorithm, "buffer": str(choose.randint(3, 6))}
    for _ in range(25):
        now += Fraction(choose.randint(0, 3), 2)
        arrives, size = choose.random() < 0.65, pick(["1/2", "1", "2", "3"])
        if algorithm == "losspass":
            events.append(["arrive", None, pick(["small", "large"]), size] if arrives
                          else ["depart", None, pick(["small", "large", "any"])])  # fmt: skip
        elif algorithm == "l2bm":
            named += arrives
            events.append(["arrive", str(now), f"p{named}", {"queue_out": size, "rate": "2"}] if arrives
                          else ["depart", str(now), f"p{choose.randint(1, named + 1)}"])  # fmt: skip
        else:
            queue = choose.randint(1, 3)
            events.append(["arrive", str(now), queue, size] if arrives else ["depart", str(now), queue])
    request["events"] = events
    marks = {name: pick([None, "1", "2"]) for name in ("small", "large", "port")}
    own: dict[str, dict[str, Any]] = {
        "losspass": {"reading": pick(list(READINGS)), "reserve_large": pick(["0", "1", "2"]), "mark": marks},
        "dynaq": {"weights": [pick(["1", "2"]) for _ in range(3)], "tie_break": pick(["low", "high"]),
                  "admit": pick(["port", "recheck", "thresholds"])},
        "l2bm": {},
        "edt": {"ports": 3, "alpha": pick(["1/2", "1", "2"]), "cn1": choose.randint(1, 3),
                "cn2": pick(["1", "3/2", "3"]), "tm1": pick([None, "1", "2"]), "tm2": pick([None, "2", "3"]),
                "reading": pick(["circuit", "free-running"])},
    }  # fmt: skip
    if algorithm == "l2bm":
        del request["buffer"]
    return {**request, **own[algorithm]}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_both_implementations_of_an_algorithm_agree_on_random_traces(algorithm: str) -> None:
    decisions = set()
    for seed in range(150):
        request = random_request(algorithm, random.Random(seed))
        found, wanted = ALGORITHMS[algorithm](request), trace(request)
        for step in wanted["steps"]:
            decisions.add(step["decision"])
            del step["reason"]
            step.update({} if algorithm in ("losspass", "dynaq") else {"victim": None, "packet": None})
        for step in found["steps"]:
            step.update({} if algorithm in ("losspass", "dynaq") else {"victim": None, "packet": None})
        wrong = differences(jsonable(wanted["steps"]), jsonable(found["steps"]))
        wrong += differences(jsonable(wanted["final"]), jsonable(found["final"]))
        assert not wrong, (request, wrong[0])
    assert decisions >= {"enqueue", "depart"} | ({"drop"} if algorithm != "l2bm" else set())


def witness(request: dict[str, Any]) -> dict[str, Any]:
    """The certificate of a request that expects the package's answer."""
    expected = {key: trace(request)[key] for key in ("steps", "final")}
    for step in expected["steps"]:
        del step["reason"]
        if request["algorithm"] in ("l2bm", "edt"):
            del step["victim"], step["packet"]
    exported = exported_trace(request)
    assert exported is not None
    return as_exported({"kind": "trace", "says": "", **exported, "expected": expected, "claimed": {"final": None}})


def leaves(document: Any, path: Path_ = ()) -> Iterator[Path_]:
    if isinstance(document, dict | list):
        for key, part in document.items() if isinstance(document, dict) else enumerate(document):
            yield from leaves(part, (*path, key))
    else:
        yield path


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_decision_and_every_number_of_an_expected_answer_matters(algorithm: str) -> None:
    request = random_request(algorithm, random.Random(7))
    document = witness({**request, "events": request["events"][:10] if algorithm == "edt" else request["events"]})
    assert check(document) == ""
    places = list(leaves(document["expected"], ("expected",)))
    assert len(places) > 50
    for place in places:
        old = at(document, place)
        assert "is expected, and is not so" in check(spoilt(document, place, "none" if old != "none" else 1))


@pytest.mark.parametrize(
    ("algorithm", "path", "value"),
    [
        ("losspass", ("request", "reading"), "head"),
        ("losspass", ("request", "buffer"), "1"),
        ("dynaq", ("request", "victims"), "any"),
        ("dynaq", ("request", "admit"), "all"),
        ("dynaq", ("request", "weights"), ["1", "9", "1"]),
        ("l2bm", ("request", "reading"), "clocked"),
        ("edt", ("request", "reading"), "signed"),
        ("edt", ("request", "count"), "packets"),
        ("edt", ("request", "cn2"), "100"),
        ("edt", ("request", "algorithm"), "tcp"),
        ("edt", ("claimed",), {}),
        ("edt", ("claimed",), {"lost": 1}),
    ],
)
def test_an_altered_request_is_refused(algorithm: str, path: Path_, value: Any) -> None:
    document = witness(random_request(algorithm, random.Random(7)))
    assert check(spoilt(document, path, value))


def test_readings_that_the_checker_does_not_know_are_not_exported() -> None:
    assert exported_trace({"algorithm": "losspass", "reading": "head", "events": []}) is None
    assert exported_trace({"algorithm": "dynaq", "victims": "any", "events": []}) is None
    assert exported_trace({"algorithm": "edt", "count": "packets", "events": []}) is None
    assert exported_trace({"algorithm": "tcp", "events": []}) is None
    assert exported_trace({"algorithm": "l2bm", "events": []}) == {"request": {"algorithm": "l2bm", "events": []}}


# The ledger


def exported(folder: Path, *selectors: str) -> dict[str, int]:
    """Run the evidence for some claims (all, if none is named) and export what it carries."""
    collection = papers()
    done = run_selected(collection, selectors, jobs=1)
    report = report_document(done, collection, version="", engines={}, pins={})
    return export(report, folder, EXPORTERS)


def checked(folder: Path, away: Path) -> str:
    """What the checker prints in a folder of its own, without the package, site packages or the environment."""
    shutil.copytree(ROOT / "proofs" / "checker", away / "proofs" / "checker")
    shutil.copy(ROOT / "proofs" / "check_certificates.py", away / "proofs")
    command = [sys.executable, "-I", "-S", str(away / "proofs" / "check_certificates.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=away)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


CLAIMS = ("dynaq.sec1.not-take@threshold", "edt.abstract.not-fully-used", "edt.sec2.3.constrained@length",
          "edt.sec4.2.tm1.always@free-running", "l2bm.tab1.tau", "losspass.sec5.2.2.higher@increment")  # fmt: skip


def test_certificates_of_every_kind_come_from_the_ledger_and_are_right(tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    counts = exported(folder, *CLAIMS)
    assert set(counts) == {"fluid", "invariant", "slack", "trace", "values"}
    assert checked(folder, tmp_path) == f"{sum(counts.values())} of {sum(counts.values())} certificates are right\n"
    assert len(list(folder.iterdir())) == sum(counts.values())
    for path in folder.iterdir():
        document = json.loads(path.read_text(encoding="utf-8"))
        assert document["claims"]


@pytest.mark.exhaustive
def test_all_certificates_of_the_ledger_are_right(tmp_path: Path) -> None:
    counts = exported(tmp_path / "certificates")
    assert (
        checked(tmp_path / "certificates", tmp_path)
        == f"{sum(counts.values())} of {sum(counts.values())} certificates are right\n"
    )
    assert min(counts[kind] for kind in ("fluid", "invariant", "slack", "trace", "values")) >= 20
