"""What was reviewed stays: no claim is lost, reworded, weakened or pointed at other evidence without a word."""

import hashlib
from pathlib import Path

import pytest
from ledger_cases import PROVED, claim, evidence, papers, root, verify

from dtmodel.base.errors import InputError, LedgerError
from dtmodel.cli import run as command
from dtmodel.companion.engines import pins
from dtmodel.ledger import Root, collect
from dtmodel.ledger.manifest import manifest_of, pin, unreviewed
from dtmodel.ledger.provers.coq import development
from dtmodel.ledger.provers.coq_pins import LOCK
from dtmodel.ledger.reviewed_files import list_of

FORMAL = "for x > 0; then x + 1 > 1"
CLAIMS = [claim(formal=FORMAL), claim("edt.eq2", verdict="refuted")]
PIECES = [evidence(PROVED), evidence("return Counterexample(FALSE, 'three')", "edt.eq2", name="second")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection that was reviewed."""
    place = root(tmp_path / "one", CLAIMS, PIECES)
    assert pin(collect([place]), place) == 2
    return tmp_path / "one"


def faults(folder: Path, claims: list[str], pieces: list[str], *selectors: str) -> list[str]:
    """What verify finds wrong; every call imports the collection's code anew from another folder."""
    again = folder.parent / f"two{len(list(folder.parent.iterdir()))}"
    again.mkdir()
    (again / "validation").mkdir()
    (again / "validation" / "manifest.txt").write_text(manifest_of(root(folder, [], [])).read_text())
    done = verify(again, claims, pieces, selectors)
    return [str(item) for item in done.problems] + [fault for item in done.results for fault in item.faults]


def test_what_was_reviewed_is_as_recorded(folder: Path) -> None:
    assert faults(folder, CLAIMS, PIECES) == []
    assert faults(folder, CLAIMS, PIECES, "edt.eq1") == []


def test_a_claim_that_is_lost_with_its_evidence_is_missed(folder: Path) -> None:
    for selectors in ((), ("edt.eq1",)):
        (fault,) = faults(folder, CLAIMS[:1], PIECES[:1], *selectors)
        assert fault.startswith("edt.eq2 was reviewed, and no file claims it")


def test_evidence_that_is_lost_is_missed_by_every_run(folder: Path) -> None:
    lost = [PIECES[0], evidence("return Counterexample(FALSE, 'three')", "edt.eq2", name="another")]
    (fault,) = faults(folder, CLAIMS, lost, "edt.eq1")
    assert fault == "edt.eq2: evidence was reviewed and is lost: second: restore it, or pin"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"edt.eq1 | equation\n", None])
def test_a_manifest_that_cannot_be_read_is_a_fault(folder: Path, content: bytes | None) -> None:
    manifest = manifest_of(Root.at(folder))
    manifest.unlink()
    if content is None:
        manifest.mkdir()
    else:
        manifest.write_bytes(content)
    with pytest.raises(InputError, match="manifest"):
        list(unreviewed(collect([Root.at(folder)]), ["edt.eq1"]))


def test_a_manifest_that_was_removed_is_missed(folder: Path) -> None:
    list_of(Root.at(folder)).write_text("")
    assert list(unreviewed(collect([Root.at(folder)]), ["edt.eq1"])) == []
    manifest_of(Root.at(folder)).unlink()
    (fault,) = unreviewed(collect([Root.at(folder)]), ["edt.eq1"])
    assert str(fault) == "manifest.txt is not there, and files.txt is: restore it, or pin"


def test_a_claim_stands_once_in_a_manifest(folder: Path) -> None:
    manifest = manifest_of(Root.at(folder))
    manifest.write_text(manifest.read_text() + manifest.read_text())
    with pytest.raises(InputError, match="manifest"):
        list(unreviewed(collect([Root.at(folder)]), []))


def test_a_manifest_is_found_on_both_sides_of_a_new_folder(tmp_path: Path) -> None:
    (tmp_path / "claims.toml").write_text(claim())
    pin(collect([Root.at(tmp_path)]), Root.at(tmp_path))
    (tmp_path / "validation").mkdir()
    assert manifest_of(Root.at(tmp_path)) == tmp_path / "manifest.txt"
    assert list(unreviewed(collect([Root.at(tmp_path)]), [])) == []


def test_a_collection_with_a_fault_is_not_pinned(folder: Path) -> None:
    (folder / "validation" / "edt" / "more.toml").write_bytes(b"\xff")
    with pytest.raises(LedgerError, match=r"more\.toml cannot be read as TOML"):
        pin(collect([Root.at(folder)]), Root.at(folder))


def test_a_report_says_what_coqs_lock_was() -> None:
    lock = hashlib.sha256((development() / LOCK).read_bytes()).hexdigest()
    assert pins()[LOCK] == lock
    assert f"proofs/coq/{LOCK} | {lock[:12]}" in list_of(papers().roots[0]).read_text().splitlines()


def test_a_new_claim_is_to_be_reviewed(folder: Path) -> None:
    pieces = [*PIECES, evidence(PROVED, "edt.eq3", name="third")]
    assert "not in the manifest" in "".join(faults(folder, [*CLAIMS, claim("edt.eq3")], pieces))


@pytest.mark.parametrize(
    "changed",
    [
        claim(formal=FORMAL, caption="Another bound"),
        claim(formal=FORMAL, assumption="x is 1"),
        claim(formal="for x >= 0; then x + 1 >= 1"),
        claim(),
    ],
)
def test_a_claim_that_was_reworded_is_noticed(folder: Path, changed: str) -> None:
    assert any(
        "it says something else than was reviewed" in fault for fault in faults(folder, [changed, CLAIMS[1]], PIECES)
    )


def test_an_inverted_verdict_is_noticed_though_the_evidence_agrees(folder: Path) -> None:
    pieces = [evidence("return Counterexample(FALSE, 'three')"), PIECES[1]]
    assert faults(folder, [claim(verdict="refuted", formal=FORMAL), CLAIMS[1]], pieces) == [
        "its verdict was 'holds' when it was reviewed, now 'refuted': review it, then run dtmodel ledger pin"
    ]


def test_evidence_that_is_weaker_or_another_is_noticed(folder: Path) -> None:
    weaker = [evidence("return Agrees(3, 'all three')", strength="exact"), PIECES[1]]
    found = faults(folder, CLAIMS, weaker)
    assert "its strength was symbolic, now it is exact: restore the evidence, or pin" in found
    other = [evidence(PROVED, name="another"), PIECES[1]]
    (fault,) = faults(folder, CLAIMS, other)
    assert fault.startswith("its evidence was 'first (printed, symbolic)'")


def test_a_line_of_another_shape_is_named(folder: Path) -> None:
    manifest_of(root(folder, CLAIMS, PIECES)).write_text("edt.eq1 | equation\n")
    with pytest.raises(InputError, match=r"manifest.txt:1"):
        faults(folder, CLAIMS, PIECES)


def test_the_command_pins_a_collection_beside_the_papers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = root(tmp_path / "mine", [claim("mine.a")], [evidence(PROVED, "mine.a")])
    assert command(["ledger", "pin", "--collection", str(place.path)]) == 0
    assert "1 claims in" in capsys.readouterr().out
    assert "mine.a | equation | holds | symbolic |" in manifest_of(place).read_text()
