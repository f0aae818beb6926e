"""A claim about runs that solvers prove as a relation says so: no model is in what decides it."""

import re
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest
from ledger_cases import claim, evidence, one, papers, root

from dtmodel.companion.hunting import agree_in_runs
from dtmodel.companion.roots import papers_root
from dtmodel.fluid import simulate
from dtmodel.ledger import collect
from dtmodel.ledger.claim import RELATION_OF, Claim, inherited, text_of_form
from dtmodel.ledger.provers import coq_pins
from dtmodel.ledger.report import claim_document
from dtmodel.ledger.verdict import deciding_forms, strongest
from dtmodel.theory.l2bm import formulas

COLLECTION = papers()
PINS = coq_pins.read_pins(papers_root() / "proofs" / "coq").theorems
NUMBERS = {
    *("forall", "exists", "fun", "let", "in", "if", "then", "else"),
    *("real", "nat", "Prop", "INR", "Datatypes.S", "sum", "pow", "Rmin"),
}
"""Words of a statement in Coq that is about numbers only."""
MODELS = re.compile(r"dtmodel\.(packet|fluid|policies(?!\.formulas)|modelcheck|derive|native)\b")
"""Rooms with models; the formulas of thresholds are relations."""
_RUNS = re.compile(r"(?m)^\s*run \w+ =|\bpassages\(")
"""What a form runs: a named run of an engine, or packets through a port."""


def about_runs(one: Claim) -> bool:
    """Tell whether what decides a true claim would be a statement about runs, of an engine, a scheduler or senders."""
    if one.not_executable in ("engine", "senders"):
        return True
    forms = (text_of_form(one, form) for form in deciding_forms(one.verdict))
    return any(_RUNS.search(inherited(text, COLLECTION.preludes)) for text in forms)


def names(code: CodeType) -> Iterator[str]:
    """Yield the names that some code and what it defines reads, and modules that it imports itself."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names(constant)


def reaches(found: object, seen: set[int]) -> bool:
    """Tell whether a function, or one of the proofs' own that it calls, names something of a model."""
    found = getattr(found, "__wrapped__", found)
    if isinstance(found, partial):
        return reaches([found.func, *found.args, found.keywords], seen)
    home = found.__name__ if isinstance(found, ModuleType) else str(getattr(found, "__module__", ""))
    if MODELS.match(home) or found is agree_in_runs:
        return True
    if isinstance(found, (tuple, list, dict)):
        return any(reaches(item, seen) for item in (found.values() if isinstance(found, dict) else found))
    if id(found) in seen or not re.match(r"(dtmodel_papers\.)?(proofs|validation)\.|test_|tests\.", home):
        return False
    seen.add(id(found))
    if isinstance(found, type):
        return any(reaches(item, seen) for item in vars(found).values())
    if not isinstance(found, FunctionType):
        return False
    read = set(names(found.__code__))
    held = [cell.cell_contents for cell in found.__closure__ or ()]
    return any(MODELS.match(name) for name in read) or any(
        reaches(item, seen) for item in [*(found.__globals__[name] for name in read & set(found.__globals__)), *held]
    )


def arithmetic(name: str) -> bool:
    """Tell whether a theorem in Coq speaks of numbers only: no word in it is a definition of the development."""
    text = PINS[name].statement
    told = " ".join(re.findall(r"(?:forall|exists|fun)\s+([^,=]*?)(?:,|=>)", text) + re.findall(r"let\s+(\w+)", text))
    bound = {*re.findall(r"[A-Za-z_]\w*", told), *re.findall(r"let\s+(\w+)", text)}
    return set(re.findall(r"[A-Za-z_][\w'.]*", text)) - bound <= NUMBERS


def deciding(one: Claim) -> tuple[str, list[tuple[str, str]]]:
    """Return how strong the strongest evidence for a claim is, and the module and name of each such piece."""
    pieces = [(piece, aim) for piece in COLLECTION.evidence()[0] for aim in piece.aims
              if one.id in aim.claims and aim.form in deciding_forms(one.verdict)]  # fmt: skip
    best = strongest([aim.strength for _, aim in pieces])
    return best, [(piece.module, piece.name) for piece, aim in pieces if aim.strength == best]


CLAIMS = [
    pytest.param(item, id=item.id)
    for item in COLLECTION.claims.values()
    if item.verdict in ("holds", "holds-under-assumption", "misprint") and about_runs(item)
]


@pytest.mark.parametrize("item", CLAIMS)
def test_a_proof_about_runs_without_a_model_is_called_a_relation(item: Claim) -> None:
    """Where a model is in the proof, or Coq's trajectories are, the claim does not call it a relation."""
    theorems = [
        name for kernel in item.kernel if kernel.form in deciding_forms(item.verdict) for name in kernel.theorems
    ]
    if theorems:
        assert bool(item.relation) == all(map(arithmetic, theorems))
        return
    best, pieces = deciding(item)
    found: list[Any] = []
    if best in ("smt", "symbolic"):
        found = [getattr(import_module(module.removeprefix("dtmodel_papers.")), name) for module, name in pieces]
    assert bool(item.relation) == (bool(found) and not any(reaches(piece, set()) for piece in found))


@pytest.mark.parametrize("item", [item for item in CLAIMS if item.values[0].relation not in ("", "written")])  # type: ignore[union-attr]
def test_what_a_relation_leaves_to_runs_of_the_engines_is_run(item: Claim) -> None:
    aimed = [piece for piece in COLLECTION.evidence()[0] for aim in piece.aims
             if item.id in aim.claims and aim.form in deciding_forms(item.verdict) and not piece.kernel]  # fmt: skip
    found = [getattr(import_module(piece.module.removeprefix("dtmodel_papers.")), piece.name) for piece in aimed]
    assert any(reaches(piece, set()) for piece in found)


def test_only_claims_about_runs_are_called_relations() -> None:
    assert len(CLAIMS) > 100
    asked = {item.values[0].id for item in CLAIMS}  # type: ignore[union-attr]  # each value is a claim
    assert {item.id for item in COLLECTION.claims.values() if item.relation} <= asked


def _by_a_model() -> object:
    return simulate


def _by_another() -> object:
    return [_by_a_model for _ in range(2)]


_by_part = partial(_by_another)
_once = cache(_by_another)


def _behind_wrappers() -> object:
    return _by_part(), _once()


def _by_a_formula() -> object:
    return formulas


def test_a_theorem_about_numbers_is_told_from_one_about_runs() -> None:
    assert arithmetic("losspass_overshoot")
    assert not arithmetic("dynaq_sum")
    assert not arithmetic("losspass_burst")


def test_a_model_is_found_behind_other_functions() -> None:
    assert reaches(_by_a_model, set())
    assert reaches(_by_another, set())
    assert reaches(_behind_wrappers, set())
    assert reaches(_by_part, set())
    assert reaches(_once, set())
    assert not reaches(_by_a_formula, set())


def test_a_relation_is_shown_beside_the_strength(tmp_path: Path) -> None:
    piece = evidence("return Proved('so', {'x': '1'})", strength="symbolic")
    for told, strength, shown in (("phase", "symbolic", True), ("", "symbolic", False), ("phase", "kernel", True)):
        folder = tmp_path / f"{told}{strength}"
        more = evidence("return Proved('so', {'x': '1'})", strength=strength, name="second")
        said = {"relation": told} if told else {}
        result = one(folder, claim(**said), [piece, more])
        document = claim_document(result, collect([root(folder, [claim(**said)], [piece, more])]))
        assert (document["strength"], document["relation"]) == (strength, shown)
        assert document["relation_of"] == RELATION_OF.get(told, "")


def test_what_it_is_a_relation_of_is_one_of_four_words(tmp_path: Path) -> None:
    result = one(tmp_path, claim(relation="moment"), evidence("return Proved('so', {'x': '1'})"))
    assert "relation 'moment': use one of phase, event, state, written" in "\n".join(result.faults)
