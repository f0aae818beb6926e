"""A relation between numbers names the claim that ties it to runs."""

from pathlib import Path

import pytest
from ledger_cases import claim, papers, root

from dtmodel.ledger import collect
from dtmodel.ledger.ties import places

NUMBERS, RUN = "for x > 0; then x > 0", "run x = dt([], until = 1, alpha = 1); then drop(x, 1) > 0"
SOURCE = "a paper, Section 3.1, equation (1)"


def faults(folder: Path, tied_to: str = "edt.eq2", mine: str = NUMBERS, **other: str) -> list[str]:
    """Collect a relation between numbers and another claim; return the problems that are found."""
    given = {"formal": RUN, "source": SOURCE} | other
    first = claim("edt.eq1", source=SOURCE, formal=mine, tied_to=tied_to)
    place = root(folder, [first, claim("edt.thm1", formal=RUN)], [])
    (folder / "validation" / "edt" / "others.toml").write_text(claim("edt.eq2", **given), encoding="utf-8")
    return [str(found) for found in collect([place]).problems]


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({}, ""),
        ({"source": "a paper, equations (1) and (2)"}, ""),
        ({"tied_to": "edt.thm1"}, ""),
        ({"source": "own theorem"}, ""),
        ({"tied_to": "edt.eq3"}, "names no claim: add it, or mend the id"),
        ({"formal": NUMBERS}, "names a claim without a run: name one whose form has a line 'run'"),
        (
            {"source": "a paper, equation (2)"},
            "names a claim about something else: name one of the same equation, section, file or Coq theorem",
        ),
    ],
)
def test_a_tie_to_a_claim_that_cannot_be_one_is_named(tmp_path: Path, given: dict[str, str], fault: str) -> None:
    name = given.get("tied_to", "edt.eq2")
    assert faults(tmp_path, **given) == ([f"edt.eq1: tied_to = {name!r} {fault}"] if fault else [])


def test_a_form_with_a_run_needs_no_tie(tmp_path: Path) -> None:
    problems = collect([root(tmp_path, [claim("edt.eq1", formal=RUN, tied_to="edt.eq2")], [])]).problems
    assert list(map(str, problems)) == ["edt.eq1: 'tied_to' stands over no relation between numbers: remove it"]


def test_bounds_of_a_search_need_a_theorem_for_all(tmp_path: Path) -> None:
    problems = collect([root(tmp_path, [claim("edt.eq1", formal="for n : int 1..3; try n; then n > 0")], [])]).problems
    said = "'try' stands in a form without a theorem for all: name one in 'kernel', or remove it"
    assert list(map(str, problems)) == [f"edt.eq1: {said}"]


def test_a_meaning_of_a_symbol_that_the_form_lacks_is_named(tmp_path: Path) -> None:
    problems = collect(
        [root(tmp_path, [claim("edt.eq1", formal=NUMBERS, symbols="x: a rate; y[]: a time")], [])]
    ).problems
    assert list(map(str, problems)) == [
        "edt.eq1: symbols: 'y[]' is not in its statement: write 'NAME: MEANING; NAME[]: MEANING'"
    ]


def test_sources_of_the_papers_name_their_places() -> None:
    sources = {each.source: places(each.source) for each in papers().claims.values()}
    assert sources["DT/EDT paper, Section 4.2, equation (71), first line"] == {"section 4.2", "equation 71"}
    assert [source for source, found in sources.items() if "quation" in source and not found] == []
