"""Whoever has the number of an equation finds what computes it, its tests and its evidence."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ledger_cases import papers

from dtmodel.base.errors import InputError
from dtmodel.companion import claims, figure, hunt, replay, show, theorem, verify
from dtmodel.companion.figures import captions
from dtmodel.companion.places import claim_code, claim_tests
from dtmodel.ledger.report import figures

TREE = Path(__file__).parents[1]
IN_PROOFS_ALONE = {
    "edt.eq12",  # (10) multiplied out
    *(f"edt.eq{number}" for number in range(52, 69)),  # the proof of Theorem 4
    *(f"edt.eq{number}" for number in (70, 72, 74, 75, 76)),  # the derivation of (73)
}
"""Equations that nothing in the package computes: steps, which evidence in proofs/ puts in symbols."""

NUMBERED = [name for name in papers().claims if re.fullmatch(r"\w+\.eq\d+", name)]


def test_every_numbered_equation_is_computed_somewhere_or_is_a_step_of_a_proof() -> None:
    assert len(NUMBERED) > 90
    homes = {name: {file.partition("/")[0] for file, _, _ in claim_code(name)} for name in NUMBERED}
    assert {name for name, home in homes.items() if home == {"proofs"}} == IN_PROOFS_ALONE
    assert {name for name, home in homes.items() if home == {"dtmodel"}} == set(NUMBERED) - IN_PROOFS_ALONE


@pytest.mark.parametrize(
    "claim",
    [
        *("edt.eq2", "edt.eq39", "edt.eq73", "edt.eq79", "losspass.eq1", "losspass.eq5", "dynaq.eq5", "l2bm.eq9"),
        *("edt.thm3", "dynaq.alg1.line6"),
    ],
)
def test_what_computes_an_equation_is_tested(claim: str) -> None:
    names = {name for _, _, name in claim_code(claim)}
    found = claim_tests(claim)
    assert found
    assert {name for _, _, name in found} <= {claim, *names}
    for file, line, name in found:
        assert name in (TREE / file).read_text().splitlines()[line - 1]


@pytest.mark.parametrize(
    ("claim", "file", "name"),
    [
        ("dynaq.eq3", "dtmodel/theory/dynaq/formulas.py", "extra_buffer"),
        ("edt.eq16", "dtmodel/theory/dt/formulas.py", "initial_free"),
        ("edt.eq3", "dtmodel/theory/dt/statements.py", "theorem1"),
        ("l2bm.eq4", "dtmodel/theory/l2bm/statements.py", "weighted_threshold"),
        ("edt.thm3", "dtmodel/theory/dt/statements.py", "theorem3"),
        ("edt.thm5.proof.jump", "dtmodel/theory/edt/statements.py", "theorem5"),
        ("losspass.alg1.line12", "dtmodel/packet/losspass/algorithm.py", "_line_12"),
        ("l2bm.alg1.line14@now", "dtmodel/packet/l2bm/algorithm.py", "dequeue"),
    ],
)
def test_single_numbers_and_spans_are_read(claim: str, file: str, name: str) -> None:
    assert (file, name) in {(path, found) for path, _, found in claim_code(claim)}


def test_a_claim_about_nothing_with_a_number_has_no_places() -> None:
    assert (claim_code("edt.sec5.1.cn2"), claim_tests("edt.sec5.1.cn2")) == ([], [])


def test_every_line_of_an_algorithm_has_code() -> None:
    lines = [name for name in papers().claims if re.match(r"\w+\.alg\d+\.line\d+\b", name)]
    assert len(lines) > 35
    assert [name for name in lines if not claim_code(name)] == []


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        ("dynaq.fig12", r"dtmodel figure dynaq\.fig12 redraws the figure; its claims are dynaq\.sec5\.2\.1\.fig12"),
        ("dynaq.fig8", "the figure is not drawn: needs congestion-controlled senders"),
        ("edt.fig99", r"a claim id, such as edt\.fig"),
    ],
)
def test_the_number_of_a_figure_that_no_claim_is_named_by_leads_to_it(figure: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        show(figure)


@pytest.mark.parametrize("of", [claims, figure, hunt, replay, show, theorem, verify])
def test_what_is_no_id_is_refused_by_each_door(of: Callable[[Any], Any]) -> None:
    with pytest.raises(InputError, match=r"(selector|claim|figure): got '?\[]"):
        of([])


def test_a_long_id_is_no_name_of_a_file() -> None:
    with pytest.raises(InputError, match="claim: got '999"):
        theorem("9" * 5000)


@pytest.mark.parametrize(
    ("claim", "drawn"),
    [
        ("edt.eq8", ["edt/figures/fig03"]),  # a caption names it
        ("edt.eq43", ["edt/figures/fig05", "edt/figures/fig06"]),  # captions name its parts
        ("edt.fig16.80ms", ["edt/figures/fig16"]),  # its id does
        ("edt.fig3b", ["edt/figures/fig03"]),
        ("dynaq.sec5.2.1.fig12", ["dynaq/figures/fig12", "dynaq/figures/fig12_tcp"]),
        ("edt.fig8.multiplexer", []),  # not drawn
    ],
)
def test_a_claim_has_the_figures_that_draw_it(claim: str, drawn: list[str]) -> None:
    assert figures(claim, papers().roots) == [f"validation/{path}.py" for path in drawn]


def test_what_captions_name_are_claims() -> None:
    named = [
        name for text in captions().values() for name in re.findall(r"\b(?:edt|losspass|dynaq|l2bm)\.[\w.@+-]*\w", text)
    ]
    known = {".".join(name.split(".")[:parts]) for name in papers().claims for parts in range(1, name.count(".") + 2)}
    assert len(named) > 50
    assert set(named) <= known
