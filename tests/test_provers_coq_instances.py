"""Each theorem in use that supposes a trajectory, a schedule or a run has an instance in which all its hypotheses hold.

Of ``forall x, H x -> C x`` Coq proves ``(forall x, H x -> False) -> False``. The sentence is written from the pinned
statement, so that an instance of fewer hypotheses, or of others, does not close it; `hypotheses_hold.toml` has numbers
and steps for each, `hypotheses_hold.v` what they begin with.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ledger_cases import papers

from docs.hypotheses import hypotheses, premises
from dtmodel.ledger.provers import coq, coq_pins
from dtmodel.ledger.provers.coq_project import Project
from dtmodel.ledger.provers.coq_scripts import refusals
from dtmodel.ledger.provers.coq_source import Sources
from dtmodel.ledger.provers.coq_theorems import run_within

HERE = Path(__file__).parent
WHERE = coq.development()
PINS = coq_pins.read_pins(WHERE).theorems
INSTANCES: dict[str, Mapping[str, Any]] = {
    name: item
    for item in tomllib.loads((HERE / "hypotheses_hold.toml").read_text("utf-8"))["instance"]
    for name in item["theorems"]
}
RUNS = re.compile(
    r"\b(trajectory|capped_trajectory|nearly|in_packets|lasting|obeys|rejected|guaranteed|phase|holds_each|dt_switch|\w*_switch"
    r"|micro_burst|mixed_bursts|bursts_beside|short_bursts|starts_steady|drops_at|\w+_run"  # fluid
    r"|run|reachable|reached|repaired|marking|arrive|enqueue|burst|port_after|protected|passes|admits"
    r"|share)\b"  # packets
)
"""Words of Coq for what happens in a run."""


def supposes_a_run(statement: str) -> bool:
    """Whether a hypothesis speaks of what happens."""
    return any(RUNS.search(text) for text in hypotheses(statement))


def supposed(statement: str) -> list[tuple[str, str]]:
    """Return a theorem's variables and hypotheses in their order, without what follows the last hypothesis."""
    parts = premises(statement)
    last = max(place for place, (kind, _) in enumerate(parts) if kind == "if")
    return parts[: last + 1]


def absurd(statement: str) -> str:
    """Say in Coq that not all instances contradict the hypotheses of a theorem."""
    written = {"for all": "forall {}, ", "let": "let {} in ", "if": "{} -> "}
    said = "".join(written[kind].format(text) for kind, text in supposed(statement))
    return f"({said}False) -> False"


def named(statement: str) -> set[str]:
    """Return the variables that later hypotheses name: the others cannot be given by name."""
    found, free = set(), set()
    for kind, text in supposed(statement):
        words = set(re.findall(r"(?<![\w'.])[A-Za-z_][\w']*", text))
        found |= free & (words if kind != "for all" else set())
        if kind == "for all":
            free |= set(" ".join(re.findall(r"(?:^|\()([^():]+):", text)).split())
    return found


def script(name: str, item: Mapping[str, Any], sources: Sources) -> str:
    """Return the proof that a theorem's hypotheses hold together; what it imports is so in its section alone."""
    pin = PINS[name]
    given = " ".join(
        f"({key} := {value})" for key, value in item.get("with", {}).items() if key in named(pin.statement)
    )
    return (
        f"Section Met_{name}. {sources.context(Path(pin.module).name, [pin.statement])}\n"
        f"Theorem met_{name} : {absurd(' '.join(pin.statement.split()))}.\nProof.\n"
        f"intros absurd; cbv zeta in absurd. {item.get('from', '')}\n"
        f"eapply absurd{' with ' + given if given else ''}; {item.get('then', 'met')}.\nQed.\nEnd Met_{name}.\n"
    )


def unmet(items: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return why Coq does not see the hypotheses of some theorems met."""
    sources = Sources(WHERE)
    scripts = {name: script(name, item, sources) for name, item in items.items()}
    preamble = (
        f"{Project.read(WHERE).loaded}Require Import Reals Lra Lia Psatz.\nOpen Scope R_scope.\n"
        f"Notation real := Rdefinitions.R.\n{(HERE / 'hypotheses_hold.v').read_text('utf-8')}"
        f"(* {hash_of_all()} *)\n"
    )
    refused = refusals(list(scripts.values()), preamble, lambda text: run_within(WHERE, text))
    return {name: refused[text] for name, text in scripts.items() if text in refused}


def hash_of_all() -> str:
    """Return what changes with any statement, or definition behind one, so that no answer is remembered beyond it."""
    return " ".join(sorted(pin.hash[:8] for pin in PINS.values()))


def test_every_theorem_that_supposes_a_run_has_an_instance() -> None:
    used = {name for item in papers().written if item.kernel for name in item.kernel.theorems}
    assert set(INSTANCES) == {name for name in used if supposes_a_run(PINS[name].statement)}


@pytest.mark.needs("coq")
def test_the_hypotheses_of_each_hold_together() -> None:
    assert unmet(INSTANCES) == {}


@pytest.mark.needs("coq")
@pytest.mark.parametrize(("name", "changed"), [("theorem1", {"alpha": "0"}), ("two_cases_after_d2", {"t1": "3"})])
def test_numbers_that_do_not_meet_them_are_refused(name: str, changed: Mapping[str, str]) -> None:
    item = INSTANCES[name]
    assert unmet({name: item | {"with": item["with"] | changed}})


def test_a_hypothesis_about_a_run_is_seen_wherever_it_stands() -> None:
    assert supposes_a_run("forall x : R, 0 < x -> trajectory sw Ar 0 x Q D -> x < 2")
    assert not supposes_a_run("forall x : R, 0 < x -> trajectory sw Ar 0 x Q D /\\ x < 2")


def test_what_is_to_be_shown_has_every_hypothesis() -> None:
    statement = (
        "forall (x y : R) (f : nat -> R), 0 < x -> forall i : nat, let z := x + y in f i = z -> forall k : nat, x < 2"
    )
    assert (
        absurd(statement)
        == "(forall (x y : R) (f : nat -> R), 0 < x -> forall i : nat, let z := x + y in f i = z -> False) -> False"
    )
    assert named(statement) == {"x", "y", "f", "i"}
    assert named("forall (x : R) (k : nat), 0 < x -> x < 2") == {"x"}
