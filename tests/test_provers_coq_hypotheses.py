"""Each hypothesis of a theorem about runs has a partner in the form of the claim that names it."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from ledger_cases import papers

from docs.hypotheses import MODEL, hypotheses, premises
from dtmodel.base.expressions import free_names
from dtmodel.companion.roots import papers_root
from dtmodel.ledger.claim import Kernel
from dtmodel.ledger.formal import Formal, read_formal
from dtmodel.ledger.provers import coq_pins
from dtmodel.ledger.provers.coq_export import is_arithmetic

TABLES = sorted(papers_root().glob("validation/*/hypotheses.toml"))
PINS = coq_pins.read_pins(papers_root() / "proofs" / "coq").theorems
RUNS = re.compile(
    r"\b(trajectory|micro_burst|bursts_beside|\w+_run|short_bursts|drops_at|starts_steady|obeys|rejected"  # fluid
    r"|dt_switch"
    r"|guaranteed"  # a queue of any policy
    r"|run|reachable|repaired|marking|arrive|enqueue|burst|port_after|protected|passes|admits|share)\b"  # packets
)
"""Words of Coq for what happens in a run; a theorem without one speaks of formulas alone."""


def kernels(paper: str = "") -> dict[str, list[Kernel]]:
    """What Coq proves of each claim whose form runs a model."""
    found = defaultdict(list)
    for item in papers().written:
        claim = item.aims[0].claims[0]
        if item.kernel and claim.startswith(paper) and item.kernel.says and not is_arithmetic(item.kernel.says):
            found[claim].append(item.kernel)
    return found


def asks_a_run(formal: Formal) -> bool:
    """Whether the conclusion speaks of a run, itself or by a name for a value."""
    known = dict(formal.values) | {name: body for name, (_, body) in formal.sequences.items()}
    names = {name for conclusion in formal.conclusions for name in free_names(conclusion)}
    while more := {inner for name in names & known.keys() for inner in free_names(known[name])} - names:
        names |= more
    return formal.occasion is not None or bool(names & set(formal.runs))


def unpaired(statement: str, partners: Mapping[str, Sequence[str]], says: str) -> str:
    """Return a fault for the first hypothesis without a partner in a claim's form; empty if all have one."""
    said = "".join(says.split())
    for text in hypotheses(statement):
        if text not in partners:
            return f"{text} is not in the table"
        if not any(partner.startswith(MODEL) or "".join(partner.split()) in said for partner in partners[text]):
            return f"{text} has no partner: {' or '.join(partners[text])} does not stand in the form"
    return ""


def test_premises_are_read_in_their_order() -> None:
    said = "forall (n : nat) (x : R), (1 <= n)%nat -> (forall i, P i -> Q i) -> forall y : R, 0 < y -> x < y"
    assert hypotheses(said) == ["(1 <= n)%nat", "(forall i, P i -> Q i)", "0 < y"]
    assert premises("forall x : R, let y := x * x in 0 < y -> x <> 0") == [
        ("for all", "x : R"), ("let", "y := x * x"), ("if", "0 < y"), ("then", "x <> 0"),
    ]  # fmt: skip


def test_each_paper_has_its_table() -> None:
    assert [file.parent.name for file in TABLES] == sorted({claim.split(".")[0] for claim in kernels()})


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.parent.name)
def test_every_hypothesis_has_a_partner(file: Path) -> None:
    partners = tomllib.loads(file.read_text(encoding="utf-8"))["hypotheses"]
    wrong, supposed = [], set()
    for claim, asked in kernels(f"{file.parent.name}.").items():
        for kernel, name in ((one, name) for one in asked for name in one.theorems):
            supposed |= set(hypotheses(PINS[name].statement))
            fault = unpaired(PINS[name].statement, partners, kernel.says)
            wrong += [f"{claim}, {name}: {fault}"] if fault else []
    assert not wrong
    assert set(partners) == supposed, "the table has what no theorem supposes any longer"


def test_what_is_said_of_a_run_rests_on_a_theorem_about_runs() -> None:
    bare = [
        claim
        for claim, asked in kernels().items()
        if asks_a_run(read_formal(asked[0].says))
        and not any(RUNS.search(PINS[name].statement) for kernel in asked for name in kernel.theorems)
    ]
    assert not bare


def test_a_run_is_seen_behind_a_name() -> None:
    form = "for a > 0; run x = dt(a); let u = drop(x, 1); seq q[k] = u; then {}"
    assert [asks_a_run(read_formal(form.format(said))) for said in ("q[1] > a", "u > a", "a > 0")] == [
        True,
        True,
        False,
    ]
    assert not RUNS.search(PINS["remark_half"].statement)


def test_what_stands_in_the_conclusion_is_no_hypothesis() -> None:
    assert hypotheses("forall x : R, 0 < x -> (x <= 1 -> x < 2) /\\ (1 < x -> 0 < 1)") == ["0 < x"]
    assert hypotheses("forall x : R, 0 < x /\\ x < 1 -> x < 2") == ["0 < x /\\ x < 1"]
    assert hypotheses("forall x y : R, x < y <-> 0 < y - x") == []
    assert hypotheses("(exists x : R, 0 < x) -> 0 < 1") == ["(exists x : R, 0 < x)"]


@pytest.mark.parametrize(
    ("statement", "says", "fault"),
    [
        ("forall x : R, 0 < x -> x < 2", "for x > 0; x < 1; then x < 2", ""),
        ("forall x : R, 0 < x -> 1 < x -> x < 2", "for x > 0; then x < 2", "1 < x is not in the table"),
        ("forall x : R, 0 < x -> x < 2", "for x : rat; then x < 2", "0 < x has no partner: x > 0 does not stand"),
    ],
)
def test_a_planted_hypothesis_is_found(statement: str, says: str, fault: str) -> None:
    assert unpaired(statement, {"0 < x": ["x > 0"]}, says).startswith(fault)
