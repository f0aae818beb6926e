"""The claims of the DT/EDT paper up to the end of Section 3.2 are complete, and their verdicts have what they need."""

import re
import tomllib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "validation" / "edt"
CLAIMS = {
    claim["id"]: claim
    for path in sorted(FOLDER.glob("*.toml"))
    for claim in tomllib.loads(path.read_text(encoding="utf-8")).get("claim", [])
}


@pytest.mark.parametrize("number", range(1, 42))
def test_every_numbered_equation_has_a_claim(number: int) -> None:
    assert any(re.fullmatch(rf"edt\.eq{number}(\..+|@.+)?", name) for name in CLAIMS)


NAMED = ("thm1", "thm2", "thm3", "fig2", "fig3a", "fig3b", "fig4", "fn1", "fn2", "fn3", "fn4")


@pytest.mark.parametrize("name", NAMED)
def test_theorems_figures_and_footnotes_have_claims(name: str) -> None:
    assert f"edt.{name}" in CLAIMS


def test_table_1_has_a_claim_for_each_row() -> None:
    assert sum(name.startswith("edt.table1.") for name in CLAIMS) == 9


def test_what_needs_an_assumption_names_the_corrected_theorem() -> None:
    for name in ("edt.thm1", "edt.thm2", "edt.thm3"):
        assert CLAIMS[name]["verdict"] == "holds-under-assumption"
        assert CLAIMS[CLAIMS[name]["corrected"]]["verdict"] == "holds"


def test_our_own_theorems_hold() -> None:
    ours = [claim for name, claim in CLAIMS.items() if name.startswith("edt.ours.")]
    assert len(ours) > 15
    assert all(claim["verdict"] == "holds" and claim["kind"] == "ours" for claim in ours)
